//! What several test targets share.

#![allow(dead_code, reason = "each target takes what it needs")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use memgen::Spec;
use memgen::cli::parse_command_line;

/// The Spec of `memgen FLAGS`.
pub(crate) fn spec(flags: &str) -> Spec {
    parse_command_line(&format!("memgen {flags}"))
        .unwrap_or_else(|error| panic!("{flags}: {error}"))
}

/// Prints past the test runner's capture, which swallows what passing tests print.
pub(crate) fn announce(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The command in the header of an emitted file, its broken lines joined.
pub(crate) fn header_command(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches([' ', '*', '/']));
    let mut command = String::new();
    for line in lines.skip_while(|line| !line.starts_with("memgen ")) {
        match line.strip_suffix('\\') {
            Some(part) => command += &format!("{} ", part.trim()),
            None => return command + line.trim(),
        }
    }
    panic!("no command in the header:\n{text}");
}

/// Runs the command to its end, its help wrapped at 100 columns.
pub(crate) fn memgen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_memgen"))
        .args(arguments)
        .env("COLUMNS", "100")
        .output()
        .unwrap()
}

/// What the command printed.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A fresh folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
