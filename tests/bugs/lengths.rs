//! Bugs of the length: how much remains, how it is compared, how wide its counter is.

use memgen::verify::Contract;
use memgen::{Plan, generate};

use crate::routines::*;
use crate::support::spec;

/// Row 3. RV64, n = 64, both blocks one byte off: after seven bytes of head a block of 64 ends seven bytes past dst.
#[test]
fn a_head_and_a_whole_block_exceed_n() {
    for routine in [&MEMCPY_64, &MEMCPY_32, &MEMSET_64, &MEMSET_32] {
        // The head of co-aligned blocks shortens n with each step.
        for step in 1..routine.plan.word_bytes() {
            if step.is_power_of_two() {
                assert!(routine.text.contains(&format!("\taddi\ta2, a2, -{step}\n")));
            }
        }
    }

    let example = refuted(
        "--unroll 8 --small loop --unaligned bytes",
        include_str!("block_past_end.S"),
    );
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert_eq!(
        example.call,
        "memcpy, n = 64, src = 1 modulo 8, dst = 1 modulo 8"
    );
    assert!(
        example.breach.contains("outside dst[0..n)"),
        "{}",
        example.breach
    );

    // A step of the head that forgets to shorten n; without it the merge's blocks exceed n too.
    for (flags, from, to, contract) in [
        (
            "--shape stepped",
            "addi\ta2, a2, -4",
            "addi\ta2, a2, 0",
            Contract::Loads,
        ),
        (
            "--op memset --shape stepped",
            "addi\ta2, a2, -1\n",
            "addi\ta2, a2, 0\n",
            Contract::Bytes,
        ),
        (
            "--shape stepped",
            "\tsub\ta2, a2, t0\n",
            "",
            Contract::Loads,
        ),
    ] {
        let example = broken(flags, from, to);
        assert_eq!(example.contract, contract, "{example}");
    }
}

/// Rows 5 and 12. The last whole block is a block; so is one that is all there is, and so is a size at the threshold.
#[test]
fn the_last_whole_block_is_not_left_to_smaller_steps() {
    for flags in [
        "--shape stepped",
        "--unroll 8 --shape stepped",
        "--unroll 9",
        "--xlen 32 --shape stepped",
        "--op memset --unroll 7 --shape stepped",
    ] {
        let asked = spec(flags);
        let (plan, text) = (Plan::new(&asked).unwrap(), generate(&asked).unwrap());
        let word = plan.word_bytes();
        for threshold in plan.thresholds() {
            let bytes = threshold.bytes;
            if threshold.name == "bulk" {
                // The longest head and one word: a size of just that is not small.
                assert_eq!(bytes, (word - 1) + word, "{flags}");
                assert!(text.contains(&format!("\tli\tt0, {bytes}\n\tbltu\ta2, t0")));
                continue;
            }
            // As many bytes as a block has are enough, and the code compares with that very number.
            let words = bytes / word;
            assert!(text.contains(&format!(
                "* {:<13}{words} words = {bytes} bytes",
                threshold.name
            )));
            let by_bits = format!("\tandi\tt0, a2, -{bytes}\n");
            let by_size = format!("\tli\tt0, {bytes}\n\tbltu\ta2, t0");
            assert!(text.contains(&by_bits) || text.contains(&by_size), "{text}");
        }
    }

    // The block after the last one is not entered: the ladder of the rest has no rung for a whole block.
    let guard = "andi\tt0, a2, -128";
    let example = broken(
        "--shape stepped",
        guard,
        "addi\tt0, a2, -1\n\tandi\tt0, t0, -128",
    );
    assert_eq!(
        (example.contract, size(&example)),
        (Contract::Bytes, 128),
        "{example}"
    );
}

/// Rows 5 and 12, where the smaller steps do the job: every contract is kept, and only the number of instructions tells.
#[test]
fn a_threshold_one_too_high_costs_instructions() {
    for (flags, from, to) in [
        ("--small loop", "li\tt0, 15", "li\tt0, 16"),
        ("--unroll 9 --small loop", "li\tt0, 72", "li\tt0, 73"),
    ] {
        let emitted = briefly_proven(flags, &generate(&spec(flags)).unwrap());
        let late = briefly_proven(flags, &edited(flags, from, to));
        assert_eq!(emitted.cases, late.cases);
        assert!(
            emitted.instructions < late.instructions,
            "{flags}: {emitted:?}, {late:?}"
        );
    }
}

/// Row 12. A loop of nine words, guarded with `> 8` words, and single bytes below: n = 64, aligned.
#[test]
fn unroll_and_guard_come_from_one_constant() {
    let nine = &MEMCPY_NINE_WORDS;
    assert_eq!(nine.plan.largest_block_bytes(), 9 * nine.plan.word_bytes());
    assert!(
        nine.text
            .contains("\tli\tt0, 72\n\tbltu\ta2, t0, .Lmemcpy_words\n")
    );
    assert!(nine.text.contains("\taddi\ta2, a2, -72\n"));

    let example = refuted(
        "--op memset --unroll 8 --shape stepped",
        include_str!("nine_words_for_eight.S"),
    );
    assert_eq!(example.contract, Contract::Work, "{example}");
    assert!(size(&example) <= 64, "{example}");
    // The guard of eight words in front of nine.
    let example = broken("--unroll 9", "li\tt0, 72", "li\tt0, 64");
    assert_eq!(
        (example.contract, size(&example)),
        (Contract::Loads, 64),
        "{example}"
    );
}

