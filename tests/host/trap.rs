//! The call that is being made, for messages; and what becomes of a fault in it.

use std::ffi::c_int;
use std::fmt::Write;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use super::{Kernel, Routine};

static KERNEL: AtomicPtr<Kernel> = AtomicPtr::new(std::ptr::null_mut());
static DST: AtomicUsize = AtomicUsize::new(0);
/// Of a memset, the fill.
static SRC: AtomicUsize = AtomicUsize::new(0);
static N: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn alarm(seconds: u32) -> u32;
}
const FAULT: c_int = 11;
const MISALIGNED: c_int = if cfg!(target_os = "linux") { 7 } else { 10 };
const ABORT: c_int = 6;
const ILLEGAL: c_int = 4;
const ALARM: c_int = 14;
/// For each kernel; the slowest takes a few seconds.
const LIMIT_SECONDS: u32 = 60;

extern "C" fn fail(number: c_int) {
    trap_misaligned(false);
    let what = match number {
        FAULT => "an access outside of the blocks faulted",
        MISALIGNED => "a misaligned access",
        ALARM => "it did not come to an end",
        _ => "it aborted",
    };
    println!("{}: {what}", call());
    std::process::exit(1);
}

/// From here on a fault ends the program with a line about the call.
pub(crate) fn catch() {
    for number in [FAULT, MISALIGNED, ABORT, ILLEGAL, ALARM] {
        // SAFETY: the handler prints and ends the program; what it interrupts holds no lock, for it is a kernel.
        unsafe { signal(number, fail) };
    }
}

/// Says that calls are those of `kernel` from here on, which has a minute for them.
pub(crate) fn enter(kernel: &Kernel) {
    KERNEL.store(std::ptr::from_ref(kernel).cast_mut(), Relaxed);
    // SAFETY: its handler is there.
    unsafe { alarm(LIMIT_SECONDS) };
}

fn kernel() -> &'static Kernel {
    // SAFETY: kernels live as long as the program does, and one was entered.
    unsafe { &*KERNEL.load(Relaxed) }
}

/// The call that is being made or was made last.
pub(crate) fn call() -> String {
    let (dst, src, n) = (DST.load(Relaxed), SRC.load(Relaxed), N.load(Relaxed));
    let mut line = kernel().name.to_owned();
    let _ = match kernel().routine {
        Routine::Memset(_) => write!(line, ": n = {n}, dst = {dst:#x}, c = {src:#x}"),
        _ => write!(
            line,
            ": n = {n}, dst = {dst:#x}, src = {src:#x}, apart by {}",
            dst.wrapping_sub(src).cast_signed()
        ),
    };
    line
}

/// Makes a call that is known to [`call`]; misaligned accesses trap in it if the kernel is strict and the machine can. `second` is the
/// source's address, or the fill.
pub(crate) fn watch(
    dst: *mut u8,
    second: usize,
    n: usize,
    made: impl FnOnce() -> *mut u8,
) -> Result<(), String> {
    DST.store(dst.addr(), Relaxed);
    SRC.store(second, Relaxed);
    N.store(n, Relaxed);
    let strict = kernel().strict;
    trap_misaligned(strict);
    let returned = made();
    trap_misaligned(false);
    if returned == dst {
        Ok(())
    } else {
        Err(format!("returned {returned:?}"))
    }
}

/// Sets or clears the flag by which an x86-64 processor faults on misaligned accesses. Elsewhere the proof of the machine code
/// stands alone for alignment.
#[inline(always)]
fn trap_misaligned(trap: bool) {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    // SAFETY: the flag changes nothing for aligned accesses, and only a kernel runs while it is set.
    unsafe {
        if trap {
            std::arch::asm!("pushfq", "or dword ptr [rsp], 0x40000", "popfq");
        } else {
            std::arch::asm!("pushfq", "and dword ptr [rsp], 0xfffbffff", "popfq");
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    let _ = trap;
}
