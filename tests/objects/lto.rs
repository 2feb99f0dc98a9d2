//! Kernels that a program takes as its memcpy, memmove and memset, under link-time optimisation: there the compiler sees both the
//! kernel and what it makes calls of.

use std::path::Path;
use std::process::Command;

use memgen::verify::{Core, OptLevel};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use rayon::prelude::*;

use crate::functions::faults_of;
use crate::kernels;
use crate::support::{announce, folder};
use crate::{COMPILER, RV32, RV64, X86, all};

/// Moves a struct, which is a call to memcpy or memmove, and calls the kernel itself.
const CONSUMER: &str = "\
#[repr(C)]
pub struct Block {
    pub words: [u64; 64],
}

#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn consume(to: *mut u8, block: Block, from: *const u8, count: usize) {
    unsafe {
        *core::mem::transmute::<*mut u8, &mut Block>(to) = block;
        kernel::KERNEL(to, FROM, count);
    }
}
";

/// What the whole of `core` asks of a program.
const PANIC: &str = "\
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
";

#[test]
fn kernels_hold_no_call_after_link_time_optimisation() {
    let levels: &[OptLevel] = if all() {
        &OptLevel::ALL
    } else {
        &[OptLevel::Three]
    };
    let mut programs = Vec::new();
    for (target, xlen) in [(X86, 64), (RV64, 64), (RV32, 32)] {
        for op in ["memcpy", "memmove", "memset"] {
            programs.extend(levels.iter().map(|level| (target, xlen, op, *level)));
        }
    }
    programs
        .par_iter()
        .for_each(|(target, xlen, op, level)| check(target, *xlen, op, *level));
    announce(&format!(
        "objects: {} programs with kernels as their own memcpy, memmove, memset, under LTO",
        programs.len()
    ));
}

fn check(target: &str, xlen: u32, op: &str, level: OptLevel) {
    let kernel = &kernels::made(&[&format!("--op {op} --xlen {xlen} --symbol {op}")])[0];
    let text = kernel
        .text
        .replace(&format!("fn {}(", kernel.symbol), &format!("fn {op}("));
    let folder = folder(&format!("lto-{target}-{op}-{level}"));
    let from = if op == "memset" {
        "from.addr() as i32"
    } else {
        "from"
    };
    let mut consumer = CONSUMER.replace("KERNEL", op).replace("FROM", from);
    if COMPILER.core(target).unwrap() == Core::Installed {
        consumer += PANIC;
    }
    std::fs::write(folder.join("kernel.rs"), text).unwrap();
    std::fs::write(folder.join("consumer.rs"), consumer).unwrap();

    compile(
        &folder,
        target,
        level,
        &["--crate-type", "rlib", "kernel.rs"],
    );
    let program = [
        "--crate-type",
        "staticlib",
        "-C",
        "lto=fat",
        "--extern",
        "kernel=libkernel.rlib",
    ];
    compile(
        &folder,
        target,
        level,
        &[&program[..], &["consumer.rs"]].concat(),
    );

    let archive = std::fs::read(folder.join("libconsumer.a")).unwrap();
    let object = member_with(&archive, "consume");
    // The struct's move is a call, so calls do show in this object.
    assert!(!faults_of(object, "consume").is_empty());
    let faults = faults_of(object, op);
    assert!(faults.is_empty(), "{target}, {level}, {op}: {faults:?}");
}

fn compile(folder: &Path, target: &str, level: OptLevel, arguments: &[&str]) {
    let mut rustc: Command = COMPILER.command(target).unwrap();
    rustc
        .args(level.flags())
        .args([
            "-C",
            "panic=abort",
            "-C",
            "codegen-units=1",
            "-Z",
            "crate-attr=no_std",
        ])
        .args(arguments)
        .current_dir(folder);
    let output = rustc.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{rustc:?}\n{said}");
}

/// The object in `archive` that defines `symbol`: with fat LTO everything but the compiler's own routines is in it.
fn member_with<'data>(archive: &'data [u8], symbol: &str) -> &'data [u8] {
    let members = ArchiveFile::parse(archive).unwrap();
    let objects = members
        .members()
        .map(|member| member.unwrap().data(archive).unwrap());
    let defines = |bytes: &&[u8]| {
        object::File::parse(*bytes).is_ok_and(|file| {
            let mut symbols = file.symbols();
            symbols.any(|candidate| candidate.name() == Ok(symbol) && candidate.is_definition())
        })
    };
    let mut objects = objects.filter(defines);
    objects
        .next()
        .unwrap_or_else(|| panic!("no object defines {symbol}"))
}
