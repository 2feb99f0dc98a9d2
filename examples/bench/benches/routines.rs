//! Times every routine for sizes up to 4,096 bytes and four alignments, then prints memgen's times as ratios.
//!
//!     cargo bench -p memgen-example-bench
//!
//! compiler-builtins' source comes from the toolchain's `rust-src`, or from the folder that `COMPILER_BUILTINS` names (Debian's rust-web-src
//! has it in `/usr/src/rustc-*/library/compiler-builtins/compiler-builtins`). A filter may follow: `-- memcpy`, `-- 'memset.*/64$'`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use memgen_example_bench::{ALL, Routines};

const SIZES: [usize; 15] = [
    0, 1, 4, 8, 15, 16, 31, 32, 64, 100, 128, 256, 512, 1500, 4096,
];
/// Residues of destination and source modulo 8.
const ALIGNMENTS: [(usize, usize); 4] = [(0, 0), (1, 1), (0, 1), (3, 6)];
/// memmove's destination stands so far above its source: they overlap from the next size on.
const APART_BYTES: usize = 16;
const BUFFER_BYTES: usize = 4096 + 64;

/// Sizes that ratios are told for together, by the first that is not among them.
const CLASSES: [(&str, usize); 4] = [
    ("0-15", 16),
    ("16-64", 65),
    ("65-512", 513),
    ("513-4096", 4097),
];

#[repr(align(64))]
struct Buffer([u8; BUFFER_BYTES]);

/// Nanoseconds a call: the shortest of the samples, by operation, routine, alignment, size.
type Times = BTreeMap<(&'static str, &'static str, usize, usize), f64>;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(20))
        .measurement_time(Duration::from_millis(60))
        .without_plots()
        .configure_from_args();
    let mut times = Times::new();
    for op in ["memcpy", "memmove", "memset"] {
        for (alignment, (dst, src)) in ALIGNMENTS.into_iter().enumerate() {
            let mut group = criterion.benchmark_group(format!("{op} dst {dst} src {src}"));
            for n in SIZES {
                group.throughput(Throughput::Bytes(n as u64));
                for routines in ALL {
                    let key = (op, routines.name, alignment, n);
                    group.bench_function(BenchmarkId::new(routines.name, n), |bencher| {
                        bencher.iter_custom(|calls| {
                            let taken = time(op, routines, dst, src, n, calls);
                            let nanoseconds = taken.as_nanos() as f64 / calls as f64;
                            let shortest = times.entry(key).or_insert(nanoseconds);
                            *shortest = shortest.min(nanoseconds);
                            taken
                        });
                    });
                }
            }
            group.finish();
        }
    }
    criterion.final_summary();
    print_ratios(&times);
    if !ALL
        .iter()
        .any(|routines| routines.name == "compiler-builtins")
    {
        println!(
            "\n*** compiler-builtins was not timed, for its source is not there. `rustup component add rust-src` installs it;\n\
             *** or set COMPILER_BUILTINS to a folder that holds its src/mem/impls.rs."
        );
    }
}

/// How long `calls` calls take.
fn time(op: &str, routines: &Routines, dst: usize, src: usize, n: usize, calls: u64) -> Duration {
    let mut source = Buffer([1; BUFFER_BYTES]);
    let mut target = Buffer([2; BUFFER_BYTES]);
    let (from, to) = (source.0.as_mut_ptr(), target.0.as_mut_ptr());
    // SAFETY: the buffers are larger than the largest size by more than what is added.
    unsafe {
        match op {
            "memcpy" => {
                let copy = black_box(routines.memcpy);
                let (to, from) = (to.add(dst), from.add(src));
                timed(calls, || {
                    black_box(copy(black_box(to), black_box(from), black_box(n)))
                })
            }
            "memmove" => {
                let copy = black_box(routines.memmove);
                let (to, from) = (from.add(APART_BYTES + dst), from.add(src));
                timed(calls, || {
                    black_box(copy(black_box(to), black_box(from), black_box(n)))
                })
            }
            _ => {
                let fill = black_box(routines.memset);
                let to = to.add(dst);
                timed(calls, || {
                    black_box(fill(black_box(to), black_box(0x5a), black_box(n)))
                })
            }
        }
    }
}

fn timed<T>(calls: u64, mut call: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed()
}

/// A line for each operation, memgen row and other row: geometric means of the ratios of times.
fn print_ratios(times: &Times) {
    println!(
        "\nTime of memgen's routines / of others, geometric means; a call through a pointer is in both\n"
    );
    let classes: String = CLASSES
        .iter()
        .map(|(name, _)| format!("{name:>10}"))
        .collect();
    println!("{:58}{:>8}{classes}", "", "all");
    for op in ["memcpy", "memmove", "memset"] {
        for ours in ["memgen", "memgen, misaligned"] {
            for other in ALL
                .iter()
                .map(|routines| routines.name)
                .filter(|name| !name.starts_with("memgen"))
            {
                let ratios: Vec<(usize, f64)> = times
                    .iter()
                    .filter(|((of, name, ..), _)| *of == op && *name == ours)
                    .filter_map(|(&(_, _, alignment, n), time)| {
                        Some((n, time / times.get(&(op, other, alignment, n))?))
                    })
                    .collect();
                if ratios.is_empty() {
                    continue;
                }
                print!(
                    "{:58}{:8.2}",
                    format!("{op}: {ours} / {other}"),
                    mean(&ratios, 0, usize::MAX)
                );
                let mut first = 0;
                for (_, end) in CLASSES {
                    print!("{:10.2}", mean(&ratios, first, end));
                    first = end;
                }
                println!();
            }
        }
    }
}

/// The geometric mean of the ratios of sizes from `first` up to, not including, `end`.
fn mean(ratios: &[(usize, f64)], first: usize, end: usize) -> f64 {
    let logarithms: Vec<f64> = ratios
        .iter()
        .filter(|(n, _)| (first..end).contains(n))
        .map(|(_, ratio)| ratio.ln())
        .collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}
