//! Bugs of registers: what comes back, and what must not change.

use memgen::verify::Contract;
use memgen::{Reg, generate, lower};

use crate::routines::*;
use crate::support::spec;

/// Right after the routine's label.
fn at_the_start(flags: &str, inst: &str) -> String {
    let label = format!("{}:\n", spec(flags).op);
    edited(flags, &label, &format!("{label}\t{inst}\n"))
}

/// Before each return.
fn at_the_end(flags: &str, inst: &str) -> String {
    let text = generate(&spec(flags)).unwrap();
    text.replace("\tret\n", &format!("\t{inst}\n\tret\n"))
}

/// Rows 24, 42 and 47. dst comes back; not src, not where a cursor ended, not the end of the block.
#[test]
fn something_else_is_returned() {
    for flags in [
        "--shape stepped",
        "--xlen 32 --shape stepped",
        "--op memmove --unroll 1 --shape stepped",
    ] {
        let example = refuted(flags, &at_the_end(flags, "mv\ta0, a1"));
        assert_eq!(example.contract, Contract::Return, "{example}");
    }
    let example = refuted(
        "--op memset --shape stepped",
        &at_the_end("--op memset --shape stepped", "addi\ta0, a3, 1"),
    );
    assert_eq!(example.contract, Contract::Return, "{example}");

    // The end is dst where n = 0. That a0 is written at all is noticed there, before a wrong value is.
    for flags in ["--shape stepped", "--op memset --shape stepped"] {
        let cursor = "mv\ta3, a0";
        let end = edited(flags, cursor, &format!("{cursor}\n\tadd\ta0, a0, a2"));
        for text in [at_the_end(flags, "mv\ta0, a3"), end] {
            let example = refuted(flags, &text);
            assert_eq!(example.contract, Contract::Registers, "{example}");
            assert!(example.breach.starts_with("a0 is written"), "{example}");
        }
    }
    // A start for routines that return the end, shared: the register of the result is taken for the cursor.
    let example = broken("--shape stepped", "mv\ta3, a0", "add\ta3, a0, a2");
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert_eq!(size(&example), 1);
}

/// A class that nobody has reported: gp, tp, sp, ra and the saved registers.
#[test]
fn a_register_of_the_caller_is_clobbered() {
    for reg in ["gp", "tp", "sp", "s0", "s11"] {
        for flags in ["--op memset", "--op memset --shape stepped"] {
            let example = refuted(flags, &at_the_start(flags, &format!("mv\t{reg}, a0")));
            assert_eq!(example.contract, Contract::Registers, "{example}");
            assert_eq!(size(&example), 0);
        }
    }
    // Without ra there is no way back.
    let example = refuted(
        "--shape stepped",
        &at_the_start("--shape stepped", "mv\tra, a0"),
    );
    assert_eq!(example.contract, Contract::Work, "{example}");
}

/// A caller-saved register that the header does not name, and one that `--avoid` takes away.
#[test]
fn an_undeclared_register_is_written() {
    let example = refuted(
        "--op memset --shape stepped",
        &at_the_start("--op memset --shape stepped", "li\tt6, 0"),
    );
    assert_eq!(example.contract, Contract::Registers, "{example}");
    let example = refuted("--avoid t6", &generate(&spec("--shape stepped")).unwrap());
    assert_eq!(example.contract, Contract::Registers, "{example}");
}

/// Row 30. Nothing is kept on the stack unless more registers are asked for than are free: no access relative to sp, which firmware
/// emulates wrongly if it is misaligned.
#[test]
fn the_stack_is_touched() {
    for routine in [
        &MEMCPY_64,
        &MEMCPY_32,
        &MEMMOVE_64,
        &MEMMOVE_32,
        &MEMSET_64,
        &MEMCPY_JUMP,
    ] {
        let written = lower(&routine.plan).clobbers();
        for name in ["sp", "gp", "tp", "ra"] {
            assert!(!written.contains(Reg::from_name(name).unwrap()), "{name}");
        }
        for inst in instructions(&routine.text) {
            assert!(!inst.contains("sp"), "{inst}");
        }
    }
    for flags in [
        "",
        "--op memmove --xlen 32",
        "--op memset",
        "--preset fastest",
    ] {
        let text = generate(&spec(flags)).unwrap();
        let mut instructions = instructions(&text);
        assert!(instructions.all(|inst| !inst.contains("sp")), "{flags}");
    }
    // The caller's frame, and what an interrupt overwrites below sp.
    for access in ["sd\ta1, 0(sp)", "ld\ta4, 0(sp)", "sd\ts0, -8(sp)"] {
        for flags in ["", "--shape stepped"] {
            let example = refuted(flags, &at_the_start(flags, access));
            assert_eq!(size(&example), 0, "{example}");
            assert!(example.breach.contains("bytes at sp"), "{example}");
        }
    }
}

/// Row 30, where the stack is used: saved registers of full width, each at a multiple of its size, restored, and sp put back.
#[test]
fn a_saved_register_is_not_restored() {
    let flags = "--regs 12 --unroll 12";
    let text = generate(&spec(flags)).unwrap();
    briefly_proven(flags, &text);
    for inst in instructions(&text).filter(|inst| inst.contains("(sp)")) {
        let (access, offset) = inst.split_once(", ").unwrap();
        assert!(
            ["sd s0", "sd s1", "ld s0", "ld s1"].contains(&access),
            "{inst}"
        );
        let offset: u32 = offset.trim_end_matches("(sp)").parse().unwrap();
        assert!(offset.is_multiple_of(8), "{inst}");
    }
    for (from, to) in [
        ("\tld\ts0, 0(sp)\n", ""),
        ("\tld\ts1, 8(sp)\n", "\tld\ts1, 0(sp)\n"),
        ("\taddi\tsp, sp, 16\n", ""),
        ("\tsd\ts1, 8(sp)\n", "\tsd\ts1, 4(sp)\n"),
        ("\tsd\ts1, 8(sp)\n", "\tsw\ts1, 8(sp)\n"),
        ("\tsd\ts1, 8(sp)\n", "\tsd\ts1, 16(sp)\n"),
    ] {
        let example = broken(flags, from, to);
        assert_eq!(example.contract, Contract::Registers, "{example}");
    }
}

/// RV32E and RV64E have no register above x15.
#[test]
fn a_register_that_the_base_does_not_have() {
    for flags in [
        "--isa rv32e",
        "--op memmove --isa rv32e",
        "--isa rv64e --small jump",
        "--op memset --isa rv64e",
    ] {
        let text = generate(&spec(flags)).unwrap();
        briefly_proven(flags, &text);
        let missing = ["a6", "a7", "t3", "t4", "t5", "t6"];
        for inst in instructions(&text) {
            assert!(
                !missing.iter().any(|reg| inst.contains(reg)),
                "{flags}: {inst}"
            );
        }
    }
    // rustc's target for RV64E has all registers: the contract finds what the assembler does not.
    let all = generate(&spec("--unaligned bytes")).unwrap();
    let example = refuted("--isa rv64e", &all);
    assert_eq!(example.contract, Contract::Registers, "{example}");
}
