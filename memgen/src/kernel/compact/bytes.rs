//! The loop of bytes: all of a small size, the head, the tail.

use super::{BYTES, Copy, DISTANCE};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;

/// Where the words lead to.
pub(super) struct Tail {
    /// The bytes that are left.
    pub(super) start: Label,
    /// All is copied.
    pub(super) done: Label,
}

/// Copies bytes until the destination is word aligned, or all of them if they are few; goes on in the first case, branches to
/// `done` in the second. memmove's lines are marked with `|`.
///
/// ```text
///   | srli  t3, t1, 61
///     andi  a6, a6, -8
///   | add   a6, a6, t3
///     li    a4, 15
///     bgeu  a2, a4, .Lcheck
/// .Ltail:
///     mv    a6, a5
///     j     .Lcheck
/// .Lbyte:
///     sub   a4, a3, a1
///     lbu   a4, 0(a4)
///     sb    a4, 0(a3)
///     addi  a3, a3, 1           | add   a3, a3, t1
/// .Lcheck:
///     bne   a3, a6, .Lbyte
///     beq   a3, a5, .Ldone
/// ```
pub(super) fn until_aligned(e: &mut Emitter, copy: Copy) -> Tail {
    let (all, stop, bulk) = (copy.all, copy.regs.stop, &copy.plan.bulk);
    let (check, done) = (e.label("check"), e.label("done"));
    let mask = copy.plan.word_bytes() - 1;
    e.comment(format!(
        "Head: at most {mask} bytes, until dst is word aligned. Below {} bytes = {}: all of them.{}",
        bulk.bytes,
        bulk.why,
        copy.both_ways.map_or(String::new(), |ways| format!(
            " {} is the byte of a word that the cursor meets first, 0 or backward {mask}: the top bits of the step.",
            ways.first
        ))
    ));
    if let Some(ways) = copy.both_ways {
        let bits = copy.plan.isa.xlen - copy.plan.word_bytes().ilog2();
        e.srli(ways.first, ways.step, bits);
    }
    e.andi(stop, stop, -copy.word_bytes());
    if let Some(ways) = copy.both_ways {
        e.add(stop, stop, ways.first);
    }
    e.li(all.scratch, bulk.bytes as i32);
    e.branch(Condition::AtLeast, BYTES, all.scratch, check);
    e.comment("Bytes up to the end: small sizes, and the tail once the words are done.");
    // The tail is the second round, and the last.
    let start = e.place_loop("tail", bulk.bytes, Some(bulk.bytes));
    e.mv(stop, all.end);
    e.j(check);
    let byte = e.place_loop("byte", 1, Some(2 * mask));
    e.sub(all.scratch, all.cursor, DISTANCE);
    e.load(Width::Byte, all.scratch, 0, all.scratch);
    e.store(Width::Byte, all.scratch, 0, all.cursor);
    match copy.both_ways {
        Some(ways) => e.add(all.cursor, all.cursor, ways.step),
        None => e.addi(all.cursor, all.cursor, 1),
    }
    e.place(check);
    e.branch(Condition::NotEqual, all.cursor, stop, byte);
    e.branch(Condition::Equal, all.cursor, all.end, done);
    Tail { start, done }
}
