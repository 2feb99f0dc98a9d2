//! What the shape `compact` decides: a register for each role of its loops, and how many words they move an iteration.

use std::fmt;

use super::block::{Block, Threshold, groups};
use super::{Strategy, free};
use crate::inst::Width;
use crate::isa::Isa;
use crate::reg::Reg;
use crate::spec::{Count, Op, OverRead, Spec};

/// Words an iteration when the caller leaves it open: a block of more comes in front of the loop of single words, which stays for
/// the rest of it, and is code added.
pub(super) const AUTO_UNROLL: u32 = 1;

/// Registers that a merging block of a memcpy works with: the word before, the next one, part of a merge.
const MERGE_REGISTERS: usize = 3;

/// The decisions of the shape `compact`: a register for each role. a0 stays the return value, or is the cursor where user memory is touched;
/// a copy's a1 becomes the distance from source to destination, and the bytes asked for are free once they are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compact {
    /// The next byte or word of the destination.
    pub(crate) cursor: Reg,
    /// Addresses in the source, and every intermediate value.
    pub(crate) scratch: Reg,
    /// Where the cursor comes to last.
    pub(crate) end: Reg,
    /// Where the words of a fill of user memory end.
    pub(crate) words_end: Option<Reg>,
    /// A copy's own.
    pub(crate) copy: Option<CompactCopy>,
    /// Whether user memory is touched: each step then asks anew whether words can be moved.
    touches_user: bool,
}

/// Registers of a copy in the shape `compact`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompactCopy {
    /// Where the loop that runs ends.
    pub(crate) stop: Reg,
    /// The distance, in whole words.
    pub(crate) word_distance: Reg,
    /// Bits by which a merge moves the upper word up.
    pub(crate) left: Reg,
    /// Bits by which it moves the lower one down. `None` where registers are short: it is then worked out for each word.
    pub(crate) right: Option<Reg>,
    /// What a copy in either direction needs.
    pub(crate) both_ways: Option<BothWays>,
    /// Bytes that blocks are measured by; `None` where words go one by one.
    pub(crate) rest: Option<Reg>,
    /// Words in flight, a2 first.
    pub(crate) data: Vec<Reg>,
}

/// Registers that let one loop run in either direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BothWays {
    /// 1 or -1.
    pub(crate) step: Reg,
    /// The same in words.
    pub(crate) stride: Reg,
    /// Bytes from a word's start to the byte of it that the cursor meets first: 0, or backward the last one.
    pub(crate) first: Reg,
}

impl Compact {
    /// Decides for `spec`; an obstacle is said as `compact` would continue.
    pub(super) fn new(spec: &Spec, isa: &Isa) -> Result<Compact, &'static str> {
        let mut free = free::registers(spec, isa, &free::ORDER).into_iter();
        let assigned = Compact::assign(spec, &mut free);
        assigned.ok_or("has a role for more registers than --avoid and the ISA leave")
    }

    fn assign(spec: &Spec, free: &mut impl Iterator<Item = Reg>) -> Option<Compact> {
        let touches_user = spec.op.touches_user();
        let cursor = match touches_user {
            true => Reg::A0,
            false => free.next()?,
        };
        let (scratch, end) = (free.next()?, free.next()?);
        let words_end = match spec.op {
            Op::ClearUser => Some(free.next()?),
            _ => None,
        };
        let copy = match spec.op {
            op if op.fills() => None,
            _ => Some(CompactCopy::assign(spec, free)?),
        };
        Some(Compact {
            cursor,
            scratch,
            end,
            words_end,
            copy,
            touches_user,
        })
    }

    /// The size from which words may be moved.
    pub(super) fn bulk(&self, word: Width, strategy: Strategy, over_read: OverRead) -> Threshold {
        if !self.touches_user {
            return Threshold::bulk(word, strategy, over_read);
        }
        Threshold {
            name: "bulk",
            bytes: word.bytes(),
            why: "one word, once dst is aligned to it".to_owned(),
        }
    }

    /// The most bytes that go one by one where user memory is touched: up to the first boundary and from the last one on, and what a fault
    /// leaves of a block and a word.
    pub(crate) fn most_single_bytes(&self, word: Width, largest_block_bytes: u32) -> u32 {
        2 * (word.bytes() - 1) + largest_block_bytes + word.bytes()
    }

    /// Groups the words of each block by the registers of this shape.
    pub(super) fn regroup(&self, block: &mut Block, shift_block: Option<&mut Block>) {
        let in_flight = match &self.copy {
            None => block.words,
            Some(copy) => copy.data.len() as u32,
        };
        block.groups = groups(block.words, in_flight);
        if let Some(shift) = shift_block {
            shift.groups = groups(shift.words, 1);
        }
    }
}

