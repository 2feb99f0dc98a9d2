//! As much of `core` as memgen's kernels use, for targets whose own `core` is not installed: a crate of this text, named
//! `core`, lets an unmodified kernel compile. Each function does what the real one does, by the same intrinsic, so the
//! machine code is the same.
//!
//! There is no panic in here. A kernel that could panic, in a debug build too, does not compile against it.

#![feature(auto_traits, decl_macro, intrinsics, lang_items, no_core, rustc_attrs)]
#![no_core]
#![rustc_coherence_is_core]
#![allow(internal_features)]

pub mod cmp;
pub mod intrinsics;
pub mod marker;
pub mod num;
pub mod ops;
pub mod panicking;
pub mod ptr;

/// What is in scope everywhere.
pub mod prelude {
    pub mod v1 {
        pub use crate::marker::{Copy, Sized};

        #[rustc_builtin_macro]
        pub macro cfg($($predicate:tt)*) {}
    }

    pub mod rust_2021 {
        pub use super::v1::*;
    }

    pub mod rust_2024 {
        pub use super::v1::*;
    }
}

/// Inline assembly, built into the compiler.
pub mod arch {
    #[rustc_builtin_macro]
    pub macro asm($template:expr, $($operands:tt)*) {}
}

pub mod mem {
    pub use crate::intrinsics::transmute;
}
