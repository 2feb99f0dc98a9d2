//! Runs the memcpy that `build.rs` made: assembly on RISC-V, portable Rust elsewhere.
//!
//! Run with `cargo run -q -p memgen-example-build-script`.

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod routine {
    core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/fast_copy.S")));

    unsafe extern "C" {
        pub(crate) fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
    }
}

#[cfg(not(any(target_arch = "riscv32", target_arch = "riscv64")))]
#[allow(unreachable_pub, reason = "the file may be a library's too")]
mod routine {
    include!(concat!(env!("OUT_DIR"), "/fast_copy.rs"));
}

use routine::fast_copy;

/// Sizes and offsets that are tried: every residue, and past a block of 16 words.
const MOST_BYTES: usize = 300;
const OFFSETS: usize = 16;

fn main() {
    let source: Vec<u8> = (0..MOST_BYTES + OFFSETS)
        .map(|at| (at % 251) as u8 + 1)
        .collect();
    let mut copies = 0;
    for n in 0..=MOST_BYTES {
        for (from, to) in (0..OFFSETS).flat_map(|from| (0..OFFSETS).map(move |to| (from, to))) {
            let mut copy = vec![0; MOST_BYTES + 2 * OFFSETS];
            let dst = copy[to..].as_mut_ptr();
            // SAFETY: both blocks hold n bytes from there, and they are two allocations.
            let returned = unsafe { fast_copy(dst, source[from..].as_ptr(), n) };
            assert_eq!(returned, dst);
            assert!(copy[..to].iter().all(|byte| *byte == 0));
            assert_eq!(copy[to..to + n], source[from..from + n]);
            assert!(copy[to + n..].iter().all(|byte| *byte == 0));
            copies += 1;
        }
    }
    println!("fast_copy from the build script: {copies} copies are as they should be");
}
