//! Accesses to user memory: which may fault, what is said afterwards, how the kernel finds the way back.

use crate::problem::Problems;
use crate::spec::{Dialect, Emit, Fault, FaultStyle, Op, Spec, Sum, UserMemory};

/// What a routine does about faults. A `Plan` has it if its operation touches user memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserAccess {
    /// Whether loads of the source may fault.
    pub source: bool,
    /// Whether stores to the destination may fault.
    pub destination: bool,
    /// What is done after a fault.
    pub recovery: Recovery,
    /// Whether the routine sets SUM on entry and clears it on every exit.
    pub sets_sum: bool,
    /// How entries are written.
    pub table: FaultTable,
}

/// What is done after a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recovery {
    /// Copy on byte by byte until that faults too; return the bytes left.
    Exact,
    /// Try one byte; return the bytes left.
    AtLeastOne,
    /// Return the bytes left.
    Coarse,
    /// Return -EFAULT.
    Efault,
}

/// How an entry says which instruction may fault and where execution then goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FaultTable {
    /// Two 32-bit distances from the entry's own fields, in a section of this name.
    Pairs(String),
    /// Linux since 5.17: the same in `__ex_table`, then two 16-bit fields, type and data (arch/riscv/include/asm/asm-extable.h).
    Typed(Release),
    /// Linux before: two addresses (arch/riscv/lib/uaccess.S of 5.10).
    Addresses(Release),
}

/// A release of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release {
    /// 6 of 6.1.
    pub major: u32,
    /// 1 of 6.1.
    pub minor: u32,
}

impl Release {
    /// The one that is written for where none is named.
    const DEFAULT: Release = Release { major: 6, minor: 1 };

    /// The first whose linkage.h has SYM_FUNC_START.
    const SYMBOL_MACROS: Release = Release { major: 5, minor: 5 };

    /// The first with relative exception tables.
    const RELATIVE: Release = Release {
        major: 5,
        minor: 17,
    };

    /// The first whose linkage.h has SYM_FUNC_ALIAS.
    const ALIASES: Release = Release {
        major: 5,
        minor: 18,
    };

    /// The first whose linux/export.h may be included by assembly.
    pub(crate) const EXPORTS: Release = Release { major: 6, minor: 5 };

    /// Reads `6.1`, `6.1.90`.
    fn read(text: &str) -> Option<Release> {
        let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
        let (major, minor) = (parts.next()??, parts.next()??);
        parts
            .all(|part| part.is_some())
            .then_some(Release { major, minor })
    }
}

impl UserAccess {
    /// Decides for `spec`; `None` if the operation touches no user memory, where none of its flags may be given.
    pub(super) fn new(spec: &Spec, problems: &mut Problems) -> Option<UserAccess> {
        if !spec.op.touches_user() {
            refuse_user_flags(spec, problems);
            return None;
        }
        refuse_other_flags(spec, problems);
        let both = spec.user == Some(UserMemory::Both);
        Some(UserAccess {
            source: spec.op != Op::ClearUser && (spec.op == Op::CopyFromUser || both),
            destination: spec.op != Op::CopyFromUser || both,
            recovery: match (spec.fault_style, spec.fault) {
                (Some(FaultStyle::Efault), _) => Recovery::Efault,
                (_, Some(Fault::AtLeastOne)) => Recovery::AtLeastOne,
                (_, Some(Fault::Coarse)) => Recovery::Coarse,
                _ => Recovery::Exact,
            },
            sets_sum: spec.clears_sum(),
            table: table(spec, problems),
        })
    }

    /// Whether both blocks of a copy are user memory.
    pub fn both(&self) -> bool {
        self.source && self.destination
    }
}

impl Spec {
    /// Whether a routine for user memory sets and clears SUM: as asked for; a kernel expects it.
    pub(super) fn clears_sum(&self) -> bool {
        let left_open = match self.frame() {
            Dialect::Linux => Sum::On,
            Dialect::Gnu => Sum::Off,
        };
        self.op.touches_user() && self.sum.unwrap_or(left_open) == Sum::On
    }
}

