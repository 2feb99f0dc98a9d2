//! The contracts every routine keeps, and the check of a finished call against them.

use std::fmt;

use super::cases::Case;
use super::fault::{Fault, Outcome};
use super::machine::Machine;
use super::memory::{Place, Rest};
use super::promise;
use super::value::{Base, Label, Value, View};
use crate::reg::{Reg, RegSet};
use crate::spec::Op;

/// A contract of the emitted routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Contract {
    /// dst[0..n) receives what it should, and nothing else is stored to.
    Bytes,
    /// dst is returned; of user memory, the number of bytes not copied, as well as it is to be known, or whether there was a fault.
    Return,
    /// Loads stay inside the source, or its aligned words where over-read is allowed.
    Loads,
    /// No misaligned access unless native, none wider than the word.
    Accesses,
    /// Callee-saved registers keep their values; nothing outside the declared clobbers is written; the stack is used inside the
    /// declared frame alone.
    Registers,
    /// Only distances within an object and residues modulo a register (for cbo.zero: modulo its block) decide anything; never data,
    /// never placement.
    Decisions,
    /// A call ends, within the instructions that the plan predicts, inside the routine.
    Work,
    /// Accesses to user memory, and no others, are in the fault table; SUM is on around them and off on return, and nothing else of
    /// sstatus changes.
    Faults,
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Contract::Bytes => "1: dst[0..n) receives what it should, nothing else is stored to",
            Contract::Return => "2: dst is returned; by user copies, the number of bytes not copied",
            Contract::Loads => {
                "3: loads stay inside the source, or its aligned words if over-read is allowed"
            }
            Contract::Accesses => {
                "4: no misaligned access in a strict routine, none wider than the word"
            }
            Contract::Registers => {
                "5: callee-saved registers are kept, only declared clobbers are written"
            }
            Contract::Decisions => "6: data and the placement of objects decide nothing",
            Contract::Work => "7: a call ends within the instructions that the plan predicts",
            Contract::Faults => {
                "8: the fault table has the accesses to user memory alone, SUM is on for them and off on return"
            }
        })
    }
}

/// A breach of a contract.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Breach {
    /// During the call, at an instruction.
    Fault { index: usize, fault: Fault },
    /// Byte `number` of dst holds `found` on return, not `expected`.
    WrongByte {
        number: u64,
        expected: Label,
        found: Label,
    },
    /// a0 on return.
    WrongReturn { found: Value, expected: Returned },
    /// A register that must be kept.
    Register { reg: Reg, found: Value },
    /// A register that was written without being declared.
    Undeclared { reg: Reg },
}

/// What a0 should be on return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Returned {
    Destination,
    /// A number from the first to the second.
    Count {
        least: u64,
        most: u64,
    },
    /// -EFAULT.
    Efault,
}

impl Breach {
    pub(super) fn contract(&self) -> Contract {
        match self {
            Breach::WrongByte { .. } => Contract::Bytes,
            Breach::WrongReturn { .. } => Contract::Return,
            Breach::Register { .. } | Breach::Undeclared { .. } => Contract::Registers,
            Breach::Fault { fault, .. } => match fault {
                Fault::StoreOutside { .. } => Contract::Bytes,
                Fault::OutsideFrame { .. } | Fault::StackPointer { .. } => Contract::Registers,
                Fault::LoadOutside { .. } => Contract::Loads,
                Fault::Misaligned { .. } | Fault::TooWide { .. } => Contract::Accesses,
                Fault::UnknownAddress { .. }
                | Fault::BranchOnData { .. }
                | Fault::BranchOnPlacement { .. } => Contract::Decisions,
                Fault::Undecodable { .. } | Fault::LeftCode | Fault::TooLong { .. } => {
                    Contract::Work
                }
                Fault::NoEntry { .. }
                | Fault::NeedlessEntry { .. }
                | Fault::SumOff { .. }
                | Fault::SumLeftOn
                | Fault::Status { .. } => Contract::Faults,
            },
        }
    }
}

/// First label of the registers' bytes on entry; those of memory come after them.
const REGISTER_LABELS: u32 = 0x100;

/// Label of byte `byte` of register `number` on entry; register 0 is never labelled.
pub(super) fn register_label(number: u32, byte: u32) -> Label {
    (REGISTER_LABELS + number * 8 + byte) as Label
}

