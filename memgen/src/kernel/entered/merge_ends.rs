//! The partial words at the ends of a merging copy. No source word is loaded that holds no byte of the source: the outermost byte says which
//! word is the last.

use super::ends::{Part, SHARED_SLOT_BYTES, SharedRow};
use super::merge::Merge;
use super::slots::Row;
use super::way::Way;
use crate::inst::{Label, RegOp};
use crate::kernel::emit::Emitter;
use crate::reg::Reg;

/// Up to so many bytes of a partial word go one by one: two instructions a byte, where a merge takes six and a store.
pub(super) const SINGLE_BYTES_MAX: u32 = 3;

/// Bytes of code of a slot: a merge, pieces, the way on.
pub(super) const SLOT_BYTES: u32 = 64;

impl Merge<'_> {
    /// The register that may hold the source of the near partial word.
    pub(super) fn near_from(&self) -> Reg {
        match self.keeps_source {
            true => self.regs().from,
            false => Reg::A1,
        }
    }

    /// The near partial word by a slot for each count of bytes.
    pub(super) fn near_inline(&self, e: &mut Emitter, leave: impl Fn(&mut Emitter)) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        let from = self.near_from();
        let name = self.way.near().name();
        let slots = e.label(&format!("merge_{name}_1"));
        let at = self.way.beyond(word_bytes);
        e.comment(format!(
            "{}: a slot for each count of bytes; up to {SINGLE_BYTES_MAX} go one by one, more are merged from the source word at \
             the boundary and that of the outermost byte.",
            self.way.near().title()
        ));
        self.way.back(e, from, regs.from, regs.scratch);
        self.way.back(e, Reg::A2, regs.to, regs.scratch);
        self.anchor
            .slot(e, regs.jump, slots, SLOT_BYTES, 1, regs.inner);
        let mut row = Row::new(e, slots, SLOT_BYTES);
        for bytes in 1..word_bytes {
            let part = Part {
                side: self.way.near(),
                bytes,
                word_bytes,
                to: (Reg::A2, at),
                from: (from, at),
            };
            row.slot(e, |e| {
                if bytes <= SINGLE_BYTES_MAX {
                    part.copy_bytes_in_turn(e, self.way, regs.jump);
                } else {
                    self.merge_near(e, bytes, (from, 0), from, regs.jump);
                    part.store(e, from, regs.jump);
                }
                leave(e);
            });
        }
        row.finish(e);
    }

    /// Makes the near partial word of `bytes` bytes in `rd`, from the source word at the boundary and the one of the outermost byte,
    /// so that no word outside the source is loaded.
    pub(super) fn merge_near(
        &self,
        e: &mut Emitter,
        bytes: u32,
        boundary: (Reg, i32),
        rd: Reg,
        scratch: Reg,
    ) {
        let outermost = match self.way {
            Way::Down => bytes as i32 - 1,
            Way::Up => -(bytes as i32),
        };
        e.addi(scratch, boundary.0, boundary.1 + outermost);
        e.andi(scratch, scratch, -(self.word_bytes() as i32));
        e.load(self.word, scratch, 0, scratch);
        self.shift_far(e, rd, self.regs().out);
        self.shift_near(e, scratch, scratch);
        e.op(RegOp::Or, rd, rd, scratch);
    }

    /// The near partial word made first, stored by shared slots.
    pub(super) fn near_shared(&self, e: &mut Emitter, enter: Label) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        let name = self.way.near().name();
        let slots = e.label(&format!("merge_{name}_1"));
        e.comment(format!(
            "{}: its word is merged from the source word at the boundary and that of the outermost byte, so that no word outside the \
             source is loaded. A slot for each count of bytes stores the piece that the next shorter one lacks.",
            self.way.near().title()
        ));
        match self.way {
            Way::Down => {
                e.add(regs.inner, regs.from, Reg::A2);
                e.addi(regs.inner, regs.inner, -1);
                e.andi(regs.inner, regs.inner, -(word_bytes as i32));
            }
            Way::Up => e.andi(regs.inner, Reg::A1, -(word_bytes as i32)),
        }
        e.load(self.word, regs.inner, 0, regs.inner);
        self.shift_far(e, Reg::A2, regs.out);
        self.shift_near(e, regs.inner, regs.inner);
        e.op(RegOp::Or, regs.inner, regs.inner, Reg::A2);
        self.way.back(e, Reg::A2, regs.to, regs.scratch);
        self.anchor
            .slot(e, regs.jump, slots, SHARED_SLOT_BYTES, 1, self.near_from());
        let row = SharedRow {
            side: self.way.near(),
            word_bytes,
            to: (Reg::A2, self.way.beyond(word_bytes)),
            value: regs.inner,
            scratch: regs.jump,
            name,
            by_phase: false,
        };
        row.write(e, slots, |e| e.j(enter));
    }

    /// Completes word 0 in `carried` with the source word of the outermost byte.
    pub(super) fn far_word(&self, e: &mut Emitter) {
        let regs = self.regs();
        let mask = -(self.word_bytes() as i32);
        match (self.way, self.keeps_source) {
            (Way::Down, true) => e.andi(regs.scratch, Reg::A1, mask),
            (Way::Down, false) => {
                e.add(regs.scratch, regs.from, regs.phase);
                e.andi(regs.scratch, regs.scratch, mask);
            }
            (Way::Up, _) => {
                e.sub(regs.scratch, regs.from, regs.phase);
                e.addi(regs.scratch, regs.scratch, -1);
                e.andi(regs.scratch, regs.scratch, mask);
            }
        }
        self.add_far_word(e);
    }

    pub(super) fn add_far_word(&self, e: &mut Emitter) {
        let regs = self.regs();
        e.load(self.word, regs.scratch, 0, regs.scratch);
        self.shift_far(e, regs.scratch, regs.scratch);
        e.op(RegOp::Or, regs.carried, regs.carried, regs.scratch);
    }

    /// Moves the far partial word, which `carried` holds its near bytes of, by a slot for each phase; `leave` ends it.
    pub(super) fn far(&self, e: &mut Emitter, leave: impl Fn(&mut Emitter)) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        let slots = e.label(&format!("merge_{}_1", self.way.far().name()));
        self.anchor
            .slot(e, regs.phase, slots, SLOT_BYTES, 1, regs.scratch);
        let at = self.way.unit(0, word_bytes);
        let mask = -(word_bytes as i32);
        let mut row = Row::new(e, slots, SLOT_BYTES);
        for phase in 1..word_bytes {
            let part = Part {
                side: self.way.far(),
                bytes: word_bytes - phase,
                word_bytes,
                to: (regs.to, at),
                from: match self.keeps_source {
                    true => (Reg::A1, -(phase as i32)),
                    false => (regs.from, at),
                },
            };
            row.slot(e, |e| {
                if part.bytes <= SINGLE_BYTES_MAX {
                    part.copy_bytes(e, &[regs.carried, regs.scratch, regs.out]);
                } else {
                    if self.keeps_source {
                        e.andi(regs.scratch, Reg::A1, mask);
                    } else {
                        let outermost = match self.way {
                            Way::Down => phase as i32,
                            Way::Up => -(phase as i32) - 1,
                        };
                        e.addi(regs.scratch, regs.from, outermost);
                        e.andi(regs.scratch, regs.scratch, mask);
                    }
                    self.add_far_word(e);
                    part.store(e, regs.carried, regs.scratch);
                }
                leave(e);
            });
        }
        row.finish(e);
    }
}
