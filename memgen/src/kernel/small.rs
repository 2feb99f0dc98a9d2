//! Sizes below the bulk threshold, and the last bytes of copies that are not co-aligned: byte by byte.

use super::emit::Emitter;
use super::motion::{Ladder, Motion, Units};
use super::user::Stop;
use crate::inst::{Label, Width};
use crate::plan::Strategy;
use crate::reg::Reg;
use crate::spec::Small;

/// A way into the small ladder for at most so many bytes.
pub(super) struct Entry {
    /// The largest piece that may be needed, a power of two.
    largest: u32,
    label: Label,
}

/// Ends a path whose rest, at most `most_bytes`, sits in the low bits of the count. The small code comes right behind.
pub(super) fn enter(e: &mut Emitter, most_bytes: u32) -> Option<Entry> {
    let largest = 1 << most_bytes.ilog2();
    match e.plan.small {
        Small::Loop | Small::Jump => {
            if largest < e.plan.word_bytes() {
                // Only the bytes after the last word: the count still holds the words.
                e.andi(e.left(), e.left(), e.plan.word_bytes() as i32 - 1);
            }
            None
        }
        _ if largest == largest_piece(e) => None,
        _ => {
            let label = e.label("last_bytes");
            e.j(label);
            Some(Entry { largest, label })
        }
    }
}

/// The largest power of two of bytes below the bulk threshold.
fn largest_piece(e: &Emitter) -> u32 {
    match e.plan.bulk.bytes - 1 {
        0 => 0,
        most => 1 << most.ilog2(),
    }
}

/// All sizes below the bulk threshold, and what `entry` brings, then return.
pub(super) fn small(e: &mut Emitter, motion: Motion, label: Label, entry: Option<Entry>) {
    let most_bytes = e.plan.bulk.bytes - 1;
    if most_bytes == 0 {
        return;
    }
    match e.plan.small {
        Small::Loop => byte_loop(e, motion, label),
        Small::Jump => {
            e.comment(jump_comment(motion, most_bytes));
            e.place(label);
            move_over_rest(e, motion);
            e.stop_at(Stop::AtEnd);
            byte_jump(e, motion, most_bytes);
        }
        _ => byte_ladder(e, motion, label, most_bytes, entry),
    }
    e.ret();
}

/// ```text
///     beqz  a2, .Ldone
///     add   t0, a1, a2
/// .Lbyte:
///     lbu   a4, 0(a1)
///     sb    a4, 0(a3)
///     addi  a1, a1, 1
///     addi  a3, a3, 1
///     bne   a1, t0, .Lbyte
/// .Ldone:
/// ```
fn byte_loop(e: &mut Emitter, motion: Motion, label: Label) {
    // Where bytes are the way of everything that is not co-aligned, any number of them may come here.
    let most = (e.plan.strategy != Strategy::Bytes).then_some(e.plan.bulk.bytes - 1);
    let units = Units {
        motion,
        bytes: 1,
        most,
        body: &|e, count| motion.pieces(e, Width::Byte, count),
    };
    e.comment("Bytes, one by one.");
    e.place(label);
    let done = e.label("done");
    units.blocks(e, "byte", 1, done, &[]);
    e.place(done);
}

fn byte_ladder(
    e: &mut Emitter,
    motion: Motion,
    label: Label,
    most_bytes: u32,
    entry: Option<Entry>,
) {
    let largest = largest_piece(e);
    let units = Units {
        motion,
        bytes: 1,
        most: Some(most_bytes),
        body: &|e, count| motion.pieces(e, Width::Byte, count),
    };
    e.comment(format!("At most {most_bytes} bytes, by the bits of n."));
    e.place(label);
    let ladder = Ladder {
        name: "bytes",
        largest,
        count: e.left(),
        scratch: e.plan.registers.limit,
        entry: entry.map(|entry| (entry.largest, entry.label)),
        is_last: true,
    };
    units.ladder(e, &ladder);
}

/// Bytes of code that move one byte.
fn slot_bytes(motion: Motion) -> u32 {
    if motion == Motion::Fill { 4 } else { 8 }
}

pub(super) fn jump_comment(motion: Motion, most_bytes: u32) -> String {
    format!(
        "At most {most_bytes} bytes: a jump to {} bytes of code for each of n before the end.",
        slot_bytes(motion)
    )
}

/// Moves the cursors over the bytes that are left.
fn move_over_rest(e: &mut Emitter, motion: Motion) {
    let cursor = e.plan.registers.cursor;
    if motion != Motion::Fill {
        motion.moved(e, Reg::A1, Reg::A1, e.left());
    }
    motion.moved(e, cursor, cursor, e.left());
}

/// A jump into straight code that moves byte -n, …, -1 before the end (backward: byte n-1, …, 0 from the start):
///
/// ```text
///     add   a1, a1, a2
///     add   a3, a3, a2
///     slli  t0, a2, 3
///     auipc t2, 0
///     sub   t2, t2, t0
///     jr    124(t2)
///     lbu   a4, -14(a1)
///     sb    a4, -14(a3)
///     ...
/// ```
///
/// The cursors are at that end, or that start, already.
pub(super) fn byte_jump(e: &mut Emitter, motion: Motion, most_bytes: u32) {
    let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
    let jump = e
        .plan
        .registers
        .jump
        .expect("the plan refuses a jump without a register");
    let mut data = e.plan.registers.data.iter().copied();
    let data = data.find(|reg| *reg != jump);
    let end = e.label("end");
    let slot_bytes_log2 = slot_bytes(motion).ilog2();
    e.slli(limit, e.left(), slot_bytes_log2);
    let anchor = e.pc_address(jump);
    e.sub(jump, jump, limit);
    e.jr(jump, anchor, end);
    for left in (1..=most_bytes as i32).rev() {
        let offset = if motion == Motion::Backward {
            left - 1
        } else {
            -left
        };
        if motion == Motion::Fill {
            e.store(Width::Byte, e.plan.registers.fill, offset, cursor);
        } else {
            let data = data.expect("the plan keeps one beside the jump's");
            e.load(Width::Byte, data, offset, Reg::A1);
            e.store(Width::Byte, data, offset, cursor);
        }
    }
    e.place(end);
}
