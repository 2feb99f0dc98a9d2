//! What a RISC-V kernel must not hold, read off its instructions.

/// Calls and computed jumps, one line each.
pub(crate) fn faults(code: &[u8], xlen: u32) -> Vec<String> {
    let mut faults = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let half = |at: usize| u32::from(u16::from_le_bytes([code[at], code[at + 1]]));
        let (fault, bytes) = match half(at) {
            low if low & 3 == 3 => (full(low | half(at + 2) << 16), 4),
            low => (compressed(low, xlen), 2),
        };
        if let Some(fault) = fault {
            faults.push(format!("{fault} at {at:#x}"));
        }
        at += bytes;
    }
    faults
}

/// A jump out of the section would be a relocation, which is looked for elsewhere.
fn full(inst: u32) -> Option<&'static str> {
    let (operation, rd, rs1) = (inst & 0x7f, inst >> 7 & 31, inst >> 15 & 31);
    match operation {
        0x6f | 0x67 if rd != 0 => Some("call"),
        0x67 if rs1 != 1 => Some("jump to a computed place"),
        _ => None,
    }
}

fn compressed(inst: u32, xlen: u32) -> Option<&'static str> {
    let (rs1, rs2) = (inst >> 7 & 31, inst >> 2 & 31);
    match (inst & 3, inst >> 13) {
        // c.jal; on RV64 these bits are c.addiw.
        (1, 1) if xlen == 32 => Some("call"),
        (2, 4) if rs2 == 0 && rs1 != 0 => match (inst >> 12 & 1, rs1) {
            (1, _) => Some("call"),
            (_, 1) => None,
            _ => Some("jump to a computed place"),
        },
        _ => None,
    }
}
