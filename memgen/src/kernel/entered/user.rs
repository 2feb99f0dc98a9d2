//! Copies to and from user memory: the way up of a memmove, whose stores ascend, each behind the loads of all bytes below it. So all below
//! a0 is copied at any time; a0 moves between blocks alone, and a fault leaves everything at hand that finishing the copy takes.

use super::small::PAIR_BYTES;
use super::way::Way;
use super::{decisions, memmove, user_slots};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::kernel::recover::{self, Stopped};
use crate::plan::{Entered, Recovery};
use crate::reg::Reg;

/// A copy between blocks that do not overlap, one of them or both user memory.
pub(in crate::kernel) fn copy_user(e: &mut Emitter) {
    let entered = decisions(e);
    let (fault, fault_small) = (e.label("fault"), e.label("fault_small"));
    e.recover_at(fault_small);
    let big = small(e, entered);
    e.place(big);
    e.recover_at(fault);
    memmove::one_way(e, entered, Way::Up);
    after_fault(e, entered, fault_small, fault);
}

/// The sizes up to the plan's limit; gives the label that larger ones branch to.
///
/// ```text
///     li    t0, 15
///     bltu  t0, a2, .Lbig
///     beqz  a2, .Lreturn
///     slli  t0, a2, 3
///     add   a3, a0, a2
///     add   a5, a1, a2
///     lbu   a6, 0(a1)
///     lbu   a7, 0(a1)
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    136(t2)
///     lbu   a7, -14(a5)
///     sb    a6, -15(a3)
///     ...
///     lbu   a6, -1(a5)
///     sb    a7, -2(a3)
///     sb    a6, -1(a3)
/// ```
///
/// No byte is stored right after its load, and the first is in both registers: either may be the one that a size stores first.
fn small(e: &mut Emitter, entered: &Entered) -> Label {
    let regs = &entered.regs;
    let big = e.label("big");
    let how = match entered.small_slots {
        true => "a slot of code for each size".to_owned(),
        false => format!(
            "{PAIR_BYTES} bytes of code for each byte, counted from the end; two registers in turn, the first byte in both"
        ),
    };
    e.comment(format!("Up to {} bytes: {how}.", entered.small_bytes));
    e.li(regs.carried, entered.small_bytes as i32);
    e.branch(Condition::Below, regs.carried, Reg::A2, big);
    if entered.small_slots {
        user_slots::write(e, entered);
        return big;
    }
    let done = e.label("return");
    e.beqz(Reg::A2, done);
    e.slli(regs.carried, Reg::A2, PAIR_BYTES.ilog2());
    e.add(regs.to, Reg::A0, Reg::A2);
    e.add(regs.from, Reg::A1, Reg::A2);
    let turn = [regs.inner, regs.out];
    for reg in turn {
        e.load(Width::Byte, reg, 0, Reg::A1);
    }
    let last = e.label("last_byte");
    let anchor = e.pc_address(regs.jump);
    e.sub(regs.jump, regs.jump, regs.carried);
    e.jr_ahead(regs.jump, anchor, last, PAIR_BYTES as i32);
    for left in (1..entered.small_bytes as i32).rev() {
        e.load(Width::Byte, turn[(left as usize - 1) % 2], -left, regs.from);
        e.store(Width::Byte, turn[left as usize % 2], -left - 1, regs.to);
    }
    e.place(last);
    e.store(Width::Byte, turn[0], -1, regs.to);
    e.place(done);
    e.ret();
    big
}

/// What follows a fault:
///
/// ```text
/// .Lfault_small:
///     li    a4, 0
/// .Lfault:
///     sub   a1, a5, a3
///     add   a1, a1, a0
///     sub   a3, a3, a4
///     ...
/// ```
fn after_fault(e: &mut Emitter, entered: &Entered, fault_small: Label, fault: Label) {
    let regs = &entered.regs;
    let recovery = recover::promised(e);
    if recovery == Recovery::Efault {
        e.comment("A fault.");
        e.place(fault_small);
        e.place(fault);
        return recover::efault(e);
    }
    e.comment(format!(
        "A fault. All below {} is copied; {} - {} is the end of dst, src is {} - {} ahead of it: {}.",
        Reg::A0,
        regs.to,
        regs.phase,
        regs.from,
        regs.to,
        recover::rest(recovery)
    ));
    e.place(fault_small);
    if entered.small_slots {
        e.add(regs.to, Reg::A0, Reg::A2);
        e.add(regs.from, Reg::A1, Reg::A2);
    }
    e.li(regs.phase, 0);
    e.place(fault);
    if recovery != Recovery::Coarse {
        e.sub(Reg::A1, regs.from, regs.to);
        e.add(Reg::A1, Reg::A1, Reg::A0);
    }
    e.sub(regs.to, regs.to, regs.phase);
    let stopped = Stopped {
        from: Some(Reg::A1),
        to: Reg::A0,
        end: regs.to,
        data: regs.inner,
        most_bytes: entered.most_unsettled_bytes(),
    };
    stopped.finish(e, recovery);
}
