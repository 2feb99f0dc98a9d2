//! memset: the fill byte repeated over a word, then the moves of a copy without their loads.

use super::aligned::{bulk, head_loop, head_pieces, tail, test_small};
use super::emit::Emitter;
use super::motion::Motion;
use super::small;
use crate::inst::RegOp;
use crate::reg::Reg;
use crate::spec::Small;

/// A fill with aligned stores, cursor set.
pub(super) fn aligned(e: &mut Emitter) {
    let small = e.label("small");
    test_small(e, small);
    spread(e);
    if e.plan.small == Small::Loop {
        head_loop(e, Motion::Fill);
    } else {
        head_pieces(e, Motion::Fill);
    }
    bulk(e, Motion::Fill);
    tail(e, Motion::Fill, small);
    small::small(e, Motion::Fill, small, None);
}

/// Repeats the fill byte in every byte of a word:
///
/// ```text
///     slli  t0, a1, 8
///     or    a1, a1, t0
/// ```
pub(super) fn spread(e: &mut Emitter) {
    let limit = e.plan.registers.limit;
    let bits = e.plan.word_bytes() * 8;
    if bits > 8 {
        e.comment("The fill byte, in every byte of a word.");
    }
    let mut filled = 8;
    while filled < bits {
        e.slli(limit, Reg::A1, filled);
        e.op(RegOp::Or, Reg::A1, Reg::A1, limit);
        filled *= 2;
    }
}
