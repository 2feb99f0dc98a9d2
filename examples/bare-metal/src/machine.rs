//! The board: where the program starts, its serial port, its switch, its counter.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};

global_asm!(
    ".section .text.start",
    ".globl _start",
    "_start:",
    "    la    sp, stack_top",
    "    la    t0, {trap}",
    "    csrw  mtvec, t0",
    "    la    t0, bss_start",
    "    la    t1, bss_end",
    "1:  bgeu  t0, t1, 2f",
    "    sw    zero, 0(t0)",
    "    addi  t0, t0, 4",
    "    j     1b",
    "2:  call  {main}",
    trap = sym trap,
    main = sym main,
);

const SERIAL_PORT: usize = 0x1000_0000;
const SWITCH: usize = 0x10_0000;
const PASS: u32 = 0x5555;
const FAIL: u32 = 1 << 16 | 0x3333;

/// Prints as `std::print!` does.
macro_rules! print {
    ($($argument:tt)*) => {
        $crate::machine::write(format_args!($($argument)*))
    };
}
pub(crate) use print;

struct SerialPort;

impl Write for SerialPort {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let port = core::ptr::with_exposed_provenance_mut::<u8>(SERIAL_PORT);
        for byte in text.bytes() {
            // SAFETY: the port takes a byte at any time.
            unsafe { port.write_volatile(byte) };
        }
        Ok(())
    }
}

/// Writes to the serial port.
pub(crate) fn write(arguments: fmt::Arguments<'_>) {
    let _ = SerialPort.write_fmt(arguments);
}

/// Ends the machine.
fn switch_off(status: u32) -> ! {
    let switch = core::ptr::with_exposed_provenance_mut::<u32>(SWITCH);
    // SAFETY: the machine is gone after it.
    unsafe { switch.write_volatile(status) };
    loop {}
}

extern "C" fn main() -> ! {
    match crate::program() {
        Ok(()) => switch_off(PASS),
        Err(failure) => {
            print!("{failure}\n");
            switch_off(FAIL)
        }
    }
}

extern "C" fn trap() -> ! {
    let (cause, at, address): (usize, usize, usize);
    // SAFETY: reads what the trap left.
    unsafe {
        asm!("csrr {}, mcause", "csrr {}, mepc", "csrr {}, mtval", out(reg) cause, out(reg) at, out(reg) address);
    }
    print!("trap {cause} at {at:#x}, address {address:#x}\n");
    switch_off(FAIL)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    print!("{info}\n");
    switch_off(FAIL)
}

/// Instructions of `function(first, second, third)`, from the first to the return, both included; and what it returned.
pub(crate) fn instructions(
    function: *const (),
    first: usize,
    second: usize,
    third: usize,
) -> (usize, usize) {
    let (before, after, returned): (usize, usize, usize);
    // SAFETY: the caller gives a function of this convention and arguments that it takes.
    unsafe {
        asm!(
            "csrr s2, minstret",
            "jalr t0",
            "csrr s3, minstret",
            inout("t0") function => _,
            inout("a0") first => returned,
            inout("a1") second => _,
            inout("a2") third => _,
            out("s2") before,
            out("s3") after,
            clobber_abi("C"),
        );
    }
    // The jump, and one of the two reads.
    (after.wrapping_sub(before).wrapping_sub(2), returned)
}
