//! Every threshold of a plan, off by a byte and by a word: the bulk threshold, and the masks that say how much of n goes by blocks.

use super::edits::Edit;
use super::kernel::Kernel;

const BY_WORDS: &str = "n reaches the longest head, and words go by the bits of n";
const BY_BYTES: &str = "the ladder of bytes takes every bit below two words";

/// The edits of `kernel`, one for each constant and distance.
pub(crate) fn thresholds(kernel: &Kernel) -> Vec<Edit> {
    let word = i64::from(kernel.xlen / 8);
    let mut edits = Vec::new();
    for (number, line) in kernel.text.lines().enumerate() {
        let Some((start, constant)) = constant(line) else {
            continue;
        };
        for distance in [-1, 1, -word, word] {
            let new = constant + distance;
            let changed = format!("{start}{new}");
            let lines = kernel.text.lines().enumerate();
            let text = lines
                .map(|(at, line)| if at == number { &changed } else { line })
                .flat_map(|line| [line, "\n"])
                .collect();
            edits.push(Edit {
                what: format!("line {}: {} became {new}", number + 1, line.trim()),
                text,
                equivalent: match constant {
                    _ if constant < 0 => None,
                    _ if new > 2 * word => None,
                    _ if new > constant => Some(BY_BYTES),
                    _ if new >= word - 1 => Some(BY_WORDS),
                    _ => None,
                },
            });
        }
    }
    edits
}

/// A line that holds a threshold, as far as its constant, and the constant: `li t0, 15` or `andi t0, a2, -128`.
fn constant(line: &str) -> Option<(&str, i64)> {
    let is_threshold = line.starts_with("\tli\t") || line.starts_with("\tandi\tt0, a2, -");
    let at = line.rfind(' ').filter(|_| is_threshold)? + 1;
    Some((&line[..at], line[at..].parse().ok()?))
}
