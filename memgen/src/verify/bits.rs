//! Values whose bits have labels of their own. Compiled code shifts by 1 and then by one less than a byte, merges what it has
//! masked, multiplies a byte: where labels of bytes leave something unknown, the operation is done again bit by bit.

use super::decode::Alu;
use super::value::{LANE, Label, UNKNOWN, Value, View, Xlen};

/// Label of one bit: 0 and 1 are those constants, [`UNKNOWN_BIT`] says nothing, anything else is eight times the label of a byte plus
/// the number of the bit in it.
type BitLabel = u32;

const ZERO: BitLabel = 0;
const ONE: BitLabel = 1;
const UNKNOWN_BIT: BitLabel = u32::MAX;

/// A register, lowest bit first; zeros above its width.
type Bits = [BitLabel; 64];

/// Values that a call may have in all; what comes after them stays unknown.
const LARGEST_TABLE: usize = 1 << 16;

/// All values of a call that labels of bytes cannot express.
#[derive(Default)]
pub(super) struct BitTable {
    entries: Vec<Bits>,
}

impl BitTable {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// `a op b` at register width; `vague` where bits tell no more than that.
    #[cold]
    pub(super) fn alu(&mut self, xlen: Xlen, op: Alu, a: Value, b: Value, vague: Value) -> Value {
        match self.compute(xlen, op, a, b) {
            Some(bits) => self.join(xlen, bits, vague),
            None => vague,
        }
    }

    /// As [`BitTable::alu`], on the low 32 bits, the result sign extended.
    #[cold]
    pub(super) fn alu_word(
        &mut self,
        xlen: Xlen,
        op: Alu,
        a: Value,
        b: Value,
        vague: Value,
    ) -> Value {
        match self.compute(xlen.low_word(), op, a, b) {
            Some(bits) => self.join(xlen, sign_extend(bits, 32, xlen.bits), vague),
            None => vague,
        }
    }

    /// The low `bytes` bytes of `value`, with zeros or the sign above them.
    pub(super) fn low_bytes(
        &mut self,
        xlen: Xlen,
        value: Value,
        bytes: u32,
        signed: bool,
    ) -> Value {
        let mut bits = self.split(xlen, value);
        bits[8 * bytes as usize..].fill(ZERO);
        if signed {
            bits = sign_extend(bits, 8 * bytes, xlen.bits);
        }
        self.join(xlen, bits, xlen.unknown())
    }

    /// A label for each byte, unknown where it takes labels of bits.
    pub(super) fn lanes(&self, xlen: Xlen, value: Value) -> u128 {
        let View::Bits(_) = value.view() else {
            return value.lanes(xlen);
        };
        let bits = self.split(xlen, value);
        lanes(xlen, |byte| {
            whole(bits[8 * byte..][..8].as_ref()).unwrap_or(UNKNOWN)
        })
    }

    /// Labels of the bytes that the bits of byte `byte` of `value` come from.
    pub(super) fn parts(&self, xlen: Xlen, value: Value, byte: usize) -> Vec<Label> {
        let bits = self.split(xlen, value);
        let mut labels: Vec<Label> = bits[8 * byte..][..8]
            .iter()
            .filter(|bit| !matches!(**bit, ZERO | ONE | UNKNOWN_BIT))
            .map(|bit| (bit / 8) as Label)
            .collect();
        labels.dedup();
        labels
    }

