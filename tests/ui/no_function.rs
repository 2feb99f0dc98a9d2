use memgen_macros::memmove_variant;

#[memmove_variant(unroll = 16)]
struct Move;

fn main() {
    let _ = Move;
}
