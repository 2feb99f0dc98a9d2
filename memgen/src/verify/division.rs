//! The rest of M over numbers: high halves of products, quotients, remainders.

use super::decode::Alu;
use super::value::Xlen;

impl Xlen {
    /// `a op b` at register width, as the ISA manual defines it for zero and overflow too; `None` for other operations.
    pub(super) fn multiply_or_divide(self, op: Alu, a: u64, b: u64) -> Option<u64> {
        let (signed_a, signed_b) = (i128::from(self.signed(a)), i128::from(self.signed(b)));
        let (a, b) = (i128::from(a), i128::from(b));
        let high = |product: i128| product >> self.bits;
        // Unsigned operands of 64 bits reach into the sign of the product.
        let high_unsigned = || ((a as u128 * b as u128) >> self.bits) as i128;
        let result = match op {
            Alu::MultiplyHigh => high(signed_a * signed_b),
            Alu::MultiplyHighMixed => high(signed_a * b),
            Alu::MultiplyHighUnsigned => high_unsigned(),
            Alu::Divide | Alu::DivideUnsigned if b == 0 => -1,
            Alu::Remainder | Alu::RemainderUnsigned if b == 0 => a,
            Alu::Divide => signed_a / signed_b,
            Alu::DivideUnsigned => a / b,
            Alu::Remainder => signed_a % signed_b,
            Alu::RemainderUnsigned => a % b,
            _ => return None,
        };
        Some(result as u64 & self.mask())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual's table of what has no quotient, and products as QEMU computes them.
    #[test]
    fn edges() {
        let (rv32, rv64) = (Xlen::new(32, 4), Xlen::new(64, 8));
        let minus = |xlen: Xlen, number: u64| number.wrapping_neg() & xlen.mask();
        for xlen in [rv32, rv64] {
            let least = 1 << (xlen.bits - 1);
            let compute = |op, a, b| xlen.multiply_or_divide(op, a, b).unwrap();
            assert_eq!(compute(Alu::Divide, 7, 0), xlen.mask());
            assert_eq!(compute(Alu::DivideUnsigned, 7, 0), xlen.mask());
            assert_eq!(compute(Alu::Remainder, minus(xlen, 7), 0), minus(xlen, 7));
            assert_eq!(compute(Alu::RemainderUnsigned, 7, 0), 7);
            assert_eq!(compute(Alu::Divide, least, xlen.mask()), least);
            assert_eq!(compute(Alu::Remainder, least, xlen.mask()), 0);
            assert_eq!(compute(Alu::Divide, minus(xlen, 7), 2), minus(xlen, 3));
            assert_eq!(compute(Alu::Remainder, minus(xlen, 7), 2), minus(xlen, 1));
            assert_eq!(
                compute(Alu::DivideUnsigned, xlen.mask(), 2),
                xlen.mask() / 2
            );
            let all = xlen.mask();
            assert_eq!(compute(Alu::MultiplyHigh, all, all), 0);
            assert_eq!(compute(Alu::MultiplyHighMixed, all, all), all);
            assert_eq!(compute(Alu::MultiplyHighUnsigned, all, all), all - 1);
        }
        assert_eq!(rv64.multiply_or_divide(Alu::Add, 1, 1), None);
    }
}
