//! What the presets promise: code within their size, and no explicit choice of a flag that costs less within it.

mod support;

use memgen::cost::{Cost, Sizes, cost};
use memgen::verify::Assembler;
use memgen::{Op, Plan, Preset, Spec, lower};
use rayon::prelude::*;
use support::{announce, spec};

/// Every preset with the widths it is published for; `kernel` is `default` with a register less.
const PRESETS: [(Preset, &[u32]); 6] = [
    (Preset::Default, &[64, 32]),
    (Preset::Kernel, &[64]),
    (Preset::Fastest, &[64, 32]),
    (Preset::Small, &[64, 32]),
    (Preset::FastMisaligned, &[64, 32]),
    (Preset::Zkvm, &[32]),
];

const OPS: [Op; 6] = [
    Op::Memcpy,
    Op::Memmove,
    Op::Memset,
    Op::CopyToUser,
    Op::CopyFromUser,
    Op::ClearUser,
];

/// What somebody might ask for in place of `auto`.
const ALTERNATIVES: [&str; 26] = [
    "--shape stepped",
    "--shape stepped --small loop",
    "--shape stepped --small jump",
    "--shape compact",
    "--small ladder",
    "--unaligned bytes",
    "--unroll 1",
    "--unroll 2",
    "--unroll 4",
    "--unroll 8",
    "--unroll 16",
    "--unroll 32",
    "--unroll 64",
    "--unroll 128",
    "--shift-unroll 1",
    "--shift-unroll 2",
    "--shift-unroll 4",
    "--shift-unroll 8",
    "--shift-unroll 16",
    "--shift-unroll 32",
    "--shift-unroll 64",
    "--unroll 8 --shift-unroll 4",
    "--unroll 8 --shift-unroll 16",
    "--unroll 32 --shift-unroll 4",
    "--unroll 32 --shift-unroll 16",
    "--unroll 64 --shift-unroll 16",
];

fn flags(preset: Preset, op: Op, xlen: u32) -> String {
    format!("--op {op} --preset {preset} --xlen {xlen}")
}

fn code_bytes(spec: &Spec) -> Option<u64> {
    let plan = Plan::new(spec).ok()?;
    Some(lower(&plan).code_bytes())
}

#[test]
fn a_preset_keeps_to_its_size() {
    for (preset, widths) in PRESETS {
        for op in OPS {
            for xlen in widths {
                let flags = flags(preset, op, *xlen);
                let bytes = code_bytes(&spec(&flags)).expect("a preset can be built");
                let most = preset.most_code_bytes(op);
                assert!(bytes <= u64::from(most), "{flags}: {bytes} of {most} bytes");
            }
        }
    }
}

/// A call for no byte costs a zkVM guest three instructions at most.
#[test]
fn no_byte_is_cheap_for_a_guest() {
    let sizes = Sizes::new([0]).unwrap();
    // Copies of no byte to and from user memory are none of a guest's business.
    for op in [Op::Memcpy, Op::Memmove, Op::Memset, Op::ClearUser] {
        let flags = flags(Preset::Zkvm, op, 32);
        let cost = cost(&spec(&flags), &Assembler::Rustc, &sizes).unwrap();
        let most = cost.cells.iter().map(|cell| cell.counts.instructions).max();
        assert!(most <= Some(3), "{flags}: {most:?}");
    }
}

/// `auto` is the best choice under the preset's size: for one preset here, for all of them with `MEMGEN_ALL_ALTERNATIVES=1`.
#[test]
fn no_alternative_costs_less() {
    let all = std::env::var_os("MEMGEN_ALL_ALTERNATIVES").is_some();
    let presets = if all { &PRESETS[..] } else { &PRESETS[..1] };
    let routines: Vec<(Preset, Op, u32)> = presets
        .iter()
        .flat_map(|(preset, widths)| OPS.map(|op| (*preset, op, *widths)))
        // Both directions of a user copy have the same instructions.
        .filter(|(_, op, _)| *op != Op::CopyToUser)
        .flat_map(|(preset, op, widths)| widths.iter().map(move |xlen| (preset, op, *xlen)))
        .filter(|(_, _, xlen)| all || *xlen == 64)
        .collect();
    let compared: usize = routines
        .par_iter()
        .map(|(preset, op, xlen)| {
            let most = u64::from(preset.most_code_bytes(*op));
            let flags = flags(*preset, *op, *xlen);
            let auto = mean(&spec(&flags));
            let within: Vec<String> = ALTERNATIVES
                .iter()
                .map(|alternative| format!("{flags} {alternative}"))
                .filter(|flags| code_bytes(&spec(flags)).is_some_and(|bytes| bytes <= most))
                .collect();
            for alternative in &within {
                let mean = mean(&spec(alternative));
                assert!(
                    mean >= auto - 1e-9,
                    "{alternative}: {mean:.3} instructions a call, auto has {auto:.3}"
                );
            }
            within.len()
        })
        .sum();
    assert!(compared > routines.len(), "hardly anything was compared");
    announce(&format!(
        "presets: {} routines, no better choice among {compared} explicit ones within their size",
        routines.len()
    ));
}

/// The geometric mean of the instructions of a call over the standard matrix: a tenth less counts the same at every size.
fn mean(spec: &Spec) -> f64 {
    let Cost { cells, .. } = cost(spec, &Assembler::Rustc, &Sizes::standard())
        .unwrap_or_else(|error| panic!("{}: {error}", spec.command_line()));
    let logarithms = cells
        .iter()
        .map(|cell| (cell.counts.instructions as f64).ln());
    (logarithms.sum::<f64>() / cells.len() as f64).exp()
}
