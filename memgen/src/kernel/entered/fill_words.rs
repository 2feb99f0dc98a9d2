//! Whole words of a fill: a jump to the exact count of them, and blocks in front of it where there are many.

use super::fill::FILL;
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::EnteredFill;

/// The ladder of words from `start` on, and the blocks before it.
pub(super) struct Words<'p> {
    fill: &'p EnteredFill,
    word: Width,
    /// Behind the ladder's last store.
    end: Label,
    blocks: Label,
}

impl<'p> Words<'p> {
    pub(super) fn new(e: &mut Emitter, fill: &'p EnteredFill) -> Self {
        Words {
            fill,
            word: e.plan.word,
            end: e.label("words_end"),
            blocks: e.label("blocks"),
        }
    }

    /// Stores the `count` bytes from `start` on, one word or more.
    ///
    /// ```text
    ///     li    t0, 512
    ///     bltu  t0, a5, .Lblocks
    ///     (the jump)
    /// ```
    pub(super) fn enter(&self, e: &mut Emitter) {
        let regs = &self.fill.regs;
        e.li(regs.scratch, self.fill.block_bytes() as i32);
        e.branch(Condition::Below, regs.scratch, regs.count, self.blocks);
        self.jump(e);
    }

    /// A jump so that as many stores of the ladder are left as `count` has words: an instruction's four bytes each.
    ///
    /// ```text
    ///     srli  t0, a5, 1
    ///     auipc t2, 0
    ///     sub   t2, t2, t0
    ///     jr    596(t2)
    /// ```
    fn jump(&self, e: &mut Emitter) {
        let regs = &self.fill.regs;
        if self.fill.block_words == 1 {
            e.store(self.word, FILL, 0, regs.start);
            return e.ret();
        }
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
    ///     sd    a1, 504(a3)
    ///     ...
    ///     sd    a1, 0(a3)
    ///     ret
    /// ```
    pub(super) fn ladder(&self, e: &mut Emitter) {
        if self.fill.block_words == 1 {
            return;
        }
        e.comment(format!(
            "Up to {} words; the jump left as many stores as there are.",
            self.fill.block_words
        ));
        for index in (0..self.fill.block_words).rev() {
            let offset = index * self.word.bytes();
            e.store(self.word, FILL, offset as i32, self.fill.regs.start);
        }
        e.place(self.end);
        e.ret();
    }
}

/// Blocks while more than one is left: what remains is a word at least, and a block at most. `scratch` holds a block's bytes.
///
/// ```text
/// .Lblocks:
///     sd    a1, 0(a3)
///     ...
///     addi  a3, a3, 512
///     addi  a5, a5, -512
///     bltu  t0, a5, .Lblocks
///     (the jump)
/// ```
pub(super) fn blocks(e: &mut Emitter, fill: &EnteredFill, words: &Words) {
    let regs = &fill.regs;
    let (word, block_bytes) = (e.plan.word, fill.block_bytes());
    let threshold = fill.blocks_threshold();
    e.comment(format!(
        "From {} bytes in words on, {}: blocks of {block_bytes} while more than one is left, then the ladder.",
        threshold.bytes, threshold.why
    ));
    e.place(words.blocks);
    let start = e.place_loop("block", block_bytes, None);
    for index in 0..fill.block_words {
        e.store(word, FILL, (index * word.bytes()) as i32, regs.start);
    }
    e.addi(regs.start, regs.start, block_bytes as i32);
    e.addi(regs.count, regs.count, -(block_bytes as i32));
    e.branch(Condition::Below, regs.scratch, regs.count, start);
    words.jump(e);
}
