use memgen_macros::memcpy_variant;

#[memcpy_variant(unrol = 16, xlen = 64)]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {}
