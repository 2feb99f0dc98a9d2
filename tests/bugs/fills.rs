//! Bugs of the fill byte.

use memgen::generate;
use memgen::verify::Contract;

use crate::routines::*;
use crate::support::spec;

/// Row 19. c = 0x80, n = 8 and more: the word is built from a sign-extended int.
#[test]
fn fill_word_from_a_signed_byte() {
    for (flags, routine, up) in [
        ("--op memset --shape stepped", &MEMSET_64, 56),
        ("--op memset --xlen 32 --shape stepped", &MEMSET_32, 24),
    ] {
        assert!(routine.text.contains("\tandi\ta1, a1, 255\n"));
        // Sign-extended where the words begin, so that single bytes stay right.
        let first = "\tslli\tt0, a1, 8\n";
        let signed = format!("\tslli\ta1, a1, {up}\n\tsrai\ta1, a1, {up}\n{first}");
        let example = broken(flags, first, &signed);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        let bulk = 2 * u64::from(routine.plan.word_bytes()) - 1;
        assert_eq!(size(&example), bulk, "{example}");
    }
}

/// c = 256 + k: what is above the byte gets into the word.
#[test]
fn fill_word_from_a_whole_int() {
    for flags in [
        "--op memset --shape stepped",
        "--op memset --xlen 32 --shape stepped",
    ] {
        let example = broken(flags, "\tandi\ta1, a1, 255\n", "");
        assert_eq!(example.contract, Contract::Bytes, "{example}");
    }
}

/// Row 49. A shift of the fill by a wrong count, which a fill of zero hides; n = 8 and more.
#[test]
fn fill_word_with_a_wrong_shift() {
    for (flags, right, wrong) in [
        (
            "--op memset --shape stepped",
            "slli\tt0, a1, 32",
            "slli\tt0, a1, 28",
        ),
        (
            "--op memset --shape stepped",
            "slli\tt0, a1, 8\n",
            "slli\tt0, a1, 4\n",
        ),
        (
            "--op memset --xlen 32 --shape stepped",
            "slli\tt0, a1, 16",
            "slli\tt0, a1, 12",
        ),
        // 56 is right for the top byte alone: it leaves three bytes unfilled.
        (
            "--op memset --shape stepped",
            "slli\tt0, a1, 32",
            "slli\tt0, a1, 56",
        ),
        (
            "--op memset --shape stepped",
            "slli\tt0, a1, 32",
            "slli\tt0, a1, 52",
        ),
    ] {
        let example = broken(flags, right, wrong);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) <= 15, "{example}");
    }
}

/// Row 49. Only zero fill was ever tested: a routine that ignores c.
#[test]
fn every_fill_is_zero() {
    let text = generate(&spec("--op memset --shape stepped")).unwrap();
    let example = refuted(
        "--op memset --shape stepped",
        &text.replace("andi\ta1, a1, 255", "li\ta1, 0"),
    );
    assert_eq!(
        (example.contract, size(&example)),
        (Contract::Bytes, 1),
        "{example}"
    );
}
