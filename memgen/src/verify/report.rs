//! A counter-example that a person can act on: the call, the contract, the instruction with its source line, the
//! registers as labels, and the way there.

use std::fmt;

use super::Subject;
use super::cases::Case;
use super::contract::{Breach, Contract, labelled_register};
use super::machine::{Fault, Machine, Step};
use super::memory::Place;
use super::value::{Base, Label, UNKNOWN, Value, View};
use crate::reg::Reg;

/// Steps shown before the end.
const STEPS_SHOWN: usize = 12;

/// One call that breaks a contract. `Display` shows all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterExample {
    /// The contract that is broken.
    pub contract: Contract,
    /// The call: operation, size, places of the blocks.
    pub call: String,
    /// What happened.
    pub breach: String,
    /// Address of the instruction in the routine, and its line in the file: where the breach happened, or the last store to the byte that is wrong.
    pub at: Option<(u64, String)>,
    /// Registers that hold something worth reading, at the end: name and labels.
    pub registers: Vec<(String, String)>,
    /// The last instructions executed: address, source line, effect.
    pub last: Vec<(u64, String, String)>,
}

impl fmt::Display for CounterExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "refuted: {}", self.breach)?;
        writeln!(f, "  contract   {}", self.contract)?;
        writeln!(f, "  call       {}", self.call)?;
        if let Some((pc, line)) = &self.at {
            writeln!(f, "  at         pc {pc:#x}, {line}")?;
        }
        writeln!(f, "  registers at the end")?;
        for (name, value) in &self.registers {
            writeln!(f, "    {name:<4} {value}")?;
        }
        writeln!(f, "  last instructions")?;
        for (pc, line, effect) in &self.last {
            writeln!(
                f,
                "{}",
                format!("    {pc:>5x}  {line:<44} {effect}").trim_end()
            )?;
        }
        Ok(())
    }
}

/// Explains breaches of one subject.
pub(super) struct Reporter<'a> {
    subject: &'a Subject<'a>,
    /// `line 42: sd a4, 0(a3)` for each instruction, if the text's lines can be told apart.
    lines: Vec<String>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, text: &str) -> Self {
        let mut lines = instruction_lines(text);
        if lines.len() != subject.code.words.len() {
            lines.clear();
        }
        Reporter { subject, lines }
    }

    /// Runs `case` once more, tracing it, and describes how it ends.
    pub(super) fn counter_example(&self, case: &Case, breach: Breach) -> CounterExample {
        let mut machine = self.subject.machine();
        let rerun = self.subject.call::<true>(&mut machine, case);
        debug_assert_eq!(rerun, Err(breach), "a case is deterministic");
        let names = Names {
            machine: &machine,
            case,
        };
        let at = match breach {
            Breach::Fault { index, .. } => Some(index),
            Breach::WrongByte { number, .. } => self.last_store(&machine, case, number),
            _ => None,
        };
        let shown = machine.steps.len().saturating_sub(STEPS_SHOWN);
        CounterExample {
            contract: breach.contract(),
            call: self.call(case),
            breach: names.breach(breach),
            at: at.map(|index| (4 * index as u64, self.line(index))),
            registers: names.registers(),
            last: machine.steps[shown..]
                .iter()
                .map(|step| {
                    (
                        4 * step.index as u64,
                        self.line(step.index),
                        names.effect(step),
                    )
                })
                .collect(),
        }
    }

    /// The instruction that last stored to byte `number` of dst.
    fn last_store(&self, machine: &Machine, case: &Case, number: u64) -> Option<usize> {
        let mask = self.subject.code.xlen.mask();
        let address = case.destination.offset.wrapping_add(number) & mask;
        let hit = |step: &&Step| {
            step.stored.is_some_and(|(place, bytes)| {
                address.wrapping_sub(place.offset) & mask < u64::from(bytes)
            })
        };
        machine.steps.iter().rev().find(hit).map(|step| step.index)
    }

    fn line(&self, index: usize) -> String {
        match self.lines.get(index) {
            Some(line) => line.clone(),
            None => format!(
                "{:08x}",
                self.subject
                    .code
                    .words
                    .get(index)
                    .copied()
                    .unwrap_or_default()
            ),
        }
    }

    fn call(&self, case: &Case) -> String {
        let register_bytes = u64::from(self.subject.plan.isa().xlen / 8);
        let place = |place: Place| match place.base {
            Base::Absolute => format!("{:#x}", place.offset),
            _ => format!("{} modulo {register_bytes}", place.offset % register_bytes),
        };
        let mut text = format!("{}, n = {}", self.subject.plan.op(), case.bytes);
        if let Some(source) = case.source {
            text += &format!(", src = {}", place(source));
        }
        text += &format!(", dst = {}", place(case.destination));
        if let Some(source) = case
            .source
            .filter(|source| source.base == case.destination.base)
        {
            let distance = case.destination.offset.wrapping_sub(source.offset);
            text += &format!(", dst - src = {}", self.subject.code.xlen.signed(distance));
        }
        text
    }
}

