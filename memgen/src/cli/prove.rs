//! `memgen verify`: a routine or a file, proven.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, Tool, kernel, output, progress, text};
use crate::spec::{Emit, Spec};
use crate::verify::{VerifyError, verify_text};

/// What is proven, and how it is assembled or compiled.
#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    spec: Spec,

    /// Prove this file against the contracts of the flags, not the text that the flags make
    #[arg(long, value_name = "FILE", help_heading = "Proof")]
    file: Option<PathBuf>,

    #[command(flatten)]
    tool: Tool,

    #[command(flatten)]
    builds: kernel::Builds,
}

impl Verify {
    /// Proves the routine and prints what was run.
    ///
    /// # Errors
    /// The problems of the specification; an assembler, a compiler or a file that fails; a counter-example.
    pub(super) fn run(self) -> Result<(), Failure> {
        let spec = &self.spec;
        let text = text(spec, self.file.as_deref())?;
        if spec.emit == Emit::Rust {
            self.tool.refuse()?;
            return self.builds.prove(spec, &text);
        }
        self.builds.refuse()?;
        let bar = progress::Bar::new();
        let started = std::time::Instant::now();
        let tell = |done, total| bar.set(done, total);
        let result = verify_text(spec, &text, &self.tool.assembler(), &tell);
        bar.clear();
        let proof = result.map_err(|error| match error {
            VerifyError::Problems(problems) => Failure::bad_spec(problems),
            other => Failure::new(other),
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let faults = match spec.op.touches_user() {
            true => format!(" {} injected faults,", proof.faults),
            false => String::new(),
        };
        let line = format!(
            "proven: {}: {} cases,{faults} {} instructions executed, {} bytes of code, {seconds:.2} s\n",
            spec.command_line(),
            proof.cases,
            proof.instructions,
            proof.code_bytes,
        );
        output::print(line.as_bytes()).map_err(Failure::new)
    }
}
