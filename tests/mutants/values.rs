//! What is known of the values in registers: how large they may be, what they are a multiple of.

use super::flow::Flow;

/// How many instructions back a value is followed.
const DEPTH: u32 = 8;

impl Flow {
    /// The largest value that `index` can read from `reg`, as far as masks, sums and shifts of them and comparisons with constants
    /// tell.
    pub(crate) fn most(&self, index: usize, reg: u32) -> Option<u64> {
        self.most_within(index, reg, DEPTH)
    }

    fn most_within(&self, index: usize, reg: u32, depth: u32) -> Option<u64> {
        if reg == 0 {
            return Some(0);
        }
        let depth = depth.checked_sub(1)?;
        let mut limits = self.limits(reg);
        limits.sort_unstable_by_key(|limit| limit.1);
        // From where it came in or was written, the least of the limits that every way from there leads past, or past a lower one.
        let limit = |start: Vec<usize>| {
            let shut: Vec<(usize, usize)> = limits.iter().map(|limit| limit.0).collect();
            let is_limited = |count: &usize| {
                let ways = self.walk(start.clone(), &shut[..*count], |at| {
                    !self.code[at].writes(reg)
                });
                !ways.contains(&index)
            };
            let count = (1..=limits.len()).find(is_limited)?;
            Some(limits[count - 1].1)
        };
        let mut most = 0;
        if self.may_be_as_it_came_in(index, reg) {
            most = limit(vec![0])?;
        }
        for at in self.all_writers(index, reg) {
            let value = limit(self.next(at)).or_else(|| self.most_written(at, depth));
            most = most.max(value?);
        }
        Some(most)
    }

    /// The largest value that the instruction at `at` can write.
    fn most_written(&self, at: usize, depth: u32) -> Option<u64> {
        let inst = self.code[at];
        let left = || self.most_within(at, inst.rs1, depth);
        let right = || self.most_within(at, inst.rs2, depth);
        match inst.name {
            "andi" if inst.imm >= 0 => Some(inst.imm as u64),
            "addi" if inst.imm >= 0 => left()?.checked_add(inst.imm as u64),
            "lbu" => Some(0xff),
            "lhu" => Some(0xffff),
            "slli" => left()?.checked_mul(1 << inst.imm),
            "srli" => Some(left()? >> inst.imm),
            // What a mask leaves is no more than what it is of.
            "andi" => left(),
            "add" => left()?.checked_add(right()?),
            // No bit above the highest of either.
            "or" => Some(bits(left()? | right()?)),
            _ => None,
        }
    }

    /// The ways on which `reg` is known to be at most a number: past a comparison with a constant, or with the higher bits tested.
    fn limits(&self, reg: u32) -> Vec<((usize, usize), u64)> {
        let limit = |at: usize| {
            let inst = self.code[at];
            let (next, target) = (Some(at + 1), self.target(at));
            let (way, most) = match (inst.name, inst.rs1 == reg, inst.rs2 == reg) {
                ("bltu", true, false) => (target, self.constant(at, inst.rs2)? - 1),
                ("bgeu", true, false) => (next, self.constant(at, inst.rs2)? - 1),
                ("bltu", false, true) => (next, self.constant(at, inst.rs1)?),
                ("beq", ..) => (target, self.tested(at, reg)?),
                ("bne", ..) => (next, self.tested(at, reg)?),
                _ => return None,
            };
            Some(((at, way?), most))
        };
        (0..self.code.len()).filter_map(limit).collect()
    }

    /// The largest constant above 0 that `reg` may hold at `at`, if it holds one.
    fn constant(&self, at: usize, reg: u32) -> Option<u64> {
        let values = self.writers(at, reg).into_iter().map(|at| self.code[at]);
        let constants = values.map(|inst| {
            let is_constant = inst.name == "addi" && inst.rs1 == 0 && inst.imm > 0;
            is_constant.then_some(inst.imm as u64)
        });
        constants.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// The bits that are left where the branch at `at` finds those above them clear, which were masked right before it:
    ///
    /// ```text
    ///     andi  t0, reg, -128
    ///     bnez  t0, .Lmore
    /// ```
    fn tested(&self, at: usize, reg: u32) -> Option<u64> {
        let (mask, branch) = (self.code[at.checked_sub(1)?], self.code[at]);
        let of_mask = (branch.rs1, branch.rs2) == (mask.rd, 0) && mask.rd != reg;
        let is_mask = (mask.name, mask.rs1) == ("andi", reg);
        let high_bits = mask.imm < 0 && (!mask.imm as u64 + 1).is_power_of_two();
        (of_mask && is_mask && high_bits).then_some(!mask.imm as u64)
    }

    /// How many low bits of what `index` writes are stored, at once or after further shifts down; `None` where another use may take
    /// all of them.
    pub(crate) fn low_bits_used(&self, index: usize) -> Option<u32> {
        self.low_bits_within(index, DEPTH)
    }

    fn low_bits_within(&self, index: usize, depth: u32) -> Option<u32> {
        let depth = depth.checked_sub(1)?;
        let reg = self.code[index].rd;
        let mut bits = self.uses(index).into_iter().map(|at| {
            let user = self.code[at];
            match (user.name, user.stores()) {
                (_, Some(bytes)) if user.rs1 != reg => Some(8 * bytes),
                ("srli", _) => Some(user.imm as u32 + self.low_bits_within(at, depth)?),
                _ => None,
            }
        });
        bits.try_fold(0, |most, bits| Some(most.max(bits?)))
    }

    /// A power of two that what `index` reads from `reg` is a multiple of.
    pub(crate) fn unit(&self, index: usize, reg: u32) -> u64 {
        self.unit_behind(index, reg, &[])
    }

    /// The same, where what `passed` wrote is under way already: round a loop it can say nothing new.
    fn unit_behind(&self, index: usize, reg: u32, passed: &[usize]) -> u64 {
        let of_number = |number: i64| 1 << number.trailing_zeros().min(62);
        let units = self.writers(index, reg).into_iter().map(|at| {
            if passed.contains(&at) {
                return of_number(0);
            }
            let inst = self.code[at];
            let of = |reg: u32| match reg {
                0 => of_number(0),
                _ => self.unit_behind(at, reg, &[passed, &[at]].concat()),
            };
            match inst.name {
                "andi" => of(inst.rs1).max(of_number(inst.imm)),
                "addi" => of(inst.rs1).min(of_number(inst.imm)),
                "add" | "sub" => of(inst.rs1).min(of(inst.rs2)),
                _ => 1,
            }
        });
        units.min().unwrap_or(1)
    }
}

/// All bits up to the highest of `value`.
pub(crate) fn bits(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}
