//! Shift-merge: aligned loads that stay inside the source, two neighbours merged into each aligned store.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Kernel;
use super::access::integer;
use super::aligned::{Behind, falling};
use super::notes::note;
use super::way::{Way, number};
use crate::plan::{Block, groups};

impl Kernel<'_> {
    /// The way of a copy whose ends differ modulo the word, up to its last bytes; nothing where the plan does not merge.
    pub(super) fn merge(self, way: Way) -> TokenStream {
        let (Some(threshold), Some(block)) = (&self.portable.merge, &self.plan.shift_block) else {
            return TokenStream::new();
        };
        let bytes = number(threshold.bytes);
        let whole = note(&format!(
            "Not co-aligned, from {} bytes on: {}.",
            threshold.bytes, threshold.why
        ));
        let head = self.head(way, false);
        let partial = self.partial_word(way);
        let blocks_note = note(&format!(
            "Blocks of {block}: each store takes the end of one word of the source and the beginning of the next."
        ));
        let blocks = self.block_loop(way, block, Behind::Bytes, &|words, last| {
            self.merged(way, block, words, last)
        });
        let below_word = (block.is_power_of_two() && block.words > 1 && !self.loops()).then(|| {
            let mask = number(self.plan.word_bytes() - 1);
            quote!(left &= #mask;)
        });
        let back = way.back().step(&quote!(from), &quote!(partial));
        let back_note = note(
            "The partial word's worth of bytes is still to be stored: back to where they stand.",
        );
        quote! {
            #whole
            if left >= #bytes {
                #head
                #partial
                #blocks_note
                #blocks
                #below_word
                #back_note
                #back
                left = left.wrapping_add(partial);
            }
        }
    }

    /// The bytes of the source before its next boundary, gathered out of pieces, none of them outside the source.
    fn partial_word(self, way: Way) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let (word, mask) = (self.word(), number(word_bytes - 1));
        let to_boundary = way.to_boundary(&quote!(from), &mask);
        let comment = note(&format!(
            "The 1 to {} bytes of the source up to its boundary, gathered at the {} of a word: the aligned word that \
             they stand in may begin or end outside the source.",
            word_bytes - 1,
            match way {
                Way::Up => "beginning",
                Way::Down => "end",
            },
        ));
        let step = way.step(&quote!(from), &quote!(partial));
        // The cursor of the pieces moves if there is more than one.
        let piece = match word_bytes {
            2 => quote!(let piece = from;),
            _ => quote!(let mut piece = from;),
        };
        let word_bits = Literal::u32_suffixed(word_bytes * 8);
        let rungs = falling(word_bytes / 2, 1).map(|bytes| self.partial_piece(way, bytes));
        quote! {
            #comment
            let partial = #to_boundary;
            let partial_bits = (partial as u32).wrapping_mul(8);
            let other_bits = #word_bits.wrapping_sub(partial_bits);
            #step
            left = left.wrapping_sub(partial);
            #piece
            let mut carried: #word = 0;
            #(#rungs)*
        }
    }

    /// Adds a piece of `bytes` bytes, which stands before those gathered so far, to the word.
    fn partial_piece(self, way: Way, bytes: u32) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let (word, narrow, bit) = (self.word(), integer(bytes), number(bytes));
        // Pieces are found from the boundary backwards.
        let back = way.back();
        let address = back.at(&quote!(piece), 0, bytes);
        let step = back.step(&quote!(piece), &quote!(#bit));
        let bits = number(bytes * 8);
        let placed = self.placed(way, quote!(load!(#address, #narrow) as #word), bytes);
        let first = bytes == word_bytes / 2;
        let gathered = if first {
            placed
        } else {
            let moved = match way {
                Way::Up => quote!(later(carried, #bits)),
                Way::Down => quote!(earlier(carried, #bits)),
            };
            quote!(#moved | #placed)
        };
        let last = bytes == 1;
        let step = (!last).then_some(step);
        quote! {
            if partial & #bit != 0 {
                carried = #gathered;
                #step
            }
        }
    }

    /// `number`, a piece of `bytes` bytes in a word, moved to the beginning (up) or the end (down) of the word in memory.
    fn placed(self, way: Way, number_in_word: TokenStream, bytes: u32) -> TokenStream {
        let bits = number((self.plan.word_bytes() - bytes) * 8);
        let low_end = match way {
            Way::Up => "little",
            Way::Down => "big",
        };
        quote!(if cfg!(target_endian = #low_end) { #number_in_word } else { (#number_in_word) << #bits })
    }

    /// `words` merged words: the loads of a group, then its merges and stores.
    fn merged(self, way: Way, block: &Block, words: u32, last: bool) -> TokenStream {
        let (word, word_bytes) = (self.word(), self.plan.word_bytes());
        let in_flight = block.groups.iter().copied().max().unwrap_or(1);
        let mut done = 0;
        let groups = groups(words, in_flight).into_iter().map(|count| {
            let values: Vec<Ident> = (0..count).map(|index| format_ident!("w{index}")).collect();
            let mut text = TokenStream::new();
            for (index, value) in (0..).zip(&values) {
                let from = way.at(&quote!(from), (done + index) * word_bytes, word_bytes);
                text.extend(quote!(let #value = load!(#from, #word);));
            }
            let mut before = quote!(carried);
            for (index, value) in (0..).zip(&values) {
                let to = way.at(&quote!(to), (done + index) * word_bytes, word_bytes);
                let (this, next) = way.parts(value);
                let merged = format_ident!("m{index}");
                text.extend(quote! {
                    let #merged = #before | #this;
                    store!(#to, #merged, #word);
                });
                before = next;
            }
            if !last {
                text.extend(quote!(carried = #before;));
            }
            done += count;
            text
        });
        groups.collect()
    }
}

impl Way {
    /// What a word of the source gives to the word of the destination that is stored now, and to the next one.
    fn parts(self, value: &Ident) -> (TokenStream, TokenStream) {
        match self {
            Way::Up => (
                quote!(later(#value, partial_bits)),
                quote!(earlier(#value, other_bits)),
            ),
            Way::Down => (
                quote!(earlier(#value, partial_bits)),
                quote!(later(#value, other_bits)),
            ),
        }
    }
}
