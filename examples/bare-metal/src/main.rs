//! Checks memcpy, memmove and memset on a machine without an operating system, and counts their instructions.
//!
//! The three symbols are memgen's: `build.rs` writes the functions, the module `routines` includes them, and what the compiler calls by itself
//! ends there too. `examples/bare-metal/run.sh` builds the program for RV64 and RV32 and runs it under QEMU.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod check;
#[cfg(target_os = "none")]
mod count;
#[cfg(target_os = "none")]
mod machine;

/// What the build script made.
#[cfg(target_os = "none")]
#[allow(unreachable_pub, reason = "made to be anybody's")]
mod routines {
    include!(concat!(env!("OUT_DIR"), "/memcpy.rs"));
    include!(concat!(env!("OUT_DIR"), "/memmove.rs"));
    include!(concat!(env!("OUT_DIR"), "/memset.rs"));
}

#[cfg(target_os = "none")]
fn program() -> Result<(), check::Failure> {
    use machine::print;

    let kind = if cfg!(feature = "portable") {
        "portable Rust"
    } else {
        "naked assembly"
    };
    print!("rv{}, {kind}\n", usize::BITS);
    check::symbols()?;
    let calls = check::copies()? + check::moves()? + check::fills()?;
    print!("{calls} calls are right\n");
    count::table();
    Ok(())
}

#[cfg(not(target_os = "none"))]
fn main() {
    println!("This program is for a bare RISC-V machine: examples/bare-metal/run.sh");
}
