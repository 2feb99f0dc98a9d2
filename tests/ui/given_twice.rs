use memgen_macros::memmove_variant;

#[memmove_variant(regs = 4, unroll = 8, regs = 6)]
unsafe extern "C" fn shift(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {}
