//! What was asked: plain data, no rules. One field per flag, and the line that gives the flags back.

use std::fmt;

pub use crate::values::{
    Count, Dialect, Emit, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small, Sum,
    Unaligned, UserMemory,
};

/// One memory routine as asked for. `Default` is `memgen` without any flag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Spec {
    /// Routine to make
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = ROUTINE))]
    pub op: Op,

    /// Starting point; every flag may override it
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = ROUTINE))]
    pub preset: Preset,

    /// Register width in bits, 32 or 64 [default: that of --isa, else 64]
    #[cfg_attr(feature = "cli", arg(long, value_name = "BITS", help_heading = ROUTINE))]
    pub xlen: Option<u32>,

    /// Base and extensions that may be used, as for -march: rv64i, rv32imac_zbb [default: rv{xlen}i]
    #[cfg_attr(feature = "cli", arg(long, value_name = "ISA", help_heading = ROUTINE))]
    pub isa: Option<String>,

    /// Shape of the code as a whole
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = SHAPE))]
    pub shape: Shape,

    /// Widest access in bytes: 1, 2, 4, 8 [default: xlen / 8]
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", help_heading = SHAPE))]
    pub word: Option<u32>,

    /// Words per iteration of the aligned loop, any number whose block fits a 12-bit immediate
    #[cfg_attr(feature = "cli", arg(long, value_name = "WORDS", default_value_t, help_heading = SHAPE))]
    pub unroll: Count,

    /// Words per iteration of the shift-merge loop; auto follows --unroll up to 8
    #[cfg_attr(feature = "cli", arg(long, value_name = "WORDS", default_value_t, help_heading = SHAPE))]
    pub shift_unroll: Count,

    /// Data registers in flight; auto takes every caller-saved register that is left
    #[cfg_attr(feature = "cli", arg(long, value_name = "COUNT", default_value_t, help_heading = SHAPE))]
    pub regs: Count,

    /// What happens when source and destination differ modulo the word
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = SHAPE))]
    pub unaligned: Unaligned,

    /// What the hardware does with misaligned accesses [default: none; preset fast-misaligned: fast]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = SHAPE))]
    pub misaligned: Option<Misaligned>,

    /// May a load touch neighbours inside the aligned word? [default: word]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = SHAPE))]
    pub overread: Option<OverRead>,

    /// How small sizes and remainders are copied
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = SHAPE))]
    pub small: Small,

    /// Registers that must not be touched, by comma: t6,a7
    #[cfg_attr(feature = "cli", arg(long, value_name = "REGISTERS", value_delimiter = ',', help_heading = SHAPE))]
    pub avoid: Vec<String>,

    /// Bytes that cbo.zero clears on this core: memset of 0 then clears by such blocks; needs zicboz
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", help_heading = SHAPE))]
    pub zero_block: Option<u32>,

    /// Prefetches so many bytes ahead, once an iteration of a copy's block loop; needs zicbop
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", help_heading = SHAPE))]
    pub prefetch: Option<u32>,

    /// Which block of a user copy is user memory [default: named]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = USER))]
    pub user: Option<UserMemory>,

    /// What the returned count says after a fault [default: exact]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = USER))]
    pub fault: Option<Fault>,

    /// What is returned after a fault [default: count]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = USER))]
    pub fault_style: Option<FaultStyle>,

    /// Section for the pairs of faulting and recovering address [default: __ex_table]; gnu and Rust
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help_heading = USER))]
    pub fault_table: Option<String>,

    /// Set sstatus.SUM on entry, clear it on every exit? [default: off; linux: on]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = USER))]
    pub sum: Option<Sum>,

    /// Kernel release whose exception table and macros a user copy is written for [default: 6.1]; linux dialect
    #[cfg_attr(feature = "cli", arg(long, value_name = "RELEASE", help_heading = USER))]
    pub linux: Option<String>,

    /// What to write
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, help_heading = FRAME))]
    pub emit: Emit,

    /// Frame of the assembly file [default: gnu; preset kernel: linux]
    #[cfg_attr(feature = "cli", arg(long, value_enum, help_heading = FRAME))]
    pub dialect: Option<Dialect>,

    /// Name of the routine [default: the operation; linux: as arch/riscv calls it]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help_heading = FRAME))]
    pub symbol: Option<String>,

    /// Section that holds the routine [default: .text]; gnu and Rust
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help_heading = FRAME))]
    pub section: Option<String>,

    /// SPDX licence expression for the first line [default: none; linux: GPL-2.0-only]
    #[cfg_attr(feature = "cli", arg(long, value_name = "LICENCE", help_heading = FRAME))]
    pub spdx: Option<String>,

    /// Adds the __pi_ alias for early boot code; linux dialect
    #[cfg_attr(feature = "cli", arg(long, help_heading = FRAME))]
    pub pi_alias: bool,
}

