use memgen_macros::memcpy_variant;

#[memcpy_variant(unroll = 16)]
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
    unsafe { src.copy_to(dst, n) };
    dst
}

fn main() {}
