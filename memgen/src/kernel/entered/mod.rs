//! The shape `entered`: computed jumps into straight code. No loop runs below a block, no bit of the size is tested: one jump leads to the
//! code for the bytes at an end, one to as many steps of a ladder as there are words.

mod blocks;
mod clear;
mod clear_words;
mod ends;
mod fill;
mod fill_small;
mod fill_words;
mod fused;
mod halves;
mod head;
mod jump;
mod memcpy;
mod memmove;
mod merge;
mod merge_blocks;
mod merge_ends;
mod slots;
mod small;
mod small_slots;
mod user;
mod user_slots;
mod way;
mod words;

use super::emit::Emitter;
use crate::inst::Label;
use crate::plan::{Entered, EnteredRegs, Form};
use crate::reg::Reg;
use ends::SharedRow;
use way::Way;

pub(super) use clear::clear_user;
pub(super) use fill::entered_fill as memset;
pub(super) use memcpy::memcpy;
pub(super) use memmove::memmove;
pub(super) use user::copy_user;

/// What the plan decided for a copy.
fn decisions<'p>(e: &Emitter<'p>) -> &'p Entered {
    match &e.plan.form {
        Form::Entered(entered) => entered,
        _ => unreachable!("a copy by jumps is made for its form"),
    }
}

/// n and dst from the word boundary below dst on:
///
/// ```text
///     add   a2, a2, a4
///     sub   a3, a0, a4
/// ```
fn counted_from_boundary(e: &mut Emitter, regs: &EnteredRegs) {
    e.add(Reg::A2, Reg::A2, regs.phase);
    e.sub(regs.to, Reg::A0, regs.phase);
}

/// The slots that store the far partial word out of `carried`.
fn far_row(e: &mut Emitter, entered: &Entered, way: Way, slots: Label) {
    let regs = &entered.regs;
    let word_bytes = e.plan.word_bytes();
    e.comment(format!(
        "{}: a slot for each number of bytes outside the block stores the piece that the next has not, out of {}.",
        way.far().title(),
        regs.carried
    ));
    let row = SharedRow {
        side: way.far(),
        word_bytes,
        to: (regs.to, way.unit(0, word_bytes)),
        value: regs.carried,
        scratch: regs.scratch,
        name: way.far().name(),
        by_phase: true,
    };
    row.write(e, slots, |e| e.ret());
}

#[cfg(test)]
mod tests {
    use crate::inst::Inst;
    use crate::plan::Plan;
    use crate::spec::{Count, Op, Preset, Shape, Spec};

    /// An offset has twelve bits; the plan refuses blocks that would need more.
    #[test]
    fn every_computed_jump_is_in_reach() {
        let powers = |most: u32| (0..=most.ilog2()).map(|power| Count::Exactly(1 << power));
        let mut built = 0;
        for preset in [Preset::Default, Preset::Kernel, Preset::Fastest] {
            for (op, xlen) in [Op::Memcpy, Op::Memmove]
                .map(|op| [(op, 32), (op, 64)])
                .concat()
            {
                for unroll in powers(128) {
                    for shift_unroll in powers(128) {
                        let spec = Spec {
                            op,
                            preset,
                            xlen: Some(xlen),
                            unroll,
                            shift_unroll,
                            shape: Shape::Entered,
                            ..Spec::default()
                        };
                        let Ok(plan) = Plan::new(&spec) else { continue };
                        let program = crate::kernel::lower(&plan);
                        let addresses = program.addresses();
                        for inst in program.instructions() {
                            if let Inst::JumpRegister {
                                anchor,
                                target,
                                ahead,
                                ..
                            } = *inst
                            {
                                let offset = addresses[target.0] - addresses[anchor.0] + ahead;
                                let line = spec.command_line();
                                assert!((-2048..2048).contains(&offset), "{line}: {offset}");
                            }
                        }
                        built += 1;
                    }
                }
            }
        }
        assert!(built > 400, "only {built} could be built");
    }
}
