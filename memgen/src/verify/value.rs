//! Register values over byte provenance: each byte of a value is known to be a certain byte of the initial state,
//! a constant, or unknown; pointers are an object and an offset, never a number.

use super::decode::Alu;

/// Label of one byte: 0 to 255 is that constant, [`UNKNOWN`] says nothing, anything else names a byte of the initial state.
pub(super) type Label = u16;

/// A byte about which nothing is known.
pub(super) const UNKNOWN: Label = 0xffff;

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

/// How often each object's unknown base address is part of a value, by [`Base`].
pub(super) type Bases = [i8; 8];

/// One base, once.
fn unit(base: Base) -> Bases {
    let mut bases = Bases::default();
    bases[base as usize] = 1;
    bases
}

/// The value of a register. The tag takes a whole word: with a byte, copies straddle it and stall.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u64)]
pub(super) enum Value {
    /// A number, zero extended from the register width.
    Known(u64),
    /// Base addresses plus an offset; at least one base is part of it.
    Address { bases: Bases, offset: u64 },
    /// Known modulo a page.
    Residue(u16),
    /// A label for each byte, 16 bits each, byte 0 lowest.
    Bytes(u128),
}

/// Register width in bits, with the arithmetic that depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xlen(pub(super) u32);

/// A lane of [`Value::Bytes`].
const LANE: u128 = 0xffff;
/// The top bit of every lane.
const TOPS: u128 = 0x8000_8000_8000_8000_8000_8000_8000_8000;

/// The top bit of each lane that is not zero.
fn occupied(lanes: u128) -> u128 {
    (((lanes & !TOPS) + !TOPS) | lanes) & TOPS
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
        (0..8).rev().fold(0, |number, lane| {
            number << 8 | (lanes >> (16 * lane) & 0xff) as u64
        })
    })
}

impl Value {
    /// A pointer into `base`.
    pub(super) fn pointer(base: Base, offset: u64) -> Value {
        match base {
            Base::Absolute => Value::Known(offset),
            _ => Value::Address {
                bases: unit(base),
                offset,
            },
        }
    }

    /// The object pointed into and the offset, if this is a pointer or a number.
    pub(super) fn place(self) -> Option<(Base, u64)> {
        match self {
            Value::Known(address) => Some((Base::Absolute, address)),
            Value::Address { bases, offset } => {
                // One comparison of a word each.
                let packed = u64::from_le_bytes(bases.map(i8::cast_unsigned));
                let base = match packed.checked_ilog2()? {
                    8 => Base::Source,
                    16 => Base::Destination,
                    24 => Base::Stack,
                    32 => Base::Code,
                    40 => Base::Return,
                    _ => return None,
                };
                packed.is_power_of_two().then_some((base, offset))
            }
            _ => None,
        }
    }

    /// From lanes; a number if all of them are constants.
    pub(super) fn from_lanes(lanes: u128) -> Value {
        match collect(lanes) {
            Some(number) => Value::Known(number),
            None => Value::Bytes(lanes),
        }
    }

    /// A label for each byte.
    pub(super) fn lanes(self, xlen: Xlen) -> u128 {
        match self {
            Value::Known(number) => spread(number),
            Value::Bytes(lanes) => lanes,
            Value::Address { .. } | Value::Residue(_) => xlen.unknown(),
        }
    }

    /// The value modulo a page, where that is known.
    pub(super) fn residue(self) -> Option<u64> {
        match self {
            Value::Known(number) => Some(number % PAGE),
            Value::Address { offset, .. } => Some(offset % PAGE),
            Value::Residue(residue) => Some(u64::from(residue)),
            Value::Bytes(_) => None,
        }
    }

    /// Bases and offset; a number has no base.
    fn linear(self) -> Option<(Bases, u64)> {
        match self {
            Value::Known(number) => Some((Bases::default(), number)),
            Value::Address { bases, offset } => Some((bases, offset)),
            _ => None,
        }
    }
}

