//! Which register does what.

use super::free;
use std::fmt;

use super::Strategy;
use crate::inst::Width;
use crate::isa::Isa;
use crate::problem::Problems;
use crate::reg::{Reg, RegSet};
use crate::spec::{Count, Op, Spec};

/// Roles and the registers that play them. a0 stays the return value, a1 is the source cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Destination cursor. Where user memory is touched a0, which thus says how far all is done.
    pub cursor: Reg,
    /// End of the destination, which a routine that may be stopped by a fault keeps.
    pub end: Option<Reg>,
    /// The bytes that remain: a2, or a1 where there is no other argument.
    pub left: Reg,
    /// What a fill stores: a1, or zero.
    pub fill: Reg,
    /// Loop limits, and the scratch of every test.
    pub limit: Reg,
    /// What is left for data in flight, in the order they are used: caller-saved ones, then those that a frame saves.
    pub data: Vec<Reg>,
    /// How many of them are caller-saved.
    pub unsaved: u32,
    /// Callee-saved registers that may be touched.
    spare: RegSet,
    /// Words in flight in the aligned loop.
    pub in_flight: u32,
    /// For a computed jump: t2, which needs no landing pad, if it may be touched.
    pub jump: Option<Reg>,
    /// The shift-merge loop's own.
    pub shift: Option<ShiftRegs>,
    /// The native strategy's own.
    pub native: Option<NativeRegs>,
}

/// Registers of the shift-merge loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShiftRegs {
    /// Bits by which the lower word moves down: 8 times the source's residue. `None` for half-words, where it is 8.
    pub right: Option<Reg>,
    /// Bits by which the upper word moves up. `None` where registers are short: it is then worked out for each word.
    pub left: Option<Reg>,
    /// The word that two neighbouring merges share.
    pub carried: Reg,
    /// Part of a merge.
    pub scratch: Reg,
    /// Further words in flight; at least one.
    pub data: Vec<Reg>,
    /// Words in flight: the carried one and `data`.
    pub in_flight: u32,
}

/// Registers that hold the ends of a native copy until the middle is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeRegs {
    /// The first word of the source.
    pub first: Reg,
    /// The last word of the source.
    pub last: Reg,
    /// End of the destination, for the copy that runs downwards.
    pub end: Reg,
}

impl Registers {
    /// Hands out cursor, limit and data registers.
    pub(super) fn new(spec: &Spec, isa: &Isa, problems: &mut Problems) -> Registers {
        let avoid = avoided(spec, problems);
        let mut free = free::registers(spec, isa, &free::ORDER);
        let needed = if spec.op.fills() { 2 } else { 3 };
        if free.len() < needed {
            problems.add(
                "avoid",
                format!(
                    "{} of the registers that {} leaves free remain; {needed} are needed",
                    free.len(),
                    isa.base(),
                ),
                "name fewer registers",
            );
            free = free::ORDER
                .iter()
                .filter_map(|name| Reg::from_name(name))
                .collect();
        }
        let first = free.remove(0);
        let (cursor, end) = match spec.op.touches_user() {
            true => (Reg::A0, Some(first)),
            false => (first, None),
        };
        let clears = spec.op == Op::ClearUser;
        let t0 = free
            .iter()
            .position(|reg| reg.to_string() == "t0")
            .unwrap_or(0);
        let limit = free.remove(t0);
        let jump = (free.contains(&Reg::T2) && free.len() > 1).then_some(Reg::T2);
        Registers {
            jump,
            cursor,
            end,
            left: if clears { Reg::A1 } else { Reg::A2 },
            fill: if clears { Reg::ZERO } else { Reg::A1 },
            limit,
            data: match spec.op {
                Op::Memset => vec![Reg::A1],
                Op::ClearUser => Vec::new(),
                _ => free,
            },
            unsaved: 0,
            spare: isa.callee_saved().without(avoid),
            in_flight: 0,
            shift: None,
            native: None,
        }
    }

    /// Sets the words in flight, with callee-saved registers where the caller-saved ones do not suffice.
    pub(super) fn settle(&mut self, spec: &Spec, problems: &mut Problems) {
        self.unsaved = self.data.len() as u32;
        let most = self.unsaved + self.spare.len() as u32;
        self.in_flight = match spec.regs {
            Count::Auto => self.unsaved,
            Count::Exactly(asked) if (1..=most).contains(&asked) => asked,
            Count::Exactly(0) => {
                problems.add("regs", "0 registers move no data", "use 1 or more");
                1
            }
            Count::Exactly(asked) => {
                problems.add(
                    "regs",
                    format!(
                        "{asked} data registers asked for; {} caller-saved and {} callee-saved ones are left",
                        self.unsaved,
                        self.spare.len(),
                    ),
                    format!("use at most {most}, or leave it out for the caller-saved ones"),
                );
                most
            }
        };
        let saved = self.in_flight.saturating_sub(self.unsaved);
        self.data.extend(self.spare.iter().take(saved as usize));
        if let Some(shift) = &mut self.shift {
            // The carried word and at least one more; past that, no more than was asked for.
            shift.data.truncate(self.in_flight.max(2) as usize - 1);
            shift.in_flight = self.in_flight.min(1 + shift.data.len() as u32);
        }
    }

