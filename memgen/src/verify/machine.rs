//! Executes machine code over [`Value`]s, one case at a time, and stops at the first breach of a contract.

use super::bits::BitTable;
use super::code::Code;
use super::counts::Counts;
use super::decode::{Alu, Compare, Decoded, Operation};
use super::fault::{Access, Fault, Outcome};
use super::memory::{Memory, Place};
use super::pending::Pending;
use super::stack::Stack;
use super::user::UserRules;
use super::value::{Base, Label, Value, View, Xlen, holds};

/// The rules that an access has to keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether misaligned accesses are allowed.
    pub(super) misaligned: bool,
    /// The widest access in bytes.
    pub(super) word_bytes: u8,
    /// Bytes that cbo.zero clears; 0 where it may not be used.
    pub(super) zero_block: u64,
    /// Bytes below sp that may be used.
    pub(super) frame_bytes: u64,
    /// Whether only whole registers may be kept there.
    pub(super) whole_slots: bool,
    /// Instructions that a call may execute.
    pub(super) bound: u64,
    /// What may be done with user memory; `None` for routines that know none.
    pub(super) user: Option<UserRules>,
}

/// One executed instruction, kept when a case is traced.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its place in the code, in halfwords.
    pub(super) index: usize,
    /// The register written, and what to.
    pub(super) wrote: Option<(u8, Value)>,
    /// Where a store went, how wide.
    pub(super) stored: Option<(Place, u8)>,
    /// Whether it faulted, and neither wrote nor stored.
    pub(super) faulted: bool,
}

/// A register file, memory, and counts.
pub(super) struct Machine<'c> {
    pub(super) code: &'c Code,
    pub(super) xlen: Xlen,
    pub(super) rules: Rules,
    pub(super) registers: [Value; 32],
    /// What the registers hold on entry, arguments apart.
    pub(super) entry: [Value; 32],
    pub(super) memory: Memory,
    /// A byte of the initial state that is known not to be zero.
    pub(super) nonzero: Option<Label>,
    /// What the routine keeps below sp.
    pub(super) stack: Stack,
    /// Values whose bits have labels of their own.
    pub(super) bits: BitTable,
    /// Whether user memory may be accessed: the bit of that name in sstatus.
    pub(super) sum: bool,
    /// Faults that the call may still meet.
    pub(super) pending: Pending,
    /// Registers written so far, a bit each.
    pub(super) written: u32,
    /// What the last call executed.
    pub(super) counts: Counts,
    /// Instructions executed in all calls.
    pub(super) executed: u64,
    /// The last call's steps, if it was traced.
    pub(super) steps: Vec<Step>,
}

/// Number of sp.
pub(super) const STACK_POINTER: u8 = 2;

/// Offset of the return address in its object; any multiple of four would do.
const RETURN_OFFSET: u64 = 0x100;

impl<'c> Machine<'c> {
    pub(super) fn new(code: &'c Code, rules: Rules, entry: [Value; 32]) -> Self {
        Machine {
            code,
            xlen: Xlen::new(code.xlen.bits, rules.zero_block as u32),
            rules,
            registers: entry,
            entry,
            memory: Memory::new(code.xlen),
            nonzero: None,
            stack: Stack::new(rules.frame_bytes),
            bits: BitTable::default(),
            sum: false,
            pending: Pending::default(),
            written: 0,
            counts: Counts::default(),
            executed: 0,
            steps: Vec::new(),
        }
    }

    /// Sets the bound on instructions for the next call.
    pub(super) fn set_bound(&mut self, bound: u64) {
        self.rules.bound = bound;
    }

    /// What ra holds on entry.
    pub(super) fn return_address() -> Value {
        Value::pointer(Base::Return, RETURN_OFFSET)
    }

    /// Calls the routine with the registers and memory as they are, without a fault. `TRACE` keeps the steps.
    pub(super) fn call<const TRACE: bool>(&mut self) -> Outcome {
        self.start();
        self.pending.set(&[]);
        self.run::<TRACE>(0)
    }

    /// Forgets the last call.
    pub(super) fn start(&mut self) {
        self.counts = Counts::default();
        self.sum = false;
        self.written = 0;
        self.stack.clear();
        self.bits.clear();
        self.steps.clear();
    }

