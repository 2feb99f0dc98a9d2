//! Counts under user-mode QEMU, with `plugin.c`: shares no code and no model of the machine with memgen.

#![allow(dead_code, reason = "each target takes what it needs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use memgen::cost::Sizes;
use memgen::verify::{Build, Compiler, OptLevel};

use crate::program::{HARNESS, succeed, work_dir};

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cost");
const GCC: &str = "riscv64-unknown-elf-gcc";

/// The section that holds the routine and nothing else, where it is put, and room for it.
pub(crate) const SECTION: &str = ".routine";
const ADDRESS: &str = "0x400000";
const BYTES: &str = "0x10000";

/// The plugin, built for the QEMU that is installed.
pub(crate) fn plugin() -> Result<PathBuf, String> {
    let version = succeed(Command::new("qemu-riscv64").arg("--version"))?;
    let version = String::from_utf8_lossy(&version);
    let major: u32 = version
        .split_once("version ")
        .and_then(|(_, rest)| rest.split('.').next()?.parse().ok())
        .ok_or_else(|| format!("no version in {version:?}"))?;
    let file = work_dir("cost-plugin").join("plugin.so");
    let mut compile = Command::new("cc");
    compile
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
        .arg(format!(
            "-DPLUGIN_VERSION={}",
            if major < 9 { 1 } else { 2 }
        ))
        .arg(Path::new(HERE).join("plugin.c"));
    succeed(compile.arg("-o").arg(&file))?;
    Ok(file)
}

/// The CSV of the routine of `memgen --op OP --xlen XLEN FLAGS` over the standard sizes, without its header: as QEMU counts, and as
/// `memgen cost` does.
pub(crate) fn both(
    plugin: &Path,
    op: &str,
    xlen: u32,
    flags: &[&str],
) -> Result<(String, String), String> {
    let dir = work_dir(&format!("cost-{op}-{xlen}"));
    let memgen = |subcommand: &[&str], more: &[&str]| {
        let mut memgen = Command::new(env!("CARGO_BIN_EXE_memgen"));
        memgen.args(subcommand);
        memgen.args([
            "--op",
            op,
            "--xlen",
            &xlen.to_string(),
            "--section",
            SECTION,
        ]);
        succeed(memgen.args(flags).args(more))
    };
    let text = memgen(&[], &[])?;
    let (source, bytes) = match flags {
        ["--emit", "rust", ..] => (dir.join("routine.o"), compiled(xlen, &text)?),
        _ => (dir.join("routine.S"), text),
    };
    fs::write(&source, bytes).map_err(|error| error.to_string())?;
    let counted = counts(plugin, op, xlen, &source)?;
    let cost = memgen(&["cost"], &["--format", "csv"])?;
    let cost = String::from_utf8_lossy(&cost);
    let (_, cost) = cost.split_once('\n').ok_or("no header")?;
    Ok((counted, cost.to_owned()))
}

/// The CSV of the routine `op` in `source`, an object or assembly that has it in [`SECTION`], as QEMU counts.
pub(crate) fn counts(plugin: &Path, op: &str, xlen: u32, source: &Path) -> Result<String, String> {
    let dir = work_dir(&format!("counts-{op}-{xlen}"));
    let program = build(op, xlen, source, &dir)?;
    run(plugin, xlen, &program, &dir.join("counts"))
}

/// The object of the Rust kernel `text`, in the build whose calls `memgen cost` counts.
fn compiled(xlen: u32, text: &[u8]) -> Result<Vec<u8>, String> {
    let build = Build {
        target: Build::targets(xlen)[0].to_owned(),
        level: OptLevel::Three,
        unaligned_access: false,
    };
    let compiler = Compiler::new(None, None).map_err(|error| error.to_string())?;
    compiler
        .object(&String::from_utf8_lossy(text), &build)
        .map_err(|error| error.to_string())
}

/// Links the routine in `source` with `calls.c`.
fn build(op: &str, xlen: u32, source: &Path, dir: &Path) -> Result<PathBuf, String> {
    let sizes: Vec<String> = Sizes::standard()
        .iter()
        .map(|size| size.to_string())
        .collect();
    let target = match xlen {
        64 => ["-march=rv64gc", "-mabi=lp64d"],
        _ => ["-march=rv32imac", "-mabi=ilp32"],
    };
    let program = dir.join("calls");
    let mut link = Command::new(GCC);
    link.args(target)
        .args(["-mcmodel=medany", "-O2", "-Wall", "-Wextra", "-Werror"])
        .args(["-ffreestanding", "-nostdlib", "-static"])
        .args(["-fno-builtin", "-fno-tree-loop-distribute-patterns"])
        .arg(format!("-Wl,--section-start={SECTION}={ADDRESS}"))
        .arg(format!("-DOP_{}", op.to_uppercase()))
        .arg(format!("-DSIZES={}", sizes.join(",")))
        .arg(Path::new(HARNESS).join("start.S"))
        .arg(Path::new(HERE).join("calls.c"))
        .arg(source);
    succeed(link.arg("-o").arg(&program))?;
    Ok(program)
}

/// Runs `program`; each line it prints, with the counts of the call it is about.
fn run(plugin: &Path, xlen: u32, program: &Path, counts: &Path) -> Result<String, String> {
    let plugin = format!(
        "{},start={ADDRESS},bytes={BYTES},out={}",
        plugin.display(),
        counts.display()
    );
    let mut emulate = Command::new(format!("qemu-riscv{xlen}"));
    emulate.args(["-plugin", &plugin]).arg(program);
    let calls = succeed(&mut emulate)?;
    let calls = String::from_utf8_lossy(&calls);
    let counts = fs::read_to_string(counts).map_err(|error| error.to_string())?;
    if calls.lines().count() != counts.lines().count() {
        return Err(format!(
            "{} calls, but counts of {}",
            calls.lines().count(),
            counts.lines().count()
        ));
    }
    let lines = calls.lines().zip(counts.lines());
    Ok(lines
        .map(|(call, counts)| format!("{call},{counts}\n"))
        .collect())
}
