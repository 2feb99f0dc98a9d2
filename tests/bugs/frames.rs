//! Bugs around the code: names, attributes, calls, encodings.

use memgen::verify::{Assembler, Contract, VerifyError, code_words, verify_text};
use memgen::{Plan, generate};

use crate::routines::*;
use crate::support::spec;

const OPS: [&str; 3] = ["memcpy", "memmove", "memset"];
const FRAMES: [&str; 3] = ["", "--dialect linux", "--emit rust-asm"];

/// Every operation in every frame, with extensions that compress and entered by computed jumps: the body, or all of it.
fn texts() -> impl Iterator<Item = (String, String)> {
    OPS.into_iter().flat_map(|op| {
        FRAMES.into_iter().flat_map(move |frame| {
            ["--unroll 2 --small jump", "--shape entered"].map(|jumps| {
                let flags = format!("--op {op} --isa rv64imac_zba {jumps} {frame}");
                let text = generate(&spec(&flags)).unwrap();
                (flags, text)
            })
        })
    })
}

/// Row 21. One name, given once, everywhere: no half of a file keeps the old one.
#[test]
fn a_symbol_renamed_by_halves() {
    for (op, shape) in OPS
        .into_iter()
        .flat_map(|op| [(op, "entered"), (op, "stepped")])
    {
        let flags = format!("--op {op} --unroll 1 --symbol __plain_copy --shape {shape}");
        let asked = spec(&flags);
        let text = generate(&asked).unwrap();
        for line in text.lines().filter(|line| line.contains(op)) {
            assert!(
                line.starts_with(" *"),
                "only the header names the operation: {line}"
            );
        }
        let plan = Plan::new(&asked).unwrap();
        let object = Assembler::Rustc
            .assemble(&asked, plan.isa(), &text)
            .unwrap();
        assert!(code_words(&object, "__plain_copy", 64).is_ok());
        assert!(code_words(&object, op, 64).is_err());
    }
    // A definition under a name that the specification does not give.
    let text = generate(&spec("")).unwrap();
    match verify_text(
        &spec("--symbol __memcpy"),
        &text,
        &Assembler::Rustc,
        &|_, _| {},
    ) {
        Err(VerifyError::Object(error)) => assert!(error.contains("`__memcpy`"), "{error}"),
        other => panic!("{other:?}"),
    }
}

/// Row 26. No architecture is named in the text, so no version of one that another assembler does not know. An extension that is
/// used is named alone, without a version.
#[test]
fn attributes_with_versions() {
    let packing = "--op memset --isa rv64i_zbkb";
    let packing = (packing.to_owned(), generate(&spec(packing)).unwrap());
    for (flags, text) in texts().chain([packing]) {
        assert!(!text.contains(".attribute"), "{flags}");
        for line in text.lines().filter(|line| line.contains(".option")) {
            assert!(
                !line.contains(|c: char| c.is_ascii_digit()),
                "{flags}: {line}"
            );
        }
    }
}

/// Rows 27 and 54. memset that became a call to memset; and any other call.
#[test]
fn a_routine_that_calls_itself() {
    for (flags, text) in texts() {
        for inst in instructions(&text) {
            let name = inst.split(' ').next().unwrap();
            assert!(
                !["call", "tail", "jal", "jalr", "la", "lla"].contains(&name),
                "{flags}: {inst}"
            );
        }
    }
    for op in OPS {
        let flags = format!("--op {op} --unroll 2 --shape stepped");
        for call in [
            format!("tail\t{op}"),
            format!("call\t{op}"),
            "tail\tmemory_copy".to_owned(),
        ] {
            let text = edited(&flags, "\tret\n", &format!("\t{call}\n\tret\n"));
            match verify_text(&spec(&flags), &text, &Assembler::Rustc, &|_, _| {}) {
                Err(VerifyError::Object(error)) => assert!(error.contains("relocation"), "{error}"),
                other => panic!("{call}: {other:?}"),
            }
        }
    }
}

/// Row 33. Code that is counted, as a computed jump does, is neither compressed nor relaxed: the frame says so around all of it.
#[test]
fn compressed_code_under_a_computed_jump() {
    for (flags, text) in texts() {
        let lines: Vec<String> = text
            .lines()
            .map(|line| line.trim_start_matches(['"', ' ', '\t']).replace('\t', " "))
            .collect();
        let first = |what: &str| lines.iter().position(|line| line.starts_with(what));
        let last = |what: &str| lines.iter().rposition(|line| line.starts_with(what));
        let (start, end) = (first(".option norvc"), last(".option pop"));
        assert!(first(".option push") < start && start < end, "{flags}");
        for inst in [
            "lbu", "sb", "addi", "mv", "sub", "andi", "auipc", "jr", "ret",
        ] {
            if let (Some(first), Some(last)) = (first(inst), last(inst)) {
                assert!(start < Some(first) && Some(last) < end, "{flags}: {inst}");
            }
        }
        // The kernel turns relaxation off for all its assembly.
        if !flags.contains("linux") {
            let relaxed = first(".option norelax");
            assert!(start < relaxed && relaxed < first("jr"), "{flags}");
        }
    }

    // Compressed after all, the text makes no routine of whole words, or a jump to where no byte's copy starts.
    for flags in [
        "--isa rv64imac --unroll 2 --small jump",
        "--isa rv64imac --shape entered",
        "--op memset --isa rv64imac --shape entered",
    ] {
        let text = edited(flags, ".option\tnorvc\n", ".option\trvc\n");
        match verify_text(&spec(flags), &text, &Assembler::Rustc, &|_, _| {}) {
            Err(VerifyError::Object(error)) => {
                assert!(error.contains("no whole number of instructions"), "{error}");
            }
            Err(VerifyError::Refuted(example)) => assert_eq!(example.contract, Contract::Work),
            other => panic!("{other:?}"),
        }
    }
}
