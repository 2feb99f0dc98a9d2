//! From a Rust kernel to an ELF object, by rustc: with the target's own `core` where it is installed, else with a small one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use tempfile::TempDir;

use super::build::Build;

/// The text of the mini-core, a crate of its own.
const MINI_CORE: [(&str, &str); 8] = [
    ("lib.rs", include_str!("mini_core/lib.rs")),
    ("cmp.rs", include_str!("mini_core/cmp.rs")),
    ("intrinsics.rs", include_str!("mini_core/intrinsics.rs")),
    ("marker.rs", include_str!("mini_core/marker.rs")),
    ("num.rs", include_str!("mini_core/num.rs")),
    ("ops.rs", include_str!("mini_core/ops.rs")),
    ("panicking.rs", include_str!("mini_core/panicking.rs")),
    ("ptr.rs", include_str!("mini_core/ptr.rs")),
];

/// What rustc links beside `core`; a kernel needs nothing of it.
const NO_BUILTINS: &str = "\
#![feature(compiler_builtins, no_core)]
#![allow(internal_features)]
#![compiler_builtins]
#![no_core]
";

/// What stands for `core` under a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The one that belongs to the compiler, as `rustup target add` installs it.
    Installed,
    /// memgen's own, which holds what memgen's kernels use.
    Mini,
}

/// `its own core` or `mini-core`.
impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Core::Installed => "its own core",
            Core::Mini => "mini-core",
        })
    }
}

/// Compiles kernels. Keeps the mini-cores that it made for as long as it lives.
#[derive(Debug)]
pub struct Compiler {
    rustc: OsString,
    sysroot: Option<PathBuf>,
    /// A sysroot of mini-cores, and the kernels under compilation.
    folder: TempDir,
    cores: Mutex<BTreeMap<String, Core>>,
}

/// A compiler that did not run, or did not accept the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerError {
    /// The command as it was run.
    pub command: String,
    /// What it printed, or why it did not start.
    pub output: String,
    /// The `core` that the kernel was compiled against, if it came to that.
    pub core: Option<Core>,
}

impl fmt::Display for CompilerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: the compiler failed: {}", self.command)?;
        for line in self.output.lines() {
            writeln!(f, "  {line}")?;
        }
        match self.core {
            Some(Core::Mini) => write!(
                f,
                "  help: this was compiled against a small core that holds what memgen's kernels use;\n        \
                 `rustup target add` gives the target's own"
            ),
            _ => write!(f, "  help: --rustc chooses another compiler"),
        }
    }
}

impl std::error::Error for CompilerError {}

