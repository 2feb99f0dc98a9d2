//! Bitwise operations over [`Value`]s: exact on numbers, on the known low bits of addresses, byte by byte on labels.

use super::value::{LANE, Label, UNKNOWN, Value, View, Xlen, occupied};

impl Xlen {
    pub(super) fn and(self, a: Value, b: Value) -> Value {
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
        if mask == self.mask() {
            return value;
        }
        match (value.view(), value.low_bits(self)) {
            (_, Some((residue, bits))) if mask >> bits.min(63) == 0 => Value::known(residue & mask),
            // Rounding down to a power of two that the base addresses are multiples of, or clearing bits below that.
            (View::Address { bases, offset }, Some((_, bits)))
                if (!mask & self.mask()) >> bits.min(63) == 0 =>
            {
                self.address(bases, offset & mask)
            }
            (_, Some((residue, bits))) => Value::from_residue(residue & mask, bits),
            _ => self.bytewise(a, b, |label, other| match (label, other) {
                (0, _) | (_, 0) => 0,
                (0xff, kept) | (kept, 0xff) => kept,
                _ => UNKNOWN,
            }),
        }
    }

    #[inline]
    pub(super) fn or(self, a: Value, b: Value) -> Value {
        if let (View::Known(a), View::Known(b)) = (a.view(), b.view()) {
            return Value::known(a | b);
        }
        if let Some(value) = self.in_low_bits(a, b, |residue, number| residue | number) {
            return value;
        }
        // Ones wherever nothing is known.
        for (value, other) in [(a, b), (b, a)] {
            if let (View::Known(number), Some((residue, bits))) =
                (other.view(), value.low_bits(self))
                && (!number & self.mask()) >> bits.min(63) == 0
            {
                return Value::known((residue | number) & self.mask());
            }
        }
        if let Some((a, b, bits)) = self.common_bits(a, b) {
            return Value::from_residue(a | b, bits);
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

    pub(super) fn xor(self, a: Value, b: Value) -> Value {
        if let (View::Known(a), View::Known(b)) = (a.view(), b.view()) {
            return Value::known(a ^ b);
        }
        if let Some(value) = self.in_low_bits(a, b, |residue, number| residue ^ number) {
            return value;
        }
        // The complement of an address is one less than its negative.
        for (value, other) in [(a, b), (b, a)] {
            if let (View::Address { .. }, View::Known(number)) = (value.view(), other.view())
                && number == self.mask()
            {
                return self.sub(other, value);
            }
        }
        if let Some((a, b, bits)) = self.common_bits(a, b) {
            return Value::from_residue(a ^ b, bits);
        }
        self.bytewise(a, b, |label, other| match (label, other) {
            (0, kept) | (kept, 0) => kept,
            _ if label == other && label != UNKNOWN => 0,
            _ => UNKNOWN,
        })
    }

    /// An address of which a number changes nothing but low bits that are known, by `rule`.
    fn in_low_bits(self, a: Value, b: Value, rule: impl Fn(u64, u64) -> u64) -> Option<Value> {
        let (address, number) = match (a.view(), b.view()) {
            (View::Address { .. }, View::Known(number)) => (a, number),
            (View::Known(number), View::Address { .. }) => (b, number),
            _ => return None,
        };
        let (bases, offset) = address.linear()?;
        if number == 0 {
            return Some(address);
        }
        let (_, bits) = address.low_bits(self)?;
        let low = (1 << bits.min(63)) - 1;
        (number & !low == 0)
            .then(|| self.address(bases, (offset & !low) | rule(offset & low, number)))
    }

    /// Byte by byte, by `rule`.
    fn bytewise(self, a: Value, b: Value, rule: impl Fn(Label, Label) -> Label) -> Value {
        let (a, b) = (a.lanes(self), b.lanes(self));
        let label = |lanes: u128, lane: u32| (lanes >> (16 * lane) & LANE) as Label;
        let lanes = (0..self.bits / 8).rev().fold(0, |lanes, lane| {
            lanes << 16 | u128::from(rule(label(a, lane), label(b, lane)))
        });
        Value::from_lanes(lanes)
    }

    /// The low `bits` of `a`, those of `b` above them, zeros above both.
    pub(super) fn pack(self, a: Value, b: Value, bits: u32) -> Value {
        let low = u128::MAX >> (128 - 2 * bits);
        let (a, b) = (a.lanes(self) & low, b.lanes(self) & low);
        Value::from_lanes(a | b << (2 * bits))
    }
}
