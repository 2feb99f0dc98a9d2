//! Where size is no object: one jump for both the near partial word and the count of whole ones. A slot for each size moves the bytes of the partial word,
//! loads what the ladder starts with, and goes on at its step by a plain `j`.

use std::ops::RangeInclusive;

use super::ends::Part;
use super::jump::Anchor;
use super::merge::Merge;
use super::merge_ends::{self, SINGLE_BYTES_MAX};
use super::slots::Row;
use super::words::{self, Words};
use crate::inst::{Condition, Label};
use crate::kernel::emit::Emitter;
use crate::plan::Entered;
use crate::reg::Reg;

/// The sizes that have a slot, counted from the boundary, and what those slots are.
struct Fused<'a> {
    entered: &'a Entered,
    /// The last size.
    last_bytes: u32,
    slots: Label,
    slot_bytes: u32,
    /// What comes before the units, and what a unit is called.
    near: &'static str,
    unit: &'static str,
}

impl Fused<'_> {
    /// The first size is the one that small sizes end before.
    fn sizes(&self) -> RangeInclusive<u32> {
        self.entered.small_bytes + 1..=self.last_bytes
    }

    /// The jump; larger sizes go on behind it, at the label called `more`.
    ///
    /// ```text
    ///     li    t1, 71
    ///     bltu  t1, a2, .Lmore
    ///     slli  t2, a2, 6
    ///     add   t2, t2, t6
    ///     jr    -1004(t2)
    /// ```
    fn jump(&self, e: &mut Emitter, anchor: &Anchor, more: &str) {
        if self.sizes().is_empty() {
            return;
        }
        let scratch = self.entered.regs.scratch;
        let more = e.label(more);
        e.comment(format!(
            "Up to {} bytes: a slot for each size, with the {} of that size, which leads to the step of the ladder that has as many \
             {}s to go.",
            self.last_bytes, self.near, self.unit
        ));
        e.li(scratch, self.last_bytes as i32);
        e.branch(Condition::Below, scratch, Reg::A2, more);
        let first = *self.sizes().start();
        anchor.slot(e, Reg::A2, self.slots, self.slot_bytes, first, scratch);
        e.place(more);
    }

    /// The slots, each filled by `body`.
    fn row(&self, e: &mut Emitter, body: impl Fn(&mut Emitter, u32)) {
        if self.sizes().is_empty() {
            return;
        }
        e.comment(format!(
            "Slots for {} to {} bytes, the {} before the {}s.",
            self.sizes().start(),
            self.last_bytes,
            self.near,
            self.unit
        ));
        let mut row = Row::new(e, self.slots, self.slot_bytes);
        for size in self.sizes() {
            row.slot(e, |e| body(e, size));
        }
        row.finish(e);
    }
}

impl Words<'_> {
    /// One jump for both the near partial unit and the count of whole ones; sizes that the ladder cannot hold go on behind.
    pub(super) fn fused(&self, e: &mut Emitter) {
        let more = format!("{}_more", self.name);
        self.fused_sizes().jump(e, &self.anchor, &more);
    }

    fn fused_sizes(&self) -> Fused<'_> {
        let ladder_bytes = (self.units + 1) * self.unit_bytes() - 1;
        Fused {
            entered: self.entered,
            last_bytes: self.entered.fused_bytes.min(ladder_bytes),
            slots: self.fused_slots,
            slot_bytes: words::SLOT_BYTES,
            near: self.near_name(),
            unit: self.name,
        }
    }

    /// Its slots.
    pub(super) fn fused_row(&self, e: &mut Emitter) {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        self.fused_sizes().row(e, |e, bytes| {
            let units = bytes / unit_bytes;
            let at = self.way.unit(units, unit_bytes);
            let part = Part {
                side: self.way.near(),
                bytes: bytes % unit_bytes,
                word_bytes: unit_bytes,
                to: (regs.to, at),
                from: (regs.from, at),
            };
            part.copy(e, &[regs.left, regs.out, regs.jump]);
            let last = units - 1;
            let offset = self.way.unit(last, unit_bytes);
            e.load(self.unit, self.turn(last), offset, regs.from);
            e.j(self.step(last));
        });
    }
}

impl Merge<'_> {
    /// One jump for both the near partial word and the count of whole ones; sizes that the ladder cannot hold go on behind.
    pub(super) fn fused(&self, e: &mut Emitter) {
        self.fused_sizes().jump(e, &self.anchor, "merge_more");
    }

    fn fused_sizes(&self) -> Fused<'_> {
        let ladder_bytes = (self.entered.merge_words + 1) * self.word_bytes() - 1;
        Fused {
            entered: self.entered,
            last_bytes: self.entered.fused_bytes.min(ladder_bytes),
            slots: self.fused_slots,
            slot_bytes: merge_ends::SLOT_BYTES,
            near: self.way.near().name(),
            unit: "word",
        }
    }

    /// Its slots.
    pub(super) fn fused_row(&self, e: &mut Emitter) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        self.fused_sizes().row(e, |e, total| {
            let (words, bytes) = (total / word_bytes, total % word_bytes);
            let at = self.way.unit(words, word_bytes);
            let part = Part {
                side: self.way.near(),
                bytes,
                word_bytes,
                to: (regs.to, at),
                from: (regs.from, at),
            };
            let boundary = self.source(words);
            if bytes <= SINGLE_BYTES_MAX {
                part.copy_bytes(e, &[regs.scratch, regs.inner, regs.out]);
            }
            e.load(self.word, regs.out, boundary, regs.words);
            if bytes > SINGLE_BYTES_MAX {
                self.merge_near(e, bytes, (regs.from, boundary), regs.inner, regs.scratch);
                part.store(e, regs.inner, regs.scratch);
            }
            e.load(self.word, regs.inner, self.source(words - 1), regs.words);
            self.shift_near(e, regs.carried, regs.out);
            e.j(self.step(words - 1));
        });
    }
}
