//! What several test targets share.

#![allow(dead_code, reason = "each target takes what it needs")]

use std::io::Write;

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
