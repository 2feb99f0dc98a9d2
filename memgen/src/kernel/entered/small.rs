//! Small sizes: byte by byte without a loop.

use super::small_slots;
use super::way::Way;
use crate::inst::{Condition, Label, RegOp, Width};
use crate::kernel::emit::Emitter;
use crate::plan::Entered;
use crate::reg::Reg;

/// Bytes of code that copy one byte.
pub(super) const PAIR_BYTES: u32 = 8;

/// The sizes up to the plan's limit for memcpy; gives the label that larger ones branch to.
pub(super) fn memcpy(e: &mut Emitter, entered: &Entered) -> Label {
    let regs = &entered.regs;
    let (big, done) = (e.label("big"), e.label("return"));
    if entered.zero_first {
        e.beqz(Reg::A2, done);
    }
    let slots = match entered.small_slots {
        true => "a slot of code for each size".to_owned(),
        false => format!(
            "{PAIR_BYTES} bytes of code for each size, counted from the end: the last byte, and where the size goes on"
        ),
    };
    e.comment(format!("Up to {} bytes: {slots}.", entered.small_bytes));
    e.li(regs.carried, entered.small_bytes as i32);
    e.branch(Condition::Below, regs.carried, Reg::A2, big);
    if !entered.zero_first {
        e.beqz(Reg::A2, done);
    }
    let bytes: Vec<Label> = (0..=entered.small_bytes)
        .map(|size| e.label(&format!("bytes_{size}")))
        .collect();
    match entered.small_slots {
        true => small_slots::write(e, entered, &bytes, done),
        false => dense(e, entered, &bytes, done),
    }
    e.comment("Bytes from the last to the first, one load ahead.");
    for size in (1..=entered.small_bytes).rev() {
        e.place(bytes[size as usize]);
        if size > 1 {
            load_last_byte(e, entered, size - 1);
        }
        let last = last_byte(entered, size);
        e.store(Width::Byte, last, size as i32 - 1, Reg::A0);
    }
    e.ret();
    big
}

/// Two instructions for each size, in little code; multiples of four ask whether words of four will do:
///
/// ```text
///     slli  t0, a2, 3
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    164(t2)
///     ...
///     lbu   a4, 8(a1)
///     j     .Lbytes_9
///     lbu   a5, 7(a1)
///     j     .Lsize_8
///     ...
///     lbu   a6, 0(a1)
///     sb    a6, 0(a0)
/// .Lreturn:
///     ret
/// ```
fn dense(e: &mut Emitter, entered: &Entered, bytes: &[Label], done: Label) {
    let regs = &entered.regs;
    e.slli(regs.carried, Reg::A2, PAIR_BYTES.ilog2());
    let anchor = e.pc_address(regs.jump);
    e.sub(regs.jump, regs.jump, regs.carried);
    e.jr(regs.jump, anchor, done);
    let mut asking = Vec::new();
    for size in (4..=entered.small_bytes).rev() {
        load_last_byte(e, entered, size);
        if size.is_multiple_of(4) {
            let ask = e.label(&format!("size_{size}"));
            asking.push((size, ask));
            e.j(ask);
        } else {
            e.j(bytes[size as usize]);
        }
    }
    for index in (0..3).rev() {
        e.load(Width::Byte, regs.inner, index, Reg::A1);
        e.store(Width::Byte, regs.inner, index, Reg::A0);
    }
    e.place(done);
    e.ret();
    e.comment("Multiples of 4: by words of four, if both blocks are aligned to them.");
    for (size, ask) in asking {
        e.place(ask);
        ask_alignment(e, entered, bytes[size as usize]);
        words(e, entered, size);
        e.ret();
    }
}

/// Goes on if both blocks are aligned to words of four.
pub(super) fn ask_alignment(e: &mut Emitter, entered: &Entered, bytes: Label) {
    let scratch = entered.regs.scratch;
    e.op(RegOp::Or, scratch, Reg::A0, Reg::A1);
    e.andi(scratch, scratch, 3);
    e.bnez(scratch, bytes);
}

/// Words of four and a half-word, and the last byte, which is there already: loads, then stores.
pub(super) fn words(e: &mut Emitter, entered: &Entered, size: u32) {
    let regs = &entered.regs;
    let data = [regs.inner, regs.out, regs.scratch, regs.right, regs.left];
    let words = (0..size / 4).map(|index| (Width::Word, 4 * index));
    let half = (size % 4 >= 2).then_some((Width::Half, size / 4 * 4));
    let moves = words
        .chain(half)
        .zip(data)
        .map(|((width, offset), reg)| (width, reg, offset as i32, offset as i32));
    e.copy(Reg::A1, Reg::A0, moves);
    if size % 2 == 1 {
        let last = last_byte(entered, size);
        e.store(Width::Byte, last, size as i32 - 1, Reg::A0);
    }
}

/// The register that waits for the last byte of `size`: two take turns.
fn last_byte(entered: &Entered, size: u32) -> Reg {
    [entered.regs.phase, entered.regs.from][(size as usize + 1) % 2]
}

pub(super) fn load_last_byte(e: &mut Emitter, entered: &Entered, size: u32) {
    let last = last_byte(entered, size);
    e.load(Width::Byte, last, size as i32 - 1, Reg::A1);
}

/// The sizes up to the plan's limit for memmove, which depend on the direction; gives the label that larger ones branch to.
///
/// ```text
///     beqz  a2, .Lreturn
///     li    t0, 15
///     bltu  t0, a2, .Lbig
///     slli  t0, a2, 3
///     sub   t1, a0, a1
///     bltu  t1, a2, .Ldown
///     add   a3, a0, a2
///     add   a1, a1, a2
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    128(t2)
///     lbu   a6, -15(a1)
///     sb    a6, -15(a3)
///     ...
/// ```
pub(super) fn memmove(e: &mut Emitter, entered: &Entered) -> Label {
    let regs = &entered.regs;
    let (big, done, down) = (e.label("big"), e.label("return"), e.label("small_down"));
    e.beqz(Reg::A2, done);
    e.comment(format!(
        "Up to {} bytes: {PAIR_BYTES} bytes of code for each byte, counted from the end; from the last byte on if dst starts \
         inside the source.",
        entered.small_bytes
    ));
    e.li(regs.carried, entered.small_bytes as i32);
    e.branch(Condition::Below, regs.carried, Reg::A2, big);
    e.slli(regs.carried, Reg::A2, PAIR_BYTES.ilog2());
    e.sub(regs.scratch, Reg::A0, Reg::A1);
    e.branch(Condition::Below, regs.scratch, Reg::A2, down);
    e.add(regs.to, Reg::A0, Reg::A2);
    e.add(Reg::A1, Reg::A1, Reg::A2);
    pairs(e, entered, Way::Up, regs.to, done);
    e.place(down);
    let end = e.label("small_done");
    pairs(e, entered, Way::Down, Reg::A0, end);
    big
}

/// The jump, and the pairs of load and store that it leads to.
fn pairs(e: &mut Emitter, entered: &Entered, way: Way, to: Reg, end: Label) {
    let regs = &entered.regs;
    let anchor = e.pc_address(regs.jump);
    e.sub(regs.jump, regs.jump, regs.carried);
    e.jr(regs.jump, anchor, end);
    for index in (0..entered.small_bytes).rev() {
        let offset = way.unit(index, 1);
        e.load(Width::Byte, regs.inner, offset, Reg::A1);
        e.store(Width::Byte, regs.inner, offset, to);
    }
    e.place(end);
    e.ret();
}
