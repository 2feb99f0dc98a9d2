//! What a routine costs: the instructions, loads, stores and taken jumps of single calls, counted by executing its machine code.
//!
//! The counts are exact. The verifier's machine executes every call of a matrix of sizes and offsets from the routine's first
//! instruction to its `ret`, and checks each against the contracts as a proof does; a routine that breaks one gets a
//! counter-example, not a number.
//!
//! ```no_run
//! use memgen::Spec;
//! use memgen::cost::{Sizes, cost};
//! use memgen::verify::Assembler;
//!
//! let sizes = Sizes::new([16, 1024])?;
//! let cost = cost(&Spec::default(), &Assembler::default(), &sizes)?;
//! println!("{} bytes of code", cost.code_bytes);
//! for cell in &cost.cells {
//!     println!("{} of {} bytes: {}", cell.scenario, cell.size, cell.counts.instructions);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alignments;
mod csv;
mod distribution;
#[cfg(feature = "cli")]
mod json;
mod scenario;
mod sizes;
mod table;

pub use crate::verify::Counts;
pub use alignments::Alignments;
pub use distribution::{Distribution, Mean, Mistake};
#[cfg(feature = "cli")]
pub(crate) use json::json;
pub use scenario::{OFFSETS, Scenario};
pub use sizes::{LARGEST_SIZE, Sizes, TooLarge};
pub use table::Table;

use crate::plan::Plan;
use crate::render::render;
use crate::spec::Spec;
use crate::verify::{Assembler, Counted, VerifyError, code_words, count_calls, only_assembly};

/// What one routine costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Register width in bits.
    pub xlen: u32,
    /// Bytes of the routine's widest access; co-aligned and half-congruent are meant modulo this.
    pub word_bytes: u32,
    /// Size of the machine code in bytes.
    pub code_bytes: u64,
    /// Every call counted: by scenario, then size, source offset, destination offset, each ascending.
    pub cells: Vec<Cell>,
}

/// One call and its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The operation, and where its blocks lie.
    pub scenario: Scenario,
    /// Size in bytes.
    pub size: u64,
    /// Address of the source modulo [`OFFSETS`]; 0 for a memset, which has none.
    pub source_offset: u64,
    /// Address of the destination modulo [`OFFSETS`].
    pub destination_offset: u64,
    /// What the call executes.
    pub counts: Counts,
}

/// Makes the routine that `spec` describes and counts its calls: each of `sizes` at each pair of offsets, in each scenario of the
/// operation.
///
/// # Errors
/// A specification that cannot be built; an assembler that fails; a counter-example of a call that breaks a contract.
pub fn cost(spec: &Spec, assembler: &Assembler, sizes: &Sizes) -> Result<Cost, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let text = render(spec, &plan, &crate::kernel::lower(&plan));
    assembled(spec, &plan, &text, assembler, sizes)
}

/// Counts the calls of `text`, a file as [`crate::generate`] makes it for `spec`: one that was made before, or edited since.
///
/// # Errors
/// As [`cost`].
pub fn cost_text(
    spec: &Spec,
    text: &str,
    assembler: &Assembler,
    sizes: &Sizes,
) -> Result<Cost, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    assembled(spec, &plan, text, assembler, sizes)
}

/// Counts the calls of machine code, as [`code_words`] gives it, under the contracts of `spec`. A counter-example then shows words in
/// place of source lines.
///
/// # Errors
/// As [`cost`].
pub fn cost_code(spec: &Spec, words: &[u32], sizes: &Sizes) -> Result<Cost, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    count(&plan, Counted::Assembled { words, text: "" }, sizes)
}

/// Counts the calls of what a compiler made of a Rust kernel: the function named as `spec` names it, in the ELF object `object`. It may use
/// `stack_bytes` bytes of stack, as in [`crate::verify::verify_object`].
///
/// # Errors
/// As [`cost`]; an object that does not hold the kernel.
pub fn cost_object(
    spec: &Spec,
    object: &[u8],
    stack_bytes: u32,
    sizes: &Sizes,
) -> Result<Cost, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let counted = Counted::Compiled {
        object,
        stack_bytes,
    };
    count(&plan, counted, sizes)
}

fn assembled(
    spec: &Spec,
    plan: &Plan,
    text: &str,
    assembler: &Assembler,
    sizes: &Sizes,
) -> Result<Cost, VerifyError> {
    only_assembly(spec)?;
    let object = assembler
        .assemble(spec, plan.isa(), text)
        .map_err(VerifyError::Assembler)?;
    let words = code_words(&object, plan.symbol(), plan.isa().xlen).map_err(VerifyError::Object)?;
    let words = &words;
    count(plan, Counted::Assembled { words, text }, sizes)
}

fn count(plan: &Plan, counted: Counted, sizes: &Sizes) -> Result<Cost, VerifyError> {
    let mut cells = Vec::new();
    for scenario in Scenario::of(plan.op()) {
        for size in sizes.iter() {
            for source_offset in scenario.source_offsets() {
                cells.extend((0..OFFSETS).map(|destination_offset| Cell {
                    scenario: *scenario,
                    size,
                    source_offset,
                    destination_offset,
                    counts: Counts::default(),
                }));
            }
        }
    }
    let calls: Vec<_> = cells.iter().map(Cell::call).collect();
    let (code_bytes, counts) = count_calls(plan, counted, &calls)?;
    for (cell, counts) in cells.iter_mut().zip(counts) {
        cell.counts = counts;
    }
    Ok(Cost {
        xlen: plan.isa().xlen,
        word_bytes: plan.word_bytes(),
        code_bytes,
        cells,
    })
}
