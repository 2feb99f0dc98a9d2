//! The code of a few small specs, chosen to differ: a changed line of the generator shows here as a readable diff. Files in
//! generated/ are not pinned again.

#[allow(
    dead_code,
    reason = "routines of other arguments than a copy's are followed too"
)]
#[path = "mutants/follow.rs"]
mod follow;
mod support;
#[allow(dead_code, reason = "where control goes is all that is asked here")]
#[path = "mutants/word.rs"]
mod word;

use std::collections::BTreeMap;

use follow::landings_of;
use memgen::verify::{Assembler, code_words};
use memgen::{Dialect, Inst, Item, Op, Plan, Program, Reg, Spec, Sum, generate, listing, lower};
use rayon::prelude::*;
use support::spec;
use word::take_apart;

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
    native_both_ways: "--op memmove --shape stepped --unroll 2 --misaligned fast",
    half_words: "--word 2 --unroll 2 --small loop --overread none",
    bytes_where_not_co_aligned: "--unroll 2 --unaligned bytes",
    native_fill: "--op memset --shape stepped --unroll 2 --misaligned fast --section .text.memset",
    linux_jump: "--op memset --xlen 32 --unroll 2 --dialect linux --small jump --pi-alias",
    frame_and_unwinding: "--xlen 32 --unroll 12 --regs 12 --small loop --unaligned bytes",
    packed_fill_by_cache_blocks: "--op memset --isa rv64i_zbkb_zicboz --zero-block 64 --unroll 1 --small loop",
    few_registers: "--isa rv32e --unroll 2 --small loop",
    prefetch: "--isa rv64i_zicbop --prefetch 256 --unroll 2 --small loop --unaligned bytes",
    entered_without_an_anchor: "--xlen 32 --unroll 1 --shift-unroll 1 --avoid t6",
    entered_fill: "--op memset --xlen 32 --unroll 2",
    compact_blocks: "--xlen 32 --unroll 4 --shift-unroll 2 --shape compact",
    overlap_both_ways: "--op memmove --xlen 32 --unroll 3 --preset fast-misaligned",
    overlap_fill: "--op memset --unroll 2 --preset fast-misaligned",
    naked: "--op memset --unroll 2 --emit rust-asm --small loop --spdx MIT --section .text.fill",
}

#[test]
fn instructions() {
    let program =
        lower(&Plan::new(&spec("--op memset --xlen 32 --unroll 1 --small jump")).unwrap());
    insta::assert_snapshot!(listing(&program));
}

/// Stepped code, by what changes its course.
const STEPPED: [&str; 9] = [
    "",
    "--small loop",
    "--small jump",
    "--misaligned fast",
    "--word 1",
    "--word 2",
    "--misaligned fast --small loop",
    "--unroll 1",
    "--unroll 3",
];

/// Other shapes: computed jumps, loops alone, overlapping words.
const OTHERS: [&str; 12] = [
    "",
    "--unroll 8",
    "--unroll 64",
    "--avoid t6",
    "--avoid a7",
    "--preset fastest",
    "--preset fastest --unroll 16 --avoid a7",
    "--preset kernel",
    "--preset small",
    "--preset small --unroll 4",
    "--preset fast-misaligned",
    "--preset fast-misaligned --unroll 5",
];

/// The same where blocks are shorter than the small sizes, and a guest's fill, which multiplies.
const SHORT_BLOCKS: [&str; 4] = [
    "--unroll 1",
    "--preset fastest --unroll 2",
    "--preset fast-misaligned --unroll 1",
    "--preset zkvm",
];

/// All but copy_to_user: its instructions are those of copy_from_user, other ones of them may fault.
const OPS: [Op; 5] = [
    Op::Memcpy,
    Op::Memmove,
    Op::Memset,
    Op::CopyFromUser,
    Op::ClearUser,
];

/// Every operation in these shapes.
fn specs(xlen: u32, shapes: &[&str], ahead: &str) -> Vec<Spec> {
    let mut all = Vec::new();
    for op in OPS {
        let flags = shapes
            .iter()
            .map(|shape| format!("--op {op} --xlen {xlen} {ahead} {shape}"));
        all.extend(flags.map(|flags| spec(&flags)));
    }
    all
}

/// The same on either register width.
fn both_widths(shapes: &[&str], ahead: &str) -> Vec<Spec> {
    [specs(64, shapes, ahead), specs(32, shapes, ahead)].concat()
}

