//! Routines to look at: emitted and proven ones, and ways to break one.

use std::sync::LazyLock;

use memgen::verify::{
    Assembler, CounterExample, Effort, Proof, VerifyError, code_words, verify_code, verify_text,
};
use memgen::{Plan, Spec, generate};

use crate::support::spec;

const QUIET: &(dyn Fn(u64, u64) + Sync) = &|_, _| {};

/// An emitted routine that keeps every contract in every case.
pub(crate) struct Proven {
    pub(crate) plan: Plan,
    pub(crate) text: String,
}

impl Proven {
    fn new(flags: &str) -> Proven {
        let asked = spec(flags);
        let text = generate(&asked).unwrap();
        if let Err(error) = verify_text(&asked, &text, &Assembler::Rustc, QUIET) {
            panic!("{flags}:\n{error}");
        }
        Proven {
            plan: Plan::new(&asked).unwrap(),
            text,
        }
    }
}

// Proven once each, by whichever test comes first.
macro_rules! proven {
    ($($name:ident: $flags:literal,)+) => {
        $(pub(crate) static $name: LazyLock<Proven> = LazyLock::new(|| Proven::new($flags));)+
    };
}

proven! {
    MEMCPY_64: "--shape stepped",
    MEMCPY_32: "--xlen 32 --shape stepped",
    MEMCPY_EXACT_LOADS: "--unroll 2 --overread none",
    MEMCPY_JUMP: "--unroll 2 --small jump",
    MEMCPY_HALF_WORDS: "--unroll 2 --word 4",
    MEMCPY_NINE_WORDS: "--unroll 9",
    MEMMOVE_64: "--op memmove --unroll 1 --shape stepped",
    MEMMOVE_32: "--op memmove --unroll 1 --xlen 32 --shape stepped",
    MEMSET_64: "--op memset --shape stepped",
    MEMSET_32: "--op memset --xlen 32 --shape stepped",
}

/// The counter-example to `text` as the routine that `flags` ask for.
pub(crate) fn refuted(flags: &str, text: &str) -> CounterExample {
    match verify_text(&spec(flags), text, &Assembler::Rustc, QUIET) {
        Err(VerifyError::Refuted(example)) => *example,
        Err(other) => panic!("{flags}:\n{other}\n{text}"),
        Ok(proof) => panic!("{flags}: {proof:?} of\n{text}"),
    }
}

/// The emitted text of `flags` with the first `from` replaced by `to`.
pub(crate) fn edited(flags: &str, from: &str, to: &str) -> String {
    let text = generate(&spec(flags)).unwrap();
    assert!(text.contains(from), "{flags} has no {from:?}");
    text.replacen(from, to, 1)
}

/// The counter-example to the emitted routine with the first `from` replaced by `to`.
pub(crate) fn broken(flags: &str, from: &str, to: &str) -> CounterExample {
    refuted(flags, &edited(flags, from, to))
}

/// A proof with fewer cases; for routines that keep every contract and differ in what they cost.
pub(crate) fn briefly_proven(flags: &str, text: &str) -> Proof {
    let asked = spec(flags);
    let words = words(&asked, text);
    verify_code(&asked, &words, Effort::Reduced, QUIET)
        .unwrap_or_else(|error| panic!("{flags}:\n{error}\n{text}"))
}

/// The machine code of `text`.
pub(crate) fn words(asked: &Spec, text: &str) -> Vec<u32> {
    let plan = Plan::new(asked).unwrap();
    let object = Assembler::Rustc
        .assemble(asked, plan.isa(), text)
        .unwrap_or_else(|error| panic!("{error}"));
    code_words(&object, plan.symbol(), plan.isa().xlen).unwrap_or_else(|error| panic!("{error}"))
}

/// The size in the call of a counter-example.
pub(crate) fn size(example: &CounterExample) -> u64 {
    let (_, rest) = example.call.split_once("n = ").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

/// The instructions of an emitted text, without tab and comment and with one blank before their operands.
pub(crate) fn instructions(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines()
        .filter_map(|line| line.strip_prefix('\t'))
        .filter(|inst| inst.starts_with(|c: char| c.is_ascii_lowercase()))
        .map(|inst| inst.split("\t/*").next().unwrap().replace('\t', " "))
}
