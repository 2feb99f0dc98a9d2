//! What words from both ends do not cover: aligned destination words in blocks, the rest of a block by a jump into straight code.
//! The ends are left to misaligned words, which overlap that middle. A memmove holds them until the middle is done.

use super::emit::Emitter;
use super::motion::{Motion, Units};
use super::native_ends::{At, load, move_words, store};
use crate::inst::{Condition, Label};
use crate::plan::{Overlap, groups};
use crate::program::INST_BYTES;
use crate::reg::Reg;
use crate::spec::Op;

/// The middle in one direction or, for a memmove, in the one that overlap asks for.
pub(super) fn bulk(e: &mut Emitter, overlap: &Overlap) {
    match e.plan.op {
        Op::Memset => Middle::new(e, overlap, Motion::Fill).run(e),
        Op::Memmove => {
            let (limit, back) = (e.plan.registers.limit, e.label("back"));
            e.comment(
                "A destination that starts inside the source, dst - src < n unsigned, is copied backward; \
                 anything else, dst below src included, forward.",
            );
            e.sub(limit, Reg::A0, Reg::A1);
            e.branch(Condition::Below, limit, e.left(), back);
            Middle::new(e, overlap, Motion::Forward).run(e);
            e.place(back);
            e.prefix = "back_";
            Middle::new(e, overlap, Motion::Backward).run(e);
            e.prefix = "";
        }
        _ => Middle::new(e, overlap, Motion::Forward).run(e),
    }
}

/// The middle of a copy or fill, in one direction.
struct Middle<'p> {
    overlap: &'p Overlap,
    motion: Motion,
    word_bytes: u32,
    /// From the cursors to the first byte of the middle: going up, they stand a word below it.
    lead: i32,
    /// A word where the middle starts and a piece where it ends, in ascending order.
    ends: Vec<At>,
}

impl<'p> Middle<'p> {
    fn new(e: &Emitter, overlap: &'p Overlap, motion: Motion) -> Self {
        let word_bytes = e.plan.word_bytes();
        let word = word_bytes as i32;
        let piece = overlap.piece_words as i32;
        let (starts, ends, lead) = match motion {
            Motion::Backward => (piece, 1, 0),
            Motion::Forward | Motion::Fill => (1, piece, word),
        };
        let at_start = (0..starts).map(|index| At::Start(index * word));
        let at_end = (1..=ends).rev().map(|index| At::End(-index * word));
        Middle {
            overlap,
            motion,
            word_bytes,
            lead,
            ends: at_start.chain(at_end).collect(),
        }
    }

    fn run(&self, e: &mut Emitter) {
        self.take_ends(e);
        self.align(e);
        let rest = e.label("rest");
        self.blocks(e, rest);
        e.place(rest);
        self.ladder(e);
        self.give_ends(e);
        e.ret();
    }

    /// Moves the ends, or loads them into registers that hold them:
    ///
    /// ```text
    ///     ld    a4, 0(a1)
    ///     ld    a5, -16(a3)
    ///     ld    a6, -8(a3)
    /// ```
    fn take_ends(&self, e: &mut Emitter) {
        let word = e.plan.word;
        if self.overlap.held.is_empty() {
            e.comment("The ends.");
            return move_words(e, self.overlap, word, &self.ends);
        }
        e.comment("The ends, before any store can reach them.");
        for (reg, at) in self.overlap.held.iter().zip(&self.ends) {
            load(e, word, *reg, *at);
        }
    }

    /// Stores the ends that were held.
    fn give_ends(&self, e: &mut Emitter) {
        if !self.overlap.held.is_empty() {
            e.comment("The ends: they overlap the middle.");
        }
        for (reg, at) in self.overlap.held.iter().zip(&self.ends) {
            store(e, self.overlap, e.plan.word, *reg, *at);
        }
    }

    /// Puts the cursors at a word boundary of dst: the one at or below its start, or for a backward copy its end. The count becomes the
    /// bytes of the middle and behind it, less 1.
    ///
    /// ```text
    ///     andi  t0, a0, 7             andi  t0, t6, 7
    ///     sub   a1, a1, t0            sub   a1, a3, t0
    ///     sub   a3, a0, t0            sub   a3, t6, t0
    ///     add   a2, a2, t0            sub   a2, a2, t0
    ///     addi  a2, a2, -9            addi  a2, a2, -1
    /// ```
    fn align(&self, e: &mut Emitter) {
        let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
        let mask = self.word_bytes as i32 - 1;
        e.comment(self.align_comment());
        if self.motion == Motion::Backward {
            e.andi(limit, self.overlap.end, mask);
            e.sub(Reg::A1, cursor, limit);
            e.sub(cursor, self.overlap.end, limit);
            e.sub(e.left(), e.left(), limit);
        } else {
            e.andi(limit, Reg::A0, mask);
            if self.motion == Motion::Forward {
                e.sub(Reg::A1, Reg::A1, limit);
            }
            e.sub(cursor, Reg::A0, limit);
            e.add(e.left(), e.left(), limit);
        }
        e.addi(e.left(), e.left(), -self.lead - 1);
    }

