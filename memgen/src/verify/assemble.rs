//! From emitted text to an ELF object, by an assembler that is not ours: rustc's own LLVM, or any command.

use std::fmt;
use std::path::Path;
use std::process::Command;

use super::linux;
use crate::isa::Isa;
use crate::spec::{Dialect, Emit, Spec};

/// What assembles the emitted text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Assembler {
    /// `rustc` (or `$RUSTC`): its LLVM assembles for RISC-V without any RISC-V library installed.
    #[default]
    Rustc,
    /// A command such as `riscv64-linux-gnu-gcc` or `clang --target=riscv64`; it is given
    /// `-march=… -mabi=… -c -o OBJECT FILE.S`.
    Command(String),
}

/// An assembler that did not run, or did not accept the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblerError {
    /// The command as it was run.
    pub command: String,
    /// What it printed, or why it did not start.
    pub output: String,
}

impl fmt::Display for AssemblerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: the assembler failed: {}", self.command)?;
        for line in self.output.lines() {
            writeln!(f, "  {line}")?;
        }
        write!(
            f,
            "  help: --assembler chooses another, for example --assembler riscv64-linux-gnu-gcc"
        )
    }
}

impl std::error::Error for AssemblerError {}

/// A crate without even `core`, which declares the built-in macros it uses itself. Such a crate compiles for any
/// target, installed or not; `RUSTC_BOOTSTRAP` admits the language features it takes.
const ASSEMBLY_CRATE: &str = "\
#![feature(no_core, rustc_attrs)]
#![allow(internal_features)]
#![no_core]
#[rustc_builtin_macro]
macro_rules! global_asm { () => {}; }
#[rustc_builtin_macro]
macro_rules! include_str { () => {}; }
global_asm!(include_str!(\"routine.S\"), options(raw));
";

/// The same around a naked function, with as much of `core` as its signature and `naked_asm!` need.
const NAKED_CRATE: &str = "\
#![feature(no_core, rustc_attrs, lang_items, decl_macro)]
#![allow(internal_features)]
#![no_core]
#[lang = \"pointee_sized\"]
pub trait PointeeSized {}
#[lang = \"meta_sized\"]
pub trait MetaSized: PointeeSized {}
#[lang = \"sized\"]
pub trait Sized: MetaSized {}
#[lang = \"copy\"]
pub trait Copy {}
#[rustc_builtin_macro]
macro_rules! include { () => {}; }
mod core {
    pub mod arch {
        #[rustc_builtin_macro]
        pub macro naked_asm() {}
    }
}
include!(\"routine.rs\");
";

impl Assembler {
    /// Assembles `text`, the file that `spec` makes, for `isa`; gives the bytes of an ELF object.
    ///
    /// # Errors
    /// The assembler's own words, with the command.
    pub fn assemble(&self, spec: &Spec, isa: &Isa, text: &str) -> Result<Vec<u8>, AssemblerError> {
        let folder = tempfile::tempdir().map_err(|error| AssemblerError {
            command: "a temporary folder".to_owned(),
            output: error.to_string(),
        })?;
        if spec.emit == Emit::RustAsm {
            return self.compile_naked(folder.path(), isa, text);
        }
        let plain = match spec.frame() {
            Dialect::Linux => linux::expand(text, isa),
            _ => text.to_owned(),
        };
        write(folder.path(), "routine.S", &plain)?;
        match self {
            Assembler::Rustc => rustc(folder.path(), isa, ASSEMBLY_CRATE),
            Assembler::Command(command) => {
                // The gnu frame asks for it itself; a kernel is built with it.
                let zicsr = match spec.frame() == Dialect::Linux && plain.contains("sstatus") {
                    true => "_zicsr",
                    false => "",
                };
                let mut words = command.split_whitespace();
                let mut process = Command::new(words.next().unwrap_or_default());
                process
                    .args(words)
                    .arg(format!("-march={}{zicsr}", isa.base()))
                    .arg(format!("-mabi={}", isa.abi()))
                    .args(["-c", "-o", "routine.o", "routine.S"]);
                run(process, folder.path())
            }
        }
    }

    /// A naked function can only be compiled by rustc.
    fn compile_naked(
        &self,
        folder: &Path,
        isa: &Isa,
        text: &str,
    ) -> Result<Vec<u8>, AssemblerError> {
        if let Assembler::Command(command) = self {
            return Err(AssemblerError {
                command: command.clone(),
                output: "--emit rust-asm is Rust; only rustc compiles it".to_owned(),
            });
        }
        write(folder, "routine.rs", text)?;
        rustc(folder, isa, NAKED_CRATE)
    }
}

/// A built-in target for the base; its extensions do no harm, since the text uses none and forbids compression.
fn rustc_target(isa: &Isa) -> &'static str {
    match (isa.xlen, isa.embedded) {
        (32, false) => "riscv32i-unknown-none-elf",
        (32, true) => "riscv32e-unknown-none-elf",
        _ => "riscv64gc-unknown-none-elf",
    }
}

fn rustc(folder: &Path, isa: &Isa, wrapper: &str) -> Result<Vec<u8>, AssemblerError> {
    write(folder, "wrapper.rs", wrapper)?;
    let mut process = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    process
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "obj"])
        .args([
            "--target",
            rustc_target(isa),
            "-o",
            "routine.o",
            "wrapper.rs",
        ]);
    run(process, folder)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), AssemblerError> {
    std::fs::write(folder.join(name), text).map_err(|error| AssemblerError {
        command: format!("writing {name}"),
        output: error.to_string(),
    })
}

/// Runs `process` in `folder`, then reads `routine.o`.
fn run(mut process: Command, folder: &Path) -> Result<Vec<u8>, AssemblerError> {
    let words = std::iter::once(process.get_program()).chain(process.get_args());
    let command = words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    let failed = |output: String| AssemblerError {
        command: command.clone(),
        output,
    };
    let result = process
        .current_dir(folder)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !result.status.success() {
        return Err(failed(String::from_utf8_lossy(&result.stderr).into_owned()));
    }
    std::fs::read(folder.join("routine.o")).map_err(|error| failed(error.to_string()))
}