impl Recovery {
    /// What is known after a fault, one line.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Recovery::Exact => {
                "exact: goes up to the first byte that faults, stores nothing behind it"
            }
            Recovery::AtLeastOne => {
                "at-least-one: what counts as done is, one byte at least if it can be"
            }
            Recovery::Coarse => "coarse: what counts as done is, counted by blocks",
            Recovery::Efault => "efault: all is done, or -EFAULT returned",
        }
    }
}

/// A flag of user copies given to another operation is a mistake.
fn refuse_user_flags(spec: &Spec, problems: &mut Problems) {
    let given = [
        ("user", spec.user.is_some()),
        ("fault", spec.fault.is_some()),
        ("fault-style", spec.fault_style.is_some()),
        ("fault-table", spec.fault_table.is_some()),
        ("sum", spec.sum.is_some()),
        ("linux", spec.linux.is_some()),
    ];
    for (flag, _) in given.into_iter().filter(|(_, given)| *given) {
        problems.add(
            flag,
            format!("{} touches no user memory", spec.op),
            "use --op copy_to_user, copy_from_user or clear_user, or leave the flag out",
        );
    }
}

/// What does not go with user memory, or not together.
fn refuse_other_flags(spec: &Spec, problems: &mut Problems) {
    if spec.emit == Emit::Rust {
        problems.add(
            "emit",
            "rust cannot say where execution goes on after a fault",
            "use --emit asm, rust-asm or obj",
        );
    }
    if spec.op == Op::ClearUser && spec.user.is_some() {
        problems.add(
            "user",
            "clear_user has one block, and that is user memory",
            "leave the flag out",
        );
    }
    if let (Some(FaultStyle::Efault), Some(strength)) = (spec.fault_style, spec.fault) {
        problems.add(
            "fault",
            format!("{strength} speaks of the count, --fault-style efault returns none"),
            "leave out one of the two",
        );
    }
    if spec.op == Op::ClearUser && spec.zero_block.is_some() {
        problems.add(
            "zero-block",
            "clear_user says to the byte where it stopped, cbo.zero clears a block or faults",
            "leave the flag out",
        );
    }
    if spec.pi_alias && spec.frame() == Dialect::Linux {
        problems.add(
            "pi-alias",
            "early boot code has no user memory",
            "leave the flag out",
        );
    }
}

/// The form of the table, and what is wrong with the flags that choose it.
fn table(spec: &Spec, problems: &mut Problems) -> FaultTable {
    let linux = spec.frame() == Dialect::Linux;
    if !linux {
        if spec.linux.is_some() {
            problems.add(
                "linux",
                "a kernel release decides about the linux dialect alone",
                "add --dialect linux, or leave the flag out",
            );
        }
        let name = spec.fault_table.as_deref().unwrap_or("__ex_table");
        return FaultTable::Pairs(name.to_owned());
    }
    if spec.fault_table.is_some() {
        problems.add(
            "fault-table",
            "the kernel collects its entries in __ex_table",
            "leave out --fault-table, or use --dialect gnu",
        );
    }
    let Some(text) = &spec.linux else {
        return FaultTable::Typed(Release::DEFAULT);
    };
    let Some(release) = Release::read(text) else {
        problems.add(
            "linux",
            format!("`{text}` is no kernel release"),
            "for example --linux 6.1",
        );
        return FaultTable::Typed(Release::DEFAULT);
    };
    if release < Release::SYMBOL_MACROS {
        problems.add(
            "linux",
            format!("{text} has no SYM_FUNC_START, which came with 5.5"),
            "use --linux 5.5 or later",
        );
    } else if spec.user == Some(UserMemory::Both) && release < Release::ALIASES {
        problems.add(
            "user",
            format!(
                "both needs a second symbol, {text} has no SYM_FUNC_ALIAS, which came with 5.18"
            ),
            "use --linux 5.18 or later, or leave out --user",
        );
    }
    if release < Release::RELATIVE {
        FaultTable::Addresses(release)
    } else {
        FaultTable::Typed(release)
    }
}
