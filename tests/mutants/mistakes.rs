//! Reads `mistakes.txt` and `entered.txt`, and makes their changes of a routine's text.

use super::edits::Edit;
use super::kernel::Kernel;

const MISTAKES: &str = concat!(include_str!("mistakes.txt"), include_str!("entered.txt"));

/// The edits that the files have for `kernel`.
pub(crate) fn mistakes(kernel: &Kernel) -> Vec<Edit> {
    let title = format!("[{}]", kernel.flags);
    let lines = MISTAKES.lines().skip_while(|line| *line != title).skip(1);
    lines
        .take_while(|line| !line.starts_with(['[', '#']))
        .filter(|line| !line.is_empty())
        .map(|line| edit(kernel, line))
        .collect()
}

fn edit(kernel: &Kernel, line: &'static str) -> Edit {
    let mut fields = line.split('|').map(str::trim);
    let mut field = || fields.next().unwrap_or_default();
    let [what, behind, from, to, reason] = std::array::from_fn(|_| field());
    let at = kernel.text.find(behind).unwrap_or(kernel.text.len());
    let mut text = kernel.text[..at].to_owned();
    let mut after = &kernel.text[at..];
    for (from, to) in places(from).zip(places(to)) {
        let (from, to) = match to {
            "" => (lines(from) + "\n", String::new()),
            _ => (lines(from), lines(to)),
        };
        let (before, rest) = after
            .split_once(&from)
            .unwrap_or_else(|| panic!("{}: {what}: no {from:?} behind {behind:?}", kernel.flags));
        text = text + before + &to;
        after = rest;
    }
    Edit {
        what: what.to_owned(),
        text: text + after,
        equivalent: (!reason.is_empty()).then_some(reason),
    }
}

/// The changes of one line, one for each place.
fn places(changes: &'static str) -> impl Iterator<Item = &'static str> {
    changes.split(" ... ")
}

/// Instructions as lines of the text, the last one left open for further operands.
fn lines(instructions: &str) -> String {
    let lines = instructions.split("; ");
    let tabs = lines.map(|line| format!("\t{}", line.replacen(' ', "\t", 1)));
    tabs.collect::<Vec<_>>().join("\n")
}
