//! Co-aligned copies and fills: head to the first word boundary of the destination, blocks, the rest of a block, tail.

use super::emit::Emitter;
use super::motion::{Ladder, Motion, Units};
use super::{shift, small};
use crate::inst::{Condition, Label, RegOp, Width};
use crate::plan::{Plan, Strategy};
use crate::reg::Reg;
use crate::spec::Small;

/// A copy in one direction, cursors set: small sizes, the co-aligned way, the way of the rest.
pub(super) fn copy(e: &mut Emitter, motion: Motion) {
    let small = e.label("small");
    test_small(e, small);
    let looped = e.plan.small == Small::Loop;
    if looped {
        head_loop(e, motion);
    }
    let mismatch = test_mismatch(e, motion, small);
    if !looped {
        head_pieces(e, motion);
    }
    bulk(e, motion);
    tail(e, motion, small);
    let entry = match e.plan.strategy {
        Strategy::Shift => shift::copy(e, motion, mismatch),
        Strategy::Bytes => bytes(e, motion, mismatch),
        Strategy::Aligned | Strategy::Native => None,
    };
    small::small(e, motion, small, entry);
}

/// ```text
///     li    t0, 15
///     bltu  a2, t0, .Lsmall
/// ```
pub(super) fn test_small(e: &mut Emitter, small: Label) {
    let (limit, bulk) = (e.plan.registers.limit, e.plan.bulk.clone());
    if bulk.bytes > 1 {
        e.comment(format!(
            "Below {} bytes = {}: byte by byte.",
            bulk.bytes, bulk.why
        ));
        e.li(limit, bulk.bytes as i32);
        e.branch(Condition::Below, e.left(), limit, small);
    }
}

/// Branches to the returned label, or to `small` where bytes in a loop are all there is to do, unless the cursors agree modulo
/// the word:
///
/// ```text
///     sub   t0, a1, a3
///     andi  t0, t0, 7
///     bnez  t0, .Lmismatch
/// ```
fn test_mismatch(e: &mut Emitter, motion: Motion, small: Label) -> Label {
    let (limit, cursor, word) = (
        e.plan.registers.limit,
        e.plan.registers.cursor,
        e.plan.word_bytes(),
    );
    if e.plan.strategy == Strategy::Aligned || motion == Motion::Fill {
        return small;
    }
    let byte_loop = e.plan.strategy == Strategy::Bytes && e.plan.small == Small::Loop;
    let mismatch = if byte_loop {
        small
    } else {
        e.label("mismatch")
    };
    e.comment(format!(
        "Do source and destination agree modulo the word of {word} bytes?"
    ));
    e.op(RegOp::Sub, limit, Reg::A1, cursor);
    e.andi(limit, limit, word as i32 - 1);
    e.bnez(limit, mismatch);
    mismatch
}

/// Bytes one by one until the destination is word aligned:
///
/// ```text
///     andi  t0, a3, 7
///     beqz  t0, .Laligned
/// .Lhead:
///     lbu   a4, 0(a1)
///     sb    a4, 0(a3)
///     addi  a2, a2, -1
///     addi  a1, a1, 1
///     addi  a3, a3, 1
///     andi  t0, a3, 7
///     bnez  t0, .Lhead
/// .Laligned:
/// ```
pub(super) fn head_loop(e: &mut Emitter, motion: Motion) {
    let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
    let mask = e.plan.word_bytes() as i32 - 1;
    if mask == 0 {
        return;
    }
    let aligned = e.label("aligned");
    e.comment(format!(
        "Head: at most {mask} bytes, until dst is word aligned."
    ));
    e.andi(limit, cursor, mask);
    e.beqz(limit, aligned);
    let head = e.place_loop("head", 1, Some(mask as u32));
    motion.pieces(e, Width::Byte, 1);
    e.addi(e.left(), e.left(), -1);
    motion.advance(e, 1);
    e.andi(limit, cursor, mask);
    e.bnez(limit, head);
    e.place(aligned);
}

/// A byte, a half-word, a word of four until the destination is word aligned, each where its bit of the address asks for it:
///
/// ```text
///     andi  t0, a3, 2
///     beqz  t0, .Lnext
///     lhu   a4, 0(a1)
///     sh    a4, 0(a3)
///     addi  a2, a2, -2
///     addi  a1, a1, 2
///     addi  a3, a3, 2
/// .Lnext:
/// ```
pub(super) fn head_pieces(e: &mut Emitter, motion: Motion) {
    let (limit, cursor, word) = (
        e.plan.registers.limit,
        e.plan.registers.cursor,
        e.plan.word_bytes(),
    );
    if word == 1 {
        return;
    }
    e.comment(format!(
        "Head: at most {} bytes, until dst is word aligned.",
        word - 1
    ));
    let mut size = 1;
    while size < word {
        let width = Width::from_bytes(size).expect("a power of two below the word");
        size *= 2;
        let next = match size == word {
            true => e.label("head_done"),
            false => e.label(&format!("head_{size}")),
        };
        e.andi(limit, cursor, width.bytes() as i32);
        e.beqz(limit, next);
        motion.pieces(e, width, 1);
        e.addi(e.left(), e.left(), -(width.bytes() as i32));
        motion.advance(e, width.bytes());
        e.place(next);
    }
}

