//! Attributes that fill a declared function with a memory routine, as `memgen` generates it: assembly on RISC-V, portable Rust
//! elsewhere.
//!
//! ```
//! # use memgen_macros::memcpy_variant;
//! /// Copies `n` bytes between blocks that do not overlap.
//! ///
//! /// # Safety
//! /// `src` must be valid for reads and `dst` for writes of `n` bytes, without overlap.
//! #[memcpy_variant(unroll = 16, xlen = 64, unaligned = "shift")]
//! pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
//!
//! let source = *b"thirty bytes, to be copied all";
//! let mut copy = [0; 30];
//! // SAFETY: both hold 30 bytes.
//! unsafe { fast_copy(copy.as_mut_ptr(), source.as_ptr(), 30) };
//! assert_eq!(copy, source);
//! ```
//!
//! ## Forms
//!
//! | `emit` | on the target that `xlen` or `isa` names | on any other |
//! |---|---|---|
//! | `"auto"`, or left out | a naked function: the assembly of `memgen --emit rust-asm` | the kernel of `memgen --emit rust` |
//! | `"asm"` | the same | a compile error, unless a `#[cfg(target_arch = "riscv64")]` takes the function away |
//! | `"rust"` | the kernel of `memgen --emit rust` | the same |
//!
//! The target is `riscv64` without `xlen` and `isa`; Miri, which executes no assembly, counts as another. What Rust has no
//! word for, such as `avoid` or `zero_block`, needs `emit = "asm"`. The portable kernel moves words of `xlen` bits: say `xlen = 32`
//! where pointers have as many, or the compiler may call for shifts of 64 bits.
//!
//! ## The function
//!
//! It is declared without a body, as `unsafe extern "C"`, at the top of a module or in a block. Visibility, name, attributes and parameter names
//! are kept; of the attributes a naked function alone goes without `#[inline]`, which it could not follow. Its symbol is left to Rust: add
//! `#[unsafe(no_mangle)]` for a routine that C code or the compiler itself is to find.
//!
//! The routines use `core` alone, so they go into `#![no_std]` crates, of the editions 2021 and 2024. What is `unsafe` in a body is the attribute's: `#![forbid(unsafe_code)]` lets a declaration pass, and leaves calls to other crates.
//!
//! ## Arguments
//!
//! They are the flags of `memgen`, with underscores:
//!
//! | key | value |
//! |---|---|
//! | `xlen`, `word`, `zero_block`, `prefetch` | a number |
//! | `unroll`, `shift_unroll`, `regs` | a number or `"auto"` |
//! | `isa`, `section` | a string |
//! | `preset`, `shape`, `unaligned`, `misaligned`, `overread`, `small` | a string, one of the flag's values |
//! | `avoid` | register names by comma: `"t6, a7"` |
//! | `emit` | `"auto"`, `"asm"` or `"rust"` |
//!
//! `op`, `dialect`, `symbol`, `spdx` and `pi_alias` are settled by the attribute and the function, or belong to files. Everything
//! that is wrong is reported at once, each problem at the argument it is about.

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
/// #[memset_variant(emit = "asm", isa = "rv64i_zicboz", zero_block = 64)]
/// pub unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;
/// ```
#[proc_macro_attribute]
pub fn memset_variant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(Op::Memset, arguments.into(), item.into()).into()
}
