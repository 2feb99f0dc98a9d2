//! The loop of words: whole words of the destination, from one word of the source or merged from two.

use super::{Copy, DISTANCE, blocks};
use crate::inst::{Condition, RegOp};
use crate::kernel::emit::Emitter;
use crate::reg::Reg;

/// Every whole word of the destination. The source lies `a1` below; the word that `a7`, the same in whole words, leads to holds its
/// last bytes, the word before that its first ones. memmove's lines are marked with `|`.
///
/// ```text
///   | andi  a3, a3, -8
///   | slli  t2, t1, 3
///     andi  a7, a1, -8
///     slli  t0, a1, 3
///     neg   t4, t0
///     andi  a6, a5, -8
/// .Lword:
///     sub   a4, a3, a7
///     ld    a2, 0(a4)
///     beq   a1, a7, .Lstore
///     ld    a4, -8(a4)
///     sll   a2, a2, t0
///     srl   a4, a4, t4
///     or    a2, a2, a4
/// .Lstore:
///     sd    a2, 0(a3)
///     addi  a3, a3, 8           | add   a3, a3, t2
///     bne   a3, a6, .Lword
///   | add   a3, a3, t3
/// ```
pub(super) fn copy(e: &mut Emitter, copy: Copy) {
    let (all, regs) = (copy.all, copy.regs);
    let word_bytes = copy.word_bytes();
    e.comment(format!(
        "Words. {} is the distance rounded down to whole words: so far below the cursor lies the word of the source that its last bytes \
         come from; the first ones come from the word before. Each of the two holds a byte of the source. Of a shift count, only the \
         low bits matter.",
        regs.word_distance
    ));
    if let Some(ways) = copy.both_ways {
        e.andi(all.cursor, all.cursor, -word_bytes);
        e.slli(ways.stride, ways.step, copy.plan.word_bytes().ilog2());
    }
    e.andi(regs.word_distance, DISTANCE, -word_bytes);
    e.slli(regs.left, DISTANCE, 3);
    if let Some(right) = regs.right {
        e.neg(right, regs.left);
    }
    let done = e.label("words_done");
    let most = blocks::copy(e, copy, done);

    e.comment(format!(
        "A word an iteration{}: as it is if the distance is in whole words, else merged.",
        most.map_or("", |_| ", what blocks leave over")
    ));
    if !copy.stop_is_set() {
        e.andi(regs.stop, all.end, -word_bytes);
    }
    let (word, store) = (
        e.place_loop("word", word_bytes as u32, most),
        e.label("store"),
    );
    let data = regs.data[0];
    e.sub(all.scratch, all.cursor, regs.word_distance);
    e.load(copy.plan.word, data, 0, all.scratch);
    e.branch(Condition::Equal, DISTANCE, regs.word_distance, store);
    merge(e, copy);
    e.place(store);
    e.store(copy.plan.word, data, 0, all.cursor);
    advance(e, copy);
    e.branch(Condition::NotEqual, all.cursor, regs.stop, word);
    e.place(done);
    if let Some(ways) = copy.both_ways {
        e.add(all.cursor, all.cursor, ways.first);
    }
}

/// Completes the word in a2 with bytes of the word before it, which the scratch register leads to.
pub(super) fn merge(e: &mut Emitter, copy: Copy) {
    let (scratch, regs, data) = (copy.all.scratch, copy.regs, copy.regs.data[0]);
    e.load(copy.plan.word, scratch, -copy.word_bytes(), scratch);
    e.op(RegOp::ShiftLeft, data, data, regs.left);
    match regs.right {
        Some(right) => e.op(RegOp::ShiftRight, scratch, scratch, right),
        None => {
            e.neg(regs.left, regs.left);
            e.op(RegOp::ShiftRight, scratch, scratch, regs.left);
            e.neg(regs.left, regs.left);
        }
    }
    e.op(RegOp::Or, data, data, scratch);
}

/// Moves the cursor on by a word.
pub(super) fn advance(e: &mut Emitter, copy: Copy) {
    let cursor: Reg = copy.all.cursor;
    match copy.both_ways {
        Some(ways) => e.add(cursor, cursor, ways.stride),
        None => e.addi(cursor, cursor, copy.word_bytes()),
    }
}
