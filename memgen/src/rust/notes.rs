//! Comments and blank lines of the laid-out text. Tokens have neither, so a comment travels as the statement
//! `note!("text");` and becomes lines of its own once the layout is known.

use proc_macro2::TokenStream;
use quote::quote;

/// Columns of the text that a comment fills at most.
const WIDTH: usize = 100;

/// A comment between statements.
pub(super) fn note(text: &str) -> TokenStream {
    quote!(note!(#text);)
}

/// The text of `item`, comments in place, and `helpers` for its statement `helpers!();`.
pub(super) fn laid_out(item: TokenStream, helpers: &str) -> String {
    let file = syn::parse2(item).expect("a kernel is an item");
    let text = prettyplease::unparse(&file);
    let mut laid_out: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let statement = line.trim_start();
        let indent = &line[..line.len() - statement.len()];
        let comment = match statement {
            "helpers!();" => {
                laid_out.push(helpers.trim_end().to_owned());
                laid_out.push(String::new());
                continue;
            }
            // A long text stands on a line of its own.
            "note!(" => lines.by_ref().take_while(|line| line.trim() != ");").last(),
            _ => statement
                .strip_prefix("note!(")
                .and_then(|text| text.strip_suffix(");")),
        };
        let Some(comment) = comment else {
            laid_out.push(line.to_owned());
            continue;
        };
        // A paragraph begins, unless a block just did.
        if laid_out
            .last()
            .is_some_and(|line| !line.is_empty() && !line.ends_with('{'))
        {
            laid_out.push(String::new());
        }
        let comment = comment.trim().trim_matches('"');
        let width = WIDTH - indent.len() - "// ".len();
        laid_out
            .extend(crate::text::wrap_to(comment, width).map(|part| format!("{indent}// {part}")));
    }
    laid_out.join("\n")
}
