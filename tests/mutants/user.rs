//! Mistakes around faults: entries of the fault table, SUM, the count, what is done in which order. They are made in the text by rule,
//! so that every shape, strength and direction has them.

use memgen::Op;
use memgen::verify::{Contract, fault_table};
use rayon::prelude::*;

use super::edits::Edit;
use super::kernel::{Kernel, assemble_object, name};
use crate::support::announce;

/// User copies with blocks of two groups; RV32 has fewer residues to try.
pub(crate) const COPIES: [&str; 5] = [
    "--op copy_from_user --xlen 32 --unroll 8",
    "--op copy_to_user --xlen 32 --unroll 8",
    "--op copy_to_user --xlen 32 --unroll 8 --fault at-least-one --sum on",
    "--op copy_from_user --xlen 32 --unroll 8 --fault coarse",
    "--op copy_to_user --xlen 64 --unroll 2 --shape stepped --regs 1",
];

/// The same on RV64, the other direction, and other shapes.
pub(crate) const MORE_COPIES: [&str; 11] = [
    "--op copy_from_user --xlen 32 --unroll 8 --fault at-least-one --sum on",
    "--op copy_to_user --xlen 32 --unroll 8 --fault coarse --sum on",
    "--op copy_from_user --xlen 32 --unroll 8 --shape stepped --regs 4 --sum on",
    "--op copy_from_user --xlen 64 --unroll 16 --sum on",
    "--op copy_to_user --xlen 64 --unroll 16 --sum on",
    "--op copy_from_user --xlen 64 --unroll 16 --fault at-least-one",
    "--op copy_to_user --xlen 64 --unroll 16 --fault at-least-one",
    "--op copy_from_user --xlen 64 --unroll 16 --fault coarse --sum on",
    "--op copy_to_user --xlen 64 --unroll 16 --fault coarse",
    "--op copy_from_user --xlen 64 --shape stepped --sum on",
    "--op copy_to_user --xlen 64 --shape stepped --fault at-least-one",
];

/// Of the accesses, one in so many has its entry dropped or moved by default.
const SAMPLE: usize = 23;

/// Makes the mistakes in one kernel and expects the verifier to object to all. Gives what it proved.
pub(crate) fn run(kernel: &Kernel, all: bool) -> Vec<String> {
    let edits = mistakes(kernel, if all { 1 } else { SAMPLE });
    let object = assemble_object(kernel, edits.iter().map(|edit| edit.text.as_str()));
    let plan = memgen::Plan::new(&kernel.spec).unwrap();
    let proven: Vec<String> = edits
        .par_iter()
        .enumerate()
        .filter_map(|(number, edit)| {
            let symbol = name(kernel, number);
            let words = memgen::verify::code_words(&object, &symbol, kernel.xlen).unwrap();
            // A table that cannot be right is an objection too.
            let entries = fault_table(&object, &symbol, &plan).ok()?;
            let objection: Option<Contract> = kernel.objection_to(&words, &entries);
            objection
                .is_none()
                .then(|| format!("{}: proven: {}", kernel.flags, edit.what))
        })
        .collect();
    announce(&format!(
        "mutants: {}, {} mistakes around faults, killed {}",
        kernel.flags,
        edits.len(),
        edits.len() - proven.len()
    ));
    proven
}

/// All mistakes; of those that each access can have, one in `step`.
fn mistakes(kernel: &Kernel, step: usize) -> Vec<Edit> {
    let text = Text {
        kernel,
        lines: kernel.text.lines().collect(),
    };
    let mut edits = text.of_entries(step);
    edits.extend(text.of_sum());
    edits.extend(text.of_recovery());
    edits.extend(text.of_blocks());
    edits
}

struct Text<'a> {
    kernel: &'a Kernel,
    lines: Vec<&'a str>,
}

