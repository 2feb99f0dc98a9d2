//! memset: the fill word, pieces up to a boundary, blocks of stores, pieces again.

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::access::integer;
use super::aligned::Behind;
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
            _ if self.plan.word_bytes() == 1 => self.blocks(Way::Up, Behind::Nothing),
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
        let fill = quote!(let fill = splat!(byte););
        let small_note = note(&format!("Any n below {}: bytes.", threshold.bytes));
        let most_bytes = threshold.bytes - 1;
        let (words, small) = match self.loops() {
            true => (self.stepping_fill(), self.byte_loop(Way::Up)),
            false => (
                self.closing_fill(),
                self.ladder(Way::Up, 1 << most_bytes.ilog2(), 1),
            ),
        };
        quote! {
            #whole
            if left >= #bytes {
                #fill
                #words
                return dst;
            }
            #small_note
            #small
        }
    }

    /// By loops: head, words, tail.
    fn stepping_fill(self) -> TokenStream {
        let blocks_note = note(&format!("Blocks of {}.", self.plan.block));
        let (head, blocks, tail) = (
            self.head(Way::Up, true),
            self.blocks(Way::Up, Behind::Bytes),
            self.tail(Way::Up),
        );
        quote!(#head #blocks_note #blocks #tail)
    }

    /// From both ends towards the middle, by doublings: stores may overlap, so that nothing needs a test of its own.
    fn closing_fill(self) -> TokenStream {
        let word_bytes = self.plan.word_bytes();
        let mask = number(word_bytes - 1);
        let ends_note = note(&format!(
            "An end that is not at a boundary: the {} bytes there, whether words reach them or not.",
            word_bytes - 1
        ));
        let first = (0..word_bytes - 1).map(|ahead| {
            let at = Way::Up.at(&quote!(dst), ahead, 1);
            quote!(store!(#at, byte, u8);)
        });
        let last = (0..word_bytes - 1).map(|ahead| {
            let at = Way::Down.at(&quote!(end), ahead, 1);
            quote!(store!(#at, byte, u8);)
        });
        let words_note = note("The words between the outermost boundaries, at least one.");
        // As many words from each end, in the last doubling, as two of them make a block at most.
        let closed = match self.plan.block.words / 2 {
            0 => 0,
            half => 1 << half.ilog2(),
        };
        let doublings = (0..32).map(|power| 1 << power);
        let levels: TokenStream = doublings
            .take_while(|words| *words <= closed)
            .map(|words| self.closing_stores(words))
            .collect();
        let closing_note = (closed > 0)
            .then(|| note("Words from both ends, twice as many each time; they meet or overlap."));
        let comment = note(&match closed {
            0 => format!("Blocks of {}.", self.plan.block),
            _ => format!("The middle: blocks of {}.", self.plan.block),
        });
        let middle = (closed > 0).then(|| {
            let closed_bytes = number(closed * word_bytes);
            quote! {
                to = to.wrapping_add(#closed_bytes);
                words_end = words_end.wrapping_sub(#closed_bytes);
            }
        });
        let blocks = self.blocks(Way::Up, Behind::Nothing);
        let words_end = match closed {
            0 => quote!(let words_end),
            _ => quote!(let mut words_end),
        };
        quote! {
            #words_note
            to = dst.wrapping_add(dst.addr().wrapping_neg() & #mask);
            let end = dst.wrapping_add(n);
            #words_end = end.wrapping_sub(end.addr() & #mask);
            #ends_note
            if dst.addr() & #mask != 0 {
                #(#first)*
            }
            if end.addr() & #mask != 0 {
                #(#last)*
            }
            #closing_note
            #levels
            #comment
            #middle
            left = words_end.addr().wrapping_sub(to.addr());
            #blocks
        }
    }

    /// Brings the words stored from each end from half as many, or none, to `words`, which ends the routine if they meet.
    fn closing_stores(self, words: u32) -> TokenStream {
        let (word, word_bytes) = (self.word(), self.plan.word_bytes());
        let stores = (words / 2..words).map(|index| {
            let at_first = Way::Up.at(&quote!(to), index * word_bytes, word_bytes);
            let at_last = Way::Down.at(&quote!(words_end), index * word_bytes, word_bytes);
            quote! {
                store!(#at_first, fill, #word);
                store!(#at_last, fill, #word);
            }
        });
        // A word more cannot lie between the boundaries of fewer bytes.
        let more = number((2 * words + 1) * word_bytes);
        quote! {
            #(#stores)*
            if n < #more {
                return dst;
            }
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
