//! What a user copy promises: how much is copied after a fault, what is said about it, and what is left alone.

use super::cases::Case;
use super::contract::{Breach, Returned, check_bytes};
use super::machine::Machine;
use super::memory::Rest;
use super::value::{Value, View};
use crate::plan::Recovery;

/// EFAULT of errno.h.
const EFAULT: u64 = 14;

/// Checks a user copy that has returned, with the fault of its case or without one.
pub(super) fn check(machine: &Machine, case: &Case, recovery: Recovery) -> Result<(), Breach> {
    let Some(injection) = case.injection else {
        count(machine, 0, 0)?;
        return check_bytes(machine, case, case.bytes, Rest::Untouched);
    };
    let bytes = case.bytes;
    let least = bytes - injection.first_byte(bytes);
    // A byte that was asked for alone, in vain, may be the end although it could be accessed later.
    let refused = injection.was_sole.then(|| injection.lowest());
    match recovery {
        Recovery::Exact => {
            let given_up = refused.map(|byte| bytes - byte);
            let left = match given_up.filter(|left| machine.registers[10] == Value::known(*left)) {
                Some(left) => left,
                None => count(machine, least, least)?,
            };
            check_bytes(machine, case, bytes - left, Rest::Untouched)
        }
        Recovery::AtLeastOne | Recovery::Coarse => {
            // A byte that can be copied first is: then one less is left at most.
            let tried = recovery == Recovery::AtLeastOne && least < bytes && refused != Some(0);
            let left = count(machine, least, bytes - u64::from(tried))?;
            check_bytes(machine, case, bytes - left, Rest::Either)
        }
        Recovery::Efault => {
            let found = machine.registers[10];
            if found == Value::known(EFAULT.wrapping_neg() & machine.xlen.mask()) {
                return check_bytes(machine, case, 0, Rest::Either);
            }
            if least > 0 {
                return Err(Breach::WrongReturn {
                    found,
                    expected: Returned::Efault,
                });
            }
            count(machine, 0, 0)?;
            check_bytes(machine, case, bytes, Rest::Untouched)
        }
    }
}

/// The number in a0, which has to be from `least` to `most`.
fn count(machine: &Machine, least: u64, most: u64) -> Result<u64, Breach> {
    let found = machine.registers[10];
    match found.view() {
        View::Known(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Breach::WrongReturn {
            found,
            expected: Returned::Count { least, most },
        }),
    }
}
