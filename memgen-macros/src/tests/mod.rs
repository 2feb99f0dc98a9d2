//! What the attributes expand to, and what they say about mistakes.

mod mistakes;
mod routines;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{File, Item, ItemFn, LitStr};

/// A correct declaration of a copy.
fn declared() -> TokenStream {
    quote!(
        pub unsafe extern "C" fn fast_copy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
    )
}

/// The functions and the messages of an expansion.
fn parts(expansion: TokenStream) -> (Vec<ItemFn>, Vec<String>) {
    let file: File = syn::parse2(expansion).expect("an expansion is items");
    let (mut functions, mut messages) = (Vec::new(), Vec::new());
    for item in file.items {
        match item {
            Item::Fn(function) => functions.push(function),
            Item::Macro(error) => {
                assert!(error.mac.path.segments.last().unwrap().ident == "compile_error");
                messages.push(error.mac.parse_body::<LitStr>().unwrap().value());
            }
            other => panic!("{}", other.to_token_stream()),
        }
    }
    (functions, messages)
}

fn attributes(function: &ItemFn) -> Vec<String> {
    let text = |attribute: &syn::Attribute| attribute.meta.to_token_stream().to_string();
    function.attrs.iter().map(text).collect()
}
