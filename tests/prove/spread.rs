//! A spread of the specification space, each point with full effort.

use std::time::Instant;

use super::effort::Proven;

/// Stepped code that differs, for memcpy and memset on both register widths, with full effort. memmove, whose distances take longest,
/// has its published variants above, and every point that the walk over the space meets.
const STEPPED: [&str; 26] = [
    "--unroll 1",
    "--unroll 3",
    "--unroll 5 --regs 2",
    "--unroll 2 --regs 1",
    "--unroll 2 --small loop",
    "--unroll 2 --small jump",
    "--unroll 4 --overread none",
    "--unroll 3 --overread none --small loop",
    "--unroll 2 --overread none --small jump",
    "--unroll 2 --unaligned bytes",
    "--unroll 2 --unaligned bytes --small loop",
    "--unroll 2 --unaligned bytes --small jump",
    "--unroll 2 --misaligned fast",
    "--unroll 3 --misaligned fast --small loop",
    "--unroll 2 --misaligned fast --small jump",
    "--unroll 2 --misaligned fast --unaligned shift",
    "--unroll 2 --word 4",
    "--unroll 4 --word 4 --overread none",
    "--unroll 4 --word 2",
    "--unroll 4 --word 2 --overread none --small jump",
    "--unroll 8 --word 1",
    "--unroll 3 --word 1 --small jump",
    "--unroll 2 --word 2 --misaligned fast",
    "--unroll 7 --shift-unroll 5 --avoid t6,t5",
    "--unroll 2 --symbol a_name --section .text.hot",
    "--unroll 2 --dialect linux --pi-alias --small jump",
];

#[test]
fn a_spread_of_stepped_code() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for op in ["memcpy", "memset"] {
        for xlen in [64, 32] {
            for shape in STEPPED {
                let flags = format!("--op {op} --xlen {xlen} --shape stepped {shape}");
                let about_a_source = ["overread", "unaligned bytes", "shift", "regs"];
                if op == "memset" && about_a_source.iter().any(|word| shape.contains(word)) {
                    continue;
                }
                proven.prove_flags(&flags);
            }
        }
    }
    proven.count("a spread of stepped code", started);
}

/// Extensions meet in a fill: packed, multiplied or shifted words, or no word at all, before blocks cleared at once.
#[test]
fn fills_by_cache_blocks() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for isa in [
        "rv64i_zicboz",
        "rv64im_zicboz",
        "rv64i_zbkb_zicboz",
        "rv32i_zbkb_zicboz",
    ] {
        for word in [8, 4, 2, 1] {
            for shape in ["", "--small jump", "--misaligned fast --small loop"] {
                let flags =
                    format!("--op memset --isa {isa} --word {word} --zero-block 32 {shape}");
                if word == 8 && isa.starts_with("rv32") {
                    continue;
                }
                proven.prove_flags(&flags);
            }
        }
    }
    proven.count("fills by cache blocks", started);
}

/// Code with computed jumps, loops alone, overlapping words. Short blocks show the most of it in the fewest cases; the presets as
/// they are have their published files.
const OTHERS: [&str; 15] = [
    "--unroll 1",
    "--unroll 2 --shift-unroll 1",
    "--unroll 4 --shift-unroll 2",
    "--unroll 2 --shift-unroll 16",
    "--unroll 64 --shift-unroll 4",
    "--unroll 2 --avoid a7",
    "--preset zkvm",
    "--preset kernel",
    "--preset fastest --unroll 1",
    "--preset fastest --unroll 4 --avoid a7",
    "--preset fastest --unroll 16 --avoid t6",
    "--preset small --unroll 2 --shift-unroll 1",
    "--shape compact --unroll 16 --shift-unroll 4 --avoid a7,t6",
    "--preset fast-misaligned --unroll 1",
    "--misaligned fast --unroll 5 --avoid t6",
];

#[test]
fn a_spread_of_other_shapes() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for xlen in [64, 32] {
        for shape in OTHERS {
            proven.prove_flags(&format!("--op memcpy --xlen {xlen} {shape}"));
            if !shape.contains("shift-unroll") {
                proven.prove_flags(&format!("--op memset --xlen {xlen} {shape}"));
            }
        }
    }
    proven.count("a spread of other shapes", started);
}

