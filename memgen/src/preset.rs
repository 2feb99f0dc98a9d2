//! What a preset stands for: the values of flags that were left out.

use crate::spec::{Dialect, Emit, Misaligned, Op, Preset, Spec};

impl Preset {
    /// The most bytes of code that the preset's routine may have on RV64I and RV32I, without compressed instructions. Within them its `auto`
    /// values are those of the lowest mean cost: the geometric mean over the standard matrix of sizes and alignments.
    ///
    /// `default` and `kernel`: what is merged into a kernel without a second look. `fastest` and `zkvm`: a copy in one direction leaves room in
    /// an instruction cache of 16 KiB. `small`: the fewest that were reached, rounded up to the next 8.
    pub fn most_code_bytes(self, op: Op) -> u32 {
        const KIB: u32 = 1024;
        match (self, op) {
            (Preset::Default | Preset::Kernel, Op::Memcpy) => 2 * KIB,
            (Preset::Default | Preset::Kernel, Op::Memmove) => 3 * KIB,
            (Preset::Default | Preset::Kernel, Op::CopyToUser | Op::CopyFromUser) => 13 * KIB / 4,
            (Preset::Default | Preset::Kernel, Op::Memset | Op::ClearUser) => KIB,
            (Preset::Fastest | Preset::Zkvm, Op::Memcpy) => 13 * KIB,
            (Preset::Fastest | Preset::Zkvm, Op::CopyToUser | Op::CopyFromUser) => 55 * KIB / 4,
            (Preset::Fastest | Preset::Zkvm, Op::Memmove) => 24 * KIB,
            (Preset::Fastest, Op::Memset | Op::ClearUser) => 3 * KIB,
            (Preset::Zkvm, Op::ClearUser) => 3 * KIB,
            (Preset::Zkvm, Op::Memset) => 8 * KIB,
            (Preset::Small, Op::Memcpy) => 128,
            (Preset::Small, Op::CopyToUser | Op::CopyFromUser) => 112,
            (Preset::Small, Op::ClearUser) => 56,
            (Preset::Small, Op::Memmove) => 176,
            (Preset::Small, Op::Memset) => 104,
            (Preset::FastMisaligned, Op::Memcpy | Op::Memset | Op::ClearUser) => KIB,
            (Preset::FastMisaligned, Op::CopyToUser | Op::CopyFromUser) => 3 * KIB,
            (Preset::FastMisaligned, Op::Memmove) => 3 * KIB / 2,
        }
    }
}

impl Spec {
    /// The frame of the assembly file: the one asked for, else the preset's. Only [`Preset::Kernel`] brings one, and not to Rust.
    pub fn frame(&self) -> Dialect {
        let preset = match (self.preset, self.emit) {
            (Preset::Kernel, Emit::Asm | Emit::Obj) => Dialect::Linux,
            _ => Dialect::Gnu,
        };
        self.dialect.unwrap_or(preset)
    }

    /// What the hardware does with misaligned accesses: what was said, else what the preset is for.
    pub fn hardware(&self) -> Misaligned {
        let preset = match self.preset {
            Preset::FastMisaligned => Misaligned::Fast,
            _ => Misaligned::None,
        };
        self.misaligned.unwrap_or(preset)
    }

    /// The ISA string: the one given, else the preset's. zkVM guests are rv32im; `--xlen` alone changes that width.
    pub fn isa_string(&self) -> Option<String> {
        match (&self.isa, self.preset) {
            (None, Preset::Zkvm) => Some(format!("rv{}im", self.xlen.unwrap_or(32))),
            (isa, _) => isa.clone(),
        }
    }

    /// Registers that must not be touched: those named, else the preset's. Some kernels keep a global in t6.
    pub fn avoided(&self) -> Vec<String> {
        match (self.avoid.as_slice(), self.preset) {
            ([], Preset::Kernel) => vec!["t6".to_owned()],
            (named, _) => named.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    #[test]
    fn flags_override_a_preset() {
        let kernel = Spec {
            preset: Preset::Kernel,
            ..Spec::default()
        };
        assert_eq!(kernel.frame(), Dialect::Linux);
        assert_eq!(kernel.avoided(), ["t6"]);
        let asked = Spec {
            dialect: Some(Dialect::Gnu),
            avoid: vec!["a7".to_owned()],
            misaligned: Some(Misaligned::Fast),
            ..kernel
        };
        assert_eq!(asked.frame(), Dialect::Gnu);
        assert_eq!(asked.avoided(), ["a7"]);
        assert_eq!(asked.hardware(), Misaligned::Fast);
    }

    #[test]
    fn a_width_changes_the_base_of_zkvm() {
        let zkvm = |xlen| Spec {
            preset: Preset::Zkvm,
            xlen,
            ..Spec::default()
        };
        for (xlen, width) in [(None, 32), (Some(32), 32), (Some(64), 64)] {
            let plan = Plan::new(&zkvm(xlen)).expect("a preset can be built");
            assert_eq!(plan.isa().xlen, width);
            assert!(plan.isa().has("m"));
        }
    }
}
