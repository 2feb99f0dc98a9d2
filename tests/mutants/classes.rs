//! Why a mutant that the verifier proves is no broken routine. Each class is decided from the code, over every path and value; a
//! survivor of no class is a hole in the verifier.

use super::flow::Flow;
use super::kernel::Kernel;
use super::word::{Inst, take_apart};

/// A reason for which a changed instruction changes nothing that a contract speaks of.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    holds: fn(&Change) -> bool,
}

impl Class {
    /// Whether the rule says it all; the others leave accesses and scratch registers to the verifier.
    pub(crate) fn suffices(&self) -> bool {
        !["load", "link"].contains(&self.name)
    }
}

const fn class(name: &'static str, holds: fn(&Change) -> bool, reason: &'static str) -> Class {
    Class {
        name,
        reason,
        holds,
    }
}

pub(crate) const CLASSES: [Class; 14] = [
    class(
        "gap",
        |change| change.is_never_executed(),
        "between two slots, where no way leads",
    ),
    class(
        "load",
        |change| change.loads_what_is_stored(),
        "extended otherwise, or wider within its aligned word, and only the bytes loaded before are stored",
    ),
    class(
        "constant",
        |change| change.is_same_number(),
        "the same number by another operation on x0, or the same register by another operation with 0",
    ),
    class(
        "small number",
        |change| change.is_small_number(),
        "32 bits hold the number and the result, so the signed or 32-bit form does the same",
    ),
    class(
        "low bits",
        |change| change.differs_in_high_bits(),
        "32 bits of a value of which only low bits are used: masked, stored, or as a shift count",
    ),
    class(
        "disjoint",
        |change| change.joins_disjoint_bits(),
        "or, xor, add of values without a bit in common: the halves of a merge, a byte and a shift of it",
    ),
    class(
        "mask",
        |change| change.masks_clear_bits(),
        "the mask differs in bits that are never set: the value is below a constant, or a multiple",
    ),
    class(
        "unit",
        |change| change.compares_multiples(),
        "compared with a number to the next multiple of which the value, a multiple itself, has the same place",
    ),
    class(
        "tested before",
        |change| change.masks_cleared_bit(),
        "the mask has a bit more, which the step before tests and clears",
    ),
    class(
        "masked copy",
        |change| change.masks_original(),
        "the register masked in place of a mask of it, or for bit 0 of its negation: the tested bit is the same",
    ),
    class(
        "threshold",
        |change| change.lowers_threshold(),
        "a size below the bulk threshold goes by words: a head takes at most a word less one byte, the bits of n the rest",
    ),
    class(
        "link",
        |change| change.links_to_scratch(),
        "a jump leaves its return address in a scratch register that nothing reads",
    ),
    class(
        "same end",
        |change| change.returns_elsewhere(),
        "a branch to another return",
    ),
    class(
        "other way",
        |change| change.is_listed(),
        "a branch to other code that does the rest as well, each examined and listed",
    ),
];

/// Survivors of no general class. They hang on where code happens to lie.
const LISTED: &str = include_str!("listed.txt");

/// One instruction of a routine replaced.
pub(crate) struct Change<'a> {
    pub(crate) flow: &'a Flow,
    pub(crate) index: usize,
    pub(crate) before: Inst,
    pub(crate) after: Inst,
    pub(crate) kernel: &'a Kernel,
}

impl<'a> Change<'a> {
    pub(crate) fn new(kernel: &'a Kernel, flow: &'a Flow, index: usize, word: u32) -> Self {
        Change {
            flow,
            index,
            before: flow.code[index],
            after: take_apart(word, kernel.xlen),
            kernel,
        }
    }

    pub(crate) fn class(&self) -> Option<&'static Class> {
        CLASSES.iter().find(|class| (class.holds)(self))
    }

    fn is_listed(&self) -> bool {
        let (title, shown) = (format!("[{}]", self.kernel.flags), self.to_string());
        let lines = LISTED.lines().skip_while(|line| *line != title).skip(1);
        lines
            .take_while(|line| !line.starts_with('['))
            .any(|line| line.strip_prefix("    ") == Some(&shown))
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
