//! The methods of pointers: addresses that wrap, and the accesses that no compiler leaves out.

use crate::intrinsics;

impl<T> *const T {
    /// The address, without the right to make a pointer of it again.
    #[inline(always)]
    pub fn addr(self) -> usize {
        unsafe { intrinsics::transmute(self) }
    }

    #[inline(always)]
    pub fn cast<U>(self) -> *const U {
        self as *const U
    }

    #[inline(always)]
    pub fn cast_mut(self) -> *mut T {
        self as *mut T
    }

    #[inline(always)]
    pub fn wrapping_add(self, count: usize) -> *const T {
        unsafe { intrinsics::arith_offset(self, count as isize) }
    }

    #[inline(always)]
    pub fn wrapping_sub(self, count: usize) -> *const T {
        unsafe { intrinsics::arith_offset(self, count.wrapping_neg() as isize) }
    }

    #[inline(always)]
    pub unsafe fn read_volatile(self) -> T {
        unsafe { intrinsics::volatile_load(self) }
    }
}

impl<T> *mut T {
    /// The address, without the right to make a pointer of it again.
    #[inline(always)]
    pub fn addr(self) -> usize {
        unsafe { intrinsics::transmute(self) }
    }

    #[inline(always)]
    pub fn cast<U>(self) -> *mut U {
        self as *mut U
    }

    #[inline(always)]
    pub fn cast_const(self) -> *const T {
        self as *const T
    }

    #[inline(always)]
    pub fn wrapping_add(self, count: usize) -> *mut T {
        self.cast_const().wrapping_add(count).cast_mut()
    }

    #[inline(always)]
    pub fn wrapping_sub(self, count: usize) -> *mut T {
        self.cast_const().wrapping_sub(count).cast_mut()
    }

    #[inline(always)]
    pub unsafe fn read_volatile(self) -> T {
        unsafe { intrinsics::volatile_load(self) }
    }

    #[inline(always)]
    pub unsafe fn write_volatile(self, value: T) {
        unsafe { intrinsics::volatile_store(self, value) }
    }
}

/// Reads what `from` points to.
///
/// # Safety
/// As for a plain read.
#[inline(always)]
pub unsafe fn read_volatile<T>(from: *const T) -> T {
    unsafe { from.read_volatile() }
}

/// Writes `value` where `to` points.
///
/// # Safety
/// As for a plain write.
#[inline(always)]
pub unsafe fn write_volatile<T>(to: *mut T, value: T) {
    unsafe { to.write_volatile(value) }
}
