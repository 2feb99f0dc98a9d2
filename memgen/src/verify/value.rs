//! Register values over byte provenance: each byte of a value is known to be a certain byte of the initial state,
//! a constant, or unknown; pointers are an object and an offset, never a number.

use super::decode::Alu;

/// Label of one byte: 0 to 255 is that constant, [`UNKNOWN`] says nothing, anything else names a byte of the initial state. The
/// top bit is never set.
pub(super) type Label = u16;

/// A byte about which nothing is known.
pub(super) const UNKNOWN: Label = 0x7fff;

/// Objects are placed at multiples of this and nowhere in particular: addresses are known modulo it.
pub(super) const PAGE: u64 = 4096;

/// Things a pointer can point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Base {
    /// No object: the address is a number.
    Absolute,
    Source,
    Destination,
    /// What sp points to.
    Stack,
    /// The routine's own code.
    Code,
    /// What ra points to.
    Return,
}

/// How often each object's unknown base address is part of a value: a signed byte for each [`Base`] but the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bases([i8; 5]);

impl Bases {
    /// `f` applied to each count and `other`'s; `None` where a count leaves its byte.
    fn zip(self, other: Bases, f: impl Fn(i8, i8) -> Option<i8>) -> Option<Bases> {
        let mut counts = self.0;
        for (count, other) in counts.iter_mut().zip(other.0) {
            *count = f(*count, other)?;
        }
        Some(Bases(counts))
    }

    fn pack(self) -> u64 {
        let [a, b, c, d, e] = self.0.map(i8::cast_unsigned);
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
    }

    fn unpack(packed: u64) -> Bases {
        let [a, b, c, d, e, ..] = packed.to_le_bytes();
        Bases([a, b, c, d, e].map(u8::cast_signed))
    }
}

/// The value of a register, packed so that it travels in two machine registers: either eight labels of 16 bits whose top bits are
/// clear, byte 0 lowest; or, with the topmost bit set, what [`View`] tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value(u128);

/// A value taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// A number, zero extended from the register width.
    Known(u64),
    /// Base addresses plus an offset; at least one base is part of it.
    Address { bases: Bases, offset: u64 },
    /// Known modulo a page.
    Residue(u64),
    /// A label for each byte, 16 bits each; at least one is no constant.
    Bytes(u128),
}

/// Register width in bits, with the arithmetic that depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xlen(pub(super) u32);

/// A lane of [`View::Bytes`].
const LANE: u128 = 0xffff;
/// The top bit of every lane.
const TOPS: u128 = 0x8000_8000_8000_8000_8000_8000_8000_8000;
/// [`UNKNOWN`] in every lane.
const UNKNOWN_LANES: u128 = !TOPS;

/// Tags of packed values: the topmost bit, and two below it.
const KNOWN: u128 = 0b100 << 125;
const ADDRESS: u128 = 0b101 << 125;
const RESIDUE: u128 = 0b110 << 125;

/// The top bit of each lane that is not zero.
fn occupied(lanes: u128) -> u128 {
    (lanes + UNKNOWN_LANES) & TOPS
}

/// A value's bytes as lanes.
fn spread(number: u64) -> u128 {
    number
        .to_le_bytes()
        .iter()
        .rev()
        .fold(0, |lanes, byte| lanes << 16 | u128::from(*byte))
}

/// Lanes that are all constants, as the number they make.
fn collect(lanes: u128) -> Option<u64> {
    const HIGH: u128 = 0xff00_ff00_ff00_ff00_ff00_ff00_ff00_ff00;
    (lanes & HIGH == 0).then(|| {
        let byte = |lane: u32| (lanes >> (16 * lane) & 0xff) as u64;
        (0..8)
            .rev()
            .fold(0, |number, lane| number << 8 | byte(lane))
    })
}

impl Value {
    /// A number.
    pub(super) fn known(number: u64) -> Value {
        Value(KNOWN | u128::from(number))
    }

    fn address(bases: Bases, offset: u64) -> Value {
        match bases.pack() {
            0 => Value::known(offset),
            packed => Value(ADDRESS | u128::from(packed) << 64 | u128::from(offset)),
        }
    }

    /// What is left when only the low bits can be told.
    fn from_residue(residue: u64) -> Value {
        Value(RESIDUE | u128::from(residue % PAGE))
    }

    /// From lanes; a number if all of them are constants.
    pub(super) fn from_lanes(lanes: u128) -> Value {
        collect(lanes).map_or(Value(lanes), Value::known)
    }