impl CompactCopy {
    fn assign(spec: &Spec, free: &mut impl Iterator<Item = Reg>) -> Option<CompactCopy> {
        let (stop, word_distance, left) = (free.next()?, free.next()?, free.next()?);
        let both_ways = match spec.op {
            Op::Memmove => Some(BothWays {
                step: free.next()?,
                stride: free.next()?,
                first: free.next()?,
            }),
            _ => None,
        };
        let is_block = |count| !matches!(count, Count::Auto | Count::Exactly(0..=1));
        let has_blocks = is_block(spec.unroll) || is_block(spec.shift_unroll);
        let rest = match has_blocks {
            true => Some(free.next()?),
            false => None,
        };
        let right = free.next();
        // Either way, a word has to be stored before the next is loaded: one register does.
        let most = if has_blocks && both_ways.is_none() {
            usize::MAX
        } else {
            1
        };
        let data: Vec<Reg> = [Reg::A2].into_iter().chain(free).take(most).collect();
        (most == 1 || data.len() >= MERGE_REGISTERS).then_some(CompactCopy {
            stop,
            word_distance,
            left,
            right,
            both_ways,
            rest,
            data,
        })
    }
}

/// A line for each group of roles.
impl fmt::Display for Compact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cursor       {} (destination)", self.cursor)?;
        writeln!(f, "scratch      {}", self.scratch)?;
        writeln!(f, "end          {}", self.end)?;
        if let Some(words_end) = self.words_end {
            writeln!(f, "words        to {words_end}")?;
        }
        let Some(copy) = &self.copy else {
            return Ok(());
        };
        writeln!(f, "stop         {}", copy.stop)?;
        writeln!(f, "distance     a1, in whole words {}", copy.word_distance)?;
        match copy.right {
            Some(right) => writeln!(f, "shift        counts {} {right}", copy.left)?,
            None => writeln!(f, "shift        count {}", copy.left)?,
        }
        if let Some(ways) = &copy.both_ways {
            writeln!(
                f,
                "direction    step {}, in words {}, first byte of a word {}",
                ways.step, ways.stride, ways.first
            )?;
        }
        if let Some(rest) = copy.rest {
            writeln!(f, "rest         {rest}")?;
        }
        let data: Vec<_> = copy.data.iter().map(Reg::to_string).collect();
        writeln!(f, "data         {}", data.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use crate::spec::{Count, Op, Preset, Shape, Spec};

    fn small(op: Op) -> Spec {
        Spec {
            op,
            preset: Preset::Small,
            ..Spec::default()
        }
    }

    #[test]
    fn one_word_an_iteration_unless_asked() {
        for op in [Op::Memcpy, Op::Memmove, Op::Memset] {
            let plan = Plan::new(&small(op)).expect("a preset can be built");
            assert_eq!(plan.form.shape(), Shape::Compact);
            assert_eq!(plan.largest_block_bytes(), 8);
            let bytes: Vec<u32> = plan.thresholds().iter().map(|one| one.bytes).collect();
            assert_eq!(bytes, [15]);
        }
        let asked = Spec {
            unroll: Count::Exactly(12),
            ..small(Op::Memcpy)
        };
        let plan = Plan::new(&asked).expect("it fits");
        assert_eq!(plan.block_sizes(), [96, 64]);
        let bytes: Vec<u32> = plan.thresholds().iter().map(|one| one.bytes).collect();
        assert_eq!(bytes, [15, 96, 64]);
    }

    #[test]
    fn short_of_registers_it_goes_stepped() {
        let shape = |op, isa: &str, avoid: &str, unroll| {
            let spec = Spec {
                isa: Some(isa.to_owned()),
                avoid: avoid.split_whitespace().map(str::to_owned).collect(),
                unroll,
                ..small(op)
            };
            Plan::new(&spec).expect("stepped takes it").form.shape()
        };
        let (auto, two) = (Count::Auto, Count::Exactly(2));
        assert_eq!(shape(Op::Memset, "rv32e", "", two), Shape::Compact);
        assert_eq!(shape(Op::Memcpy, "rv32e", "", auto), Shape::Compact);
        assert_eq!(shape(Op::Memcpy, "rv32e", "", two), Shape::Stepped);
        assert_eq!(shape(Op::Memcpy, "rv32e", "t1", auto), Shape::Stepped);
        assert_eq!(shape(Op::Memmove, "rv32e", "", auto), Shape::Stepped);
        assert_eq!(
            shape(Op::Memmove, "rv64i", "t4 t5 t6", auto),
            Shape::Compact
        );
        assert_eq!(shape(Op::Memmove, "rv64i", "t6", two), Shape::Compact);
        assert_eq!(shape(Op::Memmove, "rv64i", "t4 t5 t6", two), Shape::Stepped);
    }

    #[test]
    fn asked_for_by_name_the_obstacle_is_said() {
        let spec = Spec {
            isa: Some("rv32e".to_owned()),
            shape: Shape::Compact,
            ..small(Op::Memmove)
        };
        let problems = Plan::new(&spec).expect_err("registers are short");
        assert!(
            problems
                .to_string()
                .contains("has a role for more registers")
        );
    }
}
