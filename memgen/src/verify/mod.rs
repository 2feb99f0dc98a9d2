//! Proves a routine: the emitted text is assembled, its machine code executed over byte provenance, and every contract
//! checked for every case.
//!
//! The control flow of a copy depends on sizes and addresses, never on data. So each byte in a register or in memory is a label,
//! such as "source byte 17"; pointers are an object and an offset; and one run for each size and pair of residues stands for all
//! contents and all placements. What breaks this (a branch on data, on the order of two objects) is reported, not guessed.

mod access;
mod arithmetic;
mod assemble;
mod bits;
mod build;
mod cases;
mod code;
mod compile;
mod compressed;
mod contract;
mod counts;
mod decode;
mod disassemble;
mod division;
mod fault;
mod logic;
mod machine;
mod memory;
mod names;
mod object_file;
mod placements;
mod region;
mod report;
mod stack;
mod value;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use assemble::{Assembler, AssemblerError};
pub use build::{Build, OptLevel};
pub use cases::Effort;
pub use compile::{Compiler, CompilerError, Core};
pub use contract::Contract;
pub use counts::Counts;
pub use report::CounterExample;

pub(crate) use counts::{Call, Counted, LARGEST_SIZE, count_calls};

use crate::bound::WorkBound;
use crate::kernel::lower;
use crate::plan::Plan;
use crate::problem::Problems;
use crate::reg::{Reg, RegSet};
use crate::render::render;
use crate::spec::{Emit, OverRead, Spec};
use cases::{Case, Cases};
use code::Code;
use contract::Breach;
use machine::{Machine, Rules};
use object_file::Origin;
use region::HUGE_WINDOW;
use report::Reporter;

/// A proof: what was run without a breach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Cases executed.
    pub cases: u64,
    /// Instructions executed in all of them.
    pub instructions: u64,
    /// Size of the machine code.
    pub code_bytes: u64,
}

/// Why there is no proof.
#[derive(Debug)]
#[non_exhaustive]
pub enum VerifyError {
    /// The specification cannot be built.
    Problems(Problems),
    /// The text could not be assembled.
    Assembler(AssemblerError),
    /// The kernel could not be compiled.
    Compiler(CompilerError),
    /// The object does not hold the routine as it should.
    Object(String),
    /// The routine breaks a contract.
    Refuted(Box<CounterExample>),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Problems(problems) => problems.fmt(f),
            VerifyError::Assembler(error) => error.fmt(f),
            VerifyError::Compiler(error) => error.fmt(f),
            VerifyError::Object(error) => write!(f, "error: {error}"),
            VerifyError::Refuted(example) => example.fmt(f),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Makes the routine that `spec` describes and proves it. `progress` is told the cases done and their total, now and then.
///
/// # Errors
/// Why there is no proof; a breach of a contract comes with a counter-example.
pub fn verify(
    spec: &Spec,
    assembler: &Assembler,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let program = lower(&plan);
    let text = render(spec, &plan, &program);
    verify_text(spec, &text, assembler, progress)
}

/// Proves `text`, a file as [`crate::generate`] makes it for `spec`, against the contracts of `spec`: the way to check a file that
/// was made before, or edited since.
///
/// # Errors
/// As [`verify`].
pub fn verify_text(
    spec: &Spec,
    text: &str,
    assembler: &Assembler,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    only_assembly(spec)?;
    let object = assembler
        .assemble(spec, plan.isa(), text)
        .map_err(VerifyError::Assembler)?;
    let code = object_file::load(&object, plan.symbol(), plan.isa().xlen, Origin::Assembled)
        .map_err(VerifyError::Object)?;
    prove(&Subject::new(&plan, &code), text, Effort::Full, progress)
}

/// Refuses a Rust kernel, which no assembler takes.
pub(crate) fn only_assembly(spec: &Spec) -> Result<(), VerifyError> {
    if spec.emit != Emit::Rust {
        return Ok(());
    }
    let error = "a Rust kernel is compiled, not assembled: Compiler::object makes an object of it, verify_object proves that, \
                 cost_object counts its calls";
    Err(VerifyError::Object(error.to_owned()))
}

/// Proves machine code, as [`code_words`] gives it, against the contracts of `spec`. A counter-example then shows words in place of
/// source lines.
///
/// # Errors
/// As [`verify`].
pub fn verify_code(
    spec: &Spec,
    words: &[u32],
    effort: Effort,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let code = Code::new(words, plan.isa().xlen);
    prove(&Subject::new(&plan, &code), "", effort, progress)
}

/// Proves what a compiler made of a kernel: the function named as `spec` names it, in the ELF object `object`. Its instructions may
/// be compressed; a counter-example shows them disassembled.
///
/// The contracts are those of `spec`, but for what a compiler decides:
/// - Every caller-saved register may be written; the others, ra among them, come back as they were.
/// - Up to `stack_bytes` bytes below sp may be used, in any width.
/// - A call of n bytes executes at most n + 1 times as many instructions as the function has: as if each byte cost a walk through all
///   of its code. That leaves room for every loop that moves something, and none for a hang, nor for work that grows with the square of n.
///
/// # Errors
/// Why there is no proof; a breach of a contract comes with a counter-example.
pub fn verify_object(
    spec: &Spec,
    object: &[u8],
    stack_bytes: u32,
    effort: Effort,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let code = object_file::load(object, plan.symbol(), plan.isa().xlen, Origin::Compiled)
        .map_err(VerifyError::Object)?;
    let subject = Subject::compiled(&plan, &code, stack_bytes);
    prove(&subject, "", effort, progress)
}

fn prove(
    subject: &Subject,
    text: &str,
    effort: Effort,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    subject
        .prove(effort, progress)
        .map_err(|(case, breach)| subject.refuted(text, &case, breach))
}

/// The machine code of the function `symbol` in an ELF object, as words, for registers of `xlen` bits (32 or 64).
///
/// # Errors
/// One line: not such an object, no such symbol, a relocation that would change the code when it is linked.
pub fn code_words(object: &[u8], symbol: &str, xlen: u32) -> Result<Vec<u32>, String> {
    object_file::load(object, symbol, xlen, Origin::Assembled).map(|code| code.words())
}

/// The machine code of the function `symbol` in an ELF object that a compiler made, for registers of `xlen` bits (32 or 64).
///
/// # Errors
/// As [`code_words`].
pub fn code_bytes(object: &[u8], symbol: &str, xlen: u32) -> Result<Vec<u8>, String> {
    object_file::load(object, symbol, xlen, Origin::Compiled).map(|code| code.to_bytes())
}

/// What is proven, and against what.
struct Subject<'a> {
    plan: &'a Plan,
    code: &'a Code,
    clobbers: RegSet,
    kept: RegSet,
    frame_bytes: u32,
    work: Work,
}

