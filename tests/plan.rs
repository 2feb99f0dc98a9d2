//! What is decided, and what is refused: snapshots that no emitted file shows.

mod support;

use memgen::{Plan, generate};
use support::spec;

#[test]
fn plans() {
    let plans: Vec<String> = [
        "",
        "--xlen 32",
        "--unroll 3 --regs 2",
        "--overread none --small jump",
        "--op memmove --misaligned fast",
        "--op memset --xlen 32 --unroll 32",
        "--word 2",
        "--isa rv32e",
        "--dialect linux --avoid t6",
        "--regs 20 --unroll 20",
        "--op memset --isa rv64i_zbkb_zicboz --zero-block 64",
        "--isa rv64i_zicbop --prefetch 256 --unroll 4",
    ]
    .iter()
    .map(|flags| {
        format!(
            "$ memgen {flags} --print plan\n{}",
            Plan::new(&spec(flags)).unwrap()
        )
    })
    .collect();
    insta::assert_snapshot!(plans.join("\n"));
}

/// Each with all its problems at once.
#[test]
fn refused() {
    let problems: Vec<String> = [
        "--word 8 --xlen 32",
        "--unaligned native",
        "--regs 0",
        "--regs 40 --xlen 32",
        "--unroll 300",
        "--unroll 0 --shift-unroll 1000",
        "--isa rv32imac --xlen 64",
        "--isa rv64imx_zbb_zfoo",
        "--isa armv8",
        "--xlen 128",
        "--word 3",
        "--avoid t7,a0,t6",
        "--avoid a3,a4,a5,a6,a7,t0,t1,t2,t3,t4",
        "--isa rv32e --unaligned shift --avoid a5",
        "--small jump --avoid t2",
        "--op memset --unaligned shift --overread none --shift-unroll 2 --regs 3",
        "--zero-block 48 --prefetch 33",
        "--op memset --isa rv64i_zicboz_zicbop --zero-block 4096 --prefetch 4096",
        "--dialect linux --emit rust-asm --section .text.x",
        "--pi-alias --symbol 9lives --section 'a b' --spdx ''",
        "--unroll 999 --word 16 --regs 0 --isa rv64iq --unaligned native --avoid r1 --symbol -",
    ]
    .iter()
    .map(|flags| {
        let refused = generate(&spec(flags)).expect_err(flags);
        format!("$ memgen {flags}\n{refused}")
    })
    .collect();
    insta::assert_snapshot!(problems.join("\n"));
}
