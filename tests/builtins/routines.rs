// compiler-builtins' portable routines under their C names, as a target without assembly of its own gets them. Compiled by the test
// around it, for a library of Rust 1.96; `impls.rs` is taken from the compiler's own source.
#![no_std]
#![no_builtins]
#![feature(core_intrinsics, cold_path)]
#![allow(internal_features, stable_features, dead_code, unexpected_cfgs)]

mod support {
    pub(crate) use core::hint::cold_path;
}

#[path = "IMPLS"]
mod impls;

/// # Safety
/// As C's memcpy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcpy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
    unsafe { impls::copy_forward(dst, src, n) };
    dst
}

/// # Safety
/// As C's memmove.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
    let distance = (dst as usize).wrapping_sub(src as usize);
    if distance >= n {
        unsafe { impls::copy_forward(dst, src, n) };
    } else {
        unsafe { impls::copy_backward(dst, src, n) };
    }
    dst
}

/// # Safety
/// As C's memset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memset(dst: *mut u8, c: core::ffi::c_int, n: usize) -> *mut u8 {
    unsafe { impls::set_bytes(dst, c as u8, n) };
    dst
}
