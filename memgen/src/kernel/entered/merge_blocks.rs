//! The loops over blocks of merged words.

use super::merge::Merge;
use super::way::Way;
use crate::inst::{Condition, Label, RegOp};
use crate::kernel::emit::Emitter;
use crate::plan::{EnteredRegs, MERGE_KEPT_WORDS, groups};
use crate::reg::Reg;

/// Merges `count` words from one cursor to the other. `inner` holds the source word that the first of them starts with, and in the
/// end the one that follows. The registers take turns, so nothing is moved:
///
/// ```text
///     ld    a7, 8(t5)
///     ld    a1, 16(t5)
///     srl   t0, a6, t3
///     ld    a6, 24(t5)
///     sll   t2, a7, t4
///     or    t0, t0, t2
///     srl   a7, a7, t3
///     sll   t2, a1, t4
///     sd    t0, 0(a3)
///     ...
/// ```
fn merge_block(
    e: &mut Emitter,
    way: Way,
    regs: &EnteredRegs,
    count: u32,
    cursors: (Reg, Reg),
    data: &[Reg],
) {
    let word = e.plan.word;
    let (from, to) = cursors;
    let load = |e: &mut Emitter, rd: Reg, index: u32| {
        e.load(word, rd, way.onward((index + 1) * word.bytes()), from);
    };
    let store = |e: &mut Emitter, rs: Reg, index: u32| {
        e.store(word, rs, way.ahead(index, word.bytes()), to)
    };
    let mut done = 0;
    for group in groups(count, data.len() as u32 + 1) {
        let group = group as usize;
        let others = &data[..group - 1];
        // The source word that each word of the group ends with; the last takes the register of the first.
        let ends: Vec<Reg> = others.iter().copied().chain([regs.inner]).collect();
        let early = others.len().min(2);
        for (index, rd) in others[..early].iter().enumerate() {
            load(e, *rd, done + index as u32);
        }
        way.shift_near(e, regs, regs.carried, regs.inner);
        for (index, rd) in ends.iter().enumerate().skip(early) {
            if index + 1 < group || group == 1 {
                load(e, *rd, done + index as u32);
            }
        }
        for index in 0..group {
            let part = match index {
                0 => regs.carried,
                _ => others[index - 1],
            };
            if index > 0 {
                way.shift_near(e, regs, part, part);
            }
            way.shift_far(e, regs, regs.jump, ends[index]);
            if index == 0 && group > 1 {
                load(e, regs.inner, done + group as u32 - 1);
            }
            if index > 0 {
                let before = match index {
                    1 => regs.carried,
                    _ => others[index - 2],
                };
                store(e, before, done + index as u32 - 1);
            }
            e.op(RegOp::Or, part, part, regs.jump);
        }
        let last = match group {
            1 => regs.carried,
            _ => others[group - 2],
        };
        store(e, last, done + group as u32 - 1);
        done += group as u32;
    }
}

/// A long memcpy by merging: the same, with two words at least for `rest`.
pub(super) fn memcpy(e: &mut Emitter, merge: &Merge, rest: Label, late_head: bool) {
    let regs = merge.regs();
    let word_bytes = merge.word_bytes() as i32;
    let block_words = merge.entered.shift_words;
    let block_bytes = block_words as i32 * word_bytes;
    let kept_bytes = MERGE_KEPT_WORDS as i32 * word_bytes;
    let aligned = e.label("merge_aligned");
    e.comment(match late_head {
        true => "From the first word boundary of dst on; the head waits.".to_owned(),
        false => "Head: the bytes before dst's first word boundary.".to_owned(),
    });
    e.beqz(regs.phase, aligned);
    if !late_head {
        let done = e.label("head_done");
        e.load(merge.word, regs.carried, word_bytes, regs.words);
        merge.shift_near(e, regs.carried, regs.carried);
        merge.far(e, |e| e.j(done));
        e.place(done);
    }
    e.addi(regs.words, regs.words, word_bytes);
    e.addi(regs.from, regs.from, word_bytes);
    e.addi(regs.to, regs.to, word_bytes);
    e.addi(Reg::A2, Reg::A2, -word_bytes);
    e.comment(format!(
        "Blocks of {block_words} words, ascending; {MERGE_KEPT_WORDS} words stay for the ladder, which cannot start with fewer."
    ));
    e.place(aligned);
    e.load(merge.word, regs.inner, 0, regs.words);
    e.addi(Reg::A2, Reg::A2, -kept_bytes);
    e.andi(regs.scratch, Reg::A2, -block_bytes);
    e.add(regs.from, regs.from, regs.scratch);
    e.add(regs.scratch, regs.scratch, regs.words);
    let start = e.place_loop("merge_block", block_bytes as u32, None);
    // A late head still needs a1.
    let data = [regs.out, regs.phase, Reg::A1];
    let data = &data[..merge.entered.merged_in_flight() as usize - 1];
    merge_block(e, Way::Up, regs, block_words, (regs.words, regs.to), data);
    e.addi(regs.words, regs.words, block_bytes);
    e.addi(regs.to, regs.to, block_bytes);
    e.branch(Condition::NotEqual, regs.words, regs.scratch, start);
    e.andi(Reg::A2, Reg::A2, block_bytes - 1);
    e.li(regs.phase, 0);
    e.addi(Reg::A2, Reg::A2, kept_bytes);
    e.j(rest);
}

/// Blocks of a memmove or a user copy by merging, with two words at least for the `ladder`.
pub(super) fn memmove(e: &mut Emitter, merge: &Merge, ladder: Label) {
    let (regs, way) = (merge.regs(), merge.way);
    let word_bytes = merge.word_bytes() as i32;
    let block_words = merge.entered.shift_words;
    let block_bytes = block_words * merge.word_bytes();
    e.comment(format!(
        "Blocks of {block_words} words; {MERGE_KEPT_WORDS} words at least stay for the ladder, which cannot start with fewer."
    ));
    let cursor = merge.entered.block_cursor();
    way.back(e, cursor, regs.to, regs.scratch);
    e.addi(
        regs.jump,
        regs.scratch,
        -(MERGE_KEPT_WORDS as i32) * word_bytes,
    );
    e.andi(regs.jump, regs.jump, -(block_bytes as i32));
    e.sub(regs.scratch, regs.scratch, regs.jump);
    way.back(e, regs.scratch, regs.to, regs.scratch);
    e.mv(regs.words, regs.carried);
    e.mv(regs.inner, regs.out);
    let start = e.place_loop("merge_block", block_bytes, None);
    let data = [regs.out, Reg::A1];
    merge_block(e, way, regs, block_words, (regs.words, cursor), &data);
    e.addi(regs.words, regs.words, way.onward(block_bytes));
    e.addi(cursor, cursor, way.onward(block_bytes));
    e.branch(Condition::NotEqual, cursor, regs.scratch, start);
    e.mv(regs.out, regs.inner);
    e.mv(regs.carried, regs.words);
    e.andi(regs.words, regs.from, -word_bytes);
    match way {
        Way::Down => e.sub(regs.scratch, cursor, regs.to),
        Way::Up => e.sub(regs.scratch, regs.to, cursor),
    }
    e.j(ladder);
}
