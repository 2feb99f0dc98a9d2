//! User memory, as a [`Machine`] sees it: accesses that the fault table has to have, and those that fault.

use super::fault::{Access, Fault, Side};
use super::machine::{Machine, Stop};
use super::memory::Place;
use super::value::{Value, View};
use crate::plan::{Recovery, UserAccess};

/// The bit SUM of sstatus.
const SUM: u64 = 1 << 18;

/// What a routine may do with user memory, and owes after a fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct UserRules {
    /// Whether the source is user memory.
    pub(super) source: bool,
    /// Whether the destination is.
    pub(super) destination: bool,
    /// Whether the routine switches SUM; else its caller has.
    pub(super) switches_sum: bool,
    pub(super) recovery: Recovery,
}

impl UserRules {
    pub(super) fn new(user: &UserAccess) -> UserRules {
        UserRules {
            source: user.source,
            destination: user.destination,
            switches_sum: user.sets_sum,
            recovery: user.recovery,
        }
    }

    /// Whether a block is user memory.
    pub(super) fn is_user(self, side: Side) -> bool {
        match side {
            Side::Source => self.source,
            Side::Destination => self.destination,
        }
    }
}

/// All that a call may change, to come back to.
pub(super) struct Saved {
    registers: [Value; 32],
    destination: Vec<[u8; 2]>,
    stack: super::stack::Stack,
    sum: bool,
    written: u32,
    counts: super::counts::Counts,
}

impl Machine<'_> {
    /// Lets the access at halfword `index` happen, to a block or to none, if it does not fault and may happen at all. It lies inside
    /// of what may be accessed; everything else is inaccessible in every call, so that no recovery can make up for an access there.
    #[inline(always)]
    pub(super) fn admit(
        &self,
        index: usize,
        side: Option<Side>,
        place: Place,
        bytes: u8,
    ) -> Result<(), Stop> {
        match self.rules.user {
            None => Ok(()),
            Some(rules) => self.admit_user(rules, index, side, place, bytes),
        }
    }

    fn admit_user(
        &self,
        rules: UserRules,
        index: usize,
        side: Option<Side>,
        place: Place,
        bytes: u8,
    ) -> Result<(), Stop> {
        let side = side.filter(|side| rules.is_user(*side));
        if let Some(recoveries) = &self.code.recoveries {
            match (side, recoveries.behind(index)) {
                (Some(_), None) => return Err(Fault::NoEntry { place, bytes }.into()),
                (None, Some(_)) => return Err(Fault::NeedlessEntry { place, bytes }.into()),
                _ => {}
            }
        }
        let Some(side) = side else { return Ok(()) };
        if rules.switches_sum && !self.sum {
            return Err(Fault::SumOff { place, bytes }.into());
        }
        let block = self.memory.block(side);
        let start = self
            .xlen
            .signed(place.offset.wrapping_sub(block.offset) & self.xlen.mask());
        let access = Access { side, start, bytes };
        match self.pending.is_hit(access) {
            true => Err(Stop::Hit(access)),
            false => Ok(()),
        }
    }

    /// `csrs sstatus, mask`, or csrc.
    pub(super) fn switch(&mut self, index: usize, on: bool, mask: Value) -> Result<(), Stop> {
        if !self.rules.user.is_some_and(|user| user.switches_sum) {
            let word = self.code.word(index);
            return Err(Fault::Undecodable { word }.into());
        }
        match mask.view() {
            View::Known(SUM) => self.sum = on,
            View::Known(0) => {}
            _ => return Err(Fault::Status { mask }.into()),
        }
        Ok(())
    }

    /// Lets the access at halfword `index` fault: nothing is loaded or stored. Gives where execution goes on.
    pub(super) fn fault(&mut self, index: usize) -> usize {
        self.counts.instructions += 1;
        self.executed += 1;
        if let Some(step) = self.steps.last_mut() {
            step.faulted = true;
        }
        let recoveries = self.code.recoveries.as_ref();
        recoveries
            .and_then(|recoveries| recoveries.behind(index))
            .expect("an access without an entry is a breach before it faults")
    }

    /// What is now.
    pub(super) fn save(&self) -> Saved {
        Saved {
            registers: self.registers,
            destination: self.memory.destination().to_vec(),
            stack: self.stack.clone(),
            sum: self.sum,
            written: self.written,
            counts: self.counts,
        }
    }

    /// Makes everything as it was.
    pub(super) fn recall(&mut self, saved: Saved) {
        self.registers = saved.registers;
        self.memory.set_destination(&saved.destination);
        self.stack = saved.stack;
        self.sum = saved.sum;
        self.written = saved.written;
        self.counts = saved.counts;
    }
}
