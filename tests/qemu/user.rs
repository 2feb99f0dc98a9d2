//! Faults injected into emitted user copies, against a harness of their own, `user.c`: pages that cannot be accessed, a signal handler
//! that goes on where the routine's fault table says.
//!
//! A fifth of the routines is run, and for each fault the block that does not fault takes one of its residues in turn. With
//! `MEMGEN_ALL_FAULTS=1` all routines are run, those of the strength `exact` with every residue.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::for_all;
use crate::program::{HARNESS, Harness, build_with, emulate, succeed, tools_present, work_dir};

/// What the returned value says after a fault, as the harness spells it and as flags.
const STRENGTHS: [(&str, &str); 4] = [
    ("EXACT", ""),
    ("AT_LEAST_ONE", "--fault at-least-one"),
    ("COARSE", "--fault coarse"),
    ("EFAULT", "--fault-style efault"),
];

/// Flags of copies that are run at every strength.
const COPIES: [&str; 4] = [
    "",
    "--preset fastest",
    "--preset small",
    "--shape stepped --small jump",
];

/// Flags of copies that are run at the strength `exact`.
const EXACT_COPIES: [&str; 13] = [
    "--preset fast-misaligned",
    "--preset kernel --dialect gnu",
    "--preset zkvm",
    "--shape entered --unroll 4 --avoid a7",
    "--shape stepped",
    "--small loop",
    "--overread none",
    "--unroll 3 --regs 2",
    "--unaligned bytes",
    "--shape stepped --misaligned fast",
    "--word 1",
    "--word 2",
    "--shape compact --unroll 4 --shift-unroll 2",
];
const EXACT_COPIES_64: [&str; 3] = [
    "--word 4",
    "--shape stepped --regs 20 --unroll 20",
    "--isa rv64i_zbkb --shape stepped",
];
const EXACT_COPIES_32: [&str; 2] = ["--isa rv32e", "--isa rv32e --regs 6 --unroll 6"];

/// Flags of clear_user, run at every strength.
const CLEARS: [&str; 7] = [
    "",
    "--preset fastest",
    "--preset small",
    "--preset fast-misaligned",
    "--shape stepped",
    "--shape stepped --unroll 3 --small loop",
    "--shape entered --unroll 4",
];

/// One routine to generate, at one strength.
struct Variant {
    op: &'static str,
    xlen: u32,
    strength: &'static str,
    /// Further flags, as they are typed.
    flags: String,
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    let mut add = |op, xlen, (strength, flag): (&'static str, &str), flags: &str| {
        let flags = format!("{flag} {flags}").trim().to_owned();
        all.push(Variant {
            op,
            xlen,
            strength,
            flags,
        });
    };
    let exact = STRENGTHS[0];
    for xlen in [64, 32] {
        // The longest first: two threads take them one by one.
        for strength in STRENGTHS {
            add("copy_to_user", xlen, strength, "--user both");
        }
        add(
            "copy_from_user",
            xlen,
            exact,
            "--user both --shape stepped --fault-table fault_entries",
        );
        add("copy_from_user", xlen, exact, "--user both --preset small");
        for op in ["copy_to_user", "copy_from_user"] {
            for strength in STRENGTHS {
                for flags in COPIES {
                    add(op, xlen, strength, flags);
                }
            }
            let wide = if xlen == 64 {
                &EXACT_COPIES_64[..]
            } else {
                &EXACT_COPIES_32
            };
            for flags in EXACT_COPIES.iter().chain(wide) {
                add(op, xlen, exact, flags);
            }
        }
        for strength in STRENGTHS {
            for flags in CLEARS {
                add("clear_user", xlen, strength, flags);
            }
        }
    }
    all
}

/// The harness for a routine at a strength, called with `flags`.
fn harness(op: &str, strength: &str, flags: &str) -> Harness {
    let both = flags.contains("--user both");
    let residues = if all_asked_for() && strength == "EXACT" {
        8
    } else {
        1
    };
    let table = flags
        .split_once("--fault-table ")
        .map_or("__ex_table", |(_, name)| name);
    Harness {
        file: "user.c",
        defines: vec![
            format!("-DOP=\"{op}\""),
            format!("-DROUTINE={op}"),
            format!("-DHAS_SOURCE={}", u8::from(op != "clear_user")),
            format!("-DUSER_SOURCE={}", u8::from(op == "copy_from_user" || both)),
            format!(
                "-DUSER_DESTINATION={}",
                u8::from(op != "copy_from_user" || both)
            ),
            format!("-DSTRENGTH={strength}"),
            format!("-DTABLE={table}"),
            format!("-DOTHER_RESIDUES={residues}"),
        ],
    }
}

