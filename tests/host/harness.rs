//! Runs kernels on real memory between guard pages. A crate of its own to the program that `program.rs` builds around the kernels,
//! and a module of the test, so that cargo checks it as it checks the rest.

mod arena;
mod copies;
mod fills;
mod overlaps;
mod trap;

use std::process::ExitCode;

use arena::{Arena, canary, pattern};

/// Copies `n` bytes, as memcpy and memmove do.
pub type Copy = unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8;
/// Fills `n` bytes, as memset does.
pub type Fill = unsafe extern "C" fn(*mut u8, i32, usize) -> *mut u8;

/// A kernel and what it promises.
pub struct Kernel {
    /// What messages call it.
    pub name: &'static str,
    /// It makes no misaligned access.
    pub strict: bool,
    /// It moves blocks of up to 300 bytes by every distance at which they overlap; others do so up to 64 bytes.
    pub thorough: bool,
    /// The function.
    pub routine: Routine,
}

/// A function by what it does.
pub enum Routine {
    /// Blocks that do not overlap.
    Memcpy(Copy),
    /// Any two blocks.
    Memmove(Copy),
    /// One block.
    Memset(Fill),
}

/// The two blocks of memory that all cases take place in.
struct Bench {
    source: Arena,
    target: Arena,
    calls: u64,
}

/// What a case found, the call left out.
type Verdict = Result<(), String>;

/// Every size up to 300 bytes, and larger ones on both sides of powers of two.
fn sizes() -> impl Iterator<Item = usize> {
    const LARGE: [usize; 17] = [
        383, 384, 511, 512, 513, 1000, 1023, 1024, 1025, 1500, 2047, 2048, 2049, 4095, 4096, 4097,
        8200,
    ];
    (0..=300).chain(LARGE)
}

/// Pointers that nothing may be read from or written to.
fn wild_pointers() -> [*mut u8; 6] {
    let anywhere = [0, 1, 7, usize::MAX / 2, usize::MAX - 8, usize::MAX];
    anywhere.map(std::ptr::without_provenance_mut)
}

/// Runs one kernel through all its cases.
fn check(kernel: &Kernel, bench: &mut Bench) -> Verdict {
    match kernel.routine {
        Routine::Memcpy(copy) => copies::check(bench, copy),
        Routine::Memmove(copy) => {
            copies::check(bench, copy)?;
            overlaps::check(bench, copy, kernel.thorough)
        }
        Routine::Memset(fill) => fills::check(bench, fill),
    }
}

/// Runs the kernel that the command line names, or all; prints what each got wrong first, and counts.
pub fn run(kernels: &[Kernel]) -> ExitCode {
    trap::catch();
    let named = std::env::args().nth(1);
    let mut bench = Bench {
        source: Arena::new(pattern),
        target: Arena::new(canary),
        calls: 0,
    };
    let (mut run, mut wrong) = (0, 0);
    for kernel in kernels {
        if named.as_deref().is_some_and(|name| name != kernel.name) {
            continue;
        }
        run += 1;
        trap::enter(kernel);
        if let Err(what) = check(kernel, &mut bench) {
            println!("{}: {what}", trap::call());
            wrong += 1;
            bench.source.restore();
            bench.target.restore();
        }
    }
    println!("{run} kernels, {wrong} wrong, {} calls", bench.calls);
    ExitCode::from(u8::from(wrong != 0 || run == 0))
}
