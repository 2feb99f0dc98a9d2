//! GNU as, LLVM 14, LLVM 19 and rustc make the same bytes of every emitted text, and the same fault tables.

#[path = "support/fault_table.rs"]
mod fault_table;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use fault_table::{Accesses, Form, Routine, complaints, table};
use memgen::verify::{Assembler, code_words};
use memgen::{Plan, generate};
use support::{announce, spec};

/// Command and Debian package of each assembler.
const TOOLS: [(&str, &str); 3] = [
    ("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"),
    ("llvm-mc-14", "llvm-14"),
    ("llvm-mc-19", "llvm-19"),
];

/// Extensions that LLVM 14 does not know yet.
const NEWER_SHAPES: [&str; 7] = [
    "--op memset --isa rv64im --shape stepped",
    "--op memset --isa rv64im",
    "--op memset --preset zkvm",
    "--op memset --isa rv64i_zbkb_zicboz --zero-block 64",
    "--isa rv64i_zbkb --shape stepped",
    "--isa rv64i_zbkb --preset fastest",
    "--op memmove --isa rv32i_zbkb_zicbop --prefetch 64",
];

const SHAPES: [&str; 18] = [
    "--shape stepped",
    "--unroll 3 --small loop",
    "--small jump",
    "--overread none",
    "--shape stepped --misaligned fast",
    "--unaligned bytes",
    "--word 2",
    "--word 4 --overread none --small jump",
    "--unroll 200 --shift-unroll 150",
    "--shape stepped --unroll 64",
    "--shape stepped --avoid t6,a7 --section .text.fast",
    "--regs 1",
    "",
    "--unroll 64 --avoid t6 --section .text.fast",
    "--preset fastest",
    "--preset fastest --unroll 4 --avoid a7",
    "--preset small",
    "--preset fast-misaligned",
];

fn missing_tools() -> Vec<String> {
    TOOLS
        .iter()
        .filter(|(tool, _)| Command::new(tool).arg("--version").output().is_err())
        .map(|(tool, package)| format!("{tool} (package {package})"))
        .collect()
}

/// Assembles `file`; gives the object.
fn assemble(tool: &str, xlen: u32, file: &Path) -> PathBuf {
    let object = file.with_extension(format!("{tool}.o"));
    let mut command = Command::new(tool);
    match tool {
        "riscv64-linux-gnu-gcc" => {
            let abi = if xlen == 64 { "lp64" } else { "ilp32" };
            command.args([
                format!("-march=rv{xlen}i"),
                format!("-mabi={abi}"),
                "-c".to_owned(),
            ])
        }
        _ => command.args([format!("--triple=riscv{xlen}"), "--filetype=obj".to_owned()]),
    };
    let result = command.arg("-o").arg(&object).arg(file).output().unwrap();
    assert!(
        result.status.success(),
        "{tool} {}:\n{}",
        file.display(),
        String::from_utf8_lossy(&result.stderr)
    );
    object
}

/// Whether all assemblers are there. If not, says so, or panics if they are required.
fn tools_present() -> bool {
    let missing = missing_tools();
    if missing.is_empty() {
        return true;
    }
    let list = missing.join(", ");
    assert!(
        std::env::var_os("MEMGEN_REQUIRE_TOOLS").is_none(),
        "missing: {list}"
    );
    announce(&format!(
        "SKIPPED: comparing assemblers\nSKIPPED: missing {list}"
    ));
    false
}

