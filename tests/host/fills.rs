//! Fills: every size, every residue modulo 8, values with upper bits, against the guards at either side.

use super::arena::Edge;
use super::trap::watch;
use super::{Bench, Fill, Verdict, sizes, wild_pointers};

const RESIDUES: usize = 8;
/// The low byte counts, whatever stands above it.
const VALUES: [i32; 7] = [0, 0x5a, 0xff, 0x1a5, -1, i32::MIN + 0x81, 0x7fff_ff01];

/// Runs the cases.
pub(crate) fn check(bench: &mut Bench, fill: Fill) -> Verdict {
    for dst in wild_pointers() {
        // SAFETY: no byte is written.
        watch(dst, 0, 0, || unsafe { fill(dst, 0x5a, 0) })?;
        bench.calls += 1;
    }
    for n in sizes() {
        for residue in 0..RESIDUES {
            for value in VALUES {
                one(bench, fill, Edge::Low(residue), value, n)?;
                one(bench, fill, Edge::High(residue), value, n)?;
            }
        }
    }
    if bench.target.rests() {
        Ok(())
    } else {
        Err("or a call before it: a byte far from dst changed".to_owned())
    }
}

fn one(bench: &mut Bench, fill: Fill, dst: Edge, value: i32, n: usize) -> Verdict {
    let start = dst.start(n);
    let dst = bench.target.at(start);
    let shown = value.cast_unsigned() as usize;
    // SAFETY: the block is in the arena.
    watch(dst, shown, n, || unsafe { fill(dst, value, n) })?;
    bench.calls += 1;
    let byte = value as u8;
    bench
        .target
        .settle(start, n, |now| now.iter().all(|&is| is == byte))
}
