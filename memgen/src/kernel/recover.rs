//! After a fault in user memory: what is left goes byte by byte until that faults too, or is just counted.

use super::emit::Emitter;
use crate::inst::{Condition, Width};
use crate::plan::Recovery;
use crate::reg::Reg;

/// EFAULT of errno.h.
const EFAULT: i32 = 14;

/// What the plan promises after a fault.
pub(super) fn promised(e: &Emitter) -> Recovery {
    let user = e.plan.user.as_ref();
    user.expect("user memory is touched").recovery
}

/// Where a fault left the copy: all below `to` is done.
pub(super) struct Stopped {
    /// The next source byte; `None` for a fill.
    pub(super) from: Option<Reg>,
    /// The next destination byte.
    pub(super) to: Reg,
    /// End of the destination.
    pub(super) end: Reg,
    /// For a byte on its way.
    pub(super) data: Reg,
    /// The most bytes that the routine may have moved behind `to`.
    pub(super) most_bytes: u32,
}

/// What is done about the bytes that a fault left, for a comment.
pub(super) fn rest(recovery: Recovery) -> &'static str {
    match recovery {
        Recovery::Exact => "the rest goes byte by byte, until that faults too",
        Recovery::AtLeastOne => "one more byte is tried",
        Recovery::Coarse => "the rest is counted",
        Recovery::Efault => "nothing is counted",
    }
}

impl Stopped {
    /// The rest of the routine, up to its return.
    ///
    /// ```text
    /// .Lfault_byte:
    ///     fixup lbu a6, 0(a1), .Lfault_count
    ///     fixup sb a6, 0(a0), .Lfault_count
    ///     addi  a1, a1, 1
    ///     addi  a0, a0, 1
    ///     bne   a0, a3, .Lfault_byte
    /// .Lfault_count:
    ///     sub   a0, a3, a0
    ///     ret
    /// ```
    pub(super) fn finish(&self, e: &mut Emitter, recovery: Recovery) {
        let count = e.label("fault_count");
        e.recover_at(count);
        match recovery {
            Recovery::Exact => {
                let byte = e.place_loop("fault_byte", 1, Some(self.most_bytes));
                self.byte(e);
                if let Some(from) = self.from {
                    e.addi(from, from, 1);
                }
                e.addi(self.to, self.to, 1);
                e.branch(Condition::NotEqual, self.to, self.end, byte);
            }
            Recovery::AtLeastOne => {
                self.byte(e);
                e.addi(self.to, self.to, 1);
            }
            Recovery::Coarse | Recovery::Efault => {}
        }
        e.place(count);
        e.sub(Reg::A0, self.end, self.to);
        e.ret_count();
    }

    fn byte(&self, e: &mut Emitter) {
        let value = match self.from {
            Some(from) => {
                e.load(Width::Byte, self.data, 0, from);
                self.data
            }
            None => Reg::ZERO,
        };
        e.store(Width::Byte, value, 0, self.to);
    }
}

/// After a fault nothing is said but that there was one.
pub(super) fn efault(e: &mut Emitter) {
    e.li(Reg::A0, -EFAULT);
    e.ret_count();
}
