//! From a Plan to a Program. The files follow the order in which bytes are copied.

mod aligned;
mod compact;
mod emit;
mod entered;
mod fill;
mod frame;
mod merge;
mod motion;
mod native;
mod native_blocks;
mod native_ends;
mod native_small;
mod recover;
mod shift;
mod small;
mod user;

use crate::inst::{Condition, Width};
use crate::plan::{Form, Plan, Strategy};
use crate::program::Program;
use crate::reg::Reg;
use crate::spec::Op;
use emit::Emitter;
use motion::Motion;

/// Makes the routine that `plan` describes; for portable Rust, the stepped routine of the same decisions.
pub fn lower(plan: &Plan) -> Program {
    let mut e = Emitter::new(plan);
    if plan.user.as_ref().is_some_and(|user| user.sets_sum) {
        e.comment("User memory may be accessed from here on.");
        e.sum(true);
    }
    match (&plan.form, plan.op) {
        (Form::Overlap(overlap), _) => native_ends::routine(&mut e, overlap),
        (Form::Compact(_), Op::Memcpy) => compact::memcpy(&mut e),
        (Form::Compact(_), Op::Memmove) => compact::memmove(&mut e),
        (Form::Compact(_), Op::Memset) => compact::memset(&mut e),
        (Form::Entered(_), Op::Memmove) => entered::memmove(&mut e),
        (Form::Entered(_), Op::CopyToUser | Op::CopyFromUser) => entered::copy_user(&mut e),
        (Form::Entered(_), _) => entered::memcpy(&mut e),
        (Form::EnteredClear(_), _) => entered::clear_user(&mut e),
        (Form::EnteredFill(_), _) => entered::memset(&mut e),
        (Form::Stepped | Form::Portable(_), Op::Memcpy) => copy(&mut e, Motion::Forward),
        (Form::Stepped | Form::Portable(_), Op::Memmove) => memmove(&mut e),
        (Form::Stepped | Form::Portable(_), Op::Memset) => memset(&mut e),
        (Form::Stepped | Form::Portable(_), Op::CopyToUser | Op::CopyFromUser) => {
            user::copy(&mut e)
        }
        (Form::Stepped | Form::Portable(_), Op::ClearUser) => user::clear(&mut e),
        (Form::Compact(_), Op::CopyToUser | Op::CopyFromUser) => compact::copy_user(&mut e),
        (Form::Compact(_), Op::ClearUser) => compact::clear_user(&mut e),
    }
    e.finish()
}

/// One direction: sets the cursors and takes the way that the plan's strategy says.
fn copy(e: &mut Emitter, motion: Motion) {
    if e.plan.strategy == Strategy::Native {
        if e.plan.op != Op::Memmove {
            let small = native::small_test(e);
            native::bulk(e, motion);
            native::small(e, motion, small);
        } else {
            native::bulk(e, motion);
        }
        return;
    }
    set_cursors(e, motion);
    aligned::copy(e, motion);
}

/// Puts the cursors at the first byte, or behind the last one for a backward copy.
fn set_cursors(e: &mut Emitter, motion: Motion) {
    let cursor = e.plan.registers.cursor;
    if motion == Motion::Backward {
        e.comment("Backward: both cursors stand behind the last byte that is left.");
        e.add(Reg::A1, Reg::A1, e.left());
        e.add(cursor, Reg::A0, e.left());
    } else {
        e.mv(cursor, Reg::A0);
    }
}

/// Chooses the direction by one unsigned comparison, then copies that way:
///
/// ```text
///     sub   t0, a0, a1
///     bltu  t0, a2, .Lback
/// ```
fn memmove(e: &mut Emitter) {
    let limit = e.plan.registers.limit;
    let small = (e.plan.strategy == Strategy::Native).then(|| native::small_test(e));
    let back = e.label("back");
    e.comment(
        "A destination that starts inside the source, dst - src < n unsigned, is copied backward; \
         anything else, dst below src included, forward.",
    );
    e.sub(limit, Reg::A0, Reg::A1);
    e.branch(Condition::Below, limit, e.left(), back);
    copy(e, Motion::Forward);
    e.place(back);
    e.prefix = "back_";
    copy(e, Motion::Backward);
    e.prefix = "";
    if let Some(small) = small {
        native::small(e, Motion::Forward, small);
    }
}

/// Reduces the fill to a byte, then fills.
fn memset(e: &mut Emitter) {
    // The packh that spreads the fill takes the low byte of c, as a store of a byte does.
    let packs = e.plan.isa.has("zbkb") && e.plan.word != Width::Byte;
    if !packs {
        e.comment("c arrives as an int: only its low byte counts.");
        e.andi(Reg::A1, Reg::A1, 255);
    }
    if e.plan.strategy == Strategy::Native {
        fill::spread(e);
        let small = native::small_test(e);
        native::native_fill(e);
        native::small(e, Motion::Fill, small);
    } else {
        set_cursors(e, Motion::Fill);
        fill::aligned(e);
    }
}
