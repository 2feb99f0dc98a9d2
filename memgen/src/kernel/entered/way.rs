//! The two ways through a block, mirror images of each other, and the partial words at its ends.
//!
//! Words are counted from the far end, which a way reaches last. Word 0 may lie in the block only in part; `to` is its outer
//! boundary, and `phase` counts its bytes outside the block. Bytes beyond the other, near boundary are moved first.
//!
//! ```text
//!     down:   to | phase, head | word 1 | word 2 | ... | tail
//!     up:          head | ... | word 2 | word 1 | tail, phase | to
//! ```

use crate::inst::{RegOp, Width};
use crate::kernel::emit::Emitter;
use crate::plan::EnteredRegs;
use crate::reg::Reg;

/// Which way words are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From the end of the block to its start.
    Down,
    /// From the start to the end.
    Up,
}

/// The side of a word on which some of its bytes lie in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The block starts in this word: its upper bytes.
    Start,
    /// The block ends in this word: its lower bytes.
    End,
}

impl Side {
    /// What the bytes of a partial word on this side are called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Start => "head",
            Side::End => "tail",
        }
    }

    /// The same at the start of a sentence.
    pub(super) fn title(self) -> &'static str {
        match self {
            Side::Start => "Head",
            Side::End => "Tail",
        }
    }
}

impl Way {
    /// The side of the partial word that is moved first.
    pub(super) fn near(self) -> Side {
        match self {
            Way::Down => Side::End,
            Way::Up => Side::Start,
        }
    }

    /// The side of word 0.
    pub(super) fn far(self) -> Side {
        match self {
            Way::Down => Side::Start,
            Way::Up => Side::End,
        }
    }

    /// The order in which words are moved.
    pub(super) fn order(self) -> &'static str {
        match self {
            Way::Down => "from the last to the first",
            Way::Up => "from the first to the last",
        }
    }

    /// What whole words do at the boundary that the way starts with.
    pub(super) fn edge(self) -> &'static str {
        match self {
            Way::Down => "end",
            Way::Up => "start",
        }
    }

    /// Offset of unit `index` from the far boundary.
    pub(super) fn unit(self, index: u32, unit_bytes: u32) -> i32 {
        match self {
            Way::Down => (index * unit_bytes) as i32,
            Way::Up => -(((index + 1) * unit_bytes) as i32),
        }
    }

    /// Offset, from the near boundary, of the unit beyond it.
    pub(super) fn beyond(self, unit_bytes: u32) -> i32 {
        match self {
            Way::Down => 0,
            Way::Up => -(unit_bytes as i32),
        }
    }

    /// Offset, from the near boundary, of unit `index` counted from there.
    pub(super) fn ahead(self, index: u32, unit_bytes: u32) -> i32 {
        match self {
            Way::Down => -(((index + 1) * unit_bytes) as i32),
            Way::Up => (index * unit_bytes) as i32,
        }
    }

    /// `bytes` in the direction of the way.
    pub(super) fn onward(self, bytes: u32) -> i32 {
        match self {
            Way::Down => -(bytes as i32),
            Way::Up => bytes as i32,
        }
    }

    /// `rd` = `from` moved by `by` bytes away from the far end.
    pub(super) fn back(self, e: &mut Emitter, rd: Reg, from: Reg, by: Reg) {
        match self {
            Way::Down => e.add(rd, from, by),
            Way::Up => e.sub(rd, from, by),
        }
    }

    /// `rd` = what a merge takes from the source word that the way meets first.
    pub(super) fn shift_near(self, e: &mut Emitter, regs: &EnteredRegs, rd: Reg, rs: Reg) {
        match self {
            Way::Down => e.op(RegOp::ShiftLeft, rd, rs, regs.left),
            Way::Up => e.op(RegOp::ShiftRight, rd, rs, regs.right),
        }
    }

    /// `rd` = what it takes from the other.
    pub(super) fn shift_far(self, e: &mut Emitter, regs: &EnteredRegs, rd: Reg, rs: Reg) {
        match self {
            Way::Down => e.op(RegOp::ShiftRight, rd, rs, regs.right),
            Way::Up => e.op(RegOp::ShiftLeft, rd, rs, regs.left),
        }
    }
}

/// An aligned part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) width: Width,
    /// From the word's start.
    pub(super) offset: u32,
}

/// The pieces of a word whose `bytes` bytes on `side` lie in the block, in ascending order:
///
/// ```text
///     7 at the start:  1 at 1, 2 at 2, 4 at 4
///     7 at the end:    4 at 0, 2 at 4, 1 at 6
/// ```
pub(super) fn pieces(side: Side, bytes: u32, word_bytes: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut offset, end) = match side {
        Side::Start => (word_bytes - bytes, word_bytes),
        Side::End => (0, bytes),
    };
    while offset < end {
        let size = match side {
            Side::Start => 1 << offset.trailing_zeros(),
            Side::End => 1 << (end - offset).ilog2(),
        };
        let width = Width::from_bytes(size).expect("a power of two within a word");
        pieces.push(Piece { width, offset });
        offset += size;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_their_bytes_once_and_aligned() {
        for word_bytes in [2, 4, 8] {
            for bytes in 1..word_bytes {
                for side in [Side::Start, Side::End] {
                    let mut offset = if side == Side::Start {
                        word_bytes - bytes
                    } else {
                        0
                    };
                    for piece in pieces(side, bytes, word_bytes) {
                        assert_eq!(piece.offset, offset);
                        assert_eq!(offset % piece.width.bytes(), 0);
                        offset += piece.width.bytes();
                    }
                    assert_eq!(
                        offset,
                        if side == Side::Start {
                            word_bytes
                        } else {
                            bytes
                        }
                    );
                }
            }
        }
    }
}
