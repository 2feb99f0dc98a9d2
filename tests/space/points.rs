//! The points of the space, by number: first what stepped code is made of, every choice with every other; then the shapes and presets,
//! each with one thing at a time that may stand in the way of a shape; then user memory in all of these.

use memgen::{
    Count, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small, Spec, Sum, Unaligned,
    UserMemory,
};

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

const SHAPES: [Shape; 4] = [Shape::Auto, Shape::Stepped, Shape::Entered, Shape::Compact];
const PRESETS: [Preset; 5] = [
    Preset::Default,
    Preset::Fastest,
    Preset::Small,
    Preset::FastMisaligned,
    Preset::Zkvm,
];
const BLOCKS: [Count; 9] = [
    Count::Auto,
    Count::Exactly(1),
    Count::Exactly(2),
    Count::Exactly(3),
    Count::Exactly(4),
    Count::Exactly(8),
    Count::Exactly(16),
    Count::Exactly(32),
    Count::Exactly(64),
];
const SHIFT_BLOCKS: [Count; 5] = [
    Count::Auto,
    Count::Exactly(1),
    Count::Exactly(2),
    Count::Exactly(4),
    Count::Exactly(16),
];

/// What a shape may have no place for; the registers among it leave place for some.
#[derive(Clone, Copy)]
enum Obstacle {
    None,
    Avoid(&'static [&'static str]),
    Word(u32),
    Regs(u32),
    Unaligned(Unaligned),
    OverRead(OverRead),
    Small(Small),
}

const OBSTACLES: [Obstacle; 10] = [
    Obstacle::None,
    Obstacle::Avoid(&["t6"]),
    Obstacle::Avoid(&["a7"]),
    Obstacle::Avoid(&["t2"]),
    Obstacle::Avoid(&["a7", "t6"]),
    Obstacle::Word(2),
    Obstacle::Regs(1),
    Obstacle::Unaligned(Unaligned::Bytes),
    Obstacle::OverRead(OverRead::None),
    Obstacle::Small(Small::Loop),
];

const USER_OPS: [(Op, Option<UserMemory>); 4] = [
    (Op::CopyToUser, None),
    (Op::CopyFromUser, None),
    (Op::CopyFromUser, Some(UserMemory::Both)),
    (Op::ClearUser, None),
];
const USER_ISAS: [&str; 4] = ["rv64i", "rv32i", "rv32e", "rv64i_zbkb"];
const PROMISES: [(Option<Fault>, Option<FaultStyle>, Option<Sum>); 5] = [
    (None, None, None),
    (None, None, Some(Sum::On)),
    (Some(Fault::AtLeastOne), None, None),
    (Some(Fault::Coarse), None, None),
    (None, Some(FaultStyle::Efault), None),
];
const FORMS: [(Shape, Preset); 6] = [
    (Shape::Auto, Preset::Default),
    (Shape::Auto, Preset::Fastest),
    (Shape::Auto, Preset::Small),
    (Shape::Stepped, Preset::Default),
    (Shape::Compact, Preset::Default),
    (Shape::Entered, Preset::Default),
];
const USER_BLOCKS: [Count; 4] = [
    Count::Auto,
    Count::Exactly(1),
    Count::Exactly(3),
    Count::Exactly(16),
];
const USER_SHIFT_BLOCKS: [Count; 2] = [Count::Auto, Count::Exactly(2)];

fn product(sizes: &[usize]) -> u64 {
    sizes.iter().map(|size| *size as u64).product()
}

/// Points of stepped code.
fn stepped() -> u64 {
    product(&[
        OPS.len(),
        ISAS.len(),
        WORDS.len(),
        UNROLLS.len(),
        REGS.len(),
        UNALIGNED.len(),
        MISALIGNED.len(),
        OVER_READ.len(),
        SMALL.len(),
    ])
}

/// Points of the shapes.
fn shapes() -> u64 {
    product(&[
        OPS.len(),
        ISAS.len(),
        SHAPES.len(),
        PRESETS.len(),
        BLOCKS.len(),
        SHIFT_BLOCKS.len(),
        OBSTACLES.len(),
    ])
}

/// Number of points.
pub(crate) fn total() -> u64 {
    let user = product(&[
        USER_OPS.len(),
        USER_ISAS.len(),
        PROMISES.len(),
        FORMS.len(),
        USER_BLOCKS.len(),
        USER_SHIFT_BLOCKS.len(),
        OBSTACLES.len(),
    ]);
    stepped() + shapes() + user
}

/// Point number `index` of the space.
pub(crate) fn point(index: u64) -> Spec {
    if let Some(index) = index.checked_sub(stepped() + shapes()) {
        user_point(index)
    } else if let Some(index) = index.checked_sub(stepped()) {
        shape_point(index)
    } else {
        stepped_point(index)
    }
}

/// The next digit of `index`, as one of `values`.
fn take<T: Copy>(values: &[T], index: &mut u64) -> T {
    let value = values[(*index % values.len() as u64) as usize];
    *index /= values.len() as u64;
    value
}

fn stepped_point(mut index: u64) -> Spec {
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
        misaligned: Some(take(&MISALIGNED, &mut index)),
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

fn shape_point(mut index: u64) -> Spec {
    let spec = Spec {
        op: take(&OPS, &mut index),
        isa: Some(take(&ISAS, &mut index).to_owned()),
        shape: take(&SHAPES, &mut index),
        preset: take(&PRESETS, &mut index),
        unroll: take(&BLOCKS, &mut index),
        shift_unroll: take(&SHIFT_BLOCKS, &mut index),
        ..Spec::default()
    };
    with_obstacle(spec, take(&OBSTACLES, &mut index))
}

fn user_point(mut index: u64) -> Spec {
    let (op, user) = take(&USER_OPS, &mut index);
    let isa = take(&USER_ISAS, &mut index).to_owned();
    let (fault, fault_style, sum) = take(&PROMISES, &mut index);
    let (shape, preset) = take(&FORMS, &mut index);
    let spec = Spec {
        op,
        user,
        isa: Some(isa),
        fault,
        fault_style,
        sum,
        shape,
        preset,
        unroll: take(&USER_BLOCKS, &mut index),
        shift_unroll: take(&USER_SHIFT_BLOCKS, &mut index),
        ..Spec::default()
    };
    with_obstacle(spec, take(&OBSTACLES, &mut index))
}

fn with_obstacle(spec: Spec, obstacle: Obstacle) -> Spec {
    match obstacle {
        Obstacle::None => spec,
        Obstacle::Avoid(names) => Spec {
            avoid: names.iter().map(|name| (*name).to_owned()).collect(),
            ..spec
        },
        Obstacle::Word(bytes) => Spec {
            word: Some(bytes),
            ..spec
        },
        Obstacle::Regs(count) => Spec {
            regs: Count::Exactly(count),
            ..spec
        },
        Obstacle::Unaligned(unaligned) => Spec { unaligned, ..spec },
        Obstacle::OverRead(allowed) => Spec {
            overread: Some(allowed),
            ..spec
        },
        Obstacle::Small(small) => Spec { small, ..spec },
    }
}
