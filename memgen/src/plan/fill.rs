//! What the shape `entered` decides for memset: where sizes change their way, how long its ladders are, a register for each role.

mod sizes;

use std::fmt;

use super::block::Threshold;
use super::free;
use crate::inst::Width;
use crate::isa::Isa;
use crate::reg::Reg;
use crate::spec::{Count, Preset, Spec};
pub(super) use sizes::fewest_words;
pub(crate) use sizes::{FillLine, FillOverlap};
use sizes::{lines, overlaps, words_from};

/// The decisions of the shape `entered` for memset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnteredFill {
    /// Its registers.
    pub(crate) regs: FillRegs,
    /// Where n = 0 leaves.
    pub(crate) empty: Empty,
    /// Largest size that is stored byte by byte.
    pub(crate) byte_limit: u32,
    /// Sizes above it that have straight code of their own, ascending.
    pub(crate) lines: Vec<FillLine>,
    /// Ways through an unaligned block whose words are stored from both ends, ascending.
    pub(crate) overlaps: Vec<FillOverlap>,
    /// Whether a head of one byte has a way of its own.
    pub(crate) lone_byte: bool,
    /// Words of a block, and of the ladder for what blocks leave over.
    pub(crate) block_words: u32,
    /// The size from which words are stored.
    pub(crate) bulk: Threshold,
    word: Width,
}

/// A register for each role. The fill stays in a1, the size in a2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FillRegs {
    /// The word boundary that words are counted from.
    pub(crate) start: Reg,
    /// End of the block, then of its words.
    pub(crate) end: Reg,
    /// Bytes of the words that are left.
    pub(crate) count: Reg,
    /// Holds intermediate values.
    pub(crate) scratch: Reg,
    /// For computed jumps.
    pub(crate) jump: Reg,
}

/// Where a call for no byte leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    /// At once: one instruction more for every other size.
    First,
    /// Before the byte ladder: one instruction more for sizes that take it.
    BeforeLadder,
    /// At the end of the byte ladder: no test at all.
    LadderEnd,
}

/// From here on sizes go by words in the preset fastest: four aligned words of eight bytes are cheaper as words than as a line.
const FASTEST_WORDS_FROM: u32 = 32;

/// The same in the preset zkvm: no line is cheaper as words below it, and code that is not executed costs nothing.
const ZKVM_WORDS_FROM: u32 = 64;

/// Longest ladder that jumps reach: they go no farther than 2 KiB, some code lies between.
pub(super) const LADDER_WORDS_MAX: u32 = 480;

impl EnteredFill {
    /// Decides for `spec`; an obstacle is said as `entered` would continue.
    pub(super) fn new(spec: &Spec, isa: &Isa, word: Width) -> Result<EnteredFill, &'static str> {
        let regs = FillRegs::new(spec, isa).ok_or(
            "needs t2 and four more registers beside the arguments, --avoid or the ISA leaves fewer",
        )?;
        let block_words = block_words(spec, word);
        if block_words > LADDER_WORDS_MAX {
            return Err(
                "jumps into a ladder as long as a block, --unroll makes it longer than jumps reach",
            );
        }
        let empty = match spec.preset {
            Preset::Zkvm => Empty::First,
            Preset::Fastest => Empty::LadderEnd,
            _ => Empty::BeforeLadder,
        };
        let has_lines = matches!(spec.preset, Preset::Fastest | Preset::Zkvm);
        let bulk = match spec.preset {
            Preset::Fastest => lines_end(FASTEST_WORDS_FROM),
            Preset::Zkvm => lines_end(ZKVM_WORDS_FROM),
            _ => words_from(isa, word, empty),
        };
        let lines = if has_lines {
            lines(isa, bulk.bytes)
        } else {
            Vec::new()
        };
        Ok(EnteredFill {
            regs,
            empty,
            byte_limit: lines.first().map_or(bulk.bytes, |line| line.bytes) - 1,
            lines,
            overlaps: overlaps(word, bulk.bytes),
            lone_byte: spec.preset == Preset::Fastest && word == Width::Double,
            block_words,
            bulk,
            word,
        })
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(&self) -> u32 {
        self.block_words * self.word.bytes()
    }

    /// The size from which each has straight code of its own.
    pub(crate) fn lines_threshold(&self) -> Option<Threshold> {
        let first = self.lines.first()?;
        Some(Threshold {
            name: "lines",
            bytes: first.bytes,
            why: format!(
                "{} single bytes take more instructions than a jump to {} units of {}",
                first.bytes,
                first.units(),
                first.unit.bytes()
            ),
        })
    }

    /// The sizes at which an unaligned block takes more overlapping words, and at last counts them.
    pub(crate) fn overlap_thresholds(&self) -> impl Iterator<Item = Threshold> {
        self.overlaps.iter().map(|overlap| Threshold {
            name: "unaligned",
            bytes: overlap.limit_bytes + 1,
            why: format!(
                "{} whole words and a byte in front of them",
                overlap.words + 1
            ),
        })
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
        self.lines_threshold()
            .into_iter()
            .chain([self.bulk.clone()])
            .chain(self.overlap_thresholds())
            .chain([self.blocks_threshold()])
            .collect()
    }
}

