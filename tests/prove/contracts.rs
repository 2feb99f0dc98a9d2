//! Routines broken on purpose: every contract, and the bugs that were found in the field.

use memgen::verify::Contract;

use super::broken;

/// One way to break each contract: stepped code.
#[test]
fn every_contract_can_be_broken() {
    every_one_is_noticed(&[
        (
            "--shape stepped",
            "sd\ta4, 0(a3)",
            "sd\ta5, 0(a3)",
            Contract::Bytes,
        ),
        (
            "--shape stepped",
            "mv\ta3, a0",
            "mv\ta3, a0\n\taddi\ta0, a0, 1",
            Contract::Return,
        ),
        (
            "--shape stepped --overread none",
            "addi\ta2, a2, -8\n\tslli",
            "addi\ta2, a2, 0\n\tslli",
            Contract::Loads,
        ),
        (
            "--shape stepped",
            "lhu\ta4, 0(a1)",
            "lhu\ta4, 1(a1)",
            Contract::Accesses,
        ),
        (
            "--shape stepped",
            "mv\ta3, a0",
            "mv\ta3, a0\n\tmv\ts3, a0",
            Contract::Registers,
        ),
        (
            "--shape stepped",
            "mv\ta3, a0",
            "mv\ta3, a0\n\tmv\tra, ra",
            Contract::Registers,
        ),
        (
            "--shape stepped",
            "bne\ta1, t0",
            "bltu\ta1, t0",
            Contract::Decisions,
        ),
        // Right wherever the source happens to lie in the lower half of its page's 264-byte steps.
        (
            "--shape stepped",
            "andi\ta1, a1, -8",
            "andi\ta1, a1, -264",
            Contract::Decisions,
        ),
        ("--shape stepped", "\tret", "\t.word 0", Contract::Work),
        (
            "--shape stepped",
            "addi\ta1, a1, 128\n\taddi\ta3, a3, 128",
            "addi\ta1, a1, 0\n\taddi\ta3, a3, 0",
            Contract::Work,
        ),
    ]);
}

/// The same for code with computed jumps, where a jump to the wrong place may break any of them first.
#[test]
fn every_contract_can_be_broken_by_entered_code() {
    every_one_is_noticed(&[
        // The tail's word without the part of the first of its two source words.
        ("", "or\ta6, a6, a2", "mv\ta6, a2", Contract::Bytes),
        // A slot for each size half as long as it is.
        ("", "slli\tt0, a2, 3", "slli\tt0, a2, 2", Contract::Bytes),
        // Blocks from twice their length on: the ladder is too short for what is below.
        (
            "",
            "andi\tt0, a2, -128",
            "andi\tt0, a2, -256",
            Contract::Bytes,
        ),
        (
            "",
            "li\tt0, 19",
            "li\tt0, 19\n\taddi\ta0, a0, 1",
            Contract::Return,
        ),
        // The source word behind the outermost byte, not the one that holds it.
        (
            "",
            "addi\ta6, a6, -1\n\tandi",
            "addi\ta6, a6, 0\n\tandi",
            Contract::Loads,
        ),
        ("", "lw\ta6, 0(a1)", "lw\ta6, 1(a1)", Contract::Accesses),
        (
            "",
            "li\tt0, 19",
            "li\tt0, 19\n\tmv\ts3, a0",
            Contract::Registers,
        ),
        ("", "bne\ta5, t1", "bltu\ta5, t1", Contract::Decisions),
        (
            "",
            "andi\ta4, a0, 7",
            "andi\ta4, a0, 2047",
            Contract::Decisions,
        ),
        ("", "\tret", "\t.word 0", Contract::Work),
        // A size that no slot is for: the jump leads out of the routine.
        ("", "li\tt0, 19", "li\tt0, 20", Contract::Work),
        // A jump that leads to itself.
        ("--op memset", "li\tt0, 24", "li\tt0, 25", Contract::Work),
        (
            "",
            "addi\ta5, a5, 128\n\taddi\ta3, a3, 128",
            "addi\ta5, a5, 0\n\taddi\ta3, a3, 0",
            Contract::Work,
        ),
        // memmove: the wrong direction.
        ("--op memmove", "bltu\t", "bgeu\t", Contract::Bytes),
        // Ends loaded too late for an overlap of blocks.
        (
            "--op memmove --preset fast-misaligned",
            "li\tt0, 65",
            "li\tt0, 66",
            Contract::Bytes,
        ),
        ("--preset small", "srl\t", "sll\t", Contract::Bytes),
    ]);
}

/// Flags, what is replaced by what, and the contract that is broken then.
type Break = (&'static str, &'static str, &'static str, Contract);

fn every_one_is_noticed(breaks: &[Break]) {
    for (flags, from, to, contract) in breaks {
        let example = broken(flags, from, to);
        assert_eq!(
            example.contract, *contract,
            "{from:?} to {to:?}:\n{example}"
        );
        assert!(example.last.len() > 1 && !example.registers.is_empty());
    }
}

/// Classes of bugs that were found in the field, each in the smallest form that shows it.
#[test]
fn bugs_from_the_field_are_caught() {
    // Head bytes plus a full block exceed n: a block entered without looking at what remains after the head.
    let example = broken("--shape stepped", "addi\ta2, a2, -1\n", "addi\ta2, a2, 0\n");
    assert_eq!(example.contract, Contract::Loads);
    // A wrong direction: overlap copied forward.
    assert_eq!(
        broken(
            "--shape stepped --op memmove",
            "bltu\tt0, a2",
            "bgeu\tt0, a2"
        )
        .contract,
        Contract::Bytes
    );
    // Signed comparison of the distance.
    assert_eq!(
        broken(
            "--shape stepped --op memmove",
            "bltu\tt0, a2",
            "blt\tt0, a2"
        )
        .contract,
        Contract::Bytes
    );
    // src is returned.
    assert_eq!(
        broken("--shape stepped", "mv\ta3, a0", "mv\ta3, a0\n\tmv\ta0, a1").contract,
        Contract::Return
    );
    // Words counted as if the partial one were longer than it is.
    let example = broken(
        "--shape stepped --overread none --unroll 2",
        "add\ta2, a2, t5",
        "sub\ta2, a2, t5",
    );
    assert_eq!(example.contract, Contract::Bytes);
}
