//! memgen makes memory routines for RISC-V from a specification, and proves the machine code.
//!
//! The way from flags to text is one straight line, a module for each stop:
//!
//! | stop | module | what happens |
//! |---|---|---|
//! | [`Spec`] | `spec` | what was asked, plain data |
//! | [`Plan`] | `plan` | everything decided: strategy, registers, blocks, thresholds |
//! | [`Program`] | `kernel` | instructions, labels, comments |
//! | text | `text`, `render` | lines, and the frame around them |
//! | proof | [`verify`] | the text assembled, its machine code executed over byte provenance |
//! | cost | [`cost`] | the same machine code, what it executes for each size and alignment |
//!
//! ```
//! use memgen::{Count, Spec};
//!
//! let spec = Spec { unroll: Count::Exactly(16), ..Spec::default() };
//! let text = memgen::generate(&spec).expect("16 words fit");
//! assert!(text.contains("memgen --op memcpy --unroll 16"));
//! ```
//!
//! Features: `verify` (assembling, proving and counting), `cli` (the command). Without them the library only generates.

#![forbid(unsafe_code)]

mod bound;
#[cfg(feature = "cli")]
pub mod cli;
mod compressed;
#[cfg(feature = "verify")]
pub mod cost;
mod inst;
mod isa;
mod kernel;
mod plan;
mod preset;
mod problem;
mod program;
mod reg;
mod render;
mod rust;
mod rust_frame;
mod settings;
mod spec;
mod spelling;
mod text;
mod values;
#[cfg(feature = "verify")]
pub mod verify;

pub use bound::WorkBound;
pub use compressed::compressed_bytes;
pub use inst::{Condition, Extend, ImmOp, Inst, Label, RegOp, Width};
pub use isa::Isa;
pub use kernel::lower;
pub use plan::{Block, NativeRegs, Plan, Registers, ShiftRegs, Strategy, Threshold};
pub use problem::{Problem, Problems};
pub use program::{Item, Program};
pub use reg::{Reg, RegSet};
pub use render::render;
pub use spec::{
    Count, Dialect, Emit, Misaligned, Op, OverRead, Preset, Shape, Small, Spec, Unaligned,
};
pub use text::listing;

/// The text of the file that `spec` asks for.
///
/// # Errors
/// Everything that is wrong with `spec`, at once.
pub fn generate(spec: &Spec) -> Result<String, Problems> {
    let plan = Plan::new(spec)?;
    let program = lower(&plan);
    Ok(render(spec, &plan, &program))
}
