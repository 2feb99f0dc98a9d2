//! Takes one routine's machine code out of an ELF object.

use object::read::elf::ElfFile;
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, elf,
};

use super::decode::Operation;
use super::machine::Code;

/// Reads the function `symbol` out of the ELF object `bytes`, for registers of `xlen` bits.
///
/// # Errors
/// One line: not an object, no such symbol, a size that is no whole number of instructions, or a relocation that would change
/// the code when it is linked.
pub(super) fn load(bytes: &[u8], symbol: &str, xlen: u32) -> Result<Code, String> {
    if xlen == 64 {
        code_of(
            &parse::<elf::FileHeader64<Endianness>>(bytes)?,
            symbol,
            xlen,
        )
    } else {
        code_of(
            &parse::<elf::FileHeader32<Endianness>>(bytes)?,
            symbol,
            xlen,
        )
    }
}

fn parse<'data, Elf>(bytes: &'data [u8]) -> Result<ElfFile<'data, Elf>, String>
where
    Elf: object::read::elf::FileHeader<Endian = Endianness>,
{
    ElfFile::parse(bytes).map_err(|error| format!("not the ELF object that was expected: {error}"))
}

fn code_of<'data>(file: &impl Object<'data>, symbol: &str, xlen: u32) -> Result<Code, String> {
    let found = file
        .symbols()
        .find(|candidate| candidate.name() == Ok(symbol) && candidate.is_definition())
        .ok_or_else(|| format!("the object defines no symbol `{symbol}`"))?;
    let section = found
        .section_index()
        .and_then(|index| file.section_by_index(index).ok())
        .ok_or_else(|| format!("`{symbol}` is in no section"))?;
    let data = section.data().map_err(|error| error.to_string())?;
    let (start, size) = (found.address() as usize, found.size() as usize);
    let bytes = data
        .get(start..start + size)
        .filter(|bytes| !bytes.is_empty() && bytes.len().is_multiple_of(4))
        .ok_or_else(|| format!("`{symbol}` has {size} bytes, no whole number of instructions"))?;
    let words: Vec<u32> = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect();
    let code = Code::new(words, xlen);
    for (offset, relocation) in section.relocations() {
        let Some(inside) = (offset as usize)
            .checked_sub(start)
            .filter(|inside| *inside < size)
        else {
            continue;
        };
        let target = match relocation.target() {
            RelocationTarget::Symbol(index) => file.symbol_by_index(index).ok(),
            _ => None,
        };
        // GNU as leaves the relocations of local jumps in the object although it has filled in their distances.
        let settled = target.is_some_and(|target| {
            let distance = (target.address() as i64 + relocation.addend()) - offset as i64;
            let inst = &code.decoded[inside / 4];
            let expected = match relocation.flags() {
                RelocationFlags::Elf {
                    r_type: elf::R_RISCV_BRANCH,
                } => matches!(inst.operation, Operation::Branch(_)),
                RelocationFlags::Elf {
                    r_type: elf::R_RISCV_JAL,
                } => inst.operation == Operation::Jal,
                _ => false,
            };
            expected && target.section_index() == found.section_index() && distance == inst.imm
        });
        if !settled {
            return Err(format!(
                "a relocation at {inside:#x} of `{symbol}` would change the code: {:?}",
                relocation.flags()
            ));
        }
    }
    Ok(code)
}
