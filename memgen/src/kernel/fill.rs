//! memset: the fill byte repeated over a word, then the moves of a copy without their loads.

use super::aligned::{bulk, head_loop, head_pieces, tail, test_small};
use super::emit::Emitter;
use super::motion::{Motion, Units};
use super::small;
use crate::inst::{Condition, RegOp, Width};
use crate::reg::Reg;
use crate::spec::Small;

/// A fill with aligned stores, cursor set.
pub(super) fn aligned(e: &mut Emitter) {
    let small = e.label("small");
    test_small(e, small);
    if e.plan.registers.fill != Reg::ZERO {
        spread(e);
    }
    if e.plan.small == Small::Loop {
        head_loop(e, Motion::Fill);
    } else {
        head_pieces(e, Motion::Fill);
    }
    zero_blocks(e);
    bulk(e, Motion::Fill);
    tail(e, Motion::Fill, small);
    small::small(e, Motion::Fill, small, None);
}

/// Clears whole cache blocks, if the fill is zero and the plan has a block; words lead up to the first one.
///
/// ```text
///     bnez  a1, .Lbulk
///     li    t0, 120
///     bltu  a2, t0, .Lbulk
///     andi  t0, a3, 63
///     beqz  t0, .Lblock_aligned
/// .Lto_block:
///     sd    a1, 0(a3)
///     addi  a2, a2, -8
///     addi  a3, a3, 8
///     andi  t0, a3, 63
///     bnez  t0, .Lto_block
/// .Lblock_aligned:
///     andi  t0, a2, -64
///     beqz  t0, .Lzero_done
///     add   t0, a3, t0
/// .Lzero_block:
///     cbo.zero (a3)
///     addi  a3, a3, 64
///     bne   a3, t0, .Lzero_block
/// .Lzero_done:
///     andi  a2, a2, 63
/// ```
pub(super) fn zero_blocks(e: &mut Emitter) {
    let (Some(block), Some(threshold)) = (e.plan.zero_block, e.plan.zero_threshold()) else {
        return;
    };
    let (limit, cursor, word) = (e.plan.registers.limit, e.plan.registers.cursor, e.plan.word);
    let (bulk, aligned, done) = (
        e.label("bulk"),
        e.label("block_aligned"),
        e.label("zero_done"),
    );
    e.comment(format!(
        "Zeros from {} bytes on, {}: by cache blocks.",
        threshold.bytes, threshold.why
    ));
    e.bnez(Reg::A1, bulk);
    e.li(limit, threshold.bytes as i32);
    e.branch(Condition::Below, e.left(), limit, bulk);
    e.andi(limit, cursor, block as i32 - 1);
    e.beqz(limit, aligned);
    let to_block = e.place_loop("to_block", word.bytes(), Some(block - word.bytes()));
    Motion::Fill.pieces(e, word, 1);
    e.addi(e.left(), e.left(), -(word.bytes() as i32));
    Motion::Fill.advance(e, word.bytes());
    e.andi(limit, cursor, block as i32 - 1);
    e.bnez(limit, to_block);
    e.place(aligned);
    let units = Units {
        motion: Motion::Fill,
        bytes: block,
        most: None,
        body: &|e, _| e.zero_block(cursor),
    };
    units.blocks(e, "zero_block", 1, done, &[]);
    e.place(done);
    e.andi(e.left(), e.left(), block as i32 - 1);
    e.place(bulk);
}

/// Repeats the fill byte in every byte of a word, with Zbkb by packing a value with itself:
///
/// ```text
///     slli  t0, a1, 8          packh a1, a1, a1
///     or    a1, a1, t0         packw a1, a1, a1
///     ...                      pack  a1, a1, a1
/// ```
///
/// and with M four bytes by one multiplication:
///
/// ```text
///     lui   t0, 0x1010
///     addi  t0, t0, 257
///     mul   a1, a1, t0
/// ```
pub(super) fn spread(e: &mut Emitter) {
    spread_over(e, e.plan.word);
}

/// Repeats the fill byte in every byte of a register's lower `width`.
pub(super) fn spread_over(e: &mut Emitter, width: Width) {
    spread_through(e, width, e.plan.registers.limit);
}

/// The same, with a scratch register of the caller's choice.
pub(super) fn spread_through(e: &mut Emitter, width: Width, scratch: Reg) {
    if width != Width::Byte {
        e.comment("The fill byte, in every byte of a word.");
    }
    repeat(e, width, scratch);
}

/// The instructions alone.
pub(super) fn repeat(e: &mut Emitter, width: Width, scratch: Reg) {
    let bits = width.bytes() * 8;
    let mut filled = 8;
    let packs = e.plan.isa.has("zbkb");
    if !packs && e.plan.isa.has("m") && bits >= 32 {
        e.lui(scratch, 0x1010);
        e.addi(scratch, scratch, 0x101);
        e.op(RegOp::Multiply, Reg::A1, Reg::A1, scratch);
        filled = 32;
    }
    while filled < bits {
        if packs {
            let op = match filled {
                8 => RegOp::PackBytes,
                _ if 2 * filled == e.plan.isa.xlen => RegOp::Pack,
                _ => RegOp::PackHalves,
            };
            e.op(op, Reg::A1, Reg::A1, Reg::A1);
        } else {
            e.slli(scratch, Reg::A1, filled);
            e.op(RegOp::Or, Reg::A1, Reg::A1, scratch);
        }
        filled *= 2;
    }
}
