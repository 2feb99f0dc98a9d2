//! The two directions of a copy: where the next bytes stand, and how the cursors step over them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::notes::note;

/// A direction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From the first byte: the cursors stand at the next byte.
    Up,
    /// From the last byte: the cursors stand behind the next byte.
    Down,
}

impl Way {
    /// The cursors at the end where this direction starts, and the bytes that are left.
    pub(super) fn cursors(self) -> TokenStream {
        match self {
            Way::Up => quote! {
                let mut to = dst;
                let mut from = src;
                let mut left = n;
            },
            Way::Down => {
                let note = note("From the end: the cursors stand behind the next byte.");
                quote! {
                    #note
                    let mut to = dst.wrapping_add(n);
                    let mut from = src.wrapping_add(n);
                    let mut left = n;
                }
            }
        }
    }

    /// The address of the piece of `bytes` bytes that stands `ahead_bytes` ahead of `cursor`.
    pub(super) fn at(self, cursor: &TokenStream, ahead_bytes: u32, bytes: u32) -> TokenStream {
        match (self, ahead_bytes) {
            (Way::Up, 0) => cursor.clone(),
            (Way::Up, _) => {
                let ahead = number(ahead_bytes);
                quote!(#cursor.wrapping_add(#ahead))
            }
            (Way::Down, _) => {
                let ahead = number(ahead_bytes + bytes);
                quote!(#cursor.wrapping_sub(#ahead))
            }
        }
    }

    /// Moves `cursor` ahead by `bytes`.
    pub(super) fn step(self, cursor: &TokenStream, bytes: &TokenStream) -> TokenStream {
        match self {
            Way::Up => quote!(#cursor = #cursor.wrapping_add(#bytes);),
            Way::Down => quote!(#cursor = #cursor.wrapping_sub(#bytes);),
        }
    }

    /// The other direction.
    pub(super) fn back(self) -> Way {
        match self {
            Way::Up => Way::Down,
            Way::Down => Way::Up,
        }
    }

    /// Bytes from `cursor` to its next boundary of words, whose mask is `mask`.
    pub(super) fn to_boundary(self, cursor: &TokenStream, mask: &Literal) -> TokenStream {
        match self {
            Way::Up => quote!(#cursor.addr().wrapping_neg() & #mask),
            Way::Down => quote!(#cursor.addr() & #mask),
        }
    }
}

/// A number as it stands in the text: without a suffix.
pub(super) fn number(value: u32) -> Literal {
    Literal::u32_unsuffixed(value)
}
