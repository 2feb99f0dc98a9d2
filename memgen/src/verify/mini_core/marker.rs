//! The traits of types that the compiler asks for.

#[lang = "pointee_sized"]
pub trait PointeeSized {}

#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}

#[lang = "sized"]
pub trait Sized: MetaSized {}

/// Types that may be dropped; every one may.
#[lang = "destruct"]
pub trait Destruct {}

/// Types that a method may take as `self`.
#[lang = "legacy_receiver"]
pub trait LegacyReceiver {}

impl<T: PointeeSized> LegacyReceiver for &T {}
impl<T: PointeeSized> LegacyReceiver for &mut T {}

/// Types without interior mutability.
#[lang = "freeze"]
pub unsafe auto trait Freeze {}

#[lang = "copy"]
pub trait Copy {}

macro_rules! copy {
    ($($scalar:ty)*) => {
        $(impl Copy for $scalar {})*
    };
}

copy! { bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 isize }

impl<T: PointeeSized> Copy for *const T {}
impl<T: PointeeSized> Copy for *mut T {}
impl<T: PointeeSized> Copy for &T {}
