//! Hardware that does misaligned accesses at full speed, stepped: the first and the last word are loaded before anything is
//! stored and stored after everything else, overlapping; the middle runs on aligned destination words. Any word, register budget
//! and way with small sizes; [`super::native_ends`] is the faster one where these are left open.

use super::emit::Emitter;
use super::motion::Motion;
use super::{aligned, fill, small};
use crate::inst::{Condition, Label, Width};
use crate::reg::Reg;
use crate::spec::Small;

/// ```text
///     li    t0, 8
///     bltu  a2, t0, .Lsmall
/// ```
pub(super) fn small_test(e: &mut Emitter) -> Label {
    let (limit, bulk) = (e.plan.registers.limit, e.plan.bulk.clone());
    let small = e.label("small");
    e.comment(format!("From {} bytes on, {}.", bulk.bytes, bulk.why));
    e.li(limit, bulk.bytes as i32);
    e.branch(Condition::Below, e.left(), limit, small);
    small
}

/// A copy of at least a word, in one direction.
pub(super) fn bulk(e: &mut Emitter, motion: Motion) {
    let plan = e.plan;
    let (limit, cursor, word) = (plan.registers.limit, plan.registers.cursor, plan.word);
    let native = plan
        .registers
        .native
        .clone()
        .expect("a native strategy has its registers");
    let word_bytes = word.bytes() as i32;
    e.comment("The first and the last word, before any store can reach them.");
    e.load(word, native.first, 0, Reg::A1);
    let middle = "The middle: from the first to the last word boundary of dst.";
    if motion == Motion::Forward {
        e.add(limit, Reg::A1, e.left());
        e.load(word, native.last, -word_bytes, limit);
        e.comment(middle);
        skip_first_word(e, true);
    } else {
        e.add(Reg::A1, Reg::A1, e.left());
        e.load(word, native.last, -word_bytes, Reg::A1);
        e.add(native.end, Reg::A0, e.left());
        e.comment(middle);
        e.andi(limit, native.end, word_bytes - 1);
        e.sub(Reg::A1, Reg::A1, limit);
        e.sub(cursor, native.end, limit);
        e.sub(e.left(), e.left(), limit);
    }
    aligned::bulk(e, motion);
    e.comment("The ends: they overlap the middle, or each other.");
    if motion == Motion::Forward {
        find_end(e);
        e.store(word, native.last, -word_bytes, cursor);
    } else {
        e.store(word, native.last, -word_bytes, native.end);
    }
    e.store(word, native.first, 0, Reg::A0);
    e.ret();
}

/// Moves the cursors to the first word boundary of dst above its start, at most a word on:
///
/// ```text
///     andi  t0, a0, 7
///     sub   a1, a1, t0
///     sub   a3, a0, t0
///     add   a2, a2, t0
///     addi  a1, a1, 8
///     addi  a3, a3, 8
///     addi  a2, a2, -8
/// ```
fn skip_first_word(e: &mut Emitter, has_source: bool) {
    let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
    let word_bytes = e.plan.word_bytes() as i32;
    e.andi(limit, Reg::A0, word_bytes - 1);
    if has_source {
        e.sub(Reg::A1, Reg::A1, limit);
        e.addi(Reg::A1, Reg::A1, word_bytes);
    }
    e.sub(cursor, Reg::A0, limit);
    e.addi(cursor, cursor, word_bytes);
    e.add(e.left(), e.left(), limit);
    e.addi(e.left(), e.left(), -word_bytes);
}

/// Moves the destination cursor over the bytes after the last whole word.
fn find_end(e: &mut Emitter) {
    let cursor = e.plan.registers.cursor;
    e.andi(e.left(), e.left(), e.plan.word_bytes() as i32 - 1);
    e.add(cursor, cursor, e.left());
}

