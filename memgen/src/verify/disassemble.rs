//! What an instruction says, for counter-examples of compiled code.

use super::decode::{Alu, Compare, Decoded, Operation};
use crate::reg::Reg;

/// `inst` as an assembler would write it, compressed ones as what they are short for. Jumps name their target, an offset from the
/// start of the function; `pc` is the instruction's own, `word` what it is made of.
pub(super) fn disassemble(inst: &Decoded, pc: u64, word: u32) -> String {
    let reg =
        |number: u8| Reg::from_number(number.into()).map_or(String::new(), |reg| reg.to_string());
    let (rd, rs1, rs2, imm) = (reg(inst.rd), reg(inst.rs1), reg(inst.rs2), inst.imm);
    let target = pc.wrapping_add_signed(imm);
    let upper = (imm >> 12) & 0xf_ffff;
    match inst.operation {
        Operation::Load { bytes, signed } => {
            let unsigned = if signed { "" } else { "u" };
            format!("l{}{unsigned} {rd}, {imm}({rs1})", width(bytes))
        }
        Operation::Store { bytes } => format!("s{} {rs2}, {imm}({rs1})", width(bytes)),
        Operation::Imm(op) => format!("{} {rd}, {rs1}, {imm}", immediate(op, "")),
        Operation::ImmWord(op) => format!("{} {rd}, {rs1}, {imm}", immediate(op, "w")),
        Operation::Reg(op) => format!("{} {rd}, {rs1}, {rs2}", mnemonic(op)),
        Operation::RegWord(op) => format!("{} {rd}, {rs1}, {rs2}", word_mnemonic(op)),
        Operation::ZeroBlock => format!("cbo.zero ({rs1})"),
        Operation::Status { on: true } => format!("csrs sstatus, {rs1}"),
        Operation::Status { on: false } => format!("csrc sstatus, {rs1}"),
        Operation::Lui => format!("lui {rd}, {upper:#x}"),
        Operation::Auipc => format!("auipc {rd}, {upper:#x}"),
        Operation::Jal => format!("jal {rd}, {target:#x}"),
        Operation::Jalr => format!("jalr {rd}, {imm}({rs1})"),
        Operation::Branch(compare) => {
            let name = match compare {
                Compare::Equal => "beq",
                Compare::NotEqual => "bne",
                Compare::Less => "blt",
                Compare::NotLess => "bge",
                Compare::Below => "bltu",
                Compare::NotBelow => "bgeu",
            };
            format!("{name} {rs1}, {rs2}, {target:#x}")
        }
        Operation::Undecodable if inst.halfwords == 1 => format!("{:04x}", word & 0xffff),
        Operation::Undecodable => format!("{word:08x}"),
    }
}

fn width(bytes: u8) -> &'static str {
    match bytes {
        1 => "b",
        2 => "h",
        4 => "w",
        _ => "d",
    }
}

fn mnemonic(op: Alu) -> &'static str {
    match op {
        Alu::Add => "add",
        Alu::Sub => "sub",
        Alu::ShiftLeft => "sll",
        Alu::ShiftRight => "srl",
        Alu::ShiftRightSigned => "sra",
        Alu::Less => "slt",
        Alu::Below => "sltu",
        Alu::And => "and",
        Alu::Or => "or",
        Alu::Xor => "xor",
        Alu::Multiply => "mul",
        Alu::MultiplyHigh => "mulh",
        Alu::MultiplyHighMixed => "mulhsu",
        Alu::MultiplyHighUnsigned => "mulhu",
        Alu::Divide => "div",
        Alu::DivideUnsigned => "divu",
        Alu::Remainder => "rem",
        Alu::RemainderUnsigned => "remu",
        Alu::Pack => "pack",
        Alu::PackBytes => "packh",
    }
}

/// `addw`, `divuw`.
fn word_mnemonic(op: Alu) -> String {
    format!("{}w", mnemonic(op))
}

/// `addi`, `sltiu`, `slliw`.
fn immediate(op: Alu, suffix: &str) -> String {
    match op {
        Alu::Below => "sltiu".to_owned(),
        _ => format!("{}i{suffix}", mnemonic(op)),
    }
}
