//! The bytes of a partial word: copied in aligned pieces, byte by byte, or stored out of a register that holds the word.

use super::slots::Row;
use super::way::{Piece, Side, Way, pieces};
use crate::inst::{Label, Width};
use crate::kernel::emit::Emitter;
use crate::reg::Reg;

/// Bytes of code of a shared slot: a shift, a store, and the way on.
pub(super) const SHARED_SLOT_BYTES: u32 = 16;

/// Where a partial word lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) side: Side,
    /// Bytes of it that lie in the block.
    pub(super) bytes: u32,
    /// Bytes of the whole word.
    pub(super) word_bytes: u32,
    /// The word starts at this offset from the register.
    pub(super) to: (Reg, i32),
    /// The same in the source.
    pub(super) from: (Reg, i32),
}

impl Part {
    /// Copies the part where its pieces are aligned in the source too: loads, then stores.
    ///
    /// ```text
    ///     lbu   a6, 1(a5)
    ///     lhu   a7, 2(a5)
    ///     sb    a6, 1(a3)
    ///     sh    a7, 2(a3)
    /// ```
    pub(super) fn copy(&self, e: &mut Emitter, data: &[Reg]) {
        self.copy_pieces(e, &pieces(self.side, self.bytes, self.word_bytes), data);
    }

    fn copy_pieces(&self, e: &mut Emitter, pieces: &[Piece], data: &[Reg]) {
        let ((from, from_start), (to, to_start)) = (self.from, self.to);
        let moves = pieces.iter().zip(data).map(|(piece, reg)| {
            let offset = piece.offset as i32;
            (piece.width, *reg, from_start + offset, to_start + offset)
        });
        e.copy(from, to, moves);
    }

    /// Offset, from the word's start, of the part's first byte.
    fn first(&self) -> u32 {
        match self.side {
            Side::Start => self.word_bytes - self.bytes,
            Side::End => 0,
        }
    }

    /// Copies the part byte by byte: loads, then stores.
    pub(super) fn copy_bytes(&self, e: &mut Emitter, data: &[Reg]) {
        let width = Width::Byte;
        let bytes: Vec<Piece> = (self.first()..self.first() + self.bytes)
            .map(|offset| Piece { width, offset })
            .collect();
        self.copy_pieces(e, &bytes, data);
    }

    /// Copies the part byte by byte through one register, in the order of the way.
    pub(super) fn copy_bytes_in_turn(&self, e: &mut Emitter, way: Way, data: Reg) {
        for index in 0..self.bytes {
            let index = match way {
                Way::Down => self.first() + self.bytes - 1 - index,
                Way::Up => self.first() + index,
            } as i32;
            e.load(Width::Byte, data, self.from.1 + index, self.from.0);
            e.store(Width::Byte, data, self.to.1 + index, self.to.0);
        }
    }

    /// Stores the part out of a register that holds its word; both registers are lost.
    ///
    /// ```text
    ///     srli  t1, t0, 8
    ///     sb    t1, 1(a3)
    ///     srli  t0, t0, 16
    ///     sh    t0, 2(a3)
    /// ```
    pub(super) fn store(&self, e: &mut Emitter, value: Reg, scratch: Reg) {
        let pieces = pieces(self.side, self.bytes, self.word_bytes);
        for (index, piece) in pieces.iter().enumerate() {
            let is_last = index + 1 == pieces.len();
            let data = if piece.offset == 0 {
                value
            } else {
                let data = if is_last { value } else { scratch };
                e.srli(data, value, 8 * piece.offset);
                data
            };
            e.store(
                piece.width,
                data,
                self.to.1 + piece.offset as i32,
                self.to.0,
            );
        }
    }
}