    /// Executes from the instruction at halfword `index` on, up to a return, a breach, or an access that some of the pending faults hit.
    /// `TRACE` keeps the steps.
    pub(super) fn run<const TRACE: bool>(&mut self, index: usize) -> Outcome {
        let before = self.counts.instructions;
        let outcome = self.follow::<TRACE>(index);
        self.executed += self.counts.instructions - before;
        outcome
    }

    fn follow<const TRACE: bool>(&mut self, mut index: usize) -> Outcome {
        let code = self.code;
        loop {
            let Some(inst) = code.decoded.get(index) else {
                return Outcome::Broke {
                    index,
                    fault: Fault::LeftCode,
                };
            };
            if self.counts.instructions == self.rules.bound {
                let fault = Fault::TooLong {
                    bound: self.rules.bound,
                };
                return Outcome::Broke { index, fault };
            }
            self.counts.instructions += 1;
            if TRACE {
                self.steps.push(Step {
                    index,
                    wrote: None,
                    stored: None,
                    faulted: false,
                });
            }
            let next = match self.step(index, inst) {
                Ok(next) => next,
                Err(Stop::Fault(fault)) => {
                    return Outcome::Broke {
                        index,
                        fault: *fault,
                    };
                }
                Err(Stop::LeftWindow) => return Outcome::LeftWindow,
                Err(Stop::Hit(access)) => {
                    // It has not been executed yet.
                    self.counts.instructions -= 1;
                    return Outcome::Hit { index, access };
                }
            };
            if TRACE {
                self.trace(inst);
            }
            match next {
                Next::Index(next) => {
                    self.counts.taken += u64::from(next != index + usize::from(inst.halfwords));
                    index = next;
                }
                Next::Return if self.sum => {
                    let fault = Fault::SumLeftOn;
                    return Outcome::Broke { index, fault };
                }
                Next::Return => return Outcome::Returned,
            }
        }
    }

    fn trace(&mut self, inst: &Decoded) {
        let wrote = inst
            .writes()
            .filter(|rd| *rd != 0)
            .map(|rd| (rd, self.registers[usize::from(rd)]));
        let stored = match inst.operation {
            Operation::Store { bytes } => self.place(inst).ok().map(|place| (place, bytes)),
            _ => None,
        };
        if let Some(step) = self.steps.last_mut() {
            (step.wrote, step.stored) = (wrote, stored);
        }
    }

    #[inline(always)]
    fn step(&mut self, index: usize, inst: &Decoded) -> Result<Next, Stop> {
        let xlen = self.xlen;
        let reg = |number: u8| self.registers[usize::from(number & 31)];
        let imm = Value::known(inst.imm as u64 & xlen.mask());
        let behind = index + usize::from(inst.halfwords);
        let value = match inst.operation {
            Operation::Imm(op) => self.alu(op, reg(inst.rs1), imm),
            Operation::Reg(op) => self.alu(op, reg(inst.rs1), reg(inst.rs2)),
            Operation::ImmWord(op) => self.alu_word(op, reg(inst.rs1), imm),
            Operation::RegWord(op) => self.alu_word(op, reg(inst.rs1), reg(inst.rs2)),
            Operation::Lui => imm,
            Operation::Auipc => xlen.alu(Alu::Add, pc(index), imm),
            Operation::Load { bytes, signed } => self.load(index, inst, bytes, signed)?,
            Operation::Store { bytes } => {
                self.store(index, inst, bytes)?;
                return Ok(Next::Index(behind));
            }
            Operation::Status { on } => {
                self.switch(index, on, reg(inst.rs1))?;
                return Ok(Next::Index(behind));
            }
            Operation::ZeroBlock => {
                self.clear_block(index, inst)?;
                return Ok(Next::Index(behind));
            }
            Operation::Branch(compare) => {
                return match self.compare(compare, reg(inst.rs1), reg(inst.rs2))? {
                    true => self.target(pc(index), imm),
                    false => Ok(Next::Index(behind)),
                };
            }
            Operation::Jal => {
                self.write(inst.rd, pc(behind));
                return self.target(pc(index), imm);
            }
            Operation::Jalr => {
                let base = reg(inst.rs1);
                self.write(inst.rd, pc(behind));
                return self.target(base, imm);
            }
            Operation::Undecodable => {
                let word = self.code.word(index);
                return Err(Fault::Undecodable { word }.into());
            }
        };
        self.write(inst.rd, value);
        if inst.rd == STACK_POINTER {
            self.check_depth()?;
        }
        Ok(Next::Index(behind))
    }