    /// A label for each bit.
    fn split(&self, xlen: Xlen, value: Value) -> Bits {
        let mut bits = [ZERO; 64];
        let width = xlen.bits as usize;
        let constant = |number: u64, index: usize| (number >> index & 1) as BitLabel;
        match value.view() {
            View::Bits(number) => {
                bits[..width].copy_from_slice(&self.entries[number as usize][..width])
            }
            View::Bytes(lanes) => {
                for (index, bit) in bits[..width].iter_mut().enumerate() {
                    let label = (lanes >> (16 * (index / 8)) & LANE) as Label;
                    *bit = match label {
                        0..=0xff => constant(label.into(), index % 8),
                        UNKNOWN => UNKNOWN_BIT,
                        _ => 8 * BitLabel::from(label) + (index % 8) as BitLabel,
                    };
                }
            }
            View::Known(_) | View::Address { .. } | View::Residue { .. } => {
                let (number, known) = value.low_bits(xlen).unwrap_or((0, 0));
                for (index, bit) in bits[..width].iter_mut().enumerate() {
                    *bit = if index < known as usize {
                        constant(number, index)
                    } else {
                        UNKNOWN_BIT
                    };
                }
            }
        }
        bits
    }

    /// The value with these labels: of bytes if those suffice, `vague` if nothing is known.
    fn join(&mut self, xlen: Xlen, bits: Bits, vague: Value) -> Value {
        let used = &bits[..xlen.bits as usize];
        let constants = used.iter().take_while(|bit| **bit <= ONE).count();
        if constants < used.len() && used[constants..].iter().all(|bit| *bit == UNKNOWN_BIT) {
            if constants == 0 {
                return vague;
            }
            let number = |sum, (index, bit): (usize, &BitLabel)| sum | u64::from(*bit) << index;
            let residue = used[..constants].iter().enumerate().fold(0, number);
            return Value::from_residue(residue, constants as u32);
        }
        let wholes: Option<Vec<Label>> = used.chunks(8).map(whole).collect();
        if let Some(wholes) = wholes {
            return Value::from_lanes(lanes(xlen, |byte| wholes[byte]));
        }
        if self.entries.len() == LARGEST_TABLE {
            return vague;
        }
        self.entries.push(bits);
        Value::bits(self.entries.len() as u32 - 1)
    }

    /// `None` where bits do not help.
    fn compute(&self, xlen: Xlen, op: Alu, a: Value, b: Value) -> Option<Bits> {
        let width = xlen.bits as usize;
        let (left, right) = (self.split(xlen, a), self.split(xlen, b));
        let bitwise = |rule: fn(BitLabel, BitLabel) -> BitLabel| {
            let mut bits = left;
            for (bit, other) in bits.iter_mut().zip(right) {
                *bit = rule(*bit, other);
            }
            bits
        };
        Some(match op {
            Alu::And => bitwise(and),
            Alu::Or => bitwise(or),
            Alu::Xor => bitwise(xor),
            Alu::Add => add(left, right, ZERO, width),
            Alu::Sub => add(left, not(right, width), ONE, width),
            Alu::ShiftLeft => shift_left(left, xlen.count(b)? as usize, width),
            Alu::ShiftRight => shift_right(left, xlen.count(b)? as usize, ZERO, width),
            Alu::ShiftRightSigned => {
                shift_right(left, xlen.count(b)? as usize, left[width - 1], width)
            }
            Alu::Multiply | Alu::MultiplyHighUnsigned => {
                let product = match (a.view(), b.view()) {
                    (_, View::Known(number)) => multiply(left, number, width),
                    (View::Known(number), _) => multiply(right, number, width),
                    _ => return None,
                };
                let first = if op == Alu::Multiply { 0 } else { width };
                let mut half = [ZERO; 64];
                half[..width].copy_from_slice(&product[first..first + width]);
                half
            }
            Alu::Pack => pack(left, right, width / 2),
            Alu::PackBytes => pack(left, right, 8),
            _ => return None,
        })
    }
}

/// Lanes of a register from a label for each byte.
fn lanes(xlen: Xlen, label: impl Fn(usize) -> Label) -> u128 {
    (0..xlen.bits as usize / 8)
        .rev()
        .fold(0, |lanes, byte| lanes << 16 | u128::from(label(byte)))
}

