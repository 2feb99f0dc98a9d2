//! User memory in the shape `stepped`: the forward copy, or the fill with zeros, whose cursor is a0. It moves behind each piece that is done, so
//! all below it is done at any time; what else a fault leaves depends on the part that it stops.

use super::emit::Emitter;
use super::frame;
use super::motion::Motion;
use super::recover::{self, Stopped};
use super::{aligned, fill};
use crate::plan::Recovery;
use crate::program::Item;
use crate::reg::Reg;
use crate::spec::OverRead;

/// The parts of a routine, by what has to be put right once a fault stopped one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nothing: the source cursor is as far as the destination's.
    Settled,
    /// The frame around the loop over blocks.
    Framed,
    /// Both cursors, which stand at the end already.
    AtEnd,
    /// The source cursor, half a word behind.
    Halves,
    /// The source cursor, which is in its first word at another place than its residue says.
    FirstWord,
    /// The source cursor, at a word boundary; its residue is counted in bits.
    Merge,
}

impl Stop {
    /// What the place is called where it is put right.
    pub(super) fn name(self) -> &'static str {
        match self {
            Stop::Settled => "fault",
            Stop::Framed => "fault_in_frame",
            Stop::AtEnd => "fault_from_end",
            Stop::Halves => "fault_halves",
            Stop::FirstWord => "fault_first_word",
            Stop::Merge => "fault_merge",
        }
    }
}

/// A copy between blocks that do not overlap, one of them or both user memory.
pub(super) fn copy(e: &mut Emitter) {
    keep_end(e);
    aligned::copy(e, Motion::Forward);
    after_fault(e, Motion::Forward);
}

/// A fill of user memory with zeros.
pub(super) fn clear(e: &mut Emitter) {
    keep_end(e);
    fill::aligned(e);
    after_fault(e, Motion::Fill);
}

/// ```text
///     add   a3, a0, a2
/// ```
fn keep_end(e: &mut Emitter) {
    let end = end(e);
    let cursor = e.plan.registers.cursor;
    e.comment(format!(
        "{cursor} is the cursor in dst, all below it is done; {end} keeps the end."
    ));
    e.add(end, cursor, e.left());
    e.stop_at(Stop::Settled);
}

/// The register that keeps the end of the destination.
fn end(e: &Emitter) -> Reg {
    e.plan.registers.end.expect("user memory has its end kept")
}

/// Where accesses recover: each part brings the cursors to the first byte that may not be done, then the rest is the same.
///
/// ```text
/// .Lfault_in_frame:
///     ld    s0, 0(sp)
///     addi  sp, sp, 16
///     j     .Lfault
/// .Lfault_from_end:
///     sub   a1, a1, a2
///     sub   a0, a0, a2
///     j     .Lfault
/// .Lfault_merge:
///     srli  t5, t5, 3
/// .Lfault_first_word:
///     add   a1, a1, t5
/// .Lfault:
/// ```
fn after_fault(e: &mut Emitter, motion: Motion) {
    let plan = e.plan;
    let recovery = recover::promised(e);
    let cursor = plan.registers.cursor;
    let settled = e
        .stopped(Stop::Settled)
        .expect("a copy starts with nothing to put right");
    e.comment("A fault: what the part that it stopped left is put right.");
    let parts = [Stop::Framed, Stop::AtEnd, Stop::Halves, Stop::Merge];
    let (repairs, nothing): (Vec<_>, Vec<_>) = parts
        .map(|stop| e.apart(|e| repair(e, stop, motion)))
        .into_iter()
        .partition(|lines| lines.iter().any(|line| matches!(line, Item::Inst(_))));
    for (number, lines) in repairs.into_iter().enumerate() {
        if number > 0 {
            e.j(settled);
        }
        e.append(lines);
    }
    nothing.into_iter().for_each(|lines| e.append(lines));
    e.place(settled);
    if recovery == Recovery::Efault {
        return recover::efault(e);
    }
    e.comment(format!(
        "All below {cursor} is done: {}.",
        recover::rest(recovery)
    ));
    let stopped = Stopped {
        from: (motion != Motion::Fill).then_some(Reg::A1),
        to: cursor,
        end: end(e),
        data: *plan.registers.data.first().unwrap_or(&plan.registers.fill),
        most_bytes: plan.most_unsettled_bytes(),
    };
    stopped.finish(e, recovery);
}

/// Puts right what a stop of this kind leaves, as far as the end of the routine looks at it; writes nothing where there is no such stop.
fn repair(e: &mut Emitter, stop: Stop, motion: Motion) {
    let Some(label) = e.stopped(stop) else { return };
    let counts = recover::promised(e) != Recovery::Efault;
    let copies_on = matches!(recover::promised(e), Recovery::Exact | Recovery::AtLeastOne);
    let loads_on = copies_on && motion != Motion::Fill;
    let (cursor, left, word_bytes) = (
        e.plan.registers.cursor,
        e.left(),
        e.plan.word_bytes() as i32,
    );
    e.place(label);
    match stop {
        Stop::Framed => {
            let saved = aligned::saved(e.plan);
            frame::resume(e, saved);
            frame::leave(e, saved);
        }
        Stop::AtEnd => {
            if loads_on {
                e.sub(Reg::A1, Reg::A1, left);
            }
            if counts {
                e.sub(cursor, cursor, left);
            }
        }
        Stop::Halves if loads_on => e.addi(Reg::A1, Reg::A1, word_bytes / 2),
        Stop::Merge => {
            let shift = e.plan.registers.shift.as_ref();
            let residue = shift.and_then(|regs| regs.right).filter(|_| loads_on);
            if let Some(residue) = residue {
                e.srli(residue, residue, 3);
            }
            let first_word = e.stopped(Stop::FirstWord);
            e.place(first_word.expect("a merge starts with its first word"));
            if let Some(residue) = residue {
                if e.plan.over_read == OverRead::None {
                    e.andi(Reg::A1, Reg::A1, -word_bytes);
                }
                e.add(Reg::A1, Reg::A1, residue);
            }
        }
        Stop::Settled | Stop::FirstWord | Stop::Halves => {}
    }
}

#[cfg(test)]
mod tests;