/// Lines of `text` that hold an instruction: in assembly those behind a tab, in Rust the strings of the naked function.
fn instruction_lines(text: &str) -> Vec<String> {
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let inst = match line
                .strip_prefix("        \"    ")
                .and_then(|rest| rest.strip_suffix("\","))
            {
                Some(inst) => inst,
                None => line.strip_prefix('\t')?,
            };
            let is_inst = inst.starts_with(|c: char| c.is_ascii_lowercase());
            let shown = inst.split_whitespace().collect::<Vec<_>>().join(" ");
            is_inst.then(|| format!("line {}: {shown}", index + 1))
        })
        .collect()
}

/// Names things as this case sees them.
struct Names<'a> {
    machine: &'a Machine<'a>,
    case: &'a Case,
}

impl Names<'_> {
    fn breach(&self, breach: Breach) -> String {
        match breach {
            Breach::WrongByte {
                number,
                expected,
                found,
            } => {
                format!(
                    "dst[{number}] should be {}, is {}",
                    self.label(expected),
                    self.label(found)
                )
            }
            Breach::WrongReturn { found } => format!("a0 returns {}, not dst", self.value(found)),
            Breach::Register { reg, found } => format!(
                "{reg} is not kept: it holds {} on return",
                self.value(found)
            ),
            Breach::Undeclared { reg } => {
                format!("{reg} is written but not among the declared clobbers")
            }
            Breach::Fault { fault, .. } => self.fault(fault),
        }
    }

    fn fault(&self, fault: Fault) -> String {
        match fault {
            Fault::StoreOutside { place, bytes } => format!(
                "stores {bytes} bytes at {}, outside dst[0..n)",
                self.place(place)
            ),
            Fault::LoadOutside { place, bytes } => format!(
                "loads {bytes} bytes at {}, outside what may be loaded",
                self.place(place)
            ),
            Fault::Misaligned { place, bytes } => format!(
                "accesses {bytes} bytes at {}, which is no multiple of {bytes}",
                self.place(place)
            ),
            Fault::TooWide { bytes } => {
                format!("accesses {bytes} bytes at once, wider than the word")
            }
            Fault::UnknownAddress { value } => {
                format!("takes {} for an address", self.value(value))
            }
            Fault::BranchOnData { left, right } => format!(
                "branches on {} against {}",
                self.value(left),
                self.value(right)
            ),
            Fault::BranchOnPlacement { left, right } => {
                format!(
                    "branches on where objects lie: {} against {}",
                    self.value(left),
                    self.value(right)
                )
            }
            Fault::Undecodable { word } => {
                format!("meets {word:#010x}, no instruction of the base")
            }
            Fault::LeftCode => "runs or jumps out of the routine".to_owned(),
            Fault::TooLong { bound } => format!("does not end within {bound} instructions"),
        }
    }

    /// Registers that were written or hold arguments.
    fn registers(&self) -> Vec<(String, String)> {
        let arguments = [10, 11, 12];
        (1..32)
            .filter(|number| self.machine.written >> number & 1 == 1 || arguments.contains(number))
            .filter_map(Reg::from_number)
            .map(|reg| {
                (
                    reg.to_string(),
                    self.value(self.machine.registers[reg.number() as usize]),
                )
            })
            .collect()
    }

    fn effect(&self, step: &Step) -> String {
        if let Some((place, bytes)) = step.stored {
            return format!("{bytes} bytes to {}", self.place(place));
        }
        match step.wrote {
            Some((number, value)) => {
                let name =
                    Reg::from_number(number.into()).map_or(String::new(), |reg| reg.to_string());
                format!("{name} = {}", self.value(value))
            }
            None => String::new(),
        }
    }

    /// Relative to the block it points into.
    fn place(&self, place: Place) -> String {
        let relative = |name: &str, start: Place| {
            let offset = place.offset.wrapping_sub(start.offset) as i64;
            format!("{name}{}", signed(offset))
        };
        match (place.base, self.case.source) {
            (Base::Absolute, _) => format!("{:#x}", place.offset),
            (Base::Stack, _) => format!("sp{}", signed(place.offset as i64)),
            (Base::Code, _) => format!("pc {:#x}", place.offset),
            (Base::Return, _) => "the return address".to_owned(),
            (base, Some(source)) if base == source.base && base != self.case.destination.base => {
                relative("src", source)
            }
            (base, Some(source)) if base == source.base => {
                format!(
                    "{} = {}",
                    relative("src", source),
                    relative("dst", self.case.destination)
                )
            }
            _ => relative("dst", self.case.destination),
        }
    }

    fn value(&self, value: Value) -> String {
        if let Some((base, offset)) = value.place() {
            return match base {
                Base::Absolute if offset < 4096 => offset.to_string(),
                _ => self.place(Place { base, offset }),
            };
        }
        match value.view() {
            View::Residue(residue) => format!("an address, {residue:#x} modulo 4096"),
            View::Bytes(lanes) => self.lanes(lanes),
            View::Address { offset, .. } => {
                format!("a sum of addresses, {:#x} modulo 4096", offset % 4096)
            }
            View::Known(number) => number.to_string(),
        }
    }

    /// Bytes from the lowest up, runs of neighbours joined.
    fn lanes(&self, lanes: u128) -> String {
        let bytes = (self.machine.xlen() / 8) as usize;
        let labels: Vec<Label> = (0..bytes)
            .map(|lane| (lanes >> (16 * lane)) as Label)
            .collect();
        let mut parts = Vec::new();
        let mut index = 0;
        while index < bytes {
            let start = index;
            let (first, run) = (labels[start], |last: usize| labels[last]);
            index += 1;
            let constant = first < 256 || first == UNKNOWN;
            while index < bytes
                && if constant {
                    run(index) == first
                } else {
                    run(index) == run(index - 1).wrapping_add(1)
                }
            {
                index += 1;
            }
            let last = labels[index - 1];
            parts.push(match (index - start, constant) {
                (1, _) => self.label(first),
                (count, true) => format!("{count} x {}", self.label(first)),
                (_, false) => format!("{} to {}", self.label(first), self.label(last)),
            });
        }
        format!("[{}]", parts.join(", "))
    }

    fn label(&self, label: Label) -> String {
        if label < 256 {
            return format!("{label:#04x}");
        }
        if label == UNKNOWN {
            return "unknown".to_owned();
        }
        if let Some((reg, byte)) = labelled_register(label) {
            return match (reg, self.case.source) {
                (Reg::A1, None) if byte == 0 => "the fill byte".to_owned(),
                _ => format!("{reg}'s byte {byte} on entry"),
            };
        }
        self.machine
            .memory
            .name(self.case.source, label)
            .unwrap_or_else(|| format!("label {label:#x}"))
    }
}

/// ` + 3`, ` - 3`, or nothing for 0.
fn signed(offset: i64) -> String {
    match offset {
        0 => String::new(),
        _ if offset < 0 => format!(" - {}", offset.unsigned_abs()),
        _ => format!(" + {offset}"),
    }
}