/// The label of a byte with these bits, if there is one.
fn whole(bits: &[BitLabel]) -> Option<Label> {
    if bits.iter().all(|bit| *bit <= ONE) {
        let byte = bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
        return Some(byte as Label);
    }
    if bits.iter().all(|bit| *bit == UNKNOWN_BIT) {
        return Some(UNKNOWN);
    }
    let in_order = bits[0] > 0xff && bits[0] != UNKNOWN_BIT && bits[0].is_multiple_of(8);
    let in_order = in_order && bits.iter().zip(bits[0]..).all(|(bit, next)| *bit == next);
    in_order.then_some((bits[0] / 8) as Label)
}

fn and(a: BitLabel, b: BitLabel) -> BitLabel {
    match (a, b) {
        (ZERO, _) | (_, ZERO) => ZERO,
        (ONE, other) | (other, ONE) => other,
        _ if a == b => a,
        _ => UNKNOWN_BIT,
    }
}

fn or(a: BitLabel, b: BitLabel) -> BitLabel {
    match (a, b) {
        (ONE, _) | (_, ONE) => ONE,
        (ZERO, other) | (other, ZERO) => other,
        _ if a == b => a,
        _ => UNKNOWN_BIT,
    }
}

fn xor(a: BitLabel, b: BitLabel) -> BitLabel {
    match (a, b) {
        (ZERO, other) | (other, ZERO) => other,
        _ if a == b && a != UNKNOWN_BIT => ZERO,
        _ => UNKNOWN_BIT,
    }
}

/// A constant's opposite; that of a label has none.
fn not(bits: Bits, width: usize) -> Bits {
    let mut opposite = bits;
    for bit in &mut opposite[..width] {
        *bit = if *bit <= ONE { ONE - *bit } else { UNKNOWN_BIT };
    }
    opposite
}

/// The sum, exact as long as what is carried is known; of bits that are disjoint, their union.
fn add(a: Bits, b: Bits, carry: BitLabel, width: usize) -> Bits {
    let mut sum = a;
    accumulate(&mut sum[..width], &b[..width], carry);
    sum
}

/// Adds `bits` and `carry` to `sum`.
fn accumulate(sum: &mut [BitLabel], bits: &[BitLabel], mut carry: BitLabel) {
    for (sum, bit) in sum.iter_mut().zip(bits) {
        let (a, b) = (*sum, *bit);
        *sum = xor(xor(a, b), carry);
        // Two of three that agree decide; an unknown bit agrees with none.
        carry = or(or(and(a, b), and(a, carry)), and(b, carry));
    }
}

fn shift_left(bits: Bits, count: usize, width: usize) -> Bits {
    let mut shifted = [ZERO; 64];
    shifted[count..width].copy_from_slice(&bits[..width - count]);
    shifted
}

fn shift_right(bits: Bits, count: usize, fill: BitLabel, width: usize) -> Bits {
    let mut shifted = [ZERO; 64];
    shifted[..width - count].copy_from_slice(&bits[count..width]);
    shifted[width - count..width].fill(fill);
    shifted
}

/// Both halves of the product: the sum of the bits moved up to each bit of `number`.
fn multiply(bits: Bits, number: u64, width: usize) -> [BitLabel; 128] {
    let mut product = [ZERO; 128];
    let mut wide = [ZERO; 128];
    wide[..width].copy_from_slice(&bits[..width]);
    for index in (0..width).filter(|index| number >> index & 1 == 1) {
        accumulate(
            &mut product[index..2 * width],
            &wide[..2 * width - index],
            ZERO,
        );
    }
    product
}

/// The low `half` bits of each, side by side.
fn pack(a: Bits, b: Bits, half: usize) -> Bits {
    let mut packed = [ZERO; 64];
    packed[..half].copy_from_slice(&a[..half]);
    packed[half..2 * half].copy_from_slice(&b[..half]);
    packed
}

fn sign_extend(bits: Bits, from: u32, to: u32) -> Bits {
    let mut extended = bits;
    let sign = bits[from as usize - 1];
    extended[from as usize..to as usize].fill(sign);
    extended
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
