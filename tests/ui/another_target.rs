use memgen_macros::memcpy_variant;

#[memcpy_variant(emit = "asm")]
pub unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

fn main() {
    // The one error is the declaration's: calls are as they should be.
    let mut byte = 0;
    unsafe { copy(&raw mut byte, &1, 1) };
}