/// A fill of at least a word.
pub(super) fn native_fill(e: &mut Emitter) {
    let (limit, word) = (e.plan.registers.limit, e.plan.word);
    e.comment("The first and the last word; the middle may overlap them.");
    e.add(limit, Reg::A0, e.left());
    e.store(word, Reg::A1, 0, Reg::A0);
    e.store(word, Reg::A1, -(word.bytes() as i32), limit);
    skip_first_word(e, false);
    fill::zero_blocks(e);
    aligned::bulk(e, Motion::Fill);
    e.ret();
}

/// Below a word: two overlapping pieces of half its size, and so down to a byte. All loads come before the stores, so one
/// routine serves both directions of a memmove.
pub(super) fn small(e: &mut Emitter, motion: Motion, label: Label) {
    if e.plan.small != Small::Ladder {
        return looped_or_jumped(e, motion, label);
    }
    e.comment("Less than a word: two overlapping pieces, all loads first.");
    e.place(label);
    let mut width = e.plan.word.half();
    while let Some(piece) = width {
        width = piece.half();
        let next = if width.is_some() {
            let next = e.label(&format!("below_{}", piece.bytes()));
            e.andi(e.plan.registers.limit, e.left(), piece.bytes() as i32);
            e.beqz(e.plan.registers.limit, next);
            next
        } else {
            // Nothing but 0 and 1 gets here.
            let next = e.label("return");
            e.beqz(e.left(), next);
            next
        };
        two_pieces(e, motion, piece);
        if width.is_some() {
            e.ret();
        }
        e.place(next);
    }
    e.ret();
}

/// ```text
///     add   t0, a1, a2
///     lw    a4, 0(a1)
///     lw    a5, -4(t0)
///     add   t0, a0, a2
///     sw    a4, 0(a0)
///     sw    a5, -4(t0)
/// ```
fn two_pieces(e: &mut Emitter, motion: Motion, width: Width) {
    let limit = e.plan.registers.limit;
    let back = -(width.bytes() as i32);
    let single = width == Width::Byte;
    let (first, last) = match &e.plan.registers.native {
        Some(native) => (native.first, native.last),
        None => (Reg::A1, Reg::A1),
    };
    if motion != Motion::Fill {
        e.load(width, first, 0, Reg::A1);
        if !single {
            e.add(limit, Reg::A1, e.left());
            e.load(width, last, back, limit);
        }
    }
    if !single {
        e.add(limit, Reg::A0, e.left());
    }
    e.store(width, first, 0, Reg::A0);
    if !single {
        e.store(width, last, back, limit);
    }
}

/// The other forms know their direction, so memmove asks for it once more.
fn looped_or_jumped(e: &mut Emitter, motion: Motion, label: Label) {
    let (cursor, limit) = (e.plan.registers.cursor, e.plan.registers.limit);
    if e.plan.op != crate::spec::Op::Memmove {
        let bytes = e.label("bytes");
        e.place(label);
        e.mv(cursor, Reg::A0);
        small::small(e, motion, bytes, None);
        return;
    }
    let most_bytes = e.plan.bulk.bytes - 1;
    let jumps = e.plan.small == Small::Jump;
    e.comment("Less than a word, in the direction that overlap asks for.");
    e.place(label);
    e.sub(limit, Reg::A0, Reg::A1);
    let turn = e.label("small_back");
    e.branch(Condition::Below, limit, e.left(), turn);
    e.mv(cursor, Reg::A0);
    let forward = e.label("bytes");
    small::small(e, Motion::Forward, forward, None);
    e.place(turn);
    if jumps {
        e.comment(small::jump_comment(Motion::Backward, most_bytes));
        e.mv(cursor, Reg::A0);
        small::byte_jump(e, Motion::Backward, most_bytes);
        e.ret();
    } else {
        e.add(Reg::A1, Reg::A1, e.left());
        e.add(cursor, Reg::A0, e.left());
        let back = e.label("back_bytes");
        small::small(e, Motion::Backward, back, None);
    }
}
