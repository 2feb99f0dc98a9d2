//! Portable kernels on this machine: every published one and a spread of others, on memory between guard pages, as unoptimised and as
//! optimised code. Kernels with a planted mistake show that mistakes are found.

#[allow(
    dead_code,
    reason = "its home is the program; here, cargo formats and lints it"
)]
#[allow(unreachable_pub, reason = "a crate of its own in the program")]
#[path = "host/harness.rs"]
mod harness;
#[path = "host/mistakes.rs"]
mod mistakes;
#[path = "host/program.rs"]
mod program;
mod support;

use std::thread;

use memgen::{Emit, Plan, Spec, generate};
use mistakes::{Mistake, PLANTED};
use program::{Build, Harness, Source, Warnings};
use support::{announce, memgen, text};

const GENERATED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated");

/// Flags that change a copy, for either register width.
const COPY: [&str; 7] = [
    "",
    "--small loop",
    "--unroll 3 --shift-unroll 5",
    "--unroll 5 --regs 1",
    "--unaligned bytes",
    "--misaligned fast --unroll 3 --small loop",
    "--word 2 --unroll 6",
];
/// The same for registers of 64 bits alone.
const COPY_64: [&str; 7] = [
    "--unroll 1",
    "--unroll 32 --shift-unroll 16 --regs 4",
    "--unaligned bytes --small loop --unroll 2",
    "--misaligned fast",
    "--word 1 --unroll 4",
    "--word 4 --unroll 4",
    "--word 4 --misaligned fast --unroll 2",
];
/// The same of a fill.
const FILL: [&str; 4] = ["", "--small loop", "--unroll 3", "--misaligned fast"];
const FILL_64: [&str; 4] = [
    "--unroll 1",
    "--misaligned fast --unroll 5 --small loop",
    "--word 1 --unroll 4",
    "--word 2 --unroll 6",
];

/// The published portable kernels, as their files stand.
fn published() -> Vec<Source> {
    let listed = memgen(&[&format!("{GENERATED}/memgen.toml"), "--list"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    let kernel = |line: &str| {
        let (file, command) = line.split_once(char::is_whitespace)?;
        let command = command.split('#').next()?.trim();
        let flags = command.strip_prefix("memgen").unwrap();
        let spec = support::spec(flags);
        let text = || std::fs::read_to_string(format!("{GENERATED}/{file}")).unwrap();
        (spec.emit == Emit::Rust).then(|| source(file, &spec, true, text()))
    };
    text(&listed.stdout).lines().filter_map(kernel).collect()
}

/// Kernels of specs that differ in everything that portable code follows.
fn spread() -> Vec<Source> {
    let mut kernels = Vec::new();
    for xlen in [64, 32] {
        for op in ["memcpy", "memmove", "memset"] {
            let (both, wide): (&[&str], &[&str]) = match op {
                "memset" => (&FILL, &FILL_64),
                _ => (&COPY, &COPY_64),
            };
            let wide = if xlen == 64 { wide } else { &[] };
            kernels.extend(both.iter().chain(wide).map(|flags| {
                let flags = format!("--op {op} --xlen {xlen} --emit rust {flags}");
                let spec = support::spec(&flags);
                let text = generate(&spec).unwrap_or_else(|problems| panic!("{flags}: {problems}"));
                source(&flags, &spec, false, text)
            }));
        }
    }
    kernels
}

fn source(name: &str, spec: &Spec, thorough: bool, text: String) -> Source {
    let plan = Plan::new(spec).unwrap();
    Source {
        name: name.to_owned(),
        op: plan.op(),
        strict: plan.is_strict(),
        thorough,
        symbol: plan.symbol().to_owned(),
        text,
    }
}

#[test]
fn kernels_are_right() {
    let published = published();
    assert!(!published.is_empty(), "the list holds no portable kernel");
    let kernels: Vec<Source> = published.into_iter().chain(spread()).collect();
    let harness = Harness::new("right");
    thread::scope(|scope| {
        for build in [Build::Debug, Build::Optimised] {
            let (harness, kernels) = (&harness, &kernels);
            scope.spawn(move || {
                let ran = harness.program(build, Warnings::Denied, kernels).run(None);
                assert!(ran.right, "{build:?}:\n{}", ran.printed);
                announce(&format!("{build:?}: {}", ran.printed.trim_end()));
            });
        }
    });
}

#[test]
fn planted_mistakes_are_found() {
    let harness = Harness::new("mistakes");
    let sources: Vec<Source> = PLANTED.iter().map(Mistake::source).collect();
    for build in [Build::Debug, Build::Optimised] {
        let program = harness.program(build, Warnings::Allowed, &sources);
        for (mistake, source) in PLANTED.iter().zip(&sources) {
            let ran = program.run(Some(&source.name));
            assert!(!ran.right, "{build:?}: {}: not noticed", source.name);
            let line = ran.printed.lines().next().unwrap_or_default();
            assert!(
                line.starts_with(&source.name) && line.contains(mistake.found_as),
                "{build:?}: {} should be found as {:?}:\n{}",
                source.name,
                mistake.found_as,
                ran.printed
            );
        }
    }
}