#[cfg(feature = "cli")]
const ROUTINE: &str = "Routine";
#[cfg(feature = "cli")]
const SHAPE: &str = "Shape of the code";
#[cfg(feature = "cli")]
const USER: &str = "User memory";
#[cfg(feature = "cli")]
const FRAME: &str = "Frame of the file";

impl Spec {
    /// Every flag with its value, in the order of `--help`; `None` for a flag that stands at its default.
    pub fn settings(&self) -> Vec<(&'static str, Option<String>)> {
        fn unless_default<T: fmt::Display + PartialEq + Default>(value: &T) -> Option<String> {
            (*value != T::default()).then(|| value.to_string())
        }
        let avoid = (!self.avoid.is_empty()).then(|| self.avoid.join(","));
        vec![
            ("op", Some(self.op.to_string())),
            ("preset", unless_default(&self.preset)),
            ("xlen", self.xlen.map(|bits| bits.to_string())),
            ("isa", self.isa.clone()),
            ("shape", unless_default(&self.shape)),
            ("word", self.word.map(|bytes| bytes.to_string())),
            ("unroll", unless_default(&self.unroll)),
            ("shift-unroll", unless_default(&self.shift_unroll)),
            ("regs", unless_default(&self.regs)),
            ("unaligned", unless_default(&self.unaligned)),
            ("misaligned", self.misaligned.map(|what| what.to_string())),
            ("overread", self.overread.map(|allowed| allowed.to_string())),
            ("small", unless_default(&self.small)),
            ("avoid", avoid),
            ("zero-block", self.zero_block.map(|bytes| bytes.to_string())),
            ("prefetch", self.prefetch.map(|bytes| bytes.to_string())),
            ("user", self.user.map(|blocks| blocks.to_string())),
            ("fault", self.fault.map(|strength| strength.to_string())),
            (
                "fault-style",
                self.fault_style.map(|style| style.to_string()),
            ),
            ("fault-table", self.fault_table.clone()),
            ("sum", self.sum.map(|held| held.to_string())),
            ("linux", self.linux.clone()),
            ("emit", unless_default(&self.emit)),
            ("dialect", self.dialect.map(|frame| frame.to_string())),
            ("symbol", self.symbol.clone()),
            ("section", self.section.clone()),
            ("spdx", self.spdx.clone()),
            ("pi-alias", self.pi_alias.then(|| "true".to_owned())),
        ]
    }

    /// The command that makes this routine, in canonical order, quoted for a POSIX shell:
    /// `memgen --op memcpy --unroll 16`. Parsing it gives this Spec back.
    pub fn command_line(&self) -> String {
        let mut line = "memgen".to_owned();
        for (flag, value) in self.settings() {
            let Some(value) = value else { continue };
            line += &format!(" --{flag}");
            if flag != "pi-alias" {
                // A NUL, the one thing that cannot be quoted, is refused with the flags it may come in.
                let quoted = shlex::try_quote(&value).unwrap_or_default();
                line += &format!(" {quoted}");
            }
        }
        line
    }
}

/// `key = value`, one setting a line, `auto` or `default` where nothing was asked.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (flag, value) in self.settings() {
            writeln!(f, "{flag:<13} {}", value.as_deref().unwrap_or("(default)"))?;
        }
        Ok(())
    }
}
