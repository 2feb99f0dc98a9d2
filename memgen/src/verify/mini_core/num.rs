//! The methods of numbers: those that wrap, which can not panic.

use crate::intrinsics;

macro_rules! number {
    ($($number:ident of $bits:expr,)*) => {
        $(
            impl $number {
                pub const BITS: u32 = $bits;
                pub const MAX: $number = !0;

                #[inline(always)]
                pub fn wrapping_add(self, right: $number) -> $number {
                    intrinsics::wrapping_add(self, right)
                }

                #[inline(always)]
                pub fn wrapping_sub(self, right: $number) -> $number {
                    intrinsics::wrapping_sub(self, right)
                }

                #[inline(always)]
                pub fn wrapping_mul(self, right: $number) -> $number {
                    intrinsics::wrapping_mul(self, right)
                }

                #[inline(always)]
                pub fn wrapping_neg(self) -> $number {
                    intrinsics::wrapping_sub(0, self)
                }

                /// Shifts by `count` modulo the width.
                #[inline(always)]
                pub fn wrapping_shl(self, count: u32) -> $number {
                    unsafe { intrinsics::unchecked_shl(self, count & ($bits - 1)) }
                }

                /// Shifts by `count` modulo the width.
                #[inline(always)]
                pub fn wrapping_shr(self, count: u32) -> $number {
                    unsafe { intrinsics::unchecked_shr(self, count & ($bits - 1)) }
                }
            }
        )*
    };
}

number! { u8 of 8, u16 of 16, u32 of 32, u64 of 64, u128 of 128, }

#[cfg(target_pointer_width = "32")]
number! { usize of 32, }

#[cfg(target_pointer_width = "64")]
number! { usize of 64, }
