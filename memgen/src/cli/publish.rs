//! `memgen MANIFEST`: writes, compares or lists the files that a manifest lists.

use std::path::{Path, PathBuf};

use clap::{Args, Id};

use super::manifest::Manifest;
use super::{Failure, Generate, check, output};

/// The manifest and what to do with it.
#[derive(Debug, Args)]
pub(super) struct Published {
    /// TOML file that lists variants as [[variant]] tables: `file`, `note`, and flags as keys; writes each file beside
    /// it, unchanged ones are left alone
    #[arg(value_name = "MANIFEST", conflicts_with_all = generating_flags())]
    pub(super) manifest: Option<PathBuf>,

    /// Write nothing; fail if a listed file is stale or missing, or a generated one beside it is not listed
    #[arg(long, help_heading = "Manifest", requires = "manifest")]
    check: bool,

    /// Write nothing; print each file with its command and its note
    #[arg(
        long,
        help_heading = "Manifest",
        requires = "manifest",
        conflicts_with = "check"
    )]
    list: bool,
}

/// The names of all flags that ask for one routine, and so do not go with a manifest.
fn generating_flags() -> Vec<Id> {
    Generate::augment_args(clap::Command::new("memgen"))
        .get_arguments()
        .map(|flag| flag.get_id().clone())
        .collect()
}

impl Published {
    /// Does what was asked with the manifest at `path`.
    ///
    /// # Errors
    /// What is wrong with the manifest; a file that cannot be read or written; what `--check` finds.
    pub(super) fn run(&self, path: &Path) -> Result<(), Failure> {
        let manifest = Manifest::read(path)?;
        if self.list {
            output::print(manifest.to_string().as_bytes()).map_err(Failure::new)
        } else if self.check {
            check::compare(&manifest).map_err(Failure::new)
        } else {
            write(&manifest).map_err(Failure::new)
        }
    }
}

/// Writes each file of `manifest` that is missing or holds something else, and prints a line for it.
///
/// # Errors
/// The first file that cannot be written.
fn write(manifest: &Manifest) -> Result<(), String> {
    for variant in &manifest.variants {
        let path = manifest.beside(&variant.file);
        if output::write_if_changed(&path, variant.text.as_bytes())? {
            output::print(format!("wrote {}\n", path.display()).as_bytes())?;
        }
    }
    Ok(())
}
