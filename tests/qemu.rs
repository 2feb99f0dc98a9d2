//! Runs emitted routines under QEMU against a harness of its own, `qemu/harness.c`,
//! which shares no code and no model of the machine with the verifier.
//!
//! Needs a RISC-V cross compiler and user-mode QEMU. Without them the tests are
//! skipped, loudly; with `MEMGEN_REQUIRE_TOOLS=1` they fail instead.

#[path = "qemu/program.rs"]
mod program;

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
    const PACK: &[&str] = &["--isa", "rv64i_zbkb"];
    const CACHE_BLOCKS: [(u32, &[&str]); 2] = [
        (64, &["--isa", "rv64i_zicboz", "--zero-block", "64"]),
        (
            32,
            &[
                "--isa",
                "rv32i_zicboz",
                "--zero-block",
                "64",
                "--small",
                "loop",
            ],
        ),
    ];
    const FEW_REGISTERS: [&[&str]; 2] = [
        &["--isa", "rv32e"],
        &["--isa", "rv32e", "--regs", "6", "--unroll", "6"],
    ];
    let mut all = Vec::new();
    for op in ["memcpy", "memmove", "memset"] {
        all.push(Variant {
            op,
            xlen: 64,
            flags: PACK,
        });
    }
    all.push(Variant {
        op: "memset",
        xlen: 32,
        flags: &["--isa", "rv32im"],
    });
    for (xlen, flags) in CACHE_BLOCKS {
        all.push(Variant {
            op: "memset",
            xlen,
            flags,
        });
    }
    for op in ["memcpy", "memmove"] {
        all.extend(FEW_REGISTERS.iter().map(|flags| Variant {
            op,
            xlen: 32,
            flags,
        }));
        all.push(Variant {
            op,
            xlen: 64,
            flags: &["--regs", "20", "--unroll", "20"],
        });
    }
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
