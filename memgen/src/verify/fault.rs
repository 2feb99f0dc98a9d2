//! What stops a call.

use super::memory::Place;
use super::value::Value;

/// What may not happen during a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// A store to a byte outside the destination block.
    StoreOutside { place: Place, bytes: u8 },
    /// A load of a byte outside what may be loaded.
    LoadOutside { place: Place, bytes: u8 },
    /// A sp-relative access below sp or outside the frame, or of less than a register where that is the rule.
    OutsideFrame { place: Place, bytes: u8 },
    /// sp moved out of the frame.
    StackPointer { value: Value, frame_bytes: u64 },
    /// An access whose address is no multiple of its width.
    Misaligned { place: Place, bytes: u8 },
    /// An access wider than the word.
    TooWide { bytes: u8 },
    /// An address, or a jump's target, that is no pointer into one object.
    UnknownAddress { value: Value },
    /// A branch on bytes of the blocks.
    BranchOnData { left: Value, right: Value },
    /// A branch on where objects lie in memory.
    BranchOnPlacement { left: Value, right: Value },
    /// A word, or two bytes, that are no instruction of the base.
    Undecodable { word: u32 },
    /// A jump to somewhere outside the routine.
    LeftCode,
    /// More instructions than the plan predicts.
    TooLong { bound: u64 },
    /// An access to user memory that the fault table does not have.
    NoEntry { place: Place, bytes: u8 },
    /// An access to other memory that the fault table has.
    NeedlessEntry { place: Place, bytes: u8 },
    /// An access to user memory with SUM off.
    SumOff { place: Place, bytes: u8 },
    /// A return with SUM on.
    SumLeftOn,
    /// A write to sstatus that changes more than SUM, or nobody knows what.
    Status { mask: Value },
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// Through ra.
    Returned,
    /// At an access to the part of a huge block that is not there.
    LeftWindow,
    /// At the instruction at halfword `index` of the routine.
    Broke { index: usize, fault: Fault },
    /// Not yet: the access at halfword `index` is one that some of the pending faults hit.
    Hit { index: usize, access: Access },
}

/// An access to user memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Access {
    pub(super) side: Side,
    /// Number of its first byte in the block; negative before it.
    pub(super) start: i64,
    pub(super) bytes: u8,
}

/// One of the two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Source,
    Destination,
}
