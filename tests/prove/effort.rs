//! How much of a proof the tests run, and what they count.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Instant;

use memgen::verify::{
    Assembler, Effort, FaultEntry, Proof, VerifyError, code_words, fault_table, verify_code,
    verify_text, verify_user_code,
};
use memgen::{Op, OverRead, Plan, Spec, generate};

use crate::support::{announce, spec};

pub(crate) const QUIET: &(dyn Fn(u64, u64) + Sync) = &|_, _| {};

/// A memmove is tried at every distance up to two blocks, so that its cases grow with the square of the block: with 256 bytes they
/// are two million. A user copy is tried with a fault at every byte: they are three million. Those, and moves with blocks above so
/// many bytes, a plain `cargo test` proves with reduced effort; `MEMGEN_ALL_PROOFS=1`, best with `--release`, proves all with full
/// effort.
const LONGEST_MOVE: u32 = 128;

/// What every test of this target has proven: variants, cases.
static TOTAL: Mutex<(u64, u64)> = Mutex::new((0, 0));

/// Machine code with everything that its contracts depend on: what is proven once need not be proven again.
type Seen = HashSet<(Vec<u32>, Op, u32, bool, OverRead, u32, bool, User)>;

/// Of what touches user memory the fault table, and in words what it does about faults.
type User = (Vec<FaultEntry>, String);

/// The proofs of one test.
#[derive(Default)]
pub(crate) struct Proven {
    proofs: Vec<Proof>,
    seen: Seen,
    repeated: u64,
    reduced: u64,
}

impl Proven {
    /// Proves the routine of `memgen FLAGS`.
    pub(crate) fn prove_flags(&mut self, flags: &str) {
        let asked = spec(flags);
        let text = generate(&asked).unwrap_or_else(|problems| panic!("{flags}:\n{problems}"));
        self.prove(&asked, &text);
    }

    /// Proves `text` against the contracts of `asked`, unless the same code has been.
    pub(crate) fn prove(&mut self, asked: &Spec, text: &str) {
        let plan = Plan::new(asked).unwrap();
        let object = Assembler::Rustc.assemble(asked, plan.isa(), text).unwrap();
        let words = code_words(&object, plan.symbol(), plan.isa().xlen).unwrap();
        let entries = fault_table(&object, plan.symbol(), &plan).unwrap();
        let key = (
            words.clone(),
            plan.op(),
            plan.isa().xlen,
            plan.isa().embedded,
            plan.over_read(),
            plan.word_bytes(),
            plan.is_strict(),
            (entries.clone(), format!("{:?}", plan.user())),
        );
        if !self.seen.insert(key) {
            self.repeated += 1;
            return;
        }
        let is_long = plan.op() == Op::Memmove && plan.largest_block_bytes() > LONGEST_MOVE;
        let effort = if (is_long || plan.user().is_some()) && !all() {
            self.reduced += 1;
            Effort::Reduced
        } else {
            Effort::Full
        };
        let result = match plan.user() {
            Some(_) => verify_user_code(asked, &words, &entries, effort, QUIET),
            None => verify_code(asked, &words, effort, QUIET),
        };
        match result {
            Ok(proof) => self.proofs.push(proof),
            Err(error) => panic!(
                "{}:\n{}",
                asked.command_line(),
                readable(asked, text, error)
            ),
        }
    }

    /// Announces what was proven since `started`.
    pub(crate) fn count(&self, what: &str, started: Instant) {
        let cases = self.proofs.iter().map(|proof| proof.cases).sum::<u64>();
        let faults = self.proofs.iter().map(|proof| proof.faults).sum::<u64>();
        let faults = match faults {
            0 => String::new(),
            _ => format!(" and {faults} faults"),
        };
        let mut total = TOTAL.lock().unwrap();
        total.0 += self.proofs.len() as u64;
        total.1 += cases;
        announce(&format!(
            "proven: {what}: {} variants, {} of them with reduced effort, {cases} cases{faults} in {:.1} s, {} of the same code; so far {} \
             variants, {} cases",
            self.proofs.len(),
            self.reduced,
            started.elapsed().as_secs_f64(),
            self.repeated,
            total.0,
            total.1,
        ));
    }
}

pub(crate) fn all() -> bool {
    std::env::var_os("MEMGEN_ALL_PROOFS").is_some_and(|value| value == "1")
}

/// The counter-example with source lines, if the text gives it too.
fn readable(asked: &Spec, text: &str, error: VerifyError) -> VerifyError {
    verify_text(asked, text, &Assembler::Rustc, QUIET)
        .err()
        .unwrap_or(error)
}
