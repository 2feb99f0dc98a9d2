use memgen_macros::{memcpy_variant, memset_variant};

#[memcpy_variant(avoid = "t6", overread = "word", isa = "rv64i_zicbop", prefetch = 128)]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

#[memset_variant(emit = "rust", isa = "rv64i_zicboz", zero_block = 64)]
unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;

fn main() {}
