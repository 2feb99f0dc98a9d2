//! The declaration under the attribute, and the one signature that the calling convention allows it.

use memgen::Op;
use proc_macro2::{Group, Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, FnArg, Pat, ReturnType, Safety, Signature, Token, Visibility, parse_quote, token,
};

use crate::arguments::Faults;

/// A function without a body, or with one that is not wanted.
pub(crate) struct Declaration {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: Option<Group>,
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body = if input.peek(token::Brace) {
            Some(input.parse()?)
        } else {
            input.parse::<Token![;]>()?;
            None
        };
        Ok(Declaration {
            attributes,
            visibility,
            signature,
            body,
        })
    }
}

impl Declaration {
    /// The signature with a name for each parameter, and these names; one that is declared as `_` gets the usual name.
    pub(crate) fn named(&self, op: Op) -> (Signature, Vec<Ident>) {
        let mut signature = self.signature.clone();
        let mut names = Vec::new();
        for (input, (usual, _)) in signature.inputs.iter_mut().zip(parameters(op)) {
            let FnArg::Typed(typed) = input else { continue };
            match &*typed.pat {
                Pat::Ident(named) => names.push(named.ident.clone()),
                _ => {
                    let name = format_ident!("{usual}");
                    typed.pat = parse_quote!(#name);
                    names.push(name);
                }
            }
        }
        (signature, names)
    }
}

/// The parameters of a routine: usual name and type.
pub(crate) fn parameters(op: Op) -> [(&'static str, &'static str); 3] {
    let second = match op {
        Op::Memset => ("c", "i32"),
        _ => ("src", "*const u8"),
    };
    [("dst", "*mut u8"), second, ("n", "usize")]
}

/// How a function `name` is declared.
pub(crate) fn example(op: Op, name: &str) -> String {
    let list = parameters(op).map(|(name, ty)| format!("{name}: {ty}"));
    let list = list.join(", ");
    format!("declare it as `unsafe extern \"C\" fn {name}({list}) -> *mut u8;`")
}

/// Checks that `declaration` is what the routine's assembly implements: argument registers, result, convention.
pub(crate) fn check(op: Op, declaration: &Declaration, faults: &mut Faults) {
    let signature = &declaration.signature;
    let help = example(op, &signature.ident.to_string());
    if let Some(body) = &declaration.body {
        faults.add(body, "the attribute writes the body", &help);
    }
    check_qualifiers(signature, &help, faults);
    check_parameters(signature, &parameters(op), &help, faults);
    match &signature.output {
        ReturnType::Type(_, result) if same(result, "*mut u8") => {}
        ReturnType::Type(_, result) => faults.add(result, "the result is `*mut u8`", &help),
        ReturnType::Default => {
            faults.add(&signature.ident, "the result is missing, `*mut u8`", &help)
        }
    }
}

/// `unsafe`, `extern "C"`, and nothing else.
fn check_qualifiers(signature: &Signature, help: &str, faults: &mut Faults) {
    if !matches!(signature.safety, Safety::Unsafe(_)) {
        faults.add(signature.fn_token, "`unsafe` is missing", help);
    }
    match &signature.abi {
        None => faults.add(signature.fn_token, "`extern \"C\"` is missing", help),
        Some(abi) => {
            if abi.name.as_ref().is_some_and(|name| name.value() != "C") {
                faults.add(abi, "the calling convention is `extern \"C\"`", help);
            }
        }
    }
    let generics = &signature.generics;
    let refused: [(TokenStream, &str); 5] = [
        (
            signature.constness.to_token_stream(),
            "assembly cannot be `const`",
        ),
        (
            signature.asyncness.to_token_stream(),
            "assembly cannot be `async`",
        ),
        (quote!(#generics), "there is nothing to be generic over"),
        (
            generics.where_clause.to_token_stream(),
            "there is nothing to be generic over",
        ),
        (
            signature.variadic.to_token_stream(),
            "the parameters are fixed",
        ),
    ];
    for (tokens, message) in refused {
        if !tokens.is_empty() {
            faults.add(tokens, message, help);
        }
    }
}

fn check_parameters(
    signature: &Signature,
    wanted: &[(&str, &str)],
    help: &str,
    faults: &mut Faults,
) {
    let inputs = &signature.inputs;
    if inputs.len() != wanted.len() {
        let message = format!("{} parameters, not {}", wanted.len(), inputs.len());
        match inputs.is_empty() {
            true => faults.add_at(signature.paren_token.span.join(), &message, help),
            false => faults.add(inputs, &message, help),
        }
        return;
    }
    for (input, (name, ty)) in inputs.iter().zip(wanted) {
        match input {
            FnArg::Typed(typed) if same(&typed.ty, ty) => {}
            FnArg::Typed(typed) => {
                faults.add(&typed.ty, &format!("`{name}` is of type `{ty}`"), help);
            }
            FnArg::Receiver(receiver) => {
                faults.add(receiver, &format!("`{name}: {ty}` comes first"), help);
            }
        }
    }
}

/// Whether a type is spelled `wanted`, whatever the blanks between its tokens.
fn same(ty: &impl ToTokens, wanted: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    plain(&ty.to_token_stream().to_string()) == plain(wanted)
}
