//! Three declared functions, which the attributes fill: assembly on RV64, portable Rust elsewhere.
//!
//! Run with `cargo run -q -p memgen-example-attribute`.

use memgen_macros::{memcpy_variant, memmove_variant, memset_variant};

/// Copies `n` bytes between blocks that do not overlap.
///
/// # Safety
/// `src` must be valid for reads and `dst` for writes of `n` bytes.
#[memcpy_variant(unroll = 16, xlen = 64, unaligned = "shift")]
unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

/// Copies `n` bytes, overlap allowed.
///
/// # Safety
/// As for `fast_copy`.
#[memmove_variant(unroll = 8)]
unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

/// Sets `n` bytes to the low byte of `c`. Nothing but its size matters here.
///
/// # Safety
/// `dst` must be valid for writes of `n` bytes.
#[memset_variant(preset = "small")]
unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;

/// Bytes of the block that all calls stay in, and the most that one is asked for.
const BLOCK_BYTES: usize = 400;
const MOST_BYTES: usize = 300;

/// The block as it is before each call.
fn block() -> Vec<u8> {
    (0..BLOCK_BYTES).map(|at| (at % 251) as u8).collect()
}

fn main() {
    let mut calls = 0;
    for n in 0..=MOST_BYTES {
        for at in 0..16 {
            let other = (7 * n + 3 * at) % (BLOCK_BYTES - MOST_BYTES);
            let before = block();

            let mut copied = vec![0xee; BLOCK_BYTES];
            let dst = copied[at..].as_mut_ptr();
            // SAFETY: n bytes from each offset are in the block, and there are two blocks.
            assert_eq!(unsafe { fast_copy(dst, before[other..].as_ptr(), n) }, dst);
            let mut expected = vec![0xee; BLOCK_BYTES];
            expected[at..at + n].copy_from_slice(&before[other..other + n]);
            assert_eq!(copied, expected, "copy of {n} from {other} to {at}");

            let mut moved = block();
            let start = moved.as_mut_ptr();
            // SAFETY: n bytes from each offset are in the block.
            unsafe { slide(start.add(at), start.add(other), n) };
            let mut expected = block();
            expected.copy_within(other..other + n, at);
            assert_eq!(moved, expected, "move of {n} from {other} to {at}");

            let mut filled = block();
            // SAFETY: n bytes from the offset are in the block.
            unsafe { fill(filled[at..].as_mut_ptr(), 0x1a5, n) };
            let mut expected = block();
            expected[at..at + n].fill(0xa5);
            assert_eq!(filled, expected, "fill of {n} at {at}");
            calls += 3;
        }
    }
    println!(
        "fast_copy, slide and fill from their attributes: {calls} calls are as they should be"
    );
}
