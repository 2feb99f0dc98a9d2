//! The manifest: a TOML file that lists variants, read into specifications and their text.

use std::fmt;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::Failure;
use super::complaints::Complaints;
use super::variant::Reader;
use crate::spec::Spec;

/// A list of variants without a problem, ready to be written or compared.
#[derive(Debug)]
pub(super) struct Manifest {
    /// The file that holds the list.
    pub(super) path: PathBuf,
    /// The variants in the order of the list; there is at least one.
    pub(super) variants: Vec<Variant>,
}

/// One `[[variant]]`.
#[derive(Debug)]
pub(super) struct Variant {
    /// Name of its file, which stands next to the manifest.
    pub(super) file: String,
    /// What it is for, in one line.
    pub(super) note: Option<String>,
    /// What was asked.
    pub(super) spec: Spec,
    /// What its file has to hold.
    pub(super) text: String,
}

impl Manifest {
    /// Reads the manifest at `path` and generates the text of each variant.
    ///
    /// # Errors
    /// A file that cannot be read; every problem of every variant, each at its line.
    pub(super) fn read(path: &Path) -> Result<Manifest, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!(
                "error: cannot read the manifest {}: {error}\n  help: `memgen --help` lists flags and subcommands",
                path.display()
            ))
        })?;
        Ok(Manifest {
            variants: parse(path, &text).map_err(Failure::bad_spec)?,
            path: path.to_owned(),
        })
    }

    /// The path of `file`, a name in the manifest's folder.
    pub(super) fn beside(&self, file: &str) -> PathBuf {
        self.path.with_file_name(file)
    }
}

/// A line a variant: file, command, and the note behind a `#`, so that a shell takes what follows the file.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.variants.iter().map(|variant| variant.file.len());
        let width = names.max().unwrap_or_default();
        for Variant {
            file, note, spec, ..
        } in &self.variants
        {
            write!(f, "{file:width$}  {}", spec.command_line())?;
            if let Some(note) = note {
                write!(f, "  # {note}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The variants of `text`, which the manifest at `path` holds.
///
/// # Errors
/// Every problem of every variant. A text that is no TOML is not looked into any further.
fn parse(path: &Path, text: &str) -> Result<Vec<Variant>, String> {
    let mut complaints = Complaints::new(path, text);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let offset = error.span().map_or(0, |span| span.start);
        let help = "write [[variant]] tables of `key = value` lines, as TOML has them";
        complaints.add(offset, error.message(), help);
    }
    complaints.stop()?;

    let mut tables = Vec::new();
    for (key, value) in document.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("variant", DeValue::Array(array)) => tables.extend(array.iter()),
            ("variant", _) => complaints.add(
                key.span().start,
                "`variant` is not a list of tables",
                "start each variant with [[variant]], two brackets on either side",
            ),
            (other, _) => complaints.add(
                key.span().start,
                &format!("`{other}` is not known"),
                "the one key outside of a variant is [[variant]]",
            ),
        }
    }
    if tables.is_empty() && complaints.stop().is_ok() {
        complaints.add(
            0,
            "no variant is listed",
            "add a [[variant]] table with a `file`",
        );
    }
    let mut names: Vec<(String, usize)> = Vec::new();
    let mut variants = Vec::new();
    for table in tables {
        variants.extend(Reader::new(&mut complaints, path, table).read(table, &mut names));
    }
    complaints.stop()?;
    Ok(variants)
}
