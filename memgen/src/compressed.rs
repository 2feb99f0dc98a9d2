//! How large a routine would be if an assembler compressed it (the C extension's integer subset, ISA manual, chapter "C").
//! Emitted code is not compressed: its bytes are those that were proven, and computed jumps count on their size.

use crate::inst::{Condition, ImmOp, Inst, RegOp, Width};
use crate::program::{Item, Program};
use crate::reg::Reg;

/// Reach of `c.beqz`, `c.bnez` and of `c.j`.
const BRANCH_REACH: std::ops::RangeInclusive<i32> = -256..=254;
const JUMP_REACH: std::ops::RangeInclusive<i32> = -2048..=2046;

/// Code bytes of `program` with every instruction compressed that can be, for registers of `xlen` bits. `None` where computed jumps count in
/// instructions of four bytes: such code cannot be compressed.
pub fn compressed_bytes(program: &Program, xlen: u32) -> Option<u64> {
    let computes = |inst: &Inst| matches!(inst, Inst::JumpRegister { .. });
    if program.instructions().any(computes) {
        return None;
    }
    // As assemblers do: every jump starts short, and grows when its target turns out to be too far.
    let mut long = vec![false; program.items().len()];
    loop {
        let (addresses, sizes) = lay_out(program, &long, xlen);
        let mut pc = 0;
        let mut grew = false;
        for (position, item) in program.items().iter().enumerate() {
            let Item::Inst(inst) = item else { continue };
            let reach = match inst {
                Inst::Branch { .. } => BRANCH_REACH,
                _ => JUMP_REACH,
            };
            if let Some(target) = inst.target().filter(|_| sizes[position] == 2)
                && !reach.contains(&(addresses[target.0] - pc))
            {
                long[position] = true;
                grew = true;
            }
            pc += sizes[position];
        }
        if !grew {
            return Some(u64::from(pc.unsigned_abs()));
        }
    }
}

/// Address of each label and size of each item, with the jumps in `long` uncompressed.
fn lay_out(program: &Program, long: &[bool], xlen: u32) -> (Vec<i32>, Vec<i32>) {
    let mut addresses = vec![0; program.label_count()];
    let mut sizes = Vec::with_capacity(long.len());
    let mut pc = 0;
    for (item, long) in program.items().iter().zip(long) {
        let size = match item {
            Item::Inst(inst) if !long && compresses(inst, xlen) => 2,
            Item::Inst(_) => 4,
            Item::Label(label) => {
                addresses[label.0] = pc;
                0
            }
            Item::Comment(_) | Item::Unwind(_) | Item::Slot { .. } => 0,
        };
        sizes.push(size);
        pc += size;
    }
    (addresses, sizes)
}

/// Whether a two-byte form exists, jumps taken for near.
fn compresses(inst: &Inst, xlen: u32) -> bool {
    match *inst {
        Inst::Load {
            width,
            rd,
            base,
            offset,
            ..
        } => memory(width, rd, base, offset, xlen, rd != Reg::ZERO),
        Inst::Store {
            width,
            src,
            base,
            offset,
            ..
        } => memory(width, src, base, offset, xlen, true),
        Inst::Imm { op, rd, rs, imm } => immediate(op, rd, rs, imm),
        Inst::Op { op, rd, rs1, rs2 } => register(op, rd, rs1, rs2),
        Inst::Branch {
            condition: Condition::Equal | Condition::NotEqual,
            rs1,
            rs2: Reg::ZERO,
            ..
        } => is_near(rs1),
        Inst::Jump { .. } | Inst::Return => true,
        // c.lui takes six bits; the one constant loaded here has more.
        Inst::LoadUpper { .. }
        | Inst::LoadSum { .. }
        | Inst::Sum { .. }
        | Inst::JumpRegister { .. }
        | Inst::Branch { .. }
        | Inst::PcAddress { .. }
        | Inst::ZeroBlock { .. }
        | Inst::Prefetch { .. } => false,
    }
}

/// x8 to x15, which three bits can name.
fn is_near(reg: Reg) -> bool {
    (8..16).contains(&reg.number())
}

/// Words and, on RV64, double words, at small multiples of their size from a near register or from sp.
fn memory(width: Width, data: Reg, base: Reg, offset: i32, xlen: u32, may_be_far: bool) -> bool {
    let bytes = width.bytes() as i32;
    let has_form = width == Width::Word || (width == Width::Double && xlen == 64);
    let slots = if base == Reg::SP { 64 } else { 32 };
    let near = if base == Reg::SP {
        may_be_far
    } else {
        is_near(data) && is_near(base)
    };
    has_form && near && offset % bytes == 0 && (0..slots * bytes).contains(&offset)
}

fn immediate(op: ImmOp, rd: Reg, rs: Reg, imm: i32) -> bool {
    let small = (-32..32).contains(&imm);
    match op {
        ImmOp::Add if rs == Reg::ZERO => small,
        ImmOp::Add if imm == 0 => true,
        ImmOp::Add if rd == Reg::SP && rs == Reg::SP => {
            small || (imm % 16 == 0 && (-512..512).contains(&imm))
        }
        ImmOp::Add => rd == rs && small,
        ImmOp::And => rd == rs && is_near(rd) && small,
        ImmOp::ShiftLeft => rd == rs,
        ImmOp::ShiftRight => rd == rs && is_near(rd),
    }
}

fn register(op: RegOp, rd: Reg, rs1: Reg, rs2: Reg) -> bool {
    let both_near = is_near(rs1) && is_near(rs2);
    match op {
        RegOp::Add => (rd == rs1 || rd == rs2) && rs1 != Reg::ZERO && rs2 != Reg::ZERO,
        RegOp::Or => (rd == rs1 || rd == rs2) && both_near,
        RegOp::Sub => rd == rs1 && both_near,
        _ => false,
    }
}
