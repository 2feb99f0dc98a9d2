//! Where values go in a routine: the facts from which a mutant is shown to be equivalent, over every path, whatever the size.

use super::word::{Inst, take_apart};

/// The size on entry.
const A2: u32 = 12;

/// A routine's instructions and the ways through them.
pub(crate) struct Flow {
    pub(crate) code: Vec<Inst>,
}

impl Flow {
    pub(crate) fn new(words: &[u32], xlen: u32) -> Flow {
        Flow {
            code: words.iter().map(|word| take_apart(*word, xlen)).collect(),
        }
    }

    /// Where the branch or jump at `index` leads.
    pub(crate) fn target(&self, index: usize) -> Option<usize> {
        let inst = self.code[index];
        let moves = inst.is_branch() || inst.name == "jal";
        let target = index as i64 + inst.imm / 4;
        (moves && (0..self.code.len() as i64).contains(&target)).then_some(target as usize)
    }

    /// The instructions that may follow `index`.
    fn next(&self, index: usize) -> Vec<usize> {
        let inst = self.code[index];
        let falls = inst.name != "jal" && inst.name != "jalr";
        let mut next: Vec<usize> = self.target(index).into_iter().collect();
        next.extend((falls && index + 1 < self.code.len()).then_some(index + 1));
        next
    }

