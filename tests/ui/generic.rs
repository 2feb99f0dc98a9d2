use memgen_macros::memcpy_variant;

#[memcpy_variant(unroll = 16)]
unsafe extern "C" fn copy<T>(dst: *mut u8, src: *const u8, n: usize) -> *mut u8
where
    T: Copy;

fn main() {}
