//! The routines that `benches/routines.rs` times, each behind the same kind of function.

// As compiler-builtins has it: no loop may become a call of the C library.
#![no_builtins]

/// Copies bytes, as memcpy and memmove do.
pub type Copy = unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8;
/// Fills bytes, as memset does.
pub type Fill = unsafe extern "C" fn(*mut u8, i32, usize) -> *mut u8;

/// Routines of one origin.
pub struct Routines {
    /// Where they come from.
    pub name: &'static str,
    /// Its memcpy.
    pub memcpy: Copy,
    /// Its memmove.
    pub memmove: Copy,
    /// Its memset.
    pub memset: Fill,
}

/// Everything that is timed; memgen's come first.
pub const ALL: &[Routines] = &[
    Routines {
        name: "memgen",
        memcpy: memcpy_default::memcpy,
        memmove: memmove_default::memmove,
        memset: memset_default::memset,
    },
    Routines {
        name: "memgen, misaligned",
        memcpy: memcpy_misaligned::memcpy,
        memmove: memmove_misaligned::memmove,
        memset: memset_misaligned::memset,
    },
    #[cfg(compiler_builtins)]
    Routines {
        name: "compiler-builtins",
        memcpy: compiler_builtins::memcpy,
        memmove: compiler_builtins::memmove,
        memset: compiler_builtins::memset,
    },
    Routines {
        name: "libc",
        memcpy: libc::memcpy,
        memmove: libc::memmove,
        memset: libc::memset,
    },
    Routines {
        name: "byte loop",
        memcpy: byte_loop::memmove,
        memmove: byte_loop::memmove,
        memset: byte_loop::memset,
    },
];

macro_rules! kernels {
    ($($name:ident)+) => {
        $(#[allow(unreachable_pub, reason = "made to be anybody's")]
        mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        })+
    };
}
kernels! { memcpy_default memmove_default memset_default memcpy_misaligned memmove_misaligned memset_misaligned }

/// What compiler-builtins' `impls.rs` takes from its crate.
#[cfg(compiler_builtins)]
mod support {
    #[cold]
    pub(crate) fn cold_path() {}
}

/// The routines of targets for which compiler-builtins has no assembly; x86-64 has its own.
#[cfg(compiler_builtins)]
#[allow(warnings, reason = "compiler-builtins' own")]
mod compiler_builtins {
    include!(concat!(env!("OUT_DIR"), "/compiler_builtins.rs"));

    pub(crate) unsafe extern "C" fn memcpy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { impls::copy_forward(dst, src, n) };
        dst
    }

    pub(crate) unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            if dst.addr().wrapping_sub(src.addr()) >= n {
                impls::copy_forward(dst, src, n);
            } else {
                impls::copy_backward(dst, src, n);
            }
        }
        dst
    }

    pub(crate) unsafe extern "C" fn memset(dst: *mut u8, c: i32, n: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { impls::set_bytes(dst, c as u8, n) };
        dst
    }
}

mod libc {
    unsafe extern "C" {
        pub(crate) fn memcpy(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
        pub(crate) fn memmove(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
        pub(crate) fn memset(dst: *mut u8, c: i32, n: usize) -> *mut u8;
    }
}

/// Stores that are volatile stay stores of bytes.
mod byte_loop {
    pub(crate) unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, n: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let move_byte = |index| unsafe { dst.add(index).write_volatile(*src.add(index)) };
        if dst.addr().wrapping_sub(src.addr()) >= n {
            (0..n).for_each(move_byte);
        } else {
            (0..n).rev().for_each(move_byte);
        }
        dst
    }

    pub(crate) unsafe extern "C" fn memset(dst: *mut u8, c: i32, n: usize) -> *mut u8 {
        for index in 0..n {
            // SAFETY: the caller's promise.
            unsafe { dst.add(index).write_volatile(c as u8) };
        }
        dst
    }
}
