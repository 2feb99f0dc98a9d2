//! `memgen cost`: what single calls of a routine execute.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::complaints::Complaints;
use super::{Failure, Tool, kernel, output, text};
use crate::cost::{Alignments, Distribution, Mean, Sizes, Table, cost_object, cost_text, json};
use crate::spec::{Emit, Spec};
use crate::verify::VerifyError;

/// The value of `--sizes` that is no file.
const BUILT_IN: &str = "spec2017";

/// Whose calls are counted, which, and how they are shown.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Cost {
    #[command(flatten)]
    spec: Spec,

    /// Count the calls of this file, held to the contracts of the flags, not of the text that the flags make
    #[arg(long, value_name = "FILE", help_heading = "Cost")]
    file: Option<PathBuf>,

    /// How the counts are shown
    #[arg(long, value_enum, default_value_t, help_heading = "Cost")]
    format: Format,

    /// CSV file of lines size,weight, or spec2017 for a built-in one: adds the weighted mean to table and json; csv and
    /// json then have these sizes, not the standard ones
    #[arg(long, value_name = "FILE", help_heading = "Cost")]
    sizes: Option<PathBuf>,

    #[command(flatten)]
    tool: Tool,

    #[command(flatten)]
    builds: kernel::Builds,
}

const EXAMPLES: &str = "\
Examples:
  memgen cost --op memmove                            instructions by size and alignment
  memgen cost --unroll 16 --sizes spec2017            and averaged as SPEC CPU2017 calls memcpy
  memgen cost --op memset --format csv                every cell, for a script
  memgen cost --emit rust --opt-level s               a Rust kernel, compiled for size";

/// How counts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Size of the code, means for a few sizes
    #[default]
    Table,
    /// Every call, a line each: 95 sizes, all offsets modulo 8
    Csv,
    /// Every call, and sums, on one line
    Json,
}

impl Cost {
    /// Counts the calls and prints the counts.
    ///
    /// # Errors
    /// The problems of the specification or the sizes; an assembler or a file that fails; a counter-example.
    pub(super) fn run(self) -> Result<(), Failure> {
        let distribution = self.sizes.as_deref().map(distribution).transpose()?;
        let (cost, build) = self.count(distribution.as_ref())?;
        let means = distribution.map(|distribution| {
            let means = distribution.means(&cost);
            means.expect("every size of it was counted")
        });
        let mut command = self.spec.command_line();
        if let Some(build) = build {
            command += &format!("  # {build}");
        }
        let shown = match self.format {
            Format::Table => {
                let averages = self.sizes.as_deref().zip(means.as_deref());
                let averages = averages.map(|(name, means)| paragraph(name, means));
                format!(
                    "{command}\n{}{}",
                    Table(&cost),
                    averages.unwrap_or_default()
                )
            }
            Format::Csv => cost.csv(),
            Format::Json => json(&command, &cost, &means.unwrap_or_default()),
        };
        output::print(shown.as_bytes()).map_err(Failure::new)
    }

    /// Counts the calls of the sizes that are shown or averaged; for a Rust kernel, in the build that is named.
    fn count(
        &self,
        distribution: Option<&Distribution>,
    ) -> Result<(crate::cost::Cost, Option<String>), Failure> {
        let sizes = match (self.format, distribution.map(Distribution::sizes)) {
            (Format::Table, averaged) => averaged.into_iter().fold(Table::sizes(), Sizes::and),
            (_, Some(averaged)) => averaged,
            (_, None) => Sizes::standard(),
        };
        let spec = &self.spec;
        let text = text(spec, self.file.as_deref())?;
        if spec.emit == Emit::Rust {
            self.tool.refuse()?;
            let (build, object) = self.builds.compile_one(spec, &text)?;
            let stack_bytes = build.level.stack_bytes();
            let cost = cost_object(spec, &object, stack_bytes, &sizes).map_err(failure)?;
            return Ok((cost, Some(build.to_string())));
        }
        self.builds.refuse()?;
        let cost = cost_text(spec, &text, &self.tool.assembler(), &sizes).map_err(failure)?;
        Ok((cost, None))
    }
}

/// Why nothing was counted.
fn failure(error: VerifyError) -> Failure {
    match error {
        VerifyError::Problems(problems) => Failure::bad_spec(problems),
        other => Failure::new(other),
    }
}

/// The distribution that `--sizes` names.
///
/// # Errors
/// A file that cannot be read; every mistake in it, at its line.
fn distribution(path: &Path) -> Result<Distribution, Failure> {
    if path == Path::new(BUILT_IN) {
        return Ok(Distribution::spec2017());
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::bad_spec(format!(
            "error: cannot read the sizes {}: {error}\n  help: name a CSV file of lines `size,weight`, or {BUILT_IN}",
            path.display()
        ))
    })?;
    Distribution::parse(&text).map_err(|mistakes| {
        let mut complaints = Complaints::new(path, &text);
        for mistake in mistakes {
            complaints.add(mistake.offset, &mistake.message, &mistake.help);
        }
        Failure::bad_spec(complaints.stop().err().unwrap_or_default())
    })
}

/// A paragraph with a line for each mean over the sizes called `name`.
fn paragraph(name: &Path, means: &[Mean]) -> String {
    let mut text = format!("\nmean over the sizes of {}\n", name.display());
    for mean in means {
        let alignments = match mean.alignments {
            Alignments::Equal => "every alignment equally likely",
            Alignments::Spec2017 => "alignments as published with them",
        };
        let (scenario, instructions) = (mean.scenario, mean.instructions);
        text += &format!("{scenario:<14} {instructions:>10.2} instructions a call, {alignments}\n");
    }
    text
}
