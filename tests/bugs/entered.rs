//! The bugs of the field again, in code that is entered by computed jumps: the same classes at other places, and those that only
//! such code can have.

use memgen::verify::Contract;
use memgen::{Plan, generate};

use crate::routines::*;
use crate::support::spec;

/// Row 4. The shift count is offset * 8 on every width.
#[test]
fn shift_count_of_four_bits_a_byte() {
    for flags in [
        "--shape entered",
        "--xlen 32 --shape entered",
        "--op memmove --unroll 2 --xlen 32 --shape entered",
    ] {
        let example = broken(flags, "slli\tt3, a5, 3", "slli\tt3, a5, 2");
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) <= 36, "{example}");
    }
}

/// Rows 15, 16, 17, 20 and 29: the wrong pointer aligned, both to less than the access, one residue forgotten, nobody compares, four
/// taken for enough.
#[test]
fn alignment_of_one_pointer_or_to_too_little() {
    let branch = "\tbnez\tt0, .Lmemcpy_mismatch\n";
    let forgotten = format!("\tli\tt1, 6\n\tbeq\tt0, t1, 1f\n{branch}1:\n");
    for (from, to, contract) in [
        ("andi\ta4, a0, 7", "andi\ta4, a1, 7", Contract::Accesses),
        ("andi\ta4, a0, 7", "andi\ta4, a0, 3", Contract::Accesses),
        (branch, forgotten.as_str(), Contract::Accesses),
        // Taken for co-aligned, it is copied from where dst would lie.
        ("sub\ta5, a1, a4", "mv\ta5, a1", Contract::Bytes),
        ("andi\tt0, a5, 7", "andi\tt0, a5, 3", Contract::Accesses),
    ] {
        let example = broken("--shape entered", from, to);
        assert_eq!(example.contract, contract, "{example}");
        assert!(size(&example) <= 40, "{example}");
    }
    // Of two bytes only, where words of four are moved: n = 4 at an address 2 modulo 4.
    let example = broken(
        "--shape entered",
        "andi\tt1, t1, 3\n\tbnez\tt1, .Lmemcpy_bytes_4\n",
        "",
    );
    assert_eq!(example.contract, Contract::Accesses, "{example}");
    assert_eq!(size(&example), 4);
}

/// Row 3. A head and whole blocks exceed n.
#[test]
fn a_head_is_not_taken_off_n() {
    for (flags, counted) in [("--shape entered", -8), ("--xlen 32 --shape entered", -4)] {
        let from = format!("addi\ta2, a2, {counted}\n");
        let example = broken(flags, &from, "addi\ta2, a2, 0\n");
        assert!(
            [Contract::Bytes, Contract::Loads].contains(&example.contract),
            "{example}"
        );
    }
}

/// Rows 5 and 12. A ladder and its limit come from one number: a limit that is one higher jumps in front of the ladder.
#[test]
fn a_limit_above_the_ladder() {
    for (flags, limit, ladder) in [
        ("--shape entered", "li\tt1, 95", "11 words of the ladder"),
        (
            "--xlen 32 --shape entered",
            "li\tt1, 79",
            "19 words of the ladder",
        ),
        (
            "--op memmove --xlen 32 --shape entered",
            "li\tt2, 76",
            "19 words of the ladder",
        ),
        (
            "--op memset --shape entered",
            "li\tt0, 512",
            "Up to 64 words",
        ),
        (
            "--op memset --xlen 32 --shape entered",
            "li\tt0, 256",
            "Up to 64 words",
        ),
    ] {
        let text = generate(&spec(flags)).unwrap();
        assert!(text.contains(ladder), "{flags}");
        let (register, bytes) = limit.split_once(", ").unwrap();
        let bytes: u64 = bytes.parse().unwrap();
        let word = u64::from(Plan::new(&spec(flags)).unwrap().word_bytes());
        // Where only whole words are compared, a word higher.
        let one = if bytes.is_multiple_of(word) { word } else { 1 };
        let example = broken(flags, limit, &format!("{register}, {}", bytes + one));
        let sizes = bytes + one - (word - 1)..=bytes + one + 2 * word;
        assert!(sizes.contains(&size(&example)), "{example}");
    }
}

/// Row 22. n = 0 lands on the return, even if nobody tests it; a step earlier it would land on the last byte.
#[test]
fn no_bytes_are_no_jump_into_the_middle() {
    let test = "\tbeqz\ta2, .Lmemset_return\n";
    briefly_proven(
        "--op memset --shape entered",
        &edited("--op memset --shape entered", test, ""),
    );
    let untested = edited("--op memset --shape entered", test, "");
    let example = refuted(
        "--op memset --shape entered",
        &untested.replace("jr\t104(t2)", "jr\t100(t2)"),
    );
    assert_eq!(
        (example.contract, size(&example)),
        (Contract::Bytes, 0),
        "{example}"
    );
}

/// Rows 35 and 37. A size with the top bit set is large, not negative: it would jump somewhere far before the routine.
#[test]
fn length_compared_as_signed() {
    for (flags, from, to) in [
        ("--shape entered", "bltu\tt0, a2", "blt\tt0, a2"),
        ("--xlen 32 --shape entered", "bltu\tt0, a2", "blt\tt0, a2"),
        (
            "--op memmove --unroll 2 --shape entered",
            "bltu\tt0, a2",
            "blt\tt0, a2",
        ),
        ("--op memset --shape entered", "bgeu\ta2, t0", "bge\ta2, t0"),
        (
            "--op memset --xlen 32 --shape entered",
            "bgeu\ta2, t0",
            "bge\ta2, t0",
        ),
    ] {
        let top = 1 << (Plan::new(&spec(flags)).unwrap().isa().xlen - 1);
        let example = broken(flags, from, to);
        assert!(size(&example) >= top, "{example}");
    }
}

