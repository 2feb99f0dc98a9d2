//! Every size and residue against bytes that are written and read one by one.

use core::fmt;

use crate::routines::{memcpy, memmove, memset};

/// What a call got wrong.
pub(crate) struct Failure {
    routine: &'static str,
    dst: usize,
    src: usize,
    n: usize,
    what: &'static str,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure {
            routine,
            dst,
            src,
            n,
            what,
        } = self;
        write!(
            f,
            "{routine} of {n} bytes, dst {dst:#x}, src {src:#x}: {what}"
        )
    }
}

const RESIDUES: usize = 8;
const LARGEST_BYTES: usize = 160;
/// Bytes of a block of memory that a case takes place in, and where blocks start in it.
const AREA_BYTES: usize = 512;
const START: usize = 128;

#[repr(align(8))]
pub(crate) struct Area(pub(crate) [u8; AREA_BYTES]);

impl Area {
    /// Every byte by its index. The stores are volatile, so that no compiler makes a call of them.
    fn set(&mut self, byte: fn(usize) -> u8) {
        for (index, place) in self.0.iter_mut().enumerate() {
            // SAFETY: a byte of the area.
            unsafe { core::ptr::from_mut(place).write_volatile(byte(index)) };
        }
    }

    /// Whether every byte is what `expected` says of its index.
    fn holds(&self, expected: impl Fn(usize) -> u8) -> bool {
        let is = |index: usize, place: &u8| {
            // SAFETY: a byte of the area.
            unsafe { core::ptr::from_ref(place).read_volatile() == expected(index) }
        };
        self.0
            .iter()
            .enumerate()
            .all(|(index, place)| is(index, place))
    }
}

fn pattern(index: usize) -> u8 {
    (index as u32).wrapping_mul(0x9e37_79b1).to_be_bytes()[0] | 1
}

fn canary(index: usize) -> u8 {
    pattern(index) ^ 1
}

/// The functions are what the linker knows by these names, so the compiler's own calls end in them.
pub(crate) fn symbols() -> Result<(), Failure> {
    mod linked {
        unsafe extern "C" {
            pub(super) fn memcpy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
            pub(super) fn memmove(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
            pub(super) fn memset(dst: *mut u8, c: i32, n: usize) -> *mut u8;
        }
    }
    for (routine, ours, linked) in [
        ("memcpy", memcpy as *const (), linked::memcpy as *const ()),
        (
            "memmove",
            memmove as *const (),
            linked::memmove as *const (),
        ),
        ("memset", memset as *const (), linked::memset as *const ()),
    ] {
        if core::hint::black_box(ours) != core::hint::black_box(linked) {
            return Err(Failure {
                routine,
                dst: ours.addr(),
                src: linked.addr(),
                n: 0,
                what: "the symbol is another function",
            });
        }
    }
    Ok(())
}

/// Calls of memcpy.
pub(crate) fn copies() -> Result<usize, Failure> {
    let (mut from, mut to) = (Area([0; AREA_BYTES]), Area([0; AREA_BYTES]));
    from.set(pattern);
    to.set(canary);
    let mut calls = 0;
    for n in 0..=LARGEST_BYTES {
        for src in START..START + RESIDUES {
            for dst in START..START + RESIDUES {
                let (source, target) = (from.0[src..].as_ptr(), to.0[dst..].as_mut_ptr());
                // SAFETY: both blocks are in their areas.
                let returned = unsafe { memcpy(target, source, n) };
                let copied = to.holds(|index| {
                    if (dst..dst + n).contains(&index) {
                        pattern(index - dst + src)
                    } else {
                        canary(index)
                    }
                });
                verdict("memcpy", target, source.addr(), n, returned, copied)?;
                to.set(canary);
                calls += 1;
            }
        }
    }
    Ok(calls)
}

/// Calls of memmove, most of them between blocks that overlap.
pub(crate) fn moves() -> Result<usize, Failure> {
    let mut area = Area([0; AREA_BYTES]);
    let mut calls = 0;
    for n in 0..=LARGEST_BYTES {
        for src in START..START + RESIDUES {
            for dst in src - 24..=src + 24 {
                area.set(pattern);
                let target = area.0.as_mut_ptr().wrapping_add(dst);
                let source = area.0.as_ptr().wrapping_add(src);
                // SAFETY: both blocks are in the area.
                let returned = unsafe { memmove(target, source, n) };
                let moved = area.holds(|index| {
                    if (dst..dst + n).contains(&index) {
                        pattern(index - dst + src)
                    } else {
                        pattern(index)
                    }
                });
                verdict("memmove", target, source.addr(), n, returned, moved)?;
                calls += 1;
            }
        }
    }
    Ok(calls)
}

/// Calls of memset.
pub(crate) fn fills() -> Result<usize, Failure> {
    let mut area = Area([0; AREA_BYTES]);
    let mut calls = 0;
    for n in 0..=LARGEST_BYTES {
        for dst in START..START + RESIDUES {
            for c in [0x5a, 0x1a5, -1] {
                area.set(canary);
                let target = area.0[dst..].as_mut_ptr();
                // SAFETY: the block is in the area.
                let returned = unsafe { memset(target, c, n) };
                let filled = area.holds(|index| {
                    if (dst..dst + n).contains(&index) {
                        c as u8
                    } else {
                        canary(index)
                    }
                });
                verdict("memset", target, 0, n, returned, filled)?;
                calls += 1;
            }
        }
    }
    Ok(calls)
}

fn verdict(
    routine: &'static str,
    dst: *mut u8,
    src: usize,
    n: usize,
    returned: *mut u8,
    right: bool,
) -> Result<(), Failure> {
    let what = if returned != dst {
        "dst was not returned"
    } else if !right {
        "memory does not hold what it should"
    } else {
        return Ok(());
    };
    Err(Failure {
        routine,
        dst: dst.addr(),
        src,
        n,
        what,
    })
}
