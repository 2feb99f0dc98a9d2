use std::collections::BTreeMap;
use std::process::Command;

use super::*;
use crate::verify::disassemble::disassemble;

/// Parcels as GNU as 2.40 encodes the text beside them, and what they are short for.
#[test]
fn parcels_of_an_independent_assembler() {
    let cases = [
        (0x0000, "0000"),
        (0x0068, "addi a0, sp, 12"),
        (0x1ffc, "addi a5, sp, 1020"),
        (0x5d7c, "lw a5, 124(a0)"),
        (0x7d7c, "ld a5, 248(a0)"),
        (0xc15c, "sw a5, 4(a0)"),
        (0xfd7c, "sd a5, 248(a0)"),
        (0x0001, "addi zero, zero, 0"),
        (0x1561, "addi a0, a0, -8"),
        (0x357d, "addiw a0, a0, -1"),
        (0x5781, "addi a5, zero, -32"),
        (0x7139, "addi sp, sp, -64"),
        (0x617d, "addi sp, sp, 496"),
        (0x77fd, "lui a5, 0xfffff"),
        (0x93fd, "srli a5, a5, 63"),
        (0x8785, "srai a5, a5, 1"),
        (0x9be1, "andi a5, a5, -8"),
        (0x8f89, "sub a5, a5, a0"),
        (0x8fa9, "xor a5, a5, a0"),
        (0x8fc9, "or a5, a5, a0"),
        (0x8fe9, "and a5, a5, a0"),
        (0x9f89, "subw a5, a5, a0"),
        (0x9fa9, "addw a5, a5, a0"),
        (0xbffd, "jal zero, 0xffe"),
        (0xd3e1, "beq a5, zero, 0xfc0"),
        (0xf3e1, "bne a5, zero, 0xfc0"),
        (0x17fe, "slli a5, a5, 63"),
        (0x50fe, "lw ra, 252(sp)"),
        (0x70fe, "ld ra, 504(sp)"),
        (0x8082, "jalr zero, 0(ra)"),
        (0x87aa, "add a5, zero, a0"),
        (0x9782, "jalr ra, 0(a5)"),
        (0x97aa, "add a5, a5, a0"),
        (0x9002, "9002"),
        (0xdfbe, "sw a5, 252(sp)"),
        (0xffbe, "sd a5, 504(sp)"),
    ];
    for (parcel, text) in cases {
        let decoded = decode_compressed(parcel, 64);
        assert_eq!(disassemble(&decoded, 0x1000, parcel.into()), text);
        assert_eq!(decoded.halfwords, 1);
    }
}

/// Each of the 65,536 parcels, for both widths, against what GNU objdump calls it. Its name for the short form is taken with the
/// manual's expansion, so that the decoder's reading of the bits and its choice of the operation are both held against something
/// else.
#[test]
fn every_parcel_as_objdump_reads_it() {
    for xlen in [32, 64] {
        let Some(listing) = listing(xlen) else { return };
        let mut compared = BTreeMap::new();
        for parcel in (0..=u16::MAX).filter(|parcel| is_compressed(*parcel)) {
            let decoded = decode_compressed(parcel, xlen);
            let pc = 2 * u64::from(parcel) + 0x1000;
            let ours = disassemble(&decoded, pc, parcel.into());
            let theirs = &listing[&pc];
            let name = theirs.split_whitespace().next().unwrap_or_default();
            let expected = expansion(theirs, xlen).unwrap_or(format!("{parcel:04x}"));
            assert_eq!(ours, expected, "{parcel:#06x} on RV{xlen}: {theirs}");
            *compared.entry(name.to_owned()).or_insert(0) += 1;
        }
        // Names of all forms, and of what is no form: `.2byte`, `unimp`.
        let names: Vec<_> = compared.keys().cloned().collect();
        assert!(compared.len() > 25, "{names:?}");
        assert_eq!(compared.values().sum::<i32>(), 3 << 14);
    }
}

