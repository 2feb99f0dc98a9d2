//! What is decided, and what is refused: snapshots that no emitted file shows.

mod support;

use memgen::{Plan, generate};
use support::spec;

/// What `--print plan` shows for each of `flags`.
fn shown(flags: &[&str]) -> String {
    let plans: Vec<String> = flags
        .iter()
        .map(|flags| {
            let plan = Plan::new(&spec(flags)).unwrap();
            format!("$ memgen {flags} --print plan\n{plan}")
        })
        .collect();
    plans.join("\n")
}

#[test]
fn plans() {
    insta::assert_snapshot!(shown(&[
        "--shape stepped",
        "--shape stepped --xlen 32",
        "--unroll 3 --regs 2",
        "--overread none --small jump",
        "--shape stepped --op memmove --misaligned fast",
        "--shape stepped --op memset --xlen 32 --unroll 32",
        "--word 2",
        "--shape stepped --isa rv32e",
        "--shape stepped --dialect linux --avoid t6",
        "--regs 20 --unroll 20",
        "--op memset --isa rv64i_zbkb_zicboz --zero-block 64",
        "--isa rv64i_zicbop --prefetch 256 --unroll 4",
    ]));
}

#[test]
fn plans_of_the_presets() {
    insta::assert_snapshot!(shown(&[
        "--op memcpy",
        "--op memmove",
        "--op memset",
        "--preset fastest --op memcpy",
        "--preset fastest --op memmove --xlen 32",
        "--preset fastest --op memset",
        "--preset small --op memcpy",
        "--preset small --op memmove --isa rv32e",
        "--preset small --op memset --xlen 32",
        "--preset fast-misaligned --op memcpy --xlen 32",
        "--preset fast-misaligned --op memmove",
        "--preset fast-misaligned --op memset",
        "--preset zkvm --op memcpy",
        "--preset zkvm --op memset",
        "--preset kernel --op memcpy",
    ]));
}

#[test]
fn plans_for_user_memory() {
    insta::assert_snapshot!(shown(&[
        "--op copy_from_user",
        "--op copy_to_user --preset kernel --user both --linux 5.18",
        "--op copy_to_user --preset small --fault coarse --fault-table fixups --xlen 32",
        "--op copy_from_user --shape stepped --fault-style efault --misaligned fast",
        "--op clear_user --fault at-least-one --dialect linux --linux 5.10 --sum off",
        "--op clear_user --shape stepped --xlen 32",
    ]));
}

#[test]
fn plans_of_portable_kernels() {
    insta::assert_snapshot!(shown(&[
        "--emit rust",
        "--emit rust --op memmove --xlen 32 --unroll 6",
        "--emit rust --op memset",
        "--emit rust --unaligned bytes --unroll 4",
        "--emit rust --preset fast-misaligned",
        "--emit rust --preset small",
        "--emit rust --word 1 --unroll 8",
    ]));
}

/// Where the shape is left open, what stands in the way of the one that would be taken leads to another, and to no refusal.
#[test]
fn a_shape_that_is_left_open_gives_way() {
    for (flags, shape) in [
        ("", "entered"),
        ("--op memset --unroll 3", "entered"),
        ("--preset small", "compact"),
        ("--misaligned fast --unroll 3", "entered"),
        ("--op memmove --preset fastest --avoid t6", "entered"),
        ("--word 4", "stepped"),
        ("--regs 9", "stepped"),
        ("--unroll 3", "stepped"),
        ("--shift-unroll 128 --unroll 128", "stepped"),
        ("--avoid t2", "stepped"),
        ("--avoid a7,t6", "stepped"),
        ("--unaligned bytes", "stepped"),
        ("--overread none", "stepped"),
        ("--small loop", "stepped"),
        ("--isa rv64i_zicbop --prefetch 64", "stepped"),
        ("--op memset --isa rv64i_zicboz --zero-block 64", "stepped"),
        ("--isa rv32e", "stepped"),
        ("--preset small --misaligned fast", "stepped"),
        ("--preset fast-misaligned --small ladder", "stepped"),
    ] {
        let plan = Plan::new(&spec(flags)).unwrap().to_string();
        let line = plan.lines().find(|line| line.starts_with("shape "));
        let decided = line.and_then(|line| line.split_whitespace().last());
        assert_eq!(decided, Some(shape), "{flags}");
    }
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
        "--emit rust --shape entered --overread word --small jump --avoid t6",
        "--emit rust --isa rv64i_zicboz_zicbop --prefetch 64",
        "--emit rust --op memset --isa rv64i_zicboz --zero-block 64",
        "--emit rust --dialect linux --pi-alias --regs 0",
        "--user both --fault exact --fault-style count --fault-table t --sum on --linux 6.1",
        "--op copy_to_user --emit rust",
        "--op copy_to_user --fault-style efault --fault coarse --linux 6.1",
        "--op clear_user --isa rv64i_zicboz --zero-block 64 --dialect linux --pi-alias",
        "--op clear_user --user both --unaligned shift --overread none --shift-unroll 2 --regs 3",
        "--op copy_from_user --dialect linux --linux five --fault-table t",
        "--op copy_from_user --dialect linux --linux 4.19 --unaligned native --misaligned fast",
        "--op copy_from_user --dialect linux --linux 5.10 --user both",
        "--op copy_from_user --fault-table 'a b'",
        "--pi-alias --symbol 9lives --section 'a b' --spdx ''",
        "--shape entered --word 4",
        "--shape entered --regs 1",
        "--shape entered --unroll 3",
        "--shape entered --shift-unroll 128",
        "--shape entered --unroll 256",
        "--shape entered --avoid t2",
        "--shape entered --avoid a7,t6",
        "--shape entered --unaligned bytes",
        "--shape entered --overread none",
        "--shape entered --small jump",
        "--shape entered --isa rv64i_zicbop --prefetch 64",
        "--shape entered --op memset --isa rv64i_zicboz --zero-block 64",
        "--shape entered --op memset --unroll 481",
        "--shape entered --op memmove --isa rv32e",
        "--shape entered --misaligned fast --regs 4",
        "--shape compact --word 4",
        "--shape compact --misaligned fast",
        "--shape compact --op memmove --isa rv32e --unroll 2",
        "--shape compact --preset zkvm --isa rv32e --op memset --zero-block 64 --unroll 0",
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