/// Every register that is read was written or is an argument.
#[test]
fn no_undefined_register() {
    let stepped = both_widths(&STEPPED, "--shape stepped");
    let others = both_widths(&OTHERS, "");
    let short = both_widths(&SHORT_BLOCKS, "");
    for asked in [stepped, others, short].concat() {
        let count = if asked.op == Op::ClearUser { 2 } else { 3 };
        let arguments = ["a0", "a1", "a2"].into_iter().take(count);
        let arguments = arguments.filter_map(Reg::from_name).collect();
        let undefined = lower(&Plan::new(&asked).unwrap()).reads_undefined(arguments);
        assert!(
            undefined.is_empty(),
            "{}: {undefined}",
            asked.command_line()
        );
    }
}

/// Nothing follows a jump without a label.
#[test]
fn no_dead_instruction_in_stepped_code() {
    for asked in both_widths(&STEPPED, "--shape stepped") {
        let program = lower(&Plan::new(&asked).unwrap());
        assert_eq!(
            program.unreachable().next(),
            None,
            "{}",
            asked.command_line()
        );
    }
}

/// The same instructions in a frame that takes no macros of the kernel's for its exception table.
fn without_kernel_macros(asked: Spec) -> Spec {
    match asked.op.touches_user() && asked.frame() == Dialect::Linux {
        true => Spec {
            dialect: Some(Dialect::Gnu),
            sum: Some(Sum::On),
            ..asked
        },
        false => asked,
    }
}

/// Where execution goes on after faults, in words from the start.
fn recoveries(program: &Program) -> Vec<usize> {
    let (mut places, mut bytes) = (BTreeMap::new(), 0);
    for item in program.items() {
        match item {
            Item::Label(label) => {
                places.insert(*label, bytes);
            }
            Item::Inst(_) => bytes += 4,
            Item::Slot { start, bytes: slot } => bytes = bytes.max(places[start] + slot),
            Item::Comment(_) | Item::Unwind(_) => {}
        }
    }
    let labels = program.instructions().filter_map(Inst::recovery);
    labels
        .map(|label| places[&label].unsigned_abs() as usize / 4)
        .collect()
}

/// Whether some way leads to each word from the first one or from one of `recoveries` on.
fn reached(words: &[u32], plan: &Plan, recoveries: Vec<usize>) -> Vec<bool> {
    let xlen = plan.isa().xlen;
    let code: Vec<_> = words.iter().map(|word| take_apart(*word, xlen)).collect();
    let landings = landings_of(&code, xlen, |dst, src, n| match plan.op() {
        Op::ClearUser => [dst, n, src],
        _ => [dst, src, n],
    });
    let (mut reached, mut open) = (vec![false; code.len()], recoveries);
    open.push(0);
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let inst = code[at];
        if inst.is_branch() || inst.name == "jal" {
            open.push((at as i64 + inst.imm / 4) as usize);
        }
        open.extend(landings.get(&at).into_iter().flatten());
        if !["jal", "jalr"].contains(&inst.name) {
            open.push(at + 1);
        }
    }
    reached
}

/// Where computed jumps lead no label tells: calls of many sizes are followed through the machine code, and some way leads to each
/// word of it but the zeros that fill up a slot.
#[test]
fn no_dead_instruction_in_other_shapes() {
    // RV64 has four times as many pairs of residues, which takes its time.
    let few = ["", "--preset small", "--preset fast-misaligned"];
    let dead: Vec<String> = [specs(32, &OTHERS, ""), specs(64, &few, "")]
        .concat()
        .into_par_iter()
        .filter_map(|asked| {
            let asked = without_kernel_macros(asked);
            let plan = Plan::new(&asked).unwrap();
            let xlen = plan.isa().xlen;
            let text = generate(&asked).unwrap();
            let object = Assembler::Rustc.assemble(&asked, plan.isa(), &text);
            let words = code_words(&object.unwrap(), plan.symbol(), xlen).unwrap();
            let reached = reached(&words, &plan, recoveries(&lower(&plan)));
            let dead = (0..words.len()).filter(|at| (words[*at] != 0) != reached[*at]);
            let dead: Vec<String> = dead.map(|at| format!("{:#x}", 4 * at)).collect();
            (!dead.is_empty()).then(|| format!("{}: {}", asked.command_line(), dead.join(", ")))
        })
        .collect();
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}
