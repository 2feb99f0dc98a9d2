//! What the shape `entered` decides for a fill of user memory: where sizes change their way, how long its ladder is, a register for each role.

use std::fmt;

use super::block::Threshold;
use super::fill::{Empty, LADDER_WORDS_MAX, ORDER, block_words, fewest_words};
use super::free;
use crate::inst::Width;
use crate::isa::Isa;
use crate::reg::Reg;
use crate::spec::{Preset, Spec};

/// The decisions of the shape `entered` for clear_user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnteredClear {
    /// Its registers.
    pub(crate) regs: ClearRegs,
    /// Where n = 0 leaves.
    pub(crate) empty: Empty,
    /// Words of a block, and of the ladder for what blocks leave over.
    pub(crate) block_words: u32,
    /// The size from which words are stored.
    pub(crate) bulk: Threshold,
    word: Width,
}

/// A register for each role. The cursor stays in a0, the size in a1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClearRegs {
    /// End of the block.
    pub(crate) end: Reg,
    /// End of its last whole word.
    pub(crate) words_end: Reg,
    /// Bytes of the words that are left.
    pub(crate) count: Reg,
    /// Holds intermediate values.
    pub(crate) scratch: Reg,
    /// For computed jumps.
    pub(crate) jump: Reg,
}

/// Smallest size that may go by words: the stores at its ends stay inside, and a word lies between them.
const WORDS_FROM_LEAST: u32 = 16;

impl EnteredClear {
    /// Decides for `spec`; an obstacle is said as `entered` would continue.
    pub(super) fn new(spec: &Spec, isa: &Isa, word: Width) -> Result<EnteredClear, &'static str> {
        let regs = ClearRegs::new(spec, isa).ok_or(
            "needs t2 and four more registers beside the arguments, --avoid or the ISA leaves fewer",
        )?;
        let block_words = block_words(spec, word);
        if block_words > LADDER_WORDS_MAX {
            return Err(
                "jumps into a ladder as long as a block, --unroll makes it longer than jumps reach",
            );
        }
        Ok(EnteredClear {
            regs,
            empty: match spec.preset {
                Preset::Zkvm => Empty::First,
                _ => Empty::LadderEnd,
            },
            block_words,
            bulk: words_from(word),
            word,
        })
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(&self) -> u32 {
        self.block_words * self.word.bytes()
    }

    /// The most bytes that may be stored behind the cursor when a fault stops the routine: a ladder, and a partial word at either end.
    pub(crate) fn most_unsettled_bytes(&self) -> u32 {
        self.block_bytes().max(self.bulk.bytes) + 2 * self.word.bytes()
    }

    /// The bytes in words from which blocks are stored.
    pub(crate) fn blocks_threshold(&self) -> Threshold {
        Threshold {
            name: "blocks",
            bytes: self.block_bytes() + self.word.bytes(),
            why: format!("a word more than the ladder's {}", self.block_words),
        }
    }

    /// Every size at which the routine changes its way, with the derivation.
    pub(super) fn thresholds(&self) -> Vec<Threshold> {
        vec![self.bulk.clone(), self.blocks_threshold()]
    }
}

impl ClearRegs {
    /// Hands out registers that a call may clobber; `None` if one is missing.
    fn new(spec: &Spec, isa: &Isa) -> Option<ClearRegs> {
        let mut free = free::registers(spec, isa, &ORDER);
        let jump = free.iter().position(|reg| *reg == Reg::T2)?;
        let jump = free.remove(jump);
        let mut free = free.into_iter();
        Some(ClearRegs {
            end: free.next()?,
            words_end: free.next()?,
            count: free.next()?,
            scratch: free.next()?,
            jump,
        })
    }
}

/// The size in words from which an unaligned block takes fewer instructions by words than by bytes, on the average over a word. The test
/// of the size, the end and the return are common to both.
fn words_from(word: Width) -> Threshold {
    let (word_bytes, is_double) = (word.bytes(), word == Width::Double);
    let common = 2 + 1 + 2;
    let jump = 4;
    let by_bytes = |bytes: u32| common + jump + bytes;
    // Three bytes at either end, on RV64 and four aligned ones.
    let (head, tail) = if is_double { (6, 5) } else { (3, 3) };
    // Is dst aligned; the boundary; the end and the count of words, are they more than the ladder's; the jump; is there a tail.
    let to_the_words = 2 + head + 2 + 2 + 2 + (jump - u32::from(!is_double)) + 1 + tail;
    let by_words = |bytes: u32| common + to_the_words + fewest_words(word, bytes);
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

/// A line for each decision.
impl fmt::Display for EnteredClear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClearRegs {
            end,
            words_end,
            count,
            scratch,
            jump,
        } = self.regs;
        writeln!(
            f,
            "cursor       a0, end {end}, of whole words {words_end}, count {count}, scratch {scratch}, jumps {jump}"
        )?;
        writeln!(f, "no byte      {}", self.empty)?;
        writeln!(f, "bytes        one by one up to {}", self.bulk.bytes - 1)?;
        writeln!(f, "ladder       {} words", self.block_words)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use crate::spec::{Count, Op, Shape, Spec};

    fn spec(isa: &str) -> Spec {
        Spec {
            op: Op::ClearUser,
            isa: Some(isa.to_owned()),
            ..Spec::default()
        }
    }

    #[test]
    fn thresholds_follow_the_instructions() {
        let thresholds = |isa: &str| {
            let plan = Plan::new(&spec(isa)).expect("it can be built");
            plan.thresholds()
                .iter()
                .map(|one| one.bytes)
                .collect::<Vec<_>>()
        };
        assert_eq!(thresholds("rv64i"), [24, 520]);
        assert_eq!(thresholds("rv32i"), [16, 260]);
    }

    #[test]
    fn what_stands_in_its_way_goes_stepped_or_is_said() {
        let shape = |isa: &str, avoid: &[&str], unroll, shape| {
            let spec = Spec {
                avoid: avoid.iter().map(|name| (*name).to_owned()).collect(),
                unroll,
                shape,
                ..spec(isa)
            };
            Plan::new(&spec)
                .map(|plan| plan.form.shape())
                .map_err(|problems| problems.to_string())
        };
        let auto = Count::Auto;
        let entered = Ok(Shape::Entered);
        assert_eq!(shape("rv32e", &["a2", "t1"], auto, Shape::Auto), entered);
        assert_eq!(
            shape("rv64i", &["t2"], auto, Shape::Auto),
            Ok(Shape::Stepped)
        );
        let problem = shape("rv64i", &["t2"], auto, Shape::Entered);
        assert!(problem.is_err_and(|text| text.contains("needs t2 and four more registers")));
        let long = |words| shape("rv32i", &[], Count::Exactly(words), Shape::Auto);
        assert_eq!(long(480), entered);
        assert_eq!(long(481), Ok(Shape::Stepped));
    }
}
