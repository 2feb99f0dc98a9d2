//! Arithmetic over [`Value`]s: exact on numbers, linear on addresses, byte by byte on labels, and unknown where that does not
//! suffice.

use super::decode::Alu;
use super::value::{Bases, LANE, Label, UNKNOWN_LANES, Value, View, Xlen, occupied, spread};

/// One in every byte.
const ONES: u128 = 0x0001_0001_0001_0001_0001_0001_0001_0001;

impl Xlen {
    pub(super) fn address(self, bases: Bases, offset: u64) -> Value {
        Value::address(bases, offset & self.mask())
    }

    /// `a op b`, at register width.
    #[inline(always)]
    pub(super) fn alu(self, op: Alu, a: Value, b: Value) -> Value {
        match op {
            Alu::Add => self.add(a, b),
            Alu::Sub => self.sub(a, b),
            Alu::And => self.and(a, b),
            Alu::Or => self.or(a, b),
            Alu::Xor => self.xor(a, b),
            Alu::ShiftLeft => self.shift_left(a, b),
            Alu::ShiftRight => self.shift_right(a, b),
            Alu::Multiply => self.multiply(a, b),
            Alu::Pack => self.pack(a, b, self.bits / 2),
            Alu::PackBytes => self.pack(a, b, 8),
            _ => self.numbers(op, a, b),
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
            Alu::ShiftRightSigned => (self.signed(a) >> (b & u64::from(self.bits - 1))) as u64,
            _ => match self.multiply_or_divide(op, a, b) {
                Some(number) => number,
                None => return self.unknown(),
            },
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
        if let Some((a, b, bits)) = self.common_bits(a, b) {
            return Value::from_residue(a.wrapping_add(b), bits);
        }
        // Nothing carries where one side of each byte is zero.
        let (a, b) = (a.lanes(self), b.lanes(self));
        if occupied(a) & occupied(b) == 0 {
            Value::from_lanes(a | b)
        } else {
            self.unknown()
        }
    }

    pub(super) fn sub(self, a: Value, b: Value) -> Value {
        if let Some((bases, offset)) = b.linear()
            && let Some(negated) = Bases::default().zip(bases, i8::checked_sub)
        {
            return self.add(a, self.address(negated, offset.wrapping_neg()));
        }
        match self.common_bits(a, b) {
            Some((a, b, bits)) => Value::from_residue(a.wrapping_sub(b), bits),
            None => self.unknown(),
        }
    }

    /// Numbers, an address times a power of two, and a single byte times a number whose bytes are zeros and ones: the byte repeated,
    /// since nothing carries.
    fn multiply(self, a: Value, b: Value) -> Value {
        let (byte, number) = match (a.view(), b.view()) {
            (View::Known(a), View::Known(b)) => {
                return Value::known(a.wrapping_mul(b) & self.mask());
            }
            (View::Bytes(byte), View::Known(number)) | (View::Known(number), View::Bytes(byte)) => {
                (byte, number)
            }
            (_, View::Known(number)) if number.is_power_of_two() => {
                return self.shift_left(a, Value::known(number.trailing_zeros().into()));
            }
            (View::Known(number), _) if number.is_power_of_two() => {
                return self.shift_left(b, Value::known(number.trailing_zeros().into()));
            }
            _ => return self.unknown(),
        };
        let pattern = spread(number);
        if pattern & !ONES == 0 && byte <= LANE {
            Value::from_lanes((pattern * byte) & self.lane_mask())
        } else {
            self.unknown()
        }
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
                    None => self.shift_residue(a, count),
                }
            }
            View::Residue { .. } => self.shift_residue(a, count),
            View::Bytes(lanes) if count % 8 == 0 => {
                Value::from_lanes(lanes << (2 * count) & self.lane_mask())
            }
            View::Bytes(_) | View::Bits(_) => self.unknown(),
        }
    }

    #[inline]
    fn shift_right(self, a: Value, count: Value) -> Value {
        match (a.view(), self.count(count)) {
            (View::Known(number), Some(count)) => Value::known(number >> count),
            (View::Bytes(lanes), Some(count)) if count % 8 == 0 => {
                Value::from_lanes(lanes >> (2 * count))
            }
            (View::Address { .. } | View::Residue { .. }, Some(count)) => match a.low_bits(self) {
                Some((residue, bits)) if bits > count => {
                    Value::from_residue(residue >> count, bits - count)
                }
                _ => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    /// What is known of `a` moved up by `count` bits.
    fn shift_residue(self, a: Value, count: u32) -> Value {
        match a.low_bits(self) {
            // Nothing unknown is left in the register.
            Some((residue, bits)) if bits + count >= self.bits => {
                Value::known(residue << count & self.mask())
            }
            Some((residue, bits)) => Value::from_residue(residue << count, bits + count),
            None => self.unknown(),
        }
    }

    /// A shift count: its low 5 or 6 bits, as far as they are known.
    pub(super) fn count(self, count: Value) -> Option<u32> {
        let (residue, bits) = count.low_bits(self)?;
        (bits >= self.bits.ilog2()).then_some(residue as u32 & (self.bits - 1))
    }

    /// The low bits that are known of both, and how many.
    pub(super) fn common_bits(self, a: Value, b: Value) -> Option<(u64, u64, u32)> {
        let ((a, a_bits), (b, b_bits)) = (a.low_bits(self)?, b.low_bits(self)?);
        Some((a, b, a_bits.min(b_bits)))
    }

    /// The low `bytes` bytes with the sign repeated above them: known only where the top one is.
    #[inline]
    pub(super) fn sign_extend(self, value: Value, bytes: u32) -> Value {
        if bytes * 8 == self.bits {
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
        let word = self.low_word();
        let truncate = |value: Value| match value.view() {
            View::Known(number) => Value::known(number & word.mask()),
            View::Bytes(lanes) => Value::from_lanes(lanes & word.lane_mask()),
            View::Address { .. } => match value.low_bits(self) {
                Some((residue, bits)) => Value::from_residue(residue, bits),
                None => word.unknown(),
            },
            View::Residue { residue, bits } if bits >= 32 => Value::known(residue & word.mask()),
            View::Residue { .. } => value,
            View::Bits(_) => word.unknown(),
        };
        let result = word.alu(op, truncate(a), truncate(b));
        match result.view() {
            View::Residue { .. } => result,
            _ => self.sign_extend(result, 4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::value::{Base, UNKNOWN};

    fn rv64() -> Xlen {
        Xlen::new(64, 8)
    }

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
        let down = rv64().alu(Alu::ShiftRight, low, Value::known(24));
        let up = rv64().alu(Alu::ShiftLeft, high, Value::known(64 - 24));
        let merged = labels([
            0x4003, 0x4004, 0x4005, 0x4006, 0x4007, 0x4008, 0x4009, 0x400a,
        ]);
        assert_eq!(rv64().alu(Alu::Or, down, up), merged);
        assert_eq!(rv64().alu(Alu::Add, down, up), merged);
        assert_eq!(rv64().alu(Alu::Or, low, high), rv64().unknown());
        assert_eq!(
            rv64().alu(Alu::ShiftRight, low, Value::known(4)),
            rv64().unknown()
        );
    }

    #[test]
    fn pointers_are_not_numbers() {
        let source = Value::pointer(Base::Source, 0x1003);
        let destination = Value::pointer(Base::Destination, 0x2005);
        let difference = rv64().alu(Alu::Sub, source, destination);
        assert_eq!(
            rv64().alu(Alu::And, difference, Value::known(7)),
            Value::known(6)
        );
        assert_eq!(
            rv64().alu(Alu::Sub, source, Value::pointer(Base::Source, 0x1000)),
            Value::known(3)
        );
        assert_eq!(
            rv64().alu(Alu::And, source, Value::known(!7)),
            Value::pointer(Base::Source, 0x1000)
        );
        // Clearing a bit inside the page is not rounding: only the residue is known then.
        assert_eq!(
            rv64().alu(Alu::And, source, Value::known(-264_i64 as u64)),
            Value::from_residue(0, 3)
        );
        // Three low bits of a pointer are known, six of eight times a pointer.
        let bits = rv64().alu(Alu::ShiftLeft, source, Value::known(3));
        let shifted = rv64().alu(Alu::ShiftLeft, Value::known(1), bits);
        assert_eq!(shifted, Value::known(1 << 24));
        assert_eq!(
            rv64().alu(Alu::ShiftLeft, Value::known(1), source),
            rv64().unknown()
        );
        assert_eq!(
            rv64().alu(Alu::And, source, Value::known(8)),
            Value::from_residue(0, 3)
        );
        assert_eq!(
            Xlen::new(64, 64).alu(Alu::And, source, Value::known(8)),
            Value::known(0)
        );
        assert_eq!(
            rv64().alu(Alu::Below, source, destination),
            rv64().unknown()
        );
    }

    /// A mask of ra or sp tells nothing: `sub t0, ra, a3` is no way to negate a3 modulo 8.
    #[test]
    fn the_callers_pointers_have_no_residue() {
        let block = Value::pointer(Base::Destination, 5);
        for base in [Base::Stack, Base::Code, Base::Return] {
            let hidden = Value::pointer(base, 0x100);
            let difference = rv64().alu(Alu::Sub, hidden, block);
            for value in [hidden, difference] {
                assert_eq!(value.low_bits(rv64()), None);
                let masked = rv64().alu(Alu::And, value, Value::known(7));
                assert!(matches!(masked.view(), View::Bytes(_)));
                assert_eq!(rv64().alu(Alu::ShiftLeft, block, value), rv64().unknown());
                let rounded = rv64().alu(Alu::And, value, Value::known(!7));
                assert_eq!(rounded.place(), None);
                let word = rv64().alu_word(Alu::Sub, value, Value::known(1));
                assert_eq!(word.low_bits(rv64()), None);
            }
        }
    }

    #[test]
    fn word_operations_extend_the_sign() {
        let loaded = labels([
            0x4000, 0x4001, 0x4002, 0x4003, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
        ]);
        let down = rv64().alu_word(Alu::ShiftRight, loaded, Value::known(8));
        assert_eq!(down, labels([0x4001, 0x4002, 0x4003, 0, 0, 0, 0, 0]));
        assert_eq!(
            rv64().alu_word(Alu::Add, Value::known(0x7fff_ffff), Value::known(1)),
            Value::known(0xffff_ffff_8000_0000)
        );
        assert_eq!(
            Xlen::new(32, 4).alu(Alu::Add, Value::known(0xffff_ffff), Value::known(1)),
            Value::known(0)
        );
    }
}
