//! Which way bytes move, and the moves every part is made of: pieces, blocks, ladders, loops.
//!
//! Going backward, both cursors stand behind the last byte that is left, and every offset is negative: the same code
//! serves both directions.

use super::emit::Emitter;
use super::frame;
use super::user::Stop;
use crate::inst::{Condition, Label, Width};
use crate::plan::groups;
use crate::reg::Reg;

/// What moves where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// A copy, ascending.
    Forward,
    /// A copy, descending.
    Backward,
    /// A fill, ascending: stores alone.
    Fill,
}

impl Motion {
    /// The source cursor.
    const SOURCE: Reg = Reg::A1;

    /// Offset of the `size` bytes that come after `done` bytes.
    pub(super) fn offset(self, done: u32, size: u32) -> i32 {
        match self {
            Motion::Forward | Motion::Fill => done as i32,
            Motion::Backward => -((done + size) as i32),
        }
    }

    /// The cursor that a loop compares with its limit.
    fn leader(self, e: &Emitter) -> Reg {
        match self {
            Motion::Forward | Motion::Backward => Motion::SOURCE,
            Motion::Fill => e.plan.registers.cursor,
        }
    }

    /// Moves the cursors on by `bytes`:
    ///
    /// ```text
    ///     addi  a1, a1, 128
    ///     addi  a3, a3, 128
    /// ```
    pub(super) fn advance(self, e: &mut Emitter, bytes: u32) {
        let step = if self == Motion::Backward {
            -(bytes as i32)
        } else {
            bytes as i32
        };
        if self != Motion::Fill {
            e.addi(Motion::SOURCE, Motion::SOURCE, step);
        }
        let cursor = e.plan.registers.cursor;
        e.addi(cursor, cursor, step);
    }

    /// A hint to bring in the source some way ahead, where the plan says how far.
    pub(super) fn prefetch(self, e: &mut Emitter) {
        if let Some(bytes) = e.plan.prefetch {
            let ahead = if self == Motion::Backward {
                -(bytes as i32)
            } else {
                bytes as i32
            };
            e.prefetch(ahead, Motion::SOURCE);
        }
    }

    /// `rd` = `from` moved on by the bytes in `count`.
    pub(super) fn moved(self, e: &mut Emitter, rd: Reg, from: Reg, count: Reg) {
        match self {
            Motion::Forward | Motion::Fill => e.add(rd, from, count),
            Motion::Backward => e.sub(rd, from, count),
        }
    }

    /// Moves `count` pieces of `width` at the cursors through caller-saved registers, as [`Motion::groups`] does.
    pub(super) fn pieces(self, e: &mut Emitter, width: Width, count: u32) {
        let in_flight = e.plan.registers.in_flight_unsaved();
        self.groups(e, width, count, in_flight);
    }

    /// Moves `count` pieces of `width` at the cursors, in groups of at most `in_flight`: the loads of a group, then its stores.
    pub(super) fn groups(self, e: &mut Emitter, width: Width, count: u32, in_flight: u32) {
        let plan = e.plan;
        let cursor = plan.registers.cursor;
        let size = width.bytes();
        if self == Motion::Fill {
            for index in 0..count {
                let offset = self.offset(index * size, size);
                e.store(width, plan.registers.fill, offset, cursor);
            }
            return;
        }
        let mut done = 0;
        for group in groups(count, in_flight) {
            let moves = (done..done + group)
                .zip(&plan.registers.data)
                .map(|(index, reg)| {
                    let offset = self.offset(index * size, size);
                    (width, *reg, offset, offset)
                });
            e.copy(Motion::SOURCE, cursor, moves);
            done += group;
        }
    }
}

/// A run of equal units, and how to move some of them at the cursors.
pub(super) struct Units<'a> {
    pub(super) motion: Motion,
    /// Bytes of a unit.
    pub(super) bytes: u32,
    /// The most bytes that a call moves this way, if fewer than n.
    pub(super) most: Option<u32>,
    /// Moves the given number of units, without moving the cursors.
    pub(super) body: &'a dyn Fn(&mut Emitter, u32),
}

