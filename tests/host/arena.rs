//! A block of memory between two guard pages, and what it holds while no kernel runs.

use std::ffi::{c_int, c_long, c_void};
use std::ops::Range;

/// Bytes between the guards, and of each guard: a multiple of every page size in use.
pub(crate) const ARENA_BYTES: usize = 64 << 10;
/// Bytes at either side of a destination that are looked at after each call; all are after the last.
const MARGIN_BYTES: usize = 72;

/// Memory that a fault protects at both sides.
pub(crate) struct Arena {
    first: *mut u8,
    resting: Box<[u8]>,
}

/// A byte at the end of an arena that a block of memory starts or ends at.
#[derive(Clone, Copy)]
pub(crate) enum Edge {
    /// The block starts so many bytes above the lower guard.
    Low(usize),
    /// The block ends so many bytes below the upper guard.
    High(usize),
}

impl Edge {
    /// Where a block of `n` bytes starts.
    pub(crate) fn start(self, n: usize) -> usize {
        match self {
            Edge::Low(above) => above,
            Edge::High(below) => ARENA_BYTES - below - n,
        }
    }
}

/// Source bytes: all odd, and no stretch of them recurs within an arena.
pub(crate) fn pattern(index: usize) -> u8 {
    ((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8 | 1
}

/// Destination bytes before a call: all even, so that no source byte passes for one.
pub(crate) fn canary(index: usize) -> u8 {
    pattern(index) ^ 1
}

// What is needed of the C library that Rust's own library is linked with.
unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        bytes: usize,
        access: c_int,
        flags: c_int,
        file: c_int,
        offset: c_long,
    ) -> *mut c_void;
    fn mprotect(at: *mut c_void, bytes: usize, access: c_int) -> c_int;
}
const NO_ACCESS: c_int = 0;
const READ_WRITE: c_int = 3;
const PRIVATE: c_int = 2;
const ANONYMOUS: c_int = if cfg!(target_os = "linux") {
    0x20
} else {
    0x1000
};

impl Arena {
    /// Maps an arena that rests with `byte` of each index.
    pub(crate) fn new(byte: fn(usize) -> u8) -> Arena {
        // SAFETY: no address is asked for, so that nothing that is mapped is touched.
        let first = unsafe {
            let flags = PRIVATE | ANONYMOUS;
            let guard = mmap(
                std::ptr::null_mut(),
                3 * ARENA_BYTES,
                NO_ACCESS,
                flags,
                -1,
                0,
            );
            assert!(guard.addr() != usize::MAX, "no memory was mapped");
            let first = guard.byte_add(ARENA_BYTES);
            assert_eq!(mprotect(first, ARENA_BYTES, READ_WRITE), 0);
            first.cast()
        };
        let mut arena = Arena {
            first,
            resting: (0..ARENA_BYTES).map(byte).collect(),
        };
        arena.restore();
        arena
    }

    /// The address of byte `index`.
    pub(crate) fn at(&self, index: usize) -> *mut u8 {
        self.first.wrapping_add(index)
    }

    /// What the bytes of `range` are while no kernel runs.
    pub(crate) fn resting(&self, range: Range<usize>) -> &[u8] {
        &self.resting[range]
    }

    /// What the bytes of `range` are now.
    pub(crate) fn now(&self, range: Range<usize>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= ARENA_BYTES);
        // SAFETY: between the guards, and no kernel runs.
        unsafe { std::slice::from_raw_parts(self.at(range.start), range.len()) }
    }

    /// Whether all bytes rest.
    pub(crate) fn rests(&self) -> bool {
        *self.now(0..ARENA_BYTES) == *self.resting
    }

    /// Whether `n` bytes from `start` are `expected`, and those next to them rest. Puts the `n` bytes to rest again.
    pub(crate) fn settle(
        &mut self,
        start: usize,
        n: usize,
        expected: impl FnOnce(&[u8]) -> bool,
    ) -> Result<(), String> {
        let end = start + n;
        let before = start.saturating_sub(MARGIN_BYTES)..start;
        let after = end..(end + MARGIN_BYTES).min(ARENA_BYTES);
        if self.now(before.clone()) != self.resting(before) {
            return Err("a byte before dst changed".to_owned());
        }
        if self.now(after.clone()) != self.resting(after) {
            return Err("a byte after dst + n changed".to_owned());
        }
        if !expected(self.now(start..end)) {
            return Err("dst does not hold what it should".to_owned());
        }
        self.put_to_rest(start..end);
        Ok(())
    }

    /// Puts all bytes to rest.
    pub(crate) fn restore(&mut self) {
        self.put_to_rest(0..ARENA_BYTES);
    }

    fn put_to_rest(&mut self, range: Range<usize>) {
        let resting = self.resting[range.clone()].as_ptr();
        // SAFETY: within the arena, and the box is elsewhere.
        unsafe { self.at(range.start).copy_from(resting, range.len()) };
    }
}
