//! Machine words taken apart for the classification of mutants: only what the routines use, and no code of the verifier's.

/// An instruction. Fields that a form does not have are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inst {
    /// `"?"` for a word that is none of those below.
    pub(crate) name: &'static str,
    pub(crate) rd: u32,
    pub(crate) rs1: u32,
    pub(crate) rs2: u32,
    pub(crate) imm: i64,
}

const LOADS: [&str; 8] = ["lb", "lh", "lw", "ld", "lbu", "lhu", "lwu", "?"];
const STORES: [&str; 8] = ["sb", "sh", "sw", "sd", "?", "?", "?", "?"];
const BRANCHES: [&str; 8] = ["beq", "bne", "?", "?", "blt", "bge", "bltu", "bgeu"];
const IMMEDIATE: [&str; 8] = [
    "addi", "slli", "slti", "sltiu", "xori", "srli", "ori", "andi",
];
const REGISTER: [&str; 8] = ["add", "sll", "slt", "sltu", "xor", "srl", "or", "and"];

/// An RV32I or RV64I word.
pub(crate) fn take_apart(word: u32, xlen: u32) -> Inst {
    let field = |low: u32, bits: u32| word >> low & ((1 << bits) - 1);
    let signed = |value: u32, bits: u32| i64::from((value << (32 - bits)) as i32 >> (32 - bits));
    let form = field(12, 3) as usize;
    let (rd, rs1, rs2) = (field(7, 5), field(15, 5), field(20, 5));
    let high = field(25, 7);
    let immediate = signed(field(20, 12), 12);
    let count = i64::from(field(20, 6));
    let make = |name, rd, rs1, rs2, imm| Inst {
        name,
        rd,
        rs1,
        rs2,
        imm,
    };
    match field(0, 7) {
        0x03 | 0x23 if xlen == 32 && [3, 6].contains(&form) => make("?", 0, 0, 0, 0),
        0x03 => make(LOADS[form], rd, rs1, 0, immediate),
        0x23 => make(STORES[form], 0, rs1, rs2, signed(high << 5 | rd, 12)),
        0x13 => match (form, high >> 1) {
            (1 | 5, 0) => make(IMMEDIATE[form], rd, rs1, 0, count),
            (5, 16) => make("srai", rd, rs1, 0, count),
            (1 | 5, _) => make("?", 0, 0, 0, 0),
            _ => make(IMMEDIATE[form], rd, rs1, 0, immediate),
        },
        0x1b | 0x3b if xlen == 32 => make("?", 0, 0, 0, 0),
        0x1b => match (form, high) {
            (0, _) => make("addiw", rd, rs1, 0, immediate),
            (1, 0) => make("slliw", rd, rs1, 0, count),
            (5, 0) => make("srliw", rd, rs1, 0, count),
            (5, 32) => make("sraiw", rd, rs1, 0, count),
            _ => make("?", 0, 0, 0, 0),
        },
        0x33 => match (form, high) {
            (_, 0) => make(REGISTER[form], rd, rs1, rs2, 0),
            (0, 32) => make("sub", rd, rs1, rs2, 0),
            (5, 32) => make("sra", rd, rs1, rs2, 0),
            _ => make("?", 0, 0, 0, 0),
        },
        0x3b => match (form, high) {
            (0, 0) => make("addw", rd, rs1, rs2, 0),
            (0, 32) => make("subw", rd, rs1, rs2, 0),
            (1, 0) => make("sllw", rd, rs1, rs2, 0),
            (5, 0) => make("srlw", rd, rs1, rs2, 0),
            (5, 32) => make("sraw", rd, rs1, rs2, 0),
            _ => make("?", 0, 0, 0, 0),
        },
        0x37 => make("lui", rd, 0, 0, signed(field(12, 20), 20) << 12),
        0x17 => make("auipc", rd, 0, 0, signed(field(12, 20), 20) << 12),
        0x6f => {
            let offset =
                field(31, 1) << 20 | field(12, 8) << 12 | field(20, 1) << 11 | field(21, 10) << 1;
            make("jal", rd, 0, 0, signed(offset, 21))
        }
        0x67 if form == 0 => make("jalr", rd, rs1, 0, immediate),
        0x73 if form == 2 => make("csrrs", rd, rs1, 0, immediate),
        0x73 if form == 3 => make("csrrc", rd, rs1, 0, immediate),
        0x63 => {
            let offset =
                field(31, 1) << 12 | field(7, 1) << 11 | field(25, 6) << 5 | field(8, 4) << 1;
            make(BRANCHES[form], 0, rs1, rs2, signed(offset, 13))
        }
        _ => make("?", 0, 0, 0, 0),
    }
}

impl Inst {
    pub(crate) fn is_branch(&self) -> bool {
        self.name != "?" && BRANCHES.contains(&self.name)
    }

    pub(crate) fn is_return(&self) -> bool {
        (self.name, self.rd, self.rs1, self.imm) == ("jalr", 0, 1, 0)
    }

    /// Bytes that a load reads.
    pub(crate) fn loads(&self) -> Option<u32> {
        width(&LOADS, self.name).map(|form| 1 << (form & 3))
    }

    /// Bytes that a store writes.
    pub(crate) fn stores(&self) -> Option<u32> {
        width(&STORES, self.name).map(|form| 1 << form)
    }

    pub(crate) fn reads(&self, reg: u32) -> bool {
        reg != 0 && (self.rs1 == reg || self.rs2 == reg)
    }

    pub(crate) fn writes(&self, reg: u32) -> bool {
        reg != 0 && self.rd == reg
    }
}

fn width(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name && name != "?")
}

/// As objdump would show it, registers as numbers.
impl std::fmt::Display for Inst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Inst {
            name,
            rd,
            rs1,
            rs2,
            imm,
        } = self;
        if self.stores().is_some() {
            write!(f, "{name} x{rs2}, {imm}(x{rs1})")
        } else if self.loads().is_some() {
            write!(f, "{name} x{rd}, {imm}(x{rs1})")
        } else if self.is_branch() {
            write!(f, "{name} x{rs1}, x{rs2}, .{imm:+}")
        } else if REGISTER.contains(name) || ["sub", "sra", "subw", "addw"].contains(name) {
            write!(f, "{name} x{rd}, x{rs1}, x{rs2}")
        } else {
            write!(f, "{name} x{rd}, x{rs1}, {imm}")
        }
    }
}
