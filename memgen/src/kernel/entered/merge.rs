//! Shift-merge with a computed entry: whole words by a ladder, from the near partial word to the far one.

use super::ends::SHARED_SLOT_BYTES;
use super::jump::Anchor;
use super::way::Way;
use crate::inst::{Condition, Label, RegOp, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{Ends, Entered, EnteredRegs, MERGE_STEP_BYTES};
use crate::reg::Reg;

/// A merging copy in one direction.
pub(super) struct Merge<'p> {
    pub(super) entered: &'p Entered,
    pub(super) way: Way,
    pub(super) word: Width,
    /// Whether a1 stays the start of the source, which the far partial word is then reached by.
    pub(super) keeps_source: bool,
    pub(super) anchor: Anchor,
    /// The last step of the ladder, which stores word 1.
    pub(super) ladder_end: Label,
    /// Where the ladder stores word 2 and up.
    pub(super) steps: Vec<Label>,
    pub(super) fused_slots: Label,
}

/// Shift counts, whose low bits alone count, and the source's own word boundary:
///
/// ```text
///     slli  t3, a5, 3
///     andi  t5, a5, -8
///     neg   t4, t3
/// ```
pub(super) fn counts(e: &mut Emitter, entered: &Entered) {
    let regs = &entered.regs;
    e.slli(regs.right, regs.from, 3);
    e.andi(regs.words, regs.from, -(e.plan.word_bytes() as i32));
    e.neg(regs.left, regs.right);
}