/// The same for memmove, whose distances take longest: mostly on RV32, whose residues are fewer.
const MOVES: [(u32, &str); 10] = [
    (64, "--unroll 1"),
    (32, "--unroll 2 --shift-unroll 4"),
    (32, "--unroll 4 --shift-unroll 1 --avoid a7"),
    (32, "--preset kernel --unroll 8 --shift-unroll 16"),
    (32, "--preset fastest --unroll 2"),
    (64, "--preset fastest --unroll 4 --avoid t6"),
    (32, "--preset small --unroll 4"),
    (32, "--shape compact --shift-unroll 2"),
    (32, "--preset fast-misaligned --unroll 1"),
    (64, "--misaligned fast --unroll 3 --avoid t6"),
];

#[test]
fn a_spread_of_moves() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for (xlen, shape) in MOVES {
        proven.prove_flags(&format!("--op memmove --xlen {xlen} {shape}"));
    }
    proven.count("a spread of moves", started);
}

/// Extensions and small register files, where the shape is left open.
#[test]
fn a_spread_of_bases() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for isa in ["rv64i_zbkb", "rv32i_zbkb", "rv32im", "rv32e", "rv64e"] {
        for shape in ["--unroll 2", "--preset small"] {
            proven.prove_flags(&format!("--op memset --isa {isa} {shape}"));
        }
        proven.prove_flags(&format!("--op memset --isa {isa} --preset fastest"));
        proven.prove_flags(&format!("--op memcpy --isa {isa} --unroll 2"));
    }
    proven.prove_flags("--op memcpy --isa rv32e --preset small");
    proven.prove_flags("--op memmove --isa rv32e --unroll 2");
    proven.count("a spread of bases", started);
}

/// What touches user memory: every strength, shape and way to write the table.
const USER: [&str; 26] = [
    "--op copy_from_user --unroll 4",
    "--op copy_to_user --unroll 4 --fault at-least-one",
    "--op copy_from_user --unroll 2 --shift-unroll 1 --fault coarse",
    "--op copy_to_user --unroll 2 --fault-style efault",
    "--op copy_from_user --user both --unroll 4",
    "--op copy_to_user --user both --shape stepped --fault at-least-one",
    "--op copy_from_user --dialect linux --unroll 4",
    "--op copy_to_user --dialect linux --linux 5.10 --unroll 4",
    "--op clear_user --dialect linux --linux 5.10",
    "--op copy_from_user --emit rust-asm --unroll 4",
    "--op copy_to_user --emit rust-asm --fault-table my_table --unroll 4",
    "--op copy_from_user --preset fastest --unroll 4",
    "--op copy_from_user --shape stepped",
    "--op copy_to_user --shape stepped --unroll 3 --regs 1 --fault coarse",
    "--op copy_from_user --shape stepped --unaligned bytes --unroll 2",
    "--op copy_to_user --shape stepped --small loop --unroll 2",
    "--op copy_from_user --shape stepped --small jump --overread none --unroll 2",
    "--op copy_to_user --shape stepped --word 4 --sum on --unroll 2",
    "--op copy_from_user --shape stepped --word 2 --unroll 4",
    "--op copy_to_user --shape stepped --word 1 --unroll 4",
    "--op clear_user",
    "--op clear_user --fault at-least-one --unroll 4",
    "--op clear_user --fault coarse --sum on --unroll 4",
    "--op clear_user --fault-style efault --shape stepped",
    "--op clear_user --shape stepped --small loop --unroll 3",
    "--op clear_user --shape stepped --word 4 --small jump",
];

#[test]
fn a_spread_of_user_copies() {
    let started = Instant::now();
    let mut proven = Proven::default();
    for (number, flags) in USER.iter().enumerate() {
        proven.prove_flags(&format!("{flags} --xlen 32"));
        // Of the wider registers, which have four times the pairs of residues, some.
        if number % 5 == 0 || super::effort::all() {
            proven.prove_flags(&format!("{flags} --xlen 64"));
        }
    }
    proven.count("a spread of user copies", started);
}
