//! What a routine does with cache blocks, where the ISA has the instructions for it.

use crate::inst::Width;
use crate::isa::Isa;
use crate::problem::Problems;
use crate::spec::Spec;

/// Largest block whose mask and size are 12-bit immediates.
const ZERO_BLOCK_MAX: u32 = 1024;

/// Reads `--zero-block`.
pub(super) fn zero_block(
    spec: &Spec,
    isa: &Isa,
    word: Width,
    problems: &mut Problems,
) -> Option<u32> {
    let bytes = spec.zero_block?;
    if !isa.has("zicboz") {
        problems.add(
            "zero-block",
            "cbo.zero needs zicboz, which --isa does not name",
            format!("add it: --isa {}_zicboz", isa.base()),
        );
    }
    if !spec.op.fills() {
        problems.add(
            "zero-block",
            format!("{} clears nothing", spec.op),
            "leave it out",
        );
    }
    let fits = bytes.is_power_of_two() && (2 * word.bytes()..=ZERO_BLOCK_MAX).contains(&bytes);
    if !fits {
        problems.add(
            "zero-block",
            format!(
                "{bytes} bytes are no block: a power of two from two words to {ZERO_BLOCK_MAX}"
            ),
            "64 on most cores; Zic64b promises it",
        );
    }
    fits.then_some(bytes)
}

/// Reads `--prefetch`.
pub(super) fn prefetch(spec: &Spec, isa: &Isa, problems: &mut Problems) -> Option<u32> {
    let bytes = spec.prefetch?;
    if !isa.has("zicbop") {
        problems.add(
            "prefetch",
            "prefetch.r needs zicbop, which --isa does not name",
            format!("add it: --isa {}_zicbop", isa.base()),
        );
    }
    if spec.op.fills() {
        problems.add(
            "prefetch",
            format!("{} loads nothing", spec.op),
            "leave it out",
        );
    }
    let fits = bytes.is_multiple_of(32) && (32..=2016).contains(&bytes);
    if !fits {
        problems.add(
            "prefetch",
            format!("{bytes} bytes do not fit the instruction: a multiple of 32 up to 2016"),
            "for example --prefetch 256",
        );
    }
    fits.then_some(bytes)
}
