//! Changes of the emitted text: the mistakes that a generator, or a person, would make.

use memgen::verify::Contract;
use rayon::prelude::*;

use super::emulate;
use super::kernel::{Kernel, assemble_all};
use super::mistakes::mistakes;
use super::thresholds::thresholds;
use crate::support::announce;

/// A changed text.
pub(crate) struct Edit {
    pub(crate) what: String,
    pub(crate) text: String,
    /// Why it does the same nevertheless, if it does.
    pub(crate) equivalent: Option<&'static str>,
}

/// Makes the edits of one kernel, expects the verifier to object to all but the equivalent ones, and QEMU to none of those. Gives
/// what was not as expected.
pub(crate) fn run(kernel: &Kernel) -> Vec<String> {
    let mut edits = mistakes(kernel);
    assert!(!edits.is_empty(), "no mistakes of {}", kernel.flags);
    if kernel.is_stepped() {
        edits.extend(thresholds(kernel));
    }
    let texts: Vec<&str> = edits.iter().map(|edit| edit.text.as_str()).collect();
    let codes = assemble_all(kernel, &texts);
    let objections: Vec<Option<Contract>> = codes
        .par_iter()
        .map(|words| kernel.objection(words))
        .collect();
    let mut wrong = Vec::new();
    let mut survivors = Vec::new();
    announce(&format!(
        "mutants: {}, {} edits, killed {}",
        kernel.flags,
        edits.len(),
        objections.iter().flatten().count()
    ));
    for ((edit, objection), words) in edits.iter().zip(objections).zip(codes) {
        match (edit.equivalent, objection) {
            (None, Some(_)) => {}
            (Some(reason), None) => {
                announce(&format!("  equivalent: {}: {reason}", edit.what));
                survivors.push(words);
            }
            (None, None) => wrong.push(format!("{}: proven: {}", kernel.flags, edit.what)),
            (Some(_), Some(contract)) => wrong.push(format!(
                "{}: {} is not equivalent, it breaks {contract}",
                kernel.flags, edit.what
            )),
        }
    }
    wrong.extend(emulate::wrong(kernel, &survivors, "edits"));
    wrong
}
