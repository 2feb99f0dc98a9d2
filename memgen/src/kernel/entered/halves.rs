//! Source and destination half a word apart, both aligned to halves, where little code is wanted: a loop of four halves.

use crate::inst::{Condition, Label, RegOp, Width};
use crate::kernel::emit::Emitter;
use crate::plan::EnteredRegs;
use crate::reg::Reg;

/// Halves an iteration moves.
const BLOCK_HALVES: u32 = 4;

/// Copies whole halves that are aligned to halves; anything else goes on at `merge`.
///
/// ```text
///     or    t0, a4, a2
///     andi  t0, t0, 3
///     bnez  t0, .Lmerge
///     andi  t0, a2, -16
///     add   t1, t0, a1
///     mv    a3, a0
/// .Lhalves:
///     lw    a5, 0(a1)
///     ...
///     bne   a1, t1, .Lhalves
///     beq   a2, t0, .Lreturn
///     ...
/// ```
pub(super) fn copy(e: &mut Emitter, regs: &EnteredRegs, half: Width, merge: Label) {
    let half_bytes = half.bytes();
    let block_bytes = (BLOCK_HALVES * half_bytes) as i32;
    let done = e.label("halves_done");
    e.comment(format!(
        "Half a word apart: whole halves, if both blocks are aligned to them, {BLOCK_HALVES} an iteration."
    ));
    e.op(RegOp::Or, regs.carried, regs.phase, Reg::A2);
    e.andi(regs.carried, regs.carried, half_bytes as i32 - 1);
    e.bnez(regs.carried, merge);
    e.andi(regs.carried, Reg::A2, -block_bytes);
    e.add(regs.scratch, regs.carried, Reg::A1);
    e.mv(regs.to, Reg::A0);
    let start = e.place_loop("halves", block_bytes as u32, None);
    pieces(e, regs, half, BLOCK_HALVES);
    advance(e, regs, block_bytes);
    e.branch(Condition::NotEqual, Reg::A1, regs.scratch, start);
    e.branch(Condition::Equal, Reg::A2, regs.carried, done);
    let one = e.label("halves_1");
    e.andi(regs.carried, Reg::A2, 2 * half_bytes as i32);
    e.beqz(regs.carried, one);
    pieces(e, regs, half, 2);
    advance(e, regs, 2 * half_bytes as i32);
    e.place(one);
    e.andi(regs.carried, Reg::A2, half_bytes as i32);
    e.beqz(regs.carried, done);
    pieces(e, regs, half, 1);
    e.place(done);
    e.ret();
}

fn pieces(e: &mut Emitter, regs: &EnteredRegs, width: Width, count: u32) {
    let data = [regs.from, regs.inner, regs.out, regs.words];
    let moves = (0..count).zip(data).map(|(index, reg)| {
        let offset = (index * width.bytes()) as i32;
        (width, reg, offset, offset)
    });
    e.copy(Reg::A1, regs.to, moves);
}

fn advance(e: &mut Emitter, regs: &EnteredRegs, bytes: i32) {
    e.addi(Reg::A1, Reg::A1, bytes);
    e.addi(regs.to, regs.to, bytes);
}
