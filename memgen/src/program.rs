//! A routine as a list of instructions, labels and comments, with what follows from that list:
//! clobbers, code size, distances, the bound on work.

use std::collections::BTreeSet;

use crate::bound::Loop;
use crate::inst::{ImmOp, Inst, Label};
use crate::reg::{Reg, RegSet};

/// Bytes of an instruction; nothing is compressed.
pub(crate) const INST_BYTES: i32 = 4;

/// A conditional branch reaches 4 KiB to either side (13-bit signed offset, even).
const BRANCH_REACH: std::ops::RangeInclusive<i32> = -4096..=4094;

/// One line of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A block comment, one paragraph.
    Comment(String),
    /// A place to jump to.
    Label(Label),
    /// An instruction.
    Inst(Inst),
    /// The end of a slot: what follows starts `bytes` after `start`, and nothing runs into the gap.
    Slot {
        /// First of a row of slots.
        start: Label,
        /// From there to the next slot.
        bytes: i32,
    },
    /// A directive that tells a debugger how to unwind from here.
    Unwind(String),
}

/// A complete routine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub(crate) items: Vec<Item>,
    names: Vec<String>,
    pub(crate) loops: Vec<Loop>,
    kept: RegSet,
}

impl Program {
    /// Adds a line at the end.
    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Makes a label called `name`, to be placed with [`Item::Label`]. A name used before gets a number behind it.
    pub(crate) fn new_label(&mut self, name: &str) -> Label {
        let mut unique = name.to_owned();
        let mut count = 1;
        while self.names.contains(&unique) {
            count += 1;
            unique = format!("{name}{count}");
        }
        self.names.push(unique);
        Label(self.names.len() - 1)
    }

    /// Notes that the code from `start` to the last branch back to it moves `bytes` an iteration, and no more than `most` in a call.
    pub(crate) fn note_loop(&mut self, start: Label, bytes: u32, most: Option<u32>) {
        self.loops.push(Loop { start, bytes, most });
    }

