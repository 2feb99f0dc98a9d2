//! memcpy: small sizes, then one way for each kind of distance between source and destination. Up to the length of a ladder words go
//! down, tail first and head last; longer copies start with the head and go up by blocks.

use super::merge::{self, Merge};
use super::way::Way;
use super::words::Words;
use super::{blocks, counted_from_boundary, decisions, far_row, halves, merge_blocks, small};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{Ends, Entered, Halves};
use crate::reg::Reg;

/// A copy between blocks that do not overlap.
pub(in crate::kernel) fn memcpy(e: &mut Emitter) {
    let entered = decisions(e);
    let regs = &entered.regs;
    let (word, word_bytes) = (e.plan.word, e.plan.word_bytes() as i32);
    let big = small::memcpy(e, entered);
    e.comment(format!(
        "{} = the bytes of dst's first word that lie before dst, {} = the source address that belongs to that word. Are they \
         co-aligned?",
        regs.phase, regs.from
    ));
    e.place(big);
    e.andi(regs.phase, Reg::A0, word_bytes - 1);
    e.sub(regs.from, Reg::A1, regs.phase);
    let mismatch = e.label("mismatch");
    e.andi(regs.carried, regs.from, word_bytes - 1);
    e.bnez(regs.carried, mismatch);

    // Slots that co-aligned and merged words share.
    let far = (entered.ends == Ends::Shared).then(|| e.label("head_1"));
    by_units(e, entered, word, "word", far);
    e.place(mismatch);
    match far {
        Some(far) => by_merging(e, entered, far),
        None => by_merging_fused(e, entered),
    }
}

/// Co-aligned modulo a unit.
fn by_units<'p>(
    e: &mut Emitter<'p>,
    entered: &'p Entered,
    unit: Width,
    name: &'static str,
    far: Option<Label>,
) {
    let regs = &entered.regs;
    let is_fused = entered.fused_bytes > 0;
    let block_bytes = (entered.copy_units * unit.bytes()) as i32;
    let long = e.label(&format!("{name}s_long"));
    let rest = e.label(&format!("{name}s_left"));
    let test_long = |e: &mut Emitter| {
        e.comment(format!("From {block_bytes} bytes on, by blocks."));
        e.andi(regs.carried, Reg::A2, -block_bytes);
        e.bnez(regs.carried, long);
    };
    if !is_fused {
        test_long(e);
        counted_from_boundary(e, regs);
        e.place(rest);
    } else {
        counted_from_boundary(e, regs);
    }
    // Blocks are asked for by n, or by n counted from the boundary, which a whole block has not when it comes here.
    let units = entered.copy_units - u32::from(is_fused);
    let words = Words::start(e, entered, Way::Down, unit, units, name);
    if is_fused {
        words.fused(e);
        test_long(e);
        e.place(rest);
    }
    words.enter(e, None);
    words.ladder(e, far);
    e.place(long);
    blocks::memcpy(e, &words, is_fused, rest);
    if is_fused {
        words.fused_row(e);
    }
}

/// Any other distance, in little code: a long copy comes by here too, for the words that its blocks leave and then for its head.
fn by_merging<'p>(e: &mut Emitter<'p>, entered: &'p Entered, far: Label) {
    let regs = &entered.regs;
    let word_bytes = e.plan.word_bytes() as i32;
    let start = e.label("merge");
    let halves = (entered.halves == Halves::Loop).then(|| e.label("half_apart"));
    e.comment("Not co-aligned.");
    if let Some(halves) = halves {
        e.andi(regs.carried, regs.from, word_bytes / 2 - 1);
        e.beqz(regs.carried, halves);
    }
    e.place(start);
    counted_from_boundary(e, regs);
    merge::counts(e, entered);
    let (long, rest) = (e.label("merge_long"), e.label("merge_left"));
    test_merge_long(e, entered, long);
    e.place(rest);
    let merge = Merge::start(e, entered, Way::Down, true);
    merge.enter(e, None);
    let late_head = e.label("late_head");
    let head = merge.ladder(e, Some(far), Some(late_head));
    far_row(e, entered, Way::Down, far);
    e.place(long);
    merge_blocks::memcpy(e, &merge, rest, true);
    e.place(late_head);
    merge.late_head(e, head);
    if let Some(halves) = halves {
        e.place(halves);
        let half = e.plan.word.half().expect("words of four bytes or more");
        halves::copy(e, regs, half, start);
    }
}

/// More than the ladder holds goes by blocks.
fn test_merge_long(e: &mut Emitter, entered: &Entered, long: Label) {
    let longest = (entered.merge_words + 1) * e.plan.word_bytes() - 1;
    e.comment(format!(
        "Above {longest} bytes, more than the {} words of the ladder, by blocks.",
        entered.merge_words
    ));
    e.li(entered.regs.scratch, longest as i32);
    e.branch(Condition::Below, entered.regs.scratch, Reg::A2, long);
}

/// Any other distance, where size is no object.
fn by_merging_fused<'p>(e: &mut Emitter<'p>, entered: &'p Entered) {
    let regs = &entered.regs;
    let half = e.plan.word.half().expect("words of four bytes or more");
    let (halves, long, rest) = (
        e.label("half_apart"),
        e.label("merge_long"),
        e.label("merge_left"),
    );
    e.comment("Half a word apart?");
    e.andi(regs.carried, regs.from, half.bytes() as i32 - 1);
    e.beqz(regs.carried, halves);
    counted_from_boundary(e, regs);
    merge::counts(e, entered);
    let merge = Merge::start(e, entered, Way::Down, true);
    merge.fused(e);
    test_merge_long(e, entered, long);
    e.place(rest);
    merge.enter(e, None);
    merge.ladder(e, None, None);
    e.place(long);
    merge_blocks::memcpy(e, &merge, rest, false);
    merge.fused_row(e);

    e.comment("Half a word apart: the same as co-aligned, by halves.");
    e.place(halves);
    e.andi(regs.phase, Reg::A0, half.bytes() as i32 - 1);
    e.sub(regs.from, Reg::A1, regs.phase);
    by_units(e, entered, half, "half", None);
}
