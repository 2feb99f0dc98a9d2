//! Shift-merge: aligned loads, two neighbouring words merged into one, aligned stores, for every pair of residues.

use super::aligned::rest_of_block;
use super::emit::Emitter;
use super::merge::Merge;
use super::motion::{Ladder, Motion, Units};
use super::small::{self, Entry};
use super::user::Stop;
use crate::inst::{Label, RegOp, Width};
use crate::reg::Reg;
use crate::spec::{OverRead, Small};

/// The copy whose source stays misaligned when the destination is aligned. Gives the way into the small code for the tail.
pub(super) fn copy(e: &mut Emitter, motion: Motion, mismatch: Label) -> Option<Entry> {
    let plan = e.plan;
    let word_bytes = plan.word_bytes();
    e.place(mismatch);
    if plan.small != Small::Loop {
        head_bytes(e, motion);
    }
    let tail = e.label("merged");
    if plan.packs_halves {
        let shift = test_half_congruent(e);
        words(e, Merge::halves(plan, motion), "pack");
        e.j(tail);
        e.place(shift);
    }
    words(e, Merge::any_residue(plan, motion), "merge");
    e.place(tail);
    let most_bytes = match plan.over_read {
        OverRead::Word => word_bytes - 1,
        OverRead::None => 2 * word_bytes - 2,
    };
    small::enter(e, most_bytes)
}

/// Goes on if the source is half a word off, else branches to the label that it gives:
///
/// ```text
///     andi  t0, a1, 7
///     addi  t0, t0, -4
///     bnez  t0, .Lshift
/// ```
fn test_half_congruent(e: &mut Emitter) -> Label {
    let (limit, word_bytes) = (e.plan.registers.limit, e.plan.word_bytes() as i32);
    let shift = e.label("shift");
    e.comment("Half a word off: two halves are packed into a word by one instruction.");
    e.andi(limit, Reg::A1, word_bytes - 1);
    e.addi(limit, limit, -word_bytes / 2);
    e.bnez(limit, shift);
    shift
}

/// Whole destination words, from the first source word to the last.
fn words(e: &mut Emitter, merge: Merge, name: &'static str) {
    let plan = e.plan;
    let motion = merge.motion;
    let block = plan
        .shift_block
        .as_ref()
        .expect("a shift strategy has its block");
    let (first, later) = match merge.residue() {
        None => (Stop::Halves, Stop::Halves),
        Some(_) => (Stop::FirstWord, Stop::Merge),
    };
    match plan.over_read {
        OverRead::Word => {
            e.stop_at(first);
            merge.load_first_word(e);
        }
        OverRead::None if merge.residue().is_none() => merge.assemble_first_half(e),
        OverRead::None => {
            e.stop_at(first);
            merge.assemble_first_word(e);
        }
    }
    e.stop_at(later);
    let blocks = Units {
        motion,
        bytes: plan.word_bytes(),
        most: None,
        body: &|e, words| {
            motion.prefetch(e);
            merge.words(e, words);
        },
    };
    let rest = Units {
        most: Some(block.bytes - 1),
        body: &|e, words| merge.words(e, words),
        ..blocks
    };
    let words = e.label(&format!("{name}_words"));
    e.comment(format!(
        "Blocks of {block}, while that many remain: {}.",
        merge.steps()
    ));
    blocks.blocks(e, &format!("{name}_block"), block.words, words, &[]);
    e.place(words);
    rest_of_block(e, &rest, name, block.words);
    merge.leave(e);
    e.stop_at(Stop::Settled);
}

/// Bytes until the destination is word aligned; the source will not be:
///
/// ```text
///     neg   t0, a3
///     andi  t0, t0, 7
///     sub   a2, a2, t0
///     andi  a4, t0, 4
///     ...
/// ```
fn head_bytes(e: &mut Emitter, motion: Motion) {
    let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
    let scratch = e.plan.registers.data[0];
    let word_bytes = e.plan.word_bytes();
    e.comment(format!(
        "Not co-aligned. Head: at most {} bytes, until dst is word aligned.",
        word_bytes - 1
    ));
    if motion == Motion::Backward {
        e.andi(limit, cursor, word_bytes as i32 - 1);
    } else {
        e.neg(limit, cursor);
        e.andi(limit, limit, word_bytes as i32 - 1);
    }
    e.sub(e.left(), e.left(), limit);
    let units = Units {
        motion,
        bytes: 1,
        most: Some(word_bytes - 1),
        body: &|e, count| motion.pieces(e, Width::Byte, count),
    };
    let ladder = Ladder {
        name: "head_bytes",
        largest: word_bytes / 2,
        count: limit,
        scratch,
        entry: None,
        is_last: false,
    };
    units.ladder(e, &ladder);
}

