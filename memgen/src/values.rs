//! The values that flags take: a name for each, one way to read and to write it.

use std::fmt;
use std::str::FromStr;

/// A count that the caller may leave to [`crate::Plan`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// Let the plan decide.
    #[default]
    Auto,
    /// Exactly this many.
    Exactly(u32),
}

impl From<u32> for Count {
    fn from(count: u32) -> Count {
        Count::Exactly(count)
    }
}

impl FromStr for Count {
    type Err = String;

    /// Parses `auto` or a decimal number.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Count::Auto),
            _ => text
                .parse()
                .map(Count::Exactly)
                .map_err(|_| "expected a number or `auto`".to_owned()),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Auto => f.write_str("auto"),
            Count::Exactly(count) => write!(f, "{count}"),
        }
    }
}

/// Defines a small flag enum once: its values, their names on the command line, `Display` and `FromStr`.
macro_rules! flag_values {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* #[cfg_attr(feature = "cli", value(name = $text))] $variant,)+
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($name::$variant => $text,)+ })
            }
        }

        impl FromStr for $name {
            type Err = String;

            /// Parses a value's name; the error lists all of them.
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err(format!("expected one of {}", [$(concat!("`", $text, "`")),+].join(", "))),
                }
            }
        }
    };
}

flag_values! {
    /// The routine.
    Op {
        /// Copy between blocks that do not overlap
        #[default]
        Memcpy = "memcpy",
        /// Copy between blocks that may overlap
        Memmove = "memmove",
        /// Fill with one byte
        Memset = "memset",
        /// Copy to user memory, which may fault
        CopyToUser = "copy_to_user",
        /// Copy from user memory, which may fault
        CopyFromUser = "copy_from_user",
        /// Fill user memory, which may fault, with zeros
        ClearUser = "clear_user",
    }
}

impl Op {
    /// Whether the routine touches user memory, where an access may fault and be recovered from.
    pub fn touches_user(self) -> bool {
        matches!(self, Op::CopyToUser | Op::CopyFromUser | Op::ClearUser)
    }

    /// Whether it fills, and loads nothing.
    pub fn fills(self) -> bool {
        matches!(self, Op::Memset | Op::ClearUser)
    }
}

flag_values! {
    /// A named starting point: what the flags that are left out stand for.
    Preset {
        /// What a kernel would merge: fast in a few KiB of code
        #[default]
        Default = "default",
        /// Fewest instructions, size no object
        Fastest = "fastest",
        /// Smallest code
        Small = "small",
        /// For hardware that does misaligned accesses at full speed
        FastMisaligned = "fast-misaligned",
        /// For zero-knowledge VMs: rv32im, fewest instructions
        Zkvm = "zkvm",
        /// The default in the linux dialect, t6 left alone
        Kernel = "kernel",
    }
}

flag_values! {
    /// The shape of the code as a whole.
    Shape {
        /// compact for the preset small, entered where registers and flags allow it, else stepped
        #[default]
        Auto = "auto",
        /// Computed jumps into straight code: fewest instructions
        Entered = "entered",
        /// Cursors that step, remainders by the bits of n: any word, budget and strategy
        Stepped = "stepped",
        /// Loops alone: the smallest code
        Compact = "compact",
    }
}

flag_values! {
    /// What happens when source and destination are not co-aligned.
    Unaligned {
        /// native where misaligned accesses are fast, else shift where the registers suffice, else bytes
        #[default]
        Auto = "auto",
        /// Byte by byte
        Bytes = "bytes",
        /// Aligned loads, two neighbouring words merged by shifts, aligned stores
        Shift = "shift",
        /// Misaligned word accesses; needs `--misaligned fast`
        Native = "native",
    }
}

flag_values! {
    /// What the hardware does with a misaligned access.
    Misaligned {
        /// It traps
        #[default]
        None = "none",
        /// It is emulated, or split at a price: avoided as if it trapped
        Slow = "slow",
        /// Full speed
        Fast = "fast",
    }
}

flag_values! {
    /// Whether a load may touch neighbours of the source block.
    OverRead {
        /// Only bytes of the block are loaded
        None = "none",
        /// A load may take in bytes that share an aligned word with a byte of the block
        #[default]
        Word = "word",
    }
}

flag_values! {
    /// How sizes below the bulk threshold, and what blocks leave over, are copied.
    Small {
        /// ladder
        #[default]
        Auto = "auto",
        /// Loops: the smallest code
        Loop = "loop",
        /// Falling ladder of 8, 4, 2, 1 pieces, each behind one bit test of n
        Ladder = "ladder",
        /// Computed jump into a ladder of single bytes; words of a block by the falling ladder
        Jump = "jump",
    }
}

flag_values! {
    /// What is written.
    Emit {
        /// An assembly file
        #[default]
        Asm = "asm",
        /// A portable Rust kernel, for any target
        Rust = "rust",
        /// A naked Rust function that holds the assembly
        RustAsm = "rust-asm",
        /// An ELF object
        Obj = "obj",
    }
}

flag_values! {
    /// The frame of the assembly file.
    Dialect {
        /// GNU as and LLVM
        #[default]
        Gnu = "gnu",
        /// The Linux kernel's arch/riscv/lib
        Linux = "linux",
    }
}

flag_values! {
    /// Which block of a user copy is user memory.
    UserMemory {
        /// The one that the operation names
        #[default]
        Named = "named",
        /// Both, for one routine that serves either direction
        Both = "both",
    }
}

flag_values! {
    /// What a user copy's return value says after a fault; always: bytes reported as copied are right.
    Fault {
        /// Every byte before the first that cannot be accessed is copied and reported, nothing behind is stored to
        #[default]
        Exact = "exact",
        /// If one byte could be copied, one is reported; bytes of dst behind the reported ones may have been stored to
        AtLeastOne = "at-least-one",
        /// Progress is reported by blocks; bytes of dst behind the reported ones may have been stored to
        Coarse = "coarse",
    }
}

flag_values! {
    /// What a user copy returns.
    FaultStyle {
        /// The bytes that were not copied
        #[default]
        Count = "count",
        /// 0, or -EFAULT after any fault
        Efault = "efault",
    }
}

flag_values! {
    /// Whether a user copy sets sstatus.SUM on entry and clears it on every exit.
    Sum {
        /// The caller holds it, or needs none
        #[default]
        Off = "off",
        /// The routine does
        On = "on",
    }
}
