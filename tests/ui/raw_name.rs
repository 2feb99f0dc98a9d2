use memgen_macros::memcpy_variant;

#[memcpy_variant]
unsafe extern "C" fn r#match(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {}
