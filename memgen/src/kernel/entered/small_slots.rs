//! Small sizes of memcpy where size is no object: a slot for each, straight code as far as it goes.

use super::slots::Row;
use super::small::{ask_alignment, load_last_byte, words};
use crate::inst::{Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::Entered;
use crate::reg::Reg;

/// Bytes of code of a slot.
const SLOT_BYTES: u32 = 32;

/// Sizes from here on, and four, ask whether words of four will do; for others that costs as much as it saves.
const ASKS_FROM_BYTES: u32 = 8;

/// The jump, and a slot for each size; `bytes` are the places where a size goes on byte by byte, once its last byte is loaded.
///
/// ```text
///     slli  t0, a2, 5
///     auipc t2, 0
///     add   t2, t2, t0
///     jr    -24(t2)
///     ...
///     lbu   a4, 8(a1)
///     or    t1, a0, a1
///     andi  t1, t1, 3
///     bnez  t1, .Lbytes_9
///     lw    a6, 0(a1)
///     ...
/// ```
pub(super) fn write(e: &mut Emitter, entered: &Entered, bytes: &[Label], done: Label) {
    let regs = &entered.regs;
    let slots = e.label("size_1");
    e.slli(regs.carried, Reg::A2, SLOT_BYTES.ilog2());
    let anchor = e.pc_address(regs.jump);
    e.add(regs.jump, regs.jump, regs.carried);
    e.jr_ahead(regs.jump, anchor, slots, -(SLOT_BYTES as i32));
    let mut row = Row::new(e, slots, SLOT_BYTES);
    for size in 1..=entered.small_bytes {
        row.slot(e, |e| match size {
            1..=3 => {
                straight(e, entered, size);
                if size == 1 {
                    e.place(done);
                }
                e.ret();
            }
            _ => {
                load_last_byte(e, entered, size);
                if size != 4 && size < ASKS_FROM_BYTES {
                    return e.j(bytes[size as usize]);
                }
                ask_alignment(e, entered, bytes[size as usize]);
                words(e, entered, size);
                e.ret();
            }
        });
    }
    row.finish(e);
}

/// Up to three bytes: loads, then stores.
fn straight(e: &mut Emitter, entered: &Entered, size: u32) {
    let regs = &entered.regs;
    let data = [regs.inner, regs.out, regs.scratch];
    let moves = (0..size as i32)
        .zip(data)
        .map(|(index, reg)| (Width::Byte, reg, index, index));
    e.copy(Reg::A1, Reg::A0, moves);
}