    /// A pointer into `base`.
    pub(super) fn pointer(base: Base, offset: u64) -> Value {
        let mut counts = [0; 5];
        match base {
            Base::Absolute => return Value::known(offset),
            _ => counts[base as usize - 1] = 1,
        }
        Value::address(Bases(counts), offset)
    }

    /// What it is.
    #[inline]
    pub(super) fn view(self) -> View {
        let low = self.0 as u64;
        match self.0 >> 125 {
            0b100 => View::Known(low),
            0b101 => View::Address {
                bases: Bases::unpack((self.0 >> 64) as u64),
                offset: low,
            },
            0b110 => View::Residue(low),
            _ => View::Bytes(self.0),
        }
    }

    /// The object pointed into and the offset, if this is a pointer or a number.
    #[inline]
    pub(super) fn place(self) -> Option<(Base, u64)> {
        let packed = (self.0 >> 64) as u64 & 0xff_ffff_ffff;
        let base = match (self.0 >> 125, packed) {
            (0b100, _) => Base::Absolute,
            (0b101, 0x1) => Base::Source,
            (0b101, 0x100) => Base::Destination,
            (0b101, 0x1_0000) => Base::Stack,
            (0b101, 0x100_0000) => Base::Code,
            (0b101, 0x1_0000_0000) => Base::Return,
            _ => return None,
        };
        Some((base, self.0 as u64))
    }

    /// A label for each byte.
    #[inline]
    pub(super) fn lanes(self, xlen: Xlen) -> u128 {
        match self.view() {
            View::Known(number) => spread(number),
            View::Bytes(lanes) => lanes,
            View::Address { .. } | View::Residue(_) => UNKNOWN_LANES & xlen.lane_mask(),
        }
    }

    /// The value modulo a page, where that is known.
    pub(super) fn residue(self) -> Option<u64> {
        match self.view() {
            View::Bytes(_) => None,
            _ => Some(self.0 as u64 % PAGE),
        }
    }

    /// Bases and offset; a number has no base.
    fn linear(self) -> Option<(Bases, u64)> {
        match self.view() {
            View::Known(number) => Some((Bases::default(), number)),
            View::Address { bases, offset } => Some((bases, offset)),
            _ => None,
        }
    }
}

