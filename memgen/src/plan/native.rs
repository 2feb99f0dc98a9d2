//! The native strategy at its fastest: words from both ends that meet or overlap, a block loop between them, and a computed jump
//! into what its blocks leave over. For full words and where registers suffice; other specifications go stepped.

use std::fmt;

use super::{Block, Registers, Strategy, Threshold};
use crate::inst::Width;
use crate::isa::Isa;
use crate::program::INST_BYTES;
use crate::reg::Reg;
use crate::spec::{Count, Op, Preset, Shape, Small, Spec};

/// Words of a copy's block when the caller leaves it open: at 2 instructions a word the loop's 3 are below a twentieth, and
/// twice as many words would cost 512 bytes of code for 2 in a hundred instructions.
const AUTO_UNROLL_COPY: u32 = 32;

/// Words of a fill's block: with one instruction a word, as many again keep the loop at a twentieth.
const AUTO_UNROLL_FILL: u32 = 64;

/// Most words that go from both ends without a loop: the next 16 would move up to twice what they cover, where setting up the
/// blocks takes some 20 instructions.
const MOST_MET_WORDS: u32 = 16;

/// Words of the source that a memmove holds until its middle is done: one at the end where that starts, a piece at the other.
const HELD: usize = 3;

/// What words from both ends are called, by doublings.
const NAMES: [&str; 4] = ["2 words", "4 words", "8 words", "16 words"];

/// Bytes of a ladder whose start a computed jump reaches from its end: a 12-bit offset counts from the anchor, three instructions
/// before.
const JUMP_REACH: u32 = 2047 - 3 * INST_BYTES as u32;

/// The decisions of a native routine made of overlapping words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    /// Whether n = 0 is tested before anything else, an instruction on every call: for memcpy, which is called with empty buffers
    /// most. The others test it below a word.
    pub(crate) zero_first: bool,
    /// Numbers of words that are moved without a loop, half of them from each end: each serves the sizes that the one before is
    /// too short for.
    pub(crate) met_words: Vec<u32>,
    /// Words of a block.
    pub(crate) block_words: u32,
    /// Words of a piece of the ladder behind the blocks.
    pub(crate) piece_words: u32,
    /// The most whole pieces that blocks leave over.
    pub(crate) most_pieces: u32,
    /// End of the destination; the cursor holds that of a copy's source until the blocks begin.
    pub(crate) end: Reg,
    /// Ends of a memmove's source, loaded before its first store; empty where blocks do not overlap.
    pub(crate) held: Vec<Reg>,
}

impl Overlap {
    /// Decides for `spec`, and hands out the registers; `None` where it asks for another shape, or leaves too few registers.
    pub(super) fn new(
        spec: &Spec,
        isa: &Isa,
        word: Width,
        strategy: Strategy,
        registers: &mut Registers,
    ) -> Option<Overlap> {
        let wanted = match spec.shape {
            Shape::Auto => spec.preset != Preset::Small,
            asked => asked == Shape::Entered,
        };
        let left_open = spec.small == Small::Auto && spec.regs == Count::Auto;
        let cache_blocks = spec.zero_block.is_some() || spec.prefetch.is_some();
        let full_words = word.bytes() * 8 == isa.xlen;
        if strategy != Strategy::Native || !wanted || !left_open || cache_blocks || !full_words {
            return None;
        }
        // Two words a piece keep a load and its store apart; a fill has no loads.
        let (auto, piece_words, insts_a_word) = match spec.op {
            Op::Memset => (AUTO_UNROLL_FILL, 1, 1),
            _ => (AUTO_UNROLL_COPY, 2, 2),
        };
        let block_words = match spec.unroll {
            Count::Auto => auto,
            Count::Exactly(words) => words,
        };
        let most_pieces = block_words.checked_sub(1)? / piece_words;
        let ladder_insts = most_pieces.checked_mul(piece_words * insts_a_word)?;
        if ladder_insts > JUMP_REACH / INST_BYTES as u32 {
            return None;
        }
        let (end, held, most_met) = match spec.op {
            Op::Memset => {
                registers.jump?;
                (registers.cursor, Vec::new(), MOST_MET_WORDS)
            }
            _ => copy_registers(spec.op, registers)?,
        };
        Some(Overlap {
            zero_first: spec.op == Op::Memcpy,
            met_words: (1..)
                .map(|doublings| 1 << doublings)
                .take_while(|words| *words <= most_met)
                .collect(),
            block_words,
            piece_words,
            most_pieces,
            end,
            held,
        })
    }

    /// The most words that are moved without a loop.
    fn most_met(&self) -> u32 {
        self.met_words.last().copied().unwrap_or(1)
    }

    /// The size from which words from both ends no longer meet.
    pub(super) fn bulk(&self, word: Width) -> Threshold {
        let (words, most_bytes) = (self.most_met(), self.most_met() * word.bytes());
        Threshold {
            name: "bulk",
            bytes: most_bytes + 1,
            why: format!("{words} words, half of them from each end, cover {most_bytes}"),
        }
    }

