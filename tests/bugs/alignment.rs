//! Bugs of alignment: accesses wider than where they go, and the arithmetic that avoids them.

use memgen::verify::Contract;
use memgen::{Plan, generate};

use crate::routines::*;
use crate::support::spec;

/// Row 1. n = 8, src one byte off, dst aligned: accesses of four bytes because the length is a multiple of four.
#[test]
fn width_chosen_by_the_length_alone() {
    for routine in [&MEMMOVE_64, &MEMMOVE_32] {
        assert!(routine.plan.is_strict());
    }
    for flags in [
        "--op memmove --unroll 1 --shape stepped",
        "--op memmove --unroll 1 --xlen 32 --shape stepped",
    ] {
        let example = refuted(flags, include_str!("words_by_length.S"));
        assert_eq!(example.contract, Contract::Accesses, "{example}");
        assert!(size(&example) <= 8, "{example}");
    }
}

/// Row 4. RV32, n = 36 and more, src one byte off: the shift count is offset * 8 on every width.
#[test]
fn shift_count_of_four_bits_a_byte() {
    for (flags, routine) in [
        ("--shape stepped", &MEMCPY_64),
        ("--xlen 32 --shape stepped", &MEMCPY_32),
    ] {
        assert!(routine.text.contains("\tslli\tt5, t5, 3\n"));
        let example = broken(flags, "slli\tt5, t5, 3", "slli\tt5, t5, 2");
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) <= 36, "{example}");
    }
}

/// Row 13. What the hardware does with misaligned accesses is taken as "traps" until someone says otherwise.
#[test]
fn unknown_means_not_fast() {
    assert!(Plan::new(&spec("")).unwrap().is_strict());
    let refused = generate(&spec("--unaligned native")).unwrap_err();
    assert!(refused.to_string().contains("--unaligned"), "{refused}");

    // The routine for fast hardware, taken where nothing is known.
    let native = generate(&spec("--misaligned fast")).unwrap();
    for flags in ["", "--shape stepped"] {
        let example = refuted(flags, &native);
        assert_eq!(example.contract, Contract::Accesses, "{example}");
    }
}

/// Row 15. Only the source is brought to a word; every store is misaligned.
#[test]
fn only_one_pointer_aligned() {
    for (flags, routine) in [
        ("--shape stepped", &MEMCPY_64),
        ("--xlen 32 --shape stepped", &MEMCPY_32),
    ] {
        assert!(routine.text.contains("\tneg\tt0, a3\n"));
        let example = broken(flags, "neg\tt0, a3", "neg\tt0, a1");
        assert_eq!(example.contract, Contract::Accesses, "{example}");
        assert!(example.breach.contains(" at dst"), "{example}");
        assert!(size(&example) <= 16, "{example}");
    }
}

/// Row 16. Both addresses are 2 modulo 16 and n = 40; the head stops at a multiple of four, and eight bytes are loaded.
#[test]
fn aligned_to_less_than_the_access() {
    let example = broken("--shape stepped", "andi\tt0, a3, 4", "andi\tt0, a3, 0");
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert!(size(&example) <= 40, "{example}");
    // The memset of the same head.
    let example = broken(
        "--op memset --shape stepped",
        "andi\tt0, a3, 4",
        "andi\tt0, a3, 0",
    );
    assert_eq!(example.contract, Contract::Accesses, "{example}");
}

/// Row 17. One residue of eight is forgotten.
#[test]
fn one_residue_taken_for_aligned() {
    for residue in [4, 6] {
        let branch = "\tbnez\tt0, .Lmemcpy_mismatch\n";
        let hole = format!("\tli\tt1, {residue}\n\tbeq\tt0, t1, 1f\n{branch}1:\n");
        let example = broken("--shape stepped", branch, &hole);
        assert_eq!(example.contract, Contract::Accesses, "{example}");
    }
}

/// Row 20. The source is aligned, dst one byte off, and nobody compares the two.
#[test]
fn source_aligned_and_destination_not() {
    for routine in [&MEMCPY_64, &MEMCPY_32] {
        assert!(routine.text.contains("\tsub\tt0, a1, a3\n"));
    }
    let example = broken("--shape stepped", "\tsub\tt0, a1, a3\n", "\tmv\tt0, a1\n");
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert_eq!(
        example.call,
        "memcpy, n = 15, src = 0 modulo 8, dst = 1 modulo 8"
    );
}

