//! Breaks the machine code of routines, such as step and such as are entered by computed jumps, bit by bit and in the ways that
//! people do, and expects the verifier to object to all that is not equivalent. What it lets pass has to be right under QEMU too.
//!
//! A sample of the bits by default; all of them, which takes minutes, with `MEMGEN_ALL_MUTANTS=1` and `--release`.

#[path = "mutants/classes.rs"]
mod classes;
#[path = "mutants/edits.rs"]
mod edits;
#[path = "mutants/emulate.rs"]
mod emulate;
#[path = "mutants/flips.rs"]
mod flips;
#[path = "mutants/flow.rs"]
mod flow;
#[path = "mutants/follow.rs"]
mod follow;
#[path = "mutants/kernel.rs"]
mod kernel;
#[path = "mutants/mistakes.rs"]
mod mistakes;
#[path = "qemu/program.rs"]
mod program;
#[path = "mutants/rules.rs"]
mod rules;
mod support;
#[path = "mutants/thresholds.rs"]
mod thresholds;
#[path = "mutants/user.rs"]
mod user;
#[path = "mutants/values.rs"]
mod values;
#[path = "mutants/word.rs"]
mod word;

use std::time::Instant;

use kernel::{ENTERED, FASTEST, Kernel, STEPPED};
use support::announce;

/// Of the bits, one in so many by default.
const SAMPLE: usize = 127;

fn all() -> bool {
    std::env::var_os("MEMGEN_ALL_MUTANTS").is_some_and(|value| value == "1")
}

#[test]
fn flipped_bits_of_stepped_code_are_noticed() {
    flip(&STEPPED);
}

#[test]
fn flipped_bits_of_entered_code_are_noticed() {
    flip(&ENTERED);
}

/// Flips bits of each of `kernels`; every survivor has to be equivalent by a rule, or listed.
fn flip(kernels: &[&'static str]) {
    let step = if all() { 1 } else { SAMPLE };
    announce(&format!(
        "mutants: one bit of the code in {step}{}",
        if all() {
            ""
        } else {
            "; MEMGEN_ALL_MUTANTS=1 takes all"
        }
    ));
    let mut holes = Vec::new();
    for flags in kernels {
        let started = Instant::now();
        let kernel = Kernel::new(flags);
        let outcome = flips::run(&kernel, step);
        announce(&format!("  {:.1} s", started.elapsed().as_secs_f64()));
        assert!(
            outcome.killed * 100 >= outcome.flips * 95,
            "{flags}: fewer than 95 % killed"
        );
        let survivors: Vec<_> = outcome
            .survivors
            .iter()
            .map(|flip| flip.apply(&kernel.words))
            .collect();
        holes.extend(emulate::wrong(&kernel, &survivors, "flips"));
        holes.extend(outcome.holes);
    }
    assert!(
        holes.is_empty(),
        "proven though not known to be equivalent, or the reverse:\n{}",
        holes.join("\n")
    );
}

#[test]
fn mistakes_in_stepped_code_are_noticed() {
    edit(&STEPPED);
}

#[test]
fn mistakes_in_entered_code_are_noticed() {
    edit(&ENTERED);
    edit(&[FASTEST]);
}

/// Every access to user memory is a place for mistakes; by default a few of them have some.
#[test]
fn mistakes_around_faults_are_noticed() {
    let started = Instant::now();
    let more: &[&str] = if all() { &user::MORE_COPIES } else { &[] };
    let proven: Vec<String> = user::COPIES
        .iter()
        .chain(more)
        .flat_map(|flags| user::run(&Kernel::new(flags), all()))
        .collect();
    announce(&format!(
        "mutants: mistakes around faults took {:.1} s",
        started.elapsed().as_secs_f64()
    ));
    assert!(proven.is_empty(), "{}", proven.join("\n"));
}

/// Plants mistakes in the text of each of `kernels`; those that survive have to be the equivalent ones.
fn edit(kernels: &[&'static str]) {
    let started = Instant::now();
    let wrong: Vec<String> = kernels
        .iter()
        .flat_map(|flags| edits::run(&Kernel::new(flags)))
        .collect();
    announce(&format!(
        "mutants: edits took {:.1} s",
        started.elapsed().as_secs_f64()
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
