//! The attribute's arguments: read into a Spec, with the place of each for what the plan says about it later.

use memgen::Spec;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Meta, Token};

/// Problems found so far, each at its tokens.
#[derive(Default)]
pub(crate) struct Faults(Option<syn::Error>);

impl Faults {
    /// Notes a problem at `tokens`.
    pub(crate) fn add(&mut self, tokens: impl ToTokens, message: &str, help: &str) {
        self.push(syn::Error::new_spanned(tokens, with_help(message, help)));
    }

    /// Notes a problem at `span`.
    pub(crate) fn add_at(&mut self, span: Span, message: &str, help: &str) {
        self.push(syn::Error::new(span, with_help(message, help)));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// A `compile_error!` for each problem; `None` if there is none.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.0.map(syn::Error::into_compile_error)
    }
}

/// The compiler indents what follows the first line of a message, so the help lines up below it.
fn with_help(message: &str, help: &str) -> String {
    format!("{message}\nhelp: {help}")
}

/// The keys that were given, under the flags' names.
pub(crate) struct Arguments(Vec<(String, Ident)>);

impl Arguments {
    /// Reads `tokens` into `spec`.
    pub(crate) fn read(tokens: TokenStream, spec: &mut Spec, faults: &mut Faults) -> Arguments {
        let mut arguments = Arguments(Vec::new());
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        match parser.parse2(tokens) {
            Ok(list) => list
                .iter()
                .for_each(|argument| arguments.read_one(argument, spec, faults)),
            Err(error) => faults.push(error),
        }
        arguments
    }

    /// Where `flag` was given; the whole attribute if it was not.
    pub(crate) fn span(&self, flag: &str) -> Span {
        self.0
            .iter()
            .find(|(given, _)| given == flag)
            .map_or_else(Span::call_site, |(_, key)| key.span())
    }

    fn read_one(&mut self, argument: &Meta, spec: &mut Spec, faults: &mut Faults) {
        let path = argument.path();
        let name = path.to_token_stream().to_string();
        let flag = name.replace('_', "-");
        if let Some(help) = refusal(&flag) {
            faults.add(path, &format!("`{name}` is no argument here"), help);
            return;
        }
        let (Some(key), true) = (path.get_ident(), known(&flag)) else {
            let keys: Vec<String> = keys().map(|flag| flag.replace('-', "_")).collect();
            faults.add(
                path,
                &format!("`{name}` is not known"),
                &format!("the keys are {}", keys.join(", ")),
            );
            return;
        };
        if self.0.iter().any(|(given, _)| *given == flag) {
            faults.add(
                path,
                &format!("`{name}` is given twice"),
                "keep one of them",
            );
            return;
        }
        let value = match argument {
            Meta::NameValue(pair) => text(&pair.value),
            _ => None,
        };
        let Some(value) = value else {
            faults.add(
                argument,
                &format!("`{name}` needs a number or a string"),
                &format!("write {name} = 8 or {name} = \"…\""),
            );
            return;
        };
        self.0.push((flag, key.clone()));
        if let Err(problem) = spec.set(&name, &value) {
            faults.add(
                argument,
                &format!("{name}: {}", problem.message),
                &problem.help,
            );
        }
    }
}

/// What a value says as text: `16` and `"16"` are the same.
fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) if number.suffix().is_empty() => {
                Some(number.base10_digits().to_owned())
            }
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        // A literal that comes from a declarative macro's argument.
        Expr::Group(group) => text(&group.expr),
        _ => None,
    }
}

/// Flags that are keys of an attribute.
fn keys() -> impl Iterator<Item = &'static str> {
    let flags = Spec::default().settings().into_iter().map(|(flag, _)| flag);
    flags.filter(|flag| refusal(flag).is_none())
}

fn known(flag: &str) -> bool {
    keys().any(|key| key == flag)
}

/// For a flag that is no key: what to do instead.
fn refusal(flag: &str) -> Option<&'static str> {
    Some(match flag {
        "op" => {
            "the attribute's name says it: #[memcpy_variant], #[memmove_variant] or #[memset_variant]"
        }
        "symbol" => {
            "the function's name is the routine's; #[unsafe(export_name = \"…\")] gives it another symbol"
        }
        "emit" => "an attribute always makes a naked function; the memgen command writes files",
        "dialect" | "spdx" | "pi-alias" => {
            "it belongs to files, which the memgen command writes; leave it out"
        }
        _ => return None,
    })
}
