//! Emitted files of the linux dialect, built by the kernel's own makefiles inside its own tree, release 6.1, in the place of
//! `arch/riscv/lib/{uaccess,memcpy,memmove,memset}.S`.
//!
//! The tree is the folder `MEMGEN_LINUX_TREE`, or is unpacked from Debian's package linux-source-6.1. It is not changed: the kernel is
//! built in a folder of its own, whose files come before the tree's. Without the tree, or a tool, the tests are skipped, loudly; with
//! `MEMGEN_REQUIRE_TOOLS=1` they fail instead. With `MEMGEN_BOOT_KERNEL=1` a whole kernel is built, some minutes, and run.

#[path = "kernel/boot.rs"]
mod boot;
#[path = "support/fault_table.rs"]
mod fault_table;
mod support;
#[path = "kernel/tree.rs"]
mod tree;

use std::collections::BTreeMap;

use fault_table::{Accesses, Form, Routine, complaints, table};
use object::{Object, ObjectSection, ObjectSymbol};
use support::announce;
use tree::{Build, emitted};

/// `EX_TYPE_FIXUP` of arch/riscv/include/asm/asm-extable.h, and its data.
const FIXUP: [u16; 2] = [1, 0];

/// What the kernel calls the routines of uaccess.S.
const USER_SYMBOLS: [&str; 3] = ["__asm_copy_to_user", "__asm_copy_from_user", "__clear_user"];

/// Flags of one file that holds both copies, as the kernel's own does; added to `--dialect linux --linux 6.1`.
const BOTH: [&str; 4] = [
    "--preset kernel",
    "--preset fastest",
    "--shape stepped --sum off",
    "--preset small --fault coarse",
];

#[test]
fn user_copies_are_built_by_the_kernel() {
    for xlen in [64, 32] {
        let Some(build) = Build::configured("objects", xlen) else {
            return;
        };
        let object = build.object("uaccess");
        let own = table(&object, "__ex_table", Form::Typed).unwrap();
        let own_symbols = global_symbols(&object);
        for flags in BOTH {
            let about = format!("rv{xlen} {flags}");
            build.put_user_copies(flags);
            let object = build.object("uaccess");
            let found = table(&object, "__ex_table", Form::Typed).unwrap();
            assert_eq!(found.relocations, own.relocations, "{about}");
            assert_eq!(found.section, own.section, "{about}");
            assert_eq!(global_symbols(&object), own_symbols, "{about}");
            assert_eq!(exports(&object), USER_SYMBOLS.len(), "{about}");
            let mut count = 0;
            for symbol in &USER_SYMBOLS[1..] {
                let routine = Routine::read(&object, symbol).unwrap();
                let wrong = complaints(&found, &routine, Accesses::Both);
                assert!(wrong.is_empty(), "{about} {symbol}: {}", wrong.join("\n"));
                let sum = !flags.contains("--sum off");
                assert_eq!(routine.sum(), Ok(sum), "{about} {symbol}");
                count += routine.accesses(Accesses::Both).len();
            }
            assert_eq!(found.entries.len(), count, "{about}");
            assert!(
                found.entries.iter().all(|entry| entry.marks == FIXUP),
                "{about}"
            );
            announce(&format!(
                "kernel: {about}: uaccess.o with {count} entries, the kernel's own has {}",
                own.entries.len()
            ));
        }
    }
}

/// One file for one direction: the other block is the kernel's, and its accesses have no entries.
#[test]
fn one_direction_has_entries_for_one_side() {
    for xlen in [64, 32] {
        let Some(build) = Build::configured("objects", xlen) else {
            return;
        };
        for (op, symbol, which) in [
            ("copy_to_user", "__asm_copy_to_user", Accesses::Stores),
            ("copy_from_user", "__asm_copy_from_user", Accesses::Loads),
        ] {
            let file =
                |more: &str| emitted(&format!("--op {op} --xlen {xlen} --dialect linux {more}"));
            build.put("uaccess.S", &file("--linux 6.1"));
            let object = build.object("uaccess");
            let found = table(&object, "__ex_table", Form::Typed).unwrap();
            let routine = Routine::read(&object, symbol).unwrap();
            assert_eq!(complaints(&found, &routine, which), [""; 0], "{op} {xlen}");
            assert_eq!(routine.sum(), Ok(true), "{op} {xlen}");

            // As older kernels have it; the headers of this one make the same of it.
            build.put("uaccess.S", &file("--linux 5.10"));
            let object = build.object("uaccess");
            let older = table(&object, "__ex_table", Form::Addresses).unwrap();
            let places = |table: &fault_table::Table| {
                let places = table.entries.iter();
                places
                    .map(|entry| (entry.access, entry.recovery))
                    .collect::<Vec<_>>()
            };
            assert_eq!(places(&older), places(&found), "{op} {xlen}");
        }
    }
}

