//! From a Plan to a portable Rust kernel: the function's text, made of tokens and laid out by prettyplease.

mod access;
mod aligned;
mod bytes;
mod fill;
mod merge;
mod native;
mod notes;
mod way;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::plan::{Form, Plan, Portable, Strategy};
use crate::spec::{Op, Small, Spec};
use aligned::Behind;
use way::Way;

/// The text of the function that `plan` describes, without its doc comment.
pub(crate) fn function(spec: &Spec, plan: &Plan) -> String {
    let Form::Portable(portable) = &plan.form else {
        unreachable!("a plan for --emit rust is portable");
    };
    let kernel = Kernel { plan, portable };
    let name = Ident::new(plan.symbol(), Span::call_site());
    let exported = spec.symbol.iter().map(|_| quote!(#[unsafe(no_mangle)]));
    let section = section(spec, plan);
    let second = match plan.op {
        Op::Memset => quote!(c: i32),
        _ => quote!(src: *const u8),
    };
    let body = kernel.body();
    let item = quote! {
        #[allow(clippy::transmute_ptr_to_ref, clippy::verbose_bit_mask)]
        #(#exported)*
        #section
        pub unsafe extern "C" fn #name(dst: *mut u8, #second, n: usize) -> *mut u8 {
            helpers!();
            unsafe {
                #body
                dst
            }
        }
    };
    notes::laid_out(item, &kernel.helpers())
}

/// The attribute that names the kernel's section. At opt-level z LLVM moves repeated pieces of code to functions of their own and
/// calls them, on these architectures, but leaves a function whose section is named as it is.
fn section(spec: &Spec, plan: &Plan) -> TokenStream {
    if let Some(name) = &spec.section {
        return quote!(#[unsafe(link_section = #name)]);
    }
    let name = format!(".text.{}", plan.symbol());
    quote! {
        #[cfg_attr(
            any(
                all(target_arch = "arm", not(target_vendor = "apple")),
                target_arch = "riscv32",
                target_arch = "riscv64"
            ),
            unsafe(link_section = #name)
        )]
    }
}

/// What the parts of a kernel are made from.
#[derive(Clone, Copy)]
struct Kernel<'a> {
    plan: &'a Plan,
    portable: &'a Portable,
}

impl Kernel<'_> {
    /// The statements of the routine, up to its result.
    fn body(self) -> TokenStream {
        match self.plan.op {
            Op::Memset => self.fill(),
            Op::Memcpy | Op::CopyToUser | Op::CopyFromUser | Op::ClearUser => self.copy(Way::Up),
            Op::Memmove => {
                let (up, down) = (self.copy(Way::Up), self.copy(Way::Down));
                let note = notes::note(
                    "Upwards unless the destination begins inside the source: a distance below n, with every lower \
                     destination wrapped around to the largest distances.",
                );
                quote! {
                    #note
                    if dst.addr().wrapping_sub(src.addr()) >= n {
                        #up
                    } else {
                        #down
                    }
                }
            }
        }
    }

    /// One direction: the cursors, and the way that the plan's strategy says.
    fn copy(self, way: Way) -> TokenStream {
        let cursors = way.cursors();
        let moves = match self.plan.strategy {
            Strategy::Native => self.native_copy(way),
            Strategy::Aligned => self.blocks(way, Behind::Nothing),
            Strategy::Bytes | Strategy::Shift => {
                let (aligned, otherwise) = (self.co_aligned(way), self.not_co_aligned(way));
                quote!(#aligned #otherwise)
            }
        };
        quote!(#cursors #moves)
    }

    /// What is not co-aligned or too short: words by merging where that pays, bytes for the rest.
    fn not_co_aligned(self, way: Way) -> TokenStream {
        let merge = self.merge(way);
        let rest = self.byte_rest(way);
        quote!(#merge #rest)
    }

    /// Whether remainders go through loops, not ladders.
    fn loops(self) -> bool {
        self.plan.small == Small::Loop
    }

    /// Words in flight at most.
    fn in_flight(self) -> u32 {
        self.plan.block.groups.iter().copied().max().unwrap_or(1)
    }
}
