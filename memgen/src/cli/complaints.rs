//! What is wrong with a manifest, each complaint at its line and column.

use std::fmt::Write;
use std::path::Path;

/// Complaints about one file, in whatever order they were found.
pub(super) struct Complaints<'a> {
    path: &'a Path,
    text: &'a str,
    found: Vec<(usize, String)>,
}

impl<'a> Complaints<'a> {
    /// No complaint yet about the file at `path`, which holds `text`.
    pub(super) fn new(path: &'a Path, text: &'a str) -> Complaints<'a> {
        Complaints {
            path,
            text,
            found: Vec::new(),
        }
    }

    /// Notes that `message` is wrong at the byte `offset`, and that `help` is the way out.
    pub(super) fn add(&mut self, offset: usize, message: &str, help: &str) {
        let (line, column) = self.position(offset);
        let path = self.path.display();
        self.found.push((
            offset,
            format!("error: {path}:{line}:{column}: {message}\n  help: {help}\n"),
        ));
    }

    /// The line and the column, both from 1, of the byte `offset`.
    pub(super) fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    /// Stops here if anything was wrong.
    ///
    /// # Errors
    /// All complaints, from the top of the file to its end, two lines each.
    pub(super) fn stop(&mut self) -> Result<(), String> {
        if self.found.is_empty() {
            return Ok(());
        }
        self.found.sort_by_key(|(offset, _)| *offset);
        Err(self.found.iter().fold(String::new(), |mut all, (_, one)| {
            let _ = all.write_str(one);
            all
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_come_in_the_order_of_the_file() {
        let mut complaints = Complaints::new(Path::new("m.toml"), "a\nä = 1\n");
        assert_eq!(complaints.stop(), Ok(()));
        complaints.add(5, "second", "do");
        complaints.add(0, "first", "do");
        assert_eq!(
            complaints.stop().unwrap_err(),
            "error: m.toml:1:1: first\n  help: do\nerror: m.toml:2:3: second\n  help: do\n"
        );
    }
}
