//! Small sizes of a fill: a jump into a ladder of bytes, or through it to straight code for the size.

use super::fill::{BYTES, FILL, spread};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{Empty, EnteredFill, FillLine};
use crate::reg::Reg;

/// Sizes below the plan's first by words; branches to `words` for those. Gives a label for each line.
///
/// ```text
///     li    t0, 24
///     bgeu  a2, t0, .Lwords
///     beqz  a2, .Lreturn
///     slli  t0, a2, 2
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    100(t2)
///     sb    a1, 22(a0)
///     ...
///     sb    a1, 0(a0)
/// .Lreturn:
///     ret
/// ```
///
/// A size with a line of its own finds `j .Lsize_17` in place of its store.
pub(super) fn bytes(e: &mut Emitter, fill: &EnteredFill, words: Label) -> Vec<Label> {
    let regs = &fill.regs;
    let done = e.label("return");
    if fill.empty == Empty::First {
        e.beqz(BYTES, done);
    }
    let mut text = format!(
        "Below {} bytes: a jump that leaves n stores of a byte before the return.",
        fill.bulk.bytes
    );
    if let Some(threshold) = fill.lines_threshold() {
        text += &format!(
            " From {} bytes on it leads to code for the size: {}.",
            threshold.bytes, threshold.why
        );
    }
    e.comment(text);
    e.li(regs.scratch, fill.bulk.bytes as i32);
    e.branch(Condition::AtLeast, BYTES, regs.scratch, words);
    if fill.empty == Empty::BeforeLadder {
        e.beqz(BYTES, done);
    }
    e.slli(regs.scratch, BYTES, 2);
    let anchor = e.pc_address(regs.jump);
    e.sub(regs.jump, regs.jump, regs.scratch);
    e.jr(regs.jump, anchor, done);
    let labels: Vec<Label> = fill
        .lines
        .iter()
        .map(|line| e.label(&format!("size_{}", line.bytes)))
        .collect();
    for label in labels.iter().rev() {
        e.j(*label);
    }
    for index in (0..fill.byte_limit).rev() {
        e.store(Width::Byte, FILL, index as i32, Reg::A0);
    }
    e.place(done);
    e.ret();
    labels
}

/// The code for each size that has its own.
pub(super) fn lines(e: &mut Emitter, fill: &EnteredFill, labels: Vec<Label>) {
    if fill.lines.is_empty() {
        return;
    }
    e.comment(
        "Sizes with code of their own: bytes up to the first boundary of two or four, units from there on as far as they fit \
         however dst is aligned, and the bytes that they may leave.",
    );
    for (line, label) in fill.lines.iter().zip(labels) {
        e.place(label);
        straight(e, fill, line);
    }
}

/// ```text
/// .Lsize_17:
///     andi  a1, a1, 255
///     slli  t0, a1, 8
///     or    a1, a1, t0
///     sb    a1, 0(a0)
///     addi  a3, a0, 1
///     andi  a3, a3, -2
///     sh    a1, 0(a3)
///     ...
///     sh    a1, 14(a3)
///     sb    a1, 16(a0)
///     ret
/// ```
fn straight(e: &mut Emitter, fill: &EnteredFill, line: &FillLine) {
    let (start, unit) = (fill.regs.start, line.unit);
    let unit_bytes = unit.bytes();
    spread(e, fill, unit);
    for index in 0..unit_bytes - 1 {
        e.store(Width::Byte, FILL, index as i32, Reg::A0);
    }
    e.addi(start, Reg::A0, unit_bytes as i32 - 1);
    e.andi(start, start, -(unit_bytes as i32));
    for index in 0..line.units() {
        e.store(unit, FILL, (index * unit_bytes) as i32, start);
    }
    let mut left = line.reach();
    if let Some(half) = unit.half().filter(|_| line.has_half()) {
        e.store(half, FILL, left as i32, start);
        left += half.bytes();
    }
    for index in left..line.bytes {
        e.store(Width::Byte, FILL, index as i32, Reg::A0);
    }
    e.ret();
}