impl Compiler {
    /// `rustc`: a command, or `$RUSTC` and then `rustc` for `None`. With a `sysroot`, `core` is taken from that folder, where
    /// rustc expects it: `lib/rustlib/TARGET/lib`.
    ///
    /// # Errors
    /// No temporary folder can be made.
    pub fn new(rustc: Option<&str>, sysroot: Option<&Path>) -> Result<Compiler, CompilerError> {
        let rustc = match rustc {
            Some(command) => command.into(),
            None => std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()),
        };
        let sysroot = sysroot.map(std::path::absolute).transpose();
        Ok(Compiler {
            rustc,
            sysroot: sysroot.map_err(|error| failed("the sysroot's path", error))?,
            folder: TempDir::new().map_err(|error| failed("a temporary folder", error))?,
            cores: Mutex::default(),
        })
    }

    /// Compiles `kernels`, the text of one file or of several one after the other, and gives the bytes of an ELF object. Its
    /// symbols are the names of the functions, whether the text exports them so or not.
    ///
    /// # Errors
    /// The compiler's own words, with the command.
    pub fn object(&self, kernels: &str, build: &Build) -> Result<Vec<u8>, CompilerError> {
        let mut rustc = self.command(&build.target)?;
        let folder = tempfile::tempdir_in(&self.folder)
            .map_err(|error| failed("a temporary folder", error))?;
        write(folder.path(), "kernel.rs", &exported(kernels))?;
        rustc
            .args(build.flags())
            .args(["--crate-type", "lib", "--cap-lints", "allow"])
            .args(["-Z", "crate-attr=no_std", "-C", "codegen-units=1"])
            .args(["--emit", "obj", "-o", "kernel.o", "kernel.rs"])
            .current_dir(folder.path());
        let core = self.core(&build.target)?;
        run(&mut rustc).map_err(|error| CompilerError {
            core: Some(core),
            ..error
        })?;
        std::fs::read(folder.path().join("kernel.o")).map_err(|error| failed("kernel.o", error))
    }

    /// rustc for `target`, told where `core` is and nothing else, for a crate of the 2024 edition.
    ///
    /// # Errors
    /// As [`Compiler::core`].
    pub fn command(&self, target: &str) -> Result<Command, CompilerError> {
        let core = self.core(target)?;
        let mut rustc = self.rustc(target);
        match core {
            Core::Installed => {}
            // There is nothing to unwind to.
            Core::Mini => {
                rustc.args(["-C", "panic=abort", "--sysroot"]);
                rustc.arg(self.folder.path());
            }
        }
        Ok(rustc)
    }

    /// What stands for `core` on `target`: the compiler's own if it is installed, else a mini-core, made when it is asked for
    /// first.
    ///
    /// # Errors
    /// A compiler that does not start, does not know the target or does not accept the mini-core; a given sysroot without
    /// `core` for the target.
    pub fn core(&self, target: &str) -> Result<Core, CompilerError> {
        let mut cores = self.cores.lock().unwrap_or_else(|lock| lock.into_inner());
        if let Some(core) = cores.get(target) {
            return Ok(*core);
        }
        let core = self.find_core(target)?;
        cores.insert(target.to_owned(), core);
        Ok(core)
    }

    fn find_core(&self, target: &str) -> Result<Core, CompilerError> {
        let mut ask = self.rustc(target);
        let printed = run(ask.args(["--print", "target-libdir"]))?.stdout;
        let folder = PathBuf::from(String::from_utf8_lossy(&printed).trim());
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        if names.any(|name| name.starts_with("libcore") && name.ends_with(".rlib")) {
            return Ok(Core::Installed);
        }
        if self.sysroot.is_some() {
            return Err(failed(
                &format!("looking for core for {target}"),
                format!("no libcore*.rlib in {}", folder.display()),
            ));
        }
        self.make_mini_core(target).map_err(|error| CompilerError {
            output: format!("{}\n(while compiling memgen's mini-core)", error.output),
            ..error
        })?;
        Ok(Core::Mini)
    }

    /// Compiles the mini-core into the folder where rustc looks for `core`.
    fn make_mini_core(&self, target: &str) -> Result<(), CompilerError> {
        let sysroot = self.folder.path();
        let library = sysroot.join("lib/rustlib").join(target).join("lib");
        let source = sysroot.join("mini_core");
        for folder in [&library, &source] {
            std::fs::create_dir_all(folder).map_err(|error| failed("a temporary folder", error))?;
        }
        for (name, text) in MINI_CORE {
            write(&source, name, text)?;
        }
        write(&source, "no_builtins.rs", NO_BUILTINS)?;
        for (name, root) in [("core", "lib.rs"), ("compiler_builtins", "no_builtins.rs")] {
            let mut rustc = self.rustc(target);
            rustc
                .args(["--crate-type", "rlib", "--crate-name", name, "--out-dir"])
                .arg(&library)
                .args(["-C", "opt-level=3", "-C", "panic=abort", root])
                .current_dir(&source);
            run(&mut rustc)?;
        }
        Ok(())
    }

    fn rustc(&self, target: &str) -> Command {
        let mut rustc = Command::new(&self.rustc);
        // The mini-core is written in the language that `core` itself is written in, and a file becomes `no_std` by a flag.
        rustc.env("RUSTC_BOOTSTRAP", "1");
        rustc.args(["--edition", "2024", "--target", target]);
        if let Some(sysroot) = &self.sysroot {
            rustc.arg("--sysroot").arg(sysroot);
        }
        rustc
    }
}

/// `kernels` with its functions exported under their names, each line where it was.
fn exported(kernels: &str) -> String {
    if kernels.contains("no_mangle") {
        return kernels.to_owned();
    }
    let head = "pub unsafe extern \"C\" fn ";
    let exported = format!("\n#[unsafe(no_mangle)] {head}");
    format!("\n{kernels}").replace(&format!("\n{head}"), &exported)[1..].to_owned()
}

/// The failure of what is no command of the compiler's.
fn failed(what: &str, why: impl ToString) -> CompilerError {
    CompilerError {
        command: what.to_owned(),
        output: why.to_string(),
        core: None,
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), CompilerError> {
    std::fs::write(folder.join(name), text)
        .map_err(|error| failed(&format!("writing {name}"), error))
}

fn run(process: &mut Command) -> Result<Output, CompilerError> {
    let words = std::iter::once(process.get_program()).chain(process.get_args());
    let command = words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    let output = process.output().map_err(|error| failed(&command, error))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(failed(&command, String::from_utf8_lossy(&output.stderr)))
}