/// What bounds the instructions of a call.
enum Work {
    /// The plan's loops.
    Planned(WorkBound),
    /// So many instructions for each byte, and once more: the number that a compiled function has.
    Compiled { instructions: u64 },
}

impl<'a> Subject<'a> {
    /// `code` against what `plan` declares.
    fn new(plan: &'a Plan, code: &'a Code) -> Subject<'a> {
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
    fn compiled(plan: &'a Plan, code: &'a Code, stack_bytes: u32) -> Subject<'a> {
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

    fn is_compiled(&self) -> bool {
        matches!(self.work, Work::Compiled { .. })
    }

    /// The most instructions that the call of a case may execute.
    fn bound(&self, case: &Case) -> u64 {
        match &self.work {
            Work::Planned(bound) => bound.instructions(case.bytes),
            // Of a huge block no more can be done than is there.
            Work::Compiled { instructions } if case.huge => instructions * (2 * HUGE_WINDOW + 1),
            Work::Compiled { instructions } => instructions.saturating_mul(case.bytes + 1),
        }
    }

    /// The counter-example of a case that broke a contract, with source lines out of `text`.
    fn refuted(&self, text: &str, case: &Case, breach: Breach) -> VerifyError {
        let reporter = Reporter::new(self, text);
        VerifyError::Refuted(Box::new(reporter.counter_example(case, breach)))
    }

    /// Runs every case; gives the smallest one that breaks a contract.
    fn prove(
        &self,
        effort: Effort,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Proof, (Case, Breach)> {
        let cases = Cases::new(self.plan, effort);
        let total = cases.count();
        let (done, instructions) = (AtomicU64::new(0), AtomicU64::new(0));
        // Of all sizes that fail, the smallest is reported, whichever thread came upon one first.
        let failure = cases
            .sizes()
            .into_par_iter()
            .map_init(
                || self.machine(),
                |machine, bytes| {
                    let mut tally = Tally::default();
                    let result =
                        cases.visit(bytes, &mut |case| self.run(machine, &case, &mut tally));
                    instructions.fetch_add(tally.instructions, Ordering::Relaxed);
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
        cases.visit_huge(&mut |case| self.run(&mut machine, &case, &mut huge))?;
        progress(total, total);
        Ok(Proof {
            cases: done.into_inner() + huge.cases,
            instructions: instructions.into_inner() + huge.instructions,
            code_bytes: self.code.bytes(),
        })
    }

    fn machine(&self) -> Machine<'_> {
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
        };
        Machine::new(
            self.code,
            rules,
            contract::registers_on_entry(self.plan.isa().xlen / 8),
        )
    }

    /// Runs one case and checks it.
    fn run(
        &self,
        machine: &mut Machine,
        case: &Case,
        tally: &mut Tally,
    ) -> Result<(), (Case, Breach)> {
        let result = self.call::<false>(machine, case);
        machine.memory.restore();
        tally.cases += 1;
        tally.instructions += machine.counts.instructions;
        result.map_err(|breach| (*case, breach))
    }

    /// Runs one case and checks it, leaving memory and registers as the call did.
    fn call<const TRACE: bool>(&self, machine: &mut Machine, case: &Case) -> Result<(), Breach> {
        let load_granule = match self.plan.over_read() {
            OverRead::Word => u64::from(self.plan.word_bytes()),
            OverRead::None => 1,
        };
        contract::enter(machine, case, load_granule);
        machine.set_bound(self.bound(case));
        let outcome = machine.call::<TRACE>();
        contract::check(machine, case, outcome, self.clobbers, self.kept)
    }
}

/// Work done so far.
#[derive(Default)]
struct Tally {
    cases: u64,
    instructions: u64,
}
