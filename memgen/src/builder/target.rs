//! What cargo says about the target of a build.

use super::Builder;
use crate::isa::Isa;
use crate::spec::Misaligned;

impl Builder {
    /// Starts from the target that cargo builds for, as `CARGO_CFG_TARGET_*` describe it:
    ///
    /// | variable | what it settles |
    /// |---|---|
    /// | `ARCH` | `riscv32`, `riscv64`: the base of [`Builder::isa`] |
    /// | `ABI` | `ilp32e`, `lp64e`: the E bases |
    /// | `FEATURE` | the extensions of [`Builder::isa`], as far as memgen knows them; `unaligned-scalar-mem`, which stable compilers do not tell: [`Misaligned::Fast`] |
    /// | `POINTER_WIDTH` | [`Builder::xlen`] of a target that is not RISC-V |
    ///
    /// A target that is not RISC-V gets portable Rust; to ask for assembly is then a problem, told with all others by
    /// [`Builder::generate`] and [`Builder::emit`]. So is a missing variable: only build scripts have them. What is set later overrides.
    ///
    /// ```no_run
    /// use memgen::{Builder, Op};
    ///
    /// Builder::from_cargo_env().op(Op::Memmove).emit("memmove.rs");
    /// ```
    pub fn from_cargo_env() -> Builder {
        Builder::from_variables(|name| std::env::var(format!("CARGO_CFG_TARGET_{name}")).ok())
    }

    /// The same with what `variable` gives for the last part of a name.
    pub(super) fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Builder {
        let mut builder = Builder::new();
        let Some(arch) = variable("ARCH") else {
            builder.misread.add(
                "isa",
                "CARGO_CFG_TARGET_ARCH is not set",
                "call `from_cargo_env` in a build script; elsewhere, start with `Builder::new()`",
            );
            return builder;
        };
        let xlen = match arch.as_str() {
            "riscv32" => 32,
            "riscv64" => 64,
            _ => {
                let width = variable("POINTER_WIDTH");
                builder.spec.xlen = match width.as_deref() {
                    Some("64") => Some(64),
                    _ => Some(32),
                };
                builder.foreign_arch = Some(arch);
                return builder;
            }
        };
        let features = variable("FEATURE").unwrap_or_default();
        let features: Vec<&str> = features.split(',').collect();
        let embedded = matches!(variable("ABI").as_deref(), Some("ilp32e" | "lp64e"));
        builder.spec.isa = Some(Isa::spell(xlen, embedded, &features));
        if features.contains(&"unaligned-scalar-mem") {
            builder.spec.misaligned = Some(Misaligned::Fast);
        }
        builder
    }
}
