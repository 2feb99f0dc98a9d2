//! memgen makes memory routines from a specification, as RISC-V assembly or portable Rust, and proves the machine code.
//!
//! There are three ways to use it, and one [`Spec`] behind them. By the **command**, which `memgen --help` explains:
//!
//! ```sh
//! memgen --op memcpy --unroll 16 --xlen 64 > memcpy.S
//! ```
//!
//! By a [`Builder`] in a **build script**, for the target that cargo builds for:
//!
//! ```no_run
//! use memgen::{Builder, Op};
//!
//! // `include!(concat!(env!("OUT_DIR"), "/fast_copy.rs"));` in the crate takes it in.
//! Builder::from_cargo_env().op(Op::Memcpy).unroll(16).symbol("fast_copy").emit("fast_copy.rs");
//! ```
//!
//! By an **attribute** of the crate `memgen-macros` on a declared function, assembly on its target and portable Rust elsewhere:
//!
//! ```ignore
//! #[memcpy_variant(unroll = 16, xlen = 64, unaligned = "shift")]
//! pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
//! ```
//!
//! A program that wants the text itself asks for it:
//!
//! ```
//! use memgen::{Count, Spec};
//!
//! let spec = Spec { unroll: Count::Exactly(16), ..Spec::default() };
//! let text = memgen::generate(&spec).expect("16 words fit");
//! assert!(text.contains("memgen --op memcpy --unroll 16"));
//! ```
//!
//! ## The way from flags to text
//!
//! It is one straight line, a module for each stop:
//!
//! | stop | module | what happens |
//! |---|---|---|
//! | [`Spec`] | `spec` | what was asked, plain data |
//! | [`Plan`] | `plan` | everything decided: strategy, registers, blocks, thresholds |
//! | [`Program`] | `kernel` | instructions, labels, comments |
//! | Rust | `rust` | the same decisions as portable Rust, where that is asked for |
//! | text | `text`, `render` | lines, and the frame around them |
//! | proof | `verify` | the text assembled, its machine code executed over byte provenance |
//! | cost | `cost` | the same machine code, what it executes for each size and alignment |
//!
//! Features: `verify` (assembling, proving and counting), `cli` (the command). Without them the library only generates, which is all that
//! a build script needs: `memgen = { version = "0.1", default-features = false }`.

#![forbid(unsafe_code)]

mod bound;
mod builder;
#[cfg(feature = "cli")]
pub mod cli;
mod compressed;
#[cfg(feature = "verify")]
pub mod cost;
mod file;
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
pub use builder::Builder;
pub use compressed::compressed_bytes;
pub use inst::{Condition, Extend, ImmOp, Inst, Label, RegOp, Width};
pub use isa::Isa;
pub use kernel::lower;
pub use plan::{
    Block, FaultTable, NativeRegs, Plan, Recovery, Registers, Release, ShiftRegs, Strategy,
    Threshold, UserAccess,
};
pub use problem::{Problem, Problems};
pub use program::{Item, Program};
pub use reg::{Reg, RegSet};
pub use render::render;
pub use spec::{
    Count, Dialect, Emit, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small, Spec,
    Sum, Unaligned, UserMemory,
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
