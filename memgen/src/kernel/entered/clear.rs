//! Zeros into user memory. Each word is stored to behind all below it, if not for the first time, so all below a0 is cleared at any time; a0
//! moves up to a word boundary and between blocks, and a fault leaves everything at hand that clearing the rest takes.

use super::clear_words::Ladder;
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::kernel::recover::{self, Stopped};
use crate::plan::{Empty, EnteredClear, Form, Recovery};
use crate::reg::Reg;

/// The next byte to clear.
pub(super) const CURSOR: Reg = Reg::A0;
/// Bytes to clear.
const BYTES: Reg = Reg::A1;

/// The whole routine.
pub(in crate::kernel) fn clear_user(e: &mut Emitter) {
    let Form::EnteredClear(clear) = &e.plan.form else {
        unreachable!("a clear by jumps is made for its form")
    };
    let (fault, big, blocks) = (e.label("fault"), e.label("big"), e.label("blocks"));
    e.recover_at(fault);
    small(e, clear, big);
    e.place(big);
    head(e, clear);
    let ladder = Ladder::new(e, clear);
    ladder.enter(e, blocks);
    ladder.write(e);
    tail(e, clear);
    ladder.blocks(e, blocks);
    after_fault(e, clear, fault);
}

/// Sizes below the plan's first by words; branches to `big` for those.
///
/// ```text
///     add   a3, a0, a1
///     li    t0, 23
///     bltu  t0, a1, .Lbig
///     slli  t0, a1, 2
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    100(t2)
///     sb    zero, -23(a3)
///     ...
///     sb    zero, -1(a3)
///     li    a0, 0
///     ret
/// ```
fn small(e: &mut Emitter, clear: &EnteredClear, big: Label) {
    let regs = &clear.regs;
    let (most_bytes, end) = (clear.bulk.bytes as i32 - 1, e.label("return"));
    e.comment(format!(
        "{} keeps the end. Up to {most_bytes} bytes: a jump that leaves n stores of a byte before the return.",
        regs.end
    ));
    if clear.empty == Empty::First {
        e.beqz(BYTES, end);
    }
    e.add(regs.end, CURSOR, BYTES);
    e.li(regs.scratch, most_bytes);
    e.branch(Condition::Below, regs.scratch, BYTES, big);
    e.slli(regs.scratch, BYTES, 2);
    let anchor = e.pc_address(regs.jump);
    e.sub(regs.jump, regs.jump, regs.scratch);
    e.jr(regs.jump, anchor, end);
    for left in (1..=most_bytes).rev() {
        e.store(Width::Byte, Reg::ZERO, -left, regs.end);
    }
    e.place(end);
    e.ret();
}

/// The bytes in front of a word boundary, and some behind it: three bytes reach the next multiple of four, on RV64 four aligned ones from
/// there the boundary, if not past it. The cursor moves to the boundary.
///
/// ```text
///     andi  t0, a0, 7
///     beqz  t0, .Laligned
///     sb    zero, 0(a0)
///     sb    zero, 1(a0)
///     sb    zero, 2(a0)
///     addi  t0, a0, 3
///     andi  t0, t0, -4
///     sw    zero, 0(t0)
///     addi  a0, a0, 7
///     andi  a0, a0, -8
/// .Laligned:
/// ```
fn head(e: &mut Emitter, clear: &EnteredClear) {
    let (scratch, word_bytes) = (clear.regs.scratch, e.plan.word_bytes() as i32);
    let aligned = e.label("aligned");
    e.comment(format!(
        "By words, from {} bytes on: {}. The stores up to a boundary may go past it, upwards.",
        clear.bulk.bytes, clear.bulk.why
    ));
    e.andi(scratch, CURSOR, word_bytes - 1);
    e.beqz(scratch, aligned);
    for index in 0..3 {
        e.store(Width::Byte, Reg::ZERO, index, CURSOR);
    }
    if e.plan.word == Width::Double {
        e.addi(scratch, CURSOR, 3);
        e.andi(scratch, scratch, -4);
        e.store(Width::Word, Reg::ZERO, 0, scratch);
    }
    e.addi(CURSOR, CURSOR, word_bytes - 1);
    e.andi(CURSOR, CURSOR, -word_bytes);
    e.place(aligned);
}

/// The bytes behind the last word boundary, and some in front of it: on RV64 the last four aligned ones, then the last three.
///
/// ```text
///     beq   a4, a3, .Lreturn
///     andi  t0, a3, -4
///     sw    zero, -4(t0)
///     sb    zero, -3(a3)
///     sb    zero, -2(a3)
///     sb    zero, -1(a3)
///     li    a0, 0
///     ret
/// ```
fn tail(e: &mut Emitter, clear: &EnteredClear) {
    let regs = &clear.regs;
    let done = e.label("cleared");
    e.comment("The last bytes, unless the words end where the block does: stores that reach back over what is cleared.");
    e.branch(Condition::Equal, regs.words_end, regs.end, done);
    if e.plan.word == Width::Double {
        e.andi(regs.scratch, regs.end, -4);
        e.store(Width::Word, Reg::ZERO, -4, regs.scratch);
    }
    for left in (1..=3).rev() {
        e.store(Width::Byte, Reg::ZERO, -left, regs.end);
    }
    e.place(done);
    e.ret();
}

/// What is left, from the cursor on.
fn after_fault(e: &mut Emitter, clear: &EnteredClear, fault: Label) {
    let recovery = recover::promised(e);
    let regs = &clear.regs;
    if recovery == Recovery::Efault {
        e.comment("A fault.");
        e.place(fault);
        return recover::efault(e);
    }
    e.comment(format!(
        "A fault. All below {CURSOR} is cleared, {} is the end: {}.",
        regs.end,
        recover::rest(recovery)
    ));
    e.place(fault);
    let stopped = Stopped {
        from: None,
        to: CURSOR,
        end: regs.end,
        data: Reg::ZERO,
        most_bytes: clear.most_unsettled_bytes(),
    };
    stopped.finish(e, recovery);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inst::Inst;
    use crate::kernel::lower;
    use crate::plan::Plan;
    use crate::spec::{Count, Op, Preset, Shape, Spec};

    #[test]
    fn registers_jumps_and_stores_are_in_order() {
        for preset in [Preset::Default, Preset::Fastest, Preset::Zkvm] {
            for (isa, words) in [("rv64i", 1), ("rv64i", 255), ("rv32i", 480), ("rv32em", 5)] {
                let spec = Spec {
                    op: Op::ClearUser,
                    shape: Shape::Entered,
                    preset,
                    isa: Some(isa.to_owned()),
                    unroll: Count::Exactly(words),
                    ..Spec::default()
                };
                let program = lower(&Plan::new(&spec).expect("it can be built"));
                let arguments = [CURSOR, BYTES].into_iter().collect();
                assert!(program.reads_undefined(arguments).is_empty(), "{isa}");
                assert_eq!(program.unreachable().next(), None, "{isa}");
                let addresses = program.addresses();
                for inst in program.instructions() {
                    match *inst {
                        Inst::JumpRegister { anchor, target, .. } => {
                            let offset = addresses[target.0] - addresses[anchor.0];
                            assert!((-2048..2048).contains(&offset), "{isa} {words}: {offset}");
                        }
                        Inst::Load { .. } => panic!("{isa}: nothing is loaded"),
                        Inst::Store { src, recover, .. } => {
                            assert!(src == Reg::ZERO && recover.is_some(), "{isa}");
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
