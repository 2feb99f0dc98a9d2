//! Which faults are injected into a case, and how their calls are run: those that have gone the same way so far run as one, and part
//! at the first access that hits only some of them.

use super::Effort;
use super::cases::{Case, Cases};
use super::contract;
use super::fault::{Fault, Outcome, Side};
use super::machine::Machine;
use super::pending::{Hole, Injection};
use super::subject::{Failed, Subject};
use super::user::UserRules;
use super::value::Base;

/// Up to so many bytes a proof with full effort has a fault at every byte, above at some.
const EVERY_BYTE: u64 = 300;

/// Above, and with reduced effort, at one byte in so many; prime, so that it falls everywhere in words and blocks.
const SOME_BYTES: u64 = 61;
const FEWER_BYTES: u64 = 29;

/// One byte in so many also has a fault of both blocks at once.
const BOTH: u64 = 5;

/// So many bytes of a block at most have a fault that passes: all that is left goes byte by byte then.
const PASSING: u64 = 8;

impl Cases {
    /// The faults of `case`; none of a huge block, nor of one at an absolute address.
    pub(super) fn injections(&self, case: &Case, user: UserRules) -> Vec<Injection> {
        let mut injections = Vec::new();
        if case.huge || case.destination.base == Base::Absolute {
            return injections;
        }
        let bytes = case.bytes;
        let residue = |side| self.residue(case, side);
        // Different bytes in cases that are neighbours.
        let phase = bytes + 3 * residue(Side::Source) + 5 * residue(Side::Destination);
        let step = match self.effort {
            Effort::Full if bytes <= EVERY_BYTE => 1,
            Effort::Full => SOME_BYTES,
            Effort::Reduced => FEWER_BYTES,
        };
        let sides = [Side::Source, Side::Destination];
        let sides = sides.into_iter().filter(|side| user.is_user(*side));
        let is_taken = |byte: u64, step: u64| (byte + phase).is_multiple_of(step);
        let passing = step * (bytes.div_ceil(step * PASSING).max(3) | 1);
        let word = self.register_bytes;
        for side in sides.clone() {
            let mut last_hole = None;
            for byte in (0..bytes).filter(|byte| is_taken(*byte, step)) {
                let number = byte as i64;
                injections.push(Injection::of(side, Hole::from(number), false));
                let lead = (residue(side) + byte) % word;
                let hole = Hole {
                    start: number - lead as i64,
                    end: number - lead as i64 + word as i64,
                };
                if last_hole.replace(hole) != Some(hole) {
                    injections.push(Injection::of(side, hole, false));
                }
                if is_taken(byte, passing) {
                    let hole = Hole {
                        start: number,
                        end: number + 1,
                    };
                    injections.push(Injection::of(side, hole, true));
                }
            }
        }
        if user.source && user.destination {
            for byte in 0..bytes {
                if is_taken(byte, step) && (is_taken(byte, BOTH) || step > 1) {
                    injections.extend(around(byte, bytes, word));
                }
            }
        }
        injections
    }

    fn residue(&self, case: &Case, side: Side) -> u64 {
        let offset = match side {
            Side::Source => case.source.map_or(0, |source| source.offset),
            Side::Destination => case.destination.offset,
        };
        offset % self.register_bytes
    }
}

/// Byte `byte` of the source and all behind inaccessible, and of the destination the same from a byte nearby or at its ends on.
fn around(byte: u64, bytes: u64, word: u64) -> impl Iterator<Item = Injection> {
    let near = [0, 1, -1, word as i64, -(word as i64)];
    let near = near.into_iter().map(move |step| byte as i64 + step);
    let ends = [0, bytes as i64 - 1];
    let others = near
        .chain(ends)
        .filter(move |other| (0..bytes as i64).contains(other));
    others.map(move |other| Injection {
        source: Hole::from(byte as i64),
        destination: Hole::from(other),
        once: false,
        was_sole: false,
    })
}

impl Subject<'_> {
    /// Runs `case` once for each of `injections` and checks every call; gives the case of one that breaks a contract. Registers and
    /// memory are left as the last call did.
    pub(super) fn inject<const TRACE: bool>(
        &self,
        machine: &mut Machine,
        case: &Case,
        injections: &[Injection],
    ) -> Result<(), Failed> {
        contract::enter(machine, self.plan.op(), case, self.load_granule());
        machine.start();
        machine.pending.set(injections);
        let bounds = [false, true].map(|once| self.bound_of(case.bytes, once));
        self.explore::<TRACE>(machine, case, bounds, 0)
    }

    /// Runs the selected calls, which have gone the same way up to halfword `index`, to their ends. The bounds are those of a fault that
    /// stays, and of one that passes.
    fn explore<const TRACE: bool>(
        &self,
        machine: &mut Machine,
        case: &Case,
        bounds: [u64; 2],
        mut index: usize,
    ) -> Result<(), Failed> {
        while !machine.pending.selected().is_empty() {
            let passes = machine.pending.injections().any(|injection| injection.once);
            machine.set_bound(bounds[usize::from(passes)]);
            let outcome = machine.run::<TRACE>(index);
            let Outcome::Hit { index: at, access } = outcome else {
                return self.judge(machine, case, bounds, outcome);
            };
            let [others, hit] = machine.pending.split(access);
            machine.pending.select(hit);
            if others.range.is_empty() {
                index = machine.fault(at);
                continue;
            }
            let saved = machine.save();
            let recovery = machine.fault(at);
            self.explore::<TRACE>(machine, case, bounds, recovery)?;
            machine.recall(saved);
            machine.pending.select(others);
            index = at;
        }
        Ok(())
    }

    /// Checks the selected calls, which have all ended so.
    fn judge(
        &self,
        machine: &Machine,
        case: &Case,
        bounds: [u64; 2],
        outcome: Outcome,
    ) -> Result<(), Failed> {
        let breaches = machine.pending.injections().filter_map(|injection| {
            let case = Case {
                injection: Some(injection),
                ..*case
            };
            let bound = bounds[usize::from(injection.once)];
            let outcome = match outcome {
                // Others that went the same way may do more.
                _ if machine.counts.instructions > bound => Outcome::Broke {
                    index: 0,
                    fault: Fault::TooLong { bound },
                },
                _ => outcome,
            };
            let checked = contract::check(machine, &case, outcome, self.clobbers, self.kept);
            checked.err().map(|breach| Box::new((case, breach)))
        });
        match breaches.min_by_key(|failed| failed.0.injection) {
            None => Ok(()),
            Some(failed) => Err(failed),
        }
    }
}
