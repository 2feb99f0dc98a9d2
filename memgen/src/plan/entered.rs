//! What the shape `entered` decides for copies: where sizes change their way, how long its ladders are, a register for each role.

mod registers;
mod shown;

use super::block::{Block, Threshold, groups};
use crate::isa::Isa;
use crate::reg::Reg;
use crate::spec::{Count, Op, Preset, Spec};
pub(crate) use registers::EnteredRegs;

/// Bytes of code of a step of the merge ladder: shift, or, shift, load, store.
pub(crate) const MERGE_STEP_BYTES: u32 = 20;

/// Bytes of code of a step of the ladder of co-aligned units: load, store.
pub(crate) const COPY_STEP_BYTES: u32 = 8;

/// Words that the merging loop leaves to the ladder, which cannot start with fewer.
pub(crate) const MERGE_KEPT_WORDS: u32 = 2;

/// Largest size that goes byte by byte: from the next on, a merge needs fewer instructions.
const SMALL_BYTES: u32 = 15;

/// Longest ladders where each way has its own ends: a jump of 12 bits reaches over one of them and its slots.
const MERGE_WORDS_MAX: u32 = 34;
const COPY_UNITS_MAX: u32 = 64;

/// Where the ways share their ends, the jump from the one to the other passes the ladder and the block of co-aligned words, 16 bytes of code for
/// each, and the merging ladder: so many bytes at most, of the 2,047 that an offset of 12 bits has, the rest being around them.
const SHARED_REACH_BYTES: u32 = 1500;

/// How the bytes of a partial word are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// A slot for each count of bytes, complete, for each way through the routine: fewest instructions.
    Inline,
    /// The word is made first, and stored by slots of four instructions that all ways share: little code.
    Shared,
}

/// What happens when source and destination are half a word apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halves {
    /// The same as at any other distance.
    Merge,
    /// A loop of halves for blocks that are aligned to halves, a merge for others.
    Loop,
    /// All that co-aligned words have, by halves.
    Ladder,
}

/// The decisions of the shape `entered` for a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    op: Op,
    word_bytes: u32,
    /// Whether the routine ends by clearing SUM.
    clears_sum: bool,
    /// Its registers.
    pub(crate) regs: EnteredRegs,
    /// Largest size that goes byte by byte.
    pub(crate) small_bytes: u32,
    /// Words of the merge ladder: the most whole words that it is entered for.
    pub(crate) merge_words: u32,
    /// Words an iteration of the merging loop moves.
    pub(crate) shift_words: u32,
    /// Units of the ladders of copies, and of an iteration of their loops.
    pub(crate) copy_units: u32,
    /// How partial words are moved.
    pub(crate) ends: Ends,
    /// Whether each small size has a slot of its own.
    pub(crate) small_slots: bool,
    /// Whether n = 0 is tested before anything else, which the other sizes pay for, or among the small ones.
    pub(crate) zero_first: bool,
    /// What happens at a distance of half a word.
    pub(crate) halves: Halves,
    /// Up to so many bytes, counted from the word boundary, one jump serves both the partial word and the count of words;
    /// 0 where that is left out.
    pub(crate) fused_bytes: u32,
}

impl Entered {
    /// Decides for `spec`; an obstacle is said as `entered` would continue.
    pub(super) fn new(spec: &Spec, isa: &Isa) -> Result<Entered, &'static str> {
        let regs = EnteredRegs::new(spec, isa)
            .ok_or("needs a3 to a7 and t0 to t5, of which --avoid or the ISA takes one")?;
        let fast = is_fast(spec);
        let copy_units = asked(spec.unroll, auto_unroll(spec, isa));
        let shift_words = asked(
            spec.shift_unroll,
            copy_units.min(auto_shift_unroll(spec, isa)),
        );
        if !copy_units.is_power_of_two() || !shift_words.is_power_of_two() {
            return Err(
                "counts blocks by the bits of n, --unroll or --shift-unroll is no power of two",
            );
        }
        // A ladder that ends below 64 bytes leaves sizes that occur often to the loop.
        let ladder_words = if fast { 34 } else { 64 / (isa.xlen / 8) + 3 };
        let merge_words = ladder_words.max(shift_words + MERGE_KEPT_WORDS);
        // A user copy, which serves one way alone, has room for slots of its own.
        let ends = if fast || spec.op.touches_user() {
            Ends::Inline
        } else {
            Ends::Shared
        };
        let in_reach = match ends {
            Ends::Inline => copy_units <= COPY_UNITS_MAX && merge_words <= MERGE_WORDS_MAX,
            Ends::Shared => {
                2 * COPY_STEP_BYTES * copy_units + MERGE_STEP_BYTES * merge_words
                    <= SHARED_REACH_BYTES
            }
        };
        if !in_reach {
            return Err(
                "jumps over a whole block, which --unroll or --shift-unroll makes too long",
            );
        }
        Ok(Entered {
            op: spec.op,
            word_bytes: isa.xlen / 8,
            clears_sum: spec.clears_sum(),
            regs,
            small_bytes: match (fast, spec.op) {
                (false, Op::Memcpy) => 19,
                _ => SMALL_BYTES,
            },
            merge_words,
            shift_words,
            copy_units,
            ends,
            small_slots: fast,
            zero_first: fast && !spec.op.touches_user(),
            halves: match (fast, spec.op, isa.xlen) {
                (true, ..) => Halves::Ladder,
                (false, Op::CopyToUser | Op::CopyFromUser, 32) => Halves::Ladder,
                (false, Op::Memcpy, 64) => Halves::Loop,
                _ => Halves::Merge,
            },
            fused_bytes: if fast { 64 + isa.xlen / 8 - 1 } else { 0 },
        })
    }
}

