//! What single calls execute: the machine's counts, for [`crate::cost`].

use rayon::prelude::*;

use super::VerifyError;
use super::cases::{Case, START};
use super::code::Code;
use super::memory::Place;
use super::object_file::{self, Origin};
use super::region::{MARGIN, REGIONS};
use super::subject::Subject;
use super::value::Base;
use crate::plan::Plan;
use crate::spec::Op;

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
    /// `bytes` bytes filled, by memset with anything but zeros.
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
    fn case(self, op: Op) -> Case {
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
            zero_fill: op == Op::ClearUser,
            huge: false,
            injection: None,
        }
    }
}

/// Machine code whose calls are counted.
#[derive(Clone, Copy)]
pub(crate) enum Counted<'a> {
    /// Assembled from `text`, which a counter-example quotes.
    Assembled { words: &'a [u32], text: &'a str },
    /// In an ELF object, compiled from a Rust kernel, and allowed so much stack.
    Compiled { object: &'a [u8], stack_bytes: u32 },
}

/// Executes each call on `counted`, checked against the contracts of `plan` as in a proof. Gives the bytes of the code and the
/// counts in the order of the calls. No call may be larger than [`LARGEST_SIZE`].
///
/// # Errors
/// An object without the routine; a counter-example of the first call that breaks a contract.
pub(crate) fn count_calls(
    plan: &Plan,
    counted: Counted,
    calls: &[Call],
) -> Result<(u64, Vec<Counts>), VerifyError> {
    let xlen = plan.isa().xlen;
    match counted {
        Counted::Assembled { words, text } => {
            let code = Code::new(words, xlen);
            let counts = count(&Subject::new(plan, &code), text, calls)?;
            Ok((code.bytes(), counts))
        }
        Counted::Compiled {
            object,
            stack_bytes,
        } => {
            let code = object_file::load(object, plan.symbol(), xlen, Origin::Compiled)
                .map_err(VerifyError::Object)?;
            let counts = count(&Subject::compiled(plan, &code, stack_bytes), "", calls)?;
            Ok((code.bytes(), counts))
        }
    }
}

fn count(subject: &Subject, text: &str, calls: &[Call]) -> Result<Vec<Counts>, VerifyError> {
    let counts: Vec<Result<Counts, _>> = calls
        .par_iter()
        .map_init(
            || subject.machine(),
            |machine, call| {
                let case = call.case(subject.plan.op());
                debug_assert!(case.bytes <= LARGEST_SIZE, "{call:?}");
                let result = subject.call::<false>(machine, &case);
                machine.memory.restore();
                result
                    .map(|()| machine.counts)
                    .map_err(|breach| Box::new((case, breach)))
            },
        )
        .collect();
    // Of all calls that fail, the first is reported, whichever thread came upon one before.
    counts
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|failure| {
            let (case, breach) = *failure;
            subject.refuted(text, &case, breach)
        })
}
