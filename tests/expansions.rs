//! rustc compiles what the attributes expand to for RISC-V, to the machine code of the file that memgen writes and proves.
//!
//! The attributes' own sources are taken in: their crate's tests go without the verifier, which cases compiled as users' crates would
//! otherwise build too.

#[path = "../memgen-macros/src/arguments.rs"]
mod arguments;
#[path = "../memgen-macros/src/expand.rs"]
mod expand;
#[path = "../memgen-macros/src/signature.rs"]
mod signature;
mod support;

use memgen::verify::{Assembler, code_words};
use memgen::{Emit, Plan, generate};
use quote::quote;
use support::spec;

#[test]
fn expansions_compile_to_the_same_code() {
    let copy = quote!(
        pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
    );
    let fill = quote!(
        pub(crate) unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;
    );
    for (flags, item, arguments) in [
        (
            "--unroll 2 --unaligned shift --avoid t6 --symbol fast_copy",
            &copy,
            quote!(emit = "asm", unroll = 2, unaligned = "shift", avoid = "t6"),
        ),
        (
            "--op memmove --unroll 2 --misaligned fast --section .text.fast --symbol fast_copy",
            &copy,
            quote!(unroll = 2, misaligned = "fast", section = ".text.fast"),
        ),
        (
            "--op memset --unroll 2 --isa rv32e --symbol fill",
            &fill,
            quote!(emit = "auto", unroll = 2, isa = "rv32e"),
        ),
    ] {
        let mut spec = spec(flags);
        spec.emit = Emit::RustAsm;
        // A symbol to find the code by; the hint is left to the portable form.
        let item = quote!(#[unsafe(no_mangle)] #[inline(never)] #item);
        let expansion = expand::expand(spec.op, arguments, item).to_string();
        let plan = Plan::new(&spec).expect(flags);
        let [expanded, written] = [expansion, generate(&spec).expect(flags)].map(|text| {
            let object = Assembler::Rustc.assemble(&spec, plan.isa(), &text);
            let object = object.unwrap_or_else(|error| panic!("{flags}: {error}"));
            code_words(&object, plan.symbol(), plan.isa().xlen).expect("the function is there")
        });
        assert_eq!(expanded, written, "{flags}");
        assert!(expanded.len() > 20, "{flags}");
    }
}
