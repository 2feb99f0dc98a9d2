//! From an attribute and a declaration to a naked function.

use memgen::{Emit, Op, Plan, Problems, Spec};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Block, Item};

use crate::arguments::{Arguments, Faults};
use crate::signature::{Declaration, check};

/// The function that `item` declares with the body that `arguments` ask for, or everything that is wrong.
pub(crate) fn expand(op: Op, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let declaration: Declaration = match syn::parse2(item.clone()) {
        Ok(declaration) => declaration,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#error #item);
        }
    };
    let name = &declaration.signature.ident;
    let mut faults = Faults::default();
    let mut spec = Spec {
        op,
        emit: Emit::RustAsm,
        symbol: Some(name.to_string()),
        ..Spec::default()
    };
    let arguments = Arguments::read(arguments, &mut spec, &mut faults);
    check(op, &declaration, &mut faults);
    let kernel = Kernel::new(&spec);
    if let Err(problems) = &kernel {
        report(problems, &arguments, &declaration, &mut faults);
    }
    match (kernel, faults.into_tokens()) {
        (Ok(kernel), None) => function(&declaration, &spec, &kernel),
        (_, errors) => {
            let stub = stub(&declaration);
            quote!(#errors #stub)
        }
    }
}

/// What memgen writes for a Spec, as far as the expansion needs it.
struct Kernel {
    /// Base of the ISA: `rv64i`.
    base: String,
    /// The value of `target_arch` that the assembly is for.
    arch: String,
    body: Block,
}

impl Kernel {
    fn new(spec: &Spec) -> Result<Kernel, Problems> {
        let text = memgen::generate(spec)?;
        let plan = Plan::new(spec)?;
        let file = syn::parse_file(&text).expect("memgen writes Rust");
        let body = file.items.into_iter().find_map(|item| match item {
            Item::Fn(function) => Some(*function.block),
            _ => None,
        });
        Ok(Kernel {
            base: plan.isa().base(),
            arch: format!("riscv{}", plan.isa().xlen),
            body: body.expect("memgen writes a function"),
        })
    }
}

/// Puts each problem of the plan at the argument it is about.
fn report(
    problems: &Problems,
    arguments: &Arguments,
    declaration: &Declaration,
    faults: &mut Faults,
) {
    for problem in problems.iter() {
        let message = with_keys(&problem.message);
        match problem.flag {
            // The one setting that is not an argument.
            "symbol" => faults.add(
                &declaration.signature.ident,
                &message,
                "give the function another name",
            ),
            flag => faults.add_at(
                arguments.span(flag),
                &format!("{}: {message}", flag.replace('-', "_")),
                &with_keys(&problem.help),
            ),
        }
    }
}

/// `text` with the flags of the command named as the keys of an attribute.
fn with_keys(text: &str) -> String {
    let settings = Spec::default().settings();
    settings.iter().fold(text.to_owned(), |text, (flag, _)| {
        text.replace(
            &format!("--{flag}"),
            &format!("`{}`", flag.replace('-', "_")),
        )
    })
}

/// The naked function for its target; for any other, the reason why there is none.
fn function(declaration: &Declaration, spec: &Spec, kernel: &Kernel) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        signature,
        ..
    } = declaration;
    let Kernel { base, arch, body } = kernel;
    let name = &signature.ident;
    let section = spec
        .section
        .iter()
        .map(|section| quote!(#[unsafe(link_section = #section)]));
    let elsewhere = format!(
        "`{name}` holds RISC-V assembly for {base}; compile for {arch}, \
         or put #[cfg(target_arch = \"{arch}\")] on it"
    );
    let elsewhere = quote_spanned!(name.span()=> ::core::compile_error!(#elsewhere););
    let stub = stub(declaration);
    quote! {
        #[cfg(target_arch = #arch)]
        #(#attributes)*
        #[unsafe(naked)]
        #(#section)*
        #visibility #signature #body

        #[cfg(not(target_arch = #arch))]
        #elsewhere

        #[cfg(not(target_arch = #arch))]
        #stub
    }
}

/// The function without its routine, so that an error is not followed by others where it is called.
fn stub(declaration: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        signature,
        ..
    } = declaration;
    quote! {
        #(#attributes)*
        #[allow(unused_variables)]
        #visibility #signature {
            ::core::unimplemented!()
        }
    }
}
