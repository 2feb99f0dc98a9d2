//! Reads the fault table of an object, and the accesses of a routine, from their bytes and relocations alone.

#![allow(dead_code, reason = "each target takes what it needs")]

use std::collections::{BTreeMap, BTreeSet};

use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionIndex, elf,
};

/// How an entry is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Two self-relative words.
    Pairs,
    /// Those, then type and data, 16 bits each.
    Typed,
    /// Two addresses.
    Addresses,
}

/// One entry, its places as offsets in the section of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) access: u64,
    pub(crate) recovery: u64,
    /// Type and data, 0 where there are none.
    pub(crate) marks: [u16; 2],
}

/// A table as it lies in an object.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    /// The kinds of its relocations, as the ELF numbers them.
    pub(crate) relocations: BTreeSet<u32>,
    /// `sh_flags` and alignment of the section.
    pub(crate) section: (u64, u64),
}

/// The table in the section `name` of an ELF object.
pub(crate) fn table(bytes: &[u8], name: &str, form: Form) -> Result<Table, String> {
    let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
    let section = file
        .section_by_name(name)
        .ok_or(format!("no section {name}"))?;
    let data = section.data().map_err(|error| error.to_string())?;
    let pointer_bytes = if file.is_64() { 8 } else { 4 };
    let (entry_bytes, step) = match form {
        Form::Pairs => (8, 4),
        Form::Typed => (12, 4),
        Form::Addresses => (2 * pointer_bytes, pointer_bytes),
    };
    if data.is_empty() || data.len() % entry_bytes != 0 {
        return Err(format!(
            "{} bytes are no entries of {entry_bytes}",
            data.len()
        ));
    }
    let mut relocations = BTreeSet::new();
    let places = places(&file, &section, form, &mut relocations)?;
    let place = |at: usize| {
        let place = places.get(&(at as u64));
        place.copied().ok_or(format!("no relocation at {at}"))
    };
    let mark = |at: usize| u16::from_le_bytes([data[at], data[at + 1]]);
    let entry = |at: usize| {
        Ok(Entry {
            access: place(at)?,
            recovery: place(at + step)?,
            marks: if form == Form::Typed {
                [mark(at + 8), mark(at + 10)]
            } else {
                [0, 0]
            },
        })
    };
    let entries: Result<Vec<Entry>, String> =
        (0..data.len()).step_by(entry_bytes).map(entry).collect();
    let object::SectionFlags::Elf { sh_flags, .. } = section.flags() else {
        return Err("no ELF section".to_owned());
    };
    Ok(Table {
        entries: entries?,
        relocations,
        section: (sh_flags.0, section.align()),
    })
}

/// Where in the code each field of the table leads, by the field's offset.
fn places<'data>(
    file: &object::File<'data>,
    section: &object::Section<'data, '_>,
    form: Form,
    kinds: &mut BTreeSet<u32>,
) -> Result<BTreeMap<u64, u64>, String> {
    let code: Vec<SectionIndex> = file
        .sections()
        .filter(|section| section.kind() == object::SectionKind::Text)
        .map(|section| section.index())
        .collect();
    let mut places = BTreeMap::new();
    for (at, relocation) in section.relocations() {
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return Err("no ELF relocation".to_owned());
        };
        kinds.insert(r_type.0);
        let RelocationTarget::Symbol(index) = relocation.target() else {
            return Err(format!("a relocation without a symbol at {at}"));
        };
        let symbol = file
            .symbol_by_index(index)
            .map_err(|error| error.to_string())?;
        let value = symbol.address().wrapping_add_signed(relocation.addend());
        let leads_to_code = symbol
            .section_index()
            .is_some_and(|index| code.contains(&index));
        let relative = form != Form::Addresses;
        match r_type {
            elf::R_RISCV_ADD32 | elf::R_RISCV_32_PCREL if relative && leads_to_code => {
                places.insert(at, value);
            }
            elf::R_RISCV_32 | elf::R_RISCV_64 if !relative && leads_to_code => {
                places.insert(at, value);
            }
            elf::R_RISCV_SUB32
                if symbol.section_index() == Some(section.index()) && value == at => {}
            _ => return Err(format!("relocation {r_type:?} at {at}, to {value}")),
        }
    }
    Ok(places)
}

