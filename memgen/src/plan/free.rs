//! The registers a routine may use without saving them.

use crate::isa::Isa;
use crate::reg::{Reg, RegSet};
use crate::spec::Spec;

/// The order in which registers are handed out, after the arguments: argument registers first, since compressed instructions reach them.
pub(super) const ORDER: [&str; 12] = [
    "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
];

/// Those of `order` that a call may clobber in this ISA and that `--avoid` leaves.
pub(super) fn registers(spec: &Spec, isa: &Isa, order: &[&str]) -> Vec<Reg> {
    let avoided = spec.avoided();
    let avoid: RegSet = avoided
        .iter()
        .filter_map(|name| Reg::from_name(name))
        .collect();
    let usable = isa.caller_saved().without(avoid);
    order
        .iter()
        .filter_map(|name| Reg::from_name(name))
        .filter(|reg| usable.contains(*reg))
        .collect()
}