    /// Every size at which the routine changes its way.
    pub(super) fn thresholds(&self, word: Width, block: &Block) -> Vec<Threshold> {
        let word_bytes = word.bytes();
        let shorter = [1].iter().chain(&self.met_words);
        let mut all: Vec<Threshold> = NAMES
            .into_iter()
            .zip(self.met_words.iter().zip(shorter))
            .map(|(name, (_, shorter))| match *shorter {
                1 => Threshold {
                    name,
                    bytes: word_bytes,
                    why: "the first and the last word may overlap".to_owned(),
                },
                shorter => Threshold {
                    name,
                    bytes: shorter * word_bytes + 1,
                    why: format!("{shorter} words cover {}", shorter * word_bytes),
                },
            })
            .collect();
        all.push(self.bulk(word));
        all.push(Threshold {
            name: "block",
            bytes: block.bytes + 1,
            why: format!(
                "{} words, and a byte for the last ones; up to {word_bytes} more by the address",
                block.words
            ),
        });
        all
    }
}

/// Hands out a copy's registers: the end of the destination, the ends of the source that are held, and how many words from both
/// ends fit the rest.
fn copy_registers(op: Op, registers: &mut Registers) -> Option<(Reg, Vec<Reg>, u32)> {
    let jump = registers.jump?;
    let native = registers.native.clone()?;
    let mut data = registers.data.clone();
    data.extend([native.first, native.last, native.end]);
    data.retain(|reg| *reg != jump);
    let end = data.pop()?;
    // Last, so that no piece of the ladder takes it: it holds data until the ladder is entered.
    data.push(jump);
    let (held, most_met) = match op {
        Op::Memmove => (HELD, MOST_MET_WORDS.min(data.len() as u32)),
        _ => (0, MOST_MET_WORDS),
    };
    let in_flight = data.len().checked_sub(held)?;
    // Two words of a piece, and the jump.
    if in_flight < 3 {
        return None;
    }
    let held = data[..held].to_vec();
    registers.data = data;
    registers.in_flight = 1 << in_flight.ilog2();
    registers.native = None;
    Some((end, held, most_met))
}

/// A line for each decision.
impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let met: Vec<_> = self.met_words.iter().map(u32::to_string).collect();
        let first = if self.zero_first {
            "first"
        } else {
            "below a word"
        };
        writeln!(f, "n = 0        tested {first}")?;
        writeln!(f, "both ends    {} words", met.join(", "))?;
        let plural = if self.piece_words == 1 { "" } else { "s" };
        writeln!(
            f,
            "ladder       at most {} pieces of {} word{plural}",
            self.most_pieces, self.piece_words
        )?;
        write!(f, "end          {} (destination)", self.end)?;
        if !self.held.is_empty() {
            let held: Vec<_> = self.held.iter().map(Reg::to_string).collect();
            write!(f, ", source held in {}", held.join(" "))?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Form, Plan};
    use crate::spec::{Count, Misaligned, Op, Preset, Shape, Small, Spec};

    fn fast(op: Op) -> Spec {
        Spec {
            op,
            misaligned: Some(Misaligned::Fast),
            ..Spec::default()
        }
    }

    fn sizes(spec: &Spec) -> Vec<u32> {
        let plan = Plan::new(spec).expect("it can be built");
        plan.thresholds().iter().map(|one| one.bytes).collect()
    }

    #[test]
    fn words_from_both_ends_double_as_far_as_registers_reach() {
        assert_eq!(sizes(&fast(Op::Memcpy)), [8, 17, 33, 65, 129, 257]);
        assert_eq!(sizes(&fast(Op::Memmove)), [8, 17, 33, 65, 257]);
        assert_eq!(sizes(&fast(Op::Memset)), [8, 17, 33, 65, 129, 513]);
        let few = Spec {
            avoid: ["t4", "t5", "t6"].map(str::to_owned).to_vec(),
            ..fast(Op::Memmove)
        };
        assert_eq!(sizes(&few), [8, 17, 33, 257]);
    }

    #[test]
    fn other_wishes_go_stepped() {
        let wishes = [
            Spec {
                small: Small::Loop,
                ..fast(Op::Memcpy)
            },
            Spec {
                word: Some(4),
                ..fast(Op::Memcpy)
            },
            Spec {
                regs: Count::Exactly(4),
                ..fast(Op::Memcpy)
            },
            Spec {
                shape: Shape::Stepped,
                ..fast(Op::Memcpy)
            },
            Spec {
                preset: Preset::Small,
                ..fast(Op::Memcpy)
            },
            Spec {
                avoid: vec!["t2".to_owned()],
                ..fast(Op::Memcpy)
            },
            Spec {
                isa: Some("rv32e".to_owned()),
                ..fast(Op::Memmove)
            },
            // A ladder of more than 2 KiB is out of a jump's reach.
            Spec {
                xlen: Some(32),
                unroll: Count::Exactly(257),
                ..fast(Op::Memcpy)
            },
        ];
        for spec in wishes {
            let plan = Plan::new(&spec).expect("it can be built");
            assert_eq!(plan.form, Form::Stepped, "{spec}");
        }
    }

    #[test]
    fn a_ladder_takes_what_blocks_leave_over() {
        for (unroll, pieces) in [(1, 0), (2, 0), (3, 1), (4, 1), (16, 7), (33, 16)] {
            let spec = Spec {
                unroll: Count::Exactly(unroll),
                ..fast(Op::Memcpy)
            };
            let plan = Plan::new(&spec).expect("it can be built");
            let Form::Overlap(overlap) = plan.form else {
                panic!("{:?}", plan.form)
            };
            assert_eq!(overlap.most_pieces, pieces);
        }
    }
}
