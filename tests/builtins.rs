//! Portable kernels against the routines that Rust links where there are no others: those of compiler-builtins, compiled from the
//! source that comes with a toolchain and counted by QEMU.
//!
//! `MEMGEN_RUSTC` and `MEMGEN_SYSROOT` name a compiler and the folder of its libraries; `.ci/build-core` makes that folder. Without them
//! it is the `rustc` at hand, with rustup's component rust-src and its RISC-V targets.

#[path = "qemu/program.rs"]
mod program;
#[path = "cost/qemu.rs"]
mod qemu;
mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use memgen::verify::{Build, Compiler, Core};
use program::{succeed, work_dir};
use support::announce;

/// From this size on no call may execute more instructions than its rival.
const NO_WORSE_FROM_BYTES: u64 = 16;

/// The largest geometric mean of the ratios over every cell of the standard matrix.
const MOST_ON_AVERAGE: f64 = 0.75;

/// A compiler with the source of its library, and a `core` for each target.
struct Toolchain {
    rustc: Option<String>,
    sysroot: Option<PathBuf>,
    compiler: Compiler,
    /// compiler-builtins' `mem/impls.rs`.
    impls: PathBuf,
}

impl Toolchain {
    /// The toolchain, or what is missing.
    fn find() -> Result<Toolchain, String> {
        let rustc = env::var("MEMGEN_RUSTC").ok();
        let sysroot = env::var_os("MEMGEN_SYSROOT").map(PathBuf::from);
        let name = rustc.as_deref().unwrap_or("rustc");
        let own = succeed(Command::new(name).args(["--print", "sysroot"]))?;
        let impls = Path::new(String::from_utf8_lossy(&own).trim()).join(
            "lib/rustlib/src/rust/library/compiler-builtins/compiler-builtins/src/mem/impls.rs",
        );
        if !impls.is_file() {
            return Err(format!("no {}", impls.display()));
        }
        let compiler = Compiler::new(rustc.as_deref(), sysroot.as_deref())
            .map_err(|error| error.to_string())?;
        for xlen in [64, 32] {
            let target = Build::targets(xlen)[0];
            let core = compiler.core(target).map_err(|error| error.to_string())?;
            if core != Core::Installed {
                return Err(format!("no core for {target}"));
            }
        }
        Ok(Toolchain {
            rustc,
            sysroot,
            compiler,
            impls,
        })
    }

    /// compiler-builtins' routines, in the section that is counted.
    fn rivals(&self, xlen: u32) -> Result<PathBuf, String> {
        let folder = work_dir(&format!("builtins-{xlen}"));
        let text = include_str!("builtins/routines.rs");
        let text = text.replace("IMPLS", &self.impls.to_string_lossy());
        fs::write(folder.join("routines.rs"), text).map_err(|error| error.to_string())?;
        let rustc = self.compiler.command(Build::targets(xlen)[0]);
        let mut rustc = rustc.map_err(|error| error.to_string())?;
        rustc
            .args([
                "--crate-type",
                "lib",
                "-C",
                "opt-level=3",
                "--cap-lints",
                "allow",
            ])
            .args(["-C", "panic=abort", "-Z", "function-sections=no"])
            .args(["--emit", "obj", "-o", "routines.o", "routines.rs"])
            .current_dir(&folder);
        succeed(&mut rustc)?;
        let object = folder.join("routines.o");
        let section = format!(".text={}", qemu::SECTION);
        let mut rename = Command::new("riscv64-unknown-elf-objcopy");
        succeed(rename.args(["--rename-section", &section]).arg(&object))?;
        Ok(object)
    }

    /// What `memgen cost` counts for the kernel, compiled by the same compiler.
    fn ours(&self, op: &str, xlen: u32) -> Result<String, String> {
        let mut memgen = Command::new(env!("CARGO_BIN_EXE_memgen"));
        memgen
            .args(["cost", "--emit", "rust", "--format", "csv", "--op", op])
            .args(["--xlen", &xlen.to_string()]);
        memgen.args(self.rustc.iter().flat_map(|rustc| ["--rustc", rustc]));
        if let Some(sysroot) = &self.sysroot {
            memgen.arg("--sysroot").arg(sysroot);
        }
        let csv = succeed(&mut memgen)?;
        let csv = String::from_utf8_lossy(&csv).into_owned();
        let (_, cells) = csv.split_once('\n').ok_or("no header")?;
        Ok(cells.to_owned())
    }
}

/// A line of either table: the call, and its instructions.
fn cell(line: &str) -> (&str, u64, u64) {
    let fields: Vec<&str> = line.split(',').collect();
    let call_bytes: usize = fields[..5].iter().map(|field| field.len() + 1).sum();
    let number = |index: usize| fields[index].parse().expect("a number");
    (&line[..call_bytes], number(2), number(5))
}

#[test]
fn no_worse_than_compiler_builtins_and_a_quarter_faster() {
    if !program::tools_present() {
        return;
    }
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(missing) if program::tools_required() => {
            panic!("MEMGEN_REQUIRE_TOOLS=1, but {missing}")
        }
        Err(missing) => {
            announce(&format!(
                "\n*** SKIPPED: nothing was compared with compiler-builtins: {missing}\n\
                 *** Install rust-src and the RISC-V targets, or see tests/builtins.rs.\n"
            ));
            return;
        }
    };
    let plugin = qemu::plugin().unwrap();
    for xlen in [64, 32] {
        let rivals = toolchain.rivals(xlen).unwrap();
        for op in ["memcpy", "memmove", "memset"] {
            let theirs = qemu::counts(&plugin, op, xlen, &rivals).unwrap();
            let ours = toolchain.ours(op, xlen).unwrap();
            assert_eq!(theirs.lines().count(), ours.lines().count());
            let mut logarithms = 0.0;
            for (our, their) in ours.lines().zip(theirs.lines()) {
                let ((call, size, our), (same, _, their)) = (cell(our), cell(their));
                assert_eq!(call, same);
                assert!(
                    size < NO_WORSE_FROM_BYTES || our <= their,
                    "{call} {our} instructions, compiler-builtins {their}"
                );
                logarithms += (our as f64 / their as f64).ln();
            }
            let mean = (logarithms / ours.lines().count() as f64).exp();
            announce(&format!(
                "{op} on RV{xlen}: {mean:.3} of compiler-builtins' instructions, {} cells",
                ours.lines().count()
            ));
            assert!(mean <= MOST_ON_AVERAGE, "{op} on RV{xlen}: {mean}");
        }
    }
}
