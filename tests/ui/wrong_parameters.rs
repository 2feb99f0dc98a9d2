use memgen_macros::{memcpy_variant, memset_variant};

#[memcpy_variant(unroll = 16)]
unsafe extern "C" fn copy(dst: *mut u8, src: *mut u8, n: u32);

#[memset_variant(unroll = 16)]
unsafe extern "C" fn fill(dst: *mut u8, n: usize) -> *mut u8;

fn main() {}
