//! Less than a word: two overlapping pieces of half its size, or one, two or three bytes. A copy's loads come before its stores.

use super::emit::Emitter;
use super::fill;
use super::native_ends::{At, clear_upper_bits, move_words};
use crate::inst::{Condition, Label, Width};
use crate::plan::Overlap;
use crate::reg::Reg;
use crate::spec::Op;

/// All sizes below a word. `done` is placed at a return.
pub(super) fn small(e: &mut Emitter, overlap: &Overlap, small: Label, done: Label) {
    let less = format!("Less than {} bytes", e.plan.word_bytes());
    e.comment(match e.plan.word {
        Width::Double => format!("{less}. From 4 on: two words of 4, which may overlap."),
        _ => format!("{less}."),
    });
    e.place(small);
    if !overlap.zero_first {
        e.beqz(e.left(), done);
    }
    if e.plan.word == Width::Double {
        halves(e, overlap);
    }
    if e.plan.op == Op::Memset {
        filled_bytes(e, done);
    } else {
        copied_bytes(e, done);
    }
}

/// Four to seven bytes, where a word has eight:
///
/// ```text
///     andi  t0, a2, 4
///     beqz  t0, .Lbytes
///     add   a3, a1, a2
///     add   t6, a0, a2
///     lw    a4, 0(a1)
///     lw    a5, -4(a3)
///     sw    a4, 0(a0)
///     sw    a5, -4(t6)
///     ret
/// .Lbytes:
/// ```
fn halves(e: &mut Emitter, overlap: &Overlap) {
    let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
    let bytes = e.label("bytes");
    e.andi(limit, e.left(), 4);
    e.beqz(limit, bytes);
    if e.plan.op == Op::Memset {
        clear_upper_bits(e);
        fill::spread_over(e, Width::Word);
    } else {
        e.add(cursor, Reg::A1, e.left());
    }
    e.add(overlap.end, Reg::A0, e.left());
    move_words(e, overlap, Width::Word, &[At::Start(0), At::End(-4)]);
    e.ret();
    e.place(bytes);
}

/// ```text
///     li    t0, 2
///     bltu  a2, t0, .Lone
///     beq   a2, t0, .Ltwo
///     lhu   a4, 0(a1)
///     lbu   a5, 2(a1)
///     sh    a4, 0(a0)
///     sb    a5, 2(a0)
///     ret
/// .Ltwo:
///     lhu   a4, 0(a1)
///     sh    a4, 0(a0)
///     ret
/// .Lone:
///     lbu   a4, 0(a1)
///     sb    a4, 0(a0)
/// .Lreturn:
///     ret
/// ```
fn copied_bytes(e: &mut Emitter, done: Label) {
    let limit = e.plan.registers.limit;
    let (first, last) = (e.plan.registers.data[0], e.plan.registers.data[1]);
    let (one, two) = (e.label("one"), e.label("two"));
    e.comment("One, two or three bytes.");
    e.li(limit, 2);
    e.branch(Condition::Below, e.left(), limit, one);
    e.branch(Condition::Equal, e.left(), limit, two);
    e.load(Width::Half, first, 0, Reg::A1);
    e.load(Width::Byte, last, 2, Reg::A1);
    e.store(Width::Half, first, 0, Reg::A0);
    e.store(Width::Byte, last, 2, Reg::A0);
    e.ret();
    e.place(two);
    e.load(Width::Half, first, 0, Reg::A1);
    e.store(Width::Half, first, 0, Reg::A0);
    e.ret();
    e.place(one);
    e.load(Width::Byte, first, 0, Reg::A1);
    e.store(Width::Byte, first, 0, Reg::A0);
    e.place(done);
    e.ret();
}

/// ```text
///     sb    a1, 0(a0)
///     li    t0, 2
///     beq   a2, t0, .Ltwo
///     bltu  a2, t0, .Lreturn
///     sb    a1, 2(a0)
/// .Ltwo:
///     sb    a1, 1(a0)
/// .Lreturn:
///     ret
/// ```
fn filled_bytes(e: &mut Emitter, done: Label) {
    let limit = e.plan.registers.limit;
    let two = e.label("two");
    e.comment("One, two or three bytes.");
    e.store(Width::Byte, Reg::A1, 0, Reg::A0);
    e.li(limit, 2);
    e.branch(Condition::Equal, e.left(), limit, two);
    e.branch(Condition::Below, e.left(), limit, done);
    e.store(Width::Byte, Reg::A1, 2, Reg::A0);
    e.place(two);
    e.store(Width::Byte, Reg::A1, 1, Reg::A0);
    e.place(done);
    e.ret();
}
