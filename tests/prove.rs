//! Proves the published files and a spread of the specification space, and shows that the verifier refuses broken routines.

mod support;

use std::sync::Mutex;
use std::time::Instant;

use memgen::verify::{
    Assembler, Contract, CounterExample, Proof, VerifyError, verify, verify_text,
};
use memgen::{Dialect, Emit, generate};
use support::{announce, header_command, spec};

const QUIET: &(dyn Fn(u64, u64) + Sync) = &|_, _| {};

/// What every test of this target has proven: variants, cases.
static PROVEN: Mutex<(u64, u64)> = Mutex::new((0, 0));

fn count(what: &str, proofs: &[Proof], started: Instant) {
    let cases = proofs.iter().map(|proof| proof.cases).sum::<u64>();
    let mut proven = PROVEN.lock().unwrap();
    proven.0 += proofs.len() as u64;
    proven.1 += cases;
    announce(&format!(
        "proven: {what}: {} variants, {cases} cases in {:.1} s; so far {} variants, {} cases",
        proofs.len(),
        started.elapsed().as_secs_f64(),
        proven.0,
        proven.1,
    ));
}

#[test]
fn published_files() {
    let started = Instant::now();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated");
    let mut proofs = Vec::new();
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
        match verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
            Ok(proof) => proofs.push(proof),
            Err(error) => panic!("{}:\n{error}", path.display()),
        }
    }
    count("generated/", &proofs, started);
}

/// Shapes that differ, for memcpy and memset on both register widths, with full effort. memmove, whose distances take longest,
/// has its published variants above, and every point that the walk over the space meets.
const SHAPES: [&str; 26] = [
    "--unroll 1",
    "--unroll 3",
    "--unroll 5 --regs 2",
    "--unroll 2 --regs 1",
    "--unroll 2 --small loop",
    "--unroll 2 --small jump",
    "--unroll 4 --overread none",
    "--unroll 3 --overread none --small loop",
    "--unroll 2 --overread none --small jump",
    "--unroll 2 --unaligned bytes",
    "--unroll 2 --unaligned bytes --small loop",
    "--unroll 2 --unaligned bytes --small jump",
    "--unroll 2 --misaligned fast",
    "--unroll 3 --misaligned fast --small loop",
    "--unroll 2 --misaligned fast --small jump",
    "--unroll 2 --misaligned fast --unaligned shift",
    "--unroll 2 --word 4",
    "--unroll 4 --word 4 --overread none",
    "--unroll 4 --word 2",
    "--unroll 4 --word 2 --overread none --small jump",
    "--unroll 8 --word 1",
    "--unroll 3 --word 1 --small jump",
    "--unroll 2 --word 2 --misaligned fast",
    "--unroll 7 --shift-unroll 5 --avoid t6,t5",
    "--unroll 2 --symbol a_name --section .text.hot",
    "--unroll 2 --dialect linux --pi-alias --small jump",
];

#[test]
fn a_spread_of_shapes() {
    let started = Instant::now();
    let mut proofs = Vec::new();
    for op in ["memcpy", "memset"] {
        for xlen in [64, 32] {
            for shape in SHAPES {
                let flags = format!("--op {op} --xlen {xlen} {shape}");
                let about_a_source = ["overread", "unaligned bytes", "shift", "regs"];
                if op == "memset" && about_a_source.iter().any(|word| shape.contains(word)) {
                    continue;
                }
                match verify(&spec(&flags), &Assembler::Rustc, QUIET) {
                    Ok(proof) => proofs.push(proof),
                    Err(error) => panic!("{flags}:\n{error}"),
                }
            }
        }
    }
    count("a spread of shapes", &proofs, started);
}

/// Extensions meet in a fill: packed, multiplied or shifted words, or no word at all, before blocks cleared at once.
#[test]
fn fills_by_cache_blocks() {
    let started = Instant::now();
    let mut proofs = Vec::new();
    for isa in [
        "rv64i_zicboz",
        "rv64im_zicboz",
        "rv64i_zbkb_zicboz",
        "rv32i_zbkb_zicboz",
    ] {
        for word in [8, 4, 2, 1] {
            for shape in ["", "--small jump", "--misaligned fast --small loop"] {
                let flags =
                    format!("--op memset --isa {isa} --word {word} --zero-block 32 {shape}");
                if word == 8 && isa.starts_with("rv32") {
                    continue;
                }
                match verify(&spec(&flags), &Assembler::Rustc, QUIET) {
                    Ok(proof) => proofs.push(proof),
                    Err(error) => panic!("{flags}:\n{error}"),
                }
            }
        }
    }
    count("fills by cache blocks", &proofs, started);
}

