//! Writes the kernels to be timed, and looks for compiler-builtins' source to time them against.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use memgen::{Emit, Op, Preset, Spec, generate};

/// The folder that holds `src/mem/impls.rs`, if not where a toolchain puts it.
const VARIABLE: &str = "COMPILER_BUILTINS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    for op in [Op::Memcpy, Op::Memmove, Op::Memset] {
        for (kind, preset) in [
            ("default", Preset::Default),
            ("misaligned", Preset::FastMisaligned),
        ] {
            let spec = Spec {
                op,
                preset,
                emit: Emit::Rust,
                symbol: None,
                ..Spec::default()
            };
            let text = generate(&spec).unwrap_or_else(|problems| panic!("{problems}"));
            fs::write(out_dir.join(format!("{op}_{kind}.rs")), text).unwrap();
        }
    }

    println!("cargo::rustc-check-cfg=cfg(compiler_builtins)");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let file = match compiler_builtins() {
        Some(file) => {
            println!("cargo::rustc-cfg=compiler_builtins");
            format!("#[path = {file:?}]\nmod impls;\n")
        }
        None => String::new(),
    };
    fs::write(out_dir.join("compiler_builtins.rs"), file).unwrap();
}

/// The file with compiler-builtins' portable routines.
fn compiler_builtins() -> Option<PathBuf> {
    let folder = match env::var_os(VARIABLE) {
        Some(folder) => PathBuf::from(folder),
        None => {
            let mut rustc = Command::new(env::var_os("RUSTC")?);
            let output = rustc.args(["--print", "sysroot"]).output().ok()?;
            let sysroot = String::from_utf8(output.stdout).ok()?;
            Path::new(sysroot.trim())
                .join("lib/rustlib/src/rust/library/compiler-builtins/compiler-builtins")
        }
    };
    let file = folder.join("src/mem/impls.rs");
    file.is_file().then_some(file)
}
