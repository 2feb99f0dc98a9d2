//! Expansions as code: their form, their lines, their machine code.

use memgen::verify::{Assembler, code_words};
use memgen::{Emit, Op, Plan, Spec};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::{attributes, declared, parts};
use crate::expand::expand;

#[test]
fn a_declaration_becomes_a_naked_function() {
    let declaration = declared();
    let item = quote!(/** Copies. */ #[inline(never)] #declaration);
    let arguments = quote!(
        unroll = 4,
        xlen = 32,
        avoid = "t6, a7",
        section = ".text.fast"
    );
    let (functions, messages) = parts(expand(Op::Memcpy, arguments, item));
    let [function, elsewhere] = functions.as_slice() else {
        panic!("one for the target, one for others");
    };
    assert_eq!(
        attributes(function),
        [
            "cfg (target_arch = \"riscv32\")",
            "doc = r\" Copies. \"",
            "inline (never)",
            "unsafe (naked)",
            "unsafe (link_section = \".text.fast\")",
        ]
    );
    let written = function.to_token_stream().to_string();
    let declaration = declared().to_string();
    assert!(
        written.contains(declaration.trim_end_matches([' ', ';'])),
        "{written}"
    );

    let body = function.block.to_token_stream().to_string();
    assert!(
        body.starts_with("{ core :: arch :: naked_asm ! ("),
        "{body}"
    );

    assert_eq!(
        messages,
        [
            "`fast_copy` holds RISC-V assembly for rv32i; compile for riscv32, \
          or put #[cfg(target_arch = \"riscv32\")] on it"
        ]
    );
    assert_eq!(
        attributes(elsewhere)[0],
        "cfg (not (target_arch = \"riscv32\"))"
    );
}

/// A Spec for the function `symbol`, and the arguments that ask for it.
fn asked(op: Op, symbol: &str, settings: &[(&str, &str)]) -> (Spec, TokenStream) {
    let mut spec = Spec {
        op,
        emit: Emit::RustAsm,
        symbol: Some(symbol.to_owned()),
        ..Spec::default()
    };
    let mut arguments = TokenStream::new();
    for (key, value) in settings {
        spec.set(key, value).expect(key);
        let key = format_ident!("{key}");
        let value = value
            .parse()
            .map_or_else(|_| Literal::string(value), Literal::u32_unsuffixed);
        arguments.extend(quote!(#key = #value,));
    }
    (spec, arguments)
}

#[test]
fn the_body_is_what_memgen_writes() {
    let (spec, arguments) = asked(Op::Memcpy, "fast_copy", &[("unroll", "4"), ("avoid", "t6")]);
    let expansion = expand(Op::Memcpy, arguments, declared()).to_string();
    let text = memgen::generate(&spec).expect("a good Spec");
    let mut rest = expansion.as_str();
    let mut lines = 0;
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('"'))
    {
        let at = rest.find(line.trim_end_matches(','));
        rest = &rest[at.unwrap_or_else(|| panic!("{line} in {rest}")) + 1..];
        lines += 1;
    }
    assert!(lines > 50, "{text}");
}

/// rustc compiles the expansions for RISC-V, to the machine code of the file that memgen writes and proves.
#[test]
fn expansions_compile_to_the_same_code() {
    let copy = declared();
    let fill = quote!(
        pub(crate) unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;
    );
    for (op, symbol, item, settings) in [
        (
            Op::Memcpy,
            "fast_copy",
            &copy,
            &[("unroll", "2"), ("unaligned", "shift"), ("avoid", "t6")][..],
        ),
        (
            Op::Memmove,
            "fast_copy",
            &copy,
            &[
                ("unroll", "2"),
                ("misaligned", "fast"),
                ("section", ".text.fast"),
            ],
        ),
        (
            Op::Memset,
            "fill",
            &fill,
            &[("unroll", "2"), ("isa", "rv32e")],
        ),
    ] {
        let (spec, arguments) = asked(op, symbol, settings);
        // A symbol to find the code by.
        let expansion = expand(op, arguments, quote!(#[unsafe(no_mangle)] #item)).to_string();
        let file = memgen::generate(&spec).expect("a good Spec");
        let plan = Plan::new(&spec).expect("a good Spec");
        let [expanded, written] = [expansion, file].map(|text| {
            let object = Assembler::Rustc.assemble(&spec, plan.isa(), &text);
            let object = object.unwrap_or_else(|error| panic!("{op}: {error}"));
            code_words(&object, symbol, plan.isa().xlen).expect("the function is in the object")
        });
        assert_eq!(expanded, written, "{op}");
        assert!(expanded.len() > 20, "{op}");
    }
}
