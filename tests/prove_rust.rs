//! The published Rust kernels, compiled for RISC-V and proven as machine code, whatever the compiler made of them.
//!
//! A plain run proves what two levels make of each with reduced effort, and the first one in full; with `MEMGEN_ALL_PROOFS=1`, best
//! with `--release`, every target and level is proven in full.

#[path = "support/kernels.rs"]
mod kernels;
mod support;

use std::collections::BTreeMap;
use std::time::Instant;

use kernels::{Kernel, made, published, together};
use memgen::verify::{
    Build, Compiler, CompilerError, Effort, OptLevel, VerifyError, code_bytes, verify_object,
};
use memgen::{Plan, Spec};
use rayon::prelude::*;
use support::announce;

fn all() -> bool {
    std::env::var_os("MEMGEN_ALL_PROOFS").is_some_and(|value| value == "1")
}

fn compiler() -> Compiler {
    Compiler::new(None, None).unwrap_or_else(|error| panic!("{error}"))
}

fn plan(kernel: &Kernel) -> Plan {
    Plan::new(&kernel.asked).unwrap()
}

/// The asked routine under the name that it was compiled with.
fn under_its_name(kernel: &Kernel) -> Spec {
    Spec {
        symbol: Some(kernel.symbol.clone()),
        ..kernel.asked.clone()
    }
}

