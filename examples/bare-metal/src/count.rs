//! Instructions a call. The machine's counter is exact when QEMU counts instructions as time (`-icount shift=0`).

use crate::machine::{instructions, print};
use crate::routines::{memcpy, memmove, memset};

const SIZES: [usize; 8] = [1, 8, 16, 32, 64, 256, 1500, 4096];
const AREA_BYTES: usize = 4096 + 64;

#[repr(align(64))]
struct Area {
    #[expect(dead_code, reason = "only routines read it")]
    bytes: [u8; AREA_BYTES],
}

static mut SOURCE: Area = Area {
    bytes: [1; AREA_BYTES],
};
static mut TARGET: Area = Area {
    bytes: [2; AREA_BYTES],
};

core::arch::global_asm!(".globl return_at_once", "return_at_once: ret");

unsafe extern "C" {
    fn return_at_once();
}

/// Prints a line for each routine and alignment.
pub(crate) fn table() {
    let (one, _) = instructions(return_at_once as *const (), 0, 0, 0);
    if one != 1 {
        print!(
            "this machine does not count instructions: {one} for one ret; run QEMU with -icount shift=0\n"
        );
        return;
    }
    let (source, target) = ((&raw const SOURCE).addr(), (&raw const TARGET).addr());
    let overlapping = source + 16;
    print!("{:27}", "instructions, bytes:");
    for n in SIZES {
        print!("{n:6}");
    }
    print!("\n");
    for (name, function, dst, second) in [
        ("memcpy (dst 0, src 0)", memcpy as *const (), target, source),
        (
            "memcpy (dst 1, src 1)",
            memcpy as *const (),
            target + 1,
            source + 1,
        ),
        (
            "memcpy (dst 0, src 1)",
            memcpy as *const (),
            target,
            source + 1,
        ),
        ("memmove (16 up)", memmove as *const (), overlapping, source),
        (
            "memmove (15 up)",
            memmove as *const (),
            overlapping,
            source + 1,
        ),
        ("memset (dst 0)", memset as *const (), target, 0x5a),
        ("memset (dst 1)", memset as *const (), target + 1, 0x5a),
    ] {
        print!("{name:27}");
        for n in SIZES {
            let (count, _) = instructions(function, dst, second, n);
            print!("{count:6}");
        }
        print!("\n");
    }
}
