//! The bound on the instructions that a call executes: it follows from a routine's loops.

use crate::inst::Label;
use crate::program::{Item, Program};

/// A loop, for the bound on executed instructions: from its label to the last branch back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) start: Label,
    /// Bytes that one iteration moves.
    pub(crate) bytes: u32,
    /// The most bytes that all iterations of a call move, if fewer than n.
    pub(crate) most: Option<u32>,
}

/// What [`Program::work_bound`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkBound {
    straight: u64,
    loops: Vec<LoopBound>,
}

/// What one loop adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LoopBound {
    /// Instructions of an iteration.
    instructions: u64,
    /// Bytes of an iteration.
    bytes: u64,
    /// The most bytes of all iterations.
    most: u64,
}

impl WorkBound {
    /// The most instructions that a call of `n` bytes may execute.
    pub fn instructions(&self, n: u64) -> u64 {
        self.loops
            .iter()
            .map(|body| (n.min(body.most) / body.bytes).saturating_mul(body.instructions))
            .fold(self.straight, u64::saturating_add)
    }

    /// The same for a call that a fault interrupts although what it touches is accessible the next time: the loop that goes on after
    /// a fault then moves whatever is left.
    #[cfg(feature = "verify")]
    pub(crate) fn instructions_resumed(&self, n: u64) -> u64 {
        self.loops
            .iter()
            .filter(|body| body.most < n)
            .map(|body| ((n - body.most) / body.bytes + 1).saturating_mul(body.instructions))
            .fold(self.instructions(n), u64::saturating_add)
    }
}

impl Program {
    /// The most instructions that a call may execute, by its size: each instruction once, and each loop as often as its bytes
    /// go into the size. Right because outside the loops no instruction comes twice: where code jumps back, it is to what blocks left over, which
    /// has not run yet. Verification holds every call to it.
    pub fn work_bound(&self) -> WorkBound {
        WorkBound {
            straight: self.instructions().count() as u64,
            loops: self
                .loops
                .iter()
                .map(|body| LoopBound {
                    instructions: self.loop_instructions(body.start),
                    bytes: u64::from(body.bytes),
                    most: body.most.map_or(u64::MAX, u64::from),
                })
                .collect(),
        }
    }

    /// Instructions from `start` to the last jump back to it, that one included.
    fn loop_instructions(&self, start: Label) -> u64 {
        let mut inside = false;
        let (mut count, mut length) = (0, 0);
        for item in &self.items {
            match item {
                Item::Label(label) if *label == start => inside = true,
                Item::Inst(inst) if inside => {
                    count += 1;
                    if inst.target() == Some(start) {
                        length = count;
                    }
                }
                _ => {}
            }
        }
        length
    }
}
