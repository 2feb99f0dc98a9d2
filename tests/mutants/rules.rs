//! The rules of the classes.

use super::classes::Change;
use super::flow::bits;
use super::word::Inst;

/// The size on entry, a2.
const N: u32 = 12;

impl Change<'_> {
    /// All but the operation as before.
    fn keeps_operands(&self) -> bool {
        let (before, after) = (self.before, self.after);
        let operands = |inst: Inst| (inst.rd, inst.rs1, inst.rs2, inst.imm);
        operands(before) == operands(after)
    }

    /// The operation and the registers as before, another constant.
    fn keeps_all_but_constant(&self) -> bool {
        let all_but_constant = |inst: Inst| (inst.name, inst.rd, inst.rs1, inst.rs2);
        all_but_constant(self.before) == all_but_constant(self.after)
    }

    pub(crate) fn loads_what_is_stored(&self) -> bool {
        let (Some(bytes), Some(loaded)) = (self.before.loads(), self.after.loads()) else {
            return false;
        };
        let stored = |at: &usize| {
            let user = self.flow.code[*at];
            user.rs1 != self.before.rd && user.stores().is_some_and(|stored| stored <= bytes)
        };
        // Where it may load from is the verifier's business.
        self.keeps_operands() && loaded >= bytes && self.flow.uses(self.index).iter().all(stored)
    }

    pub(crate) fn is_same_number(&self) -> bool {
        let either = |names: &[&str]| {
            [self.before, self.after]
                .iter()
                .all(|i| names.contains(&i.name))
        };
        let number = either(&["addi", "xori", "ori"]) || either(&["addi", "addiw"]);
        // Of a pointer, which the verifier does not follow through xori and ori.
        let with_zero = either(&["addi", "add", "slli"]);
        let zero = self.before.imm == 0 && self.before.rs2 == 0;
        self.keeps_operands() && (number && self.before.rs1 == 0 || with_zero && zero)
    }

    pub(crate) fn shifts_small_number(&self) -> bool {
        let Some(most) = self.flow.most(self.index, self.before.rs1) else {
            return false;
        };
        let (same_form, result) = match (self.before.name, self.after.name) {
            ("srli", "srai" | "srliw" | "sraiw") => (true, Some(most)),
            ("slli", "slliw") => (true, most.checked_mul(1 << self.before.imm)),
            _ => (false, None),
        };
        let small = |number: u64| number < 1 << 31;
        self.keeps_operands() && same_form && small(most) && result.is_some_and(small)
    }

    pub(crate) fn differs_in_high_bits(&self) -> bool {
        let low_bits = |at: &usize| {
            let user = self.flow.code[*at];
            let masked = user.name == "andi" && user.imm >= 0;
            let counted = ["sll", "srl"].contains(&user.name) && user.rs1 != self.before.rd;
            masked || counted
        };
        let names = (self.before.name, self.after.name) == ("sub", "subw");
        self.keeps_operands() && names && self.flow.uses(self.index).iter().all(low_bits)
    }

    pub(crate) fn joins_disjoint_bits(&self) -> bool {
        let joins = |inst: Inst| ["or", "xor", "add"].contains(&inst.name);
        let Inst { rs1, rs2, .. } = self.before;
        self.keeps_operands()
            && joins(self.before)
            && joins(self.after)
            && (self.are_disjoint(rs1, rs2) || self.are_disjoint(rs2, rs1))
    }

    /// Whether the values of `low` and `high`, read by this instruction, have no bit in common.
    fn are_disjoint(&self, low: u32, high: u32) -> bool {
        let flow = self.flow;
        let Some((high_at, shift)) = flow.written(self.index, high) else {
            return false;
        };
        if shift.name == "slli" {
            let most = flow.most(self.index, low);
            return most.is_some_and(|most| most < 1 << shift.imm);
        }
        let Some((low_at, other)) = flow.written(self.index, low) else {
            return false;
        };
        // By k, which is not 0 where blocks are not co-aligned, and by -k.
        let opposite = flow.written(high_at, shift.rs2).is_some_and(|(at, count)| {
            let of_other = flow.writer(low_at, other.rs2);
            let negated = flow.writer(at, count.rs2);
            (count.name, count.rs1) == ("sub", 0) && negated.is_some() && negated == of_other
        });
        (other.name, shift.name) == ("srl", "sll") && opposite
    }

    pub(crate) fn masks_below_constant(&self) -> bool {
        let changed = (self.before.imm ^ self.after.imm) as u64;
        let most = self.flow.most(self.index, self.before.rs1);
        self.keeps_all_but_constant()
            && self.before.name == "andi"
            && most.is_some_and(|most| changed & bits(most) == 0)
    }

    pub(crate) fn masks_cleared_bit(&self) -> bool {
        let more = self.before.imm ^ self.after.imm;
        let adds = self.before.imm & more == 0 && more > 0 && more.count_ones() == 1;
        self.keeps_all_but_constant()
            && self.before.name == "andi"
            && adds
            && self.flow.is_cleared(self.index, self.before.rs1, more)
    }

    pub(crate) fn masks_original(&self) -> bool {
        let (before, after) = (self.before, self.after);
        let same = (before.name, before.rd, before.imm) == (after.name, after.rd, after.imm);
        let one_bit = before.imm > 0 && before.imm.count_ones() == 1;
        same && before.name == "andi"
            && one_bit
            && self
                .flow
                .is_mask_of(self.index, before.rs1, after.rs1, before.imm)
    }

    pub(crate) fn lowers_threshold(&self) -> bool {
        let word = i64::from(self.kernel.xlen / 8);
        let constant = self.before.name == "addi" && self.before.rs1 == 0;
        let tests_n = |at: &usize| {
            let user = self.flow.code[*at];
            user.name == "bltu" && user.rs1 == N
        };
        self.keeps_all_but_constant()
            && constant
            && self.before.imm == 2 * word - 1
            && (word - 1..self.before.imm).contains(&self.after.imm)
            && self.flow.uses(self.index).iter().all(tests_n)
    }

    pub(crate) fn links_to_scratch(&self) -> bool {
        let (before, after) = (self.before, self.after);
        let same = (before.name, before.rs1, before.imm) == (after.name, after.rs1, after.imm);
        let jump = ["jal", "jalr"].contains(&before.name) && before.rd == 0;
        // Whether it may be written at all is the verifier's business.
        same && jump && self.flow.is_dead(self.index, after.rd)
    }

    pub(crate) fn returns_elsewhere(&self) -> bool {
        let code = &self.flow.code;
        let target = |imm: i64| usize::try_from(self.index as i64 + imm / 4).ok();
        let returns = |imm: i64| {
            let inst = target(imm).and_then(|at| code.get(at));
            imm % 4 == 0 && inst.is_some_and(Inst::is_return)
        };
        self.keeps_all_but_constant()
            && self.before.is_branch()
            && returns(self.before.imm)
            && returns(self.after.imm)
    }
}
