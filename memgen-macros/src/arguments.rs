//! The attribute's arguments: read into a Spec, with the place of each for what the plan says about it later.

use memgen::{Emit, Spec};
use proc_macro2::{Span, TokenStream};
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

    fn push(&mut self, error: syn::Error) {
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

/// What becomes of a declaration: the key `emit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Assembly where it can be, portable Rust elsewhere.
    Auto,
    /// A naked function that holds assembly.
    Asm,
    /// Portable Rust.
    Rust,
}

impl Form {
    /// The forms of code that it needs, each as the command's `--emit`.
    pub(crate) fn emits(self) -> &'static [Emit] {
        match self {
            Form::Auto => &[Emit::RustAsm, Emit::Rust],
            Form::Asm => &[Emit::RustAsm],
            Form::Rust => &[Emit::Rust],
        }
    }
}

/// What was given.
pub(crate) struct Arguments {
    pub(crate) form: Form,
    /// Each argument under its flag's name.
    given: Vec<(String, Meta)>,
}

impl Arguments {
    /// Reads `tokens` into `spec`, which keeps its own `emit`.
    pub(crate) fn read(tokens: TokenStream, spec: &mut Spec, faults: &mut Faults) -> Arguments {
        let mut arguments = Arguments {
            form: Form::Auto,
            given: Vec::new(),
        };
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        match parser.parse2(tokens) {
            Ok(list) => list
                .iter()
                .for_each(|argument| arguments.read_one(argument, spec, faults)),
            Err(error) => faults.add_at(
                error.span(),
                &format!("not a list of keys and values: {error}"),
                "write key = value, with commas between: unroll = 8, unaligned = \"shift\"",
            ),
        }
        arguments
    }

    /// Notes a problem at the argument for `flag`; at the whole attribute if that was left out.
    pub(crate) fn complain(&self, flag: &str, message: &str, help: &str, faults: &mut Faults) {
        match self.given.iter().find(|(given, _)| given == flag) {
            Some((_, argument)) => faults.add(argument, message, help),
            None => faults.add_at(Span::call_site(), message, help),
        }
    }

    fn read_one(&mut self, argument: &Meta, spec: &mut Spec, faults: &mut Faults) {
        let path = argument.path();
        let name = path.to_token_stream().to_string();
        let flag = name.replace('_', "-");
        if let Some(help) = refusal(&flag) {
            faults.add(path, &format!("`{name}` is no argument here"), help);
            return;
        }
        if !known(&flag) {
            let keys: Vec<String> = keys().map(|flag| flag.replace('-', "_")).collect();
            faults.add(
                path,
                &format!("`{name}` is not known"),
                &format!("the keys are {}", keys.join(", ")),
            );
            return;
        }
        if self.given.iter().any(|(given, _)| *given == flag) {
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
        let outcome = match flag.as_str() {
            "emit" => self.read_form(&value),
            _ => spec
                .set(&name, &value)
                .map_err(|problem| (problem.message, problem.help)),
        };
        if let Err((message, help)) = outcome {
            faults.add(argument, &format!("{name}: {message}"), &help);
        }
        self.given.push((flag, argument.clone()));
    }

    /// Reads the one key whose values are not the flag's. After a slip the form is the one with the fewest problems of its
    /// own, so that none follows from it.
    fn read_form(&mut self, value: &str) -> Result<(), (String, String)> {
        let (form, outcome) = match value {
            "auto" => (Form::Auto, Ok(())),
            "asm" => (Form::Asm, Ok(())),
            "rust" => (Form::Rust, Ok(())),
            _ => {
                let message = format!("`{value}`: expected one of `auto`, `asm`, `rust`");
                let help = "leave it out for auto: assembly on its target, portable Rust elsewhere";
                (Form::Asm, Err((message, help.to_owned())))
            }
        };
        self.form = form;
        outcome
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
        "user" | "fault" | "fault-style" | "fault-table" | "sum" | "linux" => {
            "it is about copies to and from user memory, which the memgen command writes; leave it out"
        }
        "dialect" | "spdx" | "pi-alias" => {
            "it belongs to files, which the memgen command writes; leave it out"
        }
        _ => return None,
    })
}
