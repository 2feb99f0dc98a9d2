//! Every bit of the machine code, turned over one at a time.

use std::collections::BTreeMap;

use memgen::verify::Contract;
use rayon::prelude::*;

use super::classes::{CLASSES, Change, Class};
use super::flow::Flow;
use super::kernel::Kernel;
use crate::support::announce;

/// A bit of the code turned over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flip {
    pub(crate) index: usize,
    pub(crate) bit: u32,
}

impl Flip {
    /// Every `step`-th bit of `words`. An odd step comes upon every bit of an instruction in turn.
    fn every(step: usize, words: &[u32]) -> Vec<Flip> {
        let bits = (0..32 * words.len()).step_by(step);
        bits.map(|bit| Flip {
            index: bit / 32,
            bit: bit as u32 % 32,
        })
        .collect()
    }

    pub(crate) fn apply(self, words: &[u32]) -> Vec<u32> {
        let mut words = words.to_vec();
        words[self.index] ^= 1 << self.bit;
        words
    }
}

/// Flips of one kernel, and what became of them.
pub(crate) struct Outcome {
    pub(crate) survivors: Vec<Flip>,
    /// Survivors that no class explains, and mutants that a class explains though they are no survivors.
    pub(crate) holes: Vec<String>,
    pub(crate) killed: usize,
    pub(crate) flips: usize,
}

/// Proves every `step`-th flip of the kernel; prints the table of what became of them. Where no way leads, one bit of a word is enough.
pub(crate) fn run(kernel: &Kernel, step: usize) -> Outcome {
    let flow = Flow::new(&kernel.words, kernel.xlen);
    let mut flips = Flip::every(step, &kernel.words);
    flips.retain(|flip| flow.is_reached(flip.index) || flip.bit == 0);
    let objections: Vec<Option<Contract>> = flips
        .par_iter()
        .map(|flip| kernel.objection(&flip.apply(&kernel.words)))
        .collect();
    let mut by_contract = BTreeMap::new();
    for contract in objections.iter().flatten() {
        *by_contract.entry(contract).or_insert(0) += 1;
    }
    let changes: Vec<(Change, Option<&Class>)> = flips
        .par_iter()
        .map(|flip| {
            let word = flip.apply(&kernel.words)[flip.index];
            let change = Change::new(kernel, &flow, flip.index, word);
            let class = change.class();
            (change, class)
        })
        .collect();
    let mut by_class = BTreeMap::new();
    let (mut survivors, mut holes) = (Vec::new(), Vec::new());
    for ((flip, objection), (change, class)) in flips.iter().zip(&objections).zip(changes) {
        let hole = |what: &str| format!("{}, bit {}, {change}: {what}", kernel.flags, flip.bit);
        match (objection, class) {
            (None, Some(class)) => *by_class.entry(class.name).or_insert(0) += 1,
            (None, None) => holes.push(hole("proven")),
            // A class that is too wide would hide a hole.
            (Some(_), Some(class)) if class.suffices() => {
                holes.push(hole(&format!("killed, yet of class {}", class.name)))
            }
            (Some(_), _) => {}
        }
        survivors.extend(objection.is_none().then_some(*flip));
    }
    let outcome = Outcome {
        killed: flips.len() - survivors.len(),
        flips: flips.len(),
        survivors,
        holes,
    };
    let Outcome { killed, flips, .. } = outcome;
    announce(&format!("mutants: {}", kernel.flags));
    announce(&format!(
        "  flips {flips:>6}   killed {killed:>6} = {:.2} %   equivalent {}   holes {}",
        100.0 * killed as f64 / flips as f64,
        by_class.values().sum::<usize>(),
        outcome.holes.len(),
    ));
    for (contract, count) in by_contract {
        announce(&format!("  killed     {count:>6}   {contract}"));
    }
    for class in &CLASSES {
        if let Some(count) = by_class.get(class.name) {
            announce(&format!(
                "  equivalent {count:>6}   {}: {}",
                class.name, class.reason
            ));
        }
    }
    for hole in &outcome.holes {
        announce(&format!("  HOLE       {hole}"));
    }
    outcome
}
