//! Takes one routine's machine code, and its fault table, out of an ELF object.

use object::read::elf::ElfFile;
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, elf,
};

use super::code::Code;
use super::decode::Operation;
use super::object_table::{self, Extent};
use super::recoveries::{FaultEntry, Recoveries};
use crate::plan::{FaultTable, Plan};

/// Who made an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An assembler, from emitted text: every instruction has four bytes.
    Assembled,
    /// A compiler: instructions may be compressed.
    Compiled,
}

/// Reads the function `symbol` out of the ELF object `bytes`, for registers of `xlen` bits.
///
/// # Errors
/// One line: not an object, no such symbol, a size that is no whole number of instructions, or a relocation that would change
/// the code when it is linked.
pub(super) fn load(bytes: &[u8], symbol: &str, xlen: u32, origin: Origin) -> Result<Code, String> {
    if xlen == 64 {
        let file = parse::<elf::FileHeader64<Endianness>>(bytes)?;
        code_of(&file, symbol, xlen, origin)
    } else {
        let file = parse::<elf::FileHeader32<Endianness>>(bytes)?;
        code_of(&file, symbol, xlen, origin)
    }
}

/// Reads the entries that the fault table, of the form `table`, has for the function `symbol`.
///
/// # Errors
/// As [`load`], and as [`object_table::read`].
pub(super) fn load_entries(
    bytes: &[u8],
    symbol: &str,
    xlen: u32,
    table: &FaultTable,
) -> Result<Vec<FaultEntry>, String> {
    if xlen == 64 {
        let file = parse::<elf::FileHeader64<Endianness>>(bytes)?;
        object_table::read(&file, extent(&file, symbol)?, table, xlen)
    } else {
        let file = parse::<elf::FileHeader32<Endianness>>(bytes)?;
        object_table::read(&file, extent(&file, symbol)?, table, xlen)
    }
}

/// Reads the function that `plan` names, with its fault table if there has to be one.
///
/// # Errors
/// As [`load`] and [`load_entries`]; entries that do not fit the code.
pub(super) fn load_routine(bytes: &[u8], plan: &Plan, origin: Origin) -> Result<Code, String> {
    let (symbol, xlen) = (plan.symbol(), plan.isa().xlen);
    let mut code = load(bytes, symbol, xlen, origin)?;
    if let Some(user) = plan.user() {
        let entries = load_entries(bytes, symbol, xlen, &user.table)?;
        code.recoveries = Some(Recoveries::new(&code, &entries)?);
    }
    Ok(code)
}

fn parse<'data, Elf>(bytes: &'data [u8]) -> Result<ElfFile<'data, Elf>, String>
where
    Elf: object::read::elf::FileHeader<Endian = Endianness>,
{
    ElfFile::parse(bytes).map_err(|error| format!("not the ELF object that was expected: {error}"))
}

/// Where the function `symbol` lies.
fn extent<'data>(file: &impl Object<'data>, symbol: &str) -> Result<Extent, String> {
    let found = file
        .symbols()
        .find(|candidate| candidate.name() == Ok(symbol) && candidate.is_definition())
        .ok_or_else(|| format!("the object defines no symbol `{symbol}`"))?;
    Ok(Extent {
        section: found
            .section_index()
            .ok_or_else(|| format!("`{symbol}` is in no section"))?,
        start: found.address(),
        bytes: found.size(),
    })
}

fn code_of<'data>(
    file: &impl Object<'data>,
    symbol: &str,
    xlen: u32,
    origin: Origin,
) -> Result<Code, String> {
    let extent = extent(file, symbol)?;
    let section = file
        .section_by_index(extent.section)
        .map_err(|error| error.to_string())?;
    let data = section.data().map_err(|error| error.to_string())?;
    let step = match origin {
        Origin::Assembled => 4,
        Origin::Compiled => 2,
    };
    let (start, size) = (extent.start as usize, extent.bytes as usize);
    let bytes = data
        .get(start..start + size)
        .filter(|bytes| !bytes.is_empty() && bytes.len().is_multiple_of(step))
        .ok_or_else(|| format!("`{symbol}` has {size} bytes, no whole number of instructions"))?;
    let code = match origin {
        Origin::Assembled => {
            let words = bytes.as_chunks::<4>().0.iter();
            let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
            Code::new(&words, xlen)
        }
        Origin::Compiled => {
            let parcels = bytes.as_chunks::<2>().0.iter();
            let parcels = parcels.map(|parcel| u16::from_le_bytes(*parcel));
            Code::with_compressed(parcels.collect(), xlen)
        }
    };
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
        let settled = target.as_ref().is_some_and(|target| {
            let distance = (target.address() as i64 + relocation.addend()) - offset as i64;
            let inst = &code.decoded[inside / 2];
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                return false;
            };
            let expected = match r_type {
                elf::R_RISCV_BRANCH | elf::R_RISCV_RVC_BRANCH => {
                    matches!(inst.operation, Operation::Branch(_))
                }
                elf::R_RISCV_JAL | elf::R_RISCV_RVC_JUMP => inst.operation == Operation::Jal,
                _ => false,
            };
            expected && target.section_index() == Some(extent.section) && distance == inst.imm
        });
        if !settled {
            let name = target.as_ref().and_then(|target| target.name().ok());
            let name = name.map_or(String::new(), |name| format!(" to `{name}`"));
            return Err(format!(
                "a relocation at {inside:#x} of `{symbol}`{name} would change the code: {:?}",
                relocation.flags()
            ));
        }
    }
    Ok(code)
}
