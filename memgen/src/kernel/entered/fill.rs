//! memset in the shape `entered`: small sizes first, then words, the ends of an unaligned block stored branch-free.

use super::fill_small;
use super::fill_words::{self, Words};
use crate::inst::{Condition, Width};
use crate::kernel::emit::Emitter;
use crate::kernel::fill::repeat;
use crate::plan::{EnteredFill, FillOverlap, Form};
use crate::reg::Reg;

/// The fill: c, then its low byte repeated.
pub(super) const FILL: Reg = Reg::A1;

/// Bytes to fill.
pub(super) const BYTES: Reg = Reg::A2;

/// The whole routine.
///
/// ```text
///     andi  a3, a0, -8
///     beq   a3, a0, .Laligned
///     ...
/// .Laligned:
///     andi  a5, a2, -8
///     beq   a5, a2, .Lcounted
///     (the last bytes)
/// .Lcounted:
/// ```
pub(in crate::kernel) fn entered_fill(e: &mut Emitter) {
    let plan = e.plan;
    let Form::EnteredFill(fill) = &plan.form else {
        unreachable!("a fill by jumps is made for its form")
    };
    let regs = &fill.regs;
    let word_mask = -(plan.word_bytes() as i32);
    let (from_words, aligned) = (e.label("words"), e.label("aligned"));
    let words = Words::new(e, fill);

    let lines = fill_small::bytes(e, fill, from_words);
    e.place(from_words);
    e.comment(format!(
        "Words, from {} bytes on: {}. c arrives as an int, only its low byte counts; it is repeated over a word.",
        fill.bulk.bytes, fill.bulk.why
    ));
    spread(e, fill, plan.word);
    e.andi(regs.start, Reg::A0, word_mask);
    e.branch(Condition::Equal, regs.start, Reg::A0, aligned);
    unaligned(e, fill, &words);

    e.comment("dst is word aligned: only the last bytes may need stores of their own.");
    e.place(aligned);
    let counted = e.label("counted");
    e.andi(regs.count, BYTES, word_mask);
    e.branch(Condition::Equal, regs.count, BYTES, counted);
    e.add(regs.end, regs.start, BYTES);
    tail(e, fill);
    e.place(counted);
    words.enter(e);
    words.ladder(e);
    fill_words::blocks(e, fill, &words);
    fill_small::lines(e, fill, lines);
}

/// Masks c, where no packing does it, and repeats its low byte over `width`.
pub(super) fn spread(e: &mut Emitter, fill: &EnteredFill, width: Width) {
    if !e.plan.isa().has("zbkb") {
        e.andi(FILL, FILL, 255);
    }
    repeat(e, width, fill.regs.scratch);
}

/// A block whose start is in the middle of the word at `start`: its ends, and the words between them from both sides, or counted.
fn unaligned(e: &mut Emitter, fill: &EnteredFill, words: &Words) {
    let regs = &fill.regs;
    let word_bytes = e.plan.word_bytes() as i32;
    let mut text = "dst is not word aligned. The stores up to the first whole word, and those behind the last, overlap instead \
                    of asking how many bytes there are."
        .to_owned();
    if !fill.lone_byte {
        e.comment(std::mem::take(&mut text));
        ends(e, fill, 0);
    }
    for (overlap, threshold) in fill.overlaps.iter().zip(fill.overlap_thresholds()) {
        let more = e.label("more");
        text += &format!(
            " Below {} bytes, {}: {} stores of words, half of them from either end; they meet or overlap.",
            threshold.bytes, threshold.why, overlap.words
        );
        e.comment(std::mem::take(&mut text).trim_start());
        e.li(regs.scratch, threshold.bytes as i32);
        e.branch(Condition::AtLeast, BYTES, regs.scratch, more);
        if fill.lone_byte {
            ends(e, fill, 0);
        }
        overlapping(e, fill, overlap);
        e.place(more);
    }
    let lone = e.label("one_byte");
    if fill.lone_byte {
        e.comment("More words are counted. Behind a head of one byte the rest is aligned, and goes on as such.");
        e.store(Width::Byte, FILL, 0, Reg::A0);
        e.addi(regs.scratch, regs.start, word_bytes - 1);
        e.branch(Condition::Equal, regs.scratch, Reg::A0, lone);
        ends(e, fill, 1);
    } else if !fill.overlaps.is_empty() {
        e.comment("More words are counted.");
    }
    e.addi(regs.start, regs.start, word_bytes);
    e.sub(regs.count, regs.end, regs.start);
    words.enter(e);
    if fill.lone_byte {
        e.place(lone);
        e.addi(regs.start, regs.start, word_bytes);
        e.addi(BYTES, BYTES, -1);
    }
}