    /// Every instruction on the ways on from those of `start`, themselves included; `goes_on` says whether one is passed, `edge` is
    /// a way that is not taken.
    fn walk(
        &self,
        start: Vec<usize>,
        edge: Option<(usize, usize)>,
        goes_on: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let (mut seen, mut open) = (vec![false; self.code.len()], start);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut seen[index], true) && goes_on(index) {
                let next = self.next(index);
                open.extend(next.into_iter().filter(|next| edge != Some((index, *next))));
            }
        }
        (0..seen.len()).filter(|index| seen[*index]).collect()
    }

    /// The instructions that may read the value that `index` writes to its `rd`.
    pub(crate) fn uses(&self, index: usize) -> Vec<usize> {
        let reg = self.code[index].rd;
        self.uses_of(reg, self.next(index))
    }

    fn uses_of(&self, reg: u32, start: Vec<usize>) -> Vec<usize> {
        let mut uses = self.walk(start, None, |at| !self.code[at].writes(reg));
        uses.retain(|at| self.code[*at].reads(reg));
        uses
    }

    /// The instruction that wrote what `index` reads from `reg`, if it is always the same one.
    pub(crate) fn writer(&self, index: usize, reg: u32) -> Option<usize> {
        if self.uses_of(reg, vec![0]).contains(&index) {
            return None;
        }
        let mut writers = (0..self.code.len())
            .filter(|at| self.code[*at].writes(reg) && self.uses(*at).contains(&index));
        let first = writers.next();
        first.filter(|_| writers.next().is_none())
    }

    /// [`Flow::writer`] and the instruction there.
    pub(crate) fn written(&self, index: usize, reg: u32) -> Option<(usize, Inst)> {
        self.writer(index, reg).map(|at| (at, self.code[at]))
    }

    /// Whether nothing after `index` reads `reg` as it is there.
    pub(crate) fn is_dead(&self, index: usize, reg: u32) -> bool {
        self.uses_of(reg, self.next(index)).is_empty()
    }

    /// Whether `bit` of `other` is what it is of `reg` at `index`: `reg` was masked from `other`, or, for bit 0, from its negation,
    /// and what was added to `other` since leaves the bit alone.
    pub(crate) fn is_mask_of(&self, index: usize, reg: u32, other: u32, bit: i64) -> bool {
        let Some((mut at, mask)) = self.written(index, reg) else {
            return false;
        };
        let mut of = mask.rs1;
        if let Some((negation_at, negation)) = self.written(at, of)
            && bit == 1
            && (negation.name, negation.rs1) == ("sub", 0)
        {
            (at, of) = (negation_at, negation.rs2);
        }
        let masked = mask.name == "andi" && mask.imm & bit != 0 && of == other;
        let since = self.walk(self.next(at), None, |at| at != index);
        masked && since.iter().all(|at| self.keeps_low_bits(*at, other, bit))
    }

    /// Whether the instruction at `at` leaves `bit` of `reg` and those below it alone.
    fn keeps_low_bits(&self, at: usize, reg: u32, bit: i64) -> bool {
        let inst = self.code[at];
        let step = (inst.name, inst.rs1) == ("addi", reg) && inst.imm % (2 * bit) == 0;
        !inst.writes(reg) || step
    }

    /// Whether `bit` of `reg` is zero at `index`, since a step above tests it and adds it if it is set:
    ///
    /// ```text
    ///     andi  t0, reg, bit
    ///     beqz  t0, .Lnext
    ///     ...
    ///     addi  reg, reg, bit
    /// .Lnext:
    /// ```
    pub(crate) fn is_cleared(&self, index: usize, reg: u32, bit: i64) -> bool {
        let mask = |at: &usize| {
            let inst = self.code[*at];
            (inst.name, inst.rs1, inst.imm) == ("andi", reg, bit)
        };
        let Some(test) = (0..index).rev().find(mask) else {
            return false;
        };
        let Some(next) = self.target(test + 1).filter(|next| *next <= index) else {
            return false;
        };
        let branch = self.code[test + 1];
        let skips = (branch.name, branch.rs1, branch.rs2) == ("beq", self.code[test].rd, 0);
        let last = self.code[next - 1];
        let adds = (last.name, last.rd, last.rs1, last.imm.abs()) == ("addi", reg, reg, bit);
        let between = (test + 2..next - 1).all(|at| !self.code[at].writes(reg));
        let after = (next..index).all(|at| self.keeps_low_bits(at, reg, bit));
        // Nothing comes in from elsewhere.
        let inside = test + 1..=index;
        let closed = (0..self.code.len()).all(|at| {
            inside.contains(&at)
                || self
                    .target(at)
                    .is_none_or(|target| !inside.contains(&target))
        });
        skips && adds && between && after && closed
    }

    /// The largest value that `index` can read from `reg`, as far as masks, shifts of them and the test of n tell.
    pub(crate) fn most(&self, index: usize, reg: u32) -> Option<u64> {
        if reg == 0 {
            return Some(0);
        }
        if reg == A2 {
            return self.most_bytes(index);
        }
        let at = self.writer(index, reg)?;
        let inst = self.code[at];
        let left = || self.most(at, inst.rs1);
        match inst.name {
            "andi" if inst.imm >= 0 => Some(inst.imm as u64),
            "addi" if inst.rs1 == 0 && inst.imm >= 0 => Some(inst.imm as u64),
            "lbu" => Some(0xff),
            "lhu" => Some(0xffff),
            "slli" => left()?.checked_mul(1 << inst.imm),
            "srli" => Some(left()? >> inst.imm),
            // No bit above the highest of either.
            "or" => Some(bits(left()? | self.most(at, inst.rs2)?)),
            _ => None,
        }
    }

    /// The largest n at `index`, if that is only reached where `bltu a2, t0` found n, as it came in, below a constant.
    fn most_bytes(&self, index: usize) -> Option<u64> {
        let changed = (0..self.code.len())
            .any(|at| self.code[at].writes(A2) && self.uses(at).contains(&index));
        let tests = (0..self.code.len()).filter(|at| {
            let inst = self.code[*at];
            inst.name == "bltu" && inst.rs1 == A2
        });
        let mut bounds = tests.filter_map(|at| {
            let edge = (at, self.target(at)?);
            let other_ways = self.walk(vec![0], Some(edge), |_| true);
            let constant = self.code[self.writer(at, self.code[at].rs2)?];
            let is_constant = constant.name == "addi" && constant.rs1 == 0 && constant.imm > 0;
            (is_constant && !other_ways.contains(&index)).then_some(constant.imm as u64 - 1)
        });
        bounds.next().filter(|_| !changed)
    }
}

/// All bits up to the highest of `value`.
pub(crate) fn bits(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}