/// Words of an iteration of the loop of co-aligned words where that is left open: 256 bytes at 2.1 instructions a word, or what fits
/// into the preset's size beside everything else.
fn auto_unroll(spec: &Spec, isa: &Isa) -> u32 {
    match is_fast(spec) {
        true => 256 / (isa.xlen / 8),
        false if spec.op.touches_user() => 32,
        false => 16,
    }
}

/// The same for the merging loop: at 32 words its three instructions are 2 in a hundred.
fn auto_shift_unroll(spec: &Spec, isa: &Isa) -> u32 {
    match (spec.preset, spec.op, isa.xlen) {
        _ if is_fast(spec) => 32,
        _ if spec.op.touches_user() => 16,
        // Fewer slots for partial words leave room for a longer block.
        (Preset::Default, Op::Memcpy, 32) => 16,
        _ => 8,
    }
}

fn asked(count: Count, auto: u32) -> u32 {
    match count {
        Count::Auto => auto,
        Count::Exactly(words) => words,
    }
}

/// Whether size is no object.
fn is_fast(spec: &Spec) -> bool {
    matches!(spec.preset, Preset::Fastest | Preset::Zkvm)
}

impl Entered {
    /// The size from which words are moved.
    pub(super) fn bulk(&self) -> Threshold {
        Threshold {
            name: "bulk",
            bytes: self.small_bytes + 1,
            why: format!("up to {} bytes go one by one", self.small_bytes),
        }
    }

    /// Bytes, counted from a word boundary, that the ladders hold: co-aligned, and merged.
    fn ladder_bytes(&self) -> [u32; 2] {
        [self.ladder_units(), self.merge_words].map(|words| words * self.word_bytes)
    }

    /// The most co-aligned units that go without a loop. A user copy counts the unit at its end in full: one more than a block makes the
    /// ladder serve all sizes up to a block.
    pub(crate) fn ladder_units(&self) -> u32 {
        self.copy_units + u32::from(self.op.touches_user())
    }

    /// Every size at which the routine changes its way.
    pub(super) fn thresholds(&self) -> Vec<Threshold> {
        let [copied, merged] = self.ladder_bytes();
        let fused = Threshold {
            name: "ladders",
            bytes: self.fused_bytes + 1,
            why: format!(
                "with the bytes before dst in its word; up to {} a slot for each size",
                self.fused_bytes
            ),
        };
        let blocks = [
            ("block", copied, self.ladder_units()),
            ("shift block", merged + self.word_bytes, self.merge_words),
        ];
        let blocks = blocks.map(|(name, bytes, words)| Threshold {
            name,
            bytes,
            why: format!("the {words} words of the ladder do not suffice"),
        });
        let fused = (self.fused_bytes > 0).then_some(fused);
        [self.bulk()]
            .into_iter()
            .chain(fused)
            .chain(blocks)
            .collect()
    }

    /// Groups the words of each block by the registers that are free in its loop.
    pub(super) fn regroup(&self, block: &mut Block, shift_block: Option<&mut Block>) {
        block.groups = groups(block.words, self.copied_in_flight());
        if let Some(shift) = shift_block {
            shift.groups = groups(shift.words, self.merged_in_flight());
        }
    }

    /// The destination's cursor in the loops over blocks: a2; for a user copy a0, which thus says how far all is copied.
    pub(crate) fn block_cursor(&self) -> Reg {
        if self.op.touches_user() {
            Reg::A0
        } else {
            Reg::A2
        }
    }

    /// The most bytes that a user copy may have behind that cursor when a fault stops it: a ladder, and a partial word at both ends.
    pub(crate) fn most_unsettled_bytes(&self) -> u32 {
        (self.ladder_units().max(self.merge_words) + 2) * self.word_bytes
    }

    /// Bytes of code of a slot that ends the routine, where `bytes` do without SUM: clearing it takes two instructions.
    pub(crate) fn last_slot_bytes(&self, bytes: u32) -> u32 {
        if self.clears_sum { 2 * bytes } else { bytes }
    }

    /// Words that the loop of co-aligned copies loads before it stores the first.
    pub(crate) fn copied_in_flight(&self) -> u32 {
        match (self.op, self.ends) {
            (Op::Memcpy, Ends::Shared) => 7 + u32::from(self.regs.anchor.is_some()),
            (Op::Memcpy, Ends::Inline) => 7,
            (Op::CopyToUser | Op::CopyFromUser, _) => 7,
            _ => 6,
        }
    }

    /// The same in the merging loop.
    pub(crate) fn merged_in_flight(&self) -> u32 {
        match (self.op, self.ends) {
            (Op::Memcpy, Ends::Inline) => 4,
            _ => 3,
        }
    }
}
