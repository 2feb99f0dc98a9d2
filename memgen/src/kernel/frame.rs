//! A frame for callee-saved registers, with the unwind information that lets a debugger see through it.

use super::emit::Emitter;
use crate::inst::Width;
use crate::reg::Reg;

/// The stack pointer stays a multiple of this (RISC-V psABI, "Integer Calling Convention").
const STACK_ALIGNMENT: u32 = 16;

/// Bytes of a frame for `count` registers of `xlen` bits.
pub(super) fn bytes(count: usize, xlen: u32) -> u32 {
    (count as u32 * xlen / 8).next_multiple_of(STACK_ALIGNMENT)
}

/// ```text
///     addi  sp, sp, -16
///     .cfi_adjust_cfa_offset 16
///     sd    s0, 0(sp)
///     .cfi_rel_offset s0, 0
/// ```
pub(super) fn enter(e: &mut Emitter, saved: &[Reg]) {
    if saved.is_empty() {
        return;
    }
    let (frame, width) = shape(e, saved);
    e.addi(Reg::SP, Reg::SP, -frame);
    e.unwind(format!(".cfi_adjust_cfa_offset {frame}"));
    for (index, reg) in saved.iter().enumerate() {
        let offset = (index as u32 * width.bytes()) as i32;
        e.store(width, *reg, offset, Reg::SP);
        e.unwind(format!(".cfi_rel_offset {reg}, {offset}"));
        e.keep(*reg);
    }
    e.keep(Reg::SP);
}

/// Says that what follows runs inside the frame: a fault led here out of the loop.
pub(super) fn resume(e: &mut Emitter, saved: &[Reg]) {
    let (frame, width) = shape(e, saved);
    e.unwind(format!(".cfi_adjust_cfa_offset {frame}"));
    for (index, reg) in saved.iter().enumerate() {
        let offset = index as u32 * width.bytes();
        e.unwind(format!(".cfi_rel_offset {reg}, {offset}"));
    }
}

/// ```text
///     ld    s0, 0(sp)
///     .cfi_restore s0
///     addi  sp, sp, 16
///     .cfi_adjust_cfa_offset -16
/// ```
pub(super) fn leave(e: &mut Emitter, saved: &[Reg]) {
    if saved.is_empty() {
        return;
    }
    let (frame, width) = shape(e, saved);
    for (index, reg) in saved.iter().enumerate() {
        e.load(width, *reg, (index as u32 * width.bytes()) as i32, Reg::SP);
        e.unwind(format!(".cfi_restore {reg}"));
    }
    e.addi(Reg::SP, Reg::SP, frame);
    e.unwind(format!(".cfi_adjust_cfa_offset -{frame}"));
}

/// Bytes of the frame, and the width of a register.
fn shape(e: &Emitter, saved: &[Reg]) -> (i32, Width) {
    let xlen = e.plan.isa.xlen;
    let width = Width::from_bytes(xlen / 8).expect("a register is 4 or 8 bytes wide");
    (bytes(saved.len(), xlen) as i32, width)
}
