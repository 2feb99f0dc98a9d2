//! memmove: up, unless dst starts inside the source; then down. Both are the same code, mirrored.

use super::merge::{self, Merge};
use super::way::Way;
use super::words::Words;
use super::{blocks, counted_from_boundary, decisions, far_row, merge_blocks, small};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{Ends, Entered, EnteredRegs, Halves};
use crate::reg::Reg;
use crate::spec::Op;

/// A copy between blocks that may overlap.
pub(in crate::kernel) fn memmove(e: &mut Emitter) {
    let entered = decisions(e);
    let regs = &entered.regs;
    let big = small::memmove(e, entered);
    let down = e.label("down");
    e.comment(
        "A destination that starts inside the source, dst - src < n unsigned, is copied down; anything else up.",
    );
    e.place(big);
    e.sub(regs.carried, Reg::A0, Reg::A1);
    e.branch(Condition::Below, regs.carried, Reg::A2, down);
    one_way(e, entered, Way::Up);
    e.place(down);
    e.prefix = "down_";
    one_way(e, entered, Way::Down);
    e.prefix = "";
}

pub(super) fn one_way<'p>(e: &mut Emitter<'p>, entered: &'p Entered, way: Way) {
    let regs = &entered.regs;
    let (word, word_bytes) = (e.plan.word, e.plan.word_bytes() as i32);
    boundary(e, regs, way, word_bytes);
    let mismatch = e.label("mismatch");
    e.andi(regs.carried, regs.from, word_bytes - 1);
    e.bnez(regs.carried, mismatch);
    let far = (entered.ends == Ends::Shared).then(|| e.label("far_1"));
    by_units(e, entered, way, word, "word", far);

    e.comment("Not co-aligned.");
    e.place(mismatch);
    let halves = (entered.halves == Halves::Ladder).then(|| e.label("half_apart"));
    if let Some(halves) = halves {
        e.andi(regs.carried, regs.from, word_bytes / 2 - 1);
        e.beqz(regs.carried, halves);
    }
    merge::counts(e, entered);
    let merge = Merge::start(e, entered, way, false);
    merge.fused(e);
    let long = e.label("merge_long");
    let ladder = merge.enter(e, Some(long));
    merge.ladder(e, far, None);
    if let Some(far) = far {
        far_row(e, entered, way, far);
    }
    e.place(long);
    merge_blocks::memmove(e, &merge, ladder);
    merge.fused_row(e);
    if let Some(halves) = halves {
        let half = word.half().expect("words of four bytes or more");
        e.comment("Half a word apart: the same as co-aligned, by halves.");
        e.place(halves);
        half_boundary(e, regs, way, half.bytes() as i32);
        by_units(e, entered, way, half, "half", None);
    }
}

/// Co-aligned modulo a unit.
fn by_units<'p>(
    e: &mut Emitter<'p>,
    entered: &'p Entered,
    way: Way,
    unit: Width,
    name: &'static str,
    far: Option<Label>,
) {
    let words = Words::start(e, entered, way, unit, entered.ladder_units(), name);
    words.fused(e);
    let long = e.label(&format!("{name}s_long"));
    let ladder = words.enter(e, Some(long));
    words.ladder(e, far);
    e.place(long);
    blocks::memmove(e, &words, ladder);
    words.fused_row(e);
}

/// Counts from the word boundary outside the far end.
fn boundary(e: &mut Emitter, regs: &EnteredRegs, way: Way, word_bytes: i32) {
    match way {
        Way::Down => {
            e.comment(format!(
                "Down. {} = the bytes of dst's first word that lie before dst; {} and {} = dst and src less those, n counts them \
                 too. Co-aligned?",
                regs.phase, regs.to, regs.from
            ));
            e.andi(regs.phase, Reg::A0, word_bytes - 1);
            e.sub(regs.from, Reg::A1, regs.phase);
            counted_from_boundary(e, regs);
        }
        Way::Up => {
            let name = if e.plan.op == Op::Memmove { "Up. " } else { "" };
            e.comment(format!(
                "{name}{} = the bytes of dst's last word that lie behind its end; {} and {} = the ends of dst and src and those, n \
                 counts them too. Co-aligned?",
                regs.phase, regs.to, regs.from
            ));
            e.add(regs.to, Reg::A0, Reg::A2);
            e.neg(regs.phase, regs.to);
            e.andi(regs.phase, regs.phase, word_bytes - 1);
            e.add(Reg::A2, Reg::A2, regs.phase);
            e.add(regs.to, regs.to, regs.phase);
            e.add(regs.from, Reg::A1, Reg::A2);
        }
    }
}

/// From the boundary of a word to that of a half, where the half beyond the block is not counted.
fn half_boundary(e: &mut Emitter, regs: &EnteredRegs, way: Way, half_bytes: i32) {
    e.andi(regs.carried, regs.phase, half_bytes);
    for reg in [regs.from, regs.to] {
        match way {
            Way::Down => e.add(reg, reg, regs.carried),
            Way::Up => e.sub(reg, reg, regs.carried),
        }
    }
    e.sub(regs.phase, regs.phase, regs.carried);
    e.sub(Reg::A2, Reg::A2, regs.carried);
}
