//! Comparisons, carried out by the compiler like the operators.

use crate::marker::PointeeSized;

#[lang = "eq"]
pub trait PartialEq<Right: PointeeSized = Self>: PointeeSized {
    fn eq(&self, right: &Right) -> bool;
    fn ne(&self, right: &Right) -> bool;
}

#[lang = "partial_ord"]
pub trait PartialOrd<Right: PointeeSized = Self>: PartialEq<Right> + PointeeSized {
    fn lt(&self, right: &Right) -> bool;
    fn le(&self, right: &Right) -> bool;
    fn gt(&self, right: &Right) -> bool;
    fn ge(&self, right: &Right) -> bool;
}

macro_rules! compare {
    ($([$($generic:ident)?] $scalar:ty,)*) => {
        $(
            impl$(<$generic>)? PartialEq for $scalar {
                #[inline(always)]
                fn eq(&self, right: &$scalar) -> bool {
                    *self == *right
                }
                #[inline(always)]
                fn ne(&self, right: &$scalar) -> bool {
                    *self != *right
                }
            }

            impl$(<$generic>)? PartialOrd for $scalar {
                #[inline(always)]
                fn lt(&self, right: &$scalar) -> bool {
                    *self < *right
                }
                #[inline(always)]
                fn le(&self, right: &$scalar) -> bool {
                    *self <= *right
                }
                #[inline(always)]
                fn gt(&self, right: &$scalar) -> bool {
                    *self > *right
                }
                #[inline(always)]
                fn ge(&self, right: &$scalar) -> bool {
                    *self >= *right
                }
            }
        )*
    };
}

compare! {
    [] bool, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize, [] i32, [] isize, [T] *const T, [T] *mut T,
}
