//! Whole words of a fill of user memory: a jump to the exact count of them, and blocks in front of it where there are many.

use super::clear::CURSOR;
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::EnteredClear;
use crate::reg::Reg;

/// The ladder of words, counted from their end, and the blocks before it.
pub(super) struct Ladder<'p> {
    clear: &'p EnteredClear,
    word: Width,
    /// Its first store.
    start: Label,
    /// Behind its last one.
    end: Label,
}

impl<'p> Ladder<'p> {
    pub(super) fn new(e: &mut Emitter, clear: &'p EnteredClear) -> Self {
        Ladder {
            clear,
            word: e.plan.word,
            start: e.label("word"),
            end: e.label("words_end"),
        }
    }

    /// Counts the words, one or more, and goes to as many stores of the ladder; to `blocks` if there are too many.
    ///
    /// ```text
    ///     andi  a4, a3, -8
    ///     sub   a5, a4, a0
    ///     li    t0, 512
    ///     bltu  t0, a5, .Lblocks
    ///     (the jump)
    /// ```
    pub(super) fn enter(&self, e: &mut Emitter, blocks: Label) {
        let regs = &self.clear.regs;
        e.andi(regs.words_end, regs.end, -(self.word.bytes() as i32));
        e.sub(regs.count, regs.words_end, CURSOR);
        e.li(regs.scratch, self.clear.block_bytes() as i32);
        e.branch(Condition::Below, regs.scratch, regs.count, blocks);
        if self.clear.block_words > 1 {
            self.jump(e);
        }
    }

    /// A jump so that as many stores are left as `count` has words: an instruction's four bytes each.
    ///
    /// ```text
    ///     srli  t0, a5, 1
    ///     auipc t2, 0
    ///     sub   t2, t2, t0
    ///     jr    268(t2)
    /// ```
    fn jump(&self, e: &mut Emitter) {
        let regs = &self.clear.regs;
        let code_bytes = if self.word == Width::Double {
            e.srli(regs.scratch, regs.count, 1);
            regs.scratch
        } else {
            regs.count
        };
        let anchor = e.pc_address(regs.jump);
        e.sub(regs.jump, regs.jump, code_bytes);
        e.jr(regs.jump, anchor, self.end);
    }

    /// ```text
    ///     sd    zero, -512(a4)
    ///     ...
    ///     sd    zero, -8(a4)
    /// ```
    pub(super) fn write(&self, e: &mut Emitter) {
        let words = self.clear.block_words;
        e.comment(match words {
            1 => "The last word.".to_owned(),
            _ => format!("Up to {words} words; the jump left as many stores as there are."),
        });
        e.place(self.start);
        for left in (1..=words).rev() {
            let offset = -((left * self.word.bytes()) as i32);
            e.store(self.word, Reg::ZERO, offset, self.clear.regs.words_end);
        }
        e.place(self.end);
    }

    /// Blocks while more than one is left: what remains is a word at least, and a block at most. `scratch` holds a block's bytes.
    ///
    /// ```text
    /// .Lblocks:
    ///     sd    zero, 0(a0)
    ///     ...
    ///     addi  a0, a0, 512
    ///     addi  a5, a5, -512
    ///     bltu  t0, a5, .Lblocks
    ///     (the jump)
    /// ```
    pub(super) fn blocks(&self, e: &mut Emitter, blocks: Label) {
        let regs = &self.clear.regs;
        let block_bytes = self.clear.block_bytes();
        let threshold = self.clear.blocks_threshold();
        e.comment(format!(
            "From {} bytes in words on, {}: blocks of {block_bytes} while more than one is left, then the ladder.",
            threshold.bytes, threshold.why
        ));
        e.place(blocks);
        let start = e.place_loop("block", block_bytes, None);
        for index in 0..self.clear.block_words {
            let offset = (index * self.word.bytes()) as i32;
            e.store(self.word, Reg::ZERO, offset, CURSOR);
        }
        e.addi(CURSOR, CURSOR, block_bytes as i32);
        e.addi(regs.count, regs.count, -(block_bytes as i32));
        e.branch(Condition::Below, regs.scratch, regs.count, start);
        if self.clear.block_words > 1 {
            self.jump(e);
        } else {
            e.j(self.start);
        }
    }
}
