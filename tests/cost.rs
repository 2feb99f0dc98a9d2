//! `memgen cost` counts what calls execute: checked by hand, and in every cell of the standard matrix by QEMU.

#[path = "cost/compiled.rs"]
mod compiled;
#[path = "qemu/program.rs"]
mod program;
#[path = "cost/qemu.rs"]
mod qemu;
mod support;

use std::path::PathBuf;
use std::thread;

use memgen::cost::{
    Alignments, Cell, Cost, Counts, Distribution, LARGEST_SIZE, Scenario, Sizes, Table, TooLarge,
    cost, cost_code, cost_text,
};
use memgen::verify::{Assembler, Contract, VerifyError, code_words};
use memgen::{Reg, RegSet};
use support::{announce, folder, memgen, spec, text};

/// Loops over bytes, written by hand so that their counts do not hang on what is generated.
fn copy() -> String {
    with_registers(include_str!("cost/copy.S"), "--op memcpy")
}

fn fill() -> String {
    with_registers(include_str!("cost/fill.S"), "--op memset")
}

/// Gives the loop in `text` registers that the routine of `flags` may write, none of them an argument.
fn with_registers(text: &str, flags: &str) -> String {
    let plan = memgen::Plan::new(&spec(flags)).unwrap();
    let mut arguments = RegSet::default();
    for reg in [Reg::A0, Reg::A1, Reg::A2] {
        arguments.insert(reg);
    }
    let free = memgen::lower(&plan).clobbers().without(arguments);
    let names = ["{to}", "{end}", "{from}", "{byte}"];
    names
        .iter()
        .zip(free.iter())
        .fold(text.to_owned(), |text, (name, reg)| {
            text.replace(name, &reg.to_string())
        })
}

fn counted(flags: &str, text: &str, sizes: &[u64]) -> Result<Cost, VerifyError> {
    let sizes = Sizes::new(sizes.iter().copied()).unwrap();
    cost_text(&spec(flags), text, &Assembler::default(), &sizes)
}

