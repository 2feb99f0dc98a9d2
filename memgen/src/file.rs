//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` by way of a file beside it, so that no reader ever sees half of it. A file that holds them already is left
/// alone, its time stamp with it. Says whether it was written. A link is followed, and what is no file, such as `/dev/null` or a pipe, is
/// written into: a rename would put a file in the device's place.
///
/// # Errors
/// The system's reason.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(present) if present.is_file() => {
            if fs::read(path).is_ok_and(|present| present == bytes) {
                return Ok(false);
            }
            replace(&path.canonicalize()?, bytes)?;
        }
        Ok(_) => fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(bytes)?,
        Err(_) => replace(path, bytes)?,
    }
    Ok(true)
}

/// Puts a file with `bytes` in the place of `path`.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
