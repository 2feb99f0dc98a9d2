//! A fault table, resolved: where execution goes on after a fault.

use super::code::Code;
use super::decode::Operation;

/// For each halfword of a routine the one where execution goes on if the access there faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recoveries {
    targets: Vec<Option<u32>>,
}

/// An entry of a fault table, both places in bytes from the start of the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaultEntry {
    /// The load or store that may fault.
    pub access: u64,
    /// Where execution then goes on.
    pub recovery: u64,
}

impl Recoveries {
    /// Of `entries`, for `code`.
    ///
    /// # Errors
    /// One line each: an entry of something else than a load or store of the routine, a second one of the same, one that leads out of
    /// the routine.
    pub(super) fn new(code: &Code, entries: &[FaultEntry]) -> Result<Recoveries, String> {
        let mut targets = vec![None; code.decoded.len()];
        let starts: Vec<usize> = code.starts().collect();
        let place = |offset: u64| {
            let index = usize::try_from(offset / 2).ok()?;
            let exact = offset.is_multiple_of(2) && starts.binary_search(&index).is_ok();
            exact.then_some(index)
        };
        let mut problems = Vec::new();
        for entry in entries {
            let FaultEntry { access, recovery } = *entry;
            let is_access = |index: &usize| {
                let operation = code.decoded[*index].operation;
                matches!(operation, Operation::Load { .. } | Operation::Store { .. })
            };
            let Some(index) = place(access).filter(is_access) else {
                problems.push(format!(
                    "the fault table has an entry for {access:#x}, where the routine has no load or store"
                ));
                continue;
            };
            let Some(target) = place(recovery) else {
                problems.push(format!(
                    "the fault table leads from {access:#x} to {recovery:#x}, where the routine has no instruction"
                ));
                continue;
            };
            if targets[index].replace(target as u32).is_some() {
                problems.push(format!("the fault table has two entries for {access:#x}"));
            }
        }
        if problems.is_empty() {
            Ok(Recoveries { targets })
        } else {
            Err(problems.join("\n"))
        }
    }

    /// Where execution goes on if the access at halfword `index` faults.
    #[inline(always)]
    pub(super) fn behind(&self, index: usize) -> Option<usize> {
        self.targets[index].map(|target| target as usize)
    }
}
