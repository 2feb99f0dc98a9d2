//! generated/ is current: each file is what the command in its header makes.

mod support;

use std::path::PathBuf;

use memgen::generate;
use support::{header_command, spec};

/// The emitted files that are kept in the tree, with their text.
fn files() -> Vec<(PathBuf, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "S" || extension == "rs")
        })
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn every_file_is_fresh() {
    let files = files();
    assert!(files.len() >= 8, "generated/ holds {} files", files.len());
    for (path, present) in files {
        let command = header_command(&present);
        let made = generate(&spec(command.trim_start_matches("memgen "))).unwrap();
        if let Some((number, (old, new))) = present
            .lines()
            .zip(made.lines())
            .enumerate()
            .find(|(_, (old, new))| old != new)
        {
            panic!(
                "{} is stale from line {} on\n  there:  {old}\n  now:    {new}\nrepair it with: cargo run -p memgen -- {} -o generated/{}",
                path.display(),
                number + 1,
                command.trim_start_matches("memgen "),
                path.file_name().unwrap().to_string_lossy(),
            );
        }
        assert_eq!(present, made, "{}", path.display());
    }
}
