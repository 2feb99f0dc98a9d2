//! Attributes that fill a declared function with a memory routine for RISC-V, as `memgen` generates it.
//!
//! ```
//! # use memgen_macros::memcpy_variant;
//! /// Copies `n` bytes between blocks that do not overlap.
//! ///
//! /// # Safety
//! /// `src` must be valid for reads and `dst` for writes of `n` bytes, without overlap.
//! #[cfg(target_arch = "riscv64")]
//! #[memcpy_variant(unroll = 16, unaligned = "shift", avoid = "t6")]
//! pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
//! ```
//!
//! The function keeps its attributes, its visibility and its signature; it becomes a naked function whose body is the
//! assembly that `memgen --emit rust-asm` writes. Its symbol is left to Rust: add `#[unsafe(no_mangle)]` for a routine
//! that C code or the compiler itself is to find.
//!
//! The arguments are the flags of `memgen`, with underscores:
//!
//! | key | value |
//! |---|---|
//! | `xlen`, `word`, `zero_block`, `prefetch` | a number |
//! | `unroll`, `shift_unroll`, `regs` | a number or `"auto"` |
//! | `isa`, `section` | a string |
//! | `preset`, `shape`, `unaligned`, `misaligned`, `overread`, `small` | a string, one of the flag's values |
//! | `avoid` | register names by comma: `"t6, a7"` |
//!
//! `op`, `emit`, `dialect`, `symbol`, `spdx` and `pi_alias` are settled by the attribute, or belong to files. Everything
//! that is wrong is reported at once, each problem at the argument it is about.
//!
//! The routine exists for one target alone, `riscv64` or `riscv32`. On any other the attribute is a compile error, unless
//! `#[cfg(target_arch = "riscv64")]` stands on the function.

#![forbid(unsafe_code)]

mod arguments;
mod expand;
mod signature;
#[cfg(test)]
mod tests;

use memgen::Op;
use proc_macro::TokenStream;

/// A copy between blocks that do not overlap.
///
/// ```
/// # use memgen_macros::memcpy_variant;
/// #[cfg(target_arch = "riscv64")]
/// #[memcpy_variant(unroll = 16, unaligned = "shift")]
/// pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
/// ```
#[proc_macro_attribute]
pub fn memcpy_variant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(Op::Memcpy, arguments.into(), item.into()).into()
}

/// A copy between blocks that may overlap.
///
/// ```
/// # use memgen_macros::memmove_variant;
/// #[cfg(target_arch = "riscv32")]
/// #[memmove_variant(isa = "rv32imac", small = "loop")]
/// pub unsafe extern "C" fn small_move(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
/// ```
#[proc_macro_attribute]
pub fn memmove_variant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(Op::Memmove, arguments.into(), item.into()).into()
}

/// A fill with one byte, the low one of `c`.
///
/// ```
/// # use memgen_macros::memset_variant;
/// #[cfg(target_arch = "riscv64")]
/// #[memset_variant(unroll = 8, section = ".text.hot")]
/// pub unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;
/// ```
#[proc_macro_attribute]
pub fn memset_variant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(Op::Memset, arguments.into(), item.into()).into()
}
