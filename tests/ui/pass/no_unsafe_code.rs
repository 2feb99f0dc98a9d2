//! A crate that forbids unsafe code can declare a routine for others to call.
#![forbid(unsafe_code)]

#[memgen_macros::memcpy_variant]
pub unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

#[memgen_macros::memmove_variant(emit = "rust")]
pub unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

type Routine = unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8;

fn main() {
    let routines: [Routine; 2] = [copy, slide];
    assert_ne!(routines[0] as usize, routines[1] as usize);
}
