//! Kernels with one place made wrong.

use memgen::{Plan, generate};

use crate::program::Source;
use crate::support::spec;

/// A mistake in the kernel of some flags.
pub(crate) struct Mistake {
    flags: &'static str,
    /// What stands in the kernel. The last such place is made wrong: the first ones may be in a comment or a macro.
    right: &'static str,
    wrong: &'static str,
    /// What the harness has to say.
    pub(crate) found_as: &'static str,
}

const BYTES: &str = "dst does not hold what it should";
const BEHIND: &str = "a byte after dst + n changed";
const FAULT: &str = "an access outside of the blocks faulted";
const MISALIGNED: &str = "a misaligned access";

/// A mistake of each kind.
pub(crate) const PLANTED: [Mistake; 17] = [
    // A mask of four bytes where words have eight.
    copy(
        "to.addr().wrapping_neg() & 7",
        "to.addr().wrapping_neg() & 3",
        MISALIGNED,
    ),
    // The wrong side of a shift.
    copy("carried | later(w0", "carried | earlier(w0", BYTES),
    // The pieces of a word put together in the wrong place.
    copy("later(carried, 8)", "later(carried, 16)", BYTES),
    // A byte too far, and one too few.
    copy("if left & 1 != 0 {", "if left & 1 != 0 || n == 2 {", BEHIND),
    copy("if left & 1 != 0 {", "if false {", BYTES),
    // A byte in front.
    copy(
        "let mut to = dst;",
        "let mut to = dst.wrapping_sub((n & 1) as usize);",
        FAULT,
    ),
    // A load behind the last byte.
    copy(
        "store!(to, w0, u8);",
        "core::hint::black_box(load!(from.wrapping_add(1), u8)); store!(to, w0, u8);",
        FAULT,
    ),
    // An access for no bytes at all.
    copy("if left & 1 != 0 {", "if left & 1 != 0 || n == 0 {", FAULT),
    // A cursor is returned.
    copy("dst\n", "to\n", "returned 0x"),
    // The source is written to.
    copy(
        "store!(to, w0, u8);",
        "store!(to, w0, u8); store!(from.cast_mut(), 0, u8);",
        "the source changed",
    ),
    // Upwards where the destination begins on the source's last byte; always upwards; never.
    overlap(">= n {", ">= n.wrapping_sub(1) {"),
    overlap(">= n {", ">= 0 {"),
    overlap(">= n {", ">= usize::MAX {"),
    // The last word a byte too far.
    Mistake {
        flags: "--misaligned fast",
        right: "store!(dst.wrapping_add(n).wrapping_sub(8), held",
        wrong: "store!(dst.wrapping_add(n).wrapping_sub(7), held",
        found_as: BEHIND,
    },
    // The wrong byte of the value; the last byte at the wrong place, and left out.
    fill("let byte = c as u8;", "let byte = (c >> 8) as u8;", BYTES),
    fill(
        "store!(to, byte, u8);",
        "store!(to.wrapping_add(1), byte, u8);",
        BEHIND,
    ),
    fill("if left & 1 != 0 {", "if false {", BYTES),
];

const fn copy(right: &'static str, wrong: &'static str, found_as: &'static str) -> Mistake {
    Mistake {
        flags: "--unroll 4 --shift-unroll 2",
        right,
        wrong,
        found_as,
    }
}

const fn overlap(right: &'static str, wrong: &'static str) -> Mistake {
    Mistake {
        flags: "--op memmove --unroll 4 --shift-unroll 2",
        right,
        wrong,
        found_as: BYTES,
    }
}

const fn fill(right: &'static str, wrong: &'static str, found_as: &'static str) -> Mistake {
    Mistake {
        flags: "--op memset --unroll 4",
        right,
        wrong,
        found_as,
    }
}

impl Mistake {
    /// The kernel with the mistake.
    pub(crate) fn source(&self) -> Source {
        let spec = spec(&format!("{} --emit rust", self.flags));
        let plan = Plan::new(&spec).unwrap();
        let mut text = generate(&spec).unwrap();
        let Some(start) = text.rfind(self.right) else {
            panic!(
                "no {:?} in the kernel of {}:\n{text}",
                self.right, self.flags
            );
        };
        text.replace_range(start..start + self.right.len(), self.wrong);
        Source {
            name: format!("{} in place of {}", self.wrong.trim(), self.right.trim()),
            op: plan.op(),
            strict: plan.is_strict(),
            thorough: true,
            symbol: plan.symbol().to_owned(),
            text,
        }
    }
}
