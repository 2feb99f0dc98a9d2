//! Proves the published files and a spread of the specification space, and shows that the verifier refuses broken routines.

#[path = "prove/contracts.rs"]
mod contracts;
#[path = "prove/effort.rs"]
mod effort;
#[path = "prove/faults.rs"]
mod faults;
#[path = "prove/spread.rs"]
mod spread;
mod support;

use std::time::Instant;

use effort::{Proven, QUIET};
use memgen::verify::{Assembler, CounterExample, VerifyError, verify_text};
use memgen::{Dialect, Emit, generate};
use support::{header_command, spec};

#[test]
fn published_files() {
    let started = Instant::now();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated");
    let mut proven = Proven::default();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            continue; // The list of the others.
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let asked = spec(header_command(&text).trim_start_matches("memgen "));
        if asked.emit == Emit::Rust {
            continue; // Compiled before they are proven, in a target of their own.
        }
        proven.prove(&asked, &text);
    }
    proven.count("generated/", started);
}

/// The naked function and both dialects hold the same machine code, and their fault tables say the same.
#[test]
fn frames_do_not_change_the_code() {
    for flags in [
        "",
        "--op memmove --xlen 32",
        "--op memset --small jump",
        "--unroll 24 --misaligned fast",
        "--shape stepped",
        "--preset fastest --xlen 32",
        "--op memset --preset small",
        "--op copy_from_user --sum on",
        "--op clear_user --sum on --xlen 32 --fault coarse",
    ] {
        let object = |emit: Emit, dialect: Dialect| {
            let mut asked = spec(flags);
            (asked.emit, asked.dialect, asked.symbol) =
                (emit, Some(dialect), Some("same".to_owned()));
            let plan = memgen::Plan::new(&asked).unwrap();
            let text = generate(&asked).unwrap();
            let bytes = Assembler::Rustc
                .assemble(&asked, plan.isa(), &text)
                .unwrap();
            (
                memgen::verify::code_words(&bytes, "same", plan.isa().xlen).unwrap(),
                memgen::verify::fault_table(&bytes, "same", &plan).unwrap(),
            )
        };
        let plain = object(Emit::Asm, Dialect::Gnu);
        assert_eq!(plain, object(Emit::Asm, Dialect::Linux), "{flags}");
        assert_eq!(plain, object(Emit::RustAsm, Dialect::Gnu), "{flags}");
    }
}

/// Emits `flags`, replaces the first `from` by `to`, and expects the verifier to object.
fn broken(flags: &str, from: &str, to: &str) -> CounterExample {
    let asked = spec(flags);
    let text = generate(&asked).unwrap();
    assert!(text.contains(from), "{flags} has no {from:?}");
    match verify_text(
        &asked,
        &text.replacen(from, to, 1),
        &Assembler::Rustc,
        QUIET,
    ) {
        Err(VerifyError::Refuted(example)) => *example,
        Err(other) => panic!("{flags}, {from:?} to {to:?}:\n{other}"),
        Ok(_) => panic!("{flags}: proven although {from:?} became {to:?}"),
    }
}

#[test]
fn counter_examples_can_be_read() {
    let examples = [
        // A block loop entered one byte early.
        broken("--shape stepped --unroll 3", "li\tt0, 24", "li\tt0, 23"),
        // n compared as signed.
        broken("--shape stepped", "bltu\ta2", "blt\ta2"),
        // The shift count of RV32 computed as offset * 4.
        broken(
            "--shape stepped --xlen 32",
            "slli\tt5, t5, 3",
            "slli\tt5, t5, 2",
        ),
        // memset without reducing c to a byte.
        broken(
            "--shape stepped --op memset",
            "andi\ta1, a1, 255",
            "mv\ta1, a1",
        ),
    ];
    let shown: Vec<String> = examples.iter().map(CounterExample::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn counter_examples_of_other_shapes_can_be_read() {
    let examples = [
        // A ladder entered for one word more than it has.
        broken("", "li\tt1, 95", "li\tt1, 103"),
        // Two words from both ends for a byte more than they cover.
        broken("--preset fast-misaligned", "li\tt0, 17", "li\tt0, 18"),
        // Words for a byte less than a head and a word take.
        broken("--preset small", "li\ta4, 15", "li\ta4, 14"),
    ];
    let shown: Vec<String> = examples.iter().map(CounterExample::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn an_object_that_would_change_when_linked_is_refused() {
    let asked = spec("");
    let text = generate(&asked)
        .unwrap()
        .replacen("\tret", "\ttail\telsewhere", 1);
    match verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
        Err(VerifyError::Object(error)) => assert!(error.contains("relocation"), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_that_does_not_assemble_is_refused_with_the_assemblers_words() {
    let asked = spec("--shape stepped");
    let text = generate(&asked)
        .unwrap()
        .replacen("li\tt0, 15", "li\tt9, 15", 1);
    match verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
        Err(VerifyError::Assembler(error)) => assert!(error.output.contains("t9"), "{error}"),
        other => panic!("{other:?}"),
    }
}
