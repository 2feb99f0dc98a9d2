//! Files and standard output.

use std::io::Write;
use std::path::Path;

/// Writes `bytes` to `path` as [`crate::file::write_if_changed`] does. Says whether it was written.
///
/// # Errors
/// One line with the path and the system's reason.
pub(super) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, String> {
    crate::file::write_if_changed(path, bytes)
        .map_err(|error| format!("error: cannot write {}: {error}", path.display()))
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