/// Row 22. n = 0 touches nothing.
#[test]
fn no_bytes_are_no_jump_into_the_middle() {
    for flags in ["", "--shape stepped"] {
        let example = refuted(flags, include_str!("copies_before_testing.S"));
        assert_eq!(
            (example.contract, size(&example)),
            (Contract::Loads, 0),
            "{example}"
        );
    }

    // The computed jump of n = 0 lands on the return; one step earlier it lands on the last byte.
    let jump = instructions(&MEMCPY_JUMP.text).find(|inst| inst.starts_with("jr "));
    assert_eq!(jump.as_deref(), Some("jr 124(t2)"));
    let example = broken("--unroll 2 --small jump", "jr\t124(t2)", "jr\t116(t2)");
    assert_eq!(
        (example.contract, size(&example)),
        (Contract::Loads, 0),
        "{example}"
    );
}

/// Rows 35 and 37. A size with the top bit set is large, not negative.
#[test]
fn length_compared_as_signed() {
    for (flags, top) in [
        ("--shape stepped", 1_u64 << 63),
        ("--xlen 32 --shape stepped", 1 << 31),
        ("--unroll 9", 1 << 63),
    ] {
        let text = generate(&spec(flags)).unwrap();
        let signed = text.replace("bltu\ta2", "blt\ta2");
        assert!(!text.contains("blt\ta2") && !text.contains("bge\ta2") && text != signed);
        let example = refuted(flags, &signed);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) >= top, "{example}");
    }
    for (flags, top) in [
        ("--op memset --shape stepped", 1_u64 << 63),
        ("--op memset --xlen 32 --shape stepped", 1 << 31),
    ] {
        let example = broken(flags, "bltu\ta2", "blt\ta2");
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) >= top, "{example}");
    }
    // The loop's own comparison.
    let example = broken("--unroll 9", "bgeu\ta2", "bge\ta2");
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(size(&example) >= 1 << 63, "{example}");
}

/// Row 39. Sizes of 2 GiB and more in a register that holds them.
#[test]
fn length_kept_in_32_bits() {
    for narrowed in ["sext.w\ta2, a2", "slli\ta2, a2, 32\n\tsrli\ta2, a2, 32"] {
        for flags in ["--shape stepped", "--op memset --shape stepped"] {
            let start = "mv\ta3, a0";
            let example = broken(flags, start, &format!("{start}\n\t{narrowed}"));
            assert_eq!(example.contract, Contract::Bytes, "{example}");
            assert!(size(&example) >= 1 << 31, "{example}");
        }
    }
}

/// Row 40. A counter of sixteen bits: n above 65,536.
#[test]
fn counter_of_sixteen_bits() {
    let example = refuted(
        "--op memset --word 1 --unroll 1",
        include_str!("sixteen_bit_counter.S"),
    );
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(size(&example) > 65_536, "{example}");
    for flags in ["--shape stepped", "--op memset --shape stepped"] {
        let narrowed = "mv\ta3, a0\n\tslli\ta2, a2, 48\n\tsrli\ta2, a2, 48";
        let example = broken(flags, "mv\ta3, a0", narrowed);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) > 65_536, "{example}");
    }
}

/// Row 40 again. A counter of blocks wraps far later than one of bytes: at n = 64 * 65,537 one block is filled. Counted in 32 bits the
/// same happens at 64 * (2^32 + 1).
#[test]
fn counter_of_blocks() {
    let flags = "--op memset --word 1 --unroll 64 --small loop";
    let in_16_bits = include_str!("narrow_block_counter.S");
    let in_32_bits = in_16_bits.replace("t0, 48", "t0, 32");
    for text in [in_16_bits, &in_32_bits] {
        let example = refuted(flags, text);
        assert_eq!(example.contract, Contract::Bytes, "{example}");
        assert!(size(&example) > 64 * 65_536, "{example}");
    }
}

/// Row 5, its class: a routine that copies all by bytes is right, but not what the plan promises.
#[test]
fn byte_by_byte_is_too_much_work() {
    for flags in [
        "",
        "--shape stepped",
        "--small loop",
        "--unroll 4 --small jump",
    ] {
        let example = refuted(flags, include_str!("byte_by_byte.S"));
        assert_eq!(example.contract, Contract::Work, "{example}");
    }
}

/// Row 44. A bias of the cursor that is lost only where a block has 256 bytes and more, a size nobody had run.
#[test]
fn blocks_larger_than_those_in_use() {
    for flags in [
        "--unroll 32 --shape stepped",
        "--unroll 48 --shift-unroll 40",
        "--unroll 255 --shape stepped",
        "--op memset --unroll 255 --shape stepped",
        "--op memmove --unroll 32 --shape stepped",
    ] {
        briefly_proven(flags, &generate(&spec(flags)).unwrap());
    }
    let example = broken(
        "--unroll 32 --shape stepped",
        "addi\ta3, a3, 256\n",
        "addi\ta3, a3, 0\n",
    );
    assert_eq!(example.contract, Contract::Bytes, "{example}");
    assert!(size(&example) >= 256, "{example}");
}

/// Row 45. The remainder is updated after the loop has used it: loads past the source.
#[test]
fn remainder_updated_too_late() {
    let late = "\tsub\ta2, a2, t0\n";
    for flags in [
        "--unroll 2 --overread none",
        "--unroll 2 --overread none --xlen 32",
    ] {
        let example = broken(flags, late, "");
        assert_eq!(example.contract, Contract::Loads, "{example}");
    }
    // What the merge has consumed is not yet subtracted when its last bytes are counted.
    let example = broken("--unroll 2 --overread none", "\tandi\ta2, a2, 7\n", "");
    assert_eq!(example.contract, Contract::Loads, "{example}");
}