/// objdump's text of each parcel at 0x1000 and twice its number; `None`, said aloud, without the tools.
fn listing(xlen: u32) -> Option<BTreeMap<u64, String>> {
    const TOOLS: [&str; 2] = ["riscv64-linux-gnu-objcopy", "riscv64-linux-gnu-objdump"];
    let starts = |tool: &&str| Command::new(tool).arg("--version").output().is_ok();
    if !TOOLS.iter().all(starts) {
        let required = std::env::var_os("MEMGEN_REQUIRE_TOOLS").is_some_and(|value| value == "1");
        assert!(
            !required,
            "MEMGEN_REQUIRE_TOOLS=1, but not all of {TOOLS:?} start"
        );
        eprintln!("SKIPPED: parcels against objdump\nSKIPPED: not all of {TOOLS:?} start");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    // Parcels that start longer instructions would swallow their neighbours.
    let bytes = (0..=u16::MAX).map(|parcel| if is_compressed(parcel) { parcel } else { 1 });
    let bytes: Vec<u8> = bytes.flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("parcels"), bytes).unwrap();
    let run = |tool: &str, arguments: &[&str]| {
        let output = Command::new(tool)
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let machine = format!("riscv:rv{xlen}");
    let arguments = [
        "-D",
        "-b",
        "binary",
        "-m",
        &machine,
        "-M",
        "no-aliases",
        "--adjust-vma=0x1000",
    ];
    let text = run(TOOLS[1], &[&arguments[..], &["parcels"]].concat());
    let lines = text.lines().filter_map(|line| {
        let (address, rest) = line.split_once(":\t")?;
        let address = u64::from_str_radix(address.trim(), 16).ok()?;
        let (_, inst) = rest.split_once('\t').unwrap_or((rest, ""));
        Some((address, inst.split('#').next()?.trim().replace('\t', " ")))
    });
    Some(lines.collect())
}

/// The manual's expansion of a short form as objdump spells it, in the words of [`disassemble`]; `None` where there is no integer
/// instruction.
fn expansion(theirs: &str, xlen: u32) -> Option<String> {
    let (name, operands) = theirs.split_once(' ').unwrap_or((theirs, ""));
    let operands: Vec<&str> = operands.split(',').collect();
    let (first, second) = (operands[0], operands.get(1).copied().unwrap_or_default());
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap_or_else(|_| panic!("{theirs}")),
    };
    let target = |text: &str| {
        format!(
            "{:#x}",
            i64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
        )
    };
    let name = name.strip_prefix("c.")?;
    Some(match name {
        // GNU objdump gives names to some that the manual reserves.
        "slli" | "srli" | "srai" if xlen == 32 && number(second) > 31 => return None,
        "addi4spn" if number(operands[2]) == 0 => return None,
        "addi16sp" | "lui" if number(second) == 0 => return None,
        "addiw" | "lwsp" | "ldsp" if first == "zero" => return None,
        "nop" if first.is_empty() => "addi zero, zero, 0".to_owned(),
        "nop" => format!("addi zero, zero, {}", number(first)),
        "addi4spn" => format!("addi {first}, sp, {}", number(operands[2])),
        "addi16sp" => format!("addi sp, sp, {}", number(second)),
        "addi" | "andi" | "slli" | "srli" | "srai" => {
            format!("{name} {first}, {first}, {}", number(second))
        }
        "addiw" => format!("addiw {first}, {first}, {}", number(second)),
        "li" => format!("addi {first}, zero, {}", number(second)),
        "lui" => format!("lui {first}, {:#x}", number(second)),
        // Shifts by nothing have names of their own, for RV128.
        "slli64" | "srli64" | "srai64" => {
            format!("{} {first}, {first}, 0", name.trim_end_matches("64"))
        }
        "mv" => format!("add {first}, zero, {second}"),
        "add" | "sub" | "xor" | "or" | "and" | "addw" | "subw" => {
            format!("{name} {first}, {first}, {second}")
        }
        "lw" | "ld" | "sw" | "sd" => format!("{name} {first}, {second}"),
        "lwsp" | "ldsp" | "swsp" | "sdsp" => {
            format!("{} {first}, {second}", name.trim_end_matches("sp"))
        }
        "beqz" => format!("beq {first}, zero, {}", target(second)),
        "bnez" => format!("bne {first}, zero, {}", target(second)),
        "j" => format!("jal zero, {}", target(first)),
        "jal" if xlen == 32 => format!("jal ra, {}", target(first)),
        "jr" => format!("jalr zero, 0({first})"),
        "jalr" => format!("jalr ra, 0({first})"),
        "unimp" | "ebreak" => return None,
        floating if floating.starts_with('f') => return None,
        other => panic!("{other}: {theirs}"),
    })
}
