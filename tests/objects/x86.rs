//! What an x86-64 kernel must not hold, read off its instructions.

use iced_x86::{Code, Decoder, DecoderOptions, Instruction, OpKind, Register};

/// Calls, jumps out of `code`, vector registers, and what is no instruction of the base set; one line each.
pub(crate) fn faults(code: &[u8]) -> Vec<String> {
    let decoder = Decoder::new(64, code, DecoderOptions::NONE);
    decoder
        .into_iter()
        .filter_map(|inst| Some(format!("{} at {:#x}", fault(&inst, code)?, inst.ip())))
        .collect()
}

fn fault(inst: &Instruction, code: &[u8]) -> Option<&'static str> {
    // The decoder is built without the encodings of AVX and what followed it.
    if inst.is_invalid() {
        return Some("no instruction of the base set");
    }
    match inst.code() {
        Code::Call_rel16 | Code::Call_rel32_64 | Code::Call_rm16 | Code::Call_rm64 => {
            return Some("call");
        }
        Code::Jmp_rm16 | Code::Jmp_rm64 => return Some("jump to a computed place"),
        _ => {}
    }
    for operand in 0..inst.op_count() {
        match inst.op_kind(operand) {
            OpKind::NearBranch64 if inst.near_branch64() >= code.len() as u64 => {
                return Some("jump elsewhere");
            }
            OpKind::Register if is_vector(inst.op_register(operand)) => {
                return Some("vector register");
            }
            _ => {}
        }
    }
    None
}

fn is_vector(register: Register) -> bool {
    (Register::XMM0..=Register::ZMM31).contains(&register)
        || (Register::MM0..=Register::MM7).contains(&register)
        || (Register::ST0..=Register::ST7).contains(&register)
}
