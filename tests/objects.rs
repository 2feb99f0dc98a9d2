//! Rust kernels compiled at every level: the machine code holds no call, whichever routine it would be a call to, and nothing of
//! what a compiler makes of a loop that it recognises.
//!
//! A few kernels are compiled in a plain run; with `MEMGEN_ALL_OBJECTS=1` every combination is.

#[path = "objects/functions.rs"]
mod functions;
#[path = "support/kernels.rs"]
mod kernels;
#[path = "objects/lto.rs"]
mod lto;
#[path = "objects/riscv.rs"]
mod riscv;
mod support;
#[path = "objects/x86.rs"]
mod x86;

use std::sync::LazyLock;
use std::time::Instant;

use functions::faults;
use kernels::{Kernel, made, published, together};
use memgen::verify::{Build, Compiler, OptLevel};
use rayon::prelude::*;
use support::announce;

pub(crate) const X86: &str = "x86_64-unknown-linux-gnu";
pub(crate) const RV64: &str = "riscv64gc-unknown-none-elf";
pub(crate) const RV32: &str = "riscv32imac-unknown-none-elf";
/// A multiplication is a call here.
const RV32I: &str = "riscv32i-unknown-none-elf";

/// Flags of the kernels that are compiled beside the published ones.
const SOME: [&str; 2] = ["--unroll 3", "--op memmove --xlen 32 --misaligned fast"];

/// The same where every combination is compiled.
const EVERY: [&str; 16] = [
    "--unroll 1",
    "--unroll 3 --small loop",
    "--unroll 24 --shift-unroll 3 --regs 5",
    "--unaligned bytes",
    "--word 2",
    "--word 1",
    "--misaligned fast",
    "--xlen 32 --unroll 7 --small loop",
    "--xlen 32 --misaligned fast --unroll 2",
    "--op memmove --unroll 3",
    "--op memmove --preset small",
    "--op memmove --misaligned fast --small loop",
    "--op memmove --xlen 32 --misaligned fast",
    "--op memset --unroll 3 --small loop",
    "--op memset --misaligned fast",
    "--op memset --xlen 32 --preset small",
];

/// One for all tests, for the sake of the mini-cores it keeps.
pub(crate) static COMPILER: LazyLock<Compiler> =
    LazyLock::new(|| Compiler::new(None, None).unwrap_or_else(|error| panic!("{error}")));

/// Whether every combination is compiled.
pub(crate) fn all() -> bool {
    std::env::var_os("MEMGEN_ALL_OBJECTS").is_some_and(|value| value == "1")
}

fn build(target: &str, level: OptLevel, unaligned_access: bool) -> Build {
    Build {
        target: target.to_owned(),
        level,
        unaligned_access,
    }
}

/// Compiles `kernels` in one go for each level on `target`; gives what is wrong, one line each.
fn check(kernels: &[&Kernel], target: &str) -> Vec<String> {
    let symbols: Vec<&str> = kernels
        .iter()
        .map(|kernel| kernel.symbol.as_str())
        .collect();
    let text = together(kernels);
    let faults = OptLevel::ALL.par_iter().flat_map_iter(|level| {
        let build = build(target, *level, !is_strict(kernels[0]));
        let object = COMPILER
            .object(&text, &build)
            .unwrap_or_else(|error| panic!("{error}"));
        let about = move |fault| format!("{build}: {fault}");
        faults(&object, &symbols).into_iter().map(about)
    });
    faults.collect()
}

fn is_strict(kernel: &Kernel) -> bool {
    memgen::Plan::new(&kernel.asked).unwrap().is_strict()
}

#[test]
fn kernels_hold_no_call() {
    let started = Instant::now();
    let flags: &[&str] = if all() { &EVERY } else { &SOME };
    let kernels: Vec<Kernel> = published().into_iter().chain(made(flags)).collect();
    let mut faults = Vec::new();
    for strict in [true, false] {
        for target in [X86, RV64, RV32, RV32I] {
            let fits = |kernel: &&Kernel| {
                let xlen = memgen::Plan::new(&kernel.asked).unwrap().isa().xlen;
                let runs = match target {
                    RV64 => xlen == 64,
                    RV32 | RV32I => xlen == 32,
                    _ => true,
                };
                runs && is_strict(kernel) == strict
            };
            let some: Vec<&Kernel> = kernels.iter().filter(fits).collect();
            if !some.is_empty() {
                faults.extend(check(&some, target));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    announce(&format!(
        "objects: {} kernels at {} levels hold no call, {:.1} s",
        kernels.len(),
        OptLevel::ALL.len(),
        started.elapsed().as_secs_f64()
    ));
}

/// Loops as anyone would write them, which a compiler makes calls or vectors of: the checks above do notice.
#[test]
fn plain_loops_are_noticed() {
    const COPY: &str = "\
#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn copy(to: &mut [u64; 99], from: &[u64; 99]) {
    let mut index = 0;
    while index != 99 {
        to[index] = from[index];
        index = index.wrapping_add(1);
    }
}
";
    const FILL: &str = "\
#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn fill(to: *mut u8, value: i32, bytes: usize) {
    let mut at = to;
    while at != to.wrapping_add(bytes) {
        unsafe { *core::mem::transmute::<*mut u8, &mut u8>(at) = value as u8 };
        at = at.wrapping_add(1);
    }
}
";
    const VECTORS: &str = "\
#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn copy(to: *mut u64, from: *const u64, words: usize) {
    let mut index = 0;
    while index != words {
        unsafe { *core::mem::transmute::<*mut u64, &mut u64>(to.wrapping_add(index)) =
            *core::mem::transmute::<*const u64, &u64>(from.wrapping_add(index)) };
        index = index.wrapping_add(1);
    }
}
";
    for (text, symbol, target, fault) in [
        (COPY, "copy", X86, "against memcpy"),
        (FILL, "fill", X86, "against memset"),
        (FILL, "fill", RV64, "against memset"),
        (FILL, "fill", RV32, "against memset"),
        (VECTORS, "copy", X86, "vector register"),
    ] {
        let object = COMPILER
            .object(text, &build(target, OptLevel::Three, false))
            .unwrap_or_else(|error| panic!("{error}"));
        let found = faults(&object, &[symbol]);
        assert!(
            found.iter().any(|line| line.contains(fault)),
            "{target}, {symbol}: {found:?}"
        );
    }
}
