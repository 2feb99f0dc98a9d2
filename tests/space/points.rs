//! The points of the space, by number.

use memgen::{Count, Misaligned, Op, OverRead, Small, Spec, Unaligned};

const OPS: [Op; 3] = [Op::Memcpy, Op::Memmove, Op::Memset];
pub(crate) const ISAS: [&str; 6] = ["rv64i", "rv32i", "rv64e", "rv32e", "rv64i_zbkb", "rv32im"];
const WORDS: [u32; 4] = [8, 4, 2, 1];
const UNROLLS: [u32; 8] = [1, 2, 3, 4, 5, 8, 16, 32];
const UNALIGNED: [Unaligned; 4] = [
    Unaligned::Auto,
    Unaligned::Shift,
    Unaligned::Bytes,
    Unaligned::Native,
];
const MISALIGNED: [Misaligned; 3] = [Misaligned::None, Misaligned::Slow, Misaligned::Fast];
const OVER_READ: [OverRead; 2] = [OverRead::Word, OverRead::None];
const SMALL: [Small; 3] = [Small::Ladder, Small::Loop, Small::Jump];

/// How many data registers: a number, or relative to what the base leaves caller-saved.
#[derive(Clone, Copy)]
enum Regs {
    Auto,
    Exactly(u32),
    CallerSavedPlus(u32),
}

const REGS: [Regs; 8] = [
    Regs::Auto,
    Regs::Exactly(1),
    Regs::Exactly(2),
    Regs::Exactly(4),
    Regs::Exactly(7),
    Regs::Exactly(10),
    Regs::CallerSavedPlus(0),
    Regs::CallerSavedPlus(2),
];

/// Number of points.
pub(crate) fn total() -> u64 {
    let sizes = [
        OPS.len(),
        ISAS.len(),
        WORDS.len(),
        UNROLLS.len(),
        REGS.len(),
        UNALIGNED.len(),
        MISALIGNED.len(),
        OVER_READ.len(),
        SMALL.len(),
    ];
    sizes.iter().map(|size| *size as u64).product()
}

/// Point number `index` of the space.
pub(crate) fn point(mut index: u64) -> Spec {
    fn take<T: Copy>(values: &[T], index: &mut u64) -> T {
        let value = values[(*index % values.len() as u64) as usize];
        *index /= values.len() as u64;
        value
    }
    let op = take(&OPS, &mut index);
    let isa = take(&ISAS, &mut index);
    let caller_saved = if isa.ends_with('e') { 4 } else { 10 };
    let spec = Spec {
        op,
        isa: Some(isa.to_owned()),
        word: Some(take(&WORDS, &mut index)),
        unroll: Count::Exactly(take(&UNROLLS, &mut index)),
        regs: match take(&REGS, &mut index) {
            Regs::Auto => Count::Auto,
            Regs::Exactly(count) => Count::Exactly(count),
            Regs::CallerSavedPlus(more) => Count::Exactly(caller_saved + more),
        },
        unaligned: take(&UNALIGNED, &mut index),
        misaligned: take(&MISALIGNED, &mut index),
        overread: Some(take(&OVER_READ, &mut index)),
        small: take(&SMALL, &mut index),
        ..Spec::default()
    };
    // memset knows no source: the flag stands at its default there, or the point is refused.
    match (op, spec.overread) {
        (Op::Memset, Some(OverRead::Word)) => Spec {
            overread: None,
            ..spec
        },
        _ => spec,
    }
}
