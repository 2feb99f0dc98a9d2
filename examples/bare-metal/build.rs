//! Writes the three routines for the target that cargo builds for, and says how the program is laid out.

use memgen::{Builder, Emit, Op};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=virt.ld");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("none") {
        return;
    }
    let emit = if cfg!(feature = "portable") {
        Emit::Rust
    } else {
        Emit::RustAsm
    };
    for op in [Op::Memcpy, Op::Memmove, Op::Memset] {
        Builder::from_cargo_env()
            .op(op)
            .symbol(op.to_string())
            .emit_as(emit)
            .emit(format!("{op}.rs"));
    }
    println!(
        "cargo::rustc-link-arg-bins=-T{}/virt.ld",
        env!("CARGO_MANIFEST_DIR")
    );
}