    /// The lines, in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = &Inst> {
        self.items.iter().filter_map(|item| match item {
            Item::Inst(inst) => Some(inst),
            _ => None,
        })
    }

    /// How many labels there are; numbers of labels are below it.
    pub(crate) fn label_count(&self) -> usize {
        self.names.len()
    }

    /// The name of a label, without the prefix that the frame puts before it.
    pub fn label_name(&self, label: Label) -> &str {
        &self.names[label.0]
    }

    /// Notes that `reg` is written but given back as it was.
    pub(crate) fn keep(&mut self, reg: Reg) {
        self.kept.insert(reg);
    }

    /// Registers that are written, and given back as they were: those of a frame, sp with them.
    pub fn kept(&self) -> RegSet {
        self.kept
    }

    /// Bytes of the stack below sp that the routine uses.
    pub fn frame_bytes(&self) -> u32 {
        let steps = self.instructions().filter_map(|inst| match *inst {
            Inst::Imm {
                op: ImmOp::Add,
                rd: Reg::SP,
                rs: Reg::SP,
                imm,
            } => Some(imm.unsigned_abs()),
            _ => None,
        });
        steps.max().unwrap_or(0)
    }

    /// Every other register that some instruction writes.
    pub fn clobbers(&self) -> RegSet {
        let written: RegSet = self.instructions().filter_map(Inst::writes).collect();
        written.without(self.kept)
    }

    /// Extensions that some instruction needs.
    pub fn extensions(&self) -> BTreeSet<&'static str> {
        self.instructions().filter_map(Inst::extension).collect()
    }

    /// Code size in bytes.
    pub fn code_bytes(&self) -> u64 {
        self.places()
            .last()
            .map_or(0, |(_, _, end)| u64::from(end.unsigned_abs()))
    }

    /// Each line with the address where it starts and the one where it ends, counted from the start of the routine.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&Item, i32, i32)> {
        let mut starts = vec![0; self.names.len()];
        let mut pc = 0;
        self.items.iter().map(move |item| {
            let start = pc;
            match item {
                Item::Label(label) => starts[label.0] = pc,
                Item::Inst(_) => pc += INST_BYTES,
                Item::Slot { start, bytes } => {
                    debug_assert!(pc <= starts[start.0] + bytes, "a slot overflows at {pc}");
                    pc = pc.max(starts[start.0] + bytes);
                }
                Item::Comment(_) | Item::Unwind(_) => {}
            }
            (item, start, pc)
        })
    }

    /// Labels that a branch, a jump or a row of slots names; the others need no line in the text.
    pub(crate) fn branch_targets(&self) -> BTreeSet<Label> {
        let slots = self.items.iter().filter_map(|item| match item {
            Item::Slot { start, .. } => Some(*start),
            _ => None,
        });
        let jumped = self.instructions().filter_map(|inst| match inst {
            Inst::JumpRegister { target, .. } => Some(*target),
            _ => None,
        });
        self.instructions()
            .flat_map(|inst| inst.target().into_iter().chain(inst.recovery()))
            .chain(slots)
            .chain(jumped)
            .collect()
    }

    /// Address of each label, counted from the start of the routine.
    pub(crate) fn addresses(&self) -> Vec<i32> {
        let mut addresses = vec![0; self.names.len()];
        for (item, start, _) in self.places() {
            if let Item::Label(label) = item {
                addresses[label.0] = start;
            }
        }
        addresses
    }

    /// Keeps one label where several stand at one place, the one whose name says most.
    pub(crate) fn merge_labels(&mut self) {
        let mut merged: Vec<Label> = (0..self.names.len()).map(Label).collect();
        let mut together: Vec<Label> = Vec::new();
        for item in self.items.iter().chain([&Item::Inst(Inst::Return)]) {
            match item {
                Item::Label(label) => together.push(*label),
                Item::Inst(_) | Item::Slot { .. } => {
                    let best = together
                        .iter()
                        .max_by_key(|label| self.weight(**label))
                        .copied();
                    for label in together.drain(..) {
                        merged[label.0] = best.unwrap_or(label);
                    }
                }
                Item::Comment(_) | Item::Unwind(_) => {}
            }
        }
        self.items
            .retain(|item| !matches!(item, Item::Label(label) if merged[label.0] != *label));
        for item in &mut self.items {
            match item {
                Item::Inst(inst) => inst.relabel(|label| merged[label.0]),
                Item::Slot { start, .. } => *start = merged[start.0],
                _ => {}
            }
        }
        for body in &mut self.loops {
            body.start = merged[body.start.0];
        }
    }

    /// How much a label's name says: the name of a part more than a step of a ladder, that more than the end of something.
    fn weight(&self, label: Label) -> u32 {
        let name = self.label_name(label);
        if name.ends_with("done") {
            0
        } else if name.ends_with(|c: char| c.is_ascii_digit()) {
            1
        } else {
            2
        }
    }

    /// Replaces every conditional branch that cannot reach its target by the inverse branch over a `j`:
    ///
    /// ```text
    ///     bltu  a2, t0, .Lfar            bgeu  a2, t0, .Lskip
    ///                             =>     j     .Lfar
    ///                                 .Lskip:
    /// ```
    pub(crate) fn reach_far_targets(&mut self) {
        while let Some((position, inst)) = self.first_branch_out_of_reach() {
            let Inst::Branch {
                condition,
                rs1,
                rs2,
                target,
            } = inst
            else {
                unreachable!("only branches are looked for")
            };
            let skip = self.new_label("skip");
            let near = Inst::Branch {
                condition: condition.inverse(),
                rs1,
                rs2,
                target: skip,
            };
            self.items.splice(
                position..=position,
                [
                    Item::Inst(near),
                    Item::Inst(Inst::Jump { target }),
                    Item::Label(skip),
                ],
            );
        }
    }

    fn first_branch_out_of_reach(&self) -> Option<(usize, Inst)> {
        let addresses = self.addresses();
        for (position, (item, pc, _)) in self.places().enumerate() {
            let Item::Inst(inst) = item else { continue };
            if let Inst::Branch { target, .. } = inst
                && !BRANCH_REACH.contains(&(addresses[target.0] - pc))
            {
                return Some((position, *inst));
            }
        }
        None
    }

    /// Registers read before any instruction writes them, apart from the arguments: none, in a right program.
    pub fn reads_undefined(&self, arguments: RegSet) -> RegSet {
        let mut known = arguments;
        // What a frame saves is read on purpose.
        let saved = self.kept.iter().chain([Reg::RA]);
        saved.for_each(|reg| known.insert(reg));
        let mut undefined = RegSet::default();
        for inst in self.instructions() {
            inst.reads()
                .without(known)
                .iter()
                .for_each(|reg| undefined.insert(reg));
            inst.writes().into_iter().for_each(|reg| known.insert(reg));
        }
        undefined
    }

    /// Instructions that no path leads to: those right behind a jump or return, without a label that something names.
    pub fn unreachable(&self) -> impl Iterator<Item = &Inst> {
        let targets = self.branch_targets();
        let (mut open, mut in_row) = (true, false);
        self.items.iter().filter_map(move |item| match item {
            Item::Label(label) => {
                open |= targets.contains(label);
                None
            }
            Item::Inst(inst) => {
                let reached = open;
                // A computed jump leads to every jump of a row right behind it, and past them.
                let is_entry = in_row && matches!(inst, Inst::Jump { .. });
                in_row = is_entry || matches!(inst, Inst::JumpRegister { .. });
                open &= is_entry || !matches!(inst, Inst::Jump { .. } | Inst::Return);
                (!reached).then_some(inst)
            }
            Item::Slot { .. } => {
                // A computed jump leads to every slot of a row.
                open = true;
                None
            }
            Item::Comment(_) | Item::Unwind(_) => None,
        })
    }
}