/// The naked function and both dialects hold the same machine code.
#[test]
fn frames_do_not_change_the_code() {
    for flags in [
        "",
        "--op memmove --xlen 32",
        "--op memset --small jump",
        "--unroll 24 --misaligned fast",
    ] {
        let object = |emit: Emit, dialect: Dialect| {
            let mut asked = spec(flags);
            (asked.emit, asked.dialect, asked.symbol) = (emit, dialect, Some("same".to_owned()));
            let plan = memgen::Plan::new(&asked).unwrap();
            let text = generate(&asked).unwrap();
            let bytes = Assembler::Rustc
                .assemble(&asked, plan.isa(), &text)
                .unwrap();
            memgen::verify::code_words(&bytes, "same", plan.isa().xlen).unwrap()
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
        broken("--unroll 3", "li\tt0, 24", "li\tt0, 23"),
        // n compared as signed.
        broken("", "bltu\ta2", "blt\ta2"),
        // The shift count of RV32 computed as offset * 4.
        broken("--xlen 32", "slli\tt5, t5, 3", "slli\tt5, t5, 2"),
        // memset without reducing c to a byte.
        broken("--op memset", "andi\ta1, a1, 255", "mv\ta1, a1"),
    ];
    let shown: Vec<String> = examples.iter().map(CounterExample::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

/// One way to break each contract.
#[test]
fn every_contract_can_be_broken() {
    let cases = [
        ("", "sd\ta4, 0(a3)", "sd\ta5, 0(a3)", Contract::Bytes),
        (
            "",
            "mv\ta3, a0",
            "mv\ta3, a0\n\taddi\ta0, a0, 1",
            Contract::Return,
        ),
        (
            "--overread none",
            "addi\ta2, a2, -8\n\tslli",
            "addi\ta2, a2, 0\n\tslli",
            Contract::Loads,
        ),
        ("", "lhu\ta4, 0(a1)", "lhu\ta4, 1(a1)", Contract::Accesses),
        (
            "",
            "mv\ta3, a0",
            "mv\ta3, a0\n\tmv\ts3, a0",
            Contract::Registers,
        ),
        (
            "",
            "mv\ta3, a0",
            "mv\ta3, a0\n\tmv\tra, ra",
            Contract::Registers,
        ),
        ("", "bne\ta1, t0", "bltu\ta1, t0", Contract::Decisions),
        // Right wherever the source happens to lie in the lower half of its page's 264-byte steps.
        (
            "",
            "andi\ta1, a1, -8",
            "andi\ta1, a1, -264",
            Contract::Decisions,
        ),
        ("", "\tret", "\t.word 0", Contract::Work),
        (
            "",
            "addi\ta1, a1, 128\n\taddi\ta3, a3, 128",
            "addi\ta1, a1, 0\n\taddi\ta3, a3, 0",
            Contract::Work,
        ),
    ];
    for (flags, from, to, contract) in cases {
        let example = broken(flags, from, to);
        assert_eq!(example.contract, contract, "{from:?} to {to:?}:\n{example}");
        assert!(example.last.len() > 1 && !example.registers.is_empty());
    }
}

/// Classes of bugs that were found in the field, each in the smallest form that shows it.
#[test]
fn bugs_from_the_field_are_caught() {
    // Head bytes plus a full block exceed n: a block entered without looking at what remains after the head.
    let example = broken("", "addi\ta2, a2, -1\n", "addi\ta2, a2, 0\n");
    assert_eq!(example.contract, Contract::Loads);
    // A wrong direction: overlap copied forward.
    assert_eq!(
        broken("--op memmove", "bltu\tt0, a2", "bgeu\tt0, a2").contract,
        Contract::Bytes
    );
    // Signed comparison of the distance.
    assert_eq!(
        broken("--op memmove", "bltu\tt0, a2", "blt\tt0, a2").contract,
        Contract::Bytes
    );
    // src is returned.
    assert_eq!(
        broken("", "mv\ta3, a0", "mv\ta3, a0\n\tmv\ta0, a1").contract,
        Contract::Return
    );
    // Words counted as if the partial one were longer than it is.
    let example = broken(
        "--overread none --unroll 2",
        "add\ta2, a2, t5",
        "sub\ta2, a2, t5",
    );
    assert_eq!(example.contract, Contract::Bytes);
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
    let asked = spec("");
    let text = generate(&asked)
        .unwrap()
        .replacen("li\tt0, 15", "li\tt9, 15", 1);
    match verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
        Err(VerifyError::Assembler(error)) => assert!(error.output.contains("t9"), "{error}"),
        other => panic!("{other:?}"),
    }
}
