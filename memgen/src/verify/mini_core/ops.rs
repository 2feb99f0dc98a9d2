//! The operators. On numbers and pointers the compiler carries them out itself, in the bodies here too; it only wants to
//! find the trait.

macro_rules! binary {
    ($($lang:literal $Trait:ident $method:ident $operator:tt)*) => {
        $(
            #[lang = $lang]
            pub trait $Trait<Right = Self> {
                type Output;
                fn $method(self, right: Right) -> Self::Output;
            }

            binary!($Trait $method $operator: u8 u16 u32 u64 u128 usize);
        )*
    };
    ($Trait:ident $method:ident $operator:tt: $($number:ty)*) => {
        $(
            impl $Trait for $number {
                type Output = $number;
                #[inline(always)]
                fn $method(self, right: $number) -> $number {
                    self $operator right
                }
            }
        )*
    };
}

binary! {
    "add" Add add +
    "sub" Sub sub -
    "mul" Mul mul *
    "bitand" BitAnd bitand &
    "bitor" BitOr bitor |
    "bitxor" BitXor bitxor ^
}

macro_rules! assigning {
    ($($lang:literal $Trait:ident $method:ident $operator:tt)*) => {
        $(
            #[lang = $lang]
            pub trait $Trait<Right = Self> {
                fn $method(&mut self, right: Right);
            }

            assigning!($Trait $method $operator: u8 u16 u32 u64 u128 usize);
        )*
    };
    ($Trait:ident $method:ident $operator:tt: $($number:ty)*) => {
        $(
            impl $Trait for $number {
                #[inline(always)]
                fn $method(&mut self, right: $number) {
                    *self $operator right;
                }
            }
        )*
    };
}

assigning! {
    "bitand_assign" BitAndAssign bitand_assign &=
    "bitor_assign" BitOrAssign bitor_assign |=
    "bitxor_assign" BitXorAssign bitxor_assign ^=
}

/// Shifts take a count of another type, i32 where the type of a literal is left open.
macro_rules! shift {
    ($($lang:literal $Trait:ident $method:ident $operator:tt)*) => {
        $(
            #[lang = $lang]
            pub trait $Trait<Count = Self> {
                type Output;
                fn $method(self, count: Count) -> Self::Output;
            }

            shift!($Trait $method $operator i32: u8 u16 u32 u64 u128 usize);
            shift!($Trait $method $operator u32: u8 u16 u32 u64 u128 usize);
            shift!($Trait $method $operator usize: u8 u16 u32 u64 u128 usize);
        )*
    };
    ($Trait:ident $method:ident $operator:tt $count:ty: $($number:ty)*) => {
        $(
            impl $Trait<$count> for $number {
                type Output = $number;
                #[inline(always)]
                fn $method(self, count: $count) -> $number {
                    self $operator count
                }
            }
        )*
    };
}

shift! {
    "shl" Shl shl <<
    "shr" Shr shr >>
}

#[lang = "not"]
pub trait Not {
    type Output;
    fn not(self) -> Self::Output;
}

macro_rules! not {
    ($($scalar:ty)*) => {
        $(
            impl Not for $scalar {
                type Output = $scalar;
                #[inline(always)]
                fn not(self) -> $scalar {
                    !self
                }
            }
        )*
    };
}

not! { bool u8 u16 u32 u64 u128 usize }
