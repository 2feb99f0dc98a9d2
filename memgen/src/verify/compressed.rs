//! Parcels of two bytes to operations: the integer part of the C extension, written from the ISA manual's tables of encodings.
//! Each is one of the instructions of four bytes in short, so it decodes to the same [`Operation`].

use super::decode::{Alu, Compare, Decoded, Operation};

/// Registers that short forms imply.
const RA: u8 = 1;
const SP: u8 = 2;

/// Whether an instruction that starts with `parcel` is that parcel alone.
pub(super) fn is_compressed(parcel: u16) -> bool {
    parcel & 3 != 3
}

/// Decodes `parcel`, for which [`is_compressed`] holds, for registers of `xlen` bits. Hints are the operations without effect that
/// they look like; what is reserved, floating point or c.ebreak is undecodable.
pub(super) fn decode_compressed(parcel: u16, xlen: u32) -> Decoded {
    let parcel = Parcel(parcel.into());
    let wide = xlen == 64;
    let form = match (parcel.field(0, 2), parcel.field(13, 3)) {
        (0, _) => parcel.quadrant_0(wide),
        (1, 4) => parcel.arithmetic(wide),
        (1, _) => parcel.quadrant_1(wide),
        _ => parcel.quadrant_2(wide),
    };
    form.unwrap_or(inst(Operation::Undecodable, 0, 0, 0, 0))
}

/// An instruction of two bytes.
fn inst(operation: Operation, rd: u8, rs1: u8, rs2: u8, imm: i64) -> Decoded {
    Decoded {
        operation,
        rd,
        rs1,
        rs2,
        imm,
        halfwords: 1,
    }
}

fn load(bytes: u8, rd: u8, base: u8, offset: i64) -> Decoded {
    let signed = true;
    inst(Operation::Load { bytes, signed }, rd, base, 0, offset)
}

fn store(bytes: u8, data: u8, base: u8, offset: i64) -> Decoded {
    inst(Operation::Store { bytes }, 0, base, data, offset)
}

fn imm(op: Alu, rd: u8, rs1: u8, imm: i64) -> Decoded {
    inst(Operation::Imm(op), rd, rs1, 0, imm)
}

fn reg(op: Alu, rd: u8, rs1: u8, rs2: u8) -> Decoded {
    inst(Operation::Reg(op), rd, rs1, rs2, 0)
}

/// A parcel's fields.
#[derive(Clone, Copy)]
struct Parcel(u32);

impl Parcel {
    /// `bits` bits from bit `low` on.
    fn field(self, low: u32, bits: u32) -> u32 {
        self.0 >> low & ((1 << bits) - 1)
    }

    /// A register of five bits at bit `low`.
    fn register(self, low: u32) -> u8 {
        self.field(low, 5) as u8
    }

    /// A register of three bits at bit `low`: x8 to x15.
    fn near(self, low: u32) -> u8 {
        self.field(low, 3) as u8 + 8
    }

    /// Puts runs of bits together: of each, where it lies in the parcel, how many bits, and where it goes.
    fn gather(self, runs: &[(u32, u32, u32)]) -> i64 {
        let number = runs.iter().fold(0, |sum, (low, bits, to)| {
            sum | self.field(*low, *bits) << to
        });
        number.into()
    }

    /// As [`Parcel::gather`], of which bit `top` is the sign.
    fn gather_signed(self, top: u32, runs: &[(u32, u32, u32)]) -> i64 {
        self.gather(runs) << (63 - top) >> (63 - top)
    }

    /// The immediate of six bits of most forms, without and with its sign.
    fn imm6(self) -> i64 {
        self.gather(&[(12, 1, 5), (2, 5, 0)])
    }

    fn imm6_signed(self) -> i64 {
        self.gather_signed(5, &[(12, 1, 5), (2, 5, 0)])
    }

    /// A shift count of six bits; five on RV32.
    fn count(self, wide: bool) -> Option<i64> {
        Some(self.imm6()).filter(|count| wide || *count < 32)
    }

    /// Loads and stores at near registers.
    fn quadrant_0(self, wide: bool) -> Option<Decoded> {
        let (data, base) = (self.near(2), self.near(7));
        let word = self.gather(&[(10, 3, 3), (6, 1, 2), (5, 1, 6)]);
        let double = self.gather(&[(10, 3, 3), (5, 2, 6)]);
        Some(match self.field(13, 3) {
            0 => {
                let above = self.gather(&[(11, 2, 4), (7, 4, 6), (6, 1, 2), (5, 1, 3)]);
                if above == 0 {
                    return None;
                }
                imm(Alu::Add, data, SP, above)
            }
            2 => load(4, data, base, word),
            3 if wide => load(8, data, base, double),
            6 => store(4, data, base, word),
            7 if wide => store(8, data, base, double),
            _ => return None,
        })
    }

