//! Machine words to operations: RV32I and RV64I with M, and of Zicsr what switches SUM, written from the ISA manual's opcode map and
//! sharing nothing with the emitter, so that each checks the other. [`super::compressed`] decodes the instructions of two bytes.

/// A decoded instruction. Fields that a form does not have are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    pub(super) operation: Operation,
    pub(super) rd: u8,
    pub(super) rs1: u8,
    pub(super) rs2: u8,
    /// Sign extended.
    pub(super) imm: i64,
    /// Length in halfwords: 1 or 2.
    pub(super) halfwords: u8,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Load {
        bytes: u8,
        signed: bool,
    },
    Store {
        bytes: u8,
    },
    /// `rs1 op imm`
    Imm(Alu),
    /// `rs1 op rs2`
    Reg(Alu),
    /// As `Imm`, on the low 32 bits, sign extended.
    ImmWord(Alu),
    /// As `Reg`, on the low 32 bits, sign extended.
    RegWord(Alu),
    /// Zicboz: clears the cache block at rs1.
    ZeroBlock,
    /// `csrs sstatus, rs1`, or `csrc` if `on` is false.
    Status {
        on: bool,
    },
    Lui,
    Auipc,
    Jal,
    Jalr,
    Branch(Compare),
    Undecodable,
}

/// Arithmetic and logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alu {
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    Less,
    Below,
    And,
    Or,
    Xor,
    /// M: the low half of the product.
    Multiply,
    /// M: the high half of the product, of signed numbers.
    MultiplyHigh,
    /// M: the high half of the product, of a signed and an unsigned number.
    MultiplyHighMixed,
    /// M: the high half of the product, of unsigned numbers.
    MultiplyHighUnsigned,
    Divide,
    DivideUnsigned,
    Remainder,
    RemainderUnsigned,
    /// Zbkb: lower halves side by side.
    Pack,
    /// Zbkb: lowest bytes side by side.
    PackBytes,
}

/// Branch conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    NotEqual,
    Less,
    NotLess,
    Below,
    NotBelow,
}

/// Number of the CSR sstatus.
const SSTATUS: u32 = 0x100;

/// Decodes `word` for registers of `xlen` bits.
pub(super) fn decode(word: u32, xlen: u32) -> Decoded {
    let field = |low: u32, bits: u32| word >> low & ((1 << bits) - 1);
    let funct3 = field(12, 3);
    let wide = xlen == 64;
    let signed = word as i32;
    let imm_i = i64::from(signed >> 20);
    let imm_s = i64::from((signed >> 25 << 5) | field(7, 5) as i32);
    let imm_b = i64::from(
        (signed >> 31 << 12)
            | ((field(7, 1) << 11) | (field(25, 6) << 5) | (field(8, 4) << 1)) as i32,
    );
    let imm_u = i64::from(signed & !0xfff);
    let imm_j = i64::from(
        (signed >> 31 << 20)
            | ((field(12, 8) << 12) | (field(20, 1) << 11) | (field(21, 10) << 1)) as i32,
    );
    let (operation, imm) = match field(0, 7) {
        0x03 => (load(funct3, wide), imm_i),
        0x23 if funct3 < 3 || (funct3 == 3 && wide) => {
            (Operation::Store { bytes: 1 << funct3 }, imm_s)
        }
        0x13 => imm_form(funct3, field(26, 6), imm_i, xlen),
        0x1b if wide => imm_word_form(funct3, field(25, 7), imm_i),
        0x33 => (
            reg_form(funct3, field(25, 7)).map_or(Operation::Undecodable, Operation::Reg),
            0,
        ),
        0x3b if wide => (
            reg_form(funct3, field(25, 7))
                .filter(|_| match field(25, 7) {
                    0 | 32 => matches!(funct3, 0 | 1 | 5),
                    1 => matches!(funct3, 0 | 4..=7),
                    _ => funct3 == 4,
                })
                .map_or(Operation::Undecodable, Operation::RegWord),
            0,
        ),
        0x0f if funct3 == 2 && imm_i == 4 && field(7, 5) == 0 => (Operation::ZeroBlock, 0),
        0x73 if matches!(funct3, 2 | 3) && field(20, 12) == SSTATUS && field(7, 5) == 0 => {
            (Operation::Status { on: funct3 == 2 }, 0)
        }
        0x37 => (Operation::Lui, imm_u),
        0x17 => (Operation::Auipc, imm_u),
        0x6f => (Operation::Jal, imm_j),
        0x67 if funct3 == 0 => (Operation::Jalr, imm_i),
        0x63 => (branch(funct3), imm_b),
        _ => (Operation::Undecodable, 0),
    };
    Decoded {
        operation,
        rd: field(7, 5) as u8,
        rs1: field(15, 5) as u8,
        rs2: field(20, 5) as u8,
        imm,
        halfwords: 2,
    }
}

