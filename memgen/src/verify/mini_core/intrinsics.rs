//! What the compiler does itself. It demands these signatures to the letter.

use crate::marker::Copy;

#[rustc_intrinsic]
pub unsafe fn transmute<Src, Dst>(src: Src) -> Dst;

#[rustc_intrinsic]
pub unsafe fn arith_offset<T>(dst: *const T, offset: isize) -> *const T;

#[rustc_intrinsic]
pub unsafe fn volatile_load<T>(src: *const T) -> T;

#[rustc_intrinsic]
pub unsafe fn volatile_store<T>(dst: *mut T, val: T);

#[rustc_intrinsic]
pub fn wrapping_add<T: Copy>(a: T, b: T) -> T;

#[rustc_intrinsic]
pub fn wrapping_sub<T: Copy>(a: T, b: T) -> T;

#[rustc_intrinsic]
pub fn wrapping_mul<T: Copy>(a: T, b: T) -> T;

#[rustc_intrinsic]
pub unsafe fn unchecked_shl<T: Copy, U: Copy>(x: T, y: U) -> T;

#[rustc_intrinsic]
pub unsafe fn unchecked_shr<T: Copy, U: Copy>(x: T, y: U) -> T;
