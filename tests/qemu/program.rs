//! Builds harness programs and runs them under user-mode QEMU; shared by the test targets that do.

#![allow(dead_code, reason = "each target takes what it needs")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const GCC: &str = "riscv64-unknown-elf-gcc";
/// The programs needed and the Debian packages they are in.
const TOOLS: [(&str, &str); 3] = [
    (GCC, "gcc-riscv64-unknown-elf"),
    ("qemu-riscv64", "qemu-user"),
    ("qemu-riscv32", "qemu-user"),
];
pub(crate) const HARNESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/qemu");

/// Whether the tools are there. If not, says so where the test runner does not
/// capture it, or panics if they are required.
pub(crate) fn tools_present() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let missing: Vec<String> = TOOLS
        .iter()
        .filter(|(tool, _)| !env::split_paths(&path).any(|dir| dir.join(tool).is_file()))
        .map(|(tool, package)| format!("{tool} (Debian package {package})"))
        .collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join("\n  ");
    if tools_required() {
        panic!("MEMGEN_REQUIRE_TOOLS=1, but there is no\n  {missing}");
    }
    let _ = writeln!(
        io::stderr(),
        "\n*** SKIPPED: nothing was run under QEMU. Missing:\n  {missing}\n\
         *** Install these, and set MEMGEN_REQUIRE_TOOLS=1 to fail without them.\n"
    );
    false
}

/// Whether a missing tool is a failure.
pub(crate) fn tools_required() -> bool {
    env::var_os("MEMGEN_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

/// Runs a command to its end and returns what it printed to standard output, or
/// a description of its failure.
pub(crate) fn succeed(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    Err(format!("{command:?}: {}\n{printed}", output.status))
}

/// An empty directory for the files of one program.
pub(crate) fn work_dir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("qemu-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("the work directory can be made");
    dir
}

/// A harness: its file, and the macros it is compiled with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Harness {
    pub(crate) file: &'static str,
    pub(crate) defines: Vec<String>,
}

impl Harness {
    /// The one for memcpy, memmove or memset.
    fn plain(op: &str) -> Harness {
        Harness {
            file: "harness.c",
            defines: vec![
                format!("-DOP_{}", op.to_uppercase()),
                format!("-DROUTINE={op}"),
            ],
        }
    }
}

/// Where each harness is that has been compiled, by register width.
static HARNESSES: Mutex<BTreeMap<(Harness, u32), PathBuf>> = Mutex::new(BTreeMap::new());

fn target(xlen: u32) -> [&'static str; 2] {
    match xlen {
        64 => ["-march=rv64gc", "-mabi=lp64d"],
        _ => ["-march=rv32imac", "-mabi=ilp32"],
    }
}

/// The harness without the routine; compiled when it is asked for first.
fn compiled(harness: &Harness, xlen: u32) -> Result<PathBuf, String> {
    let mut harnesses = HARNESSES.lock().expect("no thread panicked");
    let key = (harness.clone(), xlen);
    if let Some(object) = harnesses.get(&key) {
        return Ok(object.clone());
    }
    let name = harness.defines.concat().replace('"', "");
    let object = work_dir(&format!("harness{name}-{xlen}")).join("harness.o");
    let mut compile = Command::new(GCC);
    compile
        .args(target(xlen))
        .args(["-mcmodel=medany", "-O2", "-Wall", "-Wextra", "-Werror"])
        .args(["-ffreestanding", "-nostdlib", "-r"])
        .args(["-fno-builtin", "-fno-tree-loop-distribute-patterns"])
        .args(&harness.defines)
        .args(["start.S", harness.file].map(|file| Path::new(HARNESS).join(file)));
    succeed(compile.arg("-o").arg(&object))?;
    harnesses.insert(key, object.clone());
    Ok(object)
}

/// Assembles the routine in `source` and links it into the harness for `op`, one of memcpy, memmove and memset.
pub(crate) fn build(
    op: &str,
    xlen: u32,
    source: &Path,
    defines: &[&str],
    dir: &Path,
) -> Result<PathBuf, String> {
    build_with(&Harness::plain(op), xlen, source, defines, dir)
}

/// Assembles the routine in `source`, where `defines` hold, and links it into the harness.
pub(crate) fn build_with(
    harness: &Harness,
    xlen: u32,
    source: &Path,
    defines: &[&str],
    dir: &Path,
) -> Result<PathBuf, String> {
    let (object, program) = (dir.join("routine.o"), dir.join("harness"));
    let mut assemble = Command::new(GCC);
    assemble.args(target(xlen)).args(defines).arg("-c");
    succeed(assemble.arg(source).arg("-o").arg(&object))?;

    let mut link = Command::new(GCC);
    link.args(target(xlen)).args(["-nostdlib", "-static"]);
    link.arg(compiled(harness, xlen)?).arg(&object);
    succeed(link.arg("-o").arg(&program))?;
    Ok(program)
}

/// A run of the harness under QEMU.
pub(crate) fn emulate(program: &Path, xlen: u32) -> Command {
    let mut command = Command::new(format!("qemu-riscv{xlen}"));
    command.arg("-cpu").arg(format!("rv{xlen},zbkb=true"));
    command.arg(program);
    command
}
