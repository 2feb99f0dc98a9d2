//! The code of a few small specs, chosen to differ: a changed line of the generator shows here as a readable diff. Files in
//! generated/ are not pinned again.

mod support;

use memgen::{Plan, generate, listing, lower};
use support::spec;

macro_rules! code {
    ($($name:ident: $flags:literal,)+) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(generate(&spec($flags)).unwrap());
        })+
    };
}

code! {
    loops_with_two_registers: "--xlen 32 --unroll 3 --regs 2 --small loop",
    jump_without_over_read: "--xlen 32 --unroll 2 --overread none --small jump",
    backward_merge: "--op memmove --xlen 32 --unroll 2 --small loop",
    native_both_ways: "--op memmove --unroll 2 --misaligned fast",
    half_words: "--word 2 --unroll 2 --small loop --overread none",
    bytes_where_not_co_aligned: "--unroll 2 --unaligned bytes",
    native_fill: "--op memset --unroll 2 --misaligned fast --section .text.memset",
    linux_jump: "--op memset --xlen 32 --unroll 2 --dialect linux --small jump --pi-alias",
    frame_and_unwinding: "--xlen 32 --unroll 12 --regs 12 --small loop --unaligned bytes",
    packed_fill_by_cache_blocks: "--op memset --isa rv64i_zbkb_zicboz --zero-block 64 --unroll 1 --small loop",
    few_registers: "--isa rv32e --unroll 2 --small loop",
    prefetch: "--isa rv64i_zicbop --prefetch 256 --unroll 2 --small loop --unaligned bytes",
    naked: "--op memset --unroll 2 --emit rust-asm --small loop --spdx MIT --section .text.fill",
}

#[test]
fn instructions() {
    let program =
        lower(&Plan::new(&spec("--op memset --xlen 32 --unroll 1 --small jump")).unwrap());
    insta::assert_snapshot!(listing(&program));
}

/// Every register that is read was written or is an argument, and nothing follows a jump without a label.
#[test]
fn no_undefined_register_and_no_dead_instruction() {
    for op in ["memcpy", "memmove", "memset"] {
        for xlen in [32, 64] {
            for shape in [
                "",
                "--small loop",
                "--small jump",
                "--misaligned fast",
                "--word 1",
                "--word 2",
                "--misaligned fast --small loop",
                "--unroll 1",
                "--unroll 3",
            ] {
                let flags = format!("--op {op} --xlen {xlen} {shape}");
                let program = lower(&Plan::new(&spec(&flags)).unwrap());
                let arguments = ["a0", "a1", "a2"]
                    .into_iter()
                    .filter_map(memgen::Reg::from_name)
                    .collect();
                assert!(
                    program.reads_undefined(arguments).is_empty(),
                    "{flags}: {}",
                    program.reads_undefined(arguments)
                );
                assert_eq!(program.unreachable().next(), None, "{flags}");
            }
        }
    }
}