    fn align_comment(&self) -> String {
        let piece_bytes = self.overlap.piece_words * self.word_bytes;
        let (start, side, end) = match self.motion {
            Motion::Backward => (
                "The middle, downward from the last word boundary of dst.".to_owned(),
                "below",
                "first",
            ),
            Motion::Forward | Motion::Fill => (
                format!(
                    "The middle, upward from the first word boundary above the start of dst: {} bytes past the cursors.",
                    self.lead
                ),
                "from there on",
                "last",
            ),
        };
        let takers = match self.overlap.piece_words {
            1 => format!("the {end} word takes"),
            words => format!("the {end} {words} words take"),
        };
        format!(
            "{start} a2 counts the bytes {side}, less 1: multiples of {piece_bytes} leave 1 to {piece_bytes}, which {takers}."
        )
    }

    /// Offset from a cursor of word `index` of the middle.
    fn offset(&self, index: i32) -> i32 {
        let word = self.word_bytes as i32;
        match self.motion {
            Motion::Backward => -(index + 1) * word,
            Motion::Forward | Motion::Fill => self.lead + index * word,
        }
    }

    /// Moves `count` words from word `first` on, at most `in_flight` of them loaded at a time.
    fn words(&self, e: &mut Emitter, first: i32, count: u32, in_flight: u32) {
        let (word, cursor) = (e.plan.word, e.plan.registers.cursor);
        let plan = e.plan;
        let mut index = first;
        for group in groups(count, in_flight) {
            let offsets = (index..)
                .map(|index| self.offset(index))
                .take(group as usize);
            if self.motion == Motion::Fill {
                offsets.for_each(|offset| e.store(word, Reg::A1, offset, cursor));
            } else {
                let data = plan.registers.data[self.overlap.held.len()..].iter();
                let moves: Vec<_> = data.zip(offsets).collect();
                for (reg, offset) in &moves {
                    e.load(word, **reg, *offset, Reg::A1);
                }
                for (reg, offset) in &moves {
                    e.store(word, **reg, *offset, cursor);
                }
            }
            index += group as i32;
        }
    }

    /// Whole blocks.
    fn blocks(&self, e: &mut Emitter, rest: Label) {
        let block = &e.plan.block;
        let in_flight = match self.motion {
            Motion::Fill => block.words,
            _ => e.plan.registers.in_flight,
        };
        let units = Units {
            motion: self.motion,
            bytes: self.word_bytes,
            most: None,
            body: &|e, words| self.words(e, 0, words, in_flight),
        };
        e.comment(format!("Blocks of {block}, while that many remain."));
        units.blocks(e, "block", block.words, rest, &[]);
    }

    /// Whole pieces that blocks leave over: the cursors move past them, and a jump leads to the code of as many before the end.
    ///
    /// ```text
    ///     andi  a2, a2, 240
    ///     add   a1, a1, a2
    ///     add   a3, a3, a2
    ///     auipc t2, 0
    ///     sub   t2, t2, a2
    ///     jr    252(t2)
    ///     ld    a4, -232(a1)
    ///     ld    a5, -224(a1)
    ///     sd    a4, -232(a3)
    ///     sd    a5, -224(a3)
    ///     ...
    /// ```
    fn ladder(&self, e: &mut Emitter) {
        let overlap = self.overlap;
        let (limit, cursor) = (e.plan.registers.limit, e.plan.registers.cursor);
        let piece_bytes = overlap.piece_words * self.word_bytes;
        let pieces = match overlap.piece_words {
            1 => "words".to_owned(),
            words => format!("pieces of {words} words"),
        };
        match overlap.most_pieces {
            0 => return,
            1 => {
                e.comment("The rest of a block, one piece or nothing.");
                let end = e.label("ladder_end");
                e.andi(limit, e.left(), piece_bytes as i32);
                e.beqz(limit, end);
                self.words(e, 0, overlap.piece_words, overlap.piece_words);
                e.place(end);
                return;
            }
            _ => {}
        }
        let jump = e
            .plan
            .registers
            .jump
            .expect("the plan has a register for the jump");
        let code_bytes = match self.motion {
            Motion::Fill => overlap.piece_words,
            _ => 2 * overlap.piece_words,
        } * INST_BYTES as u32;
        e.comment(format!(
            "The rest of a block, at most {} {pieces}: a jump to {code_bytes} bytes of code for each, counted from the end.",
            overlap.most_pieces
        ));
        let mask = match e.plan.block.is_power_of_two() {
            true => (e.plan.block.bytes - piece_bytes) as i32,
            false => -(piece_bytes as i32),
        };
        e.andi(e.left(), e.left(), mask);
        if self.motion != Motion::Fill {
            self.motion.moved(e, Reg::A1, Reg::A1, e.left());
        }
        self.motion.moved(e, cursor, cursor, e.left());
        let steps = code_bytes.ilog2() as i32 - piece_bytes.ilog2() as i32;
        match steps {
            0 => {}
            1.. => e.slli(e.left(), e.left(), steps as u32),
            _ => e.srli(e.left(), e.left(), steps.unsigned_abs()),
        }
        let end = e.label("ladder_end");
        let anchor = e.pc_address(jump);
        e.sub(jump, jump, e.left());
        e.jr(jump, anchor, end);
        for pieces in (1..=overlap.most_pieces as i32).rev() {
            let first = -pieces * overlap.piece_words as i32;
            self.words(e, first, overlap.piece_words, overlap.piece_words);
        }
        e.place(end);
    }
}
