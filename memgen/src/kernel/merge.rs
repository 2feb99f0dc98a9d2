//! The inner part of shift-merge: two neighbouring source words make one destination word.

use super::emit::Emitter;
use super::motion::Motion;
use crate::inst::{RegOp, Width};
use crate::plan::{Plan, ShiftRegs, groups};
use crate::reg::Reg;

/// The registers and shifts of a merge in one direction.
pub(super) struct Merge<'p> {
    pub(super) plan: &'p Plan,
    pub(super) regs: &'p ShiftRegs,
    pub(super) motion: Motion,
    /// The source is known to be half a word off.
    half: bool,
}

impl<'p> Merge<'p> {
    /// For a source of any residue but the destination's.
    pub(super) fn any_residue(plan: &'p Plan, motion: Motion) -> Self {
        let regs = plan
            .registers
            .shift
            .as_ref()
            .expect("a shift strategy has its registers");
        Merge {
            plan,
            regs,
            motion,
            half: plan.word == Width::Half,
        }
    }

    /// For a source half a word off.
    pub(super) fn halves(plan: &'p Plan, motion: Motion) -> Self {
        Merge {
            half: true,
            ..Merge::any_residue(plan, motion)
        }
    }

    /// The register that holds the source's residue, first in bytes, then in bits; `None` where it is half a word.
    pub(super) fn residue(&self) -> Option<Reg> {
        self.regs.right.filter(|_| !self.half)
    }

    /// Whether two halves make a word by one instruction.
    fn packs(&self) -> bool {
        self.half && self.plan.packs_halves
    }

    /// What happens to each word.
    pub(super) fn steps(&self) -> &'static str {
        if self.packs() {
            "load, shift, pack, store"
        } else {
            "load, shift, shift, or, store"
        }
    }

    /// Merges and stores `count` words, in groups; the carried register holds the shared word before and after.
    pub(super) fn words(&self, e: &mut Emitter, count: u32) {
        let mut done = 0;
        for group in groups(count, self.regs.in_flight) {
            self.group(e, done, group);
            done += group;
        }
    }

    /// One group. The registers take turns as the earlier word of a merge, so nothing is moved; the load of the word that
    /// the next group starts with goes out as soon as its register is free:
    ///
    /// ```text
    ///     ld    a5, 8(a1)
    ///     srl   a4, a4, t5
    ///     sll   t4, a5, t6
    ///     or    a4, a4, t4
    ///     sd    a4, 0(a3)
    ///     ld    a4, 16(a1)
    ///     srl   a5, a5, t5
    ///     ...
    /// ```
    fn group(&self, e: &mut Emitter, done: u32, words: u32) {
        let carried = self.regs.carried;
        if words == 1 {
            let spare = self.regs.data[0];
            self.near(e, spare, carried);
            self.load(e, carried, done);
            self.finish(e, spare, carried, done);
            return;
        }
        let others = &self.regs.data[..words as usize - 1];
        for (index, reg) in others.iter().enumerate() {
            self.load(e, *reg, done + index as u32);
        }
        self.near(e, carried, carried);
        self.finish(e, carried, others[0], done);
        self.load(e, carried, done + words - 1);
        for (index, reg) in others.iter().enumerate() {
            let later = others.get(index + 1).copied().unwrap_or(carried);
            self.near(e, *reg, *reg);
            self.finish(e, *reg, later, done + 1 + index as u32);
        }
    }

    /// Loads the word that output word `index` takes its far bytes from.
    fn load(&self, e: &mut Emitter, rd: Reg, index: u32) {
        let word_bytes = self.plan.word_bytes();
        let offset = match self.motion {
            Motion::Backward => self.motion.offset(index * word_bytes, word_bytes),
            _ => self.motion.offset((index + 1) * word_bytes, word_bytes),
        };
        e.load(self.plan.word, rd, offset, Reg::A1);
    }

    /// `rd` = the bytes that output takes from the word met first: moved down going forward, up going backward. A pack moves up by
    /// itself.
    fn near(&self, e: &mut Emitter, rd: Reg, word: Reg) {
        match self.motion {
            Motion::Backward if self.packs() && rd == word => {}
            Motion::Backward if self.packs() => e.mv(rd, word),
            _ => self.shift(e, rd, word, self.motion == Motion::Forward),
        }
    }

    /// Completes output word `index` in `part` with the bytes of `far`, and stores it.
    fn finish(&self, e: &mut Emitter, part: Reg, far: Reg, index: u32) {
        let word_bytes = self.plan.word_bytes();
        let scratch = self.regs.scratch;
        match (self.packs(), self.motion) {
            (true, Motion::Backward) => {
                self.shift(e, scratch, far, true);
                e.op(RegOp::Pack, part, scratch, part);
            }
            (true, _) => e.op(RegOp::Pack, part, part, far),
            (false, _) => {
                self.shift(e, scratch, far, self.motion == Motion::Backward);
                e.op(RegOp::Or, part, part, scratch);
            }
        }
        let offset = self.motion.offset(index * word_bytes, word_bytes);
        e.store(self.plan.word, part, offset, self.plan.registers.cursor);
    }

    /// Shifts by the residue (down) or by what it leaves of a word (up). Words of four bytes on RV64 take the W forms, whose counts
    /// wrap at 32 as those of full registers do at XLEN.
    fn shift(&self, e: &mut Emitter, rd: Reg, rs: Reg, down: bool) {
        let narrow = self.plan.word_bytes() * 8 < self.plan.isa.xlen;
        let Some(right) = self.residue() else {
            let bits = 4 * self.plan.word_bytes();
            return if down {
                e.srli(rd, rs, bits)
            } else {
                e.slli(rd, rs, bits)
            };
        };
        let op = match (down, narrow) {
            (true, false) => RegOp::ShiftRight,
            (true, true) => RegOp::ShiftRightWord,
            (false, false) => RegOp::ShiftLeft,
            (false, true) => RegOp::ShiftLeftWord,
        };
        match self.regs.left.filter(|_| !down) {
            Some(left) => e.op(op, rd, rs, left),
            None if down => e.op(op, rd, rs, right),
            None => {
                // The count has no register of its own.
                let count = if rd == rs { self.regs.scratch } else { rd };
                e.neg(count, right);
                e.op(op, rd, rs, count);
            }
        }
    }
}
