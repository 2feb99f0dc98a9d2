//! Nothing but `core` is used.
#![no_std]
extern crate std;

#[memgen_macros::memcpy_variant(emit = "rust")]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {
    let mut byte = 0;
    unsafe { copy(&raw mut byte, &1, 1) };
    assert!(byte == 1);
}
