//! Mutants under QEMU between guard pages: what the verifier lets pass has to be right there.

use std::fs;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::kernel::Kernel;
use crate::program::{build, emulate, succeed, tools_present, work_dir};
use crate::support::announce;

/// Runs `mutants`, each the whole code of the kernel changed, and gives a line for each one that is wrong. The harness is linked
/// once, its routine then overwritten. Without the tools, says so and gives none.
pub(crate) fn wrong(kernel: &Kernel, mutants: &[Vec<u32>], name: &str) -> Vec<String> {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    if mutants.is_empty() || !PRESENT.get_or_init(tools_present) {
        return Vec::new();
    }
    let flags = kernel.flags.replace([' ', '-'], "");
    let dir = work_dir(&format!("mutants-{name}-{flags}"));
    let source = dir.join("routine.S");
    fs::write(&source, &kernel.text).unwrap();
    let program = build(kernel.op(), kernel.xlen, &source, &[], &dir).unwrap();
    let image = fs::read(&program).unwrap();
    let place = find(&image, &bytes(&kernel.words));
    let run = |number: usize, words: &[u32]| -> Result<(), String> {
        let (mut image, code) = (image.clone(), bytes(words));
        image[place..place + code.len()].copy_from_slice(&code);
        // Written over a copy, which may be executed as the program may.
        let path = dir.join(format!("mutant-{number}"));
        let io = |error: std::io::Error| error.to_string();
        fs::copy(&program, &path).map_err(io)?;
        fs::write(&path, image).map_err(io)?;
        succeed(&mut emulate(&path, kernel.xlen))?;
        fs::remove_file(path).map_err(io)
    };
    let failures: Vec<String> = mutants
        .par_iter()
        .enumerate()
        .filter_map(|(number, words)| {
            assert_eq!(
                words.len(),
                kernel.words.len(),
                "no mutant differs in length"
            );
            let why = run(number, words).err()?;
            Some(format!("{}, mutant {number}: {why}", kernel.flags))
        })
        .collect();
    let right = mutants.len() - failures.len();
    announce(&format!(
        "  QEMU: {right} of {} survivors are right",
        mutants.len()
    ));
    failures
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Where `part` stands in `whole`: once.
fn find(whole: &[u8], part: &[u8]) -> usize {
    let mut places = whole
        .windows(part.len())
        .enumerate()
        .filter_map(|(place, window)| (window == part).then_some(place));
    let place = places.next().expect("the program holds the routine");
    assert_eq!(places.next(), None, "the program holds the routine twice");
    place
}
