//! memset: the fill word, pieces up to a boundary, blocks of stores, pieces again.

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::access::integer;
use super::notes::note;
use super::way::{Way, number};
use crate::plan::Strategy;

impl Kernel<'_> {
    /// The statements of a fill.
    pub(super) fn fill(self) -> TokenStream {
        let cursors = quote! {
            let mut to = dst;
            let mut left = n;
            let byte = c as u8;
        };
        let rest = match self.plan.strategy {
            Strategy::Native => self.native_fill(),
            _ if self.plan.word_bytes() == 1 => {
                let blocks = self.blocks(Way::Up);
                quote!(let fill = byte; #blocks)
            }
            _ => self.aligned_fill(),
        };
        quote!(#cursors #rest)
    }

    fn aligned_fill(self) -> TokenStream {
        let threshold = &self.portable.words;
        let bytes = number(threshold.bytes);
        let whole = note(&format!(
            "From {} bytes on: {}.",
            threshold.bytes, threshold.why
        ));
        let fill = self.fill_word();
        let head = self.head(Way::Up, true);
        let blocks = self.blocks(Way::Up);
        let tail = self.tail(Way::Up);
        let small_note = note(&format!("Any n below {}: bytes.", threshold.bytes));
        let most_bytes = threshold.bytes - 1;
        let small = match self.loops() {
            true => self.byte_loop(Way::Up),
            false => self.ladder(Way::Up, 1 << most_bytes.ilog2(), 1),
        };
        quote! {
            #whole
            if left >= #bytes {
                #fill
                #head
                #blocks
                #tail
                return dst;
            }
            #small_note
            #small
        }
    }

    /// The byte in each byte of a word.
    pub(super) fn fill_word(self) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let word = self.word();
        let doublings = (0..word_bytes.ilog2()).map(|power| {
            let bits = number(8 << power);
            quote!(fill |= fill << #bits;)
        });
        quote! {
            let mut fill = byte as #word;
            #(#doublings)*
        }
    }

    /// What a store of `bytes` bytes takes of the fill.
    pub(super) fn fill_value(self, bytes: u32) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        match bytes {
            1 => quote!(byte),
            _ if bytes == word_bytes => quote!(fill),
            _ => {
                let narrow = integer(bytes);
                quote!(fill as #narrow)
            }
        }
    }
}
