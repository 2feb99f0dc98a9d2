//! Expansions as code: their form and their lines. `tests/expansions.rs` has their machine code.

use memgen::{Count, Emit, Op, Spec};
use quote::{ToTokens, quote};
use syn::ItemFn;

use super::{attributes, declared, parts};
use crate::expand::expand;

#[test]
fn assembly_becomes_a_naked_function() {
    let declaration = declared();
    let item = quote!(/** Copies. */ #[inline] #declaration);
    let arguments = quote!(
        emit = "asm",
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
            "unsafe (naked)",
            "unsafe (link_section = \".text.fast\")",
        ]
    );
    assert_declared(function);
    let body = function.block.to_token_stream().to_string();
    assert!(
        body.starts_with("{ core :: arch :: naked_asm ! ("),
        "{body}"
    );

    assert_eq!(
        messages,
        ["`fast_copy` holds RISC-V assembly for rv32i\n\
          help: compile for riscv32, put #[cfg(target_arch = \"riscv32\")] on it, \
          or leave out `emit` for portable Rust on other targets"]
    );
    assert_eq!(
        attributes(elsewhere)[0],
        "cfg (not (target_arch = \"riscv32\"))"
    );
}

/// Signature and visibility are those of the declaration.
fn assert_declared(function: &ItemFn) {
    let written = function.to_token_stream().to_string();
    let declaration = declared().to_string();
    assert!(
        written.contains(declaration.trim_end_matches([' ', ';'])),
        "{written}"
    );
}

#[test]
fn every_target_gets_a_function() {
    let declaration = declared();
    let item = quote!(/** Copies. */ #[inline] #declaration);
    let arguments = quote!(unroll = 4, section = ".text.fast");
    let (functions, messages) = parts(expand(Op::Memcpy, arguments, item));
    assert!(messages.is_empty(), "{messages:?}");
    let [naked, portable] = functions.as_slice() else {
        panic!("one for RISC-V, one for others");
    };
    assert_eq!(
        attributes(naked),
        [
            "cfg (all (target_arch = \"riscv64\" , not (miri)))",
            "doc = r\" Copies. \"",
            "unsafe (naked)",
            "unsafe (link_section = \".text.fast\")",
        ]
    );
    let section =
        "cfg_attr (not (target_vendor = \"apple\") , unsafe (link_section = \".text.fast\"))";
    assert_eq!(
        attributes(portable),
        [
            "cfg (not (all (target_arch = \"riscv64\" , not (miri))))",
            "doc = r\" Copies. \"",
            "inline",
            "allow (clippy :: transmute_ptr_to_ref , clippy :: verbose_bit_mask)",
            section,
        ]
    );
    for function in [naked, portable] {
        assert_declared(function);
    }
}

/// Without a section of its own, LLVM could move parts of the kernel to functions that it calls.
#[test]
fn a_kernel_has_a_section_of_its_own_or_the_declared_one() {
    let declaration = declared();
    let sections = |item| {
        let (functions, _) = parts(expand(Op::Memcpy, quote!(emit = "rust"), item));
        let attributes = attributes(&functions[0]).join("\n");
        (
            attributes.matches("link_section").count(),
            attributes.contains(".text.fast_copy"),
        )
    };
    assert_eq!(sections(quote!(#declaration)), (1, true));
    let placed = quote!(#[unsafe(link_section = ".text.hot")] #declaration);
    assert_eq!(sections(placed), (1, false));
}

#[test]
fn portable_rust_is_what_memgen_writes() {
    let item = quote!(
        #[inline]
        unsafe extern "C" fn fill(c: *mut u8, dst: i32, _: usize) -> *mut u8;
    );
    let arguments = quote!(emit = "rust", unroll = 4);
    let (functions, messages) = parts(expand(Op::Memset, arguments, item));
    assert!(messages.is_empty(), "{messages:?}");
    let [function] = functions.as_slice() else {
        panic!("one for every target");
    };
    assert_eq!(attributes(function)[0], "inline");
    let spec = Spec {
        op: Op::Memset,
        emit: Emit::Rust,
        unroll: Count::Exactly(4),
        symbol: Some("fill".to_owned()),
        ..Spec::default()
    };
    let text = memgen::generate(&spec).expect("a good Spec");
    let (written, _) = parts(text.parse().expect("memgen writes Rust"));
    let body = written[0].block.to_token_stream();
    let expected = quote!({
        let (dst, c, n) = (c, dst, n);
        #body
    });
    let expanded = function.block.to_token_stream();
    assert_eq!(expanded.to_string(), expected.to_string());
}

#[test]
fn the_body_is_what_memgen_writes() {
    let spec = Spec {
        emit: Emit::RustAsm,
        unroll: Count::Exactly(4),
        avoid: vec!["t6".to_owned()],
        symbol: Some("fast_copy".to_owned()),
        ..Spec::default()
    };
    let arguments = quote!(emit = "asm", unroll = 4, avoid = "t6");
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
