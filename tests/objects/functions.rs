//! Functions as an object holds them, and what is wrong with one that should be a kernel.

use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind,
};

use crate::{riscv, x86};

/// Everything in the ELF object `bytes` that a kernel must not hold, one line each: calls, jumps elsewhere, relocations, registers
/// of vectors, names it leaves open. `symbols` are its functions; another one is a fault as well.
pub(crate) fn faults(bytes: &[u8], symbols: &[&str]) -> Vec<String> {
    let file = object::File::parse(bytes).unwrap();
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap();
        if symbol.is_undefined() && !name.is_empty() {
            faults.push(format!("{name} is left open"));
        }
        if symbol.kind() == SymbolKind::Text {
            found.push(name);
            let about = |fault| format!("{name}: {fault}");
            faults.extend(function_faults(&file, &symbol).into_iter().map(about));
        }
    }
    for name in &found {
        if !symbols.contains(name) {
            faults.push(format!("{name} is no kernel"));
        }
    }
    for name in symbols {
        assert!(found.contains(name), "no function {name}");
    }
    faults
}

/// The same for the one function `symbol` among others, as in a linked program: what the others do is their matter.
pub(crate) fn faults_of(bytes: &[u8], symbol: &str) -> Vec<String> {
    let file = object::File::parse(bytes).unwrap();
    let found = file
        .symbols()
        .find(|candidate| candidate.name() == Ok(symbol) && candidate.kind() == SymbolKind::Text);
    function_faults(
        &file,
        &found.unwrap_or_else(|| panic!("no function {symbol}")),
    )
}

fn function_faults(file: &object::File<'_>, symbol: &object::Symbol<'_, '_>) -> Vec<String> {
    let section = file
        .section_by_index(symbol.section_index().unwrap())
        .unwrap();
    assert_eq!(section.kind(), SectionKind::Text);
    let start = symbol.address() - section.address();
    let range = start..start + symbol.size();
    assert!(!range.is_empty(), "{} has no size", symbol.name().unwrap());
    let code = &section.data().unwrap()[range.start as usize..range.end as usize];
    let mut faults = match file.architecture() {
        Architecture::X86_64 => x86::faults(code),
        Architecture::Riscv32 => riscv::faults(code, 32),
        Architecture::Riscv64 => riscv::faults(code, 64),
        other => panic!("no reader for {other:?}"),
    };
    for (offset, relocation) in section.relocations() {
        if range.contains(&offset) {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => file.symbol_by_index(index).ok(),
                _ => None,
            };
            let name = target.and_then(|target| target.name().ok()).unwrap_or("?");
            faults.push(format!(
                "relocation against {name} at {:#x}",
                offset - start
            ));
        }
    }
    faults
}
