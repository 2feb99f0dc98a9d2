//! Reads `mistakes.txt`, and makes its changes of a routine's text.

use super::edits::Edit;
use super::kernel::Kernel;

const MISTAKES: &str = include_str!("mistakes.txt");

/// The edits that the file has for `kernel`.
pub(crate) fn mistakes(kernel: &Kernel) -> Vec<Edit> {
    let title = format!("[{}]", kernel.flags);
    let lines = MISTAKES.lines().skip_while(|line| *line != title).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty())
        .map(|line| edit(kernel, line))
        .collect()
}

fn edit(kernel: &Kernel, line: &'static str) -> Edit {
    let mut fields = line.split('|').map(str::trim);
    let mut field = || fields.next().unwrap_or_default();
    let [what, behind, from, to, reason] = std::array::from_fn(|_| field());
    let text = &kernel.text;
    let (before, after) = text.split_at(text.find(behind).unwrap_or(text.len()));
    let (from, to) = match to {
        "" => (lines(from) + "\n", String::new()),
        _ => (lines(from), lines(to)),
    };
    assert!(
        after.contains(&from),
        "{}: {what}: no {from:?} behind {behind:?}",
        kernel.flags
    );
    Edit {
        what: what.to_owned(),
        text: before.to_owned() + &after.replacen(&from, &to, 1),
        equivalent: (!reason.is_empty()).then_some(reason),
    }
}

/// Instructions as lines of the text, the last one left open for further operands.
fn lines(instructions: &str) -> String {
    let lines = instructions.split("; ");
    let tabs = lines.map(|line| format!("\t{}", line.replacen(' ', "\t", 1)));
    tabs.collect::<Vec<_>>().join("\n")
}
