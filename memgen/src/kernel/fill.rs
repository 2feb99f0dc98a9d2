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

/// Repeats the fill byte in every byte of a word, with Zbkb by packing a value with itself:
///
/// ```text
///     slli  t0, a1, 8          packh a1, a1, a1
///     or    a1, a1, t0         packw a1, a1, a1
///     ...                      pack  a1, a1, a1
/// ```
///
/// A multiplication by 0x0101… would save nothing: the constant alone takes as many instructions.
pub(super) fn spread(e: &mut Emitter) {
    let limit = e.plan.registers.limit;
    let bits = e.plan.word_bytes() * 8;
    if bits > 8 {
        e.comment("The fill byte, in every byte of a word.");
    }
    let mut filled = 8;
    while filled < bits {
        if e.plan.isa.has("zbkb") {
            let op = match filled {
                8 => RegOp::PackBytes,
                _ if 2 * filled == e.plan.isa.xlen => RegOp::Pack,
                _ => RegOp::PackHalves,
            };
            e.op(op, Reg::A1, Reg::A1, Reg::A1);
        } else {
            e.slli(limit, Reg::A1, filled);
            e.op(RegOp::Or, Reg::A1, Reg::A1, limit);
        }
        filled *= 2;
    }
}
