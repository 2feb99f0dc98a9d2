//! The door for build scripts: a [`Spec`] set up by methods, and its routine as a file below `OUT_DIR`.

mod file;
mod target;

use crate::problem::{Problem, Problems};
use crate::spec::{
    Count, Dialect, Emit, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small, Spec,
    Sum, Unaligned, UserMemory,
};

/// Makes a routine in a build script.
///
/// ```no_run
/// use memgen::{Builder, Op};
///
/// // In build.rs; in the crate: core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/memcpy.S")));
/// Builder::new().op(Op::Memcpy).unroll(16).xlen(64).emit("memcpy.S");
/// ```
///
/// Each setter is a flag of the `memgen` command, which `memgen --help` explains; what is not set stands at the flag's default.
/// Nothing is checked before [`Builder::generate`] or [`Builder::emit`], which then tell everything that is wrong at once.
///
/// ## Cargo
///
/// A builder prints no `cargo::` lines. Its output hangs on the script and on what cargo sets for it, and cargo runs the
/// script again by itself when either changes. It also does so whenever a file of the package changes, which a script without other input
/// can save itself:
///
/// ```
/// println!("cargo::rerun-if-changed=build.rs");
/// ```
///
/// Whether there is other input is for the script to know, so the builder does not print it.
#[derive(Clone, Debug, Default)]
#[must_use = "a builder makes nothing before `emit` or `generate`"]
pub struct Builder {
    spec: Spec,
    /// [`Builder::emit_as`] was called: a file's name no longer decides.
    emit_is_set: bool,
    /// The architecture that cargo builds for, if it is not RISC-V.
    foreign_arch: Option<String>,
    /// What was wrong with cargo's variables.
    misread: Problems,
}

impl Builder {
    /// The routine of `memgen` without any flag.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// What was asked so far.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What to make, in place of what the name of [`Builder::emit`]'s file says.
    pub fn emit_as(mut self, emit: Emit) -> Builder {
        self.spec.emit = emit;
        self.emit_is_set = true;
        self
    }

    /// The text of the routine: assembly, unless [`Builder::emit_as`] asked for Rust.
    ///
    /// # Errors
    /// Everything that is wrong, at once; `flag` of each problem is the setter's name with dashes, `emit` stands for `emit_as`.
    pub fn generate(&self) -> Result<String, Problems> {
        self.text(&self.spec)
    }

    /// The text for `spec`, which is the builder's own up to what is emitted.
    fn text(&self, spec: &Spec) -> Result<String, Problems> {
        let mut problems = self.misread.clone();
        if let (Some(arch), true) = (&self.foreign_arch, spec.emit != Emit::Rust) {
            problems.add(
                "emit",
                format!("{} does not go into a program for {arch}", spec.emit),
                "emit portable Rust, a .rs file, or emit where CARGO_CFG_TARGET_ARCH is riscv32 or riscv64",
            );
        }
        match crate::generate(spec) {
            Ok(text) => problems.stop().map(|()| text),
            Err(more) => {
                problems.extend(more);
                Err(problems)
            }
        }
    }
}

/// Starts from `spec`; a file's name still decides what [`Builder::emit`] makes as long as `spec.emit` stands at its default.
impl From<Spec> for Builder {
    fn from(spec: Spec) -> Builder {
        Builder {
            emit_is_set: spec.emit != Emit::default(),
            spec,
            ..Builder::default()
        }
    }
}

/// Defines a setter for each field: its name and type, and what is stored.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident($value:ident: $ty:ty) => $stored:expr;)+) => {
        impl Builder {
            $($(#[$doc])* pub fn $field(mut self, $value: $ty) -> Builder {
                self.spec.$field = $stored;
                self
            })+
        }
    };
}

setters! {
    /// Routine to make.
    op(op: Op) => op;

    /// Starting point: what the setters that are left out stand for.
    preset(preset: Preset) => preset;

    /// Register width in bits, 32 or 64.
    xlen(bits: u32) => Some(bits);

    /// Base and extensions that may be used, as for `-march`: `rv64i`, `rv32imac_zbb`. It fixes the register width.
    isa(isa: impl Into<String>) => Some(isa.into());

    /// Shape of the code as a whole.
    shape(shape: Shape) => shape;

    /// Widest access in bytes: 1, 2, 4, 8.
    word(bytes: u32) => Some(bytes);

    /// Words per iteration of the aligned loop.
    unroll(words: impl Into<Count>) => words.into();

    /// Words per iteration of the shift-merge loop.
    shift_unroll(words: impl Into<Count>) => words.into();

    /// Data registers in flight.
    regs(count: impl Into<Count>) => count.into();

    /// What happens when source and destination are not co-aligned.
    unaligned(unaligned: Unaligned) => unaligned;

    /// What the hardware does with misaligned accesses.
    misaligned(misaligned: Misaligned) => Some(misaligned);

    /// Whether a load may touch neighbours inside the aligned word.
    overread(overread: OverRead) => Some(overread);

    /// How small sizes and remainders are copied.
    small(small: Small) => small;

    /// Registers that must not be touched: `["t6", "a7"]`.
    avoid(registers: impl IntoIterator<Item = impl Into<String>>) => registers.into_iter().map(Into::into).collect();

    /// Bytes that cbo.zero clears: memset of 0 then clears by such blocks; needs zicboz.
    zero_block(bytes: u32) => Some(bytes);

    /// Bytes that a copy's block loop prefetches ahead; needs zicbop.
    prefetch(bytes: u32) => Some(bytes);

    /// Which block of a user copy is user memory.
    user(blocks: UserMemory) => Some(blocks);

    /// What a user copy's count says after a fault.
    fault(strength: Fault) => Some(strength);

    /// What a user copy returns after a fault.
    fault_style(style: FaultStyle) => Some(style);

    /// Section for the pairs of faulting and recovering address.
    fault_table(name: impl Into<String>) => Some(name.into());

    /// Whether a user copy sets and clears sstatus.SUM.
    sum(sum: Sum) => Some(sum);

    /// Kernel release that a user copy is written for, `6.1`; linux dialect.
    linux(release: impl Into<String>) => Some(release.into());

    /// Frame of the assembly file.
    dialect(dialect: Dialect) => Some(dialect);

    /// Name of the routine.
    symbol(name: impl Into<String>) => Some(name.into());

    /// Section that holds the routine.
    section(name: impl Into<String>) => Some(name.into());

    /// SPDX licence expression for the first line.
    spdx(licence: impl Into<String>) => Some(licence.into());

    /// Whether the `__pi_` alias for early boot code is added; linux dialect.
    pi_alias(wanted: bool) => wanted;
}

/// `problem` as a caller of the builder knows it: flags named as setters.
fn as_setter(problem: &Problem) -> Problem {
    problem.spelled(|flag| match flag {
        "emit" => "emit_as".to_owned(),
        flag => flag.replace('-', "_"),
    })
}

#[cfg(test)]
mod tests;