#[test]
fn same_bytes_from_every_assembler() {
    if !tools_present() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("assemblers");
    std::fs::create_dir_all(&folder).unwrap();
    let mut compared = 0;
    for op in ["memcpy", "memmove", "memset"] {
        for xlen in [64, 32] {
            for (index, shape) in SHAPES.iter().enumerate() {
                let asked = spec(&format!("--op {op} --xlen {xlen} {shape}"));
                let Ok(text) = generate(&asked) else {
                    assert!(op == "memset", "{op} {xlen} {shape}");
                    continue;
                };
                let plan = Plan::new(&asked).unwrap();
                let object = Assembler::Rustc
                    .assemble(&asked, plan.isa(), &text)
                    .unwrap();
                let expected = code_words(&object, op, xlen).unwrap();
                let file = folder.join(format!("{op}.{xlen}.{index}.S"));
                std::fs::write(&file, &text).unwrap();
                for (tool, _) in TOOLS {
                    let object = std::fs::read(assemble(tool, xlen, &file)).unwrap();
                    let words = code_words(&object, op, xlen).unwrap();
                    assert_eq!(words, expected, "{tool}: {}", asked.command_line());
                }
                compared += 1;
            }
        }
    }
    for (index, flags) in NEWER_SHAPES.iter().enumerate() {
        let asked = spec(flags);
        let (text, plan) = (generate(&asked).unwrap(), Plan::new(&asked).unwrap());
        let xlen = plan.isa().xlen;
        let object = Assembler::Rustc
            .assemble(&asked, plan.isa(), &text)
            .unwrap();
        let file = folder.join(format!("newer.{index}.S"));
        std::fs::write(&file, &text).unwrap();
        for (tool, _) in TOOLS.iter().filter(|(tool, _)| *tool != "llvm-mc-14") {
            let other = std::fs::read(assemble(tool, xlen, &file)).unwrap();
            assert_eq!(
                code_words(&other, plan.symbol(), xlen),
                code_words(&object, plan.symbol(), xlen),
                "{tool}: {flags}"
            );
        }
        compared += 1;
    }
    announce(&format!(
        "compared: {compared} routines, the same bytes from rustc and {} assemblers",
        TOOLS.len()
    ));
}

/// Flags of user copies, and whether they are for copies alone.
const USER_SHAPES: [(&str, bool); 10] = [
    ("", false),
    ("--preset fastest", false),
    ("--preset small", false),
    ("--preset fast-misaligned", false),
    ("--preset kernel --dialect gnu", false),
    ("--shape stepped", false),
    ("--shape stepped --small jump --fault at-least-one", false),
    (
        "--shape stepped --fault-style efault --fault-table .fault.pairs",
        false,
    ),
    ("--user both --sum on", true),
    ("--overread none --unroll 3", true),
];

/// The routine's bytes, and the table that the linker would resolve; rustc's assembler makes them where no tool is installed.
#[test]
fn same_fault_tables_from_every_assembler() {
    let tools = if tools_present() { &TOOLS[..] } else { &[] };
    let folder = support::folder("assemblers-user");
    let (mut compared, mut entries) = (0, 0);
    for op in ["copy_to_user", "copy_from_user", "clear_user"] {
        for xlen in [64, 32] {
            for (index, (shape, copies)) in USER_SHAPES.iter().enumerate() {
                // With rustc alone a spread is enough: what it makes is proven elsewhere.
                let spared = tools.is_empty() && index % 3 > 0;
                if spared || (*copies && op == "clear_user") {
                    continue;
                }
                let asked = spec(&format!("--op {op} --xlen {xlen} {shape}"));
                let (text, plan) = (generate(&asked).unwrap(), Plan::new(&asked).unwrap());
                let section = asked.fault_table.as_deref().unwrap_or("__ex_table");
                let which = match op {
                    _ if shape.contains("--user both") => Accesses::Both,
                    "copy_from_user" => Accesses::Loads,
                    _ => Accesses::Stores,
                };
                let about = asked.command_line();
                let object = Assembler::Rustc
                    .assemble(&asked, plan.isa(), &text)
                    .unwrap();
                let expected = judged(&object, op, section, which, &about);
                let file = folder.join(format!("{op}.{xlen}.{index}.S"));
                std::fs::write(&file, &text).unwrap();
                for (tool, _) in tools {
                    let object = std::fs::read(assemble(tool, xlen, &file)).unwrap();
                    let found = judged(&object, op, section, which, &format!("{tool}: {about}"));
                    assert!(found == expected, "{tool}: {about}");
                }
                compared += 1;
                entries += expected.1.len();
            }
        }
    }
    announce(&format!(
        "compared: {compared} user copies, {entries} entries, the same from rustc and {} assemblers",
        tools.len()
    ));
}

