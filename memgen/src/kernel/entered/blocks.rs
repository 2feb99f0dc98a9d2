//! The loops over blocks of co-aligned units.

use super::way::Way;
use super::words::Words;
use super::{counted_from_boundary, head};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{Ends, groups};
use crate::reg::Reg;

/// Moves `count` units from one cursor to the other, in groups of as many as there are `data` registers: loads, then stores.
fn copy_block(
    e: &mut Emitter,
    way: Way,
    unit: Width,
    count: u32,
    cursors: (Reg, Reg),
    data: &[Reg],
) {
    let (from, to) = cursors;
    let mut done = 0;
    for group in groups(count, data.len() as u32) {
        let moves = (done..done + group).zip(data).map(|(index, reg)| {
            let offset = way.ahead(index, unit.bytes());
            (unit, *reg, offset, offset)
        });
        e.copy(from, to, moves);
        done += group;
    }
}

/// A long memcpy of co-aligned units: head, blocks ascending, and `rest` for what they leave, counted from a boundary. `bounded` says
/// whether a2 and `to` count from the boundary already, else n is in a2.
pub(super) fn memcpy(e: &mut Emitter, words: &Words, bounded: bool, rest: Label) {
    let regs = words.regs();
    let unit_bytes = words.unit.bytes() as i32;
    let block_units = words.entered.copy_units;
    let block_bytes = block_units as i32 * unit_bytes;
    let (aligned, blocks, left) = (
        e.label("aligned"),
        e.label("blocks"),
        e.label("blocks_left"),
    );
    e.comment(format!(
        "Head: the bytes before dst's first {} boundary; then blocks of {block_units} {}s, ascending.",
        words.name, words.name
    ));
    e.beqz(regs.phase, aligned);
    if !bounded {
        counted_from_boundary(e, regs);
    }
    match words.entered.ends {
        Ends::Inline => {
            let done = e.label("head_done");
            words.far(e, |e| e.j(done));
            e.place(done);
        }
        Ends::Shared => {
            e.load(words.unit, regs.carried, 0, regs.from);
            head::store(e, regs);
        }
    }
    e.addi(regs.from, regs.from, unit_bytes);
    e.addi(regs.to, regs.to, unit_bytes);
    e.addi(Reg::A2, Reg::A2, -unit_bytes);
    e.li(regs.phase, 0);
    e.andi(regs.carried, Reg::A2, -block_bytes);
    e.bnez(regs.carried, blocks);
    e.j(rest);
    e.place(aligned);
    if !bounded {
        e.mv(regs.to, Reg::A0);
    }
    e.place(blocks);
    e.add(regs.scratch, regs.from, regs.carried);
    let start = e.place_loop("block", block_bytes as u32, None);
    let mut data = vec![
        Reg::A1,
        regs.inner,
        regs.out,
        regs.jump,
        regs.right,
        regs.left,
        regs.words,
    ];
    // The rest asks for the address that jumps count from again, unless slots before it need it.
    data.extend(regs.anchor);
    data.truncate(words.entered.copied_in_flight() as usize);
    copy_block(
        e,
        Way::Up,
        words.unit,
        block_units,
        (regs.from, regs.to),
        &data,
    );
    e.addi(regs.from, regs.from, block_bytes);
    e.addi(regs.to, regs.to, block_bytes);
    e.branch(Condition::NotEqual, regs.from, regs.scratch, start);
    e.branch(Condition::NotEqual, Reg::A2, regs.carried, left);
    e.ret();
    e.comment("What blocks leave over.");
    e.place(left);
    e.andi(Reg::A2, Reg::A2, block_bytes - 1);
    e.j(rest);
}

/// Blocks of a memmove or a user copy by units, from the near boundary on, then to the `ladder` with one unit at least.
pub(super) fn memmove(e: &mut Emitter, words: &Words, ladder: Label) {
    let (regs, way) = (words.regs(), words.way);
    let unit_bytes = words.unit.bytes() as i32;
    let block_units = words.entered.copy_units;
    let block_bytes = block_units * words.unit.bytes();
    e.comment(format!(
        "Blocks of {block_units} {}s; one {} at least stays for the ladder, which may be in the block only in part.",
        words.name, words.name
    ));
    let cursor = words.entered.block_cursor();
    way.back(e, cursor, regs.to, regs.scratch);
    e.addi(regs.carried, regs.scratch, -unit_bytes);
    e.andi(regs.carried, regs.carried, -(block_bytes as i32));
    e.sub(regs.scratch, regs.scratch, regs.carried);
    way.back(e, regs.carried, regs.from, regs.scratch);
    let start = e.place_loop("block", block_bytes, None);
    let data = [
        Reg::A1,
        regs.out,
        regs.jump,
        regs.right,
        regs.left,
        regs.words,
        Reg::A2,
    ];
    let data = &data[..words.entered.copied_in_flight() as usize];
    let cursors = (regs.inner, cursor);
    copy_block(e, way, words.unit, block_units, cursors, data);
    e.addi(regs.inner, regs.inner, way.onward(block_bytes));
    e.addi(cursor, cursor, way.onward(block_bytes));
    e.branch(Condition::NotEqual, regs.inner, regs.carried, start);
    e.j(ladder);
}
