//! Which way through a fill takes the fewest instructions at which size.

use super::Empty;
use crate::inst::Width;
use crate::isa::Isa;
use crate::plan::Threshold;

/// Straight code for one size, dst aligned or not: single bytes up to the first boundary, units, what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FillLine {
    /// The size.
    pub(crate) bytes: u32,
    /// Width of the units.
    pub(crate) unit: Width,
}

/// An unaligned block of up to `limit_bytes` whose words are stored by `words` stores, half of them from either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FillOverlap {
    /// Stores of a word.
    pub(crate) words: u32,
    /// Largest size.
    pub(crate) limit_bytes: u32,
}

/// Smallest size that may go by words: the stores at both ends and at least one word between them.
const WORDS_FROM_LEAST: u32 = 16;

/// Overlapping stores end here: a jump to the exact count takes as many instructions.
const OVERLAP_WORDS_MAX: u32 = 8;

impl FillLine {
    /// The cheaper of the lines for `bytes`, and its instructions up to the return.
    fn cheapest(isa: &Isa, bytes: u32) -> (FillLine, u32) {
        [Width::Half, Width::Word]
            .map(|unit| FillLine { bytes, unit })
            .map(|line| (line, line.instructions(isa)))
            .into_iter()
            .min_by_key(|(_, instructions)| *instructions)
            .expect("there are two")
    }

    /// Whole units that lie in the block however dst is aligned.
    pub(crate) fn units(&self) -> u32 {
        (self.bytes - (self.unit.bytes() - 1)) / self.unit.bytes()
    }

    /// Offset from dst up to which head and units are sure to reach.
    pub(crate) fn reach(&self) -> u32 {
        self.units() * self.unit.bytes()
    }

    /// Whether half a unit fits behind the last one however dst is aligned: what is left may be that and more.
    pub(crate) fn has_half(&self) -> bool {
        let half = self.unit.bytes() / 2;
        half > 1 && self.bytes - self.reach() >= self.unit.bytes() - 1 + half
    }

    /// Instructions: the fill spread, the boundary found, and the stores.
    fn instructions(&self, isa: &Isa) -> u32 {
        let half = if self.has_half() {
            self.unit.bytes() / 2
        } else {
            0
        };
        let head = self.unit.bytes() - 1;
        let rest = self.bytes - self.reach() - half + u32::from(half > 0);
        spread_instructions(isa, self.unit) + 2 + head + self.units() + rest
    }
}

/// Instructions that repeat the low byte of c over `width`: with Zbkb one for each doubling, else a mask and two for each; with M a
/// multiplication by a constant of two instructions makes four bytes of one.
fn spread_instructions(isa: &Isa, width: Width) -> u32 {
    let doublings = width.bytes().ilog2();
    if isa.has("zbkb") {
        doublings
    } else if isa.has("m") && doublings >= 2 {
        1 + 3 + 2 * (doublings - 2)
    } else {
        1 + 2 * doublings
    }
}

/// Lines for the sizes below `words_from`, from the first that takes fewer instructions than its bytes stored one by one.
pub(super) fn lines(isa: &Isa, words_from: u32) -> Vec<FillLine> {
    const JUMP: u32 = 1;
    (WORDS_FROM_LEAST / 2..words_from)
        .map(|bytes| FillLine::cheapest(isa, bytes))
        .skip_while(|(line, instructions)| instructions + JUMP >= line.bytes)
        .map(|(line, _)| line)
        .collect()
}

/// The size in words from which an unaligned block takes fewer instructions by words than by bytes, on the average over a word.
pub(super) fn words_from(isa: &Isa, word: Width, empty: Empty) -> Threshold {
    let word_bytes = word.bytes();
    let by_bytes = |bytes: u32| 4 + u32::from(empty == Empty::BeforeLadder) + bytes;
    // Stores of bytes, and on RV64 of four aligned ones, at both ends; the end of the block, and of its words.
    let ends = if word == Width::Double {
        6 + 1 + 5 + 1
    } else {
        3 + 1 + 3 + 1
    };
    let to_the_words = spread_instructions(isa, word) + 2 + ends;
    let by_words = |bytes: u32| {
        let words = fewest_words(word, bytes);
        match word {
            Width::Double => to_the_words + 2 + 2 * words,
            // The first word's address, the count, the test for blocks, the jump.
            _ => to_the_words + 1 + 1 + 2 + 3 + words,
        }
    };
    let bytes = (WORDS_FROM_LEAST..)
        .step_by(word_bytes as usize)
        .find(|bytes| 2 * by_words(*bytes) < 2 * by_bytes(*bytes) + word_bytes)
        .expect("bytes get dearer without end");
    Threshold {
        name: "bulk",
        bytes,
        why: format!(
            "{} instructions by words if not aligned, {} to {} by bytes",
            by_words(bytes),
            by_bytes(bytes),
            by_bytes(bytes + word_bytes - 1)
        ),
    }
}

/// Whole words that an unaligned block of `bytes` holds at least.
pub(in crate::plan) fn fewest_words(word: Width, bytes: u32) -> u32 {
    (bytes - (word.bytes() - 1)) / word.bytes()
}

/// Overlapping ways from `words_from` on: each stores as many words from either end as the smallest block it serves holds. On RV32
/// there are none: its words are half as long, and a jump to the exact count is shorter.
pub(super) fn overlaps(word: Width, words_from: u32) -> Vec<FillOverlap> {
    let way = |from: u32| {
        let words = 2 * fewest_words(word, from);
        (word == Width::Double && words <= OVERLAP_WORDS_MAX).then(|| FillOverlap {
            words,
            limit_bytes: (words + 1) * word.bytes(),
        })
    };
    std::iter::successors(way(words_from), |last| way(last.limit_bytes + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::spec::Spec;

    #[test]
    fn stores_from_both_ends_stay_inside_and_meet() {
        for words_from in WORDS_FROM_LEAST..40 {
            let mut from = words_from;
            for FillOverlap { words, limit_bytes } in overlaps(Width::Double, words_from) {
                for (bytes, residue) in
                    (from..=limit_bytes).flat_map(|n| (1..8).map(move |r| (n, r)))
                {
                    let whole = (residue + bytes) / 8 - 1;
                    assert!(words / 2 <= whole && whole <= words, "{bytes} at {residue}");
                }
                from = limit_bytes + 1;
            }
        }
    }

    #[test]
    fn a_line_covers_its_size() {
        let plan = Plan::new(&Spec::default()).expect("the default can be built");
        for line in lines(plan.isa(), 64) {
            let unit = line.unit.bytes();
            assert!(
                unit - 1 + line.reach() <= line.bytes,
                "{line:?} stays inside"
            );
            assert!(
                line.bytes - line.reach() < 2 * unit,
                "{line:?} leaves no unit out"
            );
        }
    }
}
