//! Computed jumps: always through t2, counted from an `auipc` whose result one register keeps where there is one to spare.

use crate::inst::Label;
use crate::kernel::emit::Emitter;
use crate::plan::EnteredRegs;
use crate::reg::Reg;

/// The address that the jumps of one way through the routine count from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    /// The register that keeps it, and where it was taken.
    kept: Option<(Reg, Label)>,
    jump: Reg,
}

impl Anchor {
    /// Takes the address here, if a register keeps it.
    ///
    /// ```text
    ///     auipc t6, 0
    /// ```
    pub(super) fn take(e: &mut Emitter, regs: &EnteredRegs) -> Anchor {
        Anchor {
            kept: regs.anchor.map(|kept| (kept, e.pc_address(kept))),
            jump: regs.jump,
        }
    }

    /// Jumps to slot `number` of the row at `slots`, whose first slot is number `first`. `number` may be the jump's register; `scratch`
    /// may be neither.
    ///
    /// ```text
    ///     slli  t2, a4, 4
    ///     add   t2, t2, t6
    ///     jr    -20(t2)
    /// ```
    pub(super) fn slot(
        &self,
        e: &mut Emitter,
        number: Reg,
        slots: Label,
        slot_bytes: u32,
        first: u32,
        scratch: Reg,
    ) {
        e.slli(self.jump, number, slot_bytes.ilog2());
        let (base, label) = self
            .kept
            .unwrap_or_else(|| (scratch, e.pc_address(scratch)));
        e.add(self.jump, self.jump, base);
        e.jr_ahead(self.jump, label, slots, -((first * slot_bytes) as i32));
    }

    /// Jumps to the place `code_bytes` before `ahead` bytes behind `end`. `between` comes behind the subtraction.
    ///
    /// ```text
    ///     sub   t2, t6, a6
    ///     jr    420(t2)
    /// ```
    pub(super) fn before(
        &self,
        e: &mut Emitter,
        code_bytes: Reg,
        end: Label,
        ahead: u32,
        between: impl FnOnce(&mut Emitter),
    ) {
        let label = match self.kept {
            Some((kept, label)) => {
                e.sub(self.jump, kept, code_bytes);
                label
            }
            None => {
                let label = e.pc_address(self.jump);
                e.sub(self.jump, self.jump, code_bytes);
                label
            }
        };
        between(e);
        e.jr_ahead(self.jump, label, end, ahead as i32);
    }
}
