//! The rules of the classes.

use super::classes::Change;
use super::values::bits;
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

    pub(crate) fn is_never_executed(&self) -> bool {
        !self.flow.is_reached(self.index)
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
        let of_zero = |inst: Inst| match inst.name {
            _ if inst.rs1 != 0 => None,
            "addi" | "addiw" | "xori" | "ori" => Some(inst.imm),
            "andi" => Some(0),
            "slti" | "sltiu" => Some(i64::from(inst.imm > 0)),
            _ => None,
        };
        let either = |names: &[&str]| {
            [self.before, self.after]
                .iter()
                .all(|i| names.contains(&i.name))
        };
        let same_number = of_zero(self.before).is_some_and(|n| Some(n) == of_zero(self.after));
        let with_zero = either(&["addi", "add", "slli", "xori", "ori"]);
        let zero = self.before.imm == 0 && self.before.rs2 == 0;
        self.keeps_operands() && (same_number || with_zero && zero)
    }

    pub(crate) fn is_small_number(&self) -> bool {
        let most = |reg: u32| self.flow.most(self.index, reg);
        let left = || most(self.before.rs1);
        let imm = self.before.imm as u64;
        let result = || match (self.before.name, self.after.name) {
            ("srli", "srai" | "srliw" | "sraiw") => left(),
            ("slli", "slliw") => left()?.checked_mul(1 << imm),
            ("addi", "addiw") if self.before.imm > 0 => left()?.checked_add(imm),
            ("add", "addw") => left()?.checked_add(most(self.before.rs2)?),
            _ => None,
        };
        self.keeps_operands() && result().is_some_and(|most| most < 1 << 31)
    }

    pub(crate) fn differs_in_high_bits(&self) -> bool {
        let names = (self.before.name, self.after.name);
        // Of a value moved down, those that come from above 32 bits.
        let stored = |at: &usize| {
            let user = self.flow.code[*at];
            let reaches = |bytes: u32| self.before.imm + 8 * i64::from(bytes) <= 32;
            user.rs1 != self.before.rd && user.stores().is_some_and(reaches)
        };
        let uses = self.flow.uses(self.index);
        // Copies of the sign come in at the top.
        let below_sign = || {
            let used = self.flow.low_bits_used(self.index);
            used.is_some_and(|used| self.before.imm + i64::from(used) <= self.kernel.xlen.into())
        };
        self.keeps_operands()
            && match names {
                ("sub", "subw") | ("slli", "slliw") => self.only_low_bits_count(self.index),
                ("srli", "srliw") => uses.iter().all(stored),
                ("srli", "srai") => below_sign(),
                _ => false,
            }
    }

    /// Whether what the instruction at `index` writes is masked wherever it is read, or a shift count, itself or its negation.
    fn only_low_bits_count(&self, index: usize) -> bool {
        let reg = self.flow.code[index].rd;
        self.flow.uses(index).into_iter().all(|at| {
            let user = self.flow.code[at];
            let masked = user.name == "andi" && user.imm >= 0;
            let counted = ["sll", "srl"].contains(&user.name) && user.rs1 != reg;
            let negated = (user.name, user.rs1) == ("sub", 0) && self.only_low_bits_count(at);
            masked || counted || negated
        })
    }

    pub(crate) fn joins_disjoint_bits(&self) -> bool {
        let joins = |inst: Inst| ["or", "xor", "add"].contains(&inst.name);
        let Inst { rs1, rs2, .. } = self.before;
        if self.adds_below_unit() {
            return true;
        }
        self.keeps_operands()
            && joins(self.before)
            && joins(self.after)
            && (self.are_disjoint(rs1, rs2) || self.are_disjoint(rs2, rs1))
    }

    /// Whether a constant is joined to a multiple of more.
    fn adds_below_unit(&self) -> bool {
        let joins = |inst: Inst| ["ori", "xori", "addi"].contains(&inst.name);
        let Inst { rs1, imm, .. } = self.before;
        self.keeps_operands()
            && joins(self.before)
            && joins(self.after)
            && imm > 0
            && (imm as u64) < self.flow.unit(self.index, rs1)
    }

    /// Whether the values of `low` and `high`, read by this instruction, have no bit in common.
    fn are_disjoint(&self, low: u32, high: u32) -> bool {
        let flow = self.flow;
        if let Some((_, shift)) = flow.written(self.index, high)
            && shift.name == "slli"
        {
            let most = flow.most(self.index, low);
            return most.is_some_and(|most| most < 1 << shift.imm);
        }
        if let Some(most) = flow.most(self.index, low)
            && most < flow.unit(self.index, high)
        {
            return true;
        }
        // By k, which is not 0 where blocks are not co-aligned, and by -k, whichever way the values came.
        let is_shift = |at: &usize, name: &str| self.flow.code[*at].name == name;
        let (lows, highs) = (
            flow.writers(self.index, low),
            flow.writers(self.index, high),
        );
        let all_shifts =
            lows.iter().all(|at| is_shift(at, "srl")) && highs.iter().all(|at| is_shift(at, "sll"));
        let pairs = lows
            .iter()
            .flat_map(|low| highs.iter().map(|high| (*low, *high)));
        all_shifts
            && !lows.is_empty()
            && !highs.is_empty()
            && pairs
                .into_iter()
                .all(|(low, high)| self.are_opposite(low, high))
    }

    /// Whether the shift counts of the instructions at `one` and `other` are one the negative of the other.
    fn are_opposite(&self, one: usize, other: usize) -> bool {
        let count = |at: usize| self.flow.writer(at, self.flow.code[at].rs2);
        let negates = |count_at: usize, of: usize| {
            let inst = self.flow.code[count_at];
            (inst.name, inst.rs1) == ("sub", 0) && self.flow.writer(count_at, inst.rs2) == Some(of)
        };
        let (Some(one), Some(other)) = (count(one), count(other)) else {
            return false;
        };
        negates(one, other) || negates(other, one)
    }

    pub(crate) fn masks_clear_bits(&self) -> bool {
        let reg = self.before.rs1;
        let may_be_set = || {
            let most = self.flow.most(self.index, reg).map_or(u64::MAX, bits);
            most & !(self.flow.unit(self.index, reg) - 1)
        };
        let changed = (self.before.imm ^ self.after.imm) as u64;
        self.keeps_all_but_constant() && self.before.name == "andi" && changed & may_be_set() == 0
    }

    pub(crate) fn compares_multiples(&self) -> bool {
        let (before, after) = (self.before.imm as u64, self.after.imm as u64);
        let below = |at: &usize| {
            let user = self.flow.code[*at];
            let is_above = (user.name, user.rs1) == ("bltu", self.before.rd);
            let unit = || self.flow.unit(*at, user.rs2);
            is_above && before / unit() == after / unit()
        };
        self.keeps_all_but_constant()
            && (self.before.name, self.before.rs1) == ("addi", 0)
            && self.flow.uses(self.index).iter().all(below)
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