impl Units<'_> {
    /// Whole blocks of `words` units while they last; `rest` comes after them. A power of two is counted by a limit:
    ///
    /// ```text
    ///     andi  t0, a2, -128                  li    t0, 24
    ///     beqz  t0, .Lrest                    bltu  a2, t0, .Lrest
    ///     add   t0, t0, a1                .Lblock:
    /// .Lblock:                                ...
    ///     ...                                 addi  a2, a2, -24
    ///     addi  a1, a1, 128                   addi  a1, a1, 24
    ///     addi  a3, a3, 128                   addi  a3, a3, 24
    ///     bne   a1, t0, .Lblock               bgeu  a2, t0, .Lblock
    /// ```
    ///
    /// Callee-saved registers that the body writes, `saved`, are kept in a frame around the loop alone: short copies do not pay for
    /// it.
    pub(super) fn blocks(
        &self,
        e: &mut Emitter,
        name: &str,
        words: u32,
        rest: Label,
        saved: &[Reg],
    ) {
        let limit = e.plan.registers.limit;
        let block_bytes = words * self.bytes;
        let counted = block_bytes.is_power_of_two();
        let leader = self.motion.leader(e);
        if counted {
            if block_bytes > 1 {
                e.andi(limit, e.left(), -(block_bytes as i32));
                e.beqz(limit, rest);
                self.motion.moved(e, limit, leader, limit);
            } else {
                e.beqz(e.left(), rest);
                self.motion.moved(e, limit, leader, e.left());
            }
        } else {
            e.li(limit, block_bytes as i32);
            e.branch(Condition::Below, e.left(), limit, rest);
        }
        frame::enter(e, saved);
        if !saved.is_empty() {
            e.stop_at(Stop::Framed);
        }
        let start = e.place_loop(name, block_bytes, self.most);
        (self.body)(e, words);
        if !counted {
            e.addi(e.left(), e.left(), -(block_bytes as i32));
        }
        self.motion.advance(e, block_bytes);
        if counted {
            e.branch(Condition::NotEqual, leader, limit, start);
        } else {
            e.branch(Condition::AtLeast, e.left(), limit, start);
        }
        frame::leave(e, saved);
        if !saved.is_empty() {
            e.stop_at(Stop::Settled);
        }
    }

    /// A falling ladder: `largest`, …, 4, 2, 1 units, each if its bit of `count` is set.
    ///
    /// ```text
    /// .Lwords_8:
    ///     andi  t0, a2, 64
    ///     beqz  t0, .Lwords_4
    ///     ...
    ///     addi  a1, a1, 64
    ///     addi  a3, a3, 64
    /// .Lwords_4:
    /// ```
    pub(super) fn ladder(&self, e: &mut Emitter, ladder: &Ladder) {
        let mut units = ladder.largest;
        let mut here = e.label(&format!("{}_{units}", ladder.name));
        while units > 0 {
            e.place(here);
            if let Some((_, entry)) = ladder.entry.filter(|(entry, _)| *entry == units) {
                e.place(entry);
            }
            let bytes = units * self.bytes;
            let next = match units / 2 {
                0 => e.label(&format!("{}_done", ladder.name)),
                half => e.label(&format!("{}_{half}", ladder.name)),
            };
            e.andi(ladder.scratch, ladder.count, bytes as i32);
            e.beqz(ladder.scratch, next);
            (self.body)(e, units);
            if units > 1 || !ladder.is_last {
                self.motion.advance(e, bytes);
            }
            units /= 2;
            here = next;
        }
        e.place(here);
    }
}

/// Which bits of which register a ladder tests.
pub(super) struct Ladder {
    /// What its labels are called.
    pub(super) name: &'static str,
    /// Units of the first piece, a power of two.
    pub(super) largest: u32,
    /// The register whose bits are tested.
    pub(super) count: Reg,
    /// Holds each test's result.
    pub(super) scratch: Reg,
    /// A second way in, at the piece of so many units.
    pub(super) entry: Option<(u32, Label)>,
    /// Nothing follows: the cursors may stay behind.
    pub(super) is_last: bool,
}