impl Text<'_> {
    /// The text with other lines in place of those from `start` to before `end`.
    fn edit(&self, what: String, start: usize, end: usize, new: &[String]) -> Edit {
        let text = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect();
        let before: String = text(&self.lines[..start]);
        let after: String = text(&self.lines[end..]);
        let new: String = new.iter().map(|line| format!("{line}\n")).collect();
        Edit {
            what: format!("line {}: {what}", start + 1),
            text: before + &new + &after,
            equivalent: None,
        }
    }

    fn of_entries(&self, step: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        let (mut users, mut others) = (0, 0);
        let mut part = "";
        let mut recovery = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            if let Some(label) = line.strip_suffix(':') {
                part = label;
            }
            let Some(access) = Access::read(line) else {
                continue;
            };
            let Access { inst, label } = &access;
            let Some(label) = label else {
                others += 1;
                // The frame's own macro has names where registers go; before the first entry there is no recovery to name.
                if others % step == 0 && !recovery.is_empty() {
                    let new = [format!("\tfixup\t{inst}, {recovery}")];
                    edits.push(self.edit(format!("an entry for {inst}"), at, at + 1, &new));
                }
                continue;
            };
            recovery.clone_from(label);
            users += 1;
            let over_reads = part.ends_with("head") || part.ends_with("tail");
            if users % step != 0 && !over_reads {
                continue;
            }
            edits.push(self.edit(
                format!("no entry for {inst}"),
                at,
                at + 1,
                &[format!("\t{inst}")],
            ));
            for distance in [-4, 4] {
                let new = [
                    "100:".to_owned(),
                    format!("\t{inst}"),
                    "\t.pushsection\t__ex_table, \"a\", @progbits".to_owned(),
                    "\t.balign\t4".to_owned(),
                    format!("\t.long\t100b + {distance} - ."),
                    format!("\t.long\t{label} - ."),
                    "\t.popsection".to_owned(),
                ];
                edits.push(self.edit(
                    format!("the entry for {inst} moved by {distance}"),
                    at,
                    at + 1,
                    &new,
                ));
            }
        }
        edits
    }

    fn of_sum(&self) -> Vec<Edit> {
        let switches = (0..self.lines.len()).filter(|at| self.lines[*at].starts_with("\tcsr"));
        switches
            .map(|at| {
                let nop = ["\tnop".to_owned()];
                self.edit(format!("{} left out", self.lines[at]), at, at + 1, &nop)
            })
            .collect()
    }

    /// What is done after a fault.
    fn of_recovery(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let count = self.last(|line| line == "\tsub\ta0, a3, a0");
        for distance in [-1, 1] {
            let new = [
                "\tsub\ta0, a3, a0".to_owned(),
                format!("\taddi\ta0, a0, {distance}"),
            ];
            edits.push(self.edit(
                format!("a count that is {distance} off"),
                count,
                count + 1,
                &new,
            ));
        }
        // The first label behind all of the copy.
        let fault = self.last(|line| {
            let names = ["_fault:", "_fault_byte:", "_fault_try:", "_fault_count:"];
            names.iter().any(|name| line.ends_with(name))
                && !self.lines[..self.line_of(line)]
                    .iter()
                    .any(|line| names.iter().any(|name| line.ends_with(name)))
        });
        let block = memgen::Plan::new(&self.kernel.spec)
            .unwrap()
            .largest_block_bytes();
        for distance in [-i64::from(block), -1, 1] {
            let once = format!(".L{}_moved", self.kernel.op());
            let new = [
                format!("{once}:"),
                format!("\taddi\ta0, a0, {distance}"),
                self.lines[fault].to_owned(),
            ];
            let mut edit = self.edit(
                format!("a fault moves the cursor by {distance}"),
                fault,
                fault + 1,
                &new,
            );
            // The loop behind the label is entered as before; faults alone come by the step.
            let label = self.lines[fault].trim_end_matches(':');
            edit.text = edit
                .text
                .replace(&format!(", {label}\n"), &format!(", {once}\n"));
            let branches = format!(", {once}\n");
            let lines = edit.text.lines().map(|line| {
                let branch = line.starts_with("\tb") && format!("{line}\n").ends_with(&branches);
                match branch {
                    true => line.replace(&once, label) + "\n",
                    false => format!("{line}\n"),
                }
            });
            edit.text = lines.collect();
            edits.push(edit);
        }
        let small = format!(".L{}_fault_small", self.kernel.op());
        if self.kernel.text.contains(&format!("{small}:")) {
            let big = format!(", .L{}_fault\n", self.kernel.op());
            edits.push(Edit {
                what: "the recovery of small sizes for large ones".to_owned(),
                text: self.kernel.text.replace(&big, &format!(", {small}\n")),
                equivalent: None,
            });
        }
        edits
    }

    /// The order of what the first block does.
    fn of_blocks(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let start = 1 + self.first(|line| line.ends_with("_block:"));
        let end = start
            + self.lines[start..]
                .iter()
                .position(|line| line.starts_with("\tb"))
                .unwrap();
        let body = &self.lines[start..end];
        let step = body
            .iter()
            .position(|line| line.starts_with("\taddi\ta0, a0, "))
            .unwrap();
        let bytes: i64 = body[step].rsplit(' ').next().unwrap().parse().unwrap();
        let mut early = vec![body[step].to_owned()];
        for (at, line) in body.iter().enumerate() {
            if at != step {
                early.push(move_offset(line, bytes));
            }
        }
        edits.push(self.edit(
            "the cursor moved before the block".to_owned(),
            start,
            end,
            &early,
        ));
        // A weaker strength leaves the order open.
        if self.kernel.spec.fault.is_some() {
            return edits;
        }
        let groups = groups(body);
        if groups.len() > 1 {
            let tail = body[groups.iter().map(Vec::len).sum()..].iter().copied();
            let turned = groups.iter().rev().flatten().copied().chain(tail);
            let turned: Vec<String> = turned.map(str::to_owned).collect();
            edits.push(self.edit("groups from the last on".to_owned(), start, end, &turned));
        }
        // Where stores cannot fault, any order does that leaves loads where they are.
        if self.kernel.spec.op == Op::CopyToUser && groups[0].len() > 2 {
            let group = &groups[0];
            let loads = group.len() / 2;
            let mut turned: Vec<String> = group[..loads].iter().map(|l| (*l).to_owned()).collect();
            turned.extend(group[loads..].iter().rev().map(|line| (*line).to_owned()));
            edits.push(self.edit(
                "the stores of a group from the last on".to_owned(),
                start,
                start + group.len(),
                &turned,
            ));
        }
        edits
    }

    fn first(&self, is: impl Fn(&str) -> bool) -> usize {
        self.lines.iter().position(|line| is(line)).unwrap()
    }

    fn last(&self, is: impl Fn(&str) -> bool) -> usize {
        self.lines.iter().rposition(|line| is(line)).unwrap()
    }

    fn line_of(&self, text: &str) -> usize {
        self.first(|line| line == text)
    }
}

