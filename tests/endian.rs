//! Rust kernels on big-endian machines: compiled for s390x (64 bits) and PowerPC (32 bits), linked with `endian/harness.c` and run
//! under user-mode QEMU.
//!
//! Needs the two cross compilers and QEMU. Without them the tests are skipped, loudly; with `MEMGEN_REQUIRE_TOOLS=1` they fail instead.

#[path = "support/kernels.rs"]
mod kernels;
mod support;

use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Instant;

use kernels::{Kernel, made, published, together};
use memgen::Op;
use memgen::verify::{Build, Compiler, OptLevel};
use rayon::prelude::*;
use support::{announce, folder, text};

/// A big-endian machine and its tools.
struct Machine {
    target: &'static str,
    gcc: &'static str,
    qemu: &'static str,
}

const S390X: Machine = Machine {
    target: "s390x-unknown-linux-gnu",
    gcc: "s390x-linux-gnu-gcc",
    qemu: "qemu-s390x",
};

const POWERPC: Machine = Machine {
    target: "powerpc-unknown-linux-gnu",
    gcc: "powerpc-linux-gnu-gcc",
    qemu: "qemu-ppc",
};

/// Debian's packages with the tools.
const PACKAGES: &str = "gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-user";

static COMPILER: LazyLock<Compiler> =
    LazyLock::new(|| Compiler::new(None, None).unwrap_or_else(|error| panic!("{error}")));

/// Whether the tools are there. If not, says so, or panics if they are required.
fn tools_present() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let missing =
        |tool: &&str| !std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    let tools = [S390X.gcc, S390X.qemu, POWERPC.gcc, POWERPC.qemu];
    let missing: Vec<&str> = tools.into_iter().filter(missing).collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join(", ");
    if std::env::var_os("MEMGEN_REQUIRE_TOOLS").is_some_and(|value| value == "1") {
        panic!("MEMGEN_REQUIRE_TOOLS=1, but there is no {missing}");
    }
    announce(&format!(
        "\n*** SKIPPED: no kernel was run on a big-endian machine. Missing: {missing}\n\
         *** Debian packages: {PACKAGES}\n\
         *** Install these, and set MEMGEN_REQUIRE_TOOLS=1 to fail without them.\n"
    ));
    false
}

/// Compiles `kernels` at `level`, links them with the harness and runs it.
fn run(machine: &Machine, level: OptLevel, kernels: &[Kernel], name: &str) -> Output {
    let folder = folder(&format!("endian-{name}"));
    let build = Build {
        target: machine.target.to_owned(),
        level,
        unaligned_access: false,
    };
    let all: Vec<&Kernel> = kernels.iter().collect();
    let object = COMPILER
        .object(&together(&all), &build)
        .unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(folder.join("kernels.o"), object).unwrap();
    let calls = kernels.iter().map(|kernel| match kernel.asked.op {
        Op::Memmove => format!("MOVE({})", kernel.symbol),
        Op::Memset => format!("FILL({})", kernel.symbol),
        _ => format!("COPY({})", kernel.symbol),
    });
    let harness = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/endian/harness.c");
    let linked = Command::new(machine.gcc)
        .args([
            "-std=gnu11",
            "-O2",
            "-static",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-function",
        ])
        // The harness's own loops stay loops.
        .args(["-fno-builtin", "-fno-tree-loop-distribute-patterns"])
        .arg(format!("-DKERNELS={}", calls.collect::<Vec<_>>().join(" ")))
        .args([harness, "kernels.o", "-o", "harness"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", text(&linked.stderr));
    let mut emulated = Command::new(machine.qemu);
    emulated.arg(folder.join("harness")).output().unwrap()
}

#[test]
fn kernels_are_right_on_big_endian_machines() {
    if !tools_present() {
        return;
    }
    let kernels: Vec<Kernel> = published().into_iter().chain(made(&OTHERS)).collect();
    let machines = [S390X, POWERPC];
    let levels = [OptLevel::Debug, OptLevel::Three];
    let run_at = |machine: &Machine, level| {
        let started = Instant::now();
        let about = format!("{}, {level}", machine.target);
        let output = run(machine, level, &kernels, &about);
        assert!(output.status.success(), "{about}: {}", said(&output));
        announce(&format!(
            "endian: {about}: {} kernels, {}, {:.1} s",
            kernels.len(),
            said(&output).trim_end(),
            started.elapsed().as_secs_f64()
        ));
    };
    machines.par_iter().for_each(|machine| {
        levels.par_iter().for_each(|level| run_at(machine, *level));
    });
}

/// Flags of the kernels that are run beside the published ones.
const OTHERS: [&str; 4] = [
    "--unroll 3 --unaligned bytes",
    "--op memmove --unroll 5 --small loop",
    "--op memmove --xlen 32 --misaligned fast",
    "--op memset --xlen 32 --unroll 3",
];

fn said(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// A kernel that shifts as a little-endian machine has to, and some with other mistakes.
#[test]
fn broken_kernels_are_noticed() {
    if !tools_present() {
        return;
    }
    for (machine, xlen) in [(S390X, 64), (POWERPC, 32)] {
        for (op, from, to, complaint) in MISTAKES {
            let mut kernels = made(&[&format!("--op {op} --xlen {xlen}")]);
            let broken = kernels[0].text.replace(from, to);
            assert!(broken != kernels[0].text, "no {from:?} in\n{broken}");
            kernels[0].text = broken;
            let output = run(&machine, OptLevel::Three, &kernels, "broken");
            let said = said(&output);
            assert!(
                !output.status.success() && said.contains(complaint),
                "{from:?} became {to:?}: {said}"
            );
        }
    }
}

/// An operation, what is replaced in its kernel, by what, and a word of the complaint.
const MISTAKES: [(&str, &str, &str, &str); 2] = [
    (
        "memcpy",
        "target_endian = \"little\"",
        "target_endian = \"big\"",
        "wrong byte",
    ),
    (
        "memset",
        "        dst\n",
        "        to\n",
        "wrong return value",
    ),
];