impl<'p> Merge<'p> {
    /// Starts it: jumps count from here.
    pub(super) fn start(
        e: &mut Emitter<'p>,
        entered: &'p Entered,
        way: Way,
        keeps_source: bool,
    ) -> Merge<'p> {
        Merge {
            anchor: Anchor::take(e, &entered.regs),
            entered,
            way,
            word: e.plan.word,
            keeps_source,
            ladder_end: e.label("merge_1"),
            fused_slots: e.label(&format!("merge_{}_bytes", entered.small_bytes + 1)),
            steps: (2..entered.merge_words)
                .map(|index| e.label(&format!("merge_{index}")))
                .collect(),
        }
    }

    pub(super) fn regs(&self) -> &'p EnteredRegs {
        &self.entered.regs
    }

    pub(super) fn word_bytes(&self) -> u32 {
        self.word.bytes()
    }

    pub(super) fn shift_near(&self, e: &mut Emitter, rd: Reg, rs: Reg) {
        self.way.shift_near(e, self.regs(), rd, rs);
    }

    pub(super) fn shift_far(&self, e: &mut Emitter, rd: Reg, rs: Reg) {
        self.way.shift_far(e, self.regs(), rd, rs);
    }

    /// Offset of the source word that word `index` takes its far bytes from, from the source's own boundary.
    pub(super) fn source(&self, index: u32) -> i32 {
        -self.way.onward(index * self.word_bytes())
    }

    /// From the count of bytes in a2 to the ladder, by way of the near partial word if there is one. `long` is for more whole words
    /// than the ladder has; without it, they have been tested. Gives the place behind that test.
    ///
    /// ```text
    ///     andi  t1, a2, -8
    ///     add   t0, t5, t1
    ///     ld    a7, 0(t0)
    ///     andi  t2, a2, 7
    ///     bnez  t2, .Ltail
    /// .Lenter:
    ///     slli  a6, t1, 1
    ///     srli  t2, t1, 1
    ///     add   a6, a6, t2
    ///     sub   t2, t6, a6
    ///     ld    a6, -8(t0)
    ///     sll   t0, a7, t4
    ///     jr    400(t2)
    /// ```
    pub(super) fn enter(&self, e: &mut Emitter, long: Option<Label>) -> Label {
        let (regs, word_bytes) = (self.regs(), self.word_bytes() as i32);
        let (near, enter) = (
            e.label(&format!("merge_{}", self.way.near().name())),
            e.label("merge_enter"),
        );
        // Without a register for the address that jumps count from, none is free to keep the entry over a slot either.
        let returns = long.is_some() || self.entered.ends == Ends::Shared || regs.anchor.is_none();
        e.comment(format!(
            "{} = bytes of whole words, {} = the source word where they {}, loaded into {}. First the {} beyond, if there is one.",
            regs.scratch,
            regs.carried,
            self.way.edge(),
            regs.out,
            self.way.near().name()
        ));
        e.andi(regs.scratch, Reg::A2, -word_bytes);
        self.way.back(e, regs.carried, regs.words, regs.scratch);
        e.load(self.word, regs.out, 0, regs.carried);
        if !returns {
            self.code_bytes(e);
        }
        e.andi(regs.jump, Reg::A2, word_bytes - 1);
        e.bnez(regs.jump, near);
        e.place(enter);
        let ladder = e.label("merge_ladder");
        if let Some(long) = long {
            let ladder_bytes = self.entered.merge_words as i32 * word_bytes;
            e.comment(format!(
                "Above {ladder_bytes} bytes, the {} words of the ladder, blocks come first.",
                self.entered.merge_words
            ));
            e.li(regs.jump, ladder_bytes);
            e.branch(Condition::Below, regs.jump, regs.scratch, long);
            e.place(ladder);
        }
        e.comment(format!(
            "A jump into the ladder, {MERGE_STEP_BYTES} bytes of code for each word."
        ));
        if returns {
            self.code_bytes(e);
        }
        self.jump_to_ladder(e);
        e.place(near);
        match self.entered.ends {
            Ends::Shared => self.near_shared(e, enter),
            Ends::Inline if returns => self.near_inline(e, |e| e.j(enter)),
            Ends::Inline => self.near_inline(e, |e| self.jump_to_ladder(e)),
        }
        ladder
    }

    /// The code that moves the whole words: 20 bytes for each.
    fn code_bytes(&self, e: &mut Emitter) {
        let regs = self.regs();
        if self.word == Width::Double {
            e.slli(regs.inner, regs.scratch, 1);
            e.srli(regs.jump, regs.scratch, 1);
            e.add(regs.inner, regs.inner, regs.jump);
        } else {
            e.slli(regs.inner, regs.scratch, 2);
            e.add(regs.inner, regs.inner, regs.scratch);
        }
    }

    fn jump_to_ladder(&self, e: &mut Emitter) {
        let regs = self.regs();
        let ahead = 2 * MERGE_STEP_BYTES;
        self.anchor
            .before(e, regs.inner, self.ladder_end, ahead, |e| {
                let next = self.way.onward(self.word_bytes());
                e.load(self.word, regs.inner, next, regs.carried);
                self.shift_near(e, regs.carried, regs.out);
            });
    }

    pub(super) fn step(&self, index: u32) -> Label {
        match index {
            1 => self.ladder_end,
            _ => self.steps[index as usize - 2],
        }
    }

    /// The ladder, and behind it word 0, whole or in part. `far` are slots that store the part out of its word; gives the place from where it
    /// is completed. A copy whose words do not start at dst goes on at `late`, where that is given.
    pub(super) fn ladder(&self, e: &mut Emitter, far: Option<Label>, late: Option<Label>) -> Label {
        let (regs, word_bytes) = (self.regs(), self.word_bytes());
        e.comment(format!(
            "The ladder: words {}. {} has what the source word before gives, {} is the next one.",
            self.way.order(),
            regs.carried,
            regs.inner
        ));
        for index in (2..self.entered.merge_words).rev() {
            e.place(self.step(index));
            self.merge(e);
            self.shift_near(e, regs.carried, regs.inner);
            e.load(self.word, regs.inner, self.source(index - 1), regs.words);
            self.store(e, index, word_bytes);
        }
        let whole = e.label("merge_0");
        e.comment(format!(
            "The last two words; of the last one the {}, if that is what it is.",
            self.way.far().name()
        ));
        e.place(self.ladder_end);
        self.merge(e);
        self.shift_near(e, regs.carried, regs.inner);
        e.beqz(regs.phase, whole);
        self.store(e, 1, word_bytes);
        let head = e.label(&format!("merge_{}", self.way.far().name()));
        e.place(head);
        match far {
            Some(slots) => {
                self.far_word(e);
                self.anchor
                    .slot(e, regs.phase, slots, SHARED_SLOT_BYTES, 1, regs.scratch);
            }
            None => self.far(e, |e| e.ret()),
        }
        e.place(whole);
        e.load(self.word, regs.inner, self.source(0), regs.words);
        self.store(e, 1, word_bytes);
        self.merge(e);
        self.store(e, 0, word_bytes);
        if let Some(late) = late {
            e.branch(Condition::NotEqual, regs.to, Reg::A0, late);
        }
        e.ret();
        head
    }

    /// The head of a long copy, after everything else:
    ///
    /// ```text
    ///     andi  a4, a0, 7
    ///     beqz  a4, .Lreturn
    ///     sub   a5, a1, a4
    ///     sub   a3, a0, a4
    ///     andi  t5, a5, -8
    ///     ld    t0, 8(t5)
    ///     sll   t0, t0, t4
    ///     j     .Lhead
    /// ```
    pub(super) fn late_head(&self, e: &mut Emitter, head: Label) {
        let (regs, word_bytes) = (self.regs(), self.word_bytes() as i32);
        let done = e.label("long_done");
        e.comment("A long copy is left with its head.");
        e.andi(regs.phase, Reg::A0, word_bytes - 1);
        e.beqz(regs.phase, done);
        e.sub(regs.from, Reg::A1, regs.phase);
        e.sub(regs.to, Reg::A0, regs.phase);
        e.andi(regs.words, regs.from, -word_bytes);
        e.load(self.word, regs.carried, word_bytes, regs.words);
        self.shift_near(e, regs.carried, regs.carried);
        e.j(head);
        e.place(done);
        e.ret();
    }

    /// The word under way, of its two parts.
    fn merge(&self, e: &mut Emitter) {
        let regs = self.regs();
        self.shift_far(e, regs.out, regs.inner);
        e.op(RegOp::Or, regs.out, regs.out, regs.carried);
    }

    fn store(&self, e: &mut Emitter, index: u32, word_bytes: u32) {
        let regs = self.regs();
        e.store(
            self.word,
            regs.out,
            self.way.unit(index, word_bytes),
            regs.to,
        );
    }
}