/// A file for a command line.
fn written(name: &str, text: &str) -> String {
    let path: PathBuf = folder(name).join("file");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_copy_counted_by_hand() {
    let sizes = [0, 1, 7, 16];
    let cost = counted("--op memcpy", &copy(), &sizes).unwrap();
    assert_eq!((cost.xlen, cost.word_bytes, cost.code_bytes), (64, 8, 40));
    assert_eq!(cost.cells.len(), sizes.len() * 64);
    for (cell, index) in cost.cells.iter().zip(0_u64..) {
        let n = sizes[(index / 64) as usize];
        let counts = Counts {
            // n tests and bytes of five together; the last test, four before the loop, ret.
            instructions: 5 * n + 6,
            loads: n,
            stores: n,
            // The jump to the test, and each branch back; not the ret.
            taken: n + 1,
        };
        let expected = Cell {
            scenario: Scenario::Memcpy,
            size: n,
            source_offset: index / 8 % 8,
            destination_offset: index % 8,
            counts,
        };
        assert_eq!(*cell, expected);
    }
}

#[test]
fn a_fill_counted_by_hand() {
    let cost = counted("--op memset", &fill(), &[0, 3, 16]).unwrap();
    assert_eq!(cost.cells.len(), 3 * 8);
    for cell in &cost.cells {
        let n = cell.size;
        let counts = Counts {
            instructions: 3 * n + 5,
            loads: 0,
            stores: n,
            taken: n + 1,
        };
        assert_eq!(cell.counts, counts, "{cell:?}");
    }
}

#[test]
fn memmove_is_counted_in_three_places() {
    let sizes = Sizes::new([0, 64]).unwrap();
    let cost = cost(&spec("--op memmove"), &Assembler::default(), &sizes).unwrap();
    let scenarios: Vec<_> = cost
        .cells
        .chunks(2 * 64)
        .map(|cells| cells[0].scenario)
        .collect();
    let expected = [
        Scenario::MemmoveApart,
        Scenario::MemmoveUp,
        Scenario::MemmoveDown,
    ];
    assert_eq!(scenarios, expected);
}

#[test]
fn the_ways_to_the_code_agree() {
    let (spec, sizes) = (spec("--op memset --xlen 32"), Sizes::standard());
    let assembler = Assembler::default();
    let made = cost(&spec, &assembler, &sizes).unwrap();
    let text = memgen::generate(&spec).unwrap();
    assert_eq!(made, cost_text(&spec, &text, &assembler, &sizes).unwrap());
    let plan = memgen::Plan::new(&spec).unwrap();
    let object = assembler.assemble(&spec, plan.isa(), &text).unwrap();
    let words = code_words(&object, "memset", 32).unwrap();
    assert_eq!(made, cost_code(&spec, &words, &sizes).unwrap());
}

#[test]
fn a_routine_that_breaks_a_contract_gets_no_numbers() {
    // Each byte goes one too far.
    let right = copy();
    let (before, store) = right.split_once("\tsb\t").unwrap();
    let wrong = format!("{before}\tsb\t{}", store.replacen(", 0(", ", 1(", 1));
    let error = counted("--op memcpy", &wrong, &[0, 1, 9]).unwrap_err();
    let VerifyError::Refuted(example) = error else {
        panic!("{error}")
    };
    assert_eq!(example.contract, Contract::Bytes);
    assert_eq!(
        example.call,
        "memcpy, n = 1, src = 0 modulo 8, dst = 0 modulo 8"
    );

    // One that does not end, and words that are no instructions.
    let endless = right.replace("ret", "j\t.Ltest");
    assert!(matches!(
        counted("--op memcpy", &endless, &[0]),
        Err(VerifyError::Refuted(_))
    ));
    let sizes = Sizes::new([0]).unwrap();
    for words in [&[][..], &[0], &[u32::MAX; 3]] {
        let result = cost_code(&spec("--op memcpy"), words, &sizes);
        assert!(matches!(result, Err(VerifyError::Refuted(_))), "{words:?}");
    }

    let file = written("cost-wrong", &wrong);
    let refuted = memgen(&["cost", "--file", &file]);
    assert_eq!(refuted.status.code(), Some(1));
    assert!(refuted.stdout.is_empty());
    assert!(
        text(&refuted.stderr).starts_with("refuted: "),
        "{}",
        text(&refuted.stderr)
    );
}

#[test]
fn a_mean_weighs_sizes() {
    let distribution = Distribution::parse("size,weight\n8,3\n0,1\n").unwrap();
    let cost = counted("--op memcpy", &copy(), &[0, 4, 8]).unwrap();
    let means = distribution.means(&cost).unwrap();
    assert_eq!(means.len(), 1);
    assert_eq!(means[0].instructions, (3.0 * 46.0 + 6.0) / 4.0);
    assert_eq!(
        distribution.means(&counted("--op memcpy", &copy(), &[0]).unwrap()),
        None
    );
}

/// Calls that cost 1 where the source lies at 1 and the destination at 4 modulo 8, else nothing.
#[test]
fn a_mean_weighs_alignments() {
    let distribution = Distribution::spec2017();
    let mut cost = Cost {
        xlen: 64,
        word_bytes: 8,
        code_bytes: 0,
        cells: Vec::new(),
    };
    for size in distribution.sizes().iter() {
        cost.cells.extend((0..64).map(|index| Cell {
            scenario: Scenario::Memcpy,
            size,
            source_offset: index / 8,
            destination_offset: index % 8,
            counts: Counts {
                instructions: u64::from((index / 8, index % 8) == (1, 4)),
                ..Counts::default()
            },
        }));
    }
    let means = distribution.means(&cost).unwrap();
    assert_eq!(means[0].alignments, Alignments::Equal);
    assert_eq!(means[0].instructions, 1.0 / 64.0);
    assert_eq!(means[1].alignments, Alignments::Spec2017);
    let source = 18.0 / 8.0 / 1024.0;
    let destination = (13.0 / 8.0 + 10.0 / 4.0 + 90.0 / 2.0) / 1024.0;
    assert!(
        (means[1].instructions - source * destination).abs() < 1e-12,
        "{means:?}"
    );
}

#[test]
fn sizes_have_a_limit() {
    let above = LARGEST_SIZE + 1;
    assert_eq!(Sizes::new([0, above]), Err(TooLarge(above)));
    // At the limit every byte is still followed.
    let sizes = Sizes::new([LARGEST_SIZE]).unwrap();
    for op in ["memcpy", "memmove", "memset"] {
        let cost = cost(&spec(&format!("--op {op}")), &Assembler::default(), &sizes).unwrap();
        let stored = cost.cells.iter().map(|cell| 8 * cell.counts.stores);
        assert!(stored.min() >= Some(LARGEST_SIZE), "{op}");
    }
}

/// A cost of made-up counts that tell the classes of alignments apart.
fn made_up(scenario: Scenario) -> Cost {
    let cell = |index: u64, size: u64| Cell {
        scenario,
        size,
        source_offset: index / 8,
        destination_offset: index % 8,
        counts: Counts {
            instructions: size + index / 8 + 10 * ((index / 8) ^ (index % 8)).pow(2),
            taken: index,
            ..Counts::default()
        },
    };
    let offsets = if scenario == Scenario::Memset { 8 } else { 64 };
    Cost {
        xlen: 64,
        word_bytes: 8,
        code_bytes: 1024,
        cells: [0, 5, 64, 4096]
            .into_iter()
            .flat_map(|size| (0..offsets).map(move |index| cell(index, size)))
            .collect(),
    }
}

#[test]
fn tables_for_people() {
    insta::assert_snapshot!("table", Table(&made_up(Scenario::Memcpy)));
    insta::assert_snapshot!("table_of_a_fill", Table(&made_up(Scenario::Memset)));
    let bytes = Cost {
        word_bytes: 1,
        ..made_up(Scenario::MemmoveUp)
    };
    insta::assert_snapshot!("table_of_bytes", Table(&bytes));

    let shown = memgen(&["cost", "--sizes", "spec2017"]);
    let shown = text(&shown.stdout);
    assert!(shown.starts_with("memgen --op memcpy\n"), "{shown}");
    assert!(shown.contains("\n  4096 "), "{shown}");
    assert!(
        shown.contains("\nmean over the sizes of spec2017\nmemcpy "),
        "{shown}"
    );
    assert_eq!(
        shown.matches(" instructions a call, ").count(),
        2,
        "{shown}"
    );
}

#[test]
fn values_for_programs() {
    let sizes = written("cost-sizes", "# mine\nsize,weight\n0,1\n3,2\n");
    let file = written("cost-fill", &fill());
    let show = |more: &[&str]| {
        let arguments = ["cost", "--op", "memset", "--file", &file, "--sizes", &sizes];
        let shown = memgen(&[&arguments, more].concat());
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        text(&shown.stdout).to_owned()
    };
    insta::assert_snapshot!("csv", show(&["--format", "csv"]));
    let json = show(&["--format", "json"]);
    insta::assert_snapshot!("json", json.replace("},{", "},\n{"));
}

#[test]
fn help_fits_100_columns() {
    let help = memgen(&["cost", "--help"]);
    assert!(help.status.success());
    for line in text(&help.stdout).lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn the_standard_matrix_is_the_default() {
    let csv = memgen(&["cost", "--op", "memset", "--format", "csv"]);
    assert_eq!(text(&csv.stdout).lines().count(), 1 + 95 * 8);
}

#[test]
fn bad_input_is_told_with_its_line() {
    let bad = "size,weight\n8,3\n8,1\nx,1\n1,-1\n7\n99999,1\n";
    let sizes = written("cost-bad-sizes", bad);
    let refused = memgen(&["cost", "--sizes", &sizes]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    insta::assert_snapshot!("bad_sizes", text(&refused.stderr).replace(&sizes, "SIZES"));

    for text in ["", "# nothing\n", "8,0\n"] {
        let sizes = written("cost-no-sizes", text);
        assert_eq!(
            memgen(&["cost", "--sizes", &sizes]).status.code(),
            Some(2),
            "{text:?}"
        );
    }
    let missing = memgen(&["cost", "--sizes", "/nonexistent/sizes.csv"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("/nonexistent/sizes.csv"));
    assert_eq!(memgen(&["cost", "--regs", "0"]).status.code(), Some(2));
    assert_eq!(memgen(&["cost", "--format", "xml"]).status.code(), Some(2));
    let missing = memgen(&["cost", "--file", "/nonexistent/memcpy.S"]);
    assert_eq!(missing.status.code(), Some(1));
}

/// Registers saved in a frame are among the accesses.
const BY_QEMU: [(&str, u32, &[&str]); 4] = [
    ("memcpy", 64, &[]),
    ("memmove", 32, &["--regs", "16", "--unroll", "16"]),
    ("memset", 64, &[]),
    ("memset", 32, &["--emit", "rust"]),
];

#[test]
fn qemu_counts_the_same_in_every_cell() {
    if !program::tools_present() {
        return;
    }
    let plugin = qemu::plugin().unwrap();
    thread::scope(|scope| {
        for (op, xlen, flags) in BY_QEMU {
            let plugin = &plugin;
            scope.spawn(move || {
                let (theirs, ours) = qemu::both(plugin, op, xlen, flags).unwrap();
                let differing = theirs.lines().zip(ours.lines()).find(|(a, b)| a != b);
                assert_eq!(differing, None, "QEMU, memgen cost");
                assert_eq!(theirs.len(), ours.len());
                announce(&format!(
                    "{op} on RV{xlen}: {} cells as QEMU counts",
                    ours.lines().count()
                ));
            });
        }
    });
}
