//! The panics of shifts by constants: the compiler names them in debug builds, and calls them only if the constant is too
//! large. The other panics are left out, so that a kernel which needs one does not compile.

#[lang = "panic_const_shl_overflow"]
#[inline(never)]
pub fn shl_overflow() -> ! {
    loop {}
}

#[lang = "panic_const_shr_overflow"]
#[inline(never)]
pub fn shr_overflow() -> ! {
    loop {}
}
