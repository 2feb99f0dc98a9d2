//! Small sizes of user copies where size is no object: a slot for each, whose stores ascend.

use super::slots::Row;
use super::small::ask_alignment;
use super::way::{Side, pieces};
use crate::inst::{Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::Entered;
use crate::reg::Reg;

/// Bytes of code of a slot: seven bytes by loads and stores, and the return.
const SLOT_BYTES: u32 = 64;

/// Sizes from here on, and four, ask whether words of four will do; for others that costs as much as it saves.
const ASKS_FROM_BYTES: u32 = 8;

/// The jump, and a slot for each size, none included. a0, a1 and a2 stay as they came.
///
/// ```text
///     slli  t0, a2, 6
///     auipc t2, 0
///     add   t2, t2, t0
///     jr    12(t2)
///     li    a0, 0
///     ret
///     ...
///     or    t1, a0, a1
///     andi  t1, t1, 3
///     bnez  t1, .Lbytes_9
///     lw    a6, 0(a1)
///     ...
/// ```
pub(super) fn write(e: &mut Emitter, entered: &Entered) {
    let regs = &entered.regs;
    let slots = e.label("size_0");
    let slot_bytes = entered.last_slot_bytes(SLOT_BYTES);
    e.slli(regs.carried, Reg::A2, slot_bytes.ilog2());
    let anchor = e.pc_address(regs.jump);
    e.add(regs.jump, regs.jump, regs.carried);
    e.jr(regs.jump, anchor, slots);
    let mut row = Row::new(e, slots, slot_bytes);
    let mut misaligned: Vec<(u32, Label)> = Vec::new();
    for size in 0..=entered.small_bytes {
        row.slot(e, |e| {
            if size == 4 || size >= ASKS_FROM_BYTES {
                let by_bytes = e.label(&format!("bytes_{size}"));
                ask_alignment(e, entered, by_bytes);
                words(e, entered, size);
                e.ret();
                misaligned.push((size, by_bytes));
            } else {
                bytes(e, entered, size);
            }
        });
    }
    row.finish(e);
    e.comment("Sizes whose blocks are not aligned to words of four.");
    for (size, by_bytes) in misaligned {
        e.place(by_bytes);
        bytes(e, entered, size);
    }
}

/// Words of four, a half-word, a byte: loads, then stores.
fn words(e: &mut Emitter, entered: &Entered, size: u32) {
    let whole = (0..size / 4).map(|index| (Width::Word, 4 * index));
    let rest = pieces(Side::End, size % 4, 4).into_iter();
    let rest = rest.map(|piece| (piece.width, size / 4 * 4 + piece.offset));
    let moves: Vec<_> = whole.chain(rest).collect();
    copy(e, entered, &moves);
}

/// Byte by byte, a few loads ahead, then the return.
fn bytes(e: &mut Emitter, entered: &Entered, size: u32) {
    let moves: Vec<_> = (0..size).map(|index| (Width::Byte, index)).collect();
    for group in moves.chunks(DATA_COUNT) {
        copy(e, entered, group);
    }
    e.ret();
}

/// Registers that hold data: as many as the words and pieces of the largest size.
const DATA_COUNT: usize = 5;

fn copy(e: &mut Emitter, entered: &Entered, moves: &[(Width, u32)]) {
    let regs = &entered.regs;
    let data: [Reg; DATA_COUNT] = [regs.inner, regs.out, regs.scratch, regs.right, regs.left];
    let moves = moves.iter().zip(data);
    let moves = moves.map(|((width, offset), reg)| (*width, reg, *offset as i32, *offset as i32));
    e.copy(Reg::A1, Reg::A0, moves);
}
