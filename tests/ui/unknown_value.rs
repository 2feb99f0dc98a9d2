use memgen_macros::memcpy_variant;

#[memcpy_variant(unroll = 16, unaligned = "shfit")]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {}
