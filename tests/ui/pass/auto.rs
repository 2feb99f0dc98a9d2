//! Without `emit`, every target gets a function.

use memgen_macros::{memcpy_variant, memmove_variant, memset_variant};

#[memcpy_variant]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

#[memmove_variant(unroll = 16, unaligned = "shift")]
unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

#[memset_variant(emit = "auto", isa = "rv32imac")]
unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;

fn main() {
    let source: [u8; 200] = std::array::from_fn(|at| at as u8);
    let mut bytes = [0u8; 200];
    unsafe {
        copy(bytes.as_mut_ptr().add(1), source.as_ptr(), 199);
        assert_eq!(bytes[1..], source[..199]);
        slide(bytes.as_mut_ptr(), bytes.as_ptr().add(1), 199);
        assert_eq!(bytes[..199], source[..199]);
        fill(bytes.as_mut_ptr(), 7, 200);
        assert_eq!(bytes, [7; 200]);
    }
}
