//! Copies between blocks that do not overlap: every size, every pair of residues modulo 8, against the guards at either side.

use super::arena::{ARENA_BYTES, Edge};
use super::trap::watch;
use super::{Bench, Copy, Verdict, sizes, wild_pointers};

const RESIDUES: usize = 8;

/// Runs the cases.
pub(crate) fn check(bench: &mut Bench, copy: Copy) -> Verdict {
    for dst in wild_pointers() {
        for src in wild_pointers() {
            // SAFETY: no byte is copied.
            watch(dst, src.addr(), 0, || unsafe { copy(dst, src, 0) })?;
            bench.calls += 1;
        }
    }
    for n in sizes() {
        for src in 0..RESIDUES {
            for dst in 0..RESIDUES {
                one(bench, copy, Edge::Low(dst), Edge::Low(src), n)?;
                one(bench, copy, Edge::High(dst), Edge::High(src), n)?;
            }
        }
    }
    if !bench.source.rests() {
        return Err("or a call before it: a byte far from src changed".to_owned());
    }
    if !bench.target.rests() {
        return Err("or a call before it: a byte far from dst changed".to_owned());
    }
    Ok(())
}

fn one(bench: &mut Bench, copy: Copy, dst: Edge, src: Edge, n: usize) -> Verdict {
    let (start, from) = (dst.start(n), src.start(n));
    debug_assert!(start + n <= ARENA_BYTES && from + n <= ARENA_BYTES);
    let (dst, src) = (bench.target.at(start), bench.source.at(from));
    // SAFETY: both blocks are in their arenas.
    watch(dst, src.addr(), n, || unsafe { copy(dst, src, n) })?;
    bench.calls += 1;
    let copied = bench.source.resting(from..from + n);
    if bench.source.now(from..from + n) != copied {
        return Err("the source changed".to_owned());
    }
    bench.target.settle(start, n, |now| now == copied)
}
