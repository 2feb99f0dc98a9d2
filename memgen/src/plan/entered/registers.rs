//! A register for each role of a copy in the shape `entered`.

use crate::isa::Isa;
use crate::reg::{Reg, RegSet};
use crate::spec::Spec;

/// A register for each role of the shape `entered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnteredRegs {
    /// Destination, at the word boundary that words are counted from.
    pub(crate) to: Reg,
    /// Bytes of word 0 that lie outside the block.
    pub(crate) phase: Reg,
    /// Source address that belongs to `to`.
    pub(crate) from: Reg,
    /// Source word under way.
    pub(crate) inner: Reg,
    /// Result of a merge.
    pub(crate) out: Reg,
    /// The part of a merge that comes from the source word before.
    pub(crate) carried: Reg,
    /// Holds intermediate values.
    pub(crate) scratch: Reg,
    /// For computed jumps: t2, which needs no landing pad.
    pub(crate) jump: Reg,
    /// Bits by which a word moves down.
    pub(crate) right: Reg,
    /// Bits by which a word moves up.
    pub(crate) left: Reg,
    /// The source's own word boundary.
    pub(crate) words: Reg,
    /// Keeps the address that jumps count from; `None` where registers are short: it is then asked for again.
    pub(crate) anchor: Option<Reg>,
}

impl EnteredRegs {
    /// Hands out registers that a call may clobber, argument registers first; `None` if one is missing.
    pub(super) fn new(spec: &Spec, isa: &Isa) -> Option<EnteredRegs> {
        let avoid: RegSet = spec
            .avoided()
            .iter()
            .filter_map(|name| Reg::from_name(name))
            .collect();
        let usable = isa.caller_saved().without(avoid);
        let mut free = [
            "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t3", "t4", "t5", "t6",
        ]
        .into_iter()
        .filter_map(Reg::from_name)
        .filter(|reg| usable.contains(*reg));
        Some(EnteredRegs {
            to: free.next()?,
            phase: free.next()?,
            from: free.next()?,
            inner: free.next()?,
            out: free.next()?,
            carried: free.next()?,
            scratch: free.next()?,
            right: free.next()?,
            left: free.next()?,
            words: free.next()?,
            anchor: free.next(),
            jump: usable.contains(Reg::T2).then_some(Reg::T2)?,
        })
    }
}
