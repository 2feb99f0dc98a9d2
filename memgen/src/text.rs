//! The lines of a routine: instructions, labels and comments as each frame spells them.

use std::collections::BTreeMap;

use crate::inst::{Inst, Label};
use crate::program::{Item, Program};
use crate::spec::Dialect;

/// Columns that comment text may fill.
const COMMENT_WIDTH: usize = 72;

/// The body of an assembly file: tabs, named local labels that carry the symbol, block comments.
///
/// Linux spells its status register by a macro, and keeps no directives for unwinding.
pub(crate) fn asm_lines(program: &Program, symbol: &str, dialect: Dialect) -> String {
    let linux = dialect == Dialect::Linux;
    let name = |label| format!(".L{symbol}_{}", program.label_name(label));
    let mut lines = Vec::new();
    for line in lines_in_order(program) {
        match line {
            Line::Comment(text) => {
                lines.push(String::new());
                lines.extend(block_comment(text));
            }
            Line::Label(label) => lines.push(format!("{}:", name(label))),
            Line::Unwind(directive) if !linux => lines.push(format!("\t{directive}")),
            Line::Unwind(_) => {}
            Line::Slot(start, bytes) => {
                lines.push(format!("\t.org\t{} + {bytes}", name(start)));
            }
            Line::Inst(inst, _) => {
                let text = inst.text(name, distances(program)).to_string();
                let text = inst
                    .recovery()
                    .map_or(text.clone(), |recover| fixup(&text, &name(recover)));
                lines.push(match inst {
                    Inst::LoadSum { rd } if linux => format!("\tli\t{rd}, SR_SUM"),
                    Inst::Sum { on: true, mask } if linux => format!("\tcsrs\tCSR_STATUS, {mask}"),
                    Inst::Sum { on: false, mask } if linux => format!("\tcsrc\tCSR_STATUS, {mask}"),
                    Inst::JumpRegister { target, ahead, .. } => {
                        format!("\t{text}\t/* {} */", place(&name(*target), *ahead))
                    }
                    _ => format!("\t{text}"),
                });
            }
        }
    }
    lines.join("\n").trim_start_matches('\n').to_owned()
}

/// The body of a naked function: one string a line. Labels are numbers, since a name could be defined twice where the compiler
/// copies the function.
pub(crate) fn rust_lines(program: &Program) -> String {
    let addresses = program.addresses();
    let targets = program.branch_targets();
    let mut by_address: Vec<Label> = targets.into_iter().collect();
    by_address.sort_by_key(|label| addresses[label.0]);
    // Two-digit numbers: LLVM takes 0b and 1b for binary literals on other targets.
    let numbers: BTreeMap<Label, usize> = by_address.into_iter().zip(20..).collect();
    let mut lines = Vec::new();
    for line in lines_in_order(program) {
        match line {
            Line::Comment(text) => {
                if !lines.is_empty() {
                    lines.push(String::new());
                }
                lines.extend(wrap(text).map(|part| format!("        // {part}")));
            }
            Line::Label(label) => lines.push(format!("        \"{}:\",", numbers[&label])),
            // rustc opens no unwind region around a naked function.
            Line::Unwind(_) => {}
            Line::Slot(start, bytes) => {
                lines.push(format!(
                    "        \"    .org  {}b + {bytes}\",",
                    numbers[&start]
                ));
            }
            Line::Inst(inst, pc) => {
                let spell = |label: Label| {
                    let direction = if addresses[label.0] <= pc { 'b' } else { 'f' };
                    format!("{}{direction}", numbers[&label])
                };
                let text = inst.text(spell, distances(program)).to_string();
                let text = inst
                    .recovery()
                    .map_or(text.clone(), |recover| fixup(&text, &spell(recover)));
                let (mnemonic, operands) = text.split_once('\t').unwrap_or((&text, ""));
                lines.push(format!(
                    "        \"    {}\",",
                    format!("{mnemonic:<6}{operands}").trim_end()
                ));
            }
        }
    }
    lines.join("\n")
}

/// Address, instruction, and what it reads and writes, one a line.
pub fn listing(program: &Program) -> String {
    let name = |label| program.label_name(label).to_owned();
    let mut text = String::new();
    for line in lines_in_order(program) {
        match line {
            Line::Comment(_) | Line::Unwind(_) | Line::Slot(..) => {}
            Line::Label(label) => text += &format!("{}:\n", name(label)),
            Line::Inst(inst, pc) => {
                let shown = inst
                    .text(name, distances(program))
                    .to_string()
                    .replace('\t', " ");
                let writes = inst.writes().map_or("-".to_owned(), |reg| reg.to_string());
                text += &format!(
                    "{pc:5}  {shown:<28} reads {:<8} writes {writes}\n",
                    inst.reads().to_string()
                );
            }
        }
    }
    text
}

/// An access to user memory, as the frame's macro takes it: `fixup` and `ld a6, 0(a1), .Lfault`.
fn fixup(access: &str, recover: &str) -> String {
    format!("fixup\t{}, {recover}", access.replace('\t', " "))
}

fn distances(program: &Program) -> impl Fn(Label, Label) -> i32 {
    let addresses = program.addresses();
    move |from, to| addresses[to.0] - addresses[from.0]
}

/// A label and a distance from it: what a computed jump counts from.
fn place(name: &str, ahead: i32) -> String {
    match ahead {
        0 => name.to_owned(),
        1.. => format!("{name} + {ahead}"),
        _ => format!("{name} - {}", ahead.unsigned_abs()),
    }
}

enum Line<'p> {
    Comment(&'p str),
    Unwind(&'p str),
    Label(Label),
    /// First slot of a row, and the bytes from there to the next slot.
    Slot(Label, i32),
    /// With its address.
    Inst(&'p Inst, i32),
}

/// The program's lines, a comment before the label it follows, without labels that nothing names.
fn lines_in_order(program: &Program) -> Vec<Line<'_>> {
    let targets = program.branch_targets();
    let mut lines = Vec::new();
    let mut waiting = None;
    for (item, pc, _) in program.places() {
        match item {
            Item::Comment(text) => lines.push(Line::Comment(text)),
            Item::Unwind(directive) => lines.push(Line::Unwind(directive)),
            Item::Label(label) => waiting = waiting.or(targets.contains(label).then_some(*label)),
            Item::Slot { start, bytes } => lines.push(Line::Slot(*start, *bytes)),
            Item::Inst(inst) => {
                lines.extend(waiting.take().map(Line::Label));
                lines.push(Line::Inst(inst, pc));
            }
        }
    }
    lines
}

/// `/* text */`, over several lines in the kernel's form where it is long.
fn block_comment(text: &str) -> Vec<String> {
    let parts: Vec<String> = wrap(text).collect();
    match parts.as_slice() {
        [one] => vec![format!("\t/* {one} */")],
        many => {
            let middle = many.iter().map(|part| format!("\t * {part}"));
            std::iter::once("\t/*".to_owned())
                .chain(middle)
                .chain(["\t */".to_owned()])
                .collect()
        }
    }
}

/// Breaks `text` at spaces into lines of at most [`COMMENT_WIDTH`] columns.
pub(crate) fn wrap(text: &str) -> impl Iterator<Item = String> + use<> {
    wrap_to(text, COMMENT_WIDTH)
}

/// Breaks `text` at spaces into lines of at most `width` columns.
pub(crate) fn wrap_to(text: &str, width: usize) -> impl Iterator<Item = String> + use<> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a last line");
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.into_iter()
}
