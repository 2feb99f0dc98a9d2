//! Blocks of words, their load groups, and the thresholds between the ways through a routine.

use std::fmt;

use super::{Registers, Strategy};
use crate::inst::Width;
use crate::problem::Problems;
use crate::spec::{Count, OverRead, Spec};

/// Largest positive immediate of `addi` and of a load's offset.
const IMMEDIATE_MAX: u32 = 2047;

/// Words per iteration when the caller leaves it open: 2 instructions a word and 3/16 for the loop.
const AUTO_UNROLL: u32 = 16;

/// Where `auto` stops following `--unroll` in the shift-merge loop: at 5 instructions a word the loop's 3 are
/// down to 3/8 a word, and each further word costs 20 bytes of code twice (block and ladder).
const AUTO_SHIFT_UNROLL_MAX: u32 = 8;

/// One iteration of a bulk loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Words an iteration moves.
    pub words: u32,
    /// Bytes an iteration moves.
    pub bytes: u32,
    /// Words whose loads are issued together, before their stores; they sum up to `words`.
    pub groups: Vec<u32>,
}

impl Block {
    /// The block of the aligned loop; `auto_words` is what a shape of its own makes of an open `--unroll`.
    pub(super) fn aligned(
        spec: &Spec,
        word: Width,
        auto_words: Option<u32>,
        registers: &Registers,
        problems: &mut Problems,
    ) -> Block {
        let words = match spec.unroll {
            Count::Auto => auto_words.unwrap_or(AUTO_UNROLL),
            Count::Exactly(words) => check_fit("unroll", words, word, problems),
        };
        // A store needs no register of its own in memset: groups are about loads.
        let in_flight = if spec.op.fills() {
            words
        } else {
            registers.in_flight
        };
        Block::new(words, word, in_flight)
    }

    /// The block of the shift-merge loop; `None` where nothing is merged.
    pub(super) fn shift(
        spec: &Spec,
        word: Width,
        strategy: Strategy,
        aligned: &Block,
        auto_words: Option<u32>,
        registers: &Registers,
        problems: &mut Problems,
    ) -> Option<Block> {
        let words = match spec.shift_unroll {
            Count::Auto => auto_words.unwrap_or(aligned.words.min(AUTO_SHIFT_UNROLL_MAX)),
            Count::Exactly(words) => check_fit("shift-unroll", words, word, problems),
        };
        let in_flight = registers.shift.as_ref()?.in_flight;
        (strategy == Strategy::Shift).then(|| Block::new(words, word, in_flight))
    }

    fn new(words: u32, word: Width, in_flight: u32) -> Block {
        Block {
            words,
            bytes: words * word.bytes(),
            groups: groups(words, in_flight),
        }
    }

    /// Whether the bits of a remaining count separate blocks from the rest.
    pub fn is_power_of_two(&self) -> bool {
        self.words.is_power_of_two()
    }

    /// The largest power of two of words that a rest of this block can hold; 0 if there is no rest.
    pub fn largest_rest_words(&self) -> u32 {
        match self.words - 1 {
            0 => 0,
            rest => 1 << rest.ilog2(),
        }
    }

    /// The threshold at which this block's loop is entered.
    pub(crate) fn entry(&self, name: &'static str) -> Threshold {
        Threshold {
            name,
            bytes: self.bytes,
            why: format!("{} words, compared with the bytes that remain", self.words),
        }
    }
}

/// Splits `words` into as few groups of at most `in_flight` as will do, as even as can be: 16 by 10 gives 8 + 8.
pub(crate) fn groups(words: u32, in_flight: u32) -> Vec<u32> {
    let count = words.div_ceil(in_flight.max(1));
    (0..count)
        .map(|index| words / count + u32::from(index < words % count))
        .collect()
}

/// Refuses a block that is empty or that `addi` cannot step over.
fn check_fit(flag: &'static str, words: u32, word: Width, problems: &mut Problems) -> u32 {
    let most = IMMEDIATE_MAX / word.bytes();
    if words == 0 {
        problems.add(flag, "0 words make no block", "use 1 or more");
    } else if words > most {
        problems.add(
            flag,
            format!(
                "{words} words of {} bytes make a block of {} bytes; 12-bit immediates end at {IMMEDIATE_MAX}",
                word.bytes(),
                u64::from(words) * u64::from(word.bytes()),
            ),
            format!("use at most {most}"),
        );
    }
    words.clamp(1, most)
}

/// A size at which a routine changes its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What begins here.
    pub name: &'static str,
    /// The smallest size, or remaining size, that takes this way.
    pub bytes: u32,
    /// Why this number.
    pub why: String,
}

impl Threshold {
    /// The size from which the bulk path is taken: smaller ones could not fill a word after the head.
    pub(super) fn bulk(word: Width, strategy: Strategy, over_read: OverRead) -> Threshold {
        let bytes = word.bytes();
        let (bulk_bytes, why) = if word == Width::Byte {
            (1, "one byte is a word".to_owned())
        } else if strategy == Strategy::Native {
            (
                bytes,
                format!("the first and the last word, {bytes} bytes each, may overlap"),
            )
        } else if strategy == Strategy::Shift && over_read == OverRead::None {
            (
                3 * bytes - 2,
                format!(
                    "{0} (longest head) + {0} (longest partial word) + {bytes} (one word)",
                    bytes - 1
                ),
            )
        } else {
            (
                2 * bytes - 1,
                format!("{} (longest head) + {bytes} (one word)", bytes - 1),
            )
        };
        Threshold {
            name: "bulk",
            bytes: bulk_bytes,
            why,
        }
    }
}

/// `16 words = 128 bytes, groups of 8 + 8`
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<_> = self.groups.iter().map(u32::to_string).collect();
        let plural = if self.words == 1 { "" } else { "s" };
        write!(f, "{} word{plural} = {} bytes", self.words, self.bytes)?;
        if groups.len() > 1 {
            write!(f, ", groups of {}", groups.join(" + "))?;
        }
        Ok(())
    }
}

/// `bulk = 15 bytes: 7 (longest head) + 8 (one word)`
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} bytes: {}", self.name, self.bytes, self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn groups_are_few_and_even() {
        assert_eq!(groups(16, 10), [8, 8]);
        assert_eq!(groups(16, 16), [16]);
        assert_eq!(groups(7, 3), [3, 2, 2]);
        assert_eq!(groups(5, 1), [1, 1, 1, 1, 1]);
        assert_eq!(groups(0, 4), []);
    }
}