/// Rows 39 and 40. Sizes in 32 bits, in 16 bits.
#[test]
fn length_kept_in_fewer_bits() {
    for (narrowed, most) in [
        ("sext.w\ta2, a2", 1_u64 << 31),
        ("slli\ta2, a2, 32\n\tsrli\ta2, a2, 32", 1 << 31),
        ("slli\ta2, a2, 48\n\tsrli\ta2, a2, 48", 1 << 16),
    ] {
        for flags in ["--shape entered", "--preset small"] {
            let example = broken(flags, "memcpy:\n", &format!("memcpy:\n\t{narrowed}\n"));
            assert_eq!(example.contract, Contract::Bytes, "{example}");
            assert!(size(&example) >= most, "{example}");
        }
    }
}

/// Row 44. Blocks larger than those in use, as long as a jump reaches over them.
#[test]
fn blocks_larger_than_those_in_use() {
    for flags in [
        "--unroll 32 --shape entered",
        "--unroll 64 --shape entered",
        "--shift-unroll 32 --shape entered",
        "--op memset --unroll 128 --shape entered",
        "--op memmove --unroll 32 --shape entered",
    ] {
        briefly_proven(flags, &generate(&spec(flags)).unwrap());
    }
    let example = broken(
        "--unroll 32 --shape entered",
        "addi\ta3, a3, 256\n",
        "addi\ta3, a3, 0\n",
    );
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(size(&example) >= 256, "{example}");
}

/// Row 45. What blocks leave over is computed from what they have not yet consumed.
#[test]
fn remainder_updated_too_late() {
    for mask in ["\tandi\ta2, a2, 127\n", "\tandi\ta2, a2, 63\n"] {
        let example = broken("--shape entered", mask, "\tnop\n");
        assert!(size(&example) > 64, "{example}");
    }
}

/// Row 50. The word behind the source's last one, loaded for a tail that does not need it.
#[test]
fn whole_words_loaded_at_both_ends() {
    for flags in ["--shape entered", "--xlen 32 --shape entered"] {
        let example = broken(flags, "addi\ta6, a6, -1\n", "addi\ta6, a6, 0\n");
        assert_eq!(example.contract, Contract::Loads, "{example}");
    }
}

/// Rows 61 and 63, and the direction chosen wrongly: for small sizes and for others.
#[test]
fn direction_of_a_memmove() {
    let flags = "--op memmove --unroll 2 --xlen 32";
    for distance in ["t1", "t0"] {
        let choice = format!("sub\t{distance}, a0, a1\n\tbltu\t{distance}, a2, ");
        for (wrong, contract) in [
            ("sub\tREG, a0, a1\n\tblt\tREG, a2, ", Contract::Bytes),
            ("sub\tREG, a0, a1\n\tbgeu\tREG, a2, ", Contract::Bytes),
            ("sub\tREG, a1, a0\n\tbltu\tREG, a2, ", Contract::Bytes),
            ("nop\n\tbltu\ta1, a0, ", Contract::Decisions),
            ("nop\n\tblt\ta1, a0, ", Contract::Decisions),
        ] {
            let example = broken(flags, &choice, &wrong.replace("REG", distance));
            assert_eq!(example.contract, contract, "{example}");
            assert!(example.call.contains("dst - src = "), "{example}");
        }
    }
}

/// Rows 19 and 49. The word of a fill from a signed byte, a whole int, by a wrong shift; only where words are filled.
#[test]
fn fill_word() {
    for (flags, up, spread) in [
        ("--op memset --shape entered", 56, 32),
        ("--op memset --xlen 32 --shape entered", 24, 16),
    ] {
        let bulk = Plan::new(&spec(flags)).unwrap();
        let bulk = bulk
            .thresholds()
            .iter()
            .find(|one| one.name == "bulk")
            .map(|one| one.bytes);
        let mask = "\tandi\ta1, a1, 255\n";
        let signed = format!("\tslli\ta1, a1, {up}\n\tsrai\ta1, a1, {up}\n");
        let shift = format!("slli\tt0, a1, {spread}");
        let wrong = format!("slli\tt0, a1, {}", spread - 4);
        for (from, to) in [(mask, signed.as_str()), (mask, ""), (&shift, &wrong)] {
            let example = broken(flags, from, to);
            assert_eq!(example.contract, Contract::Bytes, "{example}");
            assert_eq!(Some(size(&example)), bulk.map(u64::from), "{example}");
        }
    }
}

/// Row 33, its class: an instruction more or less where a jump counts on the code before it.
#[test]
fn code_that_is_counted_changes_its_length() {
    let example = broken(
        "--shape entered",
        "\tlbu\ta4, 18(a1)\n",
        "\tnop\n\tlbu\ta4, 18(a1)\n",
    );
    assert!(size(&example) <= 19, "{example}");
    for ladder in ["\tld\tt0, 112(a5)\n", "\tld\ta6, 72(t5)\n"] {
        let example = broken("--shape entered", ladder, &format!("\tnop\n{ladder}"));
        assert!(size(&example) >= 20, "{example}");
    }
}
