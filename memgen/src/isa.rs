//! ISA strings, as for `-march`: base, register width, extensions.

use std::collections::BTreeSet;

use crate::problem::Problems;
use crate::reg::RegSet;

/// Single-letter extensions that are understood, in canonical order.
const LETTERS: &str = "mafdcbvh";

/// Longer names that are understood. Naming one that no kernel uses is fine: the string says what may be used.
const NAMED: [&str; 29] = [
    "zaamo",
    "zalrsc",
    "zawrs",
    "zba",
    "zbb",
    "zbc",
    "zbkb",
    "zbkc",
    "zbkx",
    "zbs",
    "zca",
    "zcb",
    "zcd",
    "zcf",
    "zcmp",
    "zcmt",
    "zfinx",
    "zicbom",
    "zicbop",
    "zicboz",
    "zicfilp",
    "zicfiss",
    "zicntr",
    "zicond",
    "zicsr",
    "zifencei",
    "zihintpause",
    "zihpm",
    "zmmul",
];

/// A base with its register width and the extensions that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isa {
    /// Register width in bits, 32 or 64.
    pub xlen: u32,
    /// The E bases: x0 to x15 only.
    pub embedded: bool,
    /// Extension names, lower case; single letters too.
    pub extensions: BTreeSet<String>,
}

impl Isa {
    /// Reads `--isa` and `--xlen`, one or both or none. Every fault goes to `problems`; the result is then a best guess.
    pub(crate) fn new(isa: Option<&str>, xlen: Option<u32>, problems: &mut Problems) -> Isa {
        let mut found = Isa {
            xlen: xlen.unwrap_or(64),
            embedded: false,
            extensions: BTreeSet::new(),
        };
        if !matches!(found.xlen, 32 | 64) {
            problems.add(
                "xlen",
                format!("{} is no register width; 32 and 64 are", found.xlen),
                "use --xlen 32 or --xlen 64",
            );
            found.xlen = 64;
        }
        let Some(text) = isa else { return found };
        let Some((width, rest)) = split_base(text) else {
            problems.add(
                "isa",
                format!("`{text}` does not start with rv32 or rv64 and a base, i, e or g"),
                "write it as for -march, in lower case: rv64i, rv32imac, rv32e, rv64gc_zbb",
            );
            return found;
        };
        if xlen.is_some_and(|asked| matches!(asked, 32 | 64) && asked != width) {
            problems.add(
                "isa",
                format!(
                    "`{text}` has {width}-bit registers, --xlen says {}",
                    found.xlen
                ),
                "leave out --xlen: the ISA string fixes it",
            );
        }
        found.xlen = width;
        found.read_extensions(text, rest, problems);
        found
    }

    /// The ISA string of a base and those of `features`, as rustc names them, that are understood here; any order, each once.
    pub(crate) fn spell(xlen: u32, embedded: bool, features: &[&str]) -> String {
        let mut letters = String::from(if embedded { "e" } else { "i" });
        letters.extend(
            LETTERS
                .chars()
                .filter(|letter| features.contains(&&*letter.to_string())),
        );
        let names = NAMED.iter().filter(|name| features.contains(name));
        names.fold(format!("rv{xlen}{letters}"), |isa, name| {
            format!("{isa}_{name}")
        })
    }

    /// Reads what follows `rv64`: the base letter, single letters, then names set apart by underscores.
    fn read_extensions(&mut self, text: &str, rest: &str, problems: &mut Problems) {
        let mut parts = rest.split('_');
        let letters = parts.next().unwrap_or_default().chars().map(String::from);
        let mut unknown = Vec::new();
        for name in letters.chain(parts.map(str::to_owned)) {
            match name.as_str() {
                "i" => {}
                "e" => self.embedded = true,
                "g" => self
                    .extensions
                    .extend(["m", "a", "f", "d", "zicsr", "zifencei"].map(str::to_owned)),
                known if is_known(known) => drop(self.extensions.insert(name)),
                _ => unknown.push(format!("`{name}`")),
            }
        }
        if !unknown.is_empty() {
            problems.add(
                "isa",
                format!("unknown in `{text}`: {}", unknown.join(", ")),
                format!(
                    "letters are i, e, g or any of {LETTERS}, without versions; names are {}",
                    NAMED.join(", ")
                ),
            );
        }
    }

    /// Whether `extension` may be used.
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.contains(extension)
    }

    /// The registers a leaf routine may use without saving them.
    pub fn caller_saved(&self) -> RegSet {
        if self.embedded {
            RegSet::CALLER_SAVED_E
        } else {
            RegSet::CALLER_SAVED
        }
    }

    /// The registers a routine may use after saving them: s0 to s11, on the E bases s0 and s1.
    pub fn callee_saved(&self) -> RegSet {
        if self.embedded {
            RegSet::CALLEE_SAVED_E
        } else {
            RegSet::CALLEE_SAVED
        }
    }

    /// The base alone, as for `-march`: `rv64i`, `rv32e`. Emitted code that uses no extension assembles with it.
    pub fn base(&self) -> String {
        format!("rv{}{}", self.xlen, if self.embedded { 'e' } else { 'i' })
    }

    /// The integer calling convention's name, as for `-mabi`.
    pub fn abi(&self) -> &'static str {
        match (self.xlen, self.embedded) {
            (32, false) => "ilp32",
            (32, true) => "ilp32e",
            (_, false) => "lp64",
            (_, true) => "lp64e",
        }
    }
}

/// `rv64imac` gives 64 and `imac`; `None` unless a base letter follows the width.
fn split_base(text: &str) -> Option<(u32, &str)> {
    let (width, rest) = if let Some(rest) = text.strip_prefix("rv32") {
        (32, rest)
    } else {
        (64, text.strip_prefix("rv64")?)
    };
    rest.starts_with(['i', 'e', 'g']).then_some((width, rest))
}

/// Whether this is one of the extensions' letters or names.
fn is_known(name: &str) -> bool {
    NAMED.contains(&name) || (name.len() == 1 && LETTERS.contains(name))
}
