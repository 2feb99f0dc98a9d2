//! Walks the cross product of the specification space. Each point is refused with problems, or planned; each plan is generated and
//! assembled, many in one assembler run; and each code is proven with reduced effort. A shape that is left open is refused only where
//! stepped code is.
//!
//! ```text
//! cargo test -p memgen --test space                                   a fixed spread, within a test's time
//! cargo test --release -p memgen --test space -- --points 40000       as many points, spread over the space
//! cargo test --release -p memgen --test space -- --all --shard 3/8    an eighth of the whole space
//! ```

#[path = "space/points.rs"]
mod points;
mod support;

use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use memgen::verify::{
    Assembler, Effort, FaultEntry, code_words, fault_table, verify_code, verify_user_code,
};
use memgen::{Op, OverRead, Plan, Shape, Spec, UserAccess, lower, render};
use points::{ISAS, point, total};
use rayon::prelude::*;
use support::announce;

/// Points of the fixed spread that a plain `cargo test` walks.
const SPREAD: u64 = 800;

/// Routines of one assembler run.
const BATCH: usize = 250;

/// What the command line of this target asks for.
struct Wish {
    points: u64,
    /// This shard, from 0, of so many.
    shard: (u64, u64),
}

impl Wish {
    fn from_arguments() -> Result<Wish, String> {
        let mut wish = Wish {
            points: SPREAD,
            shard: (0, 1),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--all" => wish.points = total(),
                "--points" => {
                    wish.points = value()?
                        .parse::<u64>()
                        .map_err(|error| error.to_string())?
                        .min(total())
                }
                "--shard" => {
                    let text = value()?;
                    let parsed = text
                        .split_once('/')
                        .and_then(|(k, n)| Some((k.parse::<u64>().ok()?, n.parse().ok()?)));
                    match parsed {
                        Some((k, n)) if (1..=n).contains(&k) => wish.shard = (k - 1, n),
                        _ => {
                            return Err(format!("--shard {text}: expected K/N with K from 1 to N"));
                        }
                    }
                }
                // What `cargo test` hands to every target.
                _ => {}
            }
        }
        Ok(wish)
    }

    /// Numbers of the points: the whole space, or steps that meet every value of every dimension.
    fn indices(&self) -> Vec<u64> {
        // Prime to the number of points, and near the golden section of the space.
        let step = ((total() as f64 * 0.618) as u64..)
            .find(|step| common_divisor(*step, total()) == 1)
            .unwrap();
        (0..self.points)
            .filter(|number| number % self.shard.1 == self.shard.0)
            .map(|number| {
                if self.points == total() {
                    number
                } else {
                    number * step % total()
                }
            })
            .collect()
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

/// A routine that was planned, waiting for its batch.
struct Candidate {
    spec: Spec,
    plan: Plan,
}

/// A point on its own.
enum Met {
    Refused {
        for_its_shape: bool,
    },
    /// Another point has the same plan.
    Repeated,
    New(Box<Candidate>),
    Wrong(String),
}

/// What became of the points.
#[derive(Default)]
struct Tally {
    refused: u64,
    /// Of the refused, those that would be built if the shape were left open.
    refused_shapes: u64,
    generated: u64,
    planned: u64,
    proven: u64,
    repeated: u64,
    cases: u64,
    faults: u64,
    failures: Vec<String>,
}

/// Plans the point's routine. `plans` are those met before, in words: all that decides the code.
fn meet(index: u64, plans: &Mutex<HashSet<String>>) -> Met {
    let mut spec = point(index);
    let planned = Plan::new(&spec);
    let stepped = spec.shape == Shape::Stepped
        || Plan::new(&Spec {
            shape: Shape::Stepped,
            ..spec.clone()
        })
        .is_ok();
    let Ok(plan) = planned else {
        return match (spec.shape, stepped) {
            (Shape::Auto, true) => Met::Wrong(format!(
                "{}: refused, though --shape stepped is not",
                spec.command_line()
            )),
            (shape, stepped) => Met::Refused {
                for_its_shape: stepped && shape != Shape::Stepped,
            },
        };
    };
    if !stepped {
        let line = spec.command_line();
        return Met::Wrong(format!("{line}: built, though --shape stepped is refused"));
    }
    if !plans.lock().unwrap().insert(format!("{plan:?}")) {
        return Met::Repeated;
    }
    spec.symbol = Some(format!("point_{index}"));
    let plan = Plan::new(&spec).expect("a name changes nothing");
    Met::New(Box::new(Candidate { spec, plan }))
}

/// Machine code with everything that its contracts depend on: what is proven once need not be proven again.
type Seen = HashSet<Contracts>;

type Contracts = (
    Vec<u32>,
    Vec<FaultEntry>,
    Option<UserAccess>,
    Op,
    u32,
    bool,
    OverRead,
    u32,
    bool,
);

/// Assembles a batch in one run and proves what is new in it.
fn prove(batch: &[Candidate], seen: &Mutex<Seen>, tally: &Mutex<Tally>, bar: &ProgressBar) {
    let all: String = batch
        .iter()
        .map(|Candidate { spec, plan }| render(spec, plan, &lower(plan)))
        .collect();
    let first = &batch[0];
    let object = match Assembler::Rustc.assemble(&first.spec, first.plan.isa(), &all) {
        Ok(object) => object,
        Err(error) => return tally.lock().unwrap().failures.push(error.to_string()),
    };
    batch.par_iter().for_each(|candidate| {
        let (spec, plan) = (&candidate.spec, &candidate.plan);
        let words = code_words(&object, plan.symbol(), plan.isa().xlen).unwrap();
        let table = fault_table(&object, plan.symbol(), plan).unwrap();
        let key = (
            words.clone(),
            table.clone(),
            plan.user().cloned(),
            plan.op(),
            plan.isa().xlen,
            plan.isa().embedded,
            plan.over_read(),
            plan.word_bytes(),
            plan.is_strict(),
        );
        let new = seen.lock().unwrap().insert(key);
        let quiet = |_, _| {};
        let outcome = new.then(|| match plan.user() {
            Some(_) => verify_user_code(spec, &words, &table, Effort::Reduced, &quiet),
            None => verify_code(spec, &words, Effort::Reduced, &quiet),
        });
        bar.inc(1);
        let mut tally = tally.lock().unwrap();
        match outcome {
            None => tally.repeated += 1,
            Some(Ok(proof)) => {
                tally.proven += 1;
                tally.cases += proof.cases;
                tally.faults += proof.faults;
            }
            Some(Err(error)) => tally
                .failures
                .push(format!("{}\n{error}", spec.command_line())),
        }
    });
}

fn main() -> ExitCode {
    let wish = match Wish::from_arguments() {
        Ok(wish) => wish,
        Err(error) => {
            announce(&format!("error: {error}"));
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let indices = wish.indices();
    let plans = Mutex::new(HashSet::new());
    let met: Vec<Met> = indices
        .par_iter()
        .map(|index| meet(*index, &plans))
        .collect();
    let mut tally = Tally::default();
    let mut planned = Vec::new();
    for met in met {
        match met {
            Met::Refused { for_its_shape } => {
                tally.refused += 1;
                tally.refused_shapes += u64::from(for_its_shape);
            }
            Met::Repeated => tally.generated += 1,
            Met::New(candidate) => {
                tally.generated += 1;
                planned.push(*candidate);
            }
            Met::Wrong(what) => tally.failures.push(what),
        }
    }
    tally.planned = planned.len() as u64;
    let bar = ProgressBar::new(tally.planned);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} routines, {eta} left")
            .unwrap(),
    );
    let tally = Mutex::new(tally);
    let seen = Mutex::new(Seen::new());
    // A batch is assembled for one base.
    let mut rest = planned;
    for isa in ISAS {
        let (batchable, others): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|candidate| candidate.spec.isa.as_deref() == Some(isa));
        rest = others;
        batchable
            .par_chunks(BATCH)
            .for_each(|batch| prove(batch, &seen, &tally, &bar));
    }
    bar.finish_and_clear();
    let tally = tally.into_inner().unwrap();
    for failure in tally.failures.iter().take(5) {
        announce(failure);
    }
    let (shard, of) = wish.shard;
    announce(&format!(
        "space: {} of {} points (shard {}/{of}): {} refused, {} of them for a shape, {} generated from {} plans, {} distinct proven with \
         {} cases and {} injected faults, {:.1} s",
        indices.len(),
        total(),
        shard + 1,
        tally.refused,
        tally.refused_shapes,
        tally.generated,
        tally.planned,
        tally.proven,
        tally.cases,
        tally.faults,
        started.elapsed().as_secs_f64(),
    ));
    println!(
        "{} passed, {} failed",
        tally.proven + tally.repeated,
        tally.failures.len()
    );
    if tally.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
