//! A routine's machine code and what it is held to, case by case.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::cases::{Case, Cases};
use super::code::Code;
use super::contract::{self, Breach};
use super::machine::{Machine, Rules};
use super::region::HUGE_WINDOW;
use super::report::Reporter;
use super::user::UserRules;
use super::{Effort, Proof, VerifyError};
use crate::bound::WorkBound;
use crate::kernel::lower;
use crate::plan::Plan;
use crate::reg::{Reg, RegSet};
use crate::spec::OverRead;

/// What is proven, and against what.
pub(super) struct Subject<'a> {
    pub(super) plan: &'a Plan,
    pub(super) code: &'a Code,
    pub(super) clobbers: RegSet,
    pub(super) kept: RegSet,
    pub(super) frame_bytes: u32,
    pub(super) work: Work,
}

/// A case that breaks a contract.
pub(super) type Failed = Box<(Case, Breach)>;

/// What bounds the instructions of a call.
pub(super) enum Work {
    /// The plan's loops.
    Planned(WorkBound),
    /// So many instructions for each byte, and once more: the number that a compiled function has.
    Compiled { instructions: u64 },
}

impl<'a> Subject<'a> {
    /// `code` against what `plan` declares.
    pub(super) fn new(plan: &'a Plan, code: &'a Code) -> Subject<'a> {
        let program = lower(plan);
        Subject {
            plan,
            code,
            clobbers: program.clobbers(),
            kept: program.kept(),
            frame_bytes: program.frame_bytes(),
            work: Work::Planned(program.work_bound()),
        }
    }

    /// Compiled `code` against what `plan` declares and a compiler has to keep.
    pub(super) fn compiled(plan: &'a Plan, code: &'a Code, stack_bytes: u32) -> Subject<'a> {
        let all: RegSet = (1..32).filter_map(Reg::from_number).collect();
        Subject {
            plan,
            code,
            clobbers: RegSet::CALLER_SAVED,
            kept: all.without(RegSet::CALLER_SAVED),
            // As sp is aligned.
            frame_bytes: stack_bytes.next_multiple_of(16),
            work: Work::Compiled {
                instructions: code.starts().count() as u64,
            },
        }
    }

    pub(super) fn is_compiled(&self) -> bool {
        matches!(self.work, Work::Compiled { .. })
    }

    /// The most instructions that the call of a case may execute.
    fn bound(&self, case: &Case) -> u64 {
        match &self.work {
            // Of a huge block no more can be done than is there.
            Work::Compiled { instructions } if case.huge => instructions * (2 * HUGE_WINDOW + 1),
            _ => self.bound_of(case.bytes, false),
        }
    }

    /// The same for `bytes` bytes, none of them missing. `resumed` if a fault interrupts the call and then passes.
    pub(super) fn bound_of(&self, bytes: u64, resumed: bool) -> u64 {
        match &self.work {
            Work::Planned(bound) if resumed => bound.instructions_resumed(bytes),
            Work::Planned(bound) => bound.instructions(bytes),
            Work::Compiled { instructions } => instructions.saturating_mul(bytes + 1),
        }
    }

    /// The counter-example of a case that broke a contract, with source lines out of `text`.
    pub(super) fn refuted(&self, text: &str, case: &Case, breach: Breach) -> VerifyError {
        let reporter = Reporter::new(self, text);
        VerifyError::Refuted(Box::new(reporter.counter_example(case, breach)))
    }

    /// Runs every case; gives the smallest one that breaks a contract.
    pub(super) fn prove(
        &self,
        effort: Effort,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Proof, Failed> {
        let cases = Cases::new(self.plan, effort);
        let total = cases.count();
        let (done, instructions) = (AtomicU64::new(0), AtomicU64::new(0));
        let faults = AtomicU64::new(0);
        // Of all sizes that fail, the smallest is reported, whichever thread came upon one first.
        let failure = cases
            .sizes()
            .into_par_iter()
            .map_init(
                || self.machine(),
                |machine, bytes| {
                    let mut tally = Tally::default();
                    let result = cases.visit(bytes, &mut |case| {
                        self.run(machine, &cases, &case, &mut tally)
                    });
                    instructions.fetch_add(tally.instructions, Ordering::Relaxed);
                    faults.fetch_add(tally.faults, Ordering::Relaxed);
                    progress(
                        done.fetch_add(tally.cases, Ordering::Relaxed) + tally.cases,
                        total,
                    );
                    result
                },
            )
            .find_map_first(Result::err);
        if let Some(failure) = failure {
            return Err(failure);
        }
        let mut huge = Tally::default();
        let mut machine = self.machine();
        cases.visit_huge(&mut |case| self.run(&mut machine, &cases, &case, &mut huge))?;
        progress(total, total);
        Ok(Proof {
            cases: done.into_inner() + huge.cases,
            faults: faults.into_inner(),
            instructions: instructions.into_inner() + huge.instructions,
            code_bytes: self.code.bytes(),
        })
    }

    pub(super) fn machine(&self) -> Machine<'_> {
        let rules = Rules {
            misaligned: !self.plan.is_strict(),
            word_bytes: self.plan.word_bytes() as u8,
            zero_block: match self.work {
                Work::Planned(_) => self.plan.zero_block.unwrap_or(0).into(),
                Work::Compiled { .. } => 0,
            },
            frame_bytes: self.frame_bytes.into(),
            whole_slots: !self.is_compiled(),
            bound: 0,
            user: self.plan.user().map(UserRules::new),
        };
        Machine::new(
            self.code,
            rules,
            contract::registers_on_entry(self.plan.isa().xlen / 8),
        )
    }

    /// Runs one case and checks it, then once more with each of its faults.
    fn run(
        &self,
        machine: &mut Machine,
        cases: &Cases,
        case: &Case,
        tally: &mut Tally,
    ) -> Result<(), Failed> {
        let before = machine.executed;
        let result = self.call::<false>(machine, case);
        machine.memory.restore();
        tally.cases += 1;
        result.map_err(|breach| Box::new((*case, breach)))?;
        if let Some(user) = machine.rules.user {
            let injections = cases.injections(case, user);
            tally.faults += injections.len() as u64;
            let result = self.inject::<false>(machine, case, &injections);
            machine.memory.restore();
            result?;
        }
        tally.instructions += machine.executed - before;
        Ok(())
    }

    /// Runs one case and checks it, leaving memory and registers as the call did.
    pub(super) fn call<const TRACE: bool>(
        &self,
        machine: &mut Machine,
        case: &Case,
    ) -> Result<(), Breach> {
        contract::enter(machine, self.plan.op(), case, self.load_granule());
        machine.set_bound(self.bound(case));
        let outcome = machine.call::<TRACE>();
        contract::check(machine, case, outcome, self.clobbers, self.kept)
    }

    /// Loads may touch the aligned words of so many bytes that hold a byte of the source.
    pub(super) fn load_granule(&self) -> u64 {
        match self.plan.over_read() {
            OverRead::Word => self.plan.word_bytes().into(),
            OverRead::None => 1,
        }
    }
}

/// Work done so far.
#[derive(Default)]
struct Tally {
    cases: u64,
    faults: u64,
    instructions: u64,
}