    /// Constants, jumps and branches.
    fn quadrant_1(self, wide: bool) -> Option<Decoded> {
        let rd = self.register(7);
        let constant = self.imm6_signed();
        let branch = |compare| {
            let runs = [(12, 1, 8), (10, 2, 3), (5, 2, 6), (3, 2, 1), (2, 1, 5)];
            let offset = self.gather_signed(8, &runs);
            inst(Operation::Branch(compare), 0, self.near(7), 0, offset)
        };
        let jump = |link| {
            let runs = [
                (12, 1, 11),
                (11, 1, 4),
                (9, 2, 8),
                (8, 1, 10),
                (7, 1, 6),
                (6, 1, 7),
                (3, 3, 1),
                (2, 1, 5),
            ];
            inst(Operation::Jal, link, 0, 0, self.gather_signed(11, &runs))
        };
        Some(match self.field(13, 3) {
            0 => imm(Alu::Add, rd, rd, constant),
            1 if !wide => jump(RA),
            1 if rd != 0 => inst(Operation::ImmWord(Alu::Add), rd, rd, 0, constant),
            2 => imm(Alu::Add, rd, 0, constant),
            3 if constant == 0 => return None,
            3 if rd == SP => {
                let runs = [(12, 1, 9), (6, 1, 4), (5, 1, 6), (3, 2, 7), (2, 1, 5)];
                imm(Alu::Add, SP, SP, self.gather_signed(9, &runs))
            }
            3 => inst(Operation::Lui, rd, 0, 0, constant << 12),
            5 => jump(0),
            6 => branch(Compare::Equal),
            7 => branch(Compare::NotEqual),
            _ => return None,
        })
    }

    /// Arithmetic on near registers.
    fn arithmetic(self, wide: bool) -> Option<Decoded> {
        let (rd, rs2) = (self.near(7), self.near(2));
        Some(
            match (self.field(10, 2), self.field(12, 1), self.field(5, 2)) {
                (0, _, _) => imm(Alu::ShiftRight, rd, rd, self.count(wide)?),
                (1, _, _) => imm(Alu::ShiftRightSigned, rd, rd, self.count(wide)?),
                (2, _, _) => imm(Alu::And, rd, rd, self.imm6_signed()),
                (_, 0, 0) => reg(Alu::Sub, rd, rd, rs2),
                (_, 0, 1) => reg(Alu::Xor, rd, rd, rs2),
                (_, 0, 2) => reg(Alu::Or, rd, rd, rs2),
                (_, 0, _) => reg(Alu::And, rd, rd, rs2),
                (_, _, 0) if wide => inst(Operation::RegWord(Alu::Sub), rd, rd, rs2, 0),
                (_, _, 1) if wide => inst(Operation::RegWord(Alu::Add), rd, rd, rs2, 0),
                _ => return None,
            },
        )
    }

    /// Loads and stores at sp, moves, jumps to registers.
    fn quadrant_2(self, wide: bool) -> Option<Decoded> {
        let (rd, rs2) = (self.register(7), self.register(2));
        let jump = |link| inst(Operation::Jalr, link, rd, 0, 0);
        Some(match (self.field(13, 3), self.field(12, 1)) {
            (0, _) => imm(Alu::ShiftLeft, rd, rd, self.count(wide)?),
            (2, _) if rd != 0 => load(4, rd, SP, self.gather(&[(12, 1, 5), (4, 3, 2), (2, 2, 6)])),
            (3, _) if wide && rd != 0 => {
                load(8, rd, SP, self.gather(&[(12, 1, 5), (5, 2, 3), (2, 3, 6)]))
            }
            (4, _) if rs2 == 0 && rd == 0 => return None,
            (4, 0) if rs2 == 0 => jump(0),
            (4, 0) => reg(Alu::Add, rd, 0, rs2),
            (4, _) if rs2 == 0 => jump(RA),
            (4, _) => reg(Alu::Add, rd, rd, rs2),
            (6, _) => store(4, rs2, SP, self.gather(&[(9, 4, 2), (7, 2, 6)])),
            (7, _) if wide => store(8, rs2, SP, self.gather(&[(10, 3, 3), (7, 3, 6)])),
            _ => return None,
        })
    }
}

#[cfg(test)]
#[path = "compressed_tests.rs"]
mod tests;