/// The other routines of arch/riscv/lib take the place of the kernel's own: the same names, with the same binding.
#[test]
fn copies_and_fills_are_built_by_the_kernel() {
    for xlen in [64, 32] {
        let Some(build) = Build::configured("objects", xlen) else {
            return;
        };
        for op in ["memcpy", "memmove", "memset"] {
            let own = global_symbols(&build.object(op));
            let file = emitted(&format!("--op {op} --xlen {xlen} --preset kernel"));
            build.put(&format!("{op}.S"), &file);
            assert_eq!(global_symbols(&build.object(op)), own, "{op} {xlen}");
        }
    }
}

/// What the test above says about a table that is wrong.
#[test]
fn wrong_tables_are_noticed() {
    let Some(build) = Build::configured("objects", 64) else {
        return;
    };
    let file = emitted("--op copy_to_user --dialect linux");
    let lines: Vec<&str> = file.lines().collect();
    let store = |line: &&str| line.starts_with("\tfixup\tsd ");
    let index = lines.iter().position(store).unwrap();
    let access = lines[index].trim_start_matches("\tfixup\t");
    let (access, recover) = access.rsplit_once(", ").unwrap();
    let load = lines
        .iter()
        .find(|line| line.starts_with("\tld\t"))
        .unwrap();
    let load = load.trim_start_matches("\tld\t");
    for (wrong, complaint) in [
        (format!("\t{access}"), "has no entry"),
        (
            format!("\t{access}\n100:\n\t_asm_extable 100b, {recover}"),
            "names no access to user memory",
        ),
        (
            format!("{}\n\t_asm_extable 100b, {recover}", lines[index]),
            "is one of two",
        ),
        (
            format!("\tfixup\t{access}, __asm_copy_to_user - 4"),
            "leads out of the routine",
        ),
        (
            format!("{}\n\tfixup\tld {load}, {recover}", lines[index]),
            "names no access to user memory",
        ),
    ] {
        let mut lines = lines.clone();
        lines[index] = &wrong;
        build.put("uaccess.S", &(lines.join("\n") + "\n"));
        let object = build.object("uaccess");
        let found = table(&object, "__ex_table", Form::Typed).unwrap();
        let routine = Routine::read(&object, "__asm_copy_to_user").unwrap();
        let said = complaints(&found, &routine, Accesses::Stores).join("\n");
        assert!(said.contains(complaint), "{wrong}: {said}");
    }
    // SUM left set on one way out.
    let clear = "\tcsrc\tCSR_STATUS, t0\n";
    build.put("uaccess.S", &file.replacen(clear, "", 1));
    let routine = Routine::read(&build.object("uaccess"), "__asm_copy_to_user").unwrap();
    assert!(routine.sum().is_err());
}

/// A kernel is booted and its system calls return the exact counts; one with copies that count by blocks does not.
#[test]
fn a_kernel_copies_to_the_byte() {
    if std::env::var_os("MEMGEN_BOOT_KERNEL").is_none_or(|value| value != "1") {
        announce("kernel: not booted; MEMGEN_BOOT_KERNEL=1 asks for it");
        return;
    }
    let Some(build) = Build::configured("boot", 64) else {
        return;
    };
    let right = boot::boot(&build, "--preset kernel");
    assert!(right.contains("all right"), "{right}");
    let coarse = boot::boot(&build, "--preset kernel --fault coarse");
    assert!(coarse.contains("wrong count"), "{coarse}");
}

/// Names and bindings of the symbols that an object offers to others.
fn global_symbols(bytes: &[u8]) -> BTreeMap<String, bool> {
    let file = object::File::parse(bytes).unwrap();
    file.symbols()
        .filter(|symbol| symbol.is_global() && symbol.is_definition())
        .map(|symbol| (symbol.name().unwrap().to_owned(), symbol.is_weak()))
        .collect()
}

/// How many symbols an object exports to modules: each has a section of its own.
fn exports(bytes: &[u8]) -> usize {
    let file = object::File::parse(bytes).unwrap();
    let names = file
        .sections()
        .filter_map(|section| section.name().ok().map(str::to_owned));
    names.filter(|name| name.starts_with("___ksymtab+")).count()
}
