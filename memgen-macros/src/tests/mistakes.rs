//! Every mistake, with its message and its help.

use memgen::Op;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::{declared, parts};
use crate::expand::expand;

/// The messages of a mistake, after making sure that the function still stands.
fn mistakes(op: Op, arguments: TokenStream, item: TokenStream) -> Vec<String> {
    let (functions, messages) = parts(expand(op, arguments, item));
    let [stub] = functions.as_slice() else {
        panic!("one stub, not {}", functions.len());
    };
    let body = stub.block.to_token_stream().to_string();
    assert!(body.contains("unimplemented"), "{body}");
    assert!(!messages.is_empty());
    messages
}

#[test]
fn arguments_are_checked() {
    for (arguments, expected) in [
        (
            quote!(unrol = 16),
            "`unrol` is not known\nhelp: the keys are preset, xlen, isa, shape, word, unroll, shift_unroll, regs, unaligned, \
             misaligned, overread, small, avoid, zero_block, prefetch, emit, section",
        ),
        (
            quote!(unaligned = "shfit"),
            "unaligned: `shfit`: expected one of `auto`, `bytes`, `shift`, `native`\nhelp: leave it out for auto",
        ),
        (
            quote!(word = 4 + 4),
            "`word` needs a number or a string\nhelp: write word = 8 or word = \"…\"",
        ),
        (
            quote!(unroll),
            "`unroll` needs a number or a string\nhelp: write unroll = 8 or unroll = \"…\"",
        ),
        (
            quote!(shift_unroll = 0),
            "shift_unroll: 0 words make no block\nhelp: use 1 or more",
        ),
        (
            quote!(unaligned = "native"),
            "unaligned: native makes misaligned accesses, `misaligned` is none\nhelp: add `misaligned` fast \
             if the hardware does them at full speed, else use `unaligned` shift",
        ),
        (
            quote!(regs = 4, regs = 5),
            "`regs` is given twice\nhelp: keep one of them",
        ),
        (
            quote!(emit = "rust-asm", avoid = "t6"),
            "emit: `rust-asm`: expected one of `auto`, `asm`, `rust`\n\
             help: leave it out for auto: assembly on its target, portable Rust elsewhere",
        ),
        (
            quote!(symbol = "memcpy"),
            "`symbol` is no argument here\nhelp: the function's name is the routine's; \
             #[unsafe(export_name = \"…\")] gives it another symbol",
        ),
    ] {
        assert_eq!(mistakes(Op::Memcpy, arguments, declared()), [expected]);
    }
    for key in ["op", "dialect", "spdx", "pi_alias"] {
        let key = format_ident!("{key}");
        let messages = mistakes(Op::Memcpy, quote!(#key = "x"), declared());
        assert!(
            messages[0].contains("is no argument here\nhelp: "),
            "{messages:?}"
        );
    }
}

/// What only one form can do is said at its argument, with the way out.
#[test]
fn a_form_is_told_what_it_cannot_do() {
    for (arguments, message, elsewhere) in [
        (
            quote!(avoid = "t6"),
            "avoid: which registers portable Rust uses is its compiler's choice",
            true,
        ),
        (
            quote!(emit = "auto", overread = "word"),
            "overread: a load outside the source is undefined behaviour in Rust",
            true,
        ),
        (
            quote!(emit = "rust", prefetch = 64, isa = "rv64i_zicbop"),
            "prefetch: a prefetch is an instruction of RISC-V alone",
            false,
        ),
    ] {
        let mut help = "leave it out, or use `emit = \"asm\"`".to_owned();
        if elsewhere {
            help += "; without `emit`, targets other than RISC-V get portable Rust";
        }
        let messages = mistakes(Op::Memcpy, arguments, declared());
        assert_eq!(messages, [format!("{message}\nhelp: {help}")]);
    }
    // What both forms refuse is said once.
    let messages = mistakes(Op::Memcpy, quote!(word = 3), declared());
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[test]
fn problems_come_all_at_once() {
    let item = quote!(
        fn copy(dst: *mut u8, src: *const u8, n: u32) {}
    );
    let messages = mistakes(Op::Memcpy, quote!(unrol = 1, small = "lop", word = 3), item);
    let expected = [
        "`unrol` is not known",
        "small: `lop`: expected one of",
        "the attribute writes the body",
        "`unsafe` is missing",
        "`extern \"C\"` is missing",
        "`n` is of type `usize`",
        "the result is missing",
        "word: 3 is no access width",
    ];
    assert_eq!(messages.len(), expected.len(), "{messages:#?}");
    for (message, start) in messages.iter().zip(expected) {
        assert!(message.starts_with(start), "{message}");
        assert!(message.contains("\nhelp: "), "{message}");
    }
}

#[test]
fn a_copy_is_no_fill() {
    let copy = declared();
    let fill = quote!(
        unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;
    );
    for (op, item, second) in [
        (Op::Memcpy, &fill, "`src` is of type `*const u8`"),
        (Op::Memmove, &fill, "`src` is of type `*const u8`"),
        (Op::Memset, &copy, "`c` is of type `i32`"),
    ] {
        let messages = mistakes(op, TokenStream::new(), item.clone());
        assert!(messages[0].starts_with(second), "{messages:?}");
    }
}

#[test]
fn declarations_are_checked() {
    let help = "help: declare it as `unsafe extern \"C\" fn f(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;`";
    for (item, expected) in [
        (
            quote!(
                unsafe extern "C" fn f(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
                    dst
                }
            ),
            "the attribute writes the body",
        ),
        (
            quote!(
                unsafe extern "C" fn f(dst: *mut u8, src: *const u8) -> *mut u8;
            ),
            "3 parameters, not 2",
        ),
        (
            quote!(
                unsafe extern "C" fn f() -> *mut u8;
            ),
            "3 parameters, not 0",
        ),
        (
            quote!(
                unsafe extern "C" fn f(dst: *mut u8, src: *mut u8, n: usize) -> *mut u8;
            ),
            "`src` is of type `*const u8`",
        ),
        (
            quote!(
                unsafe extern "C" fn f(dst: *mut u8, src: *const u8, n: usize) -> usize;
            ),
            "the result is `*mut u8`",
        ),
        (
            quote!(
                unsafe extern "system" fn f(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
            ),
            "the calling convention is `extern \"C\"`",
        ),
        (
            quote!(
                unsafe extern "C" fn f<T>(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
            ),
            "there is nothing to be generic over",
        ),
    ] {
        let messages = mistakes(Op::Memcpy, TokenStream::new(), item);
        assert_eq!(messages, [format!("{expected}\n{help}")]);
    }
    let raw = quote!(
        unsafe extern "C" fn r#match(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
    );
    let messages = mistakes(Op::Memcpy, TokenStream::new(), raw);
    assert!(
        messages[0].contains("`r#match` is no symbol"),
        "{messages:?}"
    );
}

#[test]
fn other_items_are_left_alone() {
    let expansion = expand(
        Op::Memcpy,
        TokenStream::new(),
        quote!(
            struct Copy;
        ),
    );
    assert!(
        expansion.to_string().ends_with("struct Copy ;"),
        "{expansion}"
    );
    assert!(
        expansion.to_string().contains("compile_error"),
        "{expansion}"
    );
}
