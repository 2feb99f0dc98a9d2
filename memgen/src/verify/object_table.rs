//! Takes the fault table of one routine out of an ELF object.

use std::collections::BTreeMap;

use object::{
    Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags, RelocationTarget,
    SectionIndex, SymbolKind, elf,
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

impl Extent {
    /// How far into it an offset of a section is, if it is in it.
    fn find(&self, section: SectionIndex, offset: u64) -> Option<u64> {
        let inside = offset.wrapping_sub(self.start);
        (section == self.section && inside < self.bytes).then_some(inside)
    }
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
    let functions = file.symbols().filter_map(|symbol| {
        let section = symbol.section_index()?;
        (symbol.kind() == SymbolKind::Text).then(|| Extent {
            section,
            start: symbol.address(),
            bytes: symbol.size(),
        })
    });
    let functions: Vec<Extent> = functions.collect();
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
        let mut relocations: BTreeMap<u64, Vec<Relocation>> = BTreeMap::new();
        for (offset, relocation) in section.relocations() {
            relocations.entry(offset).or_default().push(relocation);
        }
        let places = Places {
            file,
            index: section.index(),
            data: section.data().map_err(|error| error.to_string())?,
            relocations,
            form,
        };
        for number in 0..section.size() / form.entry_bytes {
            match places.entry(number, extent, &functions) {
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

/// A table's section, and what the linker would fill in there.
struct Places<'a, File> {
    file: &'a File,
    index: SectionIndex,
    data: &'a [u8],
    relocations: BTreeMap<u64, Vec<Relocation>>,
    form: Form<'a>,
}

impl<'data, File: Object<'data>> Places<'_, File> {
    /// Entry `number`, unless it is another function's.
    fn entry(
        &self,
        number: u64,
        extent: Extent,
        functions: &[Extent],
    ) -> Result<Option<FaultEntry>, String> {
        let offset = number * self.form.entry_bytes;
        let (text, access) = self.place(offset)?;
        let Some(inside) = extent.find(text, access) else {
            let mut functions = functions.iter();
            let of_another = functions.any(|function| function.find(text, access).is_some());
            let problem = format!("is for {access:#x}, where no function is");
            return of_another.then_some(None).ok_or(problem);
        };
        let (text, recovery) = self.place(offset + self.form.place_bytes)?;
        let recovery = extent.find(text, recovery).ok_or_else(|| {
            let far = recovery.wrapping_sub(extent.start) as i64;
            format!("leads from {inside:#x} to {far} bytes from the start, out of the routine")
        })?;
        if self.form.typed {
            let half = |at: u64| {
                let bytes = self.data[at as usize..].first_chunk::<2>();
                bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
            };
            let (kind, extra) = (half(offset + 8), half(offset + 10));
            if (kind, extra) != (EX_TYPE_FIXUP, 0) {
                return Err(format!(
                    "has type {kind} and data {extra}, not {EX_TYPE_FIXUP} and 0"
                ));
            }
        }
        Ok(Some(FaultEntry {
            access: inside,
            recovery,
        }))
    }

    /// The section and the offset in it that the field at `offset` means, by the relocations there: as the GNU assembler and LLVM write
    /// them, a sum and a difference, a distance, or an address.
    fn place(&self, offset: u64) -> Result<(SectionIndex, u64), String> {
        let (mut to, mut from, mut addend) = (None, None, 0);
        for relocation in self.relocations.get(&offset).into_iter().flatten() {
            let RelocationTarget::Symbol(index) = relocation.target() else {
                return Err(format!("has a relocation at {offset:#x} without a symbol"));
            };
            let symbol = self.file.symbol_by_index(index);
            let symbol = symbol.map_err(|error| error.to_string())?;
            let Some(target) = symbol.section_index() else {
                let name = symbol.name().unwrap_or_default();
                return Err(format!("names `{name}`, which this object does not define"));
            };
            let value = symbol.address().wrapping_add_signed(relocation.addend());
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                return Err(format!(
                    "has a relocation at {offset:#x} that is none of ELF"
                ));
            };
            let absolute = match self.form.place_bytes {
                8 => elf::R_RISCV_64,
                _ => elf::R_RISCV_32,
            };
            match (r_type, self.form.relative) {
                (elf::R_RISCV_32_PCREL, true) => {
                    (to, from) = (Some((target, value)), Some((self.index, offset)));
                }
                (elf::R_RISCV_ADD32, true) => {
                    to = Some((target, value));
                    // These two add to what is there.
                    let field = self.data[offset as usize..].first_chunk::<4>();
                    addend = field.map_or(0, |field| i64::from(i32::from_le_bytes(*field)));
                }
                (elf::R_RISCV_SUB32, true) => from = Some((target, value)),
                (r_type, false) if r_type == absolute => {
                    (to, from) = (Some((target, value)), Some((self.index, offset)));
                }
                _ => {
                    return Err(format!(
                        "has a relocation of type {r_type} at {offset:#x}, which no such table has"
                    ));
                }
            }
        }
        match (to, from) {
            (Some((text, to)), Some((table, from))) if table == self.index => {
                let distance = offset.wrapping_sub(from).wrapping_add_signed(addend);
                Ok((text, to.wrapping_add(distance)))
            }
            _ => Err(format!(
                "has no distance or address at {offset:#x} that the linker would fill in"
            )),
        }
    }
}
