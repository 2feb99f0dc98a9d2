//! Each attribute's portable form, in modules of a crate that is strict about warnings and has macros of the same names.
#![deny(warnings, unsafe_op_in_unsafe_fn, unused, missing_docs)]

#[allow(unused_macros)]
macro_rules! load {
    () => {};
}
#[allow(unused_macros)]
macro_rules! store {
    () => {};
}

/// Copies.
pub mod copies {
    use memgen_macros::{memcpy_variant, memmove_variant};

    /// Copies `n` bytes between blocks that do not overlap.
    ///
    /// # Safety
    /// `src` must be valid for reads and `dst` for writes of `n` bytes.
    #[memcpy_variant(emit = "rust", unroll = 4, section = ".text.hot")]
    #[inline]
    pub unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

    /// The same, overlap allowed.
    ///
    /// # Safety
    /// As for `copy`.
    #[memmove_variant(emit = "rust", unaligned = "shift")]
    #[cfg(not(any()))]
    pub(crate) unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

    /// Never there, so the other one may have its name.
    #[memmove_variant(emit = "rust")]
    #[cfg(any())]
    pub(crate) unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
}

#[memgen_macros::memset_variant(emit = "rust", xlen = 32)]
#[unsafe(no_mangle)]
unsafe extern "C" fn my_fill(to: *mut u8, byte: i32, _: usize) -> *mut u8;

fn main() {
    load!();
    store!();
    let source: [u8; 100] = std::array::from_fn(|at| at as u8);
    let mut bytes = [0u8; 100];
    unsafe {
        let returned = copies::copy(bytes.as_mut_ptr(), source.as_ptr(), 100);
        assert_eq!(returned, bytes.as_mut_ptr());
        assert_eq!(bytes, source);
        copies::slide(bytes.as_mut_ptr().add(3), bytes.as_ptr(), 97);
        assert_eq!(bytes[3..], source[..97]);
        my_fill(bytes.as_mut_ptr().add(1), 0x1aa, 98);
    }
    assert_eq!((bytes[0], bytes[99]), (0, 96));
    assert!(bytes[1..99].iter().all(|byte| *byte == 0xaa));
}
