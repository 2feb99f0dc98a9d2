//! `memgen verify --emit rust`: a Rust kernel compiled for several targets at several levels, each machine code proven.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;

use super::{Failure, output, progress};
use crate::plan::Plan;
use crate::spec::Spec;
use crate::verify::{
    Build, Compiler, CompilerError, Effort, OptLevel, VerifyError, code_bytes, verify_object,
};

/// The compiler of a Rust kernel, and what it compiles it to.
#[derive(Debug, Args)]
pub(super) struct Builds {
    /// Targets to compile a Rust kernel for, by comma, as rustc names them [default: riscv64gc and riscv64imac, or riscv32imac
    /// and riscv32i, all -unknown-none-elf; cost: the first]
    #[arg(long, value_name = "TARGETS", value_delimiter = ',', help_heading = COMPILED)]
    target: Vec<String>,

    /// Levels to compile a Rust kernel at, by comma [default: all; cost: 3]
    #[arg(long, value_enum, value_name = "LEVELS", value_delimiter = ',', help_heading = COMPILED)]
    opt_level: Vec<OptLevel>,

    /// Compiles in place of rustc
    #[arg(long, value_name = "COMMAND", help_heading = COMPILED)]
    rustc: Option<String>,

    /// Folder with the compiler's libraries: core is TARGET's in lib/rustlib/TARGET/lib [default: rustc's own, and a small core for
    /// targets that are not installed]
    #[arg(long, value_name = "FOLDER", help_heading = COMPILED)]
    sysroot: Option<PathBuf>,
}

const COMPILED: &str = "Compiler, with --emit rust";

impl Builds {
    /// Nothing for a routine that is assembled; the failure of flags that it has no use for.
    ///
    /// # Errors
    /// A flag that only compiled kernels have.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        let given = [
            ("--target", !self.target.is_empty()),
            ("--opt-level", !self.opt_level.is_empty()),
            ("--rustc", self.rustc.is_some()),
            ("--sysroot", self.sysroot.is_some()),
        ];
        let flags: Vec<&str> = given
            .iter()
            .filter(|flag| flag.1)
            .map(|flag| flag.0)
            .collect();
        if flags.is_empty() {
            return Ok(());
        }
        Err(Failure::bad_spec(format!(
            "error: {}: only a Rust kernel is compiled\n  help: add --emit rust, or drop it",
            flags.join(", ")
        )))
    }

    /// Compiles `text`, a kernel as `spec` asks for, and proves each machine code that comes of it; a line for each build.
    ///
    /// # Errors
    /// The problems of the specification; a compiler that fails; the first counter-example, with its build.
    pub(super) fn prove(&self, spec: &Spec, text: &str) -> Result<(), Failure> {
        let plan = Plan::new(spec).map_err(Failure::bad_spec)?;
        let compiler =
            Compiler::new(self.rustc.as_deref(), self.sysroot.as_deref()).map_err(Failure::new)?;
        let builds = self.builds(&plan);
        let objects: Vec<Vec<u8>> = builds
            .par_iter()
            .map(|build| compiler.object(text, build))
            .collect::<Result<_, CompilerError>>()
            .map_err(Failure::new)?;
        let mut codes: Vec<Vec<u8>> = Vec::new();
        for (build, object) in builds.iter().zip(&objects) {
            let about = |error| Failure::new(format!("{error}\n  in the build for {build}"));
            let code = code_bytes(object, plan.symbol(), plan.isa().xlen)
                .map_err(|error| about(VerifyError::Object(error)))?;
            let same = codes.iter().position(|known| *known == code);
            codes.push(code);
            let outcome = match same {
                Some(index) => format!("the machine code of {}", builds[index]),
                None => {
                    let bar = progress::Bar::new();
                    let started = Instant::now();
                    let tell = |done, total| bar.set(done, total);
                    let stack_bytes = build.level.stack_bytes();
                    let result = verify_object(spec, object, stack_bytes, Effort::Full, &tell);
                    bar.clear();
                    let proof = result.map_err(about)?;
                    format!(
                        "{} cases, {} instructions executed, {} bytes of code, {:.2} s",
                        proof.cases,
                        proof.instructions,
                        proof.code_bytes,
                        started.elapsed().as_secs_f64()
                    )
                }
            };
            let core = compiler.core(&build.target).map_err(Failure::new)?;
            output::print(format!("proven: {build}, {core}: {outcome}\n").as_bytes())
                .map_err(Failure::new)?;
        }
        output::print(format!("proven: {}\n", spec.command_line()).as_bytes()).map_err(Failure::new)
    }

    /// Compiles `text`, a kernel as `spec` asks for, in the one build that is named: for the first target at level 3 unless it is said.
    ///
    /// # Errors
    /// The problems of the specification; several builds; a compiler that fails.
    pub(super) fn compile_one(&self, spec: &Spec, text: &str) -> Result<(Build, Vec<u8>), Failure> {
        let plan = Plan::new(spec).map_err(Failure::bad_spec)?;
        if self.target.len() > 1 || self.opt_level.len() > 1 {
            return Err(Failure::bad_spec(
                "error: --target, --opt-level: calls are counted in one build\n  help: name one target and one level",
            ));
        }
        let target = self.target.first().map(String::as_str);
        let target = target.unwrap_or(Build::targets(plan.isa().xlen)[0]);
        let level = self.opt_level.first().copied();
        let build = Build::new(&plan, target, level.unwrap_or(OptLevel::Three));
        let compiler =
            Compiler::new(self.rustc.as_deref(), self.sysroot.as_deref()).map_err(Failure::new)?;
        let object = compiler.object(text, &build).map_err(Failure::new)?;
        Ok((build, object))
    }

    fn builds(&self, plan: &Plan) -> Vec<Build> {
        let default_targets = || Build::targets(plan.isa().xlen).map(str::to_owned).to_vec();
        let targets = if self.target.is_empty() {
            default_targets()
        } else {
            self.target.clone()
        };
        let levels = if self.opt_level.is_empty() {
            &OptLevel::ALL[..]
        } else {
            &self.opt_level
        };
        let at_levels = |target: &String| {
            let builds = levels.iter().map(|level| Build::new(plan, target, *level));
            builds.collect::<Vec<_>>()
        };
        targets.iter().flat_map(at_levels).collect()
    }
}
