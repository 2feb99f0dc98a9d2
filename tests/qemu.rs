//! Runs emitted routines under QEMU against a harness of its own, `qemu/harness.c`,
//! which shares no code and no model of the machine with the verifier.
//!
//! Needs a RISC-V cross compiler and user-mode QEMU. Without them the tests are
//! skipped, loudly; with `MEMGEN_REQUIRE_TOOLS=1` they fail instead.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

const GCC: &str = "riscv64-unknown-elf-gcc";
/// The programs needed and the Debian packages they are in.
const TOOLS: [(&str, &str); 3] = [
    (GCC, "gcc-riscv64-unknown-elf"),
    ("qemu-riscv64", "qemu-user"),
    ("qemu-riscv32", "qemu-user"),
];
const HARNESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/qemu");
const THREADS: usize = 2;

/// One routine to generate: an operation, 64 or 32, and further flags.
struct Variant {
    op: &'static str,
    xlen: u32,
    flags: &'static [&'static str],
}

/// The defaults of each operation and a spread of flags that change the code.
fn variants() -> Vec<Variant> {
    const COPY: [&[&str]; 8] = [
        &[],
        &["--small", "loop"],
        &["--small", "jump"],
        &["--overread", "none"],
        &["--unroll", "3", "--regs", "2"],
        &["--unaligned", "bytes"],
        &["--misaligned", "fast"],
        &["--word", "1"],
    ];
    const COPY_64: [&[&str]; 1] = [&["--word", "4"]];
    const SET: [&[&str]; 5] = [
        &[],
        &["--small", "loop"],
        &["--small", "jump"],
        &["--misaligned", "fast"],
        &["--unroll", "3"],
    ];
    let mut all = Vec::new();
    for xlen in [64, 32] {
        let copy_64: &[_] = if xlen == 64 { &COPY_64 } else { &[] };
        for op in ["memcpy", "memmove"] {
            let flags = COPY.iter().chain(copy_64);
            all.extend(flags.map(|flags| Variant { op, xlen, flags }));
        }
        let op = "memset";
        all.extend(SET.iter().map(|flags| Variant { op, xlen, flags }));
    }
    all
}

/// Whether the tools are there. If not, says so where the test runner does not
/// capture it, or panics if they are required.
fn tools_present() -> bool {
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
    if env::var_os("MEMGEN_REQUIRE_TOOLS").is_some_and(|value| value == "1") {
        panic!("MEMGEN_REQUIRE_TOOLS=1, but there is no\n  {missing}");
    }
    let _ = writeln!(
        io::stderr(),
        "\n*** SKIPPED: no routine was run under QEMU. Missing:\n  {missing}\n\
         *** Install these, and set MEMGEN_REQUIRE_TOOLS=1 to fail without them.\n"
    );
    false
}

/// Runs a command to its end and returns what it printed to standard output, or
/// a description of its failure.
fn succeed(command: &mut Command) -> Result<Vec<u8>, String> {
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
fn work_dir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("qemu-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("the work directory can be made");
    dir
}

/// Assembles the routine in `source` and links it into a harness for `op`.
fn build(
    op: &str,
    xlen: u32,
    source: &Path,
    defines: &[&str],
    dir: &Path,
) -> Result<PathBuf, String> {
    let target = match xlen {
        64 => ["-march=rv64gc", "-mabi=lp64d"],
        _ => ["-march=rv32imac", "-mabi=ilp32"],
    };
    let (object, program) = (dir.join("routine.o"), dir.join("harness"));
    let mut assemble = Command::new(GCC);
    assemble.args(target).args(defines).arg("-c").arg(source);
    succeed(assemble.arg("-o").arg(&object))?;

    let mut link = Command::new(GCC);
    link.args(target)
        .args(["-mcmodel=medany", "-O2", "-Wall", "-Wextra", "-Werror"])
        .args(["-ffreestanding", "-nostdlib", "-static"])
        .args(["-fno-builtin", "-fno-tree-loop-distribute-patterns"])
        .arg(format!("-DOP_{}", op.to_uppercase()))
        .arg(format!("-DROUTINE={op}"))
        .args(["start.S", "harness.c"].map(|file| Path::new(HARNESS).join(file)))
        .arg(&object);
    succeed(link.arg("-o").arg(&program))?;
    Ok(program)
}

/// A run of the harness under QEMU.
fn emulate(program: &Path, xlen: u32) -> Command {
    let mut command = Command::new(format!("qemu-riscv{xlen}"));
    command.arg(program);
    command
}

/// Generates a variant, builds it and runs it; returns the line of the harness.
fn validate(variant: &Variant) -> Result<String, String> {
    let Variant { op, xlen, flags } = *variant;
    let dir = work_dir(&format!("{op}-{xlen}{}", flags.concat()));
    let mut memgen = Command::new(env!("CARGO_BIN_EXE_memgen"));
    memgen.args(["--op", op, "--xlen", &xlen.to_string()]);
    let source = dir.join("routine.S");
    fs::write(&source, succeed(memgen.args(flags))?).map_err(|error| error.to_string())?;
    let program = build(op, xlen, &source, &[], &dir)?;
    let printed = succeed(&mut emulate(&program, xlen))?;
    let line = String::from_utf8_lossy(&printed);
    Ok(format!("{} [{}]", line.trim_end(), flags.join(" ")))
}

#[test]
fn emitted_routines_are_right() {
    if !tools_present() {
        return;
    }
    let variants = Mutex::new(variants().into_iter());
    let failures = Mutex::new(Vec::new());
    let take = || variants.lock().unwrap().next();
    let work = || {
        while let Some(variant) = take() {
            match validate(&variant) {
                Ok(line) => println!("{line}"),
                Err(why) => failures.lock().unwrap().push(why),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn broken_routines_are_noticed() {
    if !tools_present() {
        return;
    }
    let source = Path::new(HARNESS).join("broken.S");
    for xlen in [64, 32] {
        for (defines, status, word) in [
            (&[][..], 0, "all right"),
            (&["-DBREAK_LENGTH"], 1, "write after dst"),
            (&["-DBREAK_RETURN"], 1, "wrong return value"),
            (&["-DBREAK_SAVED"], 1, "callee-saved register"),
            (&["-DBREAK_OVERREAD"], 1, "memory fault"),
        ] {
            let dir = work_dir(&format!("broken-{xlen}{}", defines.concat()));
            let program = build("memcpy", xlen, &source, defines, &dir).unwrap();
            let output = emulate(&program, xlen).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(status), "{defines:?}: {printed}");
            assert!(printed.contains(word), "{defines:?}: {printed}");
        }
    }
}
