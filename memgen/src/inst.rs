//! One machine instruction: what it reads and writes, and its line of text.

use crate::reg::{Reg, RegSet};

/// The width of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One byte.
    Byte,
    /// Two bytes.
    Half,
    /// Four bytes.
    Word,
    /// Eight bytes.
    Double,
}

impl Width {
    /// The width of `bytes` bytes: 1, 2, 4 or 8.
    pub fn from_bytes(bytes: u32) -> Option<Width> {
        match bytes {
            1 => Some(Width::Byte),
            2 => Some(Width::Half),
            4 => Some(Width::Word),
            8 => Some(Width::Double),
            _ => None,
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        1 << self as u32
    }

    /// The next narrower width; `None` below a byte.
    pub fn half(self) -> Option<Width> {
        Width::from_bytes(self.bytes() / 2)
    }
}

/// How a load fills the register above the loaded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extend {
    /// With the sign; also the only way to load a whole register.
    Sign,
    /// With zeros.
    Zero,
}

/// Register-immediate operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmOp {
    /// `addi`, also `li` and `mv`.
    Add,
    /// `andi`.
    And,
    /// `slli`.
    ShiftLeft,
    /// `srli`.
    ShiftRight,
}

/// Register-register operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegOp {
    /// `add`.
    Add,
    /// `sub`, also `neg`.
    Sub,
    /// `or`.
    Or,
    /// `sll`: the low bits of the count decide.
    ShiftLeft,
    /// `srl`.
    ShiftRight,
    /// `sllw`, RV64: the low five bits of the count decide.
    ShiftLeftWord,
    /// `srlw`, RV64.
    ShiftRightWord,
    /// `mul`, M.
    Multiply,
    /// `pack`, Zbkb: the lower half of the first register, that of the second above it.
    Pack,
    /// `packh`, Zbkb: the lowest bytes of both registers.
    PackBytes,
    /// `packw`, Zbkb on RV64: the lowest half-words of both registers, sign extended.
    PackHalves,
}

/// Conditions of branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `beq`.
    Equal,
    /// `bne`.
    NotEqual,
    /// `bltu`.
    Below,
    /// `bgeu`.
    AtLeast,
}

impl Condition {
    /// The condition that holds when this one does not.
    pub fn inverse(self) -> Condition {
        match self {
            Condition::Equal => Condition::NotEqual,
            Condition::NotEqual => Condition::Equal,
            Condition::Below => Condition::AtLeast,
            Condition::AtLeast => Condition::Below,
        }
    }
}

/// A place in a [`crate::Program`], by number; the program knows its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub(crate) usize);

/// One instruction of the base ISA. Each is four bytes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "operands are named as in the ISA manual")]
pub enum Inst {
    /// `ld rd, offset(base)`; of user memory, with the place where execution goes on after a fault
    Load {
        width: Width,
        extend: Extend,
        rd: Reg,
        base: Reg,
        offset: i32,
        recover: Option<Label>,
    },
    /// `sd src, offset(base)`; the same
    Store {
        width: Width,
        src: Reg,
        base: Reg,
        offset: i32,
        recover: Option<Label>,
    },
    /// `addi rd, rs, imm`
    Imm {
        op: ImmOp,
        rd: Reg,
        rs: Reg,
        imm: i32,
    },
    /// `add rd, rs1, rs2`
    Op {
        op: RegOp,
        rd: Reg,
        rs1: Reg,
        rs2: Reg,
    },
    /// `bltu rs1, rs2, target`
    Branch {
        condition: Condition,
        rs1: Reg,
        rs2: Reg,
        target: Label,
    },
    /// `j target`
    Jump { target: Label },
    /// `lui rd, imm`: the immediate, moved up by twelve bits
    LoadUpper { rd: Reg, imm: u32 },
    /// `auipc rd, 0`: the address of this very instruction.
    PcAddress { rd: Reg },
    /// `jr offset(base)`, where the offset is the distance from `anchor` (a [`Inst::PcAddress`]) to `target`, and `ahead` bytes on.
    JumpRegister {
        base: Reg,
        anchor: Label,
        target: Label,
        ahead: i32,
    },
    /// `cbo.zero (base)`, Zicboz: clears the cache block that holds the address.
    ZeroBlock { base: Reg },
    /// `prefetch.r offset(base)`, Zicbop: a hint; it touches nothing.
    Prefetch { base: Reg, offset: i32 },
    /// `lui rd, 0x40`: the bit SUM of sstatus, which lets a kernel access user memory.
    LoadSum { rd: Reg },
    /// `csrs sstatus, mask`, or `csrc` if `on` is false.
    Sum { on: bool, mask: Reg },
    /// `ret`
    Return,
}

impl Inst {
    /// The extension this instruction belongs to; `None` for the base.
    pub fn extension(&self) -> Option<&'static str> {
        match self {
            Inst::Op {
                op: RegOp::Pack | RegOp::PackBytes | RegOp::PackHalves,
                ..
            } => Some("zbkb"),
            Inst::Op {
                op: RegOp::Multiply,
                ..
            } => Some("m"),
            Inst::ZeroBlock { .. } => Some("zicboz"),
            Inst::Prefetch { .. } => Some("zicbop"),
            Inst::Sum { .. } => Some("zicsr"),
            _ => None,
        }
    }

    /// The register this instruction writes.
    pub fn writes(&self) -> Option<Reg> {
        match *self {
            Inst::Load { rd, .. }
            | Inst::Imm { rd, .. }
            | Inst::Op { rd, .. }
            | Inst::LoadUpper { rd, .. }
            | Inst::LoadSum { rd }
            | Inst::PcAddress { rd } => Some(rd),
            _ => None,
        }
    }

    /// The label this instruction may jump to by name.
    pub fn target(&self) -> Option<Label> {
        match *self {
            Inst::Branch { target, .. } | Inst::Jump { target } => Some(target),
            _ => None,
        }
    }

    /// Where execution goes on after a fault of this access to user memory.
    pub fn recovery(&self) -> Option<Label> {
        match *self {
            Inst::Load { recover, .. } | Inst::Store { recover, .. } => recover,
            _ => None,
        }
    }

    /// Replaces every label it names.
    pub(crate) fn relabel(&mut self, new: impl Fn(Label) -> Label) {
        match self {
            Inst::Branch { target, .. } | Inst::Jump { target } => *target = new(*target),
            Inst::Load { recover, .. } | Inst::Store { recover, .. } => *recover = recover.map(new),
            Inst::JumpRegister { anchor, target, .. } => {
                *anchor = new(*anchor);
                *target = new(*target);
            }
            _ => {}
        }
    }

    /// The registers this instruction reads.
    pub fn reads(&self) -> RegSet {
        let regs = match *self {
            Inst::Load { base, .. }
            | Inst::JumpRegister { base, .. }
            | Inst::ZeroBlock { base }
            | Inst::Prefetch { base, .. } => [base, Reg::ZERO],
            Inst::Store { src, base, .. } => [src, base],
            Inst::Imm { rs, .. } => [rs, Reg::ZERO],
            Inst::Op { rs1, rs2, .. } | Inst::Branch { rs1, rs2, .. } => [rs1, rs2],
            Inst::Sum { mask, .. } => [mask, Reg::ZERO],
            Inst::Return => [Reg::RA, Reg::ZERO],
            Inst::Jump { .. }
            | Inst::LoadUpper { .. }
            | Inst::LoadSum { .. }
            | Inst::PcAddress { .. } => [Reg::ZERO, Reg::ZERO],
        };
        regs.into_iter().collect()
    }
}