/// Slots for every partial word on one side, in the order of `numbers`: each stores one piece out of `value` and goes on to the slot
/// of the rest. `leave`, two instructions at most, ends a part.
///
/// ```text
///     srli  t1, t0, 40        srli  t1, t0, 48
///     sb    t1, 5(a3)         sh    t1, 6(a3)
///     j     .Lhead_6          ret
/// ```
pub(super) struct SharedRow {
    pub(super) side: Side,
    pub(super) word_bytes: u32,
    pub(super) to: (Reg, i32),
    pub(super) value: Reg,
    pub(super) scratch: Reg,
    pub(super) name: &'static str,
    /// Whether a slot's number counts the bytes outside the block, as a phase does, or those of the part.
    pub(super) by_phase: bool,
}

impl SharedRow {
    /// Slot 1 comes first.
    pub(super) fn write(&self, e: &mut Emitter, slots: Label, leave: impl Fn(&mut Emitter)) {
        let mut row = Row::new(e, slots, SHARED_SLOT_BYTES);
        let labels: Vec<Label> = (0..self.word_bytes)
            .map(|number| e.label(&format!("{}_{number}", self.name)))
            .collect();
        for number in 1..self.word_bytes {
            let flip = |count: u32| match self.by_phase {
                true => self.word_bytes - count,
                false => count,
            };
            let bytes = flip(number);
            let all = pieces(self.side, bytes, self.word_bytes);
            // The piece that no other slot has: the one at the block's end.
            let (own, rest) = match self.side {
                Side::Start => (all[0], bytes - all[0].width.bytes()),
                Side::End => {
                    let last = all[all.len() - 1];
                    (last, bytes - last.width.bytes())
                }
            };
            row.slot(e, |e| {
                e.place(labels[number as usize]);
                let data = if own.offset == 0 {
                    self.value
                } else {
                    e.srli(self.scratch, self.value, 8 * own.offset);
                    self.scratch
                };
                e.store(own.width, data, self.to.1 + own.offset as i32, self.to.0);
                match rest {
                    0 => leave(e),
                    rest => e.j(labels[flip(rest) as usize]),
                }
            });
        }
        row.finish(e);
    }
}

/// A partial word out of a register, by the bits of its count: less code than slots, and more instructions. All registers are lost.
pub(super) struct PieceTests {
    pub(super) side: Side,
    pub(super) word_bytes: u32,
    /// The boundary between the partial word and whole ones.
    pub(super) to: Reg,
    pub(super) count: Reg,
    pub(super) value: Reg,
    pub(super) scratch: Reg,
}

impl PieceTests {
    /// The largest piece lies next to the boundary; goes on at `next`.
    ///
    /// ```text
    ///     andi  a7, t2, 4             andi  a7, t2, 4
    ///     beqz  a7, .Ltail_2          beqz  a7, .Lhead_2
    ///     sw    t4, 0(a2)             srli  a7, t4, 32
    ///     srli  t4, t4, 32            sw    a7, -4(a2)
    ///     addi  a2, a2, 4             slli  t4, t4, 32
    /// .Ltail_2:                       addi  a2, a2, -4
    ///     ...                         ...
    /// ```
    pub(super) fn write(&self, e: &mut Emitter, next: Label) {
        let word_bits = 8 * self.word_bytes;
        let mut size = self.word_bytes / 2;
        while size > 0 {
            let width = Width::from_bytes(size).expect("a power of two below the word");
            let (bytes, bits) = (size as i32, 8 * size);
            let smaller = match size {
                1 => next,
                _ => e.label(&format!("{}_piece_{}", self.side.name(), size / 2)),
            };
            e.andi(self.scratch, self.count, bytes);
            e.beqz(self.scratch, smaller);
            match self.side {
                Side::End => e.store(width, self.value, 0, self.to),
                Side::Start => {
                    e.srli(self.scratch, self.value, word_bits - bits);
                    e.store(width, self.scratch, -bytes, self.to);
                }
            }
            if size == 1 {
                e.j(next);
                return;
            }
            match self.side {
                Side::End => {
                    e.srli(self.value, self.value, bits);
                    e.addi(self.to, self.to, bytes);
                }
                Side::Start => {
                    e.slli(self.value, self.value, bits);
                    e.addi(self.to, self.to, -bytes);
                }
            }
            e.place(smaller);
            size /= 2;
        }
    }
}