/// Compiles `kernels`, of one register width and all strict or all not, in every build.
fn objects(kernels: &[&Kernel], compiler: &Compiler) -> Vec<(Build, Vec<u8>)> {
    let targets = Build::targets(plan(kernels[0]).isa().xlen);
    let (targets, levels) = if all() {
        (&targets[..], &OptLevel::ALL[..])
    } else {
        (&targets[..1], &OptLevel::ALL[..])
    };
    let text = together(kernels);
    let builds = targets.iter().flat_map(|target| {
        let at = |level: &OptLevel| Build::new(&plan(kernels[0]), target, *level);
        levels.iter().map(at).collect::<Vec<_>>()
    });
    let compile = |build: Build| Ok((build.clone(), compiler.object(&text, &build)?));
    builds
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(compile)
        .collect::<Result<_, CompilerError>>()
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn published_kernels() {
    let started = Instant::now();
    let compiler = compiler();
    let kernels = published();
    let mut groups: BTreeMap<(u32, bool), Vec<&Kernel>> = BTreeMap::new();
    for kernel in &kernels {
        let plan = plan(kernel);
        let group = groups.entry((plan.isa().xlen, plan.is_strict()));
        group.or_default().push(kernel);
    }
    let (mut cases, mut codes) = (0, 0);
    for group in groups.values() {
        let objects = objects(group, &compiler);
        for kernel in group {
            let asked = under_its_name(kernel);
            let mut seen = Vec::new();
            for (build, object) in &objects {
                let fail =
                    |error: VerifyError| -> ! { panic!("{}, {build}:\n{error}", kernel.symbol) };
                let code = code_bytes(object, &kernel.symbol, plan(kernel).isa().xlen)
                    .unwrap_or_else(|error| fail(VerifyError::Object(error)));
                if seen.contains(&code) {
                    continue;
                }
                seen.push(code);
                let effort = if all() || codes == 0 {
                    Effort::Full
                } else {
                    Effort::Reduced
                };
                let stack_bytes = build.level.stack_bytes();
                let proof = verify_object(&asked, object, stack_bytes, effort, &|_, _| {})
                    .unwrap_or_else(|error| fail(error));
                cases += proof.cases;
                codes += 1;
            }
        }
    }
    announce(&format!(
        "proven: {} Rust kernels as {codes} machine codes, {cases} cases in {:.1} s",
        kernels.len(),
        started.elapsed().as_secs_f64(),
    ));
}

/// A kernel that is wrong in Rust is refused as machine code.
#[test]
fn broken_kernels_are_refused() {
    let compiler = compiler();
    for (op, from, to) in [
        (
            "memcpy",
            "target_endian = \"little\"",
            "target_endian = \"big\"",
        ),
        ("memset", "        dst\n", "        to\n"),
    ] {
        let mut kernels = made(&[&format!("--op {op}")]);
        let kernel = &mut kernels[0];
        let broken = kernel.text.replace(from, to);
        assert!(broken != kernel.text, "no {from:?} in\n{broken}");
        let build = Build::new(&plan(kernel), Build::targets(64)[0], OptLevel::Three);
        let object = compiler
            .object(&broken, &build)
            .unwrap_or_else(|error| panic!("{error}"));
        let asked = under_its_name(kernel);
        match verify_object(&asked, &object, 256, Effort::Reduced, &|_, _| {}) {
            Err(VerifyError::Refuted(_)) => {}
            other => panic!("{from:?} became {to:?}: {other:?}"),
        }
    }
}

/// What does not compile is reported in the compiler's words, with the place in the file.
#[test]
fn a_kernel_that_does_not_compile_is_refused_with_the_compilers_words() {
    let kernel = &made(&[""])[0];
    let broken = kernel
        .text
        .replacen("let mut to = dst;", "let mut to = nowhere;", 1);
    let line = 1 + broken
        .lines()
        .position(|line| line.contains("nowhere"))
        .unwrap();
    let build = Build::new(&plan(kernel), Build::targets(64)[0], OptLevel::Three);
    let error = compiler().object(&broken, &build).unwrap_err().to_string();
    for part in ["nowhere", &format!("kernel.rs:{line}:"), "help: "] {
        assert!(error.contains(part), "no {part:?} in\n{error}");
    }
}

/// A sysroot without `core` is a mistake, not a reason for another core.
#[test]
fn a_sysroot_without_core_is_refused() {
    let folder = support::folder("empty-sysroot");
    let compiler = Compiler::new(None, Some(&folder)).unwrap();
    let error = compiler
        .core(Build::targets(64)[0])
        .unwrap_err()
        .to_string();
    assert!(error.contains("no libcore*.rlib in"), "{error}");
}

#[test]
fn the_command_proves_each_build_once() {
    let flags = "verify --emit rust --op memset --preset small --opt-level s,z";
    let words: Vec<&str> = flags.split(' ').collect();
    let output = support::memgen(&words);
    let said = support::text(&output.stdout);
    assert!(output.status.success(), "{}", support::text(&output.stderr));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    for line in &lines {
        assert!(line.starts_with("proven: "), "{said}");
    }
    assert!(lines[0].contains("riscv64gc-unknown-none-elf, opt-level s, "));
    assert!(lines[0].contains(" instructions executed, "), "{said}");
    // The two targets differ in what no kernel uses.
    assert!(
        lines[3].ends_with("the machine code of riscv64gc-unknown-none-elf, opt-level z"),
        "{said}"
    );
    assert_eq!(
        lines[4],
        "proven: memgen --op memset --preset small --emit rust"
    );
}

#[test]
fn the_command_refutes_a_file_and_names_the_build() {
    let kernel = &made(&["--op memset --symbol fill"])[0];
    let broken = kernel
        .text
        .replace(&kernel.symbol, "fill")
        .replace("        dst\n", "        to\n");
    let file = support::folder("refuted-kernel").join("fill.rs");
    std::fs::write(&file, broken).unwrap();
    let flags = "verify --emit rust --op memset --symbol fill --opt-level 3 --target riscv64gc-unknown-none-elf --file";
    let mut words: Vec<&str> = flags.split(' ').collect();
    words.push(file.to_str().unwrap());
    let output = support::memgen(&words);
    let said = support::text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("in the build for riscv64gc-unknown-none-elf, opt-level 3"),
        "{said}"
    );
}

#[test]
fn flags_of_the_other_tool_are_refused() {
    for (flags, word) in [
        (
            "verify --target riscv64gc-unknown-none-elf --rustc rustc",
            "--target, --rustc",
        ),
        ("verify --emit rust --assembler gcc", "--assembler"),
    ] {
        let output = support::memgen(&flags.split(' ').collect::<Vec<_>>());
        let said = support::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word) && said.contains("help: "), "{said}");
    }
}
