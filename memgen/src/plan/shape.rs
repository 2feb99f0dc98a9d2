//! The shape of the code as a whole, with what it decides for itself, and what stands in the way of one.

use std::fmt;

use super::{
    Block, Compact, Entered, EnteredClear, EnteredFill, Overlap, Portable, Registers, Strategy,
    Threshold,
};
use crate::inst::Width;
use crate::isa::Isa;
use crate::problem::Problems;
use crate::spec::{Count, Emit, Op, OverRead, Preset, Shape, Small, Spec};

/// A shape, decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Cursors that step, remainders by the bits of n.
    Stepped,
    /// Loops alone.
    Compact(Compact),
    /// A copy by computed jumps.
    Entered(Entered),
    /// A fill by computed jumps.
    EnteredFill(EnteredFill),
    /// A fill of user memory by computed jumps.
    EnteredClear(EnteredClear),
    /// The same where misaligned accesses are fast.
    Overlap(Overlap),
    /// Rust for any target.
    Portable(Portable),
}

impl Form {
    /// What was asked, if nothing stands in its way; left open, compact for the preset small and entered for the others, else
    /// stepped.
    pub(super) fn decide(
        spec: &Spec,
        isa: &Isa,
        word: Width,
        strategy: Strategy,
        registers: &mut Registers,
        problems: &mut Problems,
    ) -> Form {
        if spec.emit == Emit::Rust {
            return Form::Portable(Portable::new(spec.op, word, strategy));
        }
        if let Some(overlap) = Overlap::new(spec, isa, word, strategy, registers) {
            return Form::Overlap(overlap);
        }
        let wanted = match (spec.shape, spec.preset) {
            (Shape::Auto, Preset::Small) => Shape::Compact,
            (Shape::Auto, _) => Shape::Entered,
            (asked, _) => asked,
        };
        let form = match wanted {
            Shape::Stepped => return Form::Stepped,
            Shape::Compact if strategy == Strategy::Native => {
                Err("has no form for misaligned accesses")
            }
            _ => obstacle(spec, isa, word, strategy),
        };
        let form = form.and_then(|()| match (wanted, spec.op) {
            (Shape::Compact, _) => Compact::new(spec, isa).map(Form::Compact),
            (_, Op::Memset) => EnteredFill::new(spec, isa, word).map(Form::EnteredFill),
            (_, Op::ClearUser) => EnteredClear::new(spec, isa, word).map(Form::EnteredClear),
            _ => Entered::new(spec, isa).map(Form::Entered),
        });
        form.unwrap_or_else(|reason| {
            if spec.shape != Shape::Auto {
                problems.add(
                    "shape",
                    format!("{wanted} {reason}"),
                    "use --shape stepped, or leave it out",
                );
            }
            Form::Stepped
        })
    }

    /// Its name as a flag.
    pub(crate) fn shape(&self) -> Shape {
        match self {
            Form::Stepped | Form::Portable(_) => Shape::Stepped,
            Form::Compact(_) => Shape::Compact,
            Form::Entered(_) | Form::EnteredFill(_) | Form::EnteredClear(_) | Form::Overlap(_) => {
                Shape::Entered
            }
        }
    }

    /// Words of an iteration of the aligned loop where `--unroll` is left open; `None` for what stepped code takes.
    pub(super) fn auto_unroll(&self, spec: &Spec) -> Option<u32> {
        match self {
            Form::Stepped | Form::Portable(_) => {
                (spec.preset == Preset::Small).then_some(super::compact::AUTO_UNROLL)
            }
            Form::Compact(_) => Some(super::compact::AUTO_UNROLL),
            Form::Entered(entered) => Some(entered.copy_units),
            Form::EnteredFill(fill) => Some(fill.block_words),
            Form::EnteredClear(clear) => Some(clear.block_words),
            Form::Overlap(overlap) => Some(overlap.block_words),
        }
    }

    /// The same for the merging loop and `--shift-unroll`.
    pub(super) fn auto_shift_unroll(&self) -> Option<u32> {
        match self {
            Form::Entered(entered) => Some(entered.shift_words),
            _ => None,
        }
    }

    /// Groups the words of each block by the registers of the shape.
    pub(super) fn regroup(&self, block: &mut Block, shift_block: Option<&mut Block>) {
        match self {
            Form::Compact(compact) => compact.regroup(block, shift_block),
            Form::Entered(entered) => entered.regroup(block, shift_block),
            _ => {}
        }
    }

    /// The size from which words are moved.
    pub(super) fn bulk(&self, word: Width, strategy: Strategy, over_read: OverRead) -> Threshold {
        match self {
            Form::Overlap(overlap) => overlap.bulk(word),
            Form::EnteredFill(fill) => fill.bulk.clone(),
            Form::EnteredClear(clear) => clear.bulk.clone(),
            Form::Entered(entered) => entered.bulk(),
            Form::Portable(portable) => portable.words.clone(),
            Form::Compact(compact) => compact.bulk(word, strategy, over_read),
            Form::Stepped => Threshold::bulk(word, strategy, over_read),
        }
    }
}

/// What the shape decides, a line each.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Stepped | Form::Portable(_) => Ok(()),
            Form::Compact(compact) => compact.fmt(f),
            Form::Entered(entered) => entered.fmt(f),
            Form::EnteredFill(fill) => fill.fmt(f),
            Form::EnteredClear(clear) => clear.fmt(f),
            Form::Overlap(overlap) => overlap.fmt(f),
        }
    }
}

/// What keeps a routine from the shapes that are made for one strategy, full words and registers of their own.
fn obstacle(spec: &Spec, isa: &Isa, word: Width, strategy: Strategy) -> Result<(), &'static str> {
    if word.bytes() * 8 != isa.xlen {
        Err("moves words as wide as a register, --word asks for less")
    } else if strategy == Strategy::Native {
        Err(
            "with misaligned accesses has a way of its own with small sizes, registers and blocks: leave out --small, \
             --regs, --zero-block and --prefetch, and avoid fewer registers",
        )
    } else if strategy == Strategy::Bytes {
        Err("merges words by shifts, --unaligned asks for bytes")
    } else if spec.overread == Some(OverRead::None) {
        Err("loads whole aligned words, --overread none forbids it")
    } else if spec.small != Small::Auto {
        Err("has its own way with small sizes, --small asks for another")
    } else if spec.regs != Count::Auto {
        Err("has a use for each register, --regs leaves it too few")
    } else if spec.zero_block.is_some() || spec.prefetch.is_some() {
        Err("has no place for --zero-block and --prefetch")
    } else {
        Ok(())
    }
}
