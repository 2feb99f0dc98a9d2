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
mod inject;
mod linux;
mod logic;
mod machine;
mod memory;
mod names;
mod object_file;
mod object_table;
mod pending;
mod placements;
mod promise;
mod recoveries;
mod region;
mod report;
mod stack;
mod subject;
mod user;
mod value;

use std::fmt;

pub use assemble::{Assembler, AssemblerError};
pub use build::{Build, OptLevel};
pub use cases::Effort;
pub use compile::{Compiler, CompilerError, Core};
pub use contract::Contract;
pub use counts::Counts;
pub use recoveries::FaultEntry;
pub use report::CounterExample;

pub(crate) use counts::{Call, Counted, LARGEST_SIZE, count_calls};

use crate::kernel::lower;
use crate::plan::Plan;
use crate::problem::Problems;
use crate::render::render;
use crate::spec::{Emit, Spec};
use code::Code;
use object_file::Origin;
use recoveries::Recoveries;
use subject::Subject;

/// A proof: what was run without a breach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Cases executed.
    pub cases: u64,
    /// Calls with a fault injected, beside those: 0 for routines that know no user memory.
    pub faults: u64,
    /// Instructions executed in all of them; what calls with different faults have in common is executed once.
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
    let code = object_file::load_routine(&object, &plan, Origin::Assembled)
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
/// source lines. What touches user memory has a fault table as well: [`verify_user_code`] takes that.
///
/// # Errors
/// As [`verify`].
pub fn verify_code(
    spec: &Spec,
    words: &[u32],
    effort: Effort,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    if spec.op.touches_user() {
        let error = format!(
            "{} is proven with its fault table: verify_user_code takes both",
            spec.op
        );
        return Err(VerifyError::Object(error));
    }
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let code = Code::new(words, plan.isa().xlen);
    prove(&Subject::new(&plan, &code), "", effort, progress)
}

/// Proves machine code that touches user memory, as [`code_words`] gives it, with its fault table, as [`fault_table`] gives it.
///
/// # Errors
/// As [`verify`]; entries that do not fit the code.
pub fn verify_user_code(
    spec: &Spec,
    words: &[u32],
    entries: &[FaultEntry],
    effort: Effort,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Proof, VerifyError> {
    let plan = Plan::new(spec).map_err(VerifyError::Problems)?;
    let mut code = Code::new(words, plan.isa().xlen);
    let recoveries = Recoveries::new(&code, entries).map_err(VerifyError::Object)?;
    code.recoveries = Some(recoveries);
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
    let code =
        object_file::load_routine(object, &plan, Origin::Compiled).map_err(VerifyError::Object)?;
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
        .map_err(|failed| subject.refuted(text, &failed.0, failed.1))
}

/// The machine code of the function `symbol` in an ELF object, as words, for registers of `xlen` bits (32 or 64).
///
/// # Errors
/// One line: not such an object, no such symbol, a relocation that would change the code when it is linked.
pub fn code_words(object: &[u8], symbol: &str, xlen: u32) -> Result<Vec<u32>, String> {
    object_file::load(object, symbol, xlen, Origin::Assembled).map(|code| code.words())
}

/// The fault table of the function `symbol` in an ELF object, of the form that `plan` says; nothing for a plan without user memory.
///
/// # Errors
/// As [`code_words`]; an entry that cannot be read, or leads out of the function.
pub fn fault_table(object: &[u8], symbol: &str, plan: &Plan) -> Result<Vec<FaultEntry>, String> {
    match plan.user() {
        Some(user) => object_file::load_entries(object, symbol, plan.isa().xlen, &user.table),
        None => Ok(Vec::new()),
    }
}

/// The machine code of the function `symbol` in an ELF object that a compiler made, for registers of `xlen` bits (32 or 64).
///
/// # Errors
/// As [`code_words`].
pub fn code_bytes(object: &[u8], symbol: &str, xlen: u32) -> Result<Vec<u8>, String> {
    object_file::load(object, symbol, xlen, Origin::Compiled).map(|code| code.to_bytes())
}
