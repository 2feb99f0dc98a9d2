//! Everything decided: which strategy, which registers, how large a block, every threshold with its derivation.
//! All rules and all arithmetic live here; a `Plan` exists only for a specification that can be built.

mod block;
mod cache;
mod clear;
mod compact;
mod entered;
mod fill;
mod frame;
mod free;
mod native;
mod portable;
mod registers;
mod shape;
mod shown;
mod user;

pub(crate) use block::groups;
pub use block::{Block, Threshold};
pub(crate) use clear::EnteredClear;
pub(crate) use compact::{BothWays, Compact, CompactCopy};
pub(crate) use entered::{COPY_STEP_BYTES, MERGE_KEPT_WORDS, MERGE_STEP_BYTES};
pub(crate) use entered::{Ends, Entered, EnteredRegs, Halves};
pub(crate) use fill::{Empty, EnteredFill, FillLine, FillOverlap};
pub(crate) use native::Overlap;
pub(crate) use portable::Portable;
pub use registers::{NativeRegs, Registers, ShiftRegs};
pub(crate) use shape::Form;
pub use user::{FaultTable, Recovery, Release, UserAccess};

use crate::inst::Width;
use crate::isa::Isa;
use crate::problem::Problems;
use crate::spec::{Count, Emit, Misaligned, Op, OverRead, Preset, Small, Spec, Unaligned};

/// How source and destination that differ modulo the word are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// There is nothing to differ: memset, or words of one byte.
    Aligned,
    /// Byte by byte.
    Bytes,
    /// Aligned loads, two neighbours merged by shifts, aligned stores.
    Shift,
    /// Misaligned word accesses, the first and last word overlapping the rest.
    Native,
}

/// A routine, decided. Made only by [`Plan::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) op: Op,
    pub(crate) isa: Isa,
    pub(crate) word: Width,
    pub(crate) strategy: Strategy,
    /// The shape of the code, with what it decides.
    pub(crate) form: Form,
    pub(crate) over_read: OverRead,
    pub(crate) small: Small,
    pub(crate) registers: Registers,
    pub(crate) block: Block,
    pub(crate) shift_block: Option<Block>,
    pub(crate) bulk: Threshold,
    /// Whether a source half a word off has a way of its own: Zbkb packs two halves of a register.
    pub(crate) packs_halves: bool,
    /// Bytes that cbo.zero clears, where a fill uses it.
    pub(crate) zero_block: Option<u32>,
    /// Bytes ahead that a block loop prefetches.
    pub(crate) prefetch: Option<u32>,
    /// What is done about faults, if user memory is touched.
    pub(crate) user: Option<UserAccess>,
    pub(crate) symbol: String,
}

impl Plan {
    /// Decides everything for `spec`.
    ///
    /// # Errors
    /// All that is wrong with `spec`, at once.
    pub fn new(spec: &Spec) -> Result<Plan, Problems> {
        let mut problems = Problems::default();
        let isa = Isa::new(spec.isa_string().as_deref(), spec.xlen, &mut problems);
        let word = word(spec, &isa, &mut problems);
        let asked = asked_strategy(spec, word, &mut problems);
        let mut registers = Registers::new(spec, &isa, &mut problems);
        let strategy = registers.assign(spec, asked, word, &mut problems);
        registers.settle(spec, &mut problems);
        let small = small(spec, &registers, &mut problems);
        portable::refuse(spec, &mut problems);
        let form = Form::decide(spec, &isa, word, strategy, &mut registers, &mut problems);
        let over_read = over_read(spec);
        let auto = form.auto_unroll(spec);
        let mut block = Block::aligned(spec, word, auto, &registers, &mut problems);
        let auto = form.auto_shift_unroll();
        let mut shift_block = Block::shift(
            spec,
            word,
            strategy,
            &block,
            auto,
            &registers,
            &mut problems,
        );
        form.regroup(&mut block, shift_block.as_mut());
        let zero_block = cache::zero_block(spec, &isa, word, &mut problems);
        let prefetch = cache::prefetch(spec, &isa, &mut problems);
        let symbol = frame::symbol(spec, &mut problems);
        frame::check(spec, &mut problems);
        let user = UserAccess::new(spec, &mut problems);
        problems.stop()?;
        Ok(Plan {
            bulk: form.bulk(word, strategy, over_read),
            op: spec.op,
            word,
            strategy,
            over_read,
            small,
            registers,
            block,
            shift_block,
            packs_halves: strategy == Strategy::Shift
                && form == Form::Stepped
                && isa.has("zbkb")
                && word.bytes() * 8 == isa.xlen,
            form,
            zero_block,
            prefetch,
            isa,
            user,
            symbol,
        })
    }

