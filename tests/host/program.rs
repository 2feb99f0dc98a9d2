//! The program around kernels: their texts as modules, the harness as a crate, compiled by rustc alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use memgen::Op;

use crate::support::folder;

const HARNESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/host/harness.rs");

/// A kernel to be compiled.
pub(crate) struct Source {
    /// What messages call it.
    pub(crate) name: String,
    pub(crate) op: Op,
    /// It makes no misaligned access.
    pub(crate) strict: bool,
    /// Moves are tried at every distance.
    pub(crate) thorough: bool,
    /// The function's name.
    pub(crate) symbol: String,
    /// The file.
    pub(crate) text: String,
}

/// How kernels are compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build {
    /// Without optimisation, with every check that the compiler can add.
    Debug,
    /// With all optimisation.
    Optimised,
}

/// What a warning of the compiler is.
#[derive(Clone, Copy)]
pub(crate) enum Warnings {
    /// An error, as it may be in a program that takes a kernel in.
    Denied,
    /// Nothing, in kernels that are wrong.
    Allowed,
}

/// The harness, compiled, and the folder for its programs.
pub(crate) struct Harness {
    folder: PathBuf,
}

/// A compiled program.
pub(crate) struct Program {
    file: PathBuf,
}

/// What a program came to.
pub(crate) struct Ran {
    pub(crate) right: bool,
    pub(crate) printed: String,
}

impl Harness {
    /// Compiles the harness, optimised whatever the kernels will be: most of the time is its own.
    pub(crate) fn new(name: &str) -> Harness {
        let folder = folder(&format!("host-{name}"));
        rustc(
            &["-O", "--crate-type", "rlib", "--crate-name", "harness"],
            Path::new(HARNESS),
            &folder.join("libharness.rlib"),
        );
        Harness { folder }
    }

    /// Compiles a program of `kernels`.
    pub(crate) fn program(&self, build: Build, warnings: Warnings, kernels: &[Source]) -> Program {
        let folder = self.folder.join(format!("{build:?}"));
        fs::create_dir_all(&folder).unwrap();
        let (mut modules, mut table) = (String::new(), String::new());
        for (index, kernel) in kernels.iter().enumerate() {
            let Source {
                name,
                strict,
                thorough,
                symbol,
                ..
            } = kernel;
            // Two kernels may have the same name, and none may take the place of the C library's.
            let text = kernel.text.replace("#[unsafe(no_mangle)]", "");
            fs::write(folder.join(format!("k{index}.rs")), text).unwrap();
            let op = kernel.op.to_string();
            let (first, rest) = op.split_at(1);
            let routine = first.to_uppercase() + rest;
            modules += &format!("mod k{index};\n");
            table += &format!(
                "Kernel {{ name: {name:?}, strict: {strict}, thorough: {thorough}, routine: Routine::{routine}(k{index}::{symbol}) }},\n"
            );
        }
        let main = format!(
            "use harness::{{Kernel, Routine, run}};\n{modules}static KERNELS: &[Kernel] = &[\n{table}];\n\
             fn main() -> std::process::ExitCode {{ run(KERNELS) }}\n"
        );
        let source = folder.join("main.rs");
        fs::write(&source, main).unwrap();
        let crates = format!("harness={}", self.folder.join("libharness.rlib").display());
        let level: &[&str] = match build {
            Build::Debug => &["-Copt-level=0", "-Cdebug-assertions", "-Coverflow-checks"],
            Build::Optimised => &["-Copt-level=3"],
        };
        let lints: &[&str] = match warnings {
            Warnings::Denied => &["-Dwarnings"],
            Warnings::Allowed => &["--cap-lints=allow"],
        };
        let file = folder.join("program");
        rustc(
            &[level, lints, &["--extern", &crates]].concat(),
            &source,
            &file,
        );
        Program { file }
    }
}

impl Program {
    /// Runs the kernel that is called `name`, or all.
    pub(crate) fn run(&self, name: Option<&str>) -> Ran {
        let output = Command::new(&self.file).args(name).output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        Ran {
            right: output.status.success(),
            printed: String::from_utf8_lossy(&printed).into_owned(),
        }
    }
}

/// Compiles `source` to `file`.
fn rustc(arguments: &[&str], source: &Path, file: &Path) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024"])
        .args(arguments)
        .arg("-o")
        .args([file, source])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}
