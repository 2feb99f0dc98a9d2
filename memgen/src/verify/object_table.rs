//! Takes the fault table of one routine out of an ELF object.

use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionIndex,
    SymbolKind, elf,
};

use super::recoveries::FaultEntry;
use crate::plan::FaultTable;

/// EX_TYPE_FIXUP of arch/riscv/include/asm/asm-extable.h: execution goes on at the second address, and that is all.
const EX_TYPE_FIXUP: u16 = 1;

/// Where a routine lies in its object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) section: SectionIndex,
    pub(super) start: u64,
    pub(super) bytes: u64,
}

/// How a table's entries are laid out.
#[derive(Clone, Copy)]
struct Form<'a> {
    section: &'a str,
    entry_bytes: u64,
    /// Bytes of each of the two places.
    place_bytes: u64,
    /// Whether these are distances from themselves.
    relative: bool,
    typed: bool,
}

impl Form<'_> {
    fn of(table: &FaultTable, xlen: u32) -> Form<'_> {
        let (section, entry_bytes, place_bytes) = match table {
            FaultTable::Pairs(section) => (section.as_str(), 8, 4),
            FaultTable::Typed(_) => ("__ex_table", 12, 4),
            FaultTable::Addresses(_) => ("__ex_table", u64::from(xlen / 4), u64::from(xlen / 8)),
        };
        Form {
            section,
            entry_bytes,
            place_bytes,
            relative: !matches!(table, FaultTable::Addresses(_)),
            typed: matches!(table, FaultTable::Typed(_)),
        }
    }
}

/// Reads the entries of the routine at `extent`, which the object may share with others, out of the section that `table` is in.
///
/// # Errors
/// One line each: a section that is no whole number of entries, a place that cannot be told before the object is linked, an entry of
/// another type than a plain fix-up, one that leads out of the routine, one that belongs to no function.
pub(super) fn read<'data>(
    file: &impl Object<'data>,
    extent: Extent,
    table: &FaultTable,
    xlen: u32,
) -> Result<Vec<FaultEntry>, String> {
    let form = Form::of(table, xlen);
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for section in file.sections() {
        if section.name() != Ok(form.section) {
            continue;
        }
        if !section.size().is_multiple_of(form.entry_bytes) {
            problems.push(format!(
                "the section `{}` has {} bytes, no whole number of entries of {}",
                form.section,
                section.size(),
                form.entry_bytes
            ));
            continue;
        }
        for number in 0..section.size() / form.entry_bytes {
            match entry(file, &section, extent, form, number) {
                Ok(entry) => entries.extend(entry),
                Err(problem) => problems.push(format!(
                    "entry {number} of the section `{}` {problem}",
                    form.section
                )),
            }
        }
    }
    if problems.is_empty() {
        Ok(entries)
    } else {
        Err(problems.join("\n"))
    }
}

/// Entry `number`, unless it is another function's.
fn entry<'data>(
    file: &impl Object<'data>,
    section: &impl ObjectSection<'data>,
    extent: Extent,
    form: Form,
    number: u64,
) -> Result<Option<FaultEntry>, String> {
    let offset = number * form.entry_bytes;
    let (text, access) = place(file, section, offset, form)?;
    let in_routine = |text, place: u64| {
        let inside = place.wrapping_sub(extent.start);
        (text == extent.section && inside < extent.bytes).then_some(inside)
    };
    let Some(access) = in_routine(text, access) else {
        let of_another = file.symbols().any(|symbol| {
            symbol.kind() == SymbolKind::Text
                && symbol.section_index() == Some(text)
                && (symbol.address()..symbol.address() + symbol.size()).contains(&access)
        });
        let problem = format!("is for {access:#x}, where no function is");
        return of_another.then_some(None).ok_or(problem);
    };
    let (text, recovery) = place(file, section, offset + form.place_bytes, form)?;
    let recovery = in_routine(text, recovery).ok_or_else(|| {
        format!("leads from {access:#x} out of the routine: its recovery is {recovery:#x} in its section")
    })?;
    if form.typed {
        let data = section.data().map_err(|error| error.to_string())?;
        let half = |at: u64| u16::from_le_bytes([data[at as usize], data[at as usize + 1]]);
        let (kind, extra) = (half(offset + 8), half(offset + 10));
        if (kind, extra) != (EX_TYPE_FIXUP, 0) {
            return Err(format!(
                "has type {kind} and data {extra}, not {EX_TYPE_FIXUP} and 0"
            ));
        }
    }
    Ok(Some(FaultEntry { access, recovery }))
}

/// The section and the offset in it that the field at `offset` of a table means, by the relocations there: as the GNU assembler and
/// LLVM write them, a sum and a difference, a distance, or an address.
fn place<'data>(
    file: &impl Object<'data>,
    section: &impl ObjectSection<'data>,
    offset: u64,
    form: Form,
) -> Result<(SectionIndex, u64), String> {
    let data = section.data().map_err(|error| error.to_string())?;
    let mut to = None;
    let mut from = None;
    let mut addend = 0;
    let relocations = section.relocations();
    for (_, relocation) in relocations.filter(|(place, _)| *place == offset) {
        let RelocationTarget::Symbol(index) = relocation.target() else {
            return Err(format!("has a relocation at {offset:#x} without a symbol"));
        };
        let symbol = file.symbol_by_index(index);
        let symbol = symbol.map_err(|error| error.to_string())?;
        let Some(target) = symbol.section_index() else {
            let name = symbol.name().unwrap_or_default();
            return Err(format!("names `{name}`, which this object does not define"));
        };
        let value = (
            target,
            symbol.address().wrapping_add_signed(relocation.addend()),
        );
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return Err(format!(
                "has a relocation at {offset:#x} that is none of ELF"
            ));
        };
        let this = (section.index(), offset);
        let absolute = if form.place_bytes == 8 {
            elf::R_RISCV_64
        } else {
            elf::R_RISCV_32
        };
        match r_type {
            elf::R_RISCV_32_PCREL if form.relative => (to, from) = (Some(value), Some(this)),
            elf::R_RISCV_ADD32 if form.relative => {
                to = Some(value);
                // These two add to what is there.
                let field = data[offset as usize..].first_chunk::<4>();
                addend = field.map_or(0, |field| i64::from(i32::from_le_bytes(*field)));
            }
            elf::R_RISCV_SUB32 if form.relative => from = Some(value),
            _ if r_type == absolute && !form.relative => (to, from) = (Some(value), Some(this)),
            _ => {
                return Err(format!(
                    "has a relocation of type {r_type} at {offset:#x}, which no such table has"
                ));
            }
        }
    }
    match (to, from) {
        (Some((text, to)), Some((table, from))) if table == section.index() => {
            let distance = offset.wrapping_sub(from).wrapping_add_signed(addend);
            Ok((text, to.wrapping_add(distance)))
        }
        _ => Err(format!(
            "has no distance or address at {offset:#x} that the linker would fill in"
        )),
    }
}