/// Generates a variant, builds it and runs it; returns the line of the harness.
fn validate(variant: &Variant) -> Result<String, String> {
    let Variant {
        op,
        xlen,
        strength,
        ref flags,
    } = *variant;
    let dir = work_dir(&format!("{op}-{xlen}{}", flags.replace(' ', "")));
    let mut memgen = Command::new(env!("CARGO_BIN_EXE_memgen"));
    // An ISA gives the register width.
    let width = if flags.contains("--isa") {
        vec![]
    } else {
        vec!["--xlen".to_owned(), xlen.to_string()]
    };
    memgen.args(["--op", op]).args(width);
    let source = dir.join("routine.S");
    fs::write(&source, succeed(memgen.args(flags.split_whitespace()))?)
        .map_err(|error| error.to_string())?;
    let harness = harness(op, strength, flags);
    let program = build_with(&harness, xlen, &source, &[], &dir)?;
    let printed = succeed(&mut emulate(&program, xlen)).map_err(|why| format!("{flags}: {why}"))?;
    let line = String::from_utf8_lossy(&printed);
    Ok(format!("{} [{flags}]", line.trim_end()))
}

#[test]
fn user_copies_are_right_about_faults() {
    if tools_present() {
        let step = if all_asked_for() { 1 } else { 5 };
        for_all(variants().into_iter().step_by(step).collect(), validate);
    }
}

fn all_asked_for() -> bool {
    std::env::var_os("MEMGEN_ALL_FAULTS").is_some_and(|value| value == "1")
}

/// A copy by bytes that goes wrong in one way: at which strength it is run, its macros, what the harness says.
const MISTAKES: [(&str, &[&str], &str); 16] = [
    ("EXACT", &[], "all right"),
    ("AT_LEAST_ONE", &["-DONE_MORE"], "all right"),
    ("COARSE", &["-DREWIND"], "all right"),
    ("EFAULT", &["-DNO_COUNT"], "all right"),
    (
        "EXACT",
        &["-DNO_ENTRY"],
        "no entry for an access to user memory",
    ),
    (
        "EXACT",
        &["-DENTRY_BESIDE"],
        "no entry for an access to user memory",
    ),
    (
        "EXACT",
        &["-DKERNEL_ENTRY"],
        "an entry for an access to the kernel's memory",
    ),
    ("EXACT", &["-DTWO_ENTRIES"], "two entries for an access"),
    ("EXACT", &["-DSTORE_ON"], "write behind the reported end"),
    (
        "EXACT",
        &["-DONE_LEFT_OUT"],
        "does not count a byte that could be copied",
    ),
    (
        "EXACT",
        &["-DONE_TOO_MANY"],
        "counts a byte that could not be copied",
    ),
    (
        "EXACT",
        &["-DREWIND"],
        "does not count a byte that could be copied",
    ),
    (
        "AT_LEAST_ONE",
        &["-DREWIND"],
        "nothing copied, but a byte could be",
    ),
    (
        "COARSE",
        &["-DSTORE_ON"],
        "wrong data behind the reported end",
    ),
    ("EXACT", &["-DSAVED"], "callee-saved register changed"),
    (
        "EFAULT",
        &["-DNO_COUNT", "-DNO_ERROR"],
        "a fault that is not told",
    ),
];

#[test]
fn wrong_user_copies_are_noticed() {
    if !tools_present() {
        return;
    }
    let source = Path::new(HARNESS).join("user_broken.S");
    for xlen in [64, 32] {
        for (strength, defines, word) in MISTAKES {
            let dir = work_dir(&format!("user-{strength}-{xlen}{}", defines.concat()));
            let harness = harness("copy_to_user", strength, "");
            let program = build_with(&harness, xlen, &source, defines, &dir).unwrap();
            let output = emulate(&program, xlen).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            let status = i32::from(word != "all right");
            assert_eq!(output.status.code(), Some(status), "{defines:?}: {printed}");
            assert!(printed.contains(word), "{defines:?}: {printed}");
        }
    }
}