    /// Name of the routine's symbol.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// Base and extensions.
    pub fn isa(&self) -> &Isa {
        &self.isa
    }

    /// The routine.
    pub fn op(&self) -> Op {
        self.op
    }

    /// What is done about faults; `None` if the routine touches no user memory.
    pub fn user(&self) -> Option<&UserAccess> {
        self.user.as_ref()
    }

    /// Size of the widest access in bytes.
    pub fn word_bytes(&self) -> u32 {
        self.word.bytes()
    }

    /// Whether misaligned accesses are made.
    pub fn is_strict(&self) -> bool {
        self.strategy != Strategy::Native
    }

    /// What loads may touch beside the source block.
    pub fn over_read(&self) -> OverRead {
        self.over_read
    }

    /// Bytes of an iteration of each bulk loop.
    pub fn block_sizes(&self) -> Vec<u32> {
        let shift = self.shift_block.as_ref().map(|block| block.bytes);
        [self.block.bytes]
            .into_iter()
            .chain(shift)
            .chain(self.zero_block)
            .collect()
    }

    /// Bytes of the largest of them.
    pub fn largest_block_bytes(&self) -> u32 {
        self.block_sizes().into_iter().max().unwrap_or(1)
    }

    /// The most bytes that stepped code may have moved behind its cursor in the destination when a fault stops it: a block, or all of a small
    /// size, and a word that was loaded ahead.
    pub(crate) fn most_unsettled_bytes(&self) -> u32 {
        self.largest_block_bytes().max(self.bulk.bytes) + self.word_bytes()
    }

    /// The remaining size from which zeros are written by cache blocks: after the way to a block's boundary one must be left.
    pub(crate) fn zero_threshold(&self) -> Option<Threshold> {
        let (block, word) = (self.zero_block?, self.word_bytes());
        Some(Threshold {
            name: "zero block",
            bytes: 2 * block - word,
            why: format!(
                "{} (longest way to a block) + {block} (one block)",
                block - word
            ),
        })
    }

    /// Every size at which the routine changes its way, with the derivation.
    pub fn thresholds(&self) -> Vec<Threshold> {
        match &self.form {
            Form::Overlap(overlap) => return overlap.thresholds(self.word, &self.block),
            Form::EnteredFill(fill) => return fill.thresholds(),
            Form::EnteredClear(clear) => return clear.thresholds(),
            Form::Entered(entered) => return entered.thresholds(),
            Form::Portable(portable) => {
                return portable.thresholds(&self.block, self.shift_block.as_ref());
            }
            Form::Stepped | Form::Compact(_) => {}
        }
        // Loops of single words are entered without a test of their own.
        let is_tested = |block: &&Block| !matches!(self.form, Form::Compact(_)) || block.words > 1;
        let mut all = vec![self.bulk.clone()];
        all.extend(
            Some(&self.block)
                .filter(is_tested)
                .map(|block| block.entry("block")),
        );
        all.extend(self.zero_threshold());
        all.extend(
            self.shift_block
                .iter()
                .filter(is_tested)
                .map(|block| block.entry("shift block")),
        );
        all
    }
}

