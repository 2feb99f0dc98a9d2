//! memset: bytes to the first word boundary, words, bytes.

use super::{BYTES, decided};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::kernel::fill::spread_through;
use crate::plan::Compact;
use crate::reg::Reg;

/// The fill.
const FILL: Reg = Reg::A1;

/// ```text
///     add   a5, a0, a2
///     mv    a3, a0
///     li    a4, 15
///     bltu  a2, a4, .Lcheck
///     andi  a1, a1, 255
///     ...
///     j     .Lhead_check
/// .Lhead:
///     sb    a1, 0(a3)
///     addi  a3, a3, 1
/// .Lhead_check:
///     andi  a4, a3, 7
///     bnez  a4, .Lhead
///     andi  a4, a5, -8
/// .Lword:
///     sd    a1, 0(a3)
///     addi  a3, a3, 8
///     bne   a3, a4, .Lword
///     j     .Lcheck
/// .Lbyte:
///     sb    a1, 0(a3)
///     addi  a3, a3, 1
/// .Lcheck:
///     bne   a3, a5, .Lbyte
///     ret
/// ```
pub(in crate::kernel) fn memset(e: &mut Emitter) {
    let (plan, regs) = (e.plan, decided(e.plan));
    let (word_bytes, bulk) = (plan.word_bytes(), &plan.bulk);
    let (check, head_check) = (e.label("check"), e.label("head_check"));
    e.comment(format!(
        "Below {} bytes = {}: byte by byte.",
        bulk.bytes, bulk.why
    ));
    e.add(regs.end, Reg::A0, BYTES);
    e.mv(regs.cursor, Reg::A0);
    e.li(regs.scratch, bulk.bytes as i32);
    e.branch(Condition::Below, BYTES, regs.scratch, check);
    if !plan.isa.has("zbkb") {
        e.comment("c arrives as an int: only its low byte counts.");
        e.andi(FILL, FILL, 255);
    }
    spread_through(e, plan.word, regs.scratch);
    e.comment(format!(
        "Head: at most {} bytes, until dst is word aligned.",
        word_bytes - 1
    ));
    e.j(head_check);
    let head = e.place_loop("head", 1, Some(word_bytes - 1));
    store(e, regs, Width::Byte, 1);
    e.place(head_check);
    e.andi(regs.scratch, regs.cursor, word_bytes as i32 - 1);
    e.bnez(regs.scratch, head);
    e.comment("Words, at least one.");
    e.andi(regs.scratch, regs.end, -(word_bytes as i32));
    let most = blocks(e, regs, check);
    let word = e.place_loop("word", word_bytes, most);
    store(e, regs, plan.word, 1);
    e.branch(Condition::NotEqual, regs.cursor, regs.scratch, word);
    e.j(check);
    e.comment("Bytes up to the end: small sizes, and the tail.");
    let byte = e.place_loop("byte", 1, Some(bulk.bytes - 1));
    store(e, regs, Width::Byte, 1);
    e.place(check);
    e.branch(Condition::NotEqual, regs.cursor, regs.end, byte);
    e.ret();
}

/// Stores the fill `count` times and moves the cursor on.
fn store(e: &mut Emitter, regs: &Compact, width: Width, count: u32) {
    for index in 0..count {
        e.store(width, FILL, (index * width.bytes()) as i32, regs.cursor);
    }
    e.addi(regs.cursor, regs.cursor, (count * width.bytes()) as i32);
}

/// Blocks, if the plan's have more than one word, while they last; branches to `check` if no word is left. Gives the most bytes
/// that are left.
///
/// ```text
///     sub   a2, a4, a3
///     li    a4, 64
///     bltu  a2, a4, .Lrest
/// .Lblock:
///     ...
///     addi  a2, a2, -64
///     bgeu  a2, a4, .Lblock
///     beqz  a2, .Lcheck
/// .Lrest:
///     add   a4, a3, a2
/// ```
fn blocks(e: &mut Emitter, regs: &Compact, check: Label) -> Option<u32> {
    let (word, block) = (e.plan.word, &e.plan.block);
    if block.words == 1 {
        return None;
    }
    let (rest, scratch) = (BYTES, regs.scratch);
    let left_over = e.label("rest");
    e.comment(format!("Blocks of {block}, while that many remain."));
    e.sub(rest, scratch, regs.cursor);
    e.li(scratch, block.bytes as i32);
    e.branch(Condition::Below, rest, scratch, left_over);
    let start = e.place_loop("block", block.bytes, None);
    store(e, regs, word, block.words);
    e.addi(rest, rest, -(block.bytes as i32));
    e.branch(Condition::AtLeast, rest, scratch, start);
    e.beqz(rest, check);
    e.place(left_over);
    e.comment("The rest of a block, word by word.");
    e.add(scratch, regs.cursor, rest);
    Some(block.bytes - word.bytes())
}
