//! Hardware that does misaligned accesses at full speed, full words: as many words from either end as it takes for them to
//! meet or overlap. What is longer has blocks in between, what is shorter than a word narrower pieces.

use super::emit::Emitter;
use super::{fill, native_blocks, native_small};
use crate::inst::{Condition, Label, Width};
use crate::plan::Overlap;
use crate::reg::Reg;
use crate::spec::Op;

/// A memcpy, memmove or memset.
pub(super) fn routine(e: &mut Emitter, overlap: &Overlap) {
    let (small, bulk, done) = (e.label("small"), e.label("bulk"), e.label("return"));
    if overlap.zero_first {
        e.comment("Nothing to copy: back at once.");
        e.beqz(e.left(), done);
    }
    e.comment(format!(
        "From {} bytes on, the first and the last word may overlap.",
        e.plan.word_bytes()
    ));
    test(e, e.plan.word_bytes(), Condition::Below, small);
    if e.plan.op == Op::Memset {
        clear_upper_bits(e);
        fill::spread(e);
    }
    find_ends(e, overlap);
    let met = choose(e, overlap, bulk);
    for (index, label) in met.iter().enumerate().rev() {
        e.place(*label);
        meet(e, overlap, index);
    }
    native_small::small(e, overlap, small, done);
    e.place(bulk);
    native_blocks::bulk(e, overlap);
}

/// ```text
///     li    t0, 17
///     bltu  a2, t0, .Lwords_2
/// ```
fn test(e: &mut Emitter, bytes: u32, condition: Condition, target: Label) {
    let limit = e.plan.registers.limit;
    e.li(limit, bytes as i32);
    e.branch(condition, e.left(), limit, target);
}

/// ```text
///     andi  a1, a1, 255
/// ```
///
/// `packh`, where it spreads the fill, takes the low byte alone.
pub(super) fn clear_upper_bits(e: &mut Emitter) {
    if !e.plan.isa.has("zbkb") {
        e.comment("c arrives as an int: only its low byte counts.");
        e.andi(Reg::A1, Reg::A1, 255);
    }
}

/// ```text
///     add   a3, a1, a2
///     add   t6, a0, a2
/// ```
fn find_ends(e: &mut Emitter, overlap: &Overlap) {
    if e.plan.op == Op::Memset {
        e.comment("The end of dst.");
    } else {
        e.comment("The ends of src and dst.");
        e.add(e.plan.registers.cursor, Reg::A1, e.left());
    }
    e.add(overlap.end, Reg::A0, e.left());
}

/// Compares n with each size that a number of words covers; the label of each number comes back. The longest comes right behind.
///
/// ```text
///     li    t0, 17
///     bltu  a2, t0, .Lwords_2
///     li    t0, 33
///     bltu  a2, t0, .Lwords_4
///     ...
///     li    t0, 129
///     bgeu  a2, t0, .Lbulk
/// ```
fn choose(e: &mut Emitter, overlap: &Overlap, bulk: Label) -> Vec<Label> {
    let word_bytes = e.plan.word_bytes();
    let longest = overlap.met_words.len() - 1;
    let covered: Vec<String> = overlap
        .met_words
        .iter()
        .map(|words| format!("{words} words cover {}", words * word_bytes))
        .collect();
    e.comment(format!(
        "Half of them from each end, {} bytes. Past that, blocks are cheaper.",
        covered.join(", ")
    ));
    let mut labels = Vec::new();
    for (index, words) in overlap.met_words.iter().enumerate() {
        let label = e.label(&format!("words_{words}"));
        let (condition, target) = match index == longest {
            true => (Condition::AtLeast, bulk),
            false => (Condition::Below, label),
        };
        test(e, words * word_bytes + 1, condition, target);
        labels.push(label);
    }
    labels
}

/// The words of one number, half of them from each end. A memmove loads them all before it stores one, whichever way the blocks
/// overlap, and returns; else only those farther from the ends than the next smaller number reaches, which comes next.
///
/// ```text
/// .Lwords_4:
///     ld    a4, 8(a1)
///     ld    a5, -16(a3)
///     sd    a4, 8(a0)
///     sd    a5, -16(t6)
/// .Lwords_2:
///     ld    a4, 0(a1)
///     ld    a5, -8(a3)
///     sd    a4, 0(a0)
///     sd    a5, -8(t6)
///     ret
/// ```
fn meet(e: &mut Emitter, overlap: &Overlap, index: usize) {
    let word_bytes = e.plan.word_bytes();
    let words = overlap.met_words[index];
    let whole = e.plan.op == Op::Memmove;
    let (near, far) = (if whole || index == 0 { 0 } else { words / 4 }, words / 2);
    e.comment(meet_comment(words * word_bytes, whole, index));
    let ahead = (near..far).map(|word| At::Start((word * word_bytes) as i32));
    let behind = (near..far)
        .rev()
        .map(|word| At::End(-((word as i32 + 1) * word_bytes as i32)));
    let places: Vec<At> = ahead.chain(behind).collect();
    let group = match whole {
        true => places.len(),
        false => (e.plan.registers.in_flight as usize).min(places.len()),
    };
    for places in places.chunks(group) {
        move_words(e, overlap, e.plan.word, places);
    }
    if whole || index == 0 {
        e.ret();
    }
}

fn meet_comment(most_bytes: u32, whole: bool, index: usize) -> String {
    let how = match (whole, index) {
        (true, _) => "all loads first, so overlap does not matter",
        (false, 0) => "the first and the last word",
        (false, _) => "the words between those that follow",
    };
    format!("At most {most_bytes} bytes: {how}.")
}

/// Where a word lies: so many bytes from the start, or from the end.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start(i32),
    End(i32),
}

/// Moves the words at `places`, their loads before their stores.
pub(super) fn move_words(e: &mut Emitter, overlap: &Overlap, width: Width, places: &[At]) {
    let data = e.plan.registers.data.clone();
    let registers = || data.iter().zip(places);
    if e.plan.op != Op::Memset {
        for (reg, at) in registers() {
            load(e, width, *reg, *at);
        }
        for (reg, at) in registers() {
            store(e, overlap, width, *reg, *at);
        }
    } else {
        for at in places {
            store(e, overlap, width, Reg::A1, *at);
        }
    }
}

/// A load from src, whose end is where the cursor will be.
pub(super) fn load(e: &mut Emitter, width: Width, reg: Reg, at: At) {
    match at {
        At::Start(offset) => e.load(width, reg, offset, Reg::A1),
        At::End(offset) => e.load(width, reg, offset, e.plan.registers.cursor),
    }
}

/// A store to dst.
pub(super) fn store(e: &mut Emitter, overlap: &Overlap, width: Width, reg: Reg, at: At) {
    match at {
        At::Start(offset) => e.store(width, reg, offset, Reg::A0),
        At::End(offset) => e.store(width, reg, offset, overlap.end),
    }
}
