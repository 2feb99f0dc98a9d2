//! Where values go in a routine: the facts from which a mutant is shown to be equivalent, over every path, whatever the size.

use super::follow::{Landings, landings};
use super::word::{Inst, take_apart};

/// A routine's instructions and the ways through them.
pub(crate) struct Flow {
    pub(crate) code: Vec<Inst>,
    landings: Landings,
    reached: Vec<usize>,
}

impl Flow {
    pub(crate) fn new(words: &[u32], xlen: u32) -> Flow {
        let code: Vec<Inst> = words.iter().map(|word| take_apart(*word, xlen)).collect();
        let mut flow = Flow {
            landings: landings(&code, xlen),
            code,
            reached: Vec::new(),
        };
        flow.reached = flow.walk(vec![0], &[], |_| true);
        flow
    }

    /// Where the instruction at `index` leads, other than to the next one.
    fn targets(&self, index: usize) -> Vec<usize> {
        let landings = self.landings.get(&index).into_iter().flatten().copied();
        self.target(index).into_iter().chain(landings).collect()
    }

    /// Whether a way leads to `index`.
    pub(crate) fn is_reached(&self, index: usize) -> bool {
        self.reached.contains(&index)
    }

    /// Where the branch or jump at `index` leads.
    pub(crate) fn target(&self, index: usize) -> Option<usize> {
        let inst = self.code[index];
        let moves = inst.is_branch() || inst.name == "jal";
        let target = index as i64 + inst.imm / 4;
        (moves && (0..self.code.len() as i64).contains(&target)).then_some(target as usize)
    }

    /// The instructions that may follow `index`.
    pub(super) fn next(&self, index: usize) -> Vec<usize> {
        let inst = self.code[index];
        let falls = inst.name != "jal" && inst.name != "jalr";
        let mut next = self.targets(index);
        next.extend((falls && index + 1 < self.code.len()).then_some(index + 1));
        next
    }

    /// Every instruction on the ways on from those of `start`, themselves included; `goes_on` says whether one is passed, `shut`
    /// are ways that are not taken.
    pub(super) fn walk(
        &self,
        start: Vec<usize>,
        shut: &[(usize, usize)],
        goes_on: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let (mut seen, mut open) = (vec![false; self.code.len()], start);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut seen[index], true) && goes_on(index) {
                let next = self.next(index);
                open.extend(
                    next.into_iter()
                        .filter(|next| !shut.contains(&(index, *next))),
                );
            }
        }
        (0..seen.len()).filter(|index| seen[*index]).collect()
    }

    /// The instructions that may read the value that `index` writes to its `rd`.
    pub(crate) fn uses(&self, index: usize) -> Vec<usize> {
        let reg = self.code[index].rd;
        self.uses_of(reg, self.next(index))
    }

    pub(super) fn uses_of(&self, reg: u32, start: Vec<usize>) -> Vec<usize> {
        let mut uses = self.walk(start, &[], |at| !self.code[at].writes(reg));
        uses.retain(|at| self.code[*at].reads(reg));
        uses
    }

    /// The instructions that may have written what `index` reads from `reg`; none if that may be as it came in.
    pub(crate) fn writers(&self, index: usize, reg: u32) -> Vec<usize> {
        match self.may_be_as_it_came_in(index, reg) {
            true => Vec::new(),
            false => self.all_writers(index, reg),
        }
    }

    pub(super) fn may_be_as_it_came_in(&self, index: usize, reg: u32) -> bool {
        self.uses_of(reg, vec![0]).contains(&index)
    }

    pub(super) fn all_writers(&self, index: usize, reg: u32) -> Vec<usize> {
        (0..self.code.len())
            .filter(|at| self.code[*at].writes(reg) && self.uses(*at).contains(&index))
            .collect()
    }

    /// The one instruction that wrote what `index` reads from `reg`, if it is always the same one.
    pub(crate) fn writer(&self, index: usize, reg: u32) -> Option<usize> {
        match self.writers(index, reg)[..] {
            [at] => Some(at),
            _ => None,
        }
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
        let since = self.walk(self.next(at), &[], |at| at != index);
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
            let mut targets = self.targets(at).into_iter();
            inside.contains(&at) || targets.all(|target| !inside.contains(&target))
        });
        skips && adds && between && after && closed
    }
}
