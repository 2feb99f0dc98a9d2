//! Routines to change, and the verifier's word on what became of them.

use memgen::verify::{Assembler, Contract, Effort, VerifyError, code_words, verify_code};
use memgen::{Shape, Spec};

use crate::support::spec;

/// Code that steps. memmove has a small block: the cases of its overlaps grow with the square of the block.
pub(crate) const STEPPED: [&str; 4] = [
    "--op memcpy --xlen 64 --shape stepped",
    "--op memcpy --xlen 32 --shape stepped",
    "--op memmove --xlen 32 --unroll 4 --shape stepped",
    "--op memset --xlen 64 --shape stepped",
];

/// Code that is entered by computed jumps, and the smallest.
pub(crate) const ENTERED: [&str; 4] = [
    "--op memcpy --xlen 64",
    "--op memmove --xlen 32",
    "--op memset --xlen 64",
    "--op memcpy --xlen 64 --preset small",
];

/// One whose sizes have slots, with tails in them; too large to flip all its bits.
pub(crate) const FASTEST: &str = "--op memcpy --xlen 64 --preset fastest";

/// A routine as it is emitted.
pub(crate) struct Kernel {
    pub(crate) flags: &'static str,
    pub(crate) spec: Spec,
    pub(crate) xlen: u32,
    pub(crate) text: String,
    pub(crate) words: Vec<u32>,
}

impl Kernel {
    pub(crate) fn new(flags: &'static str) -> Kernel {
        let spec = spec(flags);
        let mut kernel = Kernel {
            flags,
            xlen: memgen::Plan::new(&spec).unwrap().isa().xlen,
            text: memgen::generate(&spec).unwrap(),
            spec,
            words: Vec::new(),
        };
        kernel.words = assemble_all(&kernel, &[&kernel.text]).remove(0);
        assert_eq!(kernel.objection(&kernel.words), None, "{flags}, unchanged");
        kernel
    }

    /// The contract that `words` break, the whole proof failing. The reduced cases come first: they are some of the full ones and
    /// find most mutants sooner.
    pub(crate) fn objection(&self, words: &[u32]) -> Option<Contract> {
        [Effort::Reduced, Effort::Full]
            .into_iter()
            .find_map(
                |effort| match verify_code(&self.spec, words, effort, &|_, _| {}) {
                    Ok(_) => None,
                    Err(VerifyError::Refuted(example)) => Some(example.contract),
                    Err(other) => panic!("{}: {other}", self.flags),
                },
            )
    }

    pub(crate) fn is_stepped(&self) -> bool {
        self.spec.shape == Shape::Stepped
    }

    pub(crate) fn op(&self) -> &'static str {
        match self.spec.op {
            memgen::Op::Memcpy => "memcpy",
            memgen::Op::Memmove => "memmove",
            _ => "memset",
        }
    }
}

/// The machine code of each of `texts`, edits of the kernel's, in one run of the assembler: every routine under a name of its own.
pub(crate) fn assemble_all(kernel: &Kernel, texts: &[&str]) -> Vec<Vec<u32>> {
    let name = |number: usize| format!("{}_{number}", kernel.op());
    let all: String = (0..texts.len())
        .map(|number| texts[number].replace(kernel.op(), &name(number)))
        .collect();
    let plan = memgen::Plan::new(&kernel.spec).unwrap();
    let object = Assembler::Rustc
        .assemble(&kernel.spec, plan.isa(), &all)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.flags));
    let code = |number| code_words(&object, &name(number), kernel.xlen).unwrap();
    (0..texts.len()).map(code).collect()
}
