//! Files and standard output.

use std::io::Write;
use std::path::Path;

/// Writes `bytes` to `path` through a temporary file beside it, so that no reader ever sees half of it. A file that
/// holds them already is left alone, its time stamp with it. Says whether it was written. A link is followed, and what
/// is no file, such as `/dev/null` or a pipe, is written into: a rename would put a file in the device's place.
///
/// # Errors
/// One line with the path and the system's reason.
pub(super) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, String> {
    let failed = |error| format!("error: cannot write {}: {error}", path.display());
    match std::fs::metadata(path) {
        Ok(present) if present.is_file() => {
            if std::fs::read(path).is_ok_and(|present| present == bytes) {
                return Ok(false);
            }
            let file = path.canonicalize().map_err(failed)?;
            write_atomically(&file, bytes).map_err(failed)?;
        }
        Ok(_) => std::fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut device| device.write_all(bytes))
            .map_err(failed)?,
        Err(_) => write_atomically(path, bytes).map_err(failed)?,
    }
    Ok(true)
}

fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // A temporary file is private; a new source file is as open as the process's mask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Prints `bytes`. A reader that has seen enough, such as `head`, is no failure.
///
/// # Errors
/// One line with the system's reason.
pub(super) fn print(bytes: &[u8]) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("error: standard output: {error}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unchanged_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memcpy.S");
        assert_eq!(write_if_changed(&path, b"one"), Ok(true));
        let written = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(write_if_changed(&path, b"one"), Ok(false));
        assert_eq!(
            std::fs::metadata(&path).unwrap().modified().unwrap(),
            written
        );
        assert_eq!(write_if_changed(&path, b"two"), Ok(true));
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file stays"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, device] =
            ["memcpy.S", "link.S", "null"].map(|name| folder.path().join(name));
        std::fs::write(&file, b"one").unwrap();
        symlink(&file, &link).unwrap();
        symlink("/dev/null", &device).unwrap();
        assert_eq!(write_if_changed(&link, b"two"), Ok(true));
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(write_if_changed(&device, b"two"), Ok(true));
        for path in [&link, &device] {
            assert!(std::fs::symlink_metadata(path).unwrap().is_symlink());
        }
        let device = std::fs::metadata(&device).unwrap().file_type();
        assert!(device.is_char_device(), "/dev/null is {device:?}");
    }

    #[test]
    fn a_failure_names_the_path() {
        let error = write_if_changed(Path::new("/nonexistent/memcpy.S"), b"").unwrap_err();
        assert!(error.contains("/nonexistent/memcpy.S"), "{error}");
    }
}