/// The register and byte that a label names, the inverse of [`register_label`].
pub(super) fn labelled_register(label: Label) -> Option<(Reg, u32)> {
    let index = u32::from(label).checked_sub(REGISTER_LABELS)?;
    Reg::from_number(index / 8).map(|reg| (reg, index % 8))
}

/// What every register holds on entry, arguments apart: ra and sp pointers, every byte of the others a label of its own.
/// memset's fill is a1's lowest byte, the bytes above it dirty.
pub(super) fn registers_on_entry(register_bytes: u32) -> [Value; 32] {
    std::array::from_fn(|number| match number {
        0 => Value::known(0),
        1 => Machine::return_address(),
        2 => Value::pointer(Base::Stack, 0),
        _ => {
            let labels = (0..register_bytes)
                .rev()
                .map(|byte| u128::from(register_label(number as u32, byte)));
            Value::from_lanes(labels.fold(0, |lanes, label| lanes << 16 | label))
        }
    })
}

/// Sets registers and memory for `case`, a call of `op`.
pub(super) fn enter(machine: &mut Machine, op: Op, case: &Case, load_granule: u64) {
    machine
        .memory
        .lay_out(case.source, case.destination, case.bytes, load_granule);
    machine.registers = machine.entry;
    let pointer = |place: Place| Value::pointer(place.base, place.offset);
    machine.registers[10] = pointer(case.destination);
    if let Some(source) = case.source {
        machine.registers[11] = pointer(source);
    }
    machine.nonzero = None;
    if op == Op::ClearUser {
        machine.registers[11] = Value::known(case.bytes);
        return;
    }
    machine.registers[12] = Value::known(case.bytes);
    if case.source.is_none() {
        let fill = register_label(Reg::A1.number(), 0);
        if case.zero_fill {
            let View::Bytes(lanes) = machine.entry[11].view() else {
                unreachable!("every byte of a1 is a label on entry")
            };
            machine.registers[11] = Value::from_lanes(lanes & !0xffff);
        } else {
            machine.nonzero = Some(fill);
        }
    }
}

/// Checks a call that has ended.
pub(super) fn check(
    machine: &Machine,
    case: &Case,
    outcome: Outcome,
    clobbers: RegSet,
    kept: RegSet,
) -> Result<(), Breach> {
    match outcome {
        Outcome::Broke { index, fault } => return Err(Breach::Fault { index, fault }),
        Outcome::LeftWindow => return check_bytes(machine, case, 0, Rest::Either),
        Outcome::Hit { .. } => unreachable!("faults are taken before a call is judged"),
        Outcome::Returned => {}
    }
    match machine.rules.user {
        Some(user) => promise::check(machine, case, user.recovery)?,
        None => {
            check_bytes(machine, case, case.bytes, Rest::Untouched)?;
            let returned = machine.registers[10];
            if returned != Value::pointer(case.destination.base, case.destination.offset) {
                return Err(Breach::WrongReturn {
                    found: returned,
                    expected: Returned::Destination,
                });
            }
        }
    }
    let written = (1..32).filter(|number| machine.written >> number & 1 == 1);
    for reg in written.filter_map(Reg::from_number) {
        let found = machine.registers[reg.number() as usize];
        let must_keep = kept.contains(reg) || !RegSet::CALLER_SAVED.contains(reg);
        if must_keep && found != machine.entry[reg.number() as usize] {
            return Err(Breach::Register { reg, found });
        }
        if !clobbers.contains(reg) && !kept.contains(reg) {
            return Err(Breach::Undeclared { reg });
        }
    }
    Ok(())
}

/// Checks dst byte by byte: all below `settled` is copied, the rest as it may be.
pub(super) fn check_bytes(
    machine: &Machine,
    case: &Case,
    settled: u64,
    rest: Rest,
) -> Result<(), Breach> {
    let fill = if case.zero_fill {
        0
    } else {
        register_label(Reg::A1.number(), 0)
    };
    match machine.memory.first_wrong(case.source, fill, settled, rest) {
        None => Ok(()),
        Some((number, expected, found)) => Err(Breach::WrongByte {
            number,
            expected,
            found,
        }),
    }
}
