//! A register for each role of a copy in the shape `entered`.

use crate::isa::Isa;
use crate::plan::free;
use crate::reg::Reg;
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
        let mut free = free::registers(spec, isa, &free::ORDER);
        let jump = free.iter().position(|reg| *reg == Reg::T2)?;
        let jump = free.remove(jump);
        let mut free = free.into_iter();
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
            jump,
        })
    }
}
