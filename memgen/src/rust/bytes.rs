//! Bytes one by one: small sizes, and what merging and blocks leave over.

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::notes::note;
use super::way::{Way, number};

impl Kernel<'_> {
    /// What is left, byte by byte.
    pub(super) fn byte_rest(self, way: Way) -> TokenStream {
        let most_bytes = self.portable.most_single_bytes();
        let block = self.portable.byte_block.as_ref().filter(|_| !self.loops());
        let block = block.map(|block| {
            let comment = note(&format!("Not co-aligned: blocks of {}.", block.why));
            let bytes = number(block.bytes);
            let piece = self.pieces(way, 1, block.bytes);
            let step = self.step(way, block.bytes);
            quote! {
                #comment
                while left >= #bytes {
                    #piece
                    #step
                }
            }
        });
        let comment = note(&format!(
            "The last bytes, and any n below {}: one by one.",
            most_bytes + 1
        ));
        let rest = match self.loops() {
            true => self.byte_loop(way),
            false => self.ladder(way, 1 << most_bytes.ilog2(), 1),
        };
        quote!(#block #comment #rest)
    }

    /// A loop over what is left.
    pub(super) fn byte_loop(self, way: Way) -> TokenStream {
        let byte = self.pieces(way, 1, 1);
        let step = self.step(way, 1);
        quote! {
            while left != 0 {
                #byte
                #step
            }
        }
    }
}
