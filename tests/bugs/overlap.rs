//! Bugs of overlap and of comparing pointers.

use memgen::generate;
use memgen::verify::Contract;

use crate::routines::*;
use crate::support::spec;

const MEMMOVE: [&str; 2] = [
    "--op memmove --unroll 1 --shape stepped",
    "--op memmove --unroll 1 --xlen 32 --shape stepped",
];

/// Row 34. memcpy may break overlap, and says so; it is no memmove.
#[test]
fn overlap_that_happens_to_work() {
    for routine in [&MEMCPY_64, &MEMCPY_32] {
        assert!(
            routine
                .text
                .contains("copies n bytes between blocks that do not overlap")
        );
    }
    let text = generate(&spec("--unroll 2 --symbol memmove")).unwrap();
    let example = refuted(MEMMOVE[0], &text);
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(example.call.contains("dst - src = "), "{example}");
}

/// memcpy of a block onto itself, which compilers emit for the assignment of a structure to itself.
#[test]
fn source_and_destination_are_one() {
    let example = refuted("--unroll 1", include_str!("clears_before_loading.S"));
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(
        example
            .call
            .ends_with(", n = 1, src = 0 modulo 8, dst = 0 modulo 8, dst - src = 0")
    );
}

/// The direction is chosen the wrong way round, or not at all.
#[test]
fn copied_in_the_wrong_direction() {
    for (flags, routine) in MEMMOVE.into_iter().zip([&MEMMOVE_64, &MEMMOVE_32]) {
        let choice = "\tsub\tt0, a0, a1\n\tbltu\tt0, a2, .Lmemmove_back\n";
        assert!(routine.text.contains(choice));
        for wrong in [
            "\tsub\tt0, a0, a1\n\tbgeu\tt0, a2, .Lmemmove_back\n",
            "\tsub\tt0, a1, a0\n\tbltu\tt0, a2, .Lmemmove_back\n",
            "",
            "\tj\t.Lmemmove_back\n",
        ] {
            let example = broken(flags, choice, wrong);
            assert_eq!(example.contract, Contract::Bytes, "{example}");
            assert!(example.call.contains("dst - src = "), "{example}");
        }
    }
}

/// Forward by words of four bytes whatever the distance; and an overlap of three bytes or less, taken for none.
#[test]
fn overlap_by_less_than_a_step() {
    let example = refuted(MEMMOVE[1], include_str!("forward_by_words.S"));
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert_eq!(
        example.call,
        "memmove, n = 8, src = 0 modulo 4, dst = 0 modulo 4, dst - src = 4"
    );

    let wrong = "\tsub\tt0, a0, a1\n\taddi\ta4, a2, -3\n\tbltu\tt0, a4, .Lmemmove_back\n";
    let choice = "\tsub\tt0, a0, a1\n\tbltu\tt0, a2, .Lmemmove_back\n";
    let example = broken(MEMMOVE[1], choice, wrong);
    assert_eq!(example.contract, Contract::Bytes, "{example}");
}

/// Row 61. Two pointers are compared, which says nothing where they point into different objects; and row 63, compared as signed.
#[test]
fn pointers_compared() {
    for flags in MEMMOVE {
        let choice = "\tsub\tt0, a0, a1\n\tbltu\tt0, a2, .Lmemmove_back\n";
        for wrong in [
            "\tbltu\ta1, a0, .Lmemmove_back\n",
            "\tblt\ta1, a0, .Lmemmove_back\n",
            "\tsltu\tt0, a1, a0\n\tbnez\tt0, .Lmemmove_back\n",
        ] {
            let example = broken(flags, choice, wrong);
            assert_eq!(example.contract, Contract::Decisions, "{example}");
        }
    }
    // A cursor compared with its limit, wrong where a block ends at the top of memory or lies across the sign bit.
    for flags in ["--shape stepped", "--xlen 32 --shape stepped"] {
        for order in ["bltu", "blt"] {
            let example = broken(flags, "bne\ta1, t0", &format!("{order}\ta1, t0"));
            assert_eq!(example.contract, Contract::Decisions, "{example}");
        }
    }
}

/// Row 63. A distance compared as signed: a destination below the source is one far above it.
#[test]
fn distance_compared_as_signed() {
    for flags in MEMMOVE {
        let example = broken(flags, "bltu\tt0, a2", "blt\tt0, a2");
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(example.call.contains("dst - src = -"), "{example}");
    }
}