impl Merge<'_> {
    /// Aligns the source cursor down, keeping its residue as a shift count, and loads the word it then points to:
    ///
    /// ```text
    ///     andi  t5, a1, 7
    ///     andi  a1, a1, -8
    ///     ld    a4, 0(a1)
    ///     slli  t5, t5, 3
    ///     neg   t6, t5
    /// ```
    fn load_first_word(&self, e: &mut Emitter) {
        let word_bytes = self.plan.word_bytes() as i32;
        e.comment(
            "The source cursor moves down to its word; that word and each later one hold a byte of the source, \
             so no load leaves the source's own words.",
        );
        if let Some(right) = self.residue() {
            e.andi(right, Reg::A1, word_bytes - 1);
        }
        e.andi(Reg::A1, Reg::A1, -word_bytes);
        e.load(self.plan.word, self.regs.carried, 0, Reg::A1);
        self.shift_counts(e);
    }

    /// The same without a byte from outside the source: the first, partial word is put together from aligned pieces
    /// that lie inside, and words are counted so that the last load does too.
    ///
    /// ```text
    ///     andi  t0, a1, 1
    ///     beqz  t0, .Lnext
    ///     lbu   t0, 0(a1)
    ///     srli  a4, a4, 8
    ///     slli  t0, t0, 56
    ///     or    a4, a4, t0
    ///     addi  a1, a1, 1
    /// .Lnext:
    /// ```
    fn assemble_first_word(&self, e: &mut Emitter) {
        let (limit, carried) = (self.plan.registers.limit, self.regs.carried);
        let word_bytes = self.plan.word_bytes() as i32;
        let word_bits = self.plan.word_bytes() * 8;
        let right = self
            .residue()
            .expect("a fixed residue is put together whole");
        e.comment(
            "The part of the first source word that lies inside the source, from aligned pieces.",
        );
        e.andi(right, Reg::A1, word_bytes - 1);
        e.li(carried, 0);
        let mut size = 1;
        while (size as i32) < word_bytes {
            let width = Width::from_bytes(size).expect("a power of two below the word");
            let next = match 2 * size as i32 == word_bytes {
                true => e.label("part_done"),
                false => e.label(&format!("part_{}", 2 * size)),
            };
            e.andi(limit, Reg::A1, size as i32);
            e.beqz(limit, next);
            e.load_zero_extended(width, limit, self.motion.offset(0, size), Reg::A1);
            if self.motion == Motion::Forward {
                e.srli(carried, carried, 8 * size);
                e.slli(limit, limit, word_bits - 8 * size);
                e.op(RegOp::Or, carried, carried, limit);
                e.addi(Reg::A1, Reg::A1, size as i32);
            } else {
                e.slli(carried, carried, 8 * size);
                e.op(RegOp::Or, carried, carried, limit);
                e.addi(Reg::A1, Reg::A1, -(size as i32));
            }
            e.place(next);
            size *= 2;
        }
        e.comment("Words are stored only while every load they take lies inside the source.");
        if self.motion == Motion::Forward {
            e.addi(Reg::A1, Reg::A1, -word_bytes);
        }
        self.reserve(e, true);
        self.shift_counts(e);
    }

    /// The partial word of a source that is always half a word off: one half-wide load.
    fn assemble_first_half(&self, e: &mut Emitter) {
        let carried = self.regs.carried;
        let half = self
            .plan
            .word
            .half()
            .expect("a merge takes words of two bytes or more");
        e.comment("The half of the first source word that lies inside the source; the last one stays for the tail.");
        e.load_zero_extended(half, carried, self.motion.offset(0, half.bytes()), Reg::A1);
        if self.motion == Motion::Forward {
            e.slli(carried, carried, 8 * half.bytes());
        }
        e.addi(Reg::A1, Reg::A1, -(half.bytes() as i32));
        self.reserve(e, true);
    }

    /// Takes the bytes of the partial word out of the count that blocks are measured by, or puts them back. Forward these
    /// are word - residue, backward residue.
    fn reserve(&self, e: &mut Emitter, out: bool) {
        let word_bytes = self.plan.word_bytes() as i32;
        let Some(right) = self.residue() else {
            let half = word_bytes / 2;
            e.addi(e.left(), e.left(), if out { -half } else { half });
            return;
        };
        let forward = self.motion == Motion::Forward;
        if out == forward {
            e.add(e.left(), e.left(), right);
        } else {
            e.sub(e.left(), e.left(), right);
        }
        if forward {
            e.addi(
                e.left(),
                e.left(),
                if out { -word_bytes } else { word_bytes },
            );
        }
    }

    /// Residue to bits; the other count is its negative, since shifts look at the low bits only.
    fn shift_counts(&self, e: &mut Emitter) {
        if let Some(right) = self.residue() {
            e.slli(right, right, 3);
            if let Some(left) = self.regs.left {
                e.neg(left, right);
            }
        }
    }

    /// Puts the source cursor back to its residue, and the rest of the count right.
    fn leave(&self, e: &mut Emitter) {
        e.comment("The source cursor goes back to its residue.");
        if let Some(right) = self.residue() {
            e.srli(right, right, 3);
            e.add(Reg::A1, Reg::A1, right);
        } else {
            e.addi(Reg::A1, Reg::A1, self.plan.word_bytes() as i32 / 2);
        }
        if self.plan.over_read == OverRead::None {
            e.andi(e.left(), e.left(), self.plan.word_bytes() as i32 - 1);
            self.reserve(e, false);
        }
    }
}
