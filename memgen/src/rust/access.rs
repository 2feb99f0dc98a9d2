//! How a kernel reads, writes and shifts: the macros and functions inside it, so that the file stays one item.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::format_ident;
use tera::{Context, Value};

use super::Kernel;
use crate::plan::Strategy;
use crate::render::render_template;
use crate::spec::Op;

/// Architectures whose `asm!` is stable since Rust 1.88 or before.
const WITH_ASM: [&str; 8] = [
    "aarch64",
    "arm",
    "loongarch64",
    "riscv32",
    "riscv64",
    "s390x",
    "x86",
    "x86_64",
];

/// The unsigned integer of `bytes` bytes.
pub(super) fn integer(bytes: u32) -> Ident {
    format_ident!("u{}", bytes * 8)
}

impl Kernel<'_> {
    /// The type of a word.
    pub(super) fn word(self) -> Ident {
        integer(self.plan.word_bytes())
    }

    /// The text of everything that the routine calls.
    pub(super) fn helpers(self) -> String {
        let arches: Vec<String> = WITH_ASM
            .iter()
            .map(|arch| format!("target_arch = \"{arch}\""))
            .collect();
        let mut context = Context::new();
        context.insert("loads", &(self.plan.op != Op::Memset));
        context.insert("misaligned", &(self.plan.strategy == Strategy::Native));
        context.insert("with_asm", &arches.join(",\n            "));
        context.insert("word", &self.word().to_string());
        context.insert("shifts", &self.shifts());
        context.insert("splat", &self.splat());
        render_template("access.rs", &context)
    }

    /// For a fill of words: the number whose bytes are all 1, and the shifts that double a filled part.
    fn splat(self) -> Option<Value> {
        let word_bytes = self.plan.word_bytes();
        (self.plan.op == Op::Memset && word_bytes > 1).then(|| {
            let ones: String = (0..word_bytes).map(|_| "01").collect();
            let doublings: Vec<u32> = (0..word_bytes.ilog2()).map(|power| 8 << power).collect();
            let entries = [
                ("ones", Value::from(format!("0x{ones}"))),
                ("doublings", Value::from(doublings)),
            ];
            Value::from(BTreeMap::from(entries))
        })
    }

    /// The two shifts in the order of addresses, whichever end of a number comes first in memory: a lower address is a lower
    /// bit of a little-endian number.
    fn shifts(self) -> Vec<Value> {
        if self.plan.strategy != Strategy::Shift {
            return Vec::new();
        }
        let (right, left) = ((">>", "wrapping_shr"), ("<<", "wrapping_shl"));
        [
            ("earlier", "lower", right, left),
            ("later", "higher", left, right),
        ]
        .map(|(name, to, little, big)| {
            let entries = [
                ("name", name),
                ("to", to),
                ("little", little.0),
                ("little_by", little.1),
                ("big", big.0),
                ("big_by", big.1),
            ];
            Value::from(BTreeMap::from(entries))
        })
        .into()
    }
}
