//! What is wrong with a specification: every problem at once, each with the way out.

use std::fmt;

/// One thing wrong with a [`crate::Spec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The flag that caused it, without the dashes: `unroll`.
    pub flag: &'static str,
    /// The value and the limit it breaks.
    pub message: String,
    /// What to do instead.
    pub help: String,
}

/// All problems of one [`crate::Spec`], in the order of the flags they were found at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Notes a problem at `flag`.
    pub(crate) fn add(
        &mut self,
        flag: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.0.push(Problem {
            flag,
            message: message.into(),
            help: help.into(),
        });
    }

    /// The problems found.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// Stops here if anything was wrong.
    pub(crate) fn stop(self) -> Result<(), Problems> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// Two lines a problem: `error: --unroll: …` and `  help: …`.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.0 {
            writeln!(f, "error: --{}: {}", problem.flag, problem.message)?;
            writeln!(f, "  help: {}", problem.help)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
