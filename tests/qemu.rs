//! Runs emitted routines under QEMU against a harness of its own, `qemu/harness.c`,
//! which shares no code and no model of the machine with the verifier.
//!
//! Needs a RISC-V cross compiler and user-mode QEMU. Without them the tests are
//! skipped, loudly; with `MEMGEN_REQUIRE_TOOLS=1` they fail instead.

#[path = "qemu/program.rs"]
mod program;
#[path = "qemu/user.rs"]
mod user;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use program::{HARNESS, build, emulate, succeed, tools_present, work_dir};

const THREADS: usize = 2;

/// One routine to generate: an operation, 64 or 32, and further flags.
struct Variant {
    op: &'static str,
    xlen: u32,
    flags: String,
}

/// Flags as they are typed.
type Flags = &'static str;

/// A spread of flags that change stepped code.
fn stepped() -> Vec<Variant> {
    const COPY: [Flags; 8] = [
        "",
        "--small loop",
        "--small jump",
        "--overread none",
        "--unroll 3 --regs 2",
        "--unaligned bytes",
        "--misaligned fast",
        "--word 1",
    ];
    const COPY_64: [Flags; 2] = ["--word 4", "--regs 20 --unroll 20"];
    const COPY_32: [Flags; 2] = ["--isa rv32e", "--isa rv32e --regs 6 --unroll 6"];
    const SET: [Flags; 5] = [
        "",
        "--small loop",
        "--small jump",
        "--misaligned fast",
        "--unroll 3",
    ];
    const SET_64: [Flags; 1] = ["--isa rv64i_zicboz --zero-block 64"];
    const SET_32: [Flags; 2] = [
        "--isa rv32im",
        "--isa rv32i_zicboz --zero-block 64 --small loop",
    ];
    const PACK: Flags = "--isa rv64i_zbkb";
    let mut all = Vec::new();
    for op in ["memcpy", "memmove"] {
        all.extend(variants(op, 64, &[&COPY[..], &COPY_64, &[PACK]].concat()));
        all.extend(variants(op, 32, &[&COPY[..], &COPY_32].concat()));
    }
    all.extend(variants(
        "memset",
        64,
        &[&SET[..], &SET_64, &[PACK]].concat(),
    ));
    all.extend(variants("memset", 32, &[&SET[..], &SET_32].concat()));
    for variant in &mut all {
        variant.flags += " --shape stepped";
    }
    all
}

/// Other shapes: computed jumps, with and without a register that keeps where they count from; loops alone; overlapping words.
fn others() -> Vec<Variant> {
    const ALL: [Flags; 6] = [
        "",
        "--preset fastest",
        "--preset fastest --unroll 4 --avoid a7",
        "--preset small",
        "--preset fast-misaligned",
        "--preset fast-misaligned --unroll 3",
    ];
    const COPY: [Flags; 2] = [
        "--unroll 2 --shift-unroll 1 --avoid t6",
        "--shape compact --unroll 4 --shift-unroll 2",
    ];
    const SET: [Flags; 1] = ["--preset zkvm --unroll 2"];
    let mut all = Vec::new();
    for xlen in [64, 32] {
        for op in ["memcpy", "memmove"] {
            all.extend(variants(op, xlen, &[&ALL[..], &COPY].concat()));
        }
        all.extend(variants("memset", xlen, &[&ALL[..], &SET].concat()));
    }
    all
}

fn variants(op: &'static str, xlen: u32, flags: &[Flags]) -> Vec<Variant> {
    let variant = |flags: &Flags| Variant {
        op,
        xlen,
        flags: (*flags).to_owned(),
    };
    flags.iter().map(variant).collect()
}

/// Generates a variant, builds it and runs it; returns the line of the harness.
fn validate(variant: &Variant) -> Result<String, String> {
    let Variant {
        op,
        xlen,
        ref flags,
    } = *variant;
    let dir = work_dir(&format!("{op}-{xlen}{}", flags.replace(' ', "")));
    let mut memgen = Command::new(env!("CARGO_BIN_EXE_memgen"));
    memgen.args(["--op", op, "--xlen", &xlen.to_string()]);
    let source = dir.join("routine.S");
    fs::write(&source, succeed(memgen.args(flags.split_whitespace()))?)
        .map_err(|error| error.to_string())?;
    let program = build(op, xlen, &source, &[], &dir)?;
    let printed = succeed(&mut emulate(&program, xlen))?;
    let line = String::from_utf8_lossy(&printed);
    Ok(format!("{} [{}]", line.trim_end(), flags))
}

#[test]
fn emitted_routines_are_right() {
    if !tools_present() {
        return;
    }
    let variants = stepped().into_iter().chain(others()).collect();
    for_all(variants, validate);
}

/// Runs `check` on each variant, on two threads; prints what it returns, and panics with all its complaints.
fn for_all<V: Send>(variants: Vec<V>, check: impl Fn(&V) -> Result<String, String> + Sync) {
    let variants = Mutex::new(variants.into_iter());
    let failures = Mutex::new(Vec::new());
    let take = || variants.lock().unwrap().next();
    let work = || {
        while let Some(variant) = take() {
            match check(&variant) {
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
