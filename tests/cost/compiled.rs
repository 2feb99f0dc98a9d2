//! The calls of compiled Rust kernels.

use memgen::cost::{Sizes, cost};
use memgen::verify::Assembler;

use crate::support::{memgen, spec, text};

/// A compiled kernel is counted in one build, and no assembler takes it.
#[test]
fn a_compiled_kernel() {
    let small = |level: &str| {
        let flags = ["cost", "--op", "memset", "--emit", "rust"];
        let table = memgen(&[&flags[..], &["--opt-level", level]].concat());
        assert!(table.status.success(), "{}", text(&table.stderr));
        let table = text(&table.stdout);
        let code = table.lines().find(|line| line.contains("bytes of code"));
        let bytes = code.and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
        assert!(table.contains("riscv64gc-unknown-none-elf"), "{table}");
        bytes.expect("a size")
    };
    assert!(small("s") < small("3"));

    let kernel = spec("--op memset --emit rust");
    let sizes = Sizes::new([1]).unwrap();
    let refused = cost(&kernel, &Assembler::default(), &sizes).unwrap_err();
    assert!(refused.to_string().contains("cost_object"), "{refused}");
    let several = memgen(&["cost", "--emit", "rust", "--opt-level", "s,z"]);
    assert_eq!(several.status.code(), Some(2));
    let astray = memgen(&["cost", "--opt-level", "s"]);
    assert_eq!(astray.status.code(), Some(2));
}
