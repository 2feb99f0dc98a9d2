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

pub(crate) const CLASSES: [Class; 12] = [
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
        |change| change.shifts_small_number(),
        "32 bits hold the number and the result, so the signed or 32-bit form does the same",
    ),
    class(
        "low bits",
        |change| change.differs_in_high_bits(),
        "a 32-bit difference of which only low bits are used: masked, or as a shift count",
    ),
    class(
        "disjoint",
        |change| change.joins_disjoint_bits(),
        "or, xor, add of values without a bit in common: the halves of a merge, a byte and a shift of it",
    ),
    class(
        "mask",
        |change| change.masks_below_constant(),
        "the mask differs in bits that are never set, the value being below a constant",
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

/// Survivors of no general class: the routine, the change, and what makes it right. They hang on where code happens to lie.
const LISTED: [(&str, &str, &str); 3] = [
    (
        "--op memcpy --xlen 32",
        "0x18c: beq x5, x0, .+20 became beq x5, x0, .+532",
        "no word is left: the tail of at most 3 bytes goes by the mismatched path's last bytes in place of a half word and a byte",
    ),
    (
        "--op memset --xlen 64",
        "0x104: beq x5, x0, .+16 became beq x5, x0, .+80",
        "less than two words are left: they go by the ladder of bytes, which tests the same bits of n",
    ),
    (
        "--op memset --xlen 64",
        "0x138: beq x5, x0, .+12 became beq x5, x0, .+76",
        "into the ladder of bytes at a branch on t0, which is zero: it leads on to bits 1 and 0 of n, all that is left",
    ),
];

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
        let shown = self.to_string();
        let mut listed = LISTED.iter();
        listed.any(|(flags, change, _)| *flags == self.kernel.flags && *change == shown)
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