/// The reverse of row 20: the difference is tested, and taken for both being aligned.
#[test]
fn the_same_residue_taken_for_aligned() {
    let jump = "\tbnez\tt0, .Lmemcpy_mismatch\n";
    let example = broken(
        "--shape stepped",
        jump,
        &format!("{jump}\tj\t.Lmemcpy_head_done\n"),
    );
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert_eq!(
        example.call,
        "memcpy, n = 15, src = 1 modulo 8, dst = 1 modulo 8"
    );
}

/// Row 28. 52 bytes to a device that takes words of four: nothing wider than the word.
#[test]
fn wider_than_the_declared_word() {
    assert_eq!(MEMCPY_HALF_WORDS.plan.word_bytes(), 4);
    for inst in instructions(&MEMCPY_HALF_WORDS.text) {
        assert!(
            !inst.starts_with("ld ") && !inst.starts_with("sd "),
            "{inst}"
        );
    }
    for flags in ["--unroll 2 --word 4", "--unroll 2 --word 4 --op memset"] {
        let example = broken(flags, "\tsw\t", "\tsd\t");
        assert_eq!(example.contract, Contract::Accesses, "{example}");
        assert!(size(&example) <= 52, "{example}");
    }
    let example = refuted("--word 4", &generate(&spec("--shape stepped")).unwrap());
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert!(size(&example) <= 52, "{example}");
}

/// Row 29. 16 bytes from 0x237c0, 0 modulo 8, to 0x43adc, 4 modulo 8, on a target where eight bytes want a multiple of eight.
#[test]
fn four_byte_alignment_taken_for_enough() {
    let example = broken("--shape stepped", "andi\tt0, t0, 7", "andi\tt0, t0, 3");
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert_eq!(
        example.call,
        "memcpy, n = 15, src = 0 modulo 8, dst = 4 modulo 8"
    );
}

/// Row 46. The two shifts of a merge, the wrong way round.
#[test]
fn shifts_in_the_other_direction() {
    for flags in [
        "",
        "--xlen 32",
        "--op memmove --unroll 2 --xlen 32",
        "--preset small",
        "--shape stepped",
        "--xlen 32 --shape stepped",
        "--unroll 1 --op memmove --shape stepped",
        "--unroll 2 --overread none",
    ] {
        let text = generate(&spec(flags)).unwrap();
        let swapped = text
            .replace("\tsrl\t", "\tSRL\t")
            .replace("\tsll\t", "\tsrl\t")
            .replace("\tSRL\t", "\tsll\t");
        let example = refuted(flags, &swapped);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
    }
}

/// Row 50. 16 bytes from an address 7 modulo 16: the merge's first load takes the whole word, eight bytes below the first one; and
/// at the other end likewise.
#[test]
fn whole_words_loaded_at_both_ends() {
    assert_eq!(MEMCPY_EXACT_LOADS.plan.over_read(), memgen::OverRead::None);
    let whole_words = generate(&spec("--unroll 2 --shape stepped")).unwrap();
    let example = refuted("--unroll 2 --overread none", &whole_words);
    assert_eq!(example.contract, Contract::Loads, "{example}");
    assert!(size(&example) <= 16, "{example}");

    // Only the first word is whole.
    let example = broken(
        "--unroll 2 --overread none",
        "\tli\ta4, 0\n",
        "\tandi\tt0, a1, -8\n\tld\ta4, 0(t0)\n\tli\ta4, 0\n",
    );
    assert_eq!(example.contract, Contract::Loads, "{example}");
    assert!(example.breach.contains("src - 1"), "{example}");

    // Only the last word is whole: one word more than lies inside the source.
    let example = broken(
        "--unroll 2 --overread none",
        "add\ta2, a2, t5\n\taddi\ta2, a2, -8",
        "add\ta2, a2, t5",
    );
    assert_eq!(example.contract, Contract::Loads, "{example}");

    // Where over-read is allowed it ends with the word: the next one may be on another page.
    let example = broken(
        "--unroll 2 --shape stepped",
        "ld\ta4, 8(a1)",
        "ld\ta4, 16(a1)",
    );
    assert_eq!(example.contract, Contract::Loads, "{example}");
}

/// Every residue modulo the register is tried, and nothing beyond it: so nothing beyond it may decide.
#[test]
fn a_higher_bit_of_an_address_decides() {
    let example = refuted(
        "--op memset --small loop",
        include_str!("decides_by_bit_3.S"),
    );
    assert_eq!(example.contract, Contract::Decisions, "{example}");
}