impl Decoded {
    /// The register it writes, x0 included; `None` for stores and branches.
    pub(super) fn writes(&self) -> Option<u8> {
        let none = matches!(
            self.operation,
            Operation::Store { .. }
                | Operation::ZeroBlock
                | Operation::Status { .. }
                | Operation::Branch(_)
                | Operation::Undecodable
        );
        (!none).then_some(self.rd)
    }
}

fn load(funct3: u32, wide: bool) -> Operation {
    let (bytes, signed) = match funct3 {
        0 => (1, true),
        1 => (2, true),
        2 => (4, true),
        3 if wide => (8, true),
        4 => (1, false),
        5 => (2, false),
        6 if wide => (4, false),
        _ => return Operation::Undecodable,
    };
    Operation::Load { bytes, signed }
}

fn branch(funct3: u32) -> Operation {
    Operation::Branch(match funct3 {
        0 => Compare::Equal,
        1 => Compare::NotEqual,
        4 => Compare::Less,
        5 => Compare::NotLess,
        6 => Compare::Below,
        7 => Compare::NotBelow,
        _ => return Operation::Undecodable,
    })
}

/// Immediate forms; shifts hold their count in the immediate's low 5 or 6 bits, and a funct6 above it.
fn imm_form(funct3: u32, funct6: u32, imm: i64, xlen: u32) -> (Operation, i64) {
    let count = imm & 63;
    let count_fits = count < i64::from(xlen);
    let alu = match (funct3, funct6) {
        (0, _) => Alu::Add,
        (2, _) => Alu::Less,
        (3, _) => Alu::Below,
        (4, _) => Alu::Xor,
        (6, _) => Alu::Or,
        (7, _) => Alu::And,
        (1, 0) if count_fits => return (Operation::Imm(Alu::ShiftLeft), count),
        (5, 0) if count_fits => return (Operation::Imm(Alu::ShiftRight), count),
        (5, 16) if count_fits => return (Operation::Imm(Alu::ShiftRightSigned), count),
        _ => return (Operation::Undecodable, 0),
    };
    (Operation::Imm(alu), imm)
}

fn imm_word_form(funct3: u32, funct7: u32, imm: i64) -> (Operation, i64) {
    let alu = match (funct3, funct7) {
        (0, _) => return (Operation::ImmWord(Alu::Add), imm),
        (1, 0) => Alu::ShiftLeft,
        (5, 0) => Alu::ShiftRight,
        (5, 32) => Alu::ShiftRightSigned,
        _ => return (Operation::Undecodable, 0),
    };
    (Operation::ImmWord(alu), imm & 31)
}

