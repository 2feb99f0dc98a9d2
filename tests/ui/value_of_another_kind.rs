use memgen_macros::memset_variant;

#[memset_variant(unroll = 4 * 4, word)]
unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;

fn main() {}
