//! What faults cost a user copy that meets none: nothing in a block; and what SUM costs: its own instructions.

mod support;

use memgen::{ImmOp, Inst, Plan, Spec, lower};
use support::spec;

const SHAPES: [&str; 7] = [
    "",
    "--preset fastest",
    "--preset small",
    "--shape stepped",
    "--shape stepped --unroll 3 --shift-unroll 5",
    "--shape stepped --regs 20 --unroll 20",
    "--shape stepped --unaligned bytes --small jump",
];

/// Each user copy with its shapes, on either register width.
fn all() -> impl Iterator<Item = (&'static str, String)> {
    ["copy_to_user", "copy_from_user", "clear_user"]
        .into_iter()
        .flat_map(|op| [64, 32].map(|xlen| (op, xlen)))
        .flat_map(|(op, xlen)| {
            let fits = move |shape: &&str| {
                op != "clear_user"
                    || !["--regs", "--shift", "bytes"]
                        .iter()
                        .any(|flag| shape.contains(flag))
            };
            SHAPES
                .into_iter()
                .filter(fits)
                .map(move |shape| (op, format!("--xlen {xlen} {shape}")))
        })
}

/// Instructions that the bound on work adds for each mebibyte: those of the loops that run through a whole block.
fn insts_a_mebibyte(spec: &Spec) -> u64 {
    let bound = lower(&Plan::new(spec).unwrap()).work_bound();
    bound.instructions(2 << 20) - bound.instructions(1 << 20)
}

/// The same flags for the routine that meets no faults; blocks of the same length, where a preset would choose another.
fn without_faults(op: &str, flags: &str) -> (Spec, Spec) {
    let unrolls = match (flags.contains("unroll"), flags.contains("small"), op) {
        (true, ..) | (_, true, _) => "",
        (.., "clear_user") => "--unroll 32",
        _ => "--unroll 16 --shift-unroll 8",
    };
    let plain = if op == "clear_user" {
        "memset"
    } else {
        "memcpy"
    };
    // On RV32 a user copy goes by halves where a plain one of its preset merges; `fastest` has that loop.
    let halves = if flags.trim_end() == "--xlen 32" && op != "clear_user" {
        "--preset fastest"
    } else {
        ""
    };
    let user = spec(&format!("--op {op} {flags} {unrolls}"));
    (
        user,
        spec(&format!("--op {plain} {flags} {unrolls} {halves}")),
    )
}

#[test]
fn a_block_has_no_instruction_more_than_without_faults() {
    for (op, flags) in all() {
        let (user, plain) = without_faults(op, &flags);
        let (with, without) = (insts_a_mebibyte(&user), insts_a_mebibyte(&plain));
        assert!(
            with <= without,
            "{op} {flags}: {with}, without faults {without}"
        );
    }
}

/// Instructions without their labels, which differ in number.
fn shown(spec: &Spec) -> Vec<String> {
    let program = lower(&Plan::new(spec).unwrap());
    let insts = program.instructions();
    let insts = insts.filter(|inst| !matches!(inst, Inst::LoadSum { .. } | Inst::Sum { .. }));
    insts
        .map(|inst| match *inst {
            Inst::Branch {
                condition,
                rs1,
                rs2,
                ..
            } => format!("{condition:?} {rs1} {rs2}"),
            Inst::Jump { .. } => "j".to_owned(),
            Inst::JumpRegister { base, .. } => format!("jr {base}"),
            Inst::Imm {
                op: ImmOp::ShiftLeft,
                rd,
                rs,
                ..
            } => {
                format!("slli {rd} {rs}")
            }
            other => format!("{other:?}"),
        })
        .collect()
}

#[test]
fn sum_costs_its_own_instructions_alone() {
    for (op, flags) in all() {
        let [off, on] = ["off", "on"].map(|sum| spec(&format!("--op {op} {flags} --sum {sum}")));
        assert_eq!(shown(&off), shown(&on), "{op} {flags}");
    }
}

/// The kernel's frame is one more way to write the same instructions.
#[test]
fn dialects_agree_on_every_instruction() {
    for (op, flags) in all() {
        let [gnu, linux] = ["gnu --sum on", "linux --linux 6.1"].map(|dialect| {
            let asked = spec(&format!("--op {op} {flags} --dialect {dialect}"));
            lower(&Plan::new(&asked).unwrap())
        });
        assert!(gnu.instructions().eq(linux.instructions()), "{op} {flags}");
    }
}
