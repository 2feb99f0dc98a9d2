//! Both ends reach a word's boundary together: pieces up to it, blocks of words, the rest by halves, pieces again.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Kernel;
use super::access::integer;
use super::notes::note;
use super::way::{Way, number};
use crate::plan::{Block, groups};
use crate::spec::Op;

/// What follows a loop over blocks and its rest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Bytes, which the cursors have to point at.
    Bytes,
    /// Nothing.
    Nothing,
}

/// Fewer words than this are left often enough to spare them the tests of larger pieces.
const MANY_WORDS: u32 = 4;

impl Kernel<'_> {
    /// The whole way of a co-aligned copy, which ends the routine.
    pub(super) fn co_aligned(self, way: Way) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let (threshold, mask) = (&self.portable.words, number(word_bytes - 1));
        let bytes = number(threshold.bytes);
        let whole = note(&format!(
            "Co-aligned, from {} bytes on: {}.",
            threshold.bytes, threshold.why
        ));
        let head = self.head(way, true);
        let blocks_note = note(&format!("Blocks of {}.", self.plan.block));
        let words = self.blocks(way, Behind::Bytes);
        let tail = self.tail(way);
        quote! {
            #whole
            if left >= #bytes && (to.addr() ^ from.addr()) & #mask == 0 {
                #head
                #blocks_note
                #words
                #tail
                return dst;
            }
        }
    }

    /// Moves bytes until the destination stands at a boundary: by pieces as wide as their addresses allow where the
    /// source is `co_aligned`, else one by one.
    pub(super) fn head(self, way: Way, co_aligned: bool) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let mask = number(word_bytes - 1);
        let comment = note("Head: to the destination's next word boundary.");
        if self.loops() {
            let byte = self.pieces(way, 1, 1);
            let step = self.step(way, 1);
            return quote! {
                #comment
                while to.addr() & #mask != 0 {
                    #byte
                    #step
                }
            };
        }
        let to_boundary = way.to_boundary(&quote!(to), &mask);
        let rungs = (0..word_bytes.ilog2()).map(|power| {
            let bytes = 1 << power;
            let bit = number(bytes);
            let piece = self.pieces(way, if co_aligned { bytes } else { 1 }, bytes);
            let cursors = self.cursors(way, bytes);
            quote! {
                if head & #bit != 0 {
                    #piece
                    #cursors
                }
            }
        });
        quote! {
            #comment
            if to.addr() & #mask != 0 {
                let head = #to_boundary;
                #(#rungs)*
                left = left.wrapping_sub(head);
            }
        }
    }

    /// Blocks of words, and the words that are left below a block.
    pub(super) fn blocks(self, way: Way, behind: Behind) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let words = |words: u32, _last| self.pieces(way, word_bytes, words * word_bytes);
        self.block_loop(way, &self.plan.block, behind, &words)
    }

    /// A loop over blocks, then the words that are left; `words` makes the moves of so many, the last ones or not.
    pub(super) fn block_loop(
        self,
        way: Way,
        block: &Block,
        behind: Behind,
        words: &dyn Fn(u32, bool) -> TokenStream,
    ) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let a_loop = |count: u32| {
            let (bytes, moves) = (number(count * word_bytes), words(count, false));
            let step = self.step(way, count * word_bytes);
            quote!(while left >= #bytes { #moves #step })
        };
        let blocks = a_loop(block.words);
        if block.words == 1 {
            return blocks;
        }
        if self.loops() {
            let rest = a_loop(1);
            return quote!(#blocks #rest);
        }
        let rung = |count: u32| self.rung(way, block, behind, count, words(count, count == 1));
        let (many, few): (Vec<u32>, Vec<u32>) =
            falling(block.largest_rest_words(), 1).partition(|count| *count >= MANY_WORDS);
        let (many, few) = (many.into_iter().map(rung), few.into_iter().map(rung));
        let comment = note("The words that are left below a block.");
        let many = quote!(#blocks #comment #(#many)*);
        let many = if block.words > MANY_WORDS {
            let bytes = number(MANY_WORDS * word_bytes);
            quote!(if left >= #bytes { #many })
        } else {
            many
        };
        quote!(#many #(#few)*)
    }

    /// A rung of the ladder below a block: `count` words, by their bit where a rest has bits, else by comparison.
    fn rung(
        self,
        way: Way,
        block: &Block,
        behind: Behind,
        count: u32,
        moves: TokenStream,
    ) -> TokenStream {
        let bytes = count * self.plan.word_bytes();
        let number = number(bytes);
        let goes_on = count > 1 || behind == Behind::Bytes;
        if block.is_power_of_two() {
            let cursors = goes_on.then(|| self.cursors(way, bytes));
            quote!(if left & #number != 0 { #moves #cursors })
        } else {
            let step = goes_on.then(|| self.step(way, bytes));
            quote!(if left >= #number { #moves #step })
        }
    }

    /// What is left of a word, in pieces.
    pub(super) fn tail(self, way: Way) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let comment = note("Tail: what is left of a word.");
        if self.loops() {
            let bytes = self.byte_loop(way);
            return quote!(#comment #bytes);
        }
        let (mask, pieces) = (
            number(word_bytes - 1),
            self.ladder(way, word_bytes / 2, word_bytes / 2),
        );
        quote! {
            #comment
            if left & #mask != 0 {
                #pieces
            }
        }
    }

    /// Pieces from `largest_bytes` down to a byte, by the bits of `left`, in accesses of at most `widest_bytes`.
    pub(super) fn ladder(self, way: Way, largest_bytes: u32, widest_bytes: u32) -> TokenStream {
        let pieces = falling(largest_bytes, 1).map(|bytes| {
            let bit = number(bytes);
            let piece = self.pieces(way, widest_bytes.min(bytes), bytes);
            // Nothing is addressed behind the last byte.
            let cursors = (bytes > 1).then(|| self.cursors(way, bytes));
            quote!(if left & #bit != 0 { #piece #cursors })
        });
        quote!(#(#pieces)*)
    }

    /// `all_bytes` by accesses of `width` bytes: the loads of a group before its stores.
    pub(super) fn pieces(self, way: Way, width: u32, all_bytes: u32) -> TokenStream {
        let word = integer(width);
        let mut done_bytes = 0;
        let groups = groups(all_bytes / width, self.in_flight())
            .into_iter()
            .map(|count| {
                let (mut loads, mut stores) = (TokenStream::new(), TokenStream::new());
                for index in 0..count {
                    let ahead = done_bytes + index * width;
                    let value = format_ident!("w{index}");
                    let (from, to) = (
                        way.at(&quote!(from), ahead, width),
                        way.at(&quote!(to), ahead, width),
                    );
                    if self.plan.op == Op::Memset {
                        let fill = self.fill_value(width);
                        stores.extend(quote!(store!(#to, #fill, #word);));
                    } else {
                        loads.extend(quote!(let #value = load!(#from, #word);));
                        stores.extend(quote!(store!(#to, #value, #word);));
                    }
                }
                done_bytes += count * width;
                quote!(#loads #stores)
            });
        quote!(#(#groups)*)
    }

    /// Moves the cursors over `bytes`.
    pub(super) fn cursors(self, way: Way, bytes: u32) -> TokenStream {
        let bytes = number(bytes);
        let to = way.step(&quote!(to), &quote!(#bytes));
        let from = (self.plan.op != Op::Memset).then(|| way.step(&quote!(from), &quote!(#bytes)));
        quote!(#to #from)
    }

    /// Moves the cursors over `bytes`, and counts them.
    pub(super) fn step(self, way: Way, bytes: u32) -> TokenStream {
        let cursors = self.cursors(way, bytes);
        let bytes = number(bytes);
        quote! {
            #cursors
            left = left.wrapping_sub(#bytes);
        }
    }
}

/// Powers of two from `largest` down to `lowest`.
pub(super) fn falling(largest: u32, lowest: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(largest), |bytes| Some(bytes / 2))
        .take_while(move |bytes| *bytes >= lowest)
}
