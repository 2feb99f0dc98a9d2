//! From an attribute and a declaration to a function for each target.

use memgen::{Emit, Op, Plan, Problem, Spec};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Item, ItemFn};

use crate::arguments::{Arguments, Faults, Form};
use crate::signature::{Declaration, check, example, parameters};

/// The function that `item` declares with the body that `arguments` ask for, or everything that is wrong.
pub(crate) fn expand(op: Op, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut faults = Faults::default();
    let Ok(declaration) = syn::parse2::<Declaration>(item.clone()) else {
        let message = format!("{op}_variant goes on a function without a body");
        faults.add(&item, &message, &example(op, "fast"));
        let errors = faults.into_tokens();
        return quote!(#errors #item);
    };
    let mut spec = Spec {
        op,
        symbol: Some(declaration.signature.ident.to_string()),
        ..Spec::default()
    };
    let arguments = Arguments::read(arguments, &mut spec, &mut faults);
    check(op, &declaration, &mut faults);
    report(&spec, &arguments, &declaration, &mut faults);
    match faults.into_tokens() {
        None => functions(arguments.form, &declaration, &spec),
        Some(errors) => {
            let stub = stub(&declaration);
            quote!(#errors #stub)
        }
    }
}

/// The function for each target, or the reason why there is none, from a `spec` without problems.
fn functions(form: Form, declaration: &Declaration, spec: &Spec) -> TokenStream {
    let naked_spec = with_emit(spec, Emit::RustAsm);
    let portable_spec = with_emit(spec, Emit::Rust);
    if form == Form::Rust {
        return portable_function(declaration, &portable_spec);
    }
    let plan = Plan::new(&naked_spec).expect("it has no problems");
    let arch = format!("riscv{}", plan.isa().xlen);
    let naked = naked_function(declaration, &naked_spec);
    if form == Form::Auto {
        let portable = portable_function(declaration, &portable_spec);
        // Miri executes no assembly.
        return quote! {
            #[cfg(all(target_arch = #arch, not(miri)))]
            #naked
            #[cfg(not(all(target_arch = #arch, not(miri))))]
            #portable
        };
    }
    let name = &declaration.signature.ident;
    let message = format!(
        "`{name}` holds RISC-V assembly for {}\n\
         help: compile for {arch}, put #[cfg(target_arch = \"{arch}\")] on it, \
         or leave out `emit` for portable Rust on other targets",
        plan.isa().base(),
    );
    let error = quote_spanned!(name.span()=> ::core::compile_error!(#message););
    let stub = stub(declaration);
    quote! {
        #[cfg(target_arch = #arch)]
        #naked
        #[cfg(not(target_arch = #arch))]
        #error
        #[cfg(not(target_arch = #arch))]
        #stub
    }
}

/// `spec` for one form of code.
fn with_emit(spec: &Spec, emit: Emit) -> Spec {
    Spec {
        emit,
        ..spec.clone()
    }
}

/// The function that memgen writes for `spec`, which can be built.
fn written(spec: &Spec) -> ItemFn {
    let text = memgen::generate(spec).expect("its plan could be made");
    let file = syn::parse_file(&text).expect("memgen writes Rust");
    let function = file.items.into_iter().find_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    function.expect("memgen writes a function")
}

/// Puts each problem of the plans at the argument it is about; what several forms have in common, once.
fn report(spec: &Spec, arguments: &Arguments, declaration: &Declaration, faults: &mut Faults) {
    let mut known: Vec<Problem> = Vec::new();
    for &emit in arguments.form.emits() {
        let Err(problems) = Plan::new(&with_emit(spec, emit)) else {
            continue;
        };
        for problem in problems.iter() {
            if known.contains(problem) {
                continue;
            }
            known.push(problem.clone());
            let Problem {
                flag,
                message,
                mut help,
            } = in_keys(problem);
            if (arguments.form, emit) == (Form::Auto, Emit::Rust) {
                help += "; without `emit`, targets other than RISC-V get portable Rust";
            }
            // The one setting that is not an argument.
            if flag == "symbol" {
                let help = "give the function another name";
                faults.add(&declaration.signature.ident, &message, help);
                continue;
            }
            let message = format!("{}: {message}", flag.replace('-', "_"));
            arguments.complain(flag, &message, &help, faults);
        }
    }
}

/// `problem` with the flags of the command named as the keys of an attribute.
fn in_keys(problem: &Problem) -> Problem {
    let form = |text: &str| {
        let asm = text.replace("--emit rust-asm", "`emit = \"asm\"`");
        asm.replace("--emit rust", "`emit = \"rust\"`")
    };
    Problem {
        flag: problem.flag,
        message: form(&problem.message),
        help: form(&problem.help),
    }
    .spelled(|flag| flag.replace('-', "_"))
}

/// The function whose body is assembly.
fn naked_function(declaration: &Declaration, spec: &Spec) -> TokenStream {
    let body = written(spec).block;
    let Declaration {
        attributes,
        visibility,
        signature,
        ..
    } = declaration;
    // What is called by its symbol cannot be inlined, and the compiler refuses the hint.
    let attributes = attributes
        .iter()
        .filter(|attribute| !attribute.path().is_ident("inline"));
    let section = spec
        .section
        .iter()
        .map(|section| quote!(#[unsafe(link_section = #section)]));
    quote! {
        #(#attributes)*
        #[unsafe(naked)]
        #(#section)*
        #visibility #signature #body
    }
}

/// The function whose body is Rust.
fn portable_function(declaration: &Declaration, spec: &Spec) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        ..
    } = declaration;
    let written = written(spec);
    // A function whose section is named already keeps it; else the kernel's own keeps it in one piece.
    let placed = attributes.iter().any(|attribute| {
        attribute
            .to_token_stream()
            .to_string()
            .contains("link_section")
    });
    let taken_over = written.attrs.iter().filter(|attribute| {
        let path = attribute.path();
        path.is_ident("allow") || (path.is_ident("cfg_attr") && !placed)
    });
    // Mach-O names its sections otherwise.
    let section = spec.section.iter().map(
        |section| quote!(#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = #section))]),
    );
    let body = &written.block;
    // The body goes by its own names.
    let (signature, names) = declaration.named(spec.op);
    let own = parameters(spec.op).map(|(name, _)| format_ident!("{name}"));
    quote! {
        #(#attributes)*
        #(#taken_over)*
        #(#section)*
        #visibility #signature {
            let (#(#own),*) = (#(#names),*);
            #body
        }
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