/// A load or store, and where it recovers if the fault table has it.
struct Access {
    inst: String,
    label: Option<String>,
}

impl Access {
    fn read(line: &str) -> Option<Access> {
        const NAMES: [&str; 10] = [
            "lb", "lbu", "lh", "lhu", "lw", "lwu", "ld", "sb", "sh", "sw",
        ];
        if let Some(rest) = line.strip_prefix("\tfixup\t") {
            let (inst, label) = rest.rsplit_once(", ")?;
            return Some(Access {
                inst: inst.to_owned(),
                label: Some(label.to_owned()),
            });
        }
        let (name, operands) = line.strip_prefix('\t')?.split_once('\t')?;
        (NAMES.contains(&name) || name == "sd").then(|| Access {
            inst: format!("{name} {operands}"),
            label: None,
        })
    }
}

/// `line` with an offset from a0 that is `bytes` less.
fn move_offset(line: &str, bytes: i64) -> String {
    let Some((before, after)) = line.split_once("(a0)") else {
        return line.to_owned();
    };
    let (head, offset) = before.rsplit_once(' ').unwrap();
    let offset: i64 = offset.parse().unwrap();
    format!("{head} {}(a0){after}", offset - bytes)
}

/// The groups of a block: some loads, then as many stores.
fn groups<'a>(body: &[&'a str]) -> Vec<Vec<&'a str>> {
    let is_load =
        |line: &str| Access::read(line).is_some_and(|access| access.inst.starts_with('l'));
    let is_store =
        |line: &str| Access::read(line).is_some_and(|access| access.inst.starts_with('s'));
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let mut storing = true;
    for line in body {
        if is_load(line) {
            if storing {
                groups.push(Vec::new());
            }
            storing = false;
        } else if is_store(line) {
            storing = true;
        } else {
            break;
        }
        groups.last_mut().unwrap().push(line);
    }
    groups
}
