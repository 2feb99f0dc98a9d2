//! Where size is no object: one jump for both the near partial word and the count of whole ones. A slot for each size moves the bytes of the partial word,
//! loads what the ladder starts with, and goes on at its step by a plain `j`.

use super::ends::Part;
use super::merge::Merge;
use super::merge_ends::{self, SINGLE_BYTES_MAX};
use super::slots::Row;
use super::words::{self, Words};
use crate::inst::Condition;
use crate::kernel::emit::Emitter;
use crate::reg::Reg;

fn explain_jump(e: &mut Emitter, most_bytes: u32, near: &str, unit: &str) {
    e.comment(format!(
        "Up to {most_bytes} bytes: a slot for each size, with the {near} of that size, which leads to the step of the ladder that has \
         as many {unit}s to go."
    ));
}

fn explain_slots(e: &mut Emitter, first: u32, last: u32, near: &str, unit: &str) {
    e.comment(format!(
        "Slots for {first} to {last} bytes, the {near} before the {unit}s."
    ));
}

impl Words<'_> {
    /// One jump for both the near partial unit and the count of whole ones, for up to so many bytes from the boundary; more go on behind.
    pub(super) fn fused(&self, e: &mut Emitter) {
        let regs = self.regs();
        let first = self.entered.small_bytes + 1;
        if self.fused_bytes() < first {
            return;
        }
        let more = e.label(&format!("{}_more", self.name));
        explain_jump(e, self.fused_bytes(), self.near_name(), self.name);
        e.li(regs.scratch, self.fused_bytes() as i32);
        e.branch(Condition::Below, regs.scratch, Reg::A2, more);
        self.anchor.slot(
            e,
            Reg::A2,
            self.fused_slots,
            words::SLOT_BYTES,
            first,
            regs.scratch,
        );
        e.place(more);
    }

    /// The last size that it serves: one that the ladder can hold.
    pub(super) fn fused_bytes(&self) -> u32 {
        let ladder_bytes = (self.units + 1) * self.unit_bytes() - 1;
        self.entered.fused_bytes.min(ladder_bytes)
    }

    /// Its slots.
    pub(super) fn fused_row(&self, e: &mut Emitter) {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        let first = self.entered.small_bytes + 1;
        let slots = self.fused_slots;
        if self.fused_bytes() < first {
            return;
        }
        explain_slots(e, first, self.fused_bytes(), self.near_name(), self.name);
        let mut row = Row::new(e, slots, words::SLOT_BYTES);
        for bytes in first..=self.fused_bytes() {
            let units = bytes / unit_bytes;
            let at = self.way.unit(units, unit_bytes);
            let part = Part {
                side: self.way.near(),
                bytes: bytes % unit_bytes,
                word_bytes: unit_bytes,
                to: (regs.to, at),
                from: (regs.from, at),
            };
            row.slot(e, |e| {
                part.copy(e, &[regs.left, regs.out, regs.jump]);
                let last = units - 1;
                e.load(
                    self.unit,
                    self.turn(last),
                    self.way.unit(last, unit_bytes),
                    regs.from,
                );
                e.j(self.step(last));
            });
        }
        row.finish(e);
    }
}

impl Merge<'_> {
    /// One jump for both the near partial word and the count of whole ones, for up to so many bytes from the boundary; more go on behind.
    pub(super) fn fused(&self, e: &mut Emitter) {
        let regs = self.regs();
        let first = self.entered.small_bytes + 1;
        if self.fused_bytes() < first {
            return;
        }
        let more = e.label("merge_more");
        explain_jump(e, self.fused_bytes(), self.way.near().name(), "word");
        e.li(regs.scratch, self.fused_bytes() as i32);
        e.branch(Condition::Below, regs.scratch, Reg::A2, more);
        self.anchor.slot(
            e,
            Reg::A2,
            self.fused_slots,
            merge_ends::SLOT_BYTES,
            first,
            regs.scratch,
        );
        e.place(more);
    }

    /// The last size that it serves: one that the ladder can hold.
    pub(super) fn fused_bytes(&self) -> u32 {
        let ladder_bytes = (self.entered.merge_words + 1) * self.word_bytes() - 1;
        self.entered.fused_bytes.min(ladder_bytes)
    }

    /// Its slots.
    pub(super) fn fused_row(&self, e: &mut Emitter) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        let first = self.entered.small_bytes + 1;
        let slots = self.fused_slots;
        if self.fused_bytes() < first {
            return;
        }
        let near = self.way.near().name();
        explain_slots(e, first, self.fused_bytes(), near, "word");
        let mut row = Row::new(e, slots, merge_ends::SLOT_BYTES);
        for total in first..=self.fused_bytes() {
            let (words, bytes) = (total / word_bytes, total % word_bytes);
            let at = self.way.unit(words, word_bytes);
            let part = Part {
                side: self.way.near(),
                bytes,
                word_bytes,
                to: (regs.to, at),
                from: (regs.from, at),
            };
            row.slot(e, |e| {
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
        row.finish(e);
    }
}
