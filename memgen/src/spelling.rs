//! One instruction as a line of text: the forms that GNU as and LLVM both take, pseudo-instructions where they are the usual
//! spelling.

use std::fmt;

use crate::inst::{Condition, Extend, ImmOp, Inst, Label, RegOp, Width};
use crate::reg::Reg;

/// SUM is bit 18 of sstatus (privileged ISA manual, "Memory Privilege in sstatus Register"): what `lui` loads, in units of 4 KiB.
const SUM_PAGE: u32 = (1 << 18) >> 12;

impl Inst {
    /// Mnemonic and operands as both assemblers take them. `label` spells a branch target,
    /// `distance` gives the bytes from one label to another.
    pub(crate) fn text(
        &self,
        label: impl Fn(Label) -> String,
        distance: impl Fn(Label, Label) -> i32,
    ) -> InstText {
        let (mnemonic, operands) = match *self {
            Inst::Load {
                width,
                extend,
                rd,
                base,
                offset,
                ..
            } => {
                let unsigned = if extend == Extend::Zero { "u" } else { "" };
                (
                    format!("l{}{unsigned}", width.letter()),
                    format!("{rd}, {offset}({base})"),
                )
            }
            Inst::Store {
                width,
                src,
                base,
                offset,
                ..
            } => (
                format!("s{}", width.letter()),
                format!("{src}, {offset}({base})"),
            ),
            Inst::Imm { op, rd, rs, imm } => match op {
                ImmOp::Add if rs == Reg::ZERO => ("li".into(), format!("{rd}, {imm}")),
                ImmOp::Add if imm == 0 => ("mv".into(), format!("{rd}, {rs}")),
                _ => (imm_mnemonic(op).into(), format!("{rd}, {rs}, {imm}")),
            },
            Inst::Op { op, rd, rs1, rs2 } => match op {
                RegOp::Sub if rs1 == Reg::ZERO => ("neg".into(), format!("{rd}, {rs2}")),
                _ => (reg_mnemonic(op).into(), format!("{rd}, {rs1}, {rs2}")),
            },
            Inst::Branch {
                condition,
                rs1,
                rs2,
                target,
            } => {
                let target = label(target);
                match condition {
                    Condition::Equal if rs2 == Reg::ZERO => {
                        ("beqz".into(), format!("{rs1}, {target}"))
                    }
                    Condition::NotEqual if rs2 == Reg::ZERO => {
                        ("bnez".into(), format!("{rs1}, {target}"))
                    }
                    _ => (
                        branch_mnemonic(condition).into(),
                        format!("{rs1}, {rs2}, {target}"),
                    ),
                }
            }
            Inst::Jump { target } => ("j".into(), label(target)),
            Inst::LoadUpper { rd, imm } => ("lui".into(), format!("{rd}, {imm:#x}")),
            Inst::PcAddress { rd } => ("auipc".into(), format!("{rd}, 0")),
            Inst::JumpRegister {
                base,
                anchor,
                target,
                ahead,
            } => (
                "jr".into(),
                format!("{}({base})", distance(anchor, target) + ahead),
            ),
            Inst::ZeroBlock { base } => ("cbo.zero".into(), format!("({base})")),
            Inst::Prefetch { base, offset } => ("prefetch.r".into(), format!("{offset}({base})")),
            Inst::LoadSum { rd } => ("lui".into(), format!("{rd}, {SUM_PAGE:#x}")),
            Inst::Sum { on, mask } => {
                let mnemonic = if on { "csrs" } else { "csrc" };
                (mnemonic.into(), format!("sstatus, {mask}"))
            }
            Inst::Return => ("ret".into(), String::new()),
        };
        InstText { mnemonic, operands }
    }
}

impl Width {
    fn letter(self) -> char {
        match self {
            Width::Byte => 'b',
            Width::Half => 'h',
            Width::Word => 'w',
            Width::Double => 'd',
        }
    }
}

/// The two columns of an instruction line.
pub(crate) struct InstText {
    mnemonic: String,
    operands: String,
}

/// `mnemonic`, a tab, `operands`.
impl fmt::Display for InstText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mnemonic)?;
        if !self.operands.is_empty() {
            write!(f, "\t{}", self.operands)?;
        }
        Ok(())
    }
}

fn imm_mnemonic(op: ImmOp) -> &'static str {
    match op {
        ImmOp::Add => "addi",
        ImmOp::And => "andi",
        ImmOp::ShiftLeft => "slli",
        ImmOp::ShiftRight => "srli",
    }
}

fn reg_mnemonic(op: RegOp) -> &'static str {
    match op {
        RegOp::Add => "add",
        RegOp::Sub => "sub",
        RegOp::Or => "or",
        RegOp::ShiftLeft => "sll",
        RegOp::ShiftRight => "srl",
        RegOp::ShiftLeftWord => "sllw",
        RegOp::ShiftRightWord => "srlw",
        RegOp::Multiply => "mul",
        RegOp::Pack => "pack",
        RegOp::PackBytes => "packh",
        RegOp::PackHalves => "packw",
    }
}

fn branch_mnemonic(condition: Condition) -> &'static str {
    match condition {
        Condition::Equal => "beq",
        Condition::NotEqual => "bne",
        Condition::Below => "bltu",
        Condition::AtLeast => "bgeu",
    }
}
