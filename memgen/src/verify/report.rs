//! A counter-example that a person can act on: the call, the contract, the instruction with its source line, the
//! registers as labels, and the way there.

use std::collections::BTreeMap;
use std::fmt;

use super::cases::Case;
use super::contract::{Breach, Contract};
use super::disassemble::disassemble;
use super::machine::{Machine, Step};
use super::memory::Place;
use super::names::{self, Names};
use super::subject::Subject;
use super::value::Base;
use crate::spec::Op;

/// Steps shown before the end.
const STEPS_SHOWN: usize = 12;

/// One call that breaks a contract. `Display` shows all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterExample {
    /// The contract that is broken.
    pub contract: Contract,
    /// The call: operation, size, places of the blocks.
    pub call: String,
    /// What of the user's memory is inaccessible, if anything is.
    pub fault: Option<String>,
    /// What happened.
    pub breach: String,
    /// Address of the instruction in the routine, and its line in the file or what it says: where the breach happened, or the last store to the byte that is wrong.
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
        if let Some(fault) = &self.fault {
            writeln!(f, "  fault      {fault}")?;
        }
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
        if 4 * lines.len() as u64 != subject.code.bytes() {
            lines.clear();
        }
        Reporter { subject, lines }
    }

    /// Runs `case` once more, tracing it, and describes how it ends. A call with a fault ran as one with others: alone, it may be seen
    /// to break the same contract at another place.
    pub(super) fn counter_example(&self, case: &Case, breach: Breach) -> CounterExample {
        let mut machine = self.subject.machine();
        let rerun = match case.injection {
            None => self.subject.call::<true>(&mut machine, case),
            Some(fault) => {
                let alone = self.subject.inject::<true>(&mut machine, case, &[fault]);
                alone.map_err(|failed| failed.1)
            }
        };
        debug_assert_eq!(
            rerun.as_ref().map_err(Breach::contract).copied(),
            Err(breach.contract()),
            "a case is deterministic"
        );
        let breach = rerun.err().unwrap_or(breach);
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
            fault: case.injection.map(names::injection),
            breach: names.breach(breach),
            at: at.map(|index| (2 * index as u64, self.line(index))),
            registers: names.registers(),
            last: machine.steps[shown..]
                .iter()
                .map(|step| {
                    (
                        2 * step.index as u64,
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

    /// The instruction at a halfword: its line, or what a compiler made, or else its word.
    fn line(&self, index: usize) -> String {
        let line = self.lines.get(index / 2).filter(|line| !line.is_empty());
        match (line, self.subject.code.decoded.get(index)) {
            (Some(line), _) => line.clone(),
            (None, Some(inst)) if self.subject.is_compiled() => {
                disassemble(inst, 2 * index as u64, self.subject.code.word(index))
            }
            _ => format!("{:08x}", self.subject.code.word(index)),
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
        if case.source.is_none() && self.subject.plan.op() != Op::ClearUser {
            text += if case.zero_fill {
                ", fill = 0"
            } else {
                ", fill not 0"
            };
        }
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

/// Lines of `text` that hold an instruction, in the order of their addresses: in assembly those behind a tab, in Rust the strings of the
/// naked function. The gap that an `.org` leaves has empty ones.
fn instruction_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut labels = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let code = line
            .strip_prefix("        \"")
            .and_then(|rest| rest.strip_suffix("\","));
        let (code, indent) = code.map_or((line, "\t"), |code| (code, "    "));
        if let Some(label) = code.strip_suffix(':') {
            labels.insert(label, lines.len());
            continue;
        }
        let Some(inst) = code.strip_prefix(indent) else {
            continue;
        };
        let shown = inst.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((label, bytes)) = shown
            .strip_prefix(".org ")
            .and_then(|place| place.split_once(" + "))
        {
            let start = labels.get(label.trim_end_matches('b'));
            if let (Some(start), Ok(bytes)) = (start, bytes.parse::<usize>()) {
                lines.resize(lines.len().max(start + bytes / 4), String::new());
            }
        } else if inst.starts_with(|c: char| c.is_ascii_lowercase()) {
            lines.push(format!("line {}: {shown}", index + 1));
        }
    }
    lines
}
