//! The shape `compact`: loops alone, each used for as much as it can be.
//!
//! A copy has one cursor, in the destination; the source lies a fixed distance below it. One loop of bytes serves small sizes, head
//! and tail, one loop of words serves every distance, and a memmove's loops run in either direction.

mod blocks;
mod bytes;
mod fill;
mod user;
mod words;

use super::emit::Emitter;
use crate::inst::Condition;
use crate::plan::{BothWays, Compact, CompactCopy, Form, Plan};
use crate::reg::Reg;

pub(super) use fill::memset;
pub(super) use user::{clear_user, copy_user};

/// The bytes that were asked for.
const BYTES: Reg = Reg::A2;
/// The source, then its distance to the destination.
const DISTANCE: Reg = Reg::A1;

/// What the plan decided for a copy.
#[derive(Clone, Copy)]
struct Copy<'p> {
    plan: &'p Plan,
    all: &'p Compact,
    regs: &'p CompactCopy,
    both_ways: Option<&'p BothWays>,
}

impl<'p> Copy<'p> {
    fn new(plan: &'p Plan) -> Self {
        let all = decided(plan);
        let regs = all.copy.as_ref().expect("a copy has its registers");
        Copy {
            plan,
            all,
            regs,
            both_ways: regs.both_ways.as_ref(),
        }
    }

    /// Whether the loop over words is entered with its end set.
    fn stop_is_set(&self) -> bool {
        self.plan.user.is_some() && self.regs.rest.is_none()
    }

    fn word_bytes(&self) -> i32 {
        self.plan.word_bytes() as i32
    }

    /// Everything behind the setting of the cursor.
    fn run(&self, e: &mut Emitter) {
        let tail = bytes::until_aligned(e, *self);
        words::copy(e, *self);
        e.j(tail.start);
        e.place(tail.done);
        e.ret();
    }
}

fn decided(plan: &Plan) -> &Compact {
    match &plan.form {
        Form::Compact(compact) => compact,
        _ => unreachable!("compact code is made for the form compact"),
    }
}

/// ```text
///     mv    a3, a0
///     sub   a1, a0, a1
///     add   a5, a0, a2
///     addi  a6, a0, 7
/// ```
pub(super) fn memcpy(e: &mut Emitter) {
    let copy = Copy::new(e.plan);
    let (all, stop) = (copy.all, copy.regs.stop);
    e.comment(format!(
        "{} is the only cursor, in dst: a1 becomes the distance from src to dst. Bytes are copied until the cursor comes to {stop}, \
         and all is done at {}.",
        all.cursor, all.end
    ));
    e.mv(all.cursor, Reg::A0);
    e.sub(DISTANCE, Reg::A0, DISTANCE);
    e.add(all.end, Reg::A0, BYTES);
    e.addi(stop, Reg::A0, copy.word_bytes() - 1);
    copy.run(e);
}

/// One comparison chooses the direction; the loops then run by steps held in registers.
///
/// ```text
///     sub   a1, a0, a1
///     mv    a3, a0
///     add   a5, a0, a2
///     li    t1, 1
///     addi  a6, a0, 7
///     bgeu  a1, a2, .Lforward
///     addi  a3, a5, -1
///     addi  a5, a0, -1
///     li    t1, -1
///     addi  a6, a3, -7
/// .Lforward:
/// ```
pub(super) fn memmove(e: &mut Emitter) {
    let copy = Copy::new(e.plan);
    let (all, stop) = (copy.all, copy.regs.stop);
    let ways = copy.both_ways.expect("a memmove goes both ways");
    let (cursor, end, mask) = (all.cursor, all.end, copy.word_bytes() - 1);
    let forward = e.label("forward");
    e.comment(format!(
        "{cursor} is the only cursor, in dst, at the next byte: a1 becomes the distance from src to dst. Bytes are copied until the \
         cursor comes to {stop}, and all is done at {end}, one step of {} past the last.",
        ways.step
    ));
    e.sub(DISTANCE, Reg::A0, DISTANCE);
    e.mv(cursor, Reg::A0);
    e.add(end, Reg::A0, BYTES);
    e.li(ways.step, 1);
    e.addi(stop, Reg::A0, mask);
    e.comment(
        "A destination that starts inside the source, dst - src < n unsigned, is copied backward; anything else, dst below src \
         included, forward.",
    );
    e.branch(Condition::AtLeast, DISTANCE, BYTES, forward);
    e.addi(cursor, end, -1);
    e.addi(end, Reg::A0, -1);
    e.li(ways.step, -1);
    e.addi(stop, cursor, -mask);
    e.place(forward);
    copy.run(e);
}