    /// `a op b`; with labels for bits where those for bytes leave something unknown.
    #[inline(always)]
    fn alu(&mut self, op: Alu, a: Value, b: Value) -> Value {
        let value = self.xlen.alu(op, a, b);
        if value.is_vague() {
            return self.refine(op, a, b, value);
        }
        value
    }

    #[inline(always)]
    fn alu_word(&mut self, op: Alu, a: Value, b: Value) -> Value {
        let value = self.xlen.alu_word(op, a, b);
        // Nobody needs to know that the bytes above repeat a sign.
        if value.is_vague_below(4) {
            return self.bits.alu_word(self.xlen, op, a, b, value);
        }
        value
    }

    /// What `a op b` is, of which bytes told no more than `vague`.
    #[cold]
    fn refine(&mut self, op: Alu, a: Value, b: Value, vague: Value) -> Value {
        if op == Alu::Below
            && let Some((a, b)) = self.memory.ordered(a, b)
        {
            return Value::known(u64::from(a < b));
        }
        self.bits.alu(self.xlen, op, a, b, vague)
    }

    fn write(&mut self, rd: u8, value: Value) {
        if rd != 0 {
            self.registers[usize::from(rd & 31)] = value;
            self.written |= 1 << rd;
        }
    }

    /// Where a jump to `base` + `offset` leads.
    fn target(&self, base: Value, offset: Value) -> Result<Next, Stop> {
        let value = self.xlen.alu(Alu::Add, base, offset);
        match value.place() {
            Some((Base::Code, offset)) => match self.code.index(offset) {
                Some(index) => Ok(Next::Index(index)),
                None => Err(Fault::LeftCode.into()),
            },
            Some((Base::Return, RETURN_OFFSET)) => Ok(Next::Return),
            Some(_) => Err(Fault::LeftCode.into()),
            None => Err(Fault::UnknownAddress { value }.into()),
        }
    }

    /// Numbers compare as numbers. Addresses may be found equal or not where their difference is a number, and one below the other
    /// where both lie in one block: anything else would depend on where objects lie.
    fn compare(&self, compare: Compare, left: Value, right: Value) -> Result<bool, Stop> {
        let xlen = self.xlen;
        let holds_nonzero = |value: Value| {
            let lanes = self.bits.lanes(xlen, value);
            self.nonzero.is_some_and(|label| holds(lanes, label))
        };
        let (a, b) = match (left.view(), right.view()) {
            (View::Known(a), View::Known(b)) => (a, b),
            // A value that holds the fill byte of a case where that is not zero.
            (_, View::Known(0)) | (View::Known(0), _)
                if matches!(compare, Compare::Equal | Compare::NotEqual)
                    && (holds_nonzero(left) || holds_nonzero(right)) =>
            {
                (1, 0)
            }
            (View::Bytes(_) | View::Bits(_), _) | (_, View::Bytes(_) | View::Bits(_)) => {
                return Err(Fault::BranchOnData { left, right }.into());
            }
            // Nothing is below 0.
            (_, View::Known(0)) if matches!(compare, Compare::Below | Compare::NotBelow) => (0, 0),
            _ => match (compare, xlen.alu(Alu::Sub, left, right).view()) {
                (Compare::Equal | Compare::NotEqual, View::Known(difference)) => (difference, 0),
                // Nothing is below itself, wherever it lies.
                (Compare::Below | Compare::NotBelow, View::Known(0)) => (0, 0),
                (Compare::Below | Compare::NotBelow, _) => self
                    .memory
                    .ordered(left, right)
                    .ok_or(Fault::BranchOnPlacement { left, right })?,
                _ => return Err(Fault::BranchOnPlacement { left, right }.into()),
            },
        };
        Ok(match compare {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => xlen.signed(a) < xlen.signed(b),
            Compare::NotLess => xlen.signed(a) >= xlen.signed(b),
            Compare::Below => a < b,
            Compare::NotBelow => a >= b,
        })
    }
}

fn pc(index: usize) -> Value {
    Value::pointer(Base::Code, 2 * index as u64)
}

enum Next {
    Index(usize),
    Return,
}

/// Boxed, so that the result of a step stays in registers.
pub(super) enum Stop {
    Fault(Box<Fault>),
    LeftWindow,
    Hit(Access),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(Box::new(fault))
    }
}