/// Words that a block loads before it stores the first of them.
fn most_in_flight(plan: &Plan) -> u32 {
    plan.block.groups.iter().copied().max().unwrap_or(1)
}

/// The callee-saved registers that a block goes through.
pub(super) fn saved(plan: &Plan) -> &[Reg] {
    plan.registers.saved(most_in_flight(plan))
}

/// Blocks of words, then the words that are left.
pub(super) fn bulk(e: &mut Emitter, motion: Motion) {
    let plan = e.plan;
    let block = &plan.block;
    let most = most_in_flight(plan);
    let blocks = Units {
        motion,
        bytes: plan.word_bytes(),
        most: None,
        body: &|e, words| {
            motion.prefetch(e);
            motion.groups(e, plan.word, words, most);
        },
    };
    let rest = Units {
        most: Some(block.bytes - 1),
        body: &|e, words| motion.pieces(e, plan.word, words),
        ..blocks
    };
    let words = e.label("words");
    e.comment(format!("Blocks of {block}, while that many remain."));
    blocks.blocks(e, "block", block.words, words, saved(plan));
    e.place(words);
    rest_of_block(e, &rest, "words", block.words);
}

/// The whole words that blocks of `block_words` leave over. The count then holds the rest in its low bits.
pub(super) fn rest_of_block(e: &mut Emitter, units: &Units, name: &'static str, block_words: u32) {
    let Some(largest) = (block_words - 1).checked_ilog2().map(|bit| 1 << bit) else {
        return;
    };
    if e.plan.small == Small::Loop {
        let done = e.label("words_done");
        e.comment(format!(
            "The rest of a block, at most {}, word by word.",
            words(block_words - 1)
        ));
        if block_words.is_power_of_two() {
            // The count still holds the blocks.
            e.andi(e.left(), e.left(), (block_words * units.bytes) as i32 - 1);
        }
        units.blocks(e, "word", 1, done, &[]);
        e.place(done);
        return;
    }
    e.comment(format!(
        "The rest of a block, at most {}, by the bits of n.",
        words(block_words - 1)
    ));
    let ladder = Ladder {
        name,
        largest,
        count: e.left(),
        scratch: e.plan.registers.limit,
        entry: None,
        is_last: e.plan.word == Width::Byte,
    };
    units.ladder(e, &ladder);
}

/// `1 word`, `2 words`.
fn words(count: u32) -> String {
    format!("{count} word{}", if count == 1 { "" } else { "s" })
}

/// The bytes after the last word, both cursors word aligned: halves of the word down to a byte, then return.
pub(super) fn tail(e: &mut Emitter, motion: Motion, small: Label) {
    let (limit, word) = (e.plan.registers.limit, e.plan.word);
    if word == Width::Byte {
        e.ret();
        return;
    }
    if e.plan.small == Small::Loop {
        e.comment("The bytes after the last word.");
        e.andi(e.left(), e.left(), word.bytes() as i32 - 1);
        if e.plan.strategy == Strategy::Shift {
            e.j(small);
        }
        return;
    }
    e.comment(format!(
        "Tail: at most {} bytes, both cursors aligned.",
        word.bytes() - 1
    ));
    let mut width = word.half();
    while let Some(piece) = width {
        width = piece.half();
        let next = match width {
            Some(narrower) => e.label(&format!("tail_{}", narrower.bytes())),
            None => e.label("return"),
        };
        e.andi(limit, e.left(), piece.bytes() as i32);
        e.beqz(limit, next);
        motion.pieces(e, piece, 1);
        if width.is_some() {
            motion.advance(e, piece.bytes());
        }
        e.place(next);
    }
    e.ret();
}

/// The strategy `bytes`: blocks of single bytes, as long as a word. Gives the way into the small ladder for their rest.
fn bytes(e: &mut Emitter, motion: Motion, mismatch: Label) -> Option<small::Entry> {
    if e.plan.small == Small::Loop {
        return None;
    }
    let plan = e.plan;
    let block_bytes = plan.word_bytes();
    let units = Units {
        motion,
        bytes: 1,
        most: None,
        body: &|e, count| motion.pieces(e, Width::Byte, count),
    };
    e.comment(format!(
        "Not co-aligned: {block_bytes} single bytes an iteration."
    ));
    e.place(mismatch);
    let rest = e.label("bytes_left");
    units.blocks(e, "bytes", block_bytes, rest, &[]);
    e.place(rest);
    small::enter(e, block_bytes - 1)
}
