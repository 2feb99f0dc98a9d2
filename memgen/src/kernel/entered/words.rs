//! Source and destination co-aligned modulo a unit, a word or half of one: the partial unit at the near end, whole units by a ladder
//! that a jump enters, the partial unit at the far end.

use super::ends::{Part, PieceTests, SHARED_SLOT_BYTES};
use super::jump::Anchor;
use super::slots::Row;
use super::way::Way;
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::plan::{COPY_STEP_BYTES, Ends, Entered, EnteredRegs};
use crate::reg::Reg;

/// Bytes of code of a slot: three pieces, and the way on.
pub(super) const SLOT_BYTES: u32 = 32;

/// A copy by units in one direction.
pub(super) struct Words<'p> {
    pub(super) entered: &'p Entered,
    pub(super) way: Way,
    pub(super) unit: Width,
    /// The most whole units that the ladder is entered for.
    pub(super) units: u32,
    /// What a unit is called.
    pub(super) name: &'static str,
    pub(super) anchor: Anchor,
    pub(super) ladder_end: Label,
    /// Where the ladder stores unit 1 and up.
    pub(super) steps: Vec<Label>,
    pub(super) fused_slots: Label,
}

impl<'p> Words<'p> {
    /// Starts it: jumps count from here.
    pub(super) fn start(
        e: &mut Emitter<'p>,
        entered: &'p Entered,
        way: Way,
        unit: Width,
        units: u32,
        name: &'static str,
    ) -> Words<'p> {
        Words {
            anchor: Anchor::take(e, &entered.regs),
            entered,
            way,
            unit,
            units,
            name,
            ladder_end: e.label(&format!("{name}_0")),
            steps: (1..units)
                .map(|index| e.label(&format!("{name}_{index}")))
                .collect(),
            fused_slots: e.label(&format!("{name}s_{}_bytes", entered.small_bytes + 1)),
        }
    }

    pub(super) fn regs(&self) -> &'p EnteredRegs {
        &self.entered.regs
    }

    pub(super) fn unit_bytes(&self) -> u32 {
        self.unit.bytes()
    }

    pub(super) fn near_name(&self) -> &'static str {
        self.way.near().name()
    }

    /// Two registers take turns between load and store.
    pub(super) fn turn(&self, index: u32) -> Reg {
        [self.regs().carried, self.regs().right][index as usize % 2]
    }

    /// Offset of the last whole unit from the near boundary.
    fn last_unit(&self) -> i32 {
        self.way.ahead(0, self.unit_bytes())
    }

    /// From the count of bytes in a2 to the ladder, by way of the near partial unit if there is one. `long` is for more whole units than
    /// the ladder has; without it, they have been tested.
    ///
    /// ```text
    ///     andi  t1, a2, -8
    ///     add   a6, a5, t1
    ///     andi  t2, a2, 7
    ///     bnez  t2, .Ltail
    /// .Lenter:
    ///     ld    t0, -8(a6)
    ///     ld    t3, -8(a6)
    ///     sub   t2, t6, t1
    ///     jr    300(t2)
    /// ```
    pub(super) fn enter(&self, e: &mut Emitter, long: Option<Label>) -> Label {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        let (near, enter) = (
            e.label(&format!("{}_{}", self.name, self.way.near().name())),
            e.label(&format!("{}_enter", self.name)),
        );
        e.comment(format!(
            "{} = bytes of whole {}s, {} = where they {} in the source. First the {} beyond, if there is one.",
            regs.scratch,
            self.name,
            regs.inner,
            self.way.edge(),
            self.near_name()
        ));
        e.andi(regs.scratch, Reg::A2, -(unit_bytes as i32));
        self.way.back(e, regs.inner, regs.from, regs.scratch);
        e.andi(regs.jump, Reg::A2, unit_bytes as i32 - 1);
        e.bnez(regs.jump, near);
        e.place(enter);
        let ladder = e.label(&format!("{}_ladder", self.name));
        if let Some(long) = long {
            let ladder_bytes = self.units * unit_bytes;
            e.comment(format!(
                "Above {ladder_bytes} bytes, the {} {}s of the ladder, blocks come first.",
                self.units, self.name
            ));
            e.li(regs.jump, ladder_bytes as i32);
            e.branch(Condition::Below, regs.jump, regs.scratch, long);
            e.place(ladder);
        }
        e.comment(format!(
            "A jump into the ladder, {COPY_STEP_BYTES} bytes of code for each {}. Both registers get the {0} that comes first: either may \
             be the one that is stored.",
            self.name
        ));
        self.jump_to_ladder(e);
        e.place(near);
        self.near(e, enter, long.is_some());
        ladder
    }

    /// Both registers get the last whole unit: either may be the one that the ladder stores first.
    fn jump_to_ladder(&self, e: &mut Emitter) {
        let regs = self.regs();
        e.load(self.unit, self.turn(0), self.last_unit(), regs.inner);
        e.load(self.unit, self.turn(1), self.last_unit(), regs.inner);
        let code_bytes = match COPY_STEP_BYTES / self.unit_bytes() {
            1 => regs.scratch,
            scale => {
                e.slli(regs.words, regs.scratch, scale.ilog2());
                regs.words
            }
        };
        self.anchor
            .before(e, code_bytes, self.ladder_end, COPY_STEP_BYTES, |_| {});
    }

    /// The near partial unit, then on to the ladder.
    fn near(&self, e: &mut Emitter, enter: Label, returns: bool) {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        let slots = e.label(&format!("{}_{}_1", self.name, self.near_name()));
        let at = self.way.beyond(unit_bytes);
        let leave = |e: &mut Emitter| match returns {
            true => e.j(enter),
            false => self.jump_to_ladder(e),
        };
        e.comment(match self.entered.ends {
            Ends::Shared => format!(
                "{}: at most {} bytes, by the bits of their count.",
                self.way.near().title(),
                unit_bytes - 1
            ),
            Ends::Inline => format!(
                "{}: a slot for each count of bytes.",
                self.way.near().title()
            ),
        });
        self.way.back(e, Reg::A2, regs.to, regs.scratch);
        if self.entered.ends == Ends::Shared {
            e.load(self.unit, regs.left, at, regs.inner);
            let tests = PieceTests {
                side: self.way.near(),
                word_bytes: unit_bytes,
                to: Reg::A2,
                count: regs.jump,
                value: regs.left,
                scratch: regs.out,
            };
            return tests.write(e, enter);
        }
        self.anchor
            .slot(e, regs.jump, slots, SLOT_BYTES, 1, regs.right);
        let mut row = Row::new(e, slots, SLOT_BYTES);
        for number in 1..unit_bytes {
            let part = Part {
                side: self.way.near(),
                bytes: number,
                word_bytes: unit_bytes,
                to: (Reg::A2, at),
                from: (regs.inner, at),
            };
            row.slot(e, |e| {
                part.copy(e, &[regs.left, regs.out, regs.jump]);
                leave(e);
            });
        }
        row.finish(e);
    }

    pub(super) fn step(&self, index: u32) -> Label {
        match index {
            0 => self.ladder_end,
            _ => self.steps[index as usize - 1],
        }
    }

    /// The ladder, and behind it unit 0, whole or in part. `far` are slots that store the part out of its unit.
    pub(super) fn ladder(&self, e: &mut Emitter, far: Option<Label>) {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        e.comment(format!(
            "The ladder: {}s {}, two registers in turn, so that none is stored right after its load.",
            self.name,
            self.way.order()
        ));
        for index in (1..self.units).rev() {
            e.place(self.step(index));
            let next = self.way.unit(index - 1, unit_bytes);
            e.load(self.unit, self.turn(index - 1), next, regs.from);
            let at = self.way.unit(index, unit_bytes);
            e.store(self.unit, self.turn(index), at, regs.to);
        }
        let part = e.label(&format!("{}_{}", self.name, self.way.far().name()));
        let at = self.way.unit(0, unit_bytes);
        e.comment(format!(
            "The last {}: whole, or the {} in it.",
            self.name,
            self.way.far().name()
        ));
        e.place(self.ladder_end);
        e.bnez(regs.phase, part);
        e.store(self.unit, self.turn(0), at, regs.to);
        e.ret();
        e.place(part);
        match far {
            Some(slots) => {
                self.anchor
                    .slot(e, regs.phase, slots, SHARED_SLOT_BYTES, 1, regs.scratch);
            }
            None => self.far(e, |e| e.ret()),
        }
    }

    /// Moves the far partial unit by a slot for each phase; `leave` ends it.
    pub(super) fn far(&self, e: &mut Emitter, leave: impl Fn(&mut Emitter)) {
        let (regs, unit_bytes) = (self.regs(), self.unit_bytes());
        let at = self.way.unit(0, unit_bytes);
        let slots = e.label(&format!("{}_{}_1", self.name, self.way.far().name()));
        let slot_bytes = self.entered.last_slot_bytes(SLOT_BYTES);
        self.anchor
            .slot(e, regs.phase, slots, slot_bytes, 1, regs.scratch);
        let mut row = Row::new(e, slots, slot_bytes);
        for phase in 1..unit_bytes {
            let part = Part {
                side: self.way.far(),
                bytes: unit_bytes - phase,
                word_bytes: unit_bytes,
                to: (regs.to, at),
                from: (regs.from, at),
            };
            row.slot(e, |e| {
                part.copy(e, &[regs.inner, regs.out, regs.scratch]);
                leave(e);
            });
        }
        row.finish(e);
    }
}
