//! Spells values, places and breaches as one case sees them: `src[7]`, `dst + 8`, `s3's byte 0 on entry`.

use super::cases::Case;
use super::contract::{Breach, Returned, labelled_register};
use super::fault::{Fault, Side};
use super::machine::{Machine, Step};
use super::memory::Place;
use super::pending::{Hole, Injection};
use super::value::{Base, Label, UNKNOWN, Value, View};
use crate::reg::Reg;

/// Names things as this case sees them.
pub(super) struct Names<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) case: &'a Case,
}

impl Names<'_> {
    pub(super) fn breach(&self, breach: Breach) -> String {
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
            Breach::WrongReturn { found, expected } => {
                format!("a0 returns {}, {}", self.number(found), returned(expected))
            }
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
            Fault::OutsideFrame { place, bytes } => {
                format!(
                    "accesses {bytes} bytes at {}, which is no register of the frame",
                    self.place(place)
                )
            }
            Fault::StackPointer { value, frame_bytes } => format!(
                "moves sp to {}, out of its frame of {frame_bytes} bytes",
                self.value(value)
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
            Fault::NoEntry { place, bytes } => format!(
                "accesses {bytes} bytes of user memory at {}, and the fault table has no entry for that",
                self.place(place)
            ),
            Fault::NeedlessEntry { place, bytes } => format!(
                "accesses {bytes} bytes at {}, which is no user memory, yet the fault table has an entry for that",
                self.place(place)
            ),
            Fault::SumOff { place, bytes } => format!(
                "accesses {bytes} bytes of user memory at {} with SUM off",
                self.place(place)
            ),
            Fault::SumLeftOn => "returns with SUM on".to_owned(),
            Fault::Status { mask } => {
                format!("changes {} of sstatus, not SUM alone", self.value(mask))
            }
        }
    }

    /// Registers that were written or hold arguments.
    pub(super) fn registers(&self) -> Vec<(String, String)> {
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

    pub(super) fn effect(&self, step: &Step) -> String {
        if step.faulted {
            return "faults".to_owned();
        }
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
            (Base::Stack, _) => {
                format!("sp{}", signed(self.machine.xlen.signed(place.offset)))
            }
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

    /// A value, as a signed number where it is one.
    fn number(&self, value: Value) -> String {
        match value.view() {
            View::Known(number) => self.machine.xlen.signed(number).to_string(),
            _ => self.value(value),
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
            View::Residue { residue, bits } => {
                format!("an address, {residue:#x} in its low {bits} bits")
            }
            View::Bytes(lanes) => self.lanes(lanes),
            View::Bits(_) => self.bits(value),
            View::Address { offset, .. } => format!("a sum of addresses and {offset:#x}"),
            View::Known(number) => number.to_string(),
        }
    }

    /// What a value's bits come from: of each run of whole bytes what those are, of each run of others the bytes that are in them.
    fn bits(&self, value: Value) -> String {
        let (xlen, table) = (self.machine.xlen, &self.machine.bits);
        let lanes = table.lanes(xlen, value);
        let label = |byte: usize| (lanes >> (16 * byte)) as Label;
        let bytes: Vec<usize> = (0..xlen.bits as usize / 8).collect();
        let mut parts = Vec::new();
        for run in bytes.chunk_by(|a, b| (label(*a) == UNKNOWN) == (label(*b) == UNKNOWN)) {
            if label(run[0]) != UNKNOWN {
                parts.extend(run.iter().map(|byte| self.label(label(*byte))));
                continue;
            }
            let mut sources: Vec<Label> = run
                .iter()
                .flat_map(|byte| table.parts(xlen, value, *byte))
                .collect();
            sources.sort_unstable();
            sources.dedup();
            parts.push(match sources[..] {
                [] => format!("{} x unknown", run.len()),
                [only] => format!("{} x bits of {}", run.len(), self.label(only)),
                [first, .., last] => {
                    let (first, last) = (self.label(first), self.label(last));
                    format!("{} x bits of {first} to {last}", run.len())
                }
            });
        }
        format!("[{}]", parts.join(", "))
    }

    /// Bytes from the lowest up, runs of neighbours joined.
    fn lanes(&self, lanes: u128) -> String {
        let bytes = (self.machine.xlen.bits / 8) as usize;
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

/// What should have been returned.
fn returned(expected: Returned) -> String {
    match expected {
        Returned::Destination => "not dst".to_owned(),
        Returned::Count { least, most } if least == most => format!("not {least}"),
        Returned::Count { least, most } => format!("no number from {least} to {most}"),
        Returned::Efault => "not -14, which is -EFAULT".to_owned(),
    }
}

/// `source inaccessible from byte 17 on`
pub(super) fn injection(injection: Injection) -> String {
    let sides = [(Side::Source, "source"), (Side::Destination, "destination")];
    let holes = sides.map(|(side, name)| match injection.hole(side) {
        Hole::NONE => None,
        Hole { start, .. } if injection.once => Some(format!(
            "{name} inaccessible at byte {start} when it is touched first, accessible from then on"
        )),
        Hole {
            start,
            end: i64::MAX,
        } => Some(format!("{name} inaccessible from byte {start} on")),
        Hole { start, end } => Some(format!(
            "{name} inaccessible from byte {start} to byte {}, the rest accessible",
            end - 1
        )),
    });
    let holes: Vec<String> = holes.into_iter().flatten().collect();
    holes.join(", ")
}

/// ` + 3`, ` - 3`, or nothing for 0.
fn signed(offset: i64) -> String {
    match offset {
        0 => String::new(),
        _ if offset < 0 => format!(" - {}", offset.unsigned_abs()),
        _ => format!(" + {offset}"),
    }
}
