//! Why a mutant that the verifier proves is no broken routine. Each class is decided from the code, over every path and value; a
//! survivor of no class is a hole in the verifier.

use super::flow::Flow;
use super::word::{Inst, take_apart};

/// A reason for which a changed instruction changes nothing that a contract speaks of.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    holds: fn(&Change) -> bool,
}

const fn class(name: &'static str, holds: fn(&Change) -> bool, reason: &'static str) -> Class {
    Class {
        name,
        reason,
        holds,
    }
}

pub(crate) const CLASSES: [Class; 12] = [
    class(
        "load",
        Change::loads_what_is_stored,
        "extended otherwise, or wider within its aligned word, and only the bytes loaded before are stored",
    ),
    class(
        "constant",
        Change::is_same_number,
        "the same number by another operation on x0, or the same register by another operation with 0",
    ),
    class(
        "small number",
        Change::shifts_small_number,
        "32 bits hold the number and the result, so the signed or 32-bit form does the same",
    ),
    class(
        "low bits",
        Change::differs_in_high_bits,
        "a 32-bit difference of which only low bits are used: masked, or as a shift count",
    ),
    class(
        "disjoint",
        Change::joins_disjoint_bits,
        "or, xor, add of values without a bit in common: the halves of a merge, a byte and a shift of it",
    ),
    class(
        "mask",
        Change::masks_below_constant,
        "the mask differs in bits that are never set, the value being below a constant",
    ),
    class(
        "tested before",
        Change::masks_cleared_bit,
        "the mask has a bit more, which the step before tests and clears",
    ),
    class(
        "masked copy",
        Change::masks_original,
        "the register masked in place of a mask of it, or for bit 0 of its negation: the tested bit is the same",
    ),
    class(
        "threshold",
        Change::lowers_threshold,
        "a size below the bulk threshold goes by words: a head takes at most a word less one byte, the bits of n the rest",
    ),
    class(
        "link",
        Change::links_to_scratch,
        "a jump leaves its return address in a scratch register that nothing reads",
    ),
    class(
        "same end",
        Change::returns_elsewhere,
        "a branch to another return",
    ),
    class("other way", Change::is_listed, "examined one by one"),
];

/// Survivors of no general class, and what makes each right: branches to other code that does the rest as well.
const LISTED: [(&str, &str); 0] = [];

/// One instruction of a routine replaced.
pub(crate) struct Change<'a> {
    pub(crate) flow: &'a Flow,
    pub(crate) index: usize,
    pub(crate) before: Inst,
    pub(crate) after: Inst,
    pub(crate) xlen: u32,
}

impl<'a> Change<'a> {
    pub(crate) fn new(flow: &'a Flow, index: usize, word: u32, xlen: u32) -> Self {
        Change {
            flow,
            index,
            before: flow.code[index],
            after: take_apart(word),
            xlen,
        }
    }

    pub(crate) fn class(&self) -> Option<&'static Class> {
        CLASSES.iter().find(|class| (class.holds)(self))
    }

    fn is_listed(&self) -> bool {
        let shown = self.to_string();
        LISTED.iter().any(|(listed, _)| *listed == shown)
    }
}

impl std::fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Change {
            index,
            before,
            after,
            ..
        } = self;
        write!(f, "{:#x}: {before} became {after}", 4 * index)
    }
}
