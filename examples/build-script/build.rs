//! Makes the memcpy of `src/main.rs`.

use memgen::{Builder, Op};

fn main() {
    // There is no other input.
    println!("cargo::rerun-if-changed=build.rs");

    let routine = Builder::from_cargo_env()
        .op(Op::Memcpy)
        .symbol("fast_copy")
        .unroll(16);
    // Portable Rust, for every target.
    routine.emit("fast_copy.rs");
    // Where the target is RISC-V, assembly for its extensions is there too, and is taken in its place.
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if arch.starts_with("riscv") {
        routine.emit("fast_copy.S");
    }
}
