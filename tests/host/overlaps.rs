//! Moves within one block: distances from touching to touching, both ways, against the guards at either side.

use super::arena::ARENA_BYTES;
use super::trap::watch;
use super::{Bench, Copy, Verdict, sizes};

const RESIDUES: usize = 8;
/// Up to the first size every distance with every residue; up to the second every distance, the residues taking turns; a sample
/// beyond.
const THOROUGH_BYTES: (usize, usize) = (96, 300);
const USUAL_BYTES: (usize, usize) = (24, 64);
/// Of the sample: distances around none, half the size and the size.
const AROUND_BYTES: isize = 9;

/// Runs the cases.
pub(crate) fn check(bench: &mut Bench, copy: Copy, thorough: bool) -> Verdict {
    let (all_residues, all_distances) = if thorough {
        THOROUGH_BYTES
    } else {
        USUAL_BYTES
    };
    for n in sizes() {
        let size = n.cast_signed();
        for apart in -(size + 1)..=size + 1 {
            let near = |mark: isize| (apart.abs() - mark).abs() <= AROUND_BYTES;
            if n > all_distances && !near(0) && !near(size / 2) && !near(size) {
                continue;
            }
            let turn = (n + apart.unsigned_abs() / RESIDUES) % RESIDUES;
            let residues = if n <= all_residues {
                0..RESIDUES
            } else {
                turn..turn + 1
            };
            for residue in residues {
                one(bench, copy, n, apart, Some(residue))?;
                one(bench, copy, n, apart, None)?;
            }
        }
    }
    if bench.source.rests() {
        Ok(())
    } else {
        Err("or a call before it: a byte far from dst changed".to_owned())
    }
}

/// Moves `n` bytes `apart` bytes up. The lower of the blocks starts `low` bytes above the lower guard, or the upper one ends at the upper
/// guard.
fn one(bench: &mut Bench, copy: Copy, n: usize, apart: isize, low: Option<usize>) -> Verdict {
    let span = n + apart.unsigned_abs();
    let lower = low.unwrap_or(ARENA_BYTES - span);
    let upper = lower + apart.unsigned_abs();
    let (start, from) = if apart < 0 {
        (lower, upper)
    } else {
        (upper, lower)
    };
    let (dst, src) = (bench.source.at(start), bench.source.at(from));
    // SAFETY: both blocks are in the arena.
    watch(dst, src.addr(), n, || unsafe { copy(dst, src, n) })?;
    bench.calls += 1;
    let moved = bench.source.resting(from..from + n).to_vec();
    bench.source.settle(start, n, |now| *now == *moved)
}
