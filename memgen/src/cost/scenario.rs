//! Which calls are counted: an operation, and where its blocks lie.

use std::fmt;
use std::ops::Range;

use super::Cell;
use crate::spec::Op;
use crate::verify::Call;

/// Offsets are taken modulo this, whatever the register width, so that a table of RV32 has the cells of one of RV64.
pub const OFFSETS: u64 = 8;

/// Distance of blocks apart: the whole blocks are, and RV32 reaches it.
const APART: i64 = 0x1000_0000;

/// Distance of overlapping blocks, before the offsets. What does not overlap for being short lies as close.
const NEAR: i64 = 16;

/// An operation, for memmove with the way the blocks lie. The difference of the two offsets comes on top of each distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scenario {
    /// memcpy.
    Memcpy,
    /// memmove, the destination far above the source.
    MemmoveApart,
    /// memmove, the destination 16 bytes above the source.
    MemmoveUp,
    /// memmove, the destination 16 bytes below the source.
    MemmoveDown,
    /// memset with a byte that is not zero.
    Memset,
    /// A copy to or from user memory, without a fault.
    CopyUser,
    /// clear_user, without a fault.
    ClearUser,
}

impl Scenario {
    /// The scenarios of an operation.
    pub fn of(op: Op) -> &'static [Scenario] {
        match op {
            Op::Memcpy => &[Scenario::Memcpy],
            Op::Memmove => &[
                Scenario::MemmoveApart,
                Scenario::MemmoveUp,
                Scenario::MemmoveDown,
            ],
            Op::Memset => &[Scenario::Memset],
            Op::CopyToUser | Op::CopyFromUser => &[Scenario::CopyUser],
            Op::ClearUser => &[Scenario::ClearUser],
        }
    }

    /// Its name in the column `op` of a CSV: `memcpy`, `memmove`, `memmove_ovl_up`, `memmove_ovl_dn`, `memset`, `copyuser`, `clear_user`.
    pub fn name(self) -> &'static str {
        match self {
            Scenario::Memcpy => "memcpy",
            Scenario::MemmoveApart => "memmove",
            Scenario::MemmoveUp => "memmove_ovl_up",
            Scenario::MemmoveDown => "memmove_ovl_dn",
            Scenario::Memset => "memset",
            Scenario::CopyUser => "copyuser",
            Scenario::ClearUser => "clear_user",
        }
    }

    /// The offsets of the source that are counted: all, or just 0 where there is no source.
    pub(super) fn source_offsets(self) -> Range<u64> {
        match self {
            Scenario::Memset | Scenario::ClearUser => 0..1,
            _ => 0..OFFSETS,
        }
    }
}

/// [`Scenario::name`].
impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Cell {
    /// The call that is counted in this cell.
    pub(super) fn call(&self) -> Call {
        let (bytes, source, destination) = (self.size, self.source_offset, self.destination_offset);
        let within = |distance: i64| Call::Within {
            bytes,
            source,
            distance: distance + destination as i64 - source as i64,
        };
        match self.scenario {
            Scenario::Memcpy | Scenario::CopyUser => Call::Apart {
                bytes,
                source,
                destination,
            },
            Scenario::MemmoveApart => within(APART),
            Scenario::MemmoveUp => within(NEAR),
            Scenario::MemmoveDown => within(-NEAR),
            Scenario::Memset | Scenario::ClearUser => Call::Fill { bytes, destination },
        }
    }
}
