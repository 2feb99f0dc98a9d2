//! Where misaligned words are fast: the word at the far end is held and stored last, over what blocks and words reached.

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::access::integer;
use super::aligned::falling;
use super::notes::note;
use super::way::{Way, number};
use crate::spec::Op;

impl Kernel<'_> {
    /// A copy in one direction.
    pub(super) fn native_copy(self, way: Way) -> TokenStream {
        let (word, bytes) = (self.word(), number(self.plan.word_bytes()));
        let (from, to) = match way {
            Way::Up => (
                quote!(src.wrapping_add(n).wrapping_sub(#bytes)),
                quote!(dst.wrapping_add(n).wrapping_sub(#bytes)),
            ),
            Way::Down => (quote!(src), quote!(dst)),
        };
        let held = quote!(let held = load!(#from, #word););
        let last = quote!(store!(#to, held, #word););
        self.overlapping(way, held, last)
    }

    /// A fill.
    pub(super) fn native_fill(self) -> TokenStream {
        let (word, bytes) = (self.word(), number(self.plan.word_bytes()));
        let fill = quote!(let fill = splat!(byte););
        let last = quote!(store!(dst.wrapping_add(n).wrapping_sub(#bytes), fill, #word););
        let copies = self.overlapping(Way::Up, TokenStream::new(), last);
        quote!(#fill #copies)
    }

    /// Blocks and words as long as more than a word is left, then the word that was `held`; sizes below a word behind it.
    fn overlapping(self, way: Way, held: TokenStream, last: TokenStream) -> TokenStream {
        let (word_bytes, block) = (self.plan.word_bytes(), &self.plan.block);
        let bytes = number(word_bytes);
        let held_note = note(&format!(
            "From {word_bytes} bytes on: the word at the far end is kept for the end, where it may overlap others."
        ));
        let blocks_note = note(&format!(
            "Blocks of {block}, as long as more than one is left."
        ));
        let (block_bytes, block_pieces, block_step) = (
            number(block.bytes),
            self.pieces(way, word_bytes, block.bytes),
            self.step(way, block.bytes),
        );
        let rest = self.native_rest(way);
        let last_note = note(&format!("The last 1 to {word_bytes} bytes of it."));
        let small = self.native_small();
        quote! {
            #held_note
            if left >= #bytes {
                #held
                #blocks_note
                while left > #block_bytes {
                    #block_pieces
                    #block_step
                }
                #rest
                #last_note
                #last
                return dst;
            }
            #small
        }
    }

    /// Words as long as more than one is left.
    fn native_rest(self, way: Way) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        if self.plan.block.words == 1 {
            return TokenStream::new();
        }
        let bytes = number(word_bytes);
        if self.loops() {
            let (word, step) = (
                self.pieces(way, word_bytes, word_bytes),
                self.step(way, word_bytes),
            );
            return quote!(while left > #bytes { #word #step });
        }
        let rungs = falling(self.plan.block.largest_rest_words(), 1).map(|words| {
            let most = number(words * word_bytes);
            let pieces = self.pieces(way, word_bytes, words * word_bytes);
            // Behind the last of them comes the word at the end, which has an address of its own.
            let step = (words > 1).then(|| self.step(way, words * word_bytes));
            quote!(if left > #most { #pieces #step })
        });
        quote!(#(#rungs)*)
    }

    /// Sizes below a word: two pieces that overlap, or one byte.
    fn native_small(self) -> TokenStream {
        let widths = falling(self.plan.word_bytes() / 2, 2);
        let pairs = widths.map(|width| {
            let (word, bytes) = (integer(width), number(width));
            let body = if self.plan.op == Op::Memset {
                let fill = self.fill_value(width);
                quote! {
                    store!(dst, #fill, #word);
                    store!(dst.wrapping_add(n).wrapping_sub(#bytes), #fill, #word);
                }
            } else {
                quote! {
                    let first = load!(src, #word);
                    let last = load!(src.wrapping_add(n).wrapping_sub(#bytes), #word);
                    store!(dst, first, #word);
                    store!(dst.wrapping_add(n).wrapping_sub(#bytes), last, #word);
                }
            };
            quote! {
                if n >= #bytes {
                    #body
                    return dst;
                }
            }
        });
        let one = match self.plan.op {
            Op::Memset => quote!(store!(dst, byte, u8);),
            _ => quote!(store!(dst, load!(src, u8), u8);),
        };
        let comment = note("Below a word: two pieces that overlap, or one byte.");
        quote! {
            #comment
            #(#pairs)*
            if n != 0 {
                #one
            }
        }
    }
}