/// Code and table of a user copy; each access to user memory has one entry, nothing else has.
fn judged(
    object: &[u8],
    op: &str,
    section: &str,
    which: Accesses,
    about: &str,
) -> (Vec<u32>, Vec<fault_table::Entry>) {
    let routine = Routine::read(object, op).unwrap_or_else(|why| panic!("{about}: {why}"));
    let table = table(object, section, Form::Pairs).unwrap_or_else(|why| panic!("{about}: {why}"));
    let wrong = complaints(&table, &routine, which);
    assert!(wrong.is_empty(), "{about}: {}", wrong.join("\n"));
    assert_eq!(
        table.entries.len(),
        routine.accesses(which).len(),
        "{about}"
    );
    (routine.words, table.entries)
}

/// The size that a header gives for compressed code is what an assembler makes of it.
#[test]
fn compressed_sizes_are_those_of_the_assembler() {
    for op in ["memcpy", "memmove", "memset"] {
        for isa in ["rv64ic", "rv32ic"] {
            for shape in [
                "--shape stepped",
                "--small loop",
                "--unroll 3 --small ladder",
                "--shape stepped --unroll 48 --shift-unroll 32",
                "--shape stepped --misaligned fast",
                "--preset small",
                "--shape compact --unroll 4",
            ] {
                let asked = spec(&format!("--op {op} --isa {isa} {shape}"));
                // memset has no merge to unroll.
                let Ok(plan) = Plan::new(&asked) else {
                    continue;
                };
                let emitted = generate(&asked).unwrap();
                let text = emitted.replacen(".option\tnorvc", ".option\trvc", 1);
                // rustc's target for the base knows no C, so an option has to bring it.
                let text = text.replacen(".option\trvc", ".option\tarch, +c\n\t.option\trvc", 1);
                let object = Assembler::Rustc
                    .assemble(&asked, plan.isa(), &text)
                    .unwrap();
                let expected = memgen::compressed_bytes(&memgen::lower(&plan), plan.isa().xlen)
                    .expect("no jump counts instructions");
                assert_eq!(
                    symbol_size(&object, op),
                    expected,
                    "{}",
                    asked.command_line()
                );
                assert!(emitted.contains(&format!("{expected} if an assembler may compress it")));
            }
        }
    }
}

/// Jumps that count in instructions of four bytes forbid compression: the header gives no size that it would reach.
#[test]
fn code_with_computed_jumps_is_not_to_be_compressed() {
    for op in ["memcpy", "memmove", "memset"] {
        for isa in ["rv64ic", "rv32ic"] {
            for shape in [
                "",
                "--preset fastest",
                "--preset fast-misaligned",
                "--small jump",
            ] {
                let flags = format!("--op {op} --isa {isa} {shape}");
                let text = generate(&spec(&flags)).unwrap();
                assert!(text.contains(".option\tnorvc"), "{flags}");
                assert!(!text.contains("may compress"), "{flags}");
            }
        }
    }
}

/// The naked function spells labels, and the ends of slots, by numbers: the same bytes as those of the assembly file.
#[test]
fn naked_functions_hold_the_same_bytes() {
    for op in ["memcpy", "memmove", "memset"] {
        for xlen in [64, 32] {
            for shape in [
                "",
                "--preset fastest --unroll 4 --avoid a7",
                "--preset small",
                "--preset fast-misaligned",
            ] {
                let flags = format!("--op {op} --xlen {xlen} {shape}");
                let words = |flags: &str| {
                    let asked = spec(flags);
                    let (text, plan) = (generate(&asked).unwrap(), Plan::new(&asked).unwrap());
                    let object = Assembler::Rustc.assemble(&asked, plan.isa(), &text);
                    code_words(&object.unwrap(), plan.symbol(), xlen).unwrap()
                };
                let naked = words(&format!("{flags} --emit rust-asm"));
                assert!(naked == words(&flags), "{flags}");
            }
        }
    }
}

/// `st_size` of `symbol`.
fn symbol_size(object: &[u8], symbol: &str) -> u64 {
    use object::{Object, ObjectSymbol};
    let file = object::File::parse(object).unwrap();
    file.symbol_by_name(symbol).unwrap().size()
}