/// Decides the bulk access width.
fn word(spec: &Spec, isa: &Isa, problems: &mut Problems) -> Width {
    let widest = isa.xlen / 8;
    let asked = spec.word.unwrap_or(widest);
    let fallback = Width::from_bytes(widest).unwrap_or(Width::Word);
    match Width::from_bytes(asked) {
        Some(width) if asked <= widest => width,
        Some(_) => {
            problems.add(
                "word",
                format!(
                    "{asked} bytes do not fit a register; {} has {widest}",
                    isa.base()
                ),
                format!("use at most --word {widest}, or a 64-bit ISA"),
            );
            fallback
        }
        None => {
            problems.add(
                "word",
                format!("{asked} is no access width; 1, 2, 4 and 8 are"),
                format!("leave it out for {widest}, the width of a register"),
            );
            fallback
        }
    }
}

/// The strategy asked for, before the registers are known; `None` leaves it to them.
fn asked_strategy(spec: &Spec, word: Width, problems: &mut Problems) -> Option<Strategy> {
    if spec.op.touches_user() && spec.unaligned == Unaligned::Native {
        problems.add(
            "unaligned",
            "native makes misaligned accesses; one of user memory that crosses into a page that is not there may be done by half",
            "use --unaligned shift",
        );
    } else if spec.unaligned == Unaligned::Native && spec.hardware() != Misaligned::Fast {
        problems.add(
            "unaligned",
            format!(
                "native makes misaligned accesses, --misaligned is {}",
                spec.hardware()
            ),
            "add --misaligned fast if the hardware does them at full speed, else use --unaligned shift",
        );
    }
    if spec.op.fills() {
        refuse_source_flags(spec, problems);
    }
    if word == Width::Byte {
        return Some(Strategy::Aligned);
    }
    match spec.unaligned {
        Unaligned::Native => Some(Strategy::Native),
        Unaligned::Auto if spec.hardware() == Misaligned::Fast && !spec.op.touches_user() => {
            Some(Strategy::Native)
        }
        _ if spec.op.fills() => Some(Strategy::Aligned),
        Unaligned::Bytes => Some(Strategy::Bytes),
        Unaligned::Shift => Some(Strategy::Shift),
        Unaligned::Auto => None,
    }
}

/// A fill has no source: a flag that speaks of one is a mistake, not something to pass over.
fn refuse_source_flags(spec: &Spec, problems: &mut Problems) {
    let help = format!("leave the flag out: {} has no source", spec.op);
    if matches!(spec.unaligned, Unaligned::Bytes | Unaligned::Shift) {
        problems.add(
            "unaligned",
            format!("{} is about the source of a copy", spec.unaligned),
            &help,
        );
    }
    if spec.shift_unroll != Count::Auto {
        problems.add("shift-unroll", format!("{} merges nothing", spec.op), &help);
    }
    if spec.overread.is_some() {
        problems.add("overread", format!("{} loads nothing", spec.op), &help);
    }
    if spec.regs != Count::Auto {
        problems.add(
            "regs",
            format!("{} holds one word at most, the fill", spec.op),
            &help,
        );
    }
}

/// `auto` is the ladder: its loads come before their stores, where single bytes behind a computed jump wait for
/// each load; and it needs no jump that a branch predictor has to learn. The preset small takes loops.
fn small(spec: &Spec, registers: &Registers, problems: &mut Problems) -> Small {
    if spec.small == Small::Jump && registers.jump.is_none() {
        problems.add(
            "small",
            "jump needs t2, which --avoid names: an indirect jump through any other register needs a landing pad",
            "use --small ladder, or take t2 off --avoid",
        );
    }
    match spec.small {
        Small::Auto if spec.preset == Preset::Small => Small::Loop,
        Small::Auto => Small::Ladder,
        decided => decided,
    }
}

/// An over-read is harmless in assembly: it stays in an aligned word, hence in a page, of the block. In Rust it is undefined.
fn over_read(spec: &Spec) -> OverRead {
    let harmless = match spec.emit {
        Emit::Rust => OverRead::None,
        _ => OverRead::Word,
    };
    spec.overread.unwrap_or(harmless)
}
