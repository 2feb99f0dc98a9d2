//! The head of a long copy, where little code is wanted: the bytes before the destination's first word boundary, out of a register,
//! by the bits of the address.

use crate::inst::{RegOp, Width};
use crate::kernel::emit::Emitter;
use crate::plan::EnteredRegs;
use crate::reg::Reg;

/// Stores the word in `carried`, from byte `phase` on, at a0. a1 and the scratch register are lost too.
///
/// ```text
///     slli  t1, a4, 3
///     srl   t0, t0, t1
///     andi  t1, a0, 1
///     beqz  t1, .Lhead_2
///     sb    t0, 0(a0)
///     srli  t0, t0, 8
/// .Lhead_2:
///     addi  a1, a0, 1
///     andi  a1, a1, -2
///     andi  t1, a1, 2
///     beqz  t1, .Lhead_4
///     ...
/// ```
pub(super) fn store(e: &mut Emitter, regs: &EnteredRegs) {
    let word_bytes = e.plan.word_bytes();
    let (value, scratch) = (regs.carried, regs.scratch);
    e.slli(scratch, regs.phase, 3);
    e.op(RegOp::ShiftRight, value, value, scratch);
    let mut at = Reg::A0;
    let mut size = 1;
    while size < word_bytes {
        let width = Width::from_bytes(size).expect("a power of two below the word");
        let is_last = 2 * size == word_bytes;
        if size > 1 {
            e.addi(Reg::A1, at, size as i32 / 2);
            e.andi(Reg::A1, Reg::A1, -(size as i32));
            at = Reg::A1;
        }
        let next = match is_last {
            true => e.label("head_done"),
            false => e.label(&format!("head_{}", 2 * size)),
        };
        e.andi(scratch, at, size as i32);
        e.beqz(scratch, next);
        e.store(width, value, 0, at);
        if !is_last {
            e.srli(value, value, 8 * size);
        }
        e.place(next);
        size *= 2;
    }
}
