//! A whole kernel, its uaccess.S, memcpy.S, memmove.S and memset.S emitted, booted under QEMU with one process that judges its user
//! copies by system calls.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::support::{announce, folder};
use crate::tree::{Build, emitted, run};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");

/// Seconds after which a run that has not ended is a failure; it takes some two minutes.
const SECONDS: &str = "900";

/// Builds a kernel whose routines have `flags`, and boots it; returns the line that its process printed.
pub(crate) fn boot(build: &Build, flags: &str) -> String {
    let started = Instant::now();
    build.put_user_copies(flags);
    for op in ["memcpy", "memmove", "memset"] {
        let file = emitted(&format!("--op {op} --preset kernel"));
        build.put(&format!("{op}.S"), &file);
    }
    let image = build.image();
    let built = started.elapsed().as_secs_f64();

    let archive = folder("kernel-init").join("init.cpio");
    fs::write(&archive, cpio("init", &init(archive.parent().unwrap()))).unwrap();
    let mut qemu = Command::new("timeout");
    qemu.args([
        SECONDS,
        "qemu-system-riscv64",
        "-machine",
        "virt",
        "-m",
        "256M",
    ]);
    qemu.args(["-nographic", "-no-reboot", "-net", "none", "-kernel"])
        .arg(&image);
    qemu.arg("-initrd").arg(&archive);
    qemu.args(["-append", "console=hvc0 quiet panic=-1"]);
    let printed = run(&mut qemu);
    let line = printed.lines().find(|line| line.contains("user copies: "));
    let line = line.unwrap_or_else(|| panic!("{flags}: {printed}"));
    announce(&format!(
        "kernel: {flags}: {}; built in {built:.0} s, run in {:.0} s",
        line.trim(),
        started.elapsed().as_secs_f64() - built
    ));
    line.to_owned()
}

/// The process, compiled.
fn init(folder: &Path) -> Vec<u8> {
    let program = folder.join("init");
    let mut compile = Command::new("riscv64-linux-gnu-gcc");
    compile.args([
        "-march=rv64gc",
        "-mabi=lp64d",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
    ]);
    compile.args([
        "-ffreestanding",
        "-fno-pic",
        "-no-pie",
        "-nostdlib",
        "-static",
    ]);
    compile.args([
        "-fno-builtin",
        "-fno-tree-loop-distribute-patterns",
        "-fno-stack-protector",
    ]);
    compile.arg(format!("-I{TESTS}/qemu"));
    compile.args([
        format!("{TESTS}/qemu/start.S"),
        format!("{TESTS}/kernel/init.c"),
    ]);
    run(compile.arg("-o").arg(&program));
    fs::read(&program).unwrap()
}

/// An archive of one executable file, in the format that the kernel unpacks ("newc" of cpio).
fn cpio(name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, mode, content) in [(name, 0o100_755, content), ("TRAILER!!!", 0, &[][..])] {
        let name_bytes = name.len() + 1;
        // Inode, mode, owner, group, links, time, size, four device numbers, bytes of the name, checksum.
        let fields = [
            1,
            mode,
            0,
            0,
            1,
            0,
            content.len(),
            0,
            0,
            0,
            0,
            name_bytes,
            0,
        ];
        archive.extend_from_slice(b"070701");
        for field in fields {
            archive.extend_from_slice(format!("{field:08x}").as_bytes());
        }
        archive.extend_from_slice(name.as_bytes());
        archive.push(0);
        archive.resize(archive.len().next_multiple_of(4), 0);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(4), 0);
    }
    archive
}