impl Xlen {
    /// The bits of a register.
    #[inline]
    pub(super) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.0)
    }

    fn lane_mask(self) -> u128 {
        u128::MAX >> (128 - 2 * self.0)
    }

    fn unknown(self) -> Value {
        Value(UNKNOWN_LANES & self.lane_mask())
    }

    /// As a signed number.
    pub(super) fn signed(self, number: u64) -> i64 {
        (number << (64 - self.0)) as i64 >> (64 - self.0)
    }

    fn address(self, bases: Bases, offset: u64) -> Value {
        Value::address(bases, offset & self.mask())
    }

    /// `a op b`, at register width.
    #[inline]
    pub(super) fn alu(self, op: Alu, a: Value, b: Value) -> Value {
        match op {
            Alu::Add => self.add(a, b),
            Alu::Sub => self.sub(a, b),
            Alu::And => self.and(a, b),
            Alu::Or => self.or(a, b),
            Alu::Xor => self.xor(a, b),
            Alu::ShiftLeft => self.shift_left(a, b),
            Alu::ShiftRight => self.shift_right(a, b),
            Alu::ShiftRightSigned | Alu::Less | Alu::Below => self.numbers(op, a, b),
        }
    }

    /// Operations that need numbers.
    fn numbers(self, op: Alu, a: Value, b: Value) -> Value {
        let (View::Known(a), View::Known(b)) = (a.view(), b.view()) else {
            return self.unknown();
        };
        let number = match op {
            Alu::Less => u64::from(self.signed(a) < self.signed(b)),
            Alu::Below => u64::from(a < b),
            _ => (self.signed(a) >> (b & u64::from(self.0 - 1))) as u64,
        };
        Value::known(number & self.mask())
    }

    #[inline]
    fn add(self, a: Value, b: Value) -> Value {
        // By far the most frequent: a cursor and a step.
        if let (View::Address { bases, offset }, View::Known(step)) = (a.view(), b.view()) {
            return self.address(bases, offset.wrapping_add(step));
        }
        if let (Some((a_bases, a_offset)), Some((b_bases, b_offset))) = (a.linear(), b.linear())
            && let Some(bases) = a_bases.zip(b_bases, i8::checked_add)
        {
            return self.address(bases, a_offset.wrapping_add(b_offset));
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return Value::from_residue(a + b);
        }
        // Nothing carries where one side of each byte is zero.
        let (a, b) = (a.lanes(self), b.lanes(self));
        if occupied(a) & occupied(b) == 0 {
            Value::from_lanes(a | b)
        } else {
            self.unknown()
        }
    }

    fn sub(self, a: Value, b: Value) -> Value {
        if let Some((bases, offset)) = b.linear()
            && let Some(negated) = Bases::default().zip(bases, i8::checked_sub)
        {
            return self.add(a, self.address(negated, offset.wrapping_neg()));
        }
        match (a.residue(), b.residue()) {
            (Some(a), Some(b)) => Value::from_residue(a + PAGE - b),
            _ => self.unknown(),
        }
    }

    fn and(self, a: Value, b: Value) -> Value {
        let (value, mask) = match (a.view(), b.view()) {
            (View::Known(a), View::Known(b)) => return Value::known(a & b),
            (_, View::Known(mask)) => (a, mask),
            (View::Known(mask), _) => (b, mask),
            _ => {
                return self.bytewise(
                    a,
                    b,
                    |label, other| if label == other { label } else { UNKNOWN },
                );
            }
        };
        let low = mask % PAGE;
        match (value.view(), value.residue()) {
            (_, Some(residue)) if mask < PAGE => Value::known(residue & mask),
            // Rounding down to a power of two within a page: bases are multiples of it.
            (View::Address { bases, offset }, _)
                if mask | (PAGE - 1) == self.mask() && (PAGE - low).is_power_of_two() =>
            {
                self.address(bases, offset & mask)
            }
            (_, Some(residue)) => Value::from_residue(residue & low),
            _ => self.bytewise(a, b, |label, other| match (label, other) {
                (0, _) | (_, 0) => 0,
                (0xff, kept) | (kept, 0xff) => kept,
                _ => UNKNOWN,
            }),
        }
    }

    #[inline]
    fn or(self, a: Value, b: Value) -> Value {
        if let (View::Known(a), View::Known(b)) = (a.view(), b.view()) {
            return Value::known(a | b);
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return Value::from_residue(a | b);
        }
        let (a_lanes, b_lanes) = (a.lanes(self), b.lanes(self));
        if occupied(a_lanes) & occupied(b_lanes) == 0 {
            return Value::from_lanes(a_lanes | b_lanes);
        }
        self.bytewise(a, b, |label, other| match (label, other) {
            (0xff, _) | (_, 0xff) => 0xff,
            (0, kept) | (kept, 0) => kept,
            _ if label == other => label,
            _ => UNKNOWN,
        })
    }

    fn xor(self, a: Value, b: Value) -> Value {
        if let (View::Known(a), View::Known(b)) = (a.view(), b.view()) {
            return Value::known(a ^ b);
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return Value::from_residue(a ^ b);
        }
        self.bytewise(a, b, |label, other| match (label, other) {
            (0, kept) | (kept, 0) => kept,
            _ if label == other && label != UNKNOWN => 0,
            _ => UNKNOWN,
        })
    }

    /// Byte by byte, by `rule`.
    fn bytewise(self, a: Value, b: Value, rule: impl Fn(Label, Label) -> Label) -> Value {
        let (a, b) = (a.lanes(self), b.lanes(self));
        let label = |lanes: u128, lane: u32| (lanes >> (16 * lane) & LANE) as Label;
        let lanes = (0..self.0 / 8).rev().fold(0, |lanes, lane| {
            lanes << 16 | u128::from(rule(label(a, lane), label(b, lane)))
        });
        Value::from_lanes(lanes)
    }

    #[inline]
    fn shift_left(self, a: Value, count: Value) -> Value {
        let Some(count) = self.count(count) else {
            return self.unknown();
        };
        match a.view() {
            View::Known(number) => Value::known(number << count & self.mask()),
            View::Address { bases, offset } => {
                let factor = 1_i8.checked_shl(count).filter(|factor| *factor > 0);
                let scaled = factor
                    .and_then(|factor| bases.zip(bases, |count, _| count.checked_mul(factor)));
                match scaled {
                    Some(bases) => self.address(bases, offset << count),
                    None => Value::from_residue(offset << count),
                }
            }
            View::Residue(residue) => Value::from_residue(residue << count),
            View::Bytes(lanes) if count % 8 == 0 => {
                Value::from_lanes(lanes << (2 * count) & self.lane_mask())
            }
            View::Bytes(_) => self.unknown(),
        }
    }

    #[inline]
    fn shift_right(self, a: Value, count: Value) -> Value {
        match (a.view(), self.count(count)) {
            (View::Known(number), Some(count)) => Value::known(number >> count),
            (View::Bytes(lanes), Some(count)) if count % 8 == 0 => {
                Value::from_lanes(lanes >> (2 * count))
            }
            _ => self.unknown(),
        }
    }

    /// A shift count: its low 5 or 6 bits, which a residue tells as well.
    fn count(self, count: Value) -> Option<u32> {
        count.residue().map(|count| count as u32 & (self.0 - 1))
    }

    /// The low `bytes` bytes with the sign repeated above them: known only where the top one is.
    #[inline]
    pub(super) fn sign_extend(self, value: Value, bytes: u32) -> Value {
        if bytes * 8 == self.0 {
            return value;
        }
        let low = u128::MAX >> (128 - 16 * bytes);
        let lanes = value.lanes(self) & low;
        let fill = match (lanes >> (16 * (bytes - 1))) as Label {
            0..=0x7f => 0,
            0x80..=0xff => spread(u64::MAX),
            _ => UNKNOWN_LANES,
        };
        Value::from_lanes((lanes | (fill & !low)) & self.lane_mask())
    }

    /// `a op b` on the low 32 bits, the result sign extended.
    pub(super) fn alu_word(self, op: Alu, a: Value, b: Value) -> Value {
        let word = Xlen(32);
        let truncate = |value: Value| match value.view() {
            View::Known(number) => Value::known(number & word.mask()),
            View::Bytes(lanes) => Value::from_lanes(lanes & word.lane_mask()),
            View::Address { offset, .. } => Value::from_residue(offset),
            View::Residue(_) => value,
        };
        let result = word.alu(op, truncate(a), truncate(b));
        match result.view() {
            View::Residue(_) => result,
            _ => self.sign_extend(result, 4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RV64: Xlen = Xlen(64);

    fn labels(labels: [Label; 8]) -> Value {
        Value::from_lanes(
            labels
                .iter()
                .rev()
                .fold(0, |lanes, label| lanes << 16 | u128::from(*label)),
        )
    }

    #[test]
    fn merging_shifted_words_keeps_every_label() {
        let low = labels([
            0x4000, 0x4001, 0x4002, 0x4003, 0x4004, 0x4005, 0x4006, 0x4007,
        ]);
        let high = labels([
            0x4008, 0x4009, 0x400a, 0x400b, 0x400c, 0x400d, 0x400e, 0x400f,
        ]);
        let down = RV64.alu(Alu::ShiftRight, low, Value::known(24));
        let up = RV64.alu(Alu::ShiftLeft, high, Value::known(64 - 24));
        let merged = labels([
            0x4003, 0x4004, 0x4005, 0x4006, 0x4007, 0x4008, 0x4009, 0x400a,
        ]);
        assert_eq!(RV64.alu(Alu::Or, down, up), merged);
        assert_eq!(RV64.alu(Alu::Add, down, up), merged);
        assert_eq!(RV64.alu(Alu::Or, low, high), RV64.unknown());
        assert_eq!(
            RV64.alu(Alu::ShiftRight, low, Value::known(4)),
            RV64.unknown()
        );
    }

    #[test]
    fn pointers_are_not_numbers() {
        let source = Value::pointer(Base::Source, 0x1003);
        let destination = Value::pointer(Base::Destination, 0x2005);
        let difference = RV64.alu(Alu::Sub, source, destination);
        assert_eq!(
            RV64.alu(Alu::And, difference, Value::known(7)),
            Value::known(6)
        );
        assert_eq!(
            RV64.alu(Alu::Sub, source, Value::pointer(Base::Source, 0x1000)),
            Value::known(3)
        );
        assert_eq!(
            RV64.alu(Alu::And, source, Value::known(!7)),
            Value::pointer(Base::Source, 0x1000)
        );
        // Clearing a bit inside the page is not rounding: only the residue is known then.
        assert_eq!(
            RV64.alu(Alu::And, source, Value::known(-264_i64 as u64)),
            Value::from_residue(0)
        );
        assert_eq!(
            RV64.alu(Alu::ShiftLeft, Value::known(1), source),
            Value::known(8)
        );
        assert_eq!(RV64.alu(Alu::Below, source, destination), RV64.unknown());
    }

    #[test]
    fn word_operations_extend_the_sign() {
        let loaded = labels([
            0x4000, 0x4001, 0x4002, 0x4003, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
        ]);
        let down = RV64.alu_word(Alu::ShiftRight, loaded, Value::known(8));
        assert_eq!(down, labels([0x4001, 0x4002, 0x4003, 0, 0, 0, 0, 0]));
        assert_eq!(
            RV64.alu_word(Alu::Add, Value::known(0x7fff_ffff), Value::known(1)),
            Value::known(0xffff_ffff_8000_0000)
        );
        assert_eq!(
            Xlen(32).alu(Alu::Add, Value::known(0xffff_ffff), Value::known(1)),
            Value::known(0)
        );
    }
}
