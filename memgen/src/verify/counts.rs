//! What single calls execute: the machine's counts, for [`crate::cost`].

use rayon::prelude::*;

use super::cases::{Case, START};
use super::code::Code;
use super::memory::Place;
use super::region::{MARGIN, REGIONS};
use super::value::Base;
use super::{Subject, VerifyError};
use crate::plan::Plan;

/// What one call executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions from the first one of the routine to its `ret`, both included.
    pub instructions: u64,
    /// Load instructions, those from the stack included.
    pub loads: u64,
    /// Store instructions, those to the stack included; cbo.zero is one.
    pub stores: u64,
    /// Transfers of control inside the routine: instructions executed that do not stand behind the one executed before. The `ret`
    /// leads out and is not among them.
    pub taken: u64,
}

/// The largest block of a counted call: every byte of it is followed, so all of them need labels.
pub(crate) const LARGEST_SIZE: u64 = 14 * 1024;

/// The farthest that overlapping blocks are moved.
const FARTHEST_OVERLAP: u64 = 64;

// Whole blocks fit: apart in either region, overlapping in the first one.
const _: () = {
    let around = 2 * MARGIN + 8;
    let smaller = if REGIONS[0].1 < REGIONS[1].1 {
        REGIONS[0].1
    } else {
        REGIONS[1].1
    };
    assert!(LARGEST_SIZE + around <= smaller as u64);
    assert!(LARGEST_SIZE + FARTHEST_OVERLAP + around <= REGIONS[0].1 as u64);
};

/// A call to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `bytes` bytes filled, with anything but zeros.
    Fill { bytes: u64, destination: u64 },
    /// `bytes` bytes copied between two objects, from and to these offsets.
    Apart {
        bytes: u64,
        source: u64,
        destination: u64,
    },
    /// `bytes` bytes moved within one object, to `distance` bytes above the source, or below it: at most [`FARTHEST_OVERLAP`], or so
    /// far that the blocks are apart.
    Within {
        bytes: u64,
        source: u64,
        distance: i64,
    },
}

impl Call {
    fn case(self) -> Case {
        let place = |base, offset| Place { base, offset };
        let (bytes, source, destination) = match self {
            Call::Fill { bytes, destination } => {
                (bytes, None, place(Base::Destination, START + destination))
            }
            Call::Apart {
                bytes,
                source,
                destination,
            } => (
                bytes,
                Some(place(Base::Source, START + source)),
                place(Base::Destination, START + destination),
            ),
            Call::Within {
                bytes,
                source,
                distance,
            } => (
                bytes,
                Some(place(Base::Source, START + source)),
                place(Base::Source, (START + source).wrapping_add_signed(distance)),
            ),
        };
        Case {
            bytes,
            source,
            destination,
            zero_fill: false,
            huge: false,
        }
    }
}

/// Executes each call on the machine code `words`, checked against the contracts of `plan` as in a proof. Counts come in the order of
/// the calls. No call may be larger than [`LARGEST_SIZE`].
///
/// # Errors
/// A counter-example of the first call that breaks a contract, with source lines out of `text`.
pub(crate) fn count_calls(
    plan: &Plan,
    words: &[u32],
    text: &str,
    calls: &[Call],
) -> Result<Vec<Counts>, VerifyError> {
    let code = Code::new(words, plan.isa().xlen);
    let subject = Subject::new(plan, &code);
    let counts: Vec<Result<Counts, _>> = calls
        .par_iter()
        .map_init(
            || subject.machine(),
            |machine, call| {
                let case = call.case();
                debug_assert!(case.bytes <= LARGEST_SIZE, "{call:?}");
                let result = subject.call::<false>(machine, &case);
                machine.memory.restore();
                result
                    .map(|()| machine.counts)
                    .map_err(|breach| (case, breach))
            },
        )
        .collect();
    // Of all calls that fail, the first is reported, whichever thread came upon one before.
    counts
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|(case, breach)| subject.refuted(text, &case, breach))
}
