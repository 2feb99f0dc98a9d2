//! The command: flags to a [`Spec`], a [`Spec`] to a file or a proof.

mod check;
mod complaints;
mod cost;
mod kernel;
mod manifest;
mod output;
mod progress;
mod prove;
mod publish;
mod variant;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::kernel::lower;
use crate::plan::Plan;
use crate::render::render;
use crate::spec::{Emit, Spec};
use crate::text::listing;
use crate::verify::Assembler;

/// Exit code for a specification that cannot be built, the same as clap's for a flag it does not know.
const BAD_SPEC: u8 = 2;

/// Memory routines for RISC-V from a specification: emitted as reviewable assembly, proven as machine code.
///
/// Without a subcommand, prints the routine: `memgen --unroll 16 --xlen 64 > memcpy.S`; with a manifest, writes the
/// files that it lists.
#[derive(Debug, Parser)]
#[command(
    name = "memgen",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "memgen [OPTIONS]\n       memgen <MANIFEST> [--check | --list]\n       memgen <COMMAND>",
    after_help = EXAMPLES
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    generate: Generate,
    #[command(flatten)]
    published: publish::Published,
}

/// One example for each group of flags.
const EXAMPLES: &str = "\
Examples:
  memgen --op memmove --xlen 32                       a routine, on standard output
  memgen --unroll 16 --shift-unroll 8 --avoid t6      the shape of its code
  memgen --op memset --dialect linux --pi-alias       the frame of its file
  memgen --op memset -o memset.S                      a file, left alone if unchanged
  memgen verify --op memmove --unroll 16              a proof of the machine code
  memgen verify --emit rust --op memset               the same of what rustc makes of a kernel
  memgen cost --op memmove --unroll 16                what its calls execute, counted
  memgen generated/memgen.toml --check                all files that a manifest lists";

/// What is done other than writing.
#[derive(Debug, Subcommand)]
enum Command {
    /// Prove a routine: assemble or compile it and execute the machine code for every size, residue and overlap
    Verify(Box<prove::Verify>),
    /// Count what calls of a routine execute, for each size and alignment: instructions, loads, stores, taken jumps
    Cost(Box<cost::Cost>),
    /// Print a completion script for a shell
    Completions {
        /// Shell that is to complete memgen's flags
        shell: clap_complete::Shell,
    },
}

/// One routine, and where it goes.
#[derive(Debug, Args)]
struct Generate {
    #[command(flatten)]
    spec: Spec,

    /// File to write; an unchanged one is left alone [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Print what was asked, what was decided, or the instructions, in place of the file
    #[arg(
        long,
        value_enum,
        value_name = "STAGE",
        help_heading = "Output",
        conflicts_with = "output"
    )]
    print: Option<Stage>,

    #[command(flatten)]
    tool: Tool,
}

/// What assembles, where something has to be assembled.
#[derive(Debug, Args)]
struct Tool {
    /// Assembles in place of rustc: riscv64-linux-gnu-gcc, 'clang --target=riscv64'
    #[arg(long, value_name = "COMMAND", help_heading = "Tools")]
    assembler: Option<String>,
}

impl Tool {
    /// The assembler asked for, else rustc.
    fn assembler(&self) -> Assembler {
        match &self.assembler {
            None => Assembler::Rustc,
            Some(command) => Assembler::Command(command.clone()),
        }
    }

    /// Nothing for a kernel that is compiled; the failure of an assembler that was asked for all the same.
    ///
    /// # Errors
    /// An assembler that was asked for.
    fn refuse(&self) -> Result<(), Failure> {
        match &self.assembler {
            None => Ok(()),
            Some(command) => Err(Failure::bad_spec(format!(
                "error: --assembler: {command} does not compile Rust\n  help: --rustc chooses the compiler of --emit rust"
            ))),
        }
    }
}

/// A stage on the way from flags to text.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stage {
    /// What was asked
    Spec,
    /// What was decided, with derivations
    Plan,
    /// Instructions with what they read and write
    Inst,
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Some(Command::Verify(arguments)) => arguments.run(),
        Some(Command::Cost(arguments)) => arguments.run(),
        Some(Command::Completions { shell }) => complete(shell),
        None => match &cli.published.manifest {
            Some(path) => cli.published.run(path),
            None => generate(cli.generate),
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{}", failure.text);
            ExitCode::from(failure.code)
        }
    }
}

/// Reads the command line that a file's header holds: `memgen --op memcpy --unroll 16`.
///
/// # Errors
/// clap's own message; a command that asks for something other than one routine.
pub fn parse_command_line(line: &str) -> Result<Spec, String> {
    let words = shlex::split(line).ok_or("a quote is not closed")?;
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    if cli.command.is_some() || cli.published.manifest.is_some() {
        return Err(format!(
            "`{line}` does not ask for one routine by its flags"
        ));
    }
    Ok(cli.generate.spec)
}

/// Why the process fails: what it says on standard error, and its exit code.
#[derive(Debug)]
struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    /// A failure of exit code 1 that says `text`, with a newline behind it.
    fn new(text: impl ToString) -> Failure {
        let mut text = text.to_string();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Failure { text, code: 1 }
    }

    /// The failure of a specification that cannot be built, which says `problems`.
    fn bad_spec(problems: impl ToString) -> Failure {
        Failure {
            code: BAD_SPEC,
            ..Failure::new(problems)
        }
    }
}

/// The text that is proven or counted: of `file`, else what `spec` makes.
///
/// # Errors
/// The problems of the specification; a file that cannot be read.
fn text(spec: &Spec, file: Option<&Path>) -> Result<String, Failure> {
    match file {
        None => crate::generate(spec).map_err(Failure::bad_spec),
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("error: {}: {error}", path.display()))),
    }
}

/// Writes the routine, or prints a stage of it.
///
/// # Errors
/// The problems of the specification; an assembler or a file that fails.
fn generate(arguments: Generate) -> Result<(), Failure> {
    let spec = &arguments.spec;
    let plan = Plan::new(spec).map_err(Failure::bad_spec)?;
    let program = lower(&plan);
    let text = match arguments.print {
        Some(Stage::Spec) => spec.to_string(),
        Some(Stage::Plan) => plan.to_string(),
        Some(Stage::Inst) if spec.emit == Emit::Rust => {
            return Err(Failure::bad_spec(
                "error: --print inst: a portable kernel has the instructions that its compiler gives it\n  \
                 help: leave out --emit for those of the assembly",
            ));
        }
        Some(Stage::Inst) => listing(&program),
        None => render(spec, &plan, &program),
    };
    let bytes = if spec.emit == Emit::Obj && arguments.print.is_none() {
        let assembler = arguments.tool.assembler();
        assembler
            .assemble(spec, plan.isa(), &text)
            .map_err(Failure::new)?
    } else {
        text.into_bytes()
    };
    match arguments.output {
        Some(path) if path.as_os_str() != "-" => {
            output::write_if_changed(&path, &bytes).map_err(Failure::new)?;
            Ok(())
        }
        _ => output::print(&bytes).map_err(Failure::new),
    }
}

/// Prints the completion script for `shell`.
///
/// # Errors
/// Standard output that takes no more.
fn complete(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "memgen", &mut script);
    output::print(&script).map_err(Failure::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_header_holds_flags_alone() {
        assert!(parse_command_line("memgen --op memmove").is_ok());
        for line in ["memgen memmove", "memgen verify", "memgen --op"] {
            assert!(parse_command_line(line).is_err(), "{line}");
        }
    }
}
