//! Rust kernels for the tests that compile them: the published ones and a spread of others, each under a name of its own.

#![allow(dead_code, reason = "each target takes what it needs")]

use memgen::{Emit, Spec, generate};

use crate::support::{header_command, spec};

/// A kernel's text and what it was made from.
pub(crate) struct Kernel {
    pub(crate) asked: Spec,
    /// Name of its function, different for each kernel of a list.
    pub(crate) symbol: String,
    pub(crate) text: String,
}

/// The Rust kernels among the published files, as they stand there but for the name of the function.
pub(crate) fn published() -> Vec<Kernel> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated");
    let mut kernels = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let asked = spec(header_command(&text).trim_start_matches("memgen "));
        if asked.emit == Emit::Rust {
            let file = path.file_stem().unwrap().to_string_lossy().into_owned();
            kernels.push(renamed(asked, &text, &file));
        }
    }
    assert!(!kernels.is_empty(), "no Rust kernel in {folder}");
    kernels.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    kernels
}

/// The kernels that `memgen --emit rust FLAGS` makes, for each of the flags.
pub(crate) fn made(flags: &[&str]) -> Vec<Kernel> {
    let make = |(index, flags): (usize, &&str)| {
        let asked = spec(&format!("--emit rust {flags}"));
        let text = generate(&asked).unwrap_or_else(|error| panic!("{flags}: {error}"));
        let name = format!("{}_{index}", asked.op);
        renamed(asked, &text, &name)
    };
    flags.iter().enumerate().map(make).collect()
}

fn renamed(asked: Spec, text: &str, symbol: &str) -> Kernel {
    let old = asked.symbol.clone().unwrap_or_else(|| asked.op.to_string());
    let declaration = format!("fn {old}(");
    assert_eq!(text.matches(&declaration).count(), 1, "{text}");
    Kernel {
        text: text.replacen(&declaration, &format!("fn {symbol}("), 1),
        symbol: symbol.to_owned(),
        asked,
    }
}

/// One text of several kernels, to be compiled at once.
pub(crate) fn together(kernels: &[&Kernel]) -> String {
    let texts = kernels.iter().map(|kernel| kernel.text.as_str());
    texts.collect::<Vec<_>>().join("\n")
}
