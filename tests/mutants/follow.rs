//! Where the computed jumps of a routine lead: its code followed with numbers for sizes and addresses, memory left out.

use std::collections::{BTreeMap, BTreeSet};

use super::word::Inst;

/// Where each computed jump leads, both as places in the code.
pub(crate) type Landings = BTreeMap<usize, BTreeSet<usize>>;

/// All sizes up to here, and some up to two blocks of any of the routines.
const ALL_SIZES: u64 = 300;
const SOME_SIZES: u64 = 1200;

/// Where the code is, and where calls come from.
const CODE: u64 = 0x1_0000;
const CALLER: u64 = 0x0_8000;

/// Far more than a call of those sizes takes.
const LIMIT: usize = 100_000;

/// The landings in calls of every size and pair of residues, of blocks apart and of those where dst lies inside src.
pub(crate) fn landings(code: &[Inst], xlen: u32) -> Landings {
    landings_of(code, xlen, |dst, src, n| [dst, src, n])
}

/// The same with a0 to a2 as `arguments` makes them of dst, src and n.
pub(crate) fn landings_of(
    code: &[Inst],
    xlen: u32,
    arguments: impl Fn(u64, u64, u64) -> [u64; 3],
) -> Landings {
    let mut landings = Landings::new();
    let register = u64::from(xlen / 8);
    // Without a computed jump there is nothing to find.
    if !code.iter().any(|inst| is_computed(*inst)) {
        return landings;
    }
    let sizes = (0..ALL_SIZES).chain((ALL_SIZES..SOME_SIZES).step_by(7));
    for n in sizes {
        for residues in 0..register * register {
            let (src, dst) = (0x40_0000 + residues / register, residues % register);
            for away in [0x50_0000, 0x40_0000 + register] {
                call(code, xlen, arguments(away + dst, src, n), &mut landings);
            }
        }
    }
    landings
}

/// One call with a0 to a2 as given.
fn call(code: &[Inst], xlen: u32, arguments: [u64; 3], landings: &mut Landings) {
    let mask = u64::MAX >> (64 - xlen);
    let mut regs = [0_u64; 32];
    (regs[1], regs[10], regs[11], regs[12]) = (CALLER, arguments[0], arguments[1], arguments[2]);
    let mut at = 0;
    for _ in 0..LIMIT {
        let inst = code[at];
        let (left, right) = (regs[inst.rs1 as usize], regs[inst.rs2 as usize]);
        let imm = inst.imm as u64;
        let pc = CODE + 4 * at as u64;
        let count = (right % u64::from(xlen)) as u32;
        let mut next = at + 1;
        let value = match inst.name {
            "addi" => left.wrapping_add(imm),
            "andi" => left & imm,
            "slli" => left << imm,
            "srli" => left >> imm,
            "add" => left.wrapping_add(right),
            "sub" => left.wrapping_sub(right),
            "sll" => left << count,
            "srl" => left >> count,
            "or" => left | right,
            "lui" => imm,
            "auipc" => pc.wrapping_add(imm),
            "beq" | "bne" | "bltu" | "bgeu" => {
                let taken = match inst.name {
                    "beq" => left == right,
                    "bne" => left != right,
                    "bltu" => left < right,
                    _ => left >= right,
                };
                if taken {
                    next = place(pc.wrapping_add(imm));
                }
                0
            }
            "jal" => {
                next = place(pc.wrapping_add(imm));
                0
            }
            "jalr" if left == CALLER => return,
            "jalr" => {
                next = place(left.wrapping_add(imm) & mask);
                landings.entry(at).or_default().insert(next);
                0
            }
            "csrrs" | "csrrc" => 0,
            _ if inst.loads().is_some() || inst.stores().is_some() => 0,
            other => panic!("{other} at {:#x}", 4 * at),
        };
        regs[inst.rd as usize] = value & mask;
        regs[0] = 0;
        at = next;
    }
    panic!("{arguments:x?} does not return");
}

fn place(address: u64) -> usize {
    (address.wrapping_sub(CODE) / 4) as usize
}

/// A jump through a register that is no return.
fn is_computed(inst: Inst) -> bool {
    inst.name == "jalr" && !inst.is_return()
}
