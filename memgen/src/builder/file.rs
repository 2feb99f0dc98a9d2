//! The file of a build script: what its name asks for, where it stands, and a script that fails readably.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use super::{Builder, as_setter};
use crate::file::write_if_changed;
use crate::problem::Problems;
use crate::spec::{Emit, Spec};

impl Builder {
    /// Writes the routine to `file` below `OUT_DIR` and returns its path. A file that holds the routine already is left
    /// alone, its time stamp with it; another one is replaced at once, so that nobody ever reads half of it. Folders in `file` are made.
    ///
    /// The name says what is made, unless [`Builder::emit_as`] did:
    ///
    /// | `file` | what it holds |
    /// |---|---|
    /// | `*.S`, `*.s` | assembly, for `global_asm!`, an assembler or the cc crate |
    /// | `*.rs` | portable Rust, for `include!`; with `emit_as(Emit::RustAsm)` a naked function |
    ///
    /// # Errors
    /// None that are returned: a routine or a file that cannot be made ends the script with exit code 1, after telling
    /// everything that is wrong on standard error, where cargo shows it. [`Builder::generate`] is for scripts that go on.
    pub fn emit(&self, file: impl AsRef<Path>) -> PathBuf {
        let out_dir = std::env::var_os("OUT_DIR").map(PathBuf::from);
        match self.emit_below(out_dir.as_deref(), file.as_ref()) {
            Ok(path) => path,
            Err(message) => {
                eprint!("{message}");
                std::process::exit(1)
            }
        }
    }

    /// Writes the routine to `file` below `out_dir`.
    ///
    /// # Errors
    /// Every problem under the file's name, or the one that the system has with the file.
    pub(super) fn emit_below(
        &self,
        out_dir: Option<&Path>,
        file: &Path,
    ) -> Result<PathBuf, String> {
        let mut problems = Problems::default();
        if out_dir.is_none() {
            problems.add(
                "emit",
                "OUT_DIR is not set",
                "call it in a build script; elsewhere, `generate` gives the text",
            );
        }
        if !stays_below(file) {
            problems.add(
                "emit",
                "the name leads out of OUT_DIR",
                "a build script writes there alone: name the file, or a folder and the file",
            );
        }
        let spec = self.spec_for(file, &mut problems);
        let text = match self.text(&spec) {
            Ok(text) => text,
            Err(more) => {
                problems.extend(more);
                String::new()
            }
        };
        problems.stop().map_err(|problems| told(file, &problems))?;
        let path = out_dir.unwrap_or(Path::new("")).join(file);
        let folder = path.parent().unwrap_or(Path::new(""));
        let written =
            std::fs::create_dir_all(folder).and_then(|()| write_if_changed(&path, text.as_bytes()));
        match written {
            Ok(_) => Ok(path),
            Err(error) => Err(format!("error: cannot write {}: {error}\n", path.display())),
        }
    }

    /// The builder's Spec with what the name of `file` says about it.
    fn spec_for(&self, file: &Path, problems: &mut Problems) -> Spec {
        let extension = file.extension().and_then(|text| text.to_str());
        let fitting: &[Emit] = match extension {
            Some("S" | "s") => &[Emit::Asm],
            Some("rs") => &[Emit::Rust, Emit::RustAsm],
            _ => &[],
        };
        let mut spec = self.spec.clone();
        match (fitting, self.emit_is_set) {
            (_, true) if spec.emit == Emit::Obj => problems.add(
                "emit",
                "a builder assembles nothing, so it makes no object",
                "emit assembly, for global_asm! or the cc crate; the memgen command makes objects",
            ),
            ([], true) => {}
            (fitting, true) if fitting.contains(&spec.emit) => {}
            (_, true) => problems.add(
                "emit",
                format!("{} does not go into such a file", spec.emit),
                "name it .S for assembly or .rs for Rust, or leave out `emit_as`",
            ),
            ([first, ..], false) => spec.emit = *first,
            ([], false) => problems.add(
                "emit",
                "the extension does not say what to make",
                "name it .S for assembly or .rs for portable Rust, or call `emit_as`",
            ),
        }
        spec
    }
}

/// Whether `file` names something below the folder that it is joined to.
fn stays_below(file: &Path) -> bool {
    let mut parts = file.components();
    file.file_name().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Two lines a problem, each under the file's name and the setter's.
fn told(file: &Path, problems: &Problems) -> String {
    let mut told = String::new();
    for problem in problems.iter() {
        // The setter that this is called on needs no name.
        let setter = match problem.flag {
            "emit" => String::new(),
            flag => format!("{}: ", flag.replace('-', "_")),
        };
        let problem = as_setter(problem);
        let _ = writeln!(
            told,
            "error: {}: {setter}{}\n  help: {}",
            file.display(),
            problem.message,
            problem.help
        );
    }
    told
}
