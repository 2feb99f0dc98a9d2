//! What is wrong with a specification: every problem at once, each with the way out.

use std::fmt;

use crate::spec::Spec;

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

impl Problem {
    /// The same problem for users who know a flag by another name: `--flag`, wherever message and help name it, becomes
    /// what `name` gives for `flag`, in backticks.
    ///
    /// ```
    /// use memgen::{Count, Plan, Spec};
    ///
    /// let spec = Spec { word: Some(8), xlen: Some(32), ..Spec::default() };
    /// let problems = Plan::new(&spec).expect_err("too wide");
    /// let problem = problems.iter().next().expect("there is one");
    /// assert_eq!(problem.help, "use at most --word 4, or a 64-bit ISA");
    /// assert_eq!(problem.spelled(str::to_owned).help, "use at most `word` 4, or a 64-bit ISA");
    /// ```
    pub fn spelled(&self, name: impl Fn(&str) -> String) -> Problem {
        let spell = |text: &str| {
            let settings = Spec::default().settings();
            settings.iter().fold(text.to_owned(), |text, (flag, _)| {
                text.replace(&format!("--{flag}"), &format!("`{}`", name(flag)))
            })
        };
        Problem {
            flag: self.flag,
            message: spell(&self.message),
            help: spell(&self.help),
        }
    }
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

    /// Notes all of `others` too.
    pub(crate) fn extend(&mut self, others: Problems) {
        self.0.extend(others.0);
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
