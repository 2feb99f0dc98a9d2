//! The builds of a Rust kernel that are proven: machines to compile for, and how far rustc optimises.

use std::fmt;

use crate::plan::Plan;

/// How far rustc optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum OptLevel {
    /// Not at all, with the checks of a debug build
    #[cfg_attr(feature = "cli", value(name = "debug"))]
    Debug,
    /// -C opt-level=1
    #[cfg_attr(feature = "cli", value(name = "1"))]
    One,
    /// -C opt-level=2
    #[cfg_attr(feature = "cli", value(name = "2"))]
    Two,
    /// -C opt-level=3, as in a release build
    #[cfg_attr(feature = "cli", value(name = "3"))]
    Three,
    /// -C opt-level=s, for size
    #[cfg_attr(feature = "cli", value(name = "s"))]
    Size,
    /// -C opt-level=z, for size without loop vectorisation
    #[cfg_attr(feature = "cli", value(name = "z"))]
    SmallestSize,
}

impl OptLevel {
    /// Every level there is, from no optimisation up, those for size last.
    pub const ALL: [OptLevel; 6] = [
        OptLevel::Debug,
        OptLevel::One,
        OptLevel::Two,
        OptLevel::Three,
        OptLevel::Size,
        OptLevel::SmallestSize,
    ];

    /// The most stack, in bytes, that a kernel may use: nothing worth the name, unless every variable lives there.
    pub fn stack_bytes(self) -> u32 {
        match self {
            OptLevel::Debug => 32 * 1024,
            _ => 256,
        }
    }

    /// rustc's flags for it.
    pub fn flags(self) -> [&'static str; 4] {
        let level = match self {
            OptLevel::Debug => "opt-level=0",
            OptLevel::One => "opt-level=1",
            OptLevel::Two => "opt-level=2",
            OptLevel::Three => "opt-level=3",
            OptLevel::Size => "opt-level=s",
            OptLevel::SmallestSize => "opt-level=z",
        };
        let checks = match self {
            OptLevel::Debug => "debug-assertions=yes",
            _ => "debug-assertions=no",
        };
        ["-C", level, "-C", checks]
    }
}

/// `debug build`, `opt-level 3`.
impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OptLevel::Debug => "debug build",
            OptLevel::One => "opt-level 1",
            OptLevel::Two => "opt-level 2",
            OptLevel::Three => "opt-level 3",
            OptLevel::Size => "opt-level s",
            OptLevel::SmallestSize => "opt-level z",
        })
    }
}

/// One way to compile a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// What it is compiled for: a target of rustc's, such as `riscv64gc-unknown-none-elf`.
    pub target: String,
    /// How far rustc optimises.
    pub level: OptLevel,
    /// Whether rustc may count on misaligned accesses at full speed, and so keep a kernel's misaligned words in one piece. Only
    /// RISC-V targets ask.
    pub unaligned_access: bool,
}

impl Build {
    /// The targets that a kernel for registers of `xlen` bits (32 or 64) is proven for.
    pub fn targets(xlen: u32) -> [&'static str; 2] {
        match xlen {
            32 => ["riscv32imac-unknown-none-elf", "riscv32i-unknown-none-elf"],
            _ => ["riscv64gc-unknown-none-elf", "riscv64imac-unknown-none-elf"],
        }
    }

    /// The kernel of `plan` at `level` on `target`.
    pub fn new(plan: &Plan, target: &str, level: OptLevel) -> Build {
        Build {
            target: target.to_owned(),
            level,
            unaligned_access: !plan.is_strict(),
        }
    }

    /// rustc's flags for it, the target aside.
    pub(super) fn flags(&self) -> Vec<&'static str> {
        let mut flags = self.level.flags().to_vec();
        if self.unaligned_access && self.target.starts_with("riscv") {
            flags.extend(["-C", "target-feature=+unaligned-scalar-mem"]);
        }
        flags
    }
}

/// `riscv64gc-unknown-none-elf, opt-level 3`.
impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.target, self.level)
    }
}