/// Both ends, the first `done` bytes apart; `end` is the words' then.
///
/// ```text
///     (the first bytes)
///     add   a4, a0, a2
///     (the last bytes)
///     andi  a4, a4, -8
/// ```
fn ends(e: &mut Emitter, fill: &EnteredFill, done: u32) {
    let end = fill.regs.end;
    head(e, fill, done);
    e.add(end, Reg::A0, BYTES);
    tail(e, fill);
    e.andi(end, end, -(e.plan.word_bytes() as i32));
}

/// ```text
///     sd    a1, 8(a3)
///     sd    a1, 16(a3)
///     sd    a1, -16(a4)
///     sd    a1, -8(a4)
///     ret
/// ```
fn overlapping(e: &mut Emitter, fill: &EnteredFill, overlap: &FillOverlap) {
    let (regs, word) = (&fill.regs, e.plan.word);
    let word_bytes = word.bytes() as i32;
    let half = overlap.words as i32 / 2;
    for index in 1..=half {
        e.store(word, FILL, index * word_bytes, regs.start);
    }
    for index in (1..=half).rev() {
        e.store(word, FILL, -index * word_bytes, regs.end);
    }
    e.ret();
}

/// The bytes of dst in front of a word boundary, at most a word less one, from the `done`th on. On RV64 three bytes reach the next
/// multiple of four, and four aligned ones from there the boundary, if not past it.
///
/// ```text
///     sb    a1, 0(a0)
///     sb    a1, 1(a0)
///     sb    a1, 2(a0)
///     addi  t0, a0, 3
///     andi  t0, t0, -4
///     sw    a1, 0(t0)
/// ```
fn head(e: &mut Emitter, fill: &EnteredFill, done: u32) {
    for index in done..3 {
        e.store(Width::Byte, FILL, index as i32, Reg::A0);
    }
    if e.plan.word == Width::Double {
        let scratch = fill.regs.scratch;
        e.addi(scratch, Reg::A0, 3);
        e.andi(scratch, scratch, -4);
        e.store(Width::Word, FILL, 0, scratch);
    }
}

/// The bytes before the end behind a word boundary, the same way.
///
/// ```text
///     sb    a1, -3(a4)
///     sb    a1, -2(a4)
///     sb    a1, -1(a4)
///     andi  t0, a4, -4
///     sw    a1, -4(t0)
/// ```
fn tail(e: &mut Emitter, fill: &EnteredFill) {
    let regs = &fill.regs;
    for index in (1..=3).rev() {
        e.store(Width::Byte, FILL, -index, regs.end);
    }
    if e.plan.word == Width::Double {
        e.andi(regs.scratch, regs.end, -4);
        e.store(Width::Word, FILL, -4, regs.scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::lower;
    use crate::plan::Plan;
    use crate::spec::{Count, Op, Preset, Shape, Spec};

    #[test]
    fn no_undefined_register_and_no_dead_instruction() {
        for preset in [Preset::Default, Preset::Fastest, Preset::Zkvm] {
            for (isa, words) in [
                ("rv64i", 1),
                ("rv32i", 2),
                ("rv64i_zbkb", 5),
                ("rv32em", 64),
            ] {
                let spec = Spec {
                    op: Op::Memset,
                    shape: Shape::Entered,
                    preset,
                    isa: Some(isa.to_owned()),
                    unroll: Count::Exactly(words),
                    ..Spec::default()
                };
                let program = lower(&Plan::new(&spec).expect("it can be built"));
                let arguments = [Reg::A0, FILL, BYTES].into_iter().collect();
                assert!(program.reads_undefined(arguments).is_empty(), "{isa}");
                assert_eq!(program.unreachable().next(), None, "{isa}");
            }
        }
    }
}