    /// The callee-saved registers among the first `count` data registers.
    pub(crate) fn saved(&self, count: u32) -> &[Reg] {
        let most = (count as usize).clamp(self.unsaved as usize, self.data.len());
        &self.data[self.unsaved as usize..most]
    }

    /// Words in flight where no frame is set up.
    pub(crate) fn in_flight_unsaved(&self) -> u32 {
        self.in_flight.min(self.unsaved)
    }

    /// Settles the strategy and hands out what it needs beside the data registers. Without a wish, that is shift-merge
    /// where the registers suffice.
    pub(super) fn assign(
        &mut self,
        spec: &Spec,
        asked: Option<Strategy>,
        word: Width,
        problems: &mut Problems,
    ) -> Strategy {
        match asked {
            Some(Strategy::Native) => {
                self.native = self.native_regs(spec, problems);
                Strategy::Native
            }
            Some(Strategy::Shift) => {
                self.shift = self.shift_regs(word);
                if self.shift.is_none() {
                    problems.add(
                        "unaligned",
                        format!("shift needs 4 data registers, {} are left", self.data.len()),
                        "avoid fewer registers, or use --unaligned bytes",
                    );
                }
                Strategy::Shift
            }
            None => {
                self.shift = self.shift_regs(word);
                if self.shift.is_some() {
                    Strategy::Shift
                } else {
                    Strategy::Bytes
                }
            }
            Some(simple) => simple,
        }
    }

    /// Takes the two shift counts from the end of the data registers, the carried word from their start.
    fn shift_regs(&self, word: Width) -> Option<ShiftRegs> {
        let mut free = self.data.clone();
        // A half-word at an odd address is the only mismatch of half-words: its counts are both 8.
        let half_words = word == Width::Half;
        let left = if !half_words && free.len() >= 5 {
            free.pop()
        } else {
            None
        };
        let right = if half_words { None } else { free.pop() };
        if free.len() < 3 {
            return None;
        }
        let scratch = free.pop()?;
        let carried = free.remove(0);
        Some(ShiftRegs {
            right,
            left,
            carried,
            scratch,
            in_flight: 1 + free.len() as u32,
            data: free,
        })
    }

    /// Takes three registers from the end of the data registers; memset keeps its ends in the fill.
    fn native_regs(&mut self, spec: &Spec, problems: &mut Problems) -> Option<NativeRegs> {
        if spec.op.fills() {
            return None;
        }
        if self.data.len() < 4 {
            problems.add(
                "unaligned",
                format!(
                    "native needs 4 data registers, {} are left",
                    self.data.len()
                ),
                "avoid fewer registers",
            );
            return None;
        }
        let end = self.data.pop()?;
        let last = self.data.pop()?;
        let first = self.data.pop()?;
        Some(NativeRegs { first, last, end })
    }
}

/// Reads `--avoid`.
fn avoided(spec: &Spec, problems: &mut Problems) -> RegSet {
    let (arguments, named): (&[Reg], _) = match spec.op {
        Op::ClearUser => (&[Reg::A0, Reg::A1], "a0 and a1"),
        _ => (&[Reg::A0, Reg::A1, Reg::A2], "a0, a1 and a2"),
    };
    let mut avoid = RegSet::default();
    for name in &spec.avoided() {
        match Reg::from_name(name) {
            None => problems.add(
                "avoid",
                format!("`{name}` is no register"),
                "use ABI names or x1 to x31, apart by commas: --avoid t6,a7",
            ),
            Some(reg) if arguments.contains(&reg) => problems.add(
                "avoid",
                format!("{name} holds an argument of the routine"),
                format!("{named} cannot be avoided"),
            ),
            Some(reg) => avoid.insert(reg),
        }
    }
    avoid
}

/// A line for each group of roles.
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cursor       {} (destination)", self.cursor)?;
        if let Some(end) = self.end {
            writeln!(f, "end          {end}")?;
        }
        writeln!(f, "limit        {}", self.limit)?;
        if self.data.is_empty() {
            writeln!(f, "data         {}", self.fill)?;
        } else {
            writeln!(
                f,
                "data         {}, {} in flight",
                list(&self.data),
                self.in_flight
            )?;
        }
        if let Some(shift) = &self.shift {
            let counts: Vec<_> = shift.right.into_iter().chain(shift.left).collect();
            writeln!(
                f,
                "shift        counts {}, carried {}, scratch {}, data {}, {} in flight",
                if counts.is_empty() {
                    "8 and 8".to_owned()
                } else {
                    list(&counts)
                },
                shift.carried,
                shift.scratch,
                list(&shift.data),
                shift.in_flight,
            )?;
        }
        if let Some(native) = &self.native {
            writeln!(
                f,
                "native       first {}, last {}, end {}",
                native.first, native.last, native.end
            )?;
        }
        Ok(())
    }
}

fn list(regs: &[Reg]) -> String {
    regs.iter()
        .map(Reg::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
