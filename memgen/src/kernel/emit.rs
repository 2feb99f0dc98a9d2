//! Writes a Program line by line: one short method for each kind of instruction.

use super::user::Stop;
use crate::inst::{Condition, Extend, ImmOp, Inst, Label, RegOp, Width};
use crate::plan::{Plan, UserAccess};
use crate::program::{Item, Program};
use crate::reg::Reg;

/// A Program under construction, and the Plan it follows.
pub(super) struct Emitter<'p> {
    pub(super) plan: &'p Plan,
    program: Program,
    /// Put before every label name: tells the two directions of memmove apart.
    pub(super) prefix: &'static str,
    /// Where execution goes on after a fault in user memory.
    recover: Option<Label>,
    /// The parts of stepped code that may be stopped so far, each with the place that puts right what it left.
    stops: Vec<(Stop, Label)>,
}

impl<'p> Emitter<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Emitter {
            plan,
            program: Program::default(),
            prefix: "",
            recover: None,
            stops: Vec::new(),
        }
    }

    /// The register that holds the bytes that remain.
    pub(super) fn left(&self) -> Reg {
        self.plan.registers.left
    }

    /// The finished routine: one label a place, every branch within reach.
    pub(super) fn finish(mut self) -> Program {
        self.program.merge_labels();
        self.program.reach_far_targets();
        // A branch turned round skips to a place that may have a label already.
        self.program.merge_labels();
        self.program
    }

    pub(super) fn comment(&mut self, text: impl Into<String>) {
        self.program.push(Item::Comment(text.into()));
    }

    /// A directive for unwinding; frames without such information leave it out.
    pub(super) fn unwind(&mut self, directive: String) {
        self.program.push(Item::Unwind(directive));
    }

    /// Notes that the routine gives `reg` back as it was.
    pub(super) fn keep(&mut self, reg: Reg) {
        self.program.keep(reg);
    }

    pub(super) fn label(&mut self, name: &str) -> Label {
        self.program.new_label(&format!("{}{name}", self.prefix))
    }

    pub(super) fn place(&mut self, label: Label) {
        self.program.push(Item::Label(label));
    }

    /// A label in place, for a loop that moves `bytes` an iteration and no more than `most` in a call.
    pub(super) fn place_loop(&mut self, name: &str, bytes: u32, most: Option<u32>) -> Label {
        let label = self.label(name);
        self.place(label);
        self.program.note_loop(label, bytes, most);
        label
    }

    fn push(&mut self, inst: Inst) {
        self.program.push(Item::Inst(inst));
    }

    /// The lines that `body` writes, not yet part of the routine.
    pub(super) fn apart(&mut self, body: impl FnOnce(&mut Self)) -> Vec<Item> {
        let start = self.program.items.len();
        body(self);
        self.program.items.split_off(start)
    }

    /// Adds lines that were written apart.
    pub(super) fn append(&mut self, lines: Vec<Item>) {
        self.program.items.extend(lines);
    }

    pub(super) fn load(&mut self, width: Width, rd: Reg, offset: i32, base: Reg) {
        let narrow = matches!(width, Width::Byte | Width::Half);
        let extend = if narrow { Extend::Zero } else { Extend::Sign };
        self.push(Inst::Load {
            width,
            extend,
            rd,
            base,
            offset,
            recover: self.recovery(base, |user| user.source),
        });
    }

    /// A load whose upper bytes are zero.
    pub(super) fn load_zero_extended(&mut self, width: Width, rd: Reg, offset: i32, base: Reg) {
        let whole_register = width.bytes() * 8 == self.plan.isa.xlen;
        let extend = if whole_register {
            Extend::Sign
        } else {
            Extend::Zero
        };
        self.push(Inst::Load {
            width,
            extend,
            rd,
            base,
            offset,
            recover: self.recovery(base, |user| user.source),
        });
    }

    pub(super) fn store(&mut self, width: Width, src: Reg, offset: i32, base: Reg) {
        self.push(Inst::Store {
            width,
            src,
            base,
            offset,
            recover: self.recovery(base, |user| user.destination),
        });
    }

    /// From here on accesses to user memory recover at `label`.
    pub(super) fn recover_at(&mut self, label: Label) {
        self.recover = Some(label);
    }

    /// From here on a fault in user memory stops such a part; says nothing where none is touched.
    pub(super) fn stop_at(&mut self, stop: Stop) {
        if self.plan.user.is_some() {
            let label = self.stopped(stop).unwrap_or_else(|| {
                let label = self.label(stop.name());
                self.stops.push((stop, label));
                label
            });
            self.recover_at(label);
        }
    }

    /// Where a part that was written recovers.
    pub(super) fn stopped(&self, stop: Stop) -> Option<Label> {
        let known = self.stops.iter().find(|(known, _)| *known == stop);
        known.map(|(_, label)| *label)
    }

    /// Where an access by way of `base` recovers, if `may_fault` says that it needs to. The stack is not the user's.
    fn recovery(&self, base: Reg, may_fault: impl Fn(&UserAccess) -> bool) -> Option<Label> {
        let user = self.plan.user.as_ref()?;
        debug_assert!(self.recover.is_some(), "no way back from a fault");
        self.recover.filter(|_| base != Reg::SP && may_fault(user))
    }

    /// Loads from `from`, then stores to `to`: width, register, and the offset on either side.
    pub(super) fn copy(
        &mut self,
        from: Reg,
        to: Reg,
        moves: impl Iterator<Item = (Width, Reg, i32, i32)> + Clone,
    ) {
        for (width, reg, offset, _) in moves.clone() {
            self.load(width, reg, offset, from);
        }
        for (width, reg, _, offset) in moves {
            self.store(width, reg, offset, to);
        }
    }

    pub(super) fn li(&mut self, rd: Reg, imm: i32) {
        self.addi(rd, Reg::ZERO, imm);
    }

    pub(super) fn mv(&mut self, rd: Reg, rs: Reg) {
        self.addi(rd, rs, 0);
    }

    pub(super) fn addi(&mut self, rd: Reg, rs: Reg, imm: i32) {
        self.imm(ImmOp::Add, rd, rs, imm);
    }

    pub(super) fn andi(&mut self, rd: Reg, rs: Reg, imm: i32) {
        self.imm(ImmOp::And, rd, rs, imm);
    }

    pub(super) fn slli(&mut self, rd: Reg, rs: Reg, bits: u32) {
        self.imm(ImmOp::ShiftLeft, rd, rs, bits as i32);
    }

    pub(super) fn srli(&mut self, rd: Reg, rs: Reg, bits: u32) {
        self.imm(ImmOp::ShiftRight, rd, rs, bits as i32);
    }

    fn imm(&mut self, op: ImmOp, rd: Reg, rs: Reg, imm: i32) {
        debug_assert!(
            (-2048..=2047).contains(&imm),
            "{imm} is no 12-bit immediate"
        );
        self.push(Inst::Imm { op, rd, rs, imm });
    }

    pub(super) fn op(&mut self, op: RegOp, rd: Reg, rs1: Reg, rs2: Reg) {
        self.push(Inst::Op { op, rd, rs1, rs2 });
    }

    pub(super) fn add(&mut self, rd: Reg, rs1: Reg, rs2: Reg) {
        self.op(RegOp::Add, rd, rs1, rs2);
    }

    pub(super) fn sub(&mut self, rd: Reg, rs1: Reg, rs2: Reg) {
        self.op(RegOp::Sub, rd, rs1, rs2);
    }

    pub(super) fn neg(&mut self, rd: Reg, rs: Reg) {
        self.sub(rd, Reg::ZERO, rs);
    }

    pub(super) fn branch(&mut self, condition: Condition, rs1: Reg, rs2: Reg, target: Label) {
        self.push(Inst::Branch {
            condition,
            rs1,
            rs2,
            target,
        });
    }

    pub(super) fn beqz(&mut self, rs: Reg, target: Label) {
        self.branch(Condition::Equal, rs, Reg::ZERO, target);
    }

    pub(super) fn bnez(&mut self, rs: Reg, target: Label) {
        self.branch(Condition::NotEqual, rs, Reg::ZERO, target);
    }

    pub(super) fn j(&mut self, target: Label) {
        self.push(Inst::Jump { target });
    }

    pub(super) fn lui(&mut self, rd: Reg, imm: u32) {
        self.push(Inst::LoadUpper { rd, imm });
    }

    /// `auipc rd, 0` with a label on it, for [`Emitter::jr`].
    pub(super) fn pc_address(&mut self, rd: Reg) -> Label {
        let anchor = self.label("anchor");
        self.place(anchor);
        self.push(Inst::PcAddress { rd });
        anchor
    }

    pub(super) fn jr(&mut self, base: Reg, anchor: Label, target: Label) {
        self.jr_ahead(base, anchor, target, 0);
    }

    /// `jr` to a place `ahead` bytes from `target`: where a row of slots starts at another number than 0.
    pub(super) fn jr_ahead(&mut self, base: Reg, anchor: Label, target: Label, ahead: i32) {
        self.push(Inst::JumpRegister {
            base,
            anchor,
            target,
            ahead,
        });
    }

    /// Ends a slot: what follows starts `bytes` after `start`.
    pub(super) fn slot_end(&mut self, start: Label, bytes: u32) {
        self.program.push(Item::Slot {
            start,
            bytes: bytes as i32,
        });
    }

    pub(super) fn zero_block(&mut self, base: Reg) {
        self.push(Inst::ZeroBlock { base });
    }

    pub(super) fn prefetch(&mut self, offset: i32, base: Reg) {
        self.push(Inst::Prefetch { base, offset });
    }

    /// Ends the routine, all done. With user memory that means a count of 0:
    ///
    /// ```text
    ///     lui   t0, 0x40
    ///     csrc  sstatus, t0
    ///     li    a0, 0
    ///     ret
    /// ```
    pub(super) fn ret(&mut self) {
        if self.plan.user.is_some() {
            self.sum(false);
            self.li(Reg::A0, 0);
        }
        self.push(Inst::Return);
    }

    /// Ends the routine with what is in a0.
    pub(super) fn ret_count(&mut self) {
        self.sum(false);
        self.push(Inst::Return);
    }

    /// Lets user memory be accessed, or ends that, if the routine is to do it.
    pub(super) fn sum(&mut self, on: bool) {
        if self.plan.user.as_ref().is_some_and(|user| user.sets_sum) {
            let mask = self.plan.registers.limit;
            self.push(Inst::LoadSum { rd: mask });
            self.push(Inst::Sum { on, mask });
        }
    }
}