fn reg_form(funct3: u32, funct7: u32) -> Option<Alu> {
    Some(match (funct3, funct7) {
        (0, 0) => Alu::Add,
        (0, 32) => Alu::Sub,
        (1, 0) => Alu::ShiftLeft,
        (2, 0) => Alu::Less,
        (3, 0) => Alu::Below,
        (4, 0) => Alu::Xor,
        (5, 0) => Alu::ShiftRight,
        (5, 32) => Alu::ShiftRightSigned,
        (6, 0) => Alu::Or,
        (7, 0) => Alu::And,
        (0, 1) => Alu::Multiply,
        (1, 1) => Alu::MultiplyHigh,
        (2, 1) => Alu::MultiplyHighMixed,
        (3, 1) => Alu::MultiplyHighUnsigned,
        (4, 1) => Alu::Divide,
        (5, 1) => Alu::DivideUnsigned,
        (6, 1) => Alu::Remainder,
        (7, 1) => Alu::RemainderUnsigned,
        // Zbkb.
        (4, 4) => Alu::Pack,
        (7, 4) => Alu::PackBytes,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as GNU as 2.40 encodes the text beside them.
    #[test]
    fn words_of_an_independent_assembler() {
        let cases = [
            (
                0x0085_3783,
                Operation::Load {
                    bytes: 8,
                    signed: true,
                },
                8,
                "ld a5, 8(a0)",
            ),
            (
                0xfef5_3c23,
                Operation::Store { bytes: 8 },
                -8,
                "sd a5, -8(a0)",
            ),
            (0x0045_200f, Operation::ZeroBlock, 0, "cbo.zero (a0)"),
            (
                0x1002_a073,
                Operation::Status { on: true },
                0,
                "csrs sstatus, t0",
            ),
            (
                0x1002_b073,
                Operation::Status { on: false },
                0,
                "csrc sstatus, t0",
            ),
            (
                0x1002_a2f3,
                Operation::Undecodable,
                0,
                "csrrs t0, sstatus, t0",
            ),
            (0x3002_a073, Operation::Undecodable, 0, "csrs mstatus, t0"),
            (
                0x02b5_05b3,
                Operation::Reg(Alu::Multiply),
                0,
                "mul a1, a0, a1",
            ),
            (0x08f7_c7b3, Operation::Reg(Alu::Pack), 0, "pack a5, a5, a5"),
            (
                0x08f7_f7b3,
                Operation::Reg(Alu::PackBytes),
                0,
                "packh a5, a5, a5",
            ),
            (
                0x08f7_c7bb,
                Operation::RegWord(Alu::Pack),
                0,
                "packw a5, a5, a5",
            ),
            (0xff87_f793, Operation::Imm(Alu::And), -8, "andi a5, a5, -8"),
            (
                0x03f7_d793,
                Operation::Imm(Alu::ShiftRight),
                63,
                "srli a5, a5, 63",
            ),
            (0x40f0_07b3, Operation::Reg(Alu::Sub), 0, "neg a5, a5"),
            (
                0x00f7_d7bb,
                Operation::RegWord(Alu::ShiftRight),
                0,
                "srlw a5, a5, a5",
            ),
            (
                0xfef5_6ee3,
                Operation::Branch(Compare::Below),
                -4,
                "bltu a0, a5, .-4",
            ),
            (0x0080_006f, Operation::Jal, 8, "j .+8"),
            (0x0243_8067, Operation::Jalr, 36, "jr 36(t2)"),
            (
                0x02b5_35b3,
                Operation::Reg(Alu::MultiplyHighUnsigned),
                0,
                "mulhu a1, a0, a1",
            ),
            (
                0x02b5_75bb,
                Operation::RegWord(Alu::RemainderUnsigned),
                0,
                "remuw a1, a0, a1",
            ),
            (0x02b5_15bb, Operation::Undecodable, 0, "no mulh of words"),
            (0x0000_0000, Operation::Undecodable, 0, "no instruction"),
        ];
        for (word, operation, imm, text) in cases {
            let decoded = decode(word, 64);
            assert_eq!((decoded.operation, decoded.imm), (operation, imm), "{text}");
        }
    }

    #[test]
    fn wide_forms_do_not_exist_on_rv32() {
        for word in [0x0085_3783_u32, 0xfef5_3c23, 0x03f7_d793, 0x00f7_d7bb] {
            assert_eq!(decode(word, 32).operation, Operation::Undecodable);
        }
    }
}
