//! A kernel in portable Rust: its thresholds, and the flags that only assembly can follow.

use super::{Block, Strategy, Threshold};
use crate::inst::Width;
use crate::problem::Problems;
use crate::spec::{Emit, Op, OverRead, Shape, Small, Spec};

/// Bytes of an iteration, and of the largest piece, where bytes go one by one: half of them are in flight at a time.
const BYTE_BLOCK_BYTES: u32 = 16;

/// What a portable kernel decides beside blocks and groups; which register does what is the compiler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Portable {
    /// The size from which words are moved where both ends reach a boundary together.
    pub(crate) words: Threshold,
    /// The size from which two neighbouring words are merged where they do not.
    pub(crate) merge: Option<Threshold>,
    /// The same for moving byte by byte in blocks.
    pub(crate) byte_block: Option<Threshold>,
}

impl Portable {
    /// Decides for a routine that moves words of `word`.
    pub(super) fn new(op: Op, word: Width, strategy: Strategy) -> Portable {
        let merges = !op.fills() && strategy == Strategy::Shift;
        let by_bytes = !op.fills() && strategy == Strategy::Bytes;
        Portable {
            words: Threshold::bulk(
                word,
                if merges { Strategy::Aligned } else { strategy },
                OverRead::None,
            ),
            merge: merges.then(|| merge(word)),
            byte_block: by_bytes.then(|| Threshold {
                name: "byte block",
                bytes: BYTE_BLOCK_BYTES,
                why: format!("{BYTE_BLOCK_BYTES} bytes, half of them in flight"),
            }),
        }
    }

    /// Bytes of the most that is moved one by one without a block.
    pub(crate) fn most_single_bytes(&self) -> u32 {
        let block = self.merge.as_ref().or(self.byte_block.as_ref());
        block.unwrap_or(&self.words).bytes - 1
    }

    /// Every size at which the kernel changes its way.
    pub(super) fn thresholds(&self, block: &Block, shift_block: Option<&Block>) -> Vec<Threshold> {
        let mut all = vec![self.words.clone(), block.entry("block")];
        all.extend(self.merge.clone());
        all.extend(self.byte_block.clone());
        all.extend(shift_block.map(|block| block.entry("shift block")));
        all
    }
}

/// Without over-reads the first word is put together out of pieces, and up to two words less two bytes are left in the end.
fn merge(word: Width) -> Threshold {
    let bytes = word.bytes();
    Threshold {
        name: "merge",
        bytes: 4 * bytes,
        why: format!(
            "4 words: below, the {} bytes beside a merged word cost more than all bytes one by one",
            3 * (bytes - 1)
        ),
    }
}

/// Refuses what asks for a register, an instruction or a jump that Rust has no word for.
pub(super) fn refuse(spec: &Spec, problems: &mut Problems) {
    if spec.emit != Emit::Rust {
        return;
    }
    const ASSEMBLY: &str = "leave it out, or use --emit rust-asm";
    if matches!(spec.shape, Shape::Entered | Shape::Compact) {
        let message = format!(
            "{} is a shape of assembly; portable Rust is stepped",
            spec.shape
        );
        problems.add("shape", message, ASSEMBLY);
    }
    if spec.overread == Some(OverRead::Word) {
        let message = "a load outside the source is undefined behaviour in Rust";
        problems.add("overread", message, ASSEMBLY);
    }
    if spec.small == Small::Jump {
        let message = "a computed jump has no counterpart in Rust";
        problems.add("small", message, "use ladder or loop, or --emit rust-asm");
    }
    if !spec.avoid.is_empty() {
        let message = "which registers portable Rust uses is its compiler's choice";
        problems.add("avoid", message, ASSEMBLY);
    }
    if spec.zero_block.is_some() {
        problems.add("zero-block", "portable Rust has no cbo.zero", ASSEMBLY);
    }
    if spec.prefetch.is_some() {
        problems.add("prefetch", "portable Rust has no prefetch", ASSEMBLY);
    }
}
