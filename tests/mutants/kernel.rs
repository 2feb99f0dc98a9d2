//! Routines to change, and the verifier's word on what became of them.

use memgen::verify::{
    Assembler, Contract, Effort, FaultEntry, VerifyError, code_words, fault_table, verify_code,
    verify_user_code,
};
use memgen::{Op, Shape, Spec};

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
    /// Its fault table, if it touches user memory.
    pub(crate) entries: Vec<FaultEntry>,
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
            entries: Vec::new(),
        };
        let object = assemble_object(&kernel, std::iter::once(kernel.text.as_str()));
        let symbol = name(&kernel, 0);
        let plan = memgen::Plan::new(&kernel.spec).unwrap();
        kernel.words = code_words(&object, &symbol, kernel.xlen).unwrap();
        kernel.entries = fault_table(&object, &symbol, &plan).unwrap();
        assert_eq!(kernel.objection(&kernel.words), None, "{flags}, unchanged");
        kernel
    }

    /// The contract that `words` break, the whole proof failing. The reduced cases come first: they are some of the full ones and
    /// find most mutants sooner.
    pub(crate) fn objection(&self, words: &[u32]) -> Option<Contract> {
        self.objection_to(words, &self.entries)
    }

    /// The same for another fault table. What touches user memory has reduced cases alone, unless all mutants are asked for: they are
    /// to find every one, and the full ones take seconds.
    pub(crate) fn objection_to(&self, words: &[u32], entries: &[FaultEntry]) -> Option<Contract> {
        let is_user = self.spec.op.touches_user();
        let efforts: &[Effort] = match is_user && !crate::all() {
            true => &[Effort::Reduced],
            false => &[Effort::Reduced, Effort::Full],
        };
        efforts.iter().find_map(|effort| {
            let result = match is_user {
                true => verify_user_code(&self.spec, words, entries, *effort, &|_, _| {}),
                false => verify_code(&self.spec, words, *effort, &|_, _| {}),
            };
            match result {
                Ok(_) => None,
                Err(VerifyError::Refuted(example)) => Some(example.contract),
                // A flip of an access leaves its entry behind.
                Err(VerifyError::Object(_)) if is_user => Some(Contract::Faults),
                Err(other) => panic!("{}: {other}", self.flags),
            }
        })
    }

    pub(crate) fn is_stepped(&self) -> bool {
        self.spec.shape == Shape::Stepped
    }

    pub(crate) fn op(&self) -> &'static str {
        match self.spec.op {
            Op::Memcpy => "memcpy",
            Op::Memmove => "memmove",
            Op::Memset => "memset",
            Op::CopyToUser => "copy_to_user",
            Op::CopyFromUser => "copy_from_user",
            _ => "clear_user",
        }
    }
}

/// The machine code of each of `texts`, edits of the kernel's, in one run of the assembler.
pub(crate) fn assemble_all(kernel: &Kernel, texts: &[&str]) -> Vec<Vec<u32>> {
    let object = assemble_object(kernel, texts.iter().copied());
    let code = |number| code_words(&object, &name(kernel, number), kernel.xlen).unwrap();
    (0..texts.len()).map(code).collect()
}

/// One object of all `texts`, edits of the kernel's: every routine under the [`name`] of its number.
pub(crate) fn assemble_object<'t>(
    kernel: &Kernel,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<u8> {
    let all: String = texts
        .enumerate()
        .map(|(number, text)| text.replace(kernel.op(), &name(kernel, number)))
        .collect();
    let plan = memgen::Plan::new(&kernel.spec).unwrap();
    Assembler::Rustc
        .assemble(&kernel.spec, plan.isa(), &all)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.flags))
}

/// What the routine of an edit is called.
pub(crate) fn name(kernel: &Kernel, number: usize) -> String {
    format!("{}_{number}", kernel.op())
}
