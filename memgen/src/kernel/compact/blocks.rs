//! Blocks of more than one word, in front of the loop of words: there only where the caller asks for them.

use super::words::{advance, merge};
use super::{Copy, DISTANCE};
use crate::inst::{Condition, Label, RegOp};
use crate::kernel::emit::Emitter;
use crate::plan::Block;
use crate::reg::Reg;

/// Blocks of words while they last, merged or not; branches to `done` if no word is left. Gives the most bytes that are left, if
/// every copy comes through blocks.
///
/// ```text
///     andi  t2, a5, -8
///     sub   t2, t2, a3
///     bne   a1, a7, .Lmerge
///     li    a6, 64
///     bltu  t2, a6, .Lwords
/// .Lblock:
///     ...
///     bgeu  t2, a6, .Lblock
///     j     .Lrest
/// .Lmerge:
///     li    a6, 32
///     bltu  t2, a6, .Lwords
/// .Lmerge_block:
///     ...
///     bgeu  t2, a6, .Lmerge_block
/// .Lrest:
///     beqz  t2, .Lwords_done
/// .Lwords:
/// ```
pub(super) fn copy(e: &mut Emitter, copy: Copy, done: Label) -> Option<u32> {
    let rest = copy.regs.rest?;
    let several = |block: &&Block| block.words > 1;
    let block = Some(&copy.plan.block).filter(several);
    let merged = copy.plan.shift_block.as_ref().filter(several);
    bytes_of_words(e, copy, rest);
    let (words, left_over, merge) = (e.label("words"), e.label("rest"), e.label("merge"));
    let (condition, other_way) = match (block, merged) {
        (Some(_), Some(_)) => (Condition::NotEqual, merge),
        (Some(_), None) => (Condition::NotEqual, words),
        (None, _) => (Condition::Equal, words),
    };
    e.branch(condition, DISTANCE, copy.regs.word_distance, other_way);
    if let Some(block) = block {
        e.comment(format!(
            "Co-aligned blocks of {block}, while that many remain."
        ));
        blocks(e, copy, "block", block, words, |e| as_they_are(e, copy));
        if merged.is_some() {
            e.j(left_over);
        }
    }
    if let Some(block) = merged {
        e.place(merge);
        e.comment(format!("Merged blocks of {block}, while that many remain."));
        blocks(e, copy, "merge_block", block, words, |e| {
            merged_words(e, copy, block.words)
        });
    }
    e.place(left_over);
    e.beqz(rest, done);
    e.place(words);
    Some(block?.bytes.max(merged?.bytes) - copy.plan.word_bytes())
}

/// How many bytes the whole words have that remain.
fn bytes_of_words(e: &mut Emitter, copy: Copy, rest: Reg) {
    e.comment("The bytes of all whole words.");
    e.andi(rest, copy.all.end, -copy.word_bytes());
    e.sub(rest, rest, copy.all.cursor);
    if let Some(ways) = copy.both_ways {
        let ahead = e.label("ahead");
        e.beqz(ways.first, ahead);
        e.neg(rest, rest);
        e.place(ahead);
    }
}

/// A loop over `block`s that measures by the rest.
fn blocks(
    e: &mut Emitter,
    copy: Copy,
    name: &str,
    block: &Block,
    words: Label,
    body: impl Fn(&mut Emitter),
) {
    let (cursor, stop) = (copy.all.cursor, copy.regs.stop);
    let rest = copy.regs.rest.expect("blocks are measured by the rest");
    e.li(stop, block.bytes as i32);
    e.branch(Condition::Below, rest, stop, words);
    let start = e.place_loop(name, block.bytes, None);
    body(e);
    e.addi(rest, rest, -(block.bytes as i32));
    if copy.both_ways.is_none() {
        e.addi(cursor, cursor, block.bytes as i32);
    }
    e.branch(Condition::AtLeast, rest, stop, start);
}

/// The words of a co-aligned block. Either way they go one by one, since offsets would be those of one direction:
///
/// ```text
///     sub   a4, a3, a7
///     ld    a2, 0(a4)
///     sd    a2, 0(a3)
///     add   a3, a3, t2
/// ```
fn as_they_are(e: &mut Emitter, copy: Copy) {
    let (word, scratch, cursor) = (copy.plan.word, copy.all.scratch, copy.all.cursor);
    let mut offset = 0;
    for (index, group) in copy.plan.block.groups.iter().enumerate() {
        if index == 0 || copy.both_ways.is_some() {
            e.sub(scratch, cursor, copy.regs.word_distance);
        }
        let data = &copy.regs.data[..*group as usize];
        let offsets = || (0..).map(|number| offset + number * copy.word_bytes());
        for (reg, offset) in data.iter().zip(offsets()) {
            e.load(word, *reg, offset, scratch);
        }
        for (reg, offset) in data.iter().zip(offsets()) {
            e.store(word, *reg, offset, cursor);
        }
        match copy.both_ways {
            Some(_) => advance(e, copy),
            None => offset += *group as i32 * copy.word_bytes(),
        }
    }
}

/// The words of a merged block. Forward, two registers take turns as the word before, so that each word is loaded once:
///
/// ```text
///     sub   a4, a3, a7
///     ld    a2, -8(a4)
///     ld    t3, 0(a4)
///     srl   a2, a2, t1
///     sll   t4, t3, t0
///     or    a2, a2, t4
///     sd    a2, 0(a3)
///     ld    a2, 8(a4)
///     ...
/// ```
fn merged_words(e: &mut Emitter, copy: Copy, words: u32) {
    let (word, scratch, cursor) = (copy.plan.word, copy.all.scratch, copy.all.cursor);
    let (regs, word_bytes) = (copy.regs, copy.word_bytes());
    let (Some(right), &[mut before, mut next, part, ..]) = (regs.right, regs.data.as_slice())
    else {
        for _ in 0..words {
            e.sub(scratch, cursor, regs.word_distance);
            e.load(word, regs.data[0], 0, scratch);
            merge(e, copy);
            e.store(word, regs.data[0], 0, cursor);
            advance(e, copy);
        }
        return;
    };
    e.sub(scratch, cursor, regs.word_distance);
    e.load(word, before, -word_bytes, scratch);
    for offset in (0..words as i32).map(|number| number * word_bytes) {
        e.load(word, next, offset, scratch);
        e.op(RegOp::ShiftRight, before, before, right);
        e.op(RegOp::ShiftLeft, part, next, regs.left);
        e.op(RegOp::Or, before, before, part);
        e.store(word, before, offset, cursor);
        (before, next) = (next, before);
    }
}
