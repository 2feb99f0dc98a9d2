//! What goes around the instructions: the symbol's name, and flags of the frame that must agree.

use crate::problem::Problems;
use crate::spec::{Dialect, Emit, Op, Spec};

/// The routine's name, checked against what both assemblers and Rust take.
pub(super) fn symbol(spec: &Spec, problems: &mut Problems) -> String {
    let default = match (spec.emit, spec.frame()) {
        // As arch/riscv/lib/uaccess.S names them.
        (Emit::Asm | Emit::Obj, Dialect::Linux) => match spec.op {
            Op::CopyToUser | Op::CopyFromUser => format!("__asm_{}", spec.op),
            _ => format!("__{}", spec.op),
        },
        _ => spec.op.to_string(),
    };
    let symbol = spec.symbol.clone().unwrap_or(default);
    let starts_well = symbol.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = symbol
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !starts_well || !plain {
        problems.add(
            "symbol",
            format!("`{symbol}` is no symbol: letters, digits and underscores, no digit first"),
            format!("leave it out for `{}`", spec.op),
        );
    }
    symbol
}

/// Flags of the frame that contradict each other.
pub(super) fn check(spec: &Spec, problems: &mut Problems) {
    let linux = spec.frame() == Dialect::Linux;
    if linux && matches!(spec.emit, Emit::Rust | Emit::RustAsm) {
        problems.add(
            "dialect",
            format!(
                "linux is a frame for .S files, --emit {} writes Rust",
                spec.emit
            ),
            "leave out --dialect",
        );
    }
    if linux && spec.section.is_some() {
        problems.add(
            "section",
            "the linux dialect's SYM_FUNC_START does not choose a section",
            "leave out --section, or use --dialect gnu",
        );
    }
    if spec.pi_alias && !linux {
        problems.add(
            "pi-alias",
            "__pi_ aliases belong to the linux dialect",
            "add --dialect linux",
        );
    }
    let one_line =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() || c == ' ');
    if spec
        .spdx
        .as_deref()
        .is_some_and(|spdx| !one_line(spdx) || spdx.contains("*/"))
    {
        problems.add(
            "spdx",
            "not a licence expression of one line",
            "for example --spdx 'MIT OR Apache-2.0'",
        );
    }
    let section = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-$".contains(c))
    };
    let sections = [
        ("section", &spec.section, "--section .text.memcpy"),
        ("fault-table", &spec.fault_table, "--fault-table __ex_table"),
    ];
    for (flag, name, example) in sections {
        if name.as_deref().is_some_and(|name| !section(name)) {
            problems.add(
                flag,
                "not a section name: letters, digits, dot, underscore, dash and dollar",
                format!("for example {example}"),
            );
        }
    }
}