/// The order in which roles get registers: those that RV32E has come first.
pub(super) const ORDER: [&str; 12] = [
    "a3", "a4", "a5", "t0", "t1", "t2", "a6", "a7", "t3", "t4", "t5", "t6",
];

impl FillRegs {
    /// Hands out registers that a call may clobber; `None` if one is missing.
    fn new(spec: &Spec, isa: &Isa) -> Option<FillRegs> {
        let mut free = free::registers(spec, isa, &ORDER);
        let jump = free.iter().position(|reg| *reg == Reg::T2)?;
        let jump = free.remove(jump);
        let mut free = free.into_iter();
        Some(FillRegs {
            start: free.next()?,
            end: free.next()?,
            count: free.next()?,
            scratch: free.next()?,
            jump,
        })
    }
}

/// Words per block: as asked, else by the preset.
pub(super) fn block_words(spec: &Spec, word: Width) -> u32 {
    match (spec.unroll, spec.preset) {
        (Count::Exactly(words), _) => words.max(1),
        (Count::Auto, Preset::Zkvm) => 1024 / word.bytes(),
        (Count::Auto, Preset::Fastest) => 128,
        (Count::Auto, _) => 64,
    }
}

/// Where words begin behind lines.
fn lines_end(bytes: u32) -> Threshold {
    Threshold {
        name: "bulk",
        bytes,
        why: "sizes below have code of their own".to_owned(),
    }
}

/// A line for each decision.
impl fmt::Display for EnteredFill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FillRegs {
            start,
            end,
            count,
            scratch,
            jump,
        } = self.regs;
        writeln!(
            f,
            "fill         a1, start {start}, end {end}, count {count}, scratch {scratch}, jumps {jump}"
        )?;
        writeln!(f, "no byte      {}", self.empty)?;
        writeln!(f, "bytes        one by one up to {}", self.byte_limit)?;
        if let (Some(first), Some(last)) = (self.lines.first(), self.lines.last()) {
            writeln!(
                f,
                "lines        one each for {} to {} bytes",
                first.bytes, last.bytes
            )?;
        }
        for FillOverlap { words, limit_bytes } in &self.overlaps {
            writeln!(
                f,
                "unaligned    {words} words from both ends, up to {limit_bytes} bytes"
            )?;
        }
        if self.lone_byte {
            writeln!(f, "lone byte    a head of one byte has a way of its own")?;
        }
        writeln!(f, "ladder       {} words", self.block_words)
    }
}

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Empty::First => "leaves at once",
            Empty::BeforeLadder => "leaves before the byte ladder",
            Empty::LadderEnd => "leaves at the end of the byte ladder",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::spec::{Op, Shape};

    fn spec(preset: Preset, isa: &str) -> Spec {
        Spec {
            op: Op::Memset,
            shape: Shape::Entered,
            isa: Some(isa.to_owned()),
            preset,
            ..Spec::default()
        }
    }

    fn thresholds(preset: Preset, isa: &str) -> Vec<u32> {
        let plan = Plan::new(&spec(preset, isa)).expect("it can be built");
        plan.thresholds().iter().map(|one| one.bytes).collect()
    }

    #[test]
    fn thresholds_follow_the_instructions() {
        assert_eq!(thresholds(Preset::Default, "rv64i"), [24, 41, 73, 520]);
        assert_eq!(thresholds(Preset::Default, "rv32i"), [20, 260]);
        // A fill that is spread by three instructions pays earlier.
        assert_eq!(thresholds(Preset::Default, "rv64i_zbkb")[0], 16);
        assert_eq!(thresholds(Preset::Fastest, "rv64i"), [17, 32, 57, 1032]);
        assert_eq!(thresholds(Preset::Zkvm, "rv32im"), [17, 64, 1028]);
    }

    #[test]
    fn refusals() {
        let avoiding = |isa: &str, names: &[&str]| {
            let spec = Spec {
                avoid: names.iter().map(|name| (*name).to_owned()).collect(),
                ..spec(Preset::Default, isa)
            };
            Plan::new(&spec).map_err(|problems| problems.to_string())
        };
        assert!(avoiding("rv32e", &["t1"]).is_ok());
        assert!(avoiding("rv64i", &["t6"]).is_ok());
        let problem = avoiding("rv64i", &["t2"]).expect_err("no jump without t2");
        assert!(problem.contains("needs t2 and four more registers"));
        assert!(avoiding("rv32e", &["t0", "t1"]).is_err());
        let long = |words| {
            Plan::new(&Spec {
                unroll: Count::Exactly(words),
                ..spec(Preset::Default, "rv32i")
            })
        };
        assert!(long(480).is_ok());
        assert!(long(481).is_err());
        let auto = Spec {
            unroll: Count::Exactly(481),
            shape: Shape::Auto,
            ..spec(Preset::Default, "rv32i")
        };
        assert_eq!(
            Plan::new(&auto).expect("stepped takes it").form.shape(),
            Shape::Stepped
        );
    }
}