/// Which accesses of a routine are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accesses {
    Loads,
    Stores,
    Both,
}

/// What a routine's code is, in instructions of four bytes.
#[derive(Debug)]
pub(crate) struct Routine {
    /// Offset of its first instruction in its section.
    pub(crate) start: u64,
    pub(crate) words: Vec<u32>,
}

impl Routine {
    /// The code of the function `symbol`.
    pub(crate) fn read(bytes: &[u8], symbol: &str) -> Result<Routine, String> {
        let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
        let found = file
            .symbol_by_name(symbol)
            .ok_or(format!("no symbol {symbol}"))?;
        if !found.is_global() || found.kind() != object::SymbolKind::Text {
            return Err(format!("{symbol} is no global function"));
        }
        let index = found.section_index().ok_or("no section")?;
        let section = file
            .section_by_index(index)
            .map_err(|error| error.to_string())?;
        let code = section
            .data_range(found.address(), found.size())
            .map_err(|error| error.to_string())?
            .ok_or(format!("{symbol} has no code"))?;
        let words = code.chunks_exact(4);
        Ok(Routine {
            start: found.address(),
            words: words
                .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
                .collect(),
        })
    }

    fn places(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (self.start..).step_by(4).zip(self.words.iter().copied())
    }

    /// Offsets of the loads or stores whose base is not sp, in the section.
    pub(crate) fn accesses(&self, which: Accesses) -> BTreeSet<u64> {
        let is = |word: u32| {
            let wanted = match word & 0x7f {
                0x03 => which != Accesses::Stores,
                0x23 => which != Accesses::Loads,
                _ => false,
            };
            wanted && word >> 15 & 31 != 2
        };
        self.places()
            .filter(|(_, word)| is(*word))
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether each `ret` has a `csrc sstatus` closely before it, and there is one `csrs`; or whether there is neither.
    pub(crate) fn sum(&self) -> Result<bool, String> {
        const RET: u32 = 0x8067;
        // csrrs and csrrc into zero, from any register, of sstatus.
        let is = |word: u32, instruction: u32| word & 0xfff0_7fff == instruction;
        let set = self
            .words
            .iter()
            .filter(|word| is(**word, 0x1000_2073))
            .count();
        let mut closed = 0;
        let mut rets = 0;
        for (index, _) in self
            .words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word == RET)
        {
            rets += 1;
            let before = &self.words[index.saturating_sub(2)..index];
            closed += usize::from(before.iter().any(|word| is(*word, 0x1000_3073)));
        }
        let cleared = self
            .words
            .iter()
            .filter(|word| is(**word, 0x1000_3073))
            .count();
        match (set, cleared, closed) {
            (0, 0, 0) => Ok(false),
            (1, _, _) if closed == rets && cleared == rets => Ok(true),
            _ => Err(format!(
                "SUM is set {set} times, cleared {cleared} times, for {rets} returns {closed} times"
            )),
        }
    }
}

/// What is wrong with the table of a routine of which `which` accesses are to user memory: an access without an entry, an
/// entry without an access, two for one, a target outside the routine.
pub(crate) fn complaints(table: &Table, routine: &Routine, which: Accesses) -> Vec<String> {
    let end = routine.start + 4 * routine.words.len() as u64;
    let inside = |place: u64| (routine.start..end).contains(&place);
    let entries: Vec<&Entry> = table
        .entries
        .iter()
        .filter(|entry| inside(entry.access))
        .collect();
    let accesses = routine.accesses(which);
    let mut complaints = Vec::new();
    let mut named = BTreeSet::new();
    for entry in entries {
        if !accesses.contains(&entry.access) {
            complaints.push(format!("{entry:?} names no access to user memory"));
        }
        if !named.insert(entry.access) {
            complaints.push(format!("{entry:?} is one of two"));
        }
        if !inside(entry.recovery) || !(entry.recovery - routine.start).is_multiple_of(4) {
            complaints.push(format!("{entry:?} leads out of the routine"));
        }
    }
    let without = accesses.difference(&named);
    complaints.extend(without.map(|at| format!("the access at {at} has no entry")));
    complaints
}