impl Xlen {
    /// The bits of a register.
    pub(super) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.0)
    }

    fn lane_mask(self) -> u128 {
        u128::MAX >> (128 - 2 * self.0)
    }

    fn unknown(self) -> u128 {
        self.lane_mask()
    }

    /// As a signed number.
    pub(super) fn signed(self, number: u64) -> i64 {
        (number << (64 - self.0)) as i64 >> (64 - self.0)
    }

    fn address(self, bases: Bases, offset: u64) -> Value {
        let offset = offset & self.mask();
        if bases == Bases::default() {
            Value::Known(offset)
        } else {
            Value::Address { bases, offset }
        }
    }

    /// What is left when only the low bits can be told.
    fn residue(self, residue: Option<u64>) -> Value {
        match residue {
            Some(residue) => Value::Residue((residue % PAGE) as u16),
            None => Value::Bytes(self.unknown()),
        }
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
        let (Value::Known(a), Value::Known(b)) = (a, b) else {
            return Value::Bytes(self.unknown());
        };
        let number = match op {
            Alu::Less => u64::from(self.signed(a) < self.signed(b)),
            Alu::Below => u64::from(a < b),
            _ => (self.signed(a) >> (b & u64::from(self.0 - 1))) as u64,
        };
        Value::Known(number & self.mask())
    }

    #[inline]
    fn add(self, a: Value, b: Value) -> Value {
        // By far the most frequent: a cursor and a step.
        if let (Value::Address { bases, offset }, Value::Known(step)) = (a, b) {
            let offset = offset.wrapping_add(step) & self.mask();
            return Value::Address { bases, offset };
        }
        if let (Some((a_bases, a_offset)), Some((b_bases, b_offset))) = (a.linear(), b.linear()) {
            let mut bases = a_bases;
            let fits =
                bases
                    .iter_mut()
                    .zip(b_bases)
                    .all(|(base, other)| match base.checked_add(other) {
                        Some(sum) => {
                            *base = sum;
                            true
                        }
                        None => false,
                    });
            if fits {
                return self.address(bases, a_offset.wrapping_add(b_offset));
            }
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return self.residue(Some(a + b));
        }
        // Nothing carries where one side of each byte is zero.
        let (a, b) = (a.lanes(self), b.lanes(self));
        if occupied(a) & occupied(b) == 0 {
            Value::from_lanes(a | b)
        } else {
            Value::Bytes(self.unknown())
        }
    }

    fn sub(self, a: Value, b: Value) -> Value {
        match (b.linear(), b.residue()) {
            (Some((bases, offset)), _) => {
                let bases = bases.map(i8::wrapping_neg);
                self.add(a, self.address(bases, offset.wrapping_neg()))
            }
            (None, Some(residue)) => self.residue(a.residue().map(|a| a + PAGE - residue)),
            (None, None) => Value::Bytes(self.unknown()),
        }
    }

    fn and(self, a: Value, b: Value) -> Value {
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(a & b);
        }
        let (value, mask) = match (a, b) {
            (value, Value::Known(mask)) | (Value::Known(mask), value) => (value, mask),
            _ => return self.bytewise(a, b, |_, _| UNKNOWN),
        };
        match (value, value.residue()) {
            (_, Some(residue)) if mask < PAGE => Value::Known(residue & mask),
            // Rounding down to a power of two within a page: bases are multiples of it.
            (Value::Address { bases, offset }, _) if mask | (PAGE - 1) == self.mask() => {
                let low = mask & (PAGE - 1);
                let rounds = (PAGE - low).is_power_of_two();
                if rounds {
                    self.address(bases, offset & mask)
                } else {
                    self.residue(Some(offset & low))
                }
            }
            (_, Some(residue)) => self.residue(Some(residue & mask)),
            _ => self.bytewise(a, b, |label, other| match (label, other) {
                (0, _) | (_, 0) => 0,
                (0xff, kept) | (kept, 0xff) => kept,
                _ => UNKNOWN,
            }),
        }
    }

    fn or(self, a: Value, b: Value) -> Value {
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(a | b);
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return self.residue(Some(a | b));
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
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(a ^ b);
        }
        if let (Some(a), Some(b)) = (a.residue(), b.residue()) {
            return self.residue(Some(a ^ b));
        }
        self.bytewise(a, b, |label, other| match (label, other) {
            (0, kept) | (kept, 0) => kept,
            _ if label == other && label != UNKNOWN => 0,
            _ => UNKNOWN,
        })
    }

    /// Byte by byte: constants by their labels where `rule` says so, else [`UNKNOWN`].
    fn bytewise(self, a: Value, b: Value, rule: impl Fn(Label, Label) -> Label) -> Value {
        let (a, b) = (a.lanes(self), b.lanes(self));
        let lanes = (0..self.0 / 8).rev().fold(0, |lanes, lane| {
            let (label, other) = (
                (a >> (16 * lane) & LANE) as Label,
                (b >> (16 * lane) & LANE) as Label,
            );
            lanes << 16 | u128::from(rule(label, other))
        });
        Value::from_lanes(lanes)
    }

    #[inline]
    fn shift_left(self, a: Value, count: Value) -> Value {
        let Some(count) = self.count(count) else {
            return Value::Bytes(self.unknown());
        };
        match a {
            Value::Known(number) => Value::Known(number << count & self.mask()),
            Value::Address { bases, offset } => {
                let factor = 1_i8.checked_shl(count).filter(|factor| *factor > 0);
                let scaled = factor.and_then(|factor| {
                    let mut scaled = bases;
                    scaled
                        .iter_mut()
                        .all(|base| base.checked_mul(factor).map(|new| *base = new).is_some())
                        .then_some(scaled)
                });
                match scaled {
                    Some(bases) => self.address(bases, offset << count),
                    None => self.residue(Some(offset << count)),
                }
            }
            Value::Residue(residue) => self.residue(Some(u64::from(residue) << count)),
            Value::Bytes(lanes) if count % 8 == 0 => {
                Value::from_lanes(lanes << (2 * count) & self.lane_mask())
            }
            Value::Bytes(_) => Value::Bytes(self.unknown()),
        }
    }

    #[inline]
    fn shift_right(self, a: Value, count: Value) -> Value {
        match (a, self.count(count)) {
            (Value::Known(number), Some(count)) => Value::Known(number >> count),
            (Value::Bytes(lanes), Some(count)) if count % 8 == 0 => {
                Value::from_lanes(lanes >> (2 * count))
            }
            _ => Value::Bytes(self.unknown()),
        }
    }

    /// A shift count: its low 5 or 6 bits, which a residue tells as well.
    fn count(self, count: Value) -> Option<u32> {
        count.residue().map(|count| count as u32 & (self.0 - 1))
    }

    /// The low `bytes` bytes with the sign repeated above them: known only where the top one is.
    pub(super) fn sign_extend(self, value: Value, bytes: u32) -> Value {
        if bytes * 8 == self.0 {
            return value;
        }
        let low = u128::MAX >> (128 - 16 * bytes);
        let lanes = value.lanes(self) & low;
        let fill = match (lanes >> (16 * (bytes - 1))) as Label {
            0..=0x7f => 0,
            0x80..=0xff => spread(u64::MAX),
            _ => u128::MAX,
        };
        Value::from_lanes((lanes | (fill & !low)) & self.lane_mask())
    }

    /// `a op b` on the low 32 bits, the result sign extended.
    pub(super) fn alu_word(self, op: Alu, a: Value, b: Value) -> Value {
        let word = Xlen(32);
        let truncate = |value: Value| match value {
            Value::Known(number) => Value::Known(number & word.mask()),
            other => match (other, other.residue()) {
                (Value::Bytes(lanes), _) => Value::from_lanes(lanes & word.lane_mask()),
                (_, residue) => word.residue(residue),
            },
        };
        let result = word.alu(op, truncate(a), truncate(b));
        match (result, result.residue()) {
            (Value::Residue(_), residue) => self.residue(residue),
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
        let down = RV64.alu(Alu::ShiftRight, low, Value::Known(24));
        let up = RV64.alu(Alu::ShiftLeft, high, Value::Known(64 - 24));
        let merged = labels([
            0x4003, 0x4004, 0x4005, 0x4006, 0x4007, 0x4008, 0x4009, 0x400a,
        ]);
        assert_eq!(RV64.alu(Alu::Or, down, up), merged);
        assert_eq!(RV64.alu(Alu::Add, down, up), merged);
        assert_eq!(RV64.alu(Alu::Or, low, high), Value::Bytes(u128::MAX));
        assert_eq!(
            RV64.alu(Alu::ShiftRight, low, Value::Known(4)),
            Value::Bytes(u128::MAX)
        );
    }

    #[test]
    fn pointers_are_not_numbers() {
        let source = Value::pointer(Base::Source, 0x1003);
        let destination = Value::pointer(Base::Destination, 0x2005);
        let difference = RV64.alu(Alu::Sub, source, destination);
        assert_eq!(
            RV64.alu(Alu::And, difference, Value::Known(7)),
            Value::Known(6)
        );
        assert_eq!(
            RV64.alu(Alu::Sub, source, Value::pointer(Base::Source, 0x1000)),
            Value::Known(3)
        );
        assert_eq!(
            RV64.alu(Alu::And, source, Value::Known(!7)),
            Value::pointer(Base::Source, 0x1000)
        );
        // Clearing a bit inside the page is not rounding: only the residue is known then.
        assert_eq!(
            RV64.alu(Alu::And, source, Value::Known(-264_i64 as u64)),
            Value::Residue(3)
        );
        assert_eq!(
            RV64.alu(Alu::ShiftLeft, Value::Known(1), source),
            Value::Known(8)
        );
        assert_eq!(
            RV64.alu(Alu::Below, source, destination),
            Value::Bytes(u128::MAX)
        );
    }

    #[test]
    fn word_operations_extend_the_sign() {
        let loaded = labels([
            0x4000, 0x4001, 0x4002, 0x4003, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
        ]);
        let down = RV64.alu_word(Alu::ShiftRight, loaded, Value::Known(8));
        assert_eq!(down, labels([0x4001, 0x4002, 0x4003, 0, 0, 0, 0, 0]));
        assert_eq!(
            RV64.alu_word(Alu::Add, Value::Known(0x7fff_ffff), Value::Known(1)),
            Value::Known(0xffff_ffff_8000_0000)
        );
        assert_eq!(
            Xlen(32).alu(Alu::Add, Value::Known(0xffff_ffff), Value::Known(1)),
            Value::Known(0)
        );
    }
}
