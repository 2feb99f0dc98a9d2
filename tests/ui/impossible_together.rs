use memgen_macros::memcpy_variant;

#[memcpy_variant(xlen = 32, word = 8, unaligned = "native", shift_unroll = 0)]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {}
