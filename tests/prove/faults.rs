//! User copies broken on purpose, and fault tables that cannot be right.

use memgen::generate;
use memgen::verify::{
    Assembler, Contract, CounterExample, Effort, VerifyError, verify_code, verify_text,
};

use super::broken;
use super::effort::QUIET;
use crate::support::spec;

/// Small enough that a whole proof takes no time.
const FLAGS: &str = "--op copy_from_user --xlen 32 --unroll 2";

#[test]
fn contracts_about_faults_can_be_broken() {
    let sum = "--op copy_to_user --xlen 32 --unroll 2 --sum on";
    for (flags, from, to, contract) in [
        // No entry, and one too many.
        (
            FLAGS,
            "fixup\tlbu a6, 0(a1), .Lcopy_from_user_fault_small",
            "lbu\ta6, 0(a1)",
            Contract::Faults,
        ),
        (
            FLAGS,
            "sb\ta6, -1(a3)",
            "fixup\tsb a6, -1(a3), .Lcopy_from_user_fault_small",
            Contract::Faults,
        ),
        // SUM never set, left set, and another bit with it.
        (sum, "csrs\tsstatus, t0", "nop", Contract::Faults),
        (sum, "csrc\tsstatus, t0", "nop", Contract::Faults),
        (sum, "lui\tt0, 0x40", "lui\tt0, 0xc0", Contract::Faults),
        // sstatus touched where the caller does that.
        (
            FLAGS,
            "fault:\n",
            "fault:\n\tcsrc\tsstatus, zero\n",
            Contract::Work,
        ),
        // A byte counted twice, and a count that has nothing to do with the fault.
        (
            FLAGS,
            "sub\ta0, a3, a0\n\tret",
            "sub\ta0, a3, a0\n\taddi\ta0, a0, 1\n\tret",
            Contract::Return,
        ),
        (
            FLAGS,
            "sub\ta0, a3, a0\n\tret",
            "li\ta0, 0\n\tret",
            Contract::Return,
        ),
        // The byte where it faulted left out, though it could be copied.
        (
            "--op copy_from_user --xlen 32 --unroll 2 --fault at-least-one",
            "sb\ta6, 0(a0)",
            "nop",
            Contract::Bytes,
        ),
        (
            "--op copy_to_user --xlen 32 --unroll 2 --fault at-least-one",
            "fault:\n",
            "fault:\n\tsub\ta3, a3, a4\n\tj\t.Lcopy_to_user_fault_count\n",
            Contract::Return,
        ),
        // Success after a fault.
        (
            "--op clear_user --xlen 32 --fault-style efault",
            "li\ta0, -14",
            "li\ta0, 0",
            Contract::Return,
        ),
        // A recovery that never ends: the access that faulted, again.
        (
            FLAGS,
            "fixup\tlbu a6, 0(a1), .Lcopy_from_user_fault_count",
            "fixup\tlbu a6, 0(a1), .Lcopy_from_user_fault_byte",
            Contract::Work,
        ),
    ] {
        let example = broken(flags, from, to);
        assert_eq!(example.contract, contract, "{from:?} to {to:?}:\n{example}");
    }
}

#[test]
fn counter_examples_of_faults_can_be_read() {
    let examples = [
        broken(
            FLAGS,
            "sub\ta0, a3, a0\n\tret",
            "sub\ta0, a3, a0\n\taddi\ta0, a0, 1\n\tret",
        ),
        broken(
            FLAGS,
            "fixup\tlbu a6, 0(a1), .Lcopy_from_user_fault_small",
            "lbu\ta6, 0(a1)",
        ),
        // The recovery of small sizes, which have no bytes behind the end.
        broken(
            FLAGS,
            "0(a6), .Lcopy_from_user_fault\n",
            "0(a6), .Lcopy_from_user_fault_small\n",
        ),
    ];
    let shown: Vec<String> = examples.iter().map(CounterExample::to_string).collect();
    snapshot("counter_examples_of_faults", &shown.join("\n"));
}

/// Compares with a file beside the snapshots of the other tests.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!(name, text);
    });
}

/// What is said about the text of `flags` with `from` replaced by `to`, which has no proof for its table.
fn refused(flags: &str, from: &str, to: &str) -> String {
    let asked = spec(flags);
    let text = generate(&asked).unwrap();
    assert!(text.contains(from), "{flags} has no {from:?}");
    let text = text.replacen(from, to, 1);
    match verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
        Err(VerifyError::Object(error)) => error,
        other => panic!("{flags}, {from:?} to {to:?}: {other:?}"),
    }
}

#[test]
fn tables_that_cannot_be_right_are_refused() {
    let linux = "--op clear_user --dialect linux";
    let cases = [
        // No load or store of the routine.
        refused(FLAGS, ".long\t100b - .", ".long\t100b + 2 - ."),
        refused(FLAGS, ".long\t100b - .", ".long\t100b + 4096 - ."),
        // Two entries of one access.
        refused(
            FLAGS,
            "\t.popsection",
            "\t.long\t100b - .\n\t.long\t\\recover - .\n\t.popsection",
        ),
        // Out of the routine, into nothing, half an entry.
        refused(
            FLAGS,
            ".long\t\\recover - .",
            ".long\tcopy_from_user - 4 - .",
        ),
        refused(FLAGS, ".long\t\\recover - .", ".long\t0"),
        refused(
            FLAGS,
            "\t.text",
            "\t.section __ex_table, \"a\"\n\t.long 0\n\t.text",
        ),
        refused(FLAGS, ".long\t\\recover - .", ".long\telsewhere - ."),
        // A type of the kernel's that does something else.
        refused(
            linux,
            "_asm_extable\t100b, \\recover",
            "_asm_extable\t100b, \\recover\n\t.pushsection __ex_table, \"a\"\n\t.long 100b - ., \\recover - .\n\t.short 3,          0\n\t.popsection",
        ),
    ];
    let first = cases
        .iter()
        .map(|case| case.lines().next().unwrap_or_default());
    snapshot(
        "refused_fault_tables",
        &first.collect::<Vec<_>>().join("\n"),
    );
}

#[test]
fn code_without_its_table_is_no_user_copy() {
    let asked = spec(FLAGS);
    match verify_code(&asked, &[0x0000_8067], Effort::Reduced, QUIET) {
        Err(VerifyError::Object(error)) => assert!(error.contains("verify_user_code"), "{error}"),
        other => panic!("{other:?}"),
    }
}
