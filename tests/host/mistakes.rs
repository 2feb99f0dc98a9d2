//! Kernels with one line made wrong.

use memgen::{Plan, generate};

use crate::program::Source;
use crate::support::spec;

/// A mistake in the kernel of some flags.
pub(crate) struct Mistake {
    /// Flags of the kernel.
    flags: &'static str,
    /// A part of its text, and what stands there instead.
    right: &'static str,
    wrong: &'static str,
    /// What the harness has to say.
    pub(crate) found_as: &'static str,
}

impl Mistake {
    /// The kernel with the mistake at the first place where the right text stands.
    pub(crate) fn source(&self) -> Source {
        let spec = spec(&format!("{} --emit rust", self.flags));
        let plan = Plan::new(&spec).unwrap();
        let text = generate(&spec).unwrap();
        let wrong = text.replacen(self.right, self.wrong, 1);
        assert_ne!(
            text, wrong,
            "{:?} is not in the kernel of {}:\n{text}",
            self.right, self.flags
        );
        Source {
            name: format!("{}: {} for {}", self.flags, self.wrong, self.right),
            op: plan.op(),
            strict: plan.is_strict(),
            symbol: plan.symbol().to_owned(),
            text: wrong,
        }
    }
}
