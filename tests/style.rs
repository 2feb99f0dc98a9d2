//! What the kernel's checkpatch asks of a `.S` file, and what both frames promise.

mod support;

use memgen::generate;
use support::spec;

const VARIANTS: [&str; 8] = [
    "",
    "--op memmove",
    "--op memset",
    "--xlen 32",
    "--small jump --overread none",
    "--op memmove --misaligned fast --small loop",
    "--unroll 48 --shift-unroll 32",
    "--avoid t6 --symbol memcpy_fast --isa rv64imac_zba_zbb_zbs_zbkb_zicboz --regs 5 --unroll 12 --overread none",
];

/// Columns with tabs of eight.
fn columns(line: &str) -> usize {
    line.chars().fold(0, |column, c| {
        if c == '\t' {
            (column / 8 + 1) * 8
        } else {
            column + 1
        }
    })
}

fn texts(frame: &str) -> Vec<String> {
    VARIANTS
        .iter()
        .map(|variant| generate(&spec(&format!("{variant} {frame}"))).unwrap())
        .collect()
}

#[test]
fn lines_are_clean() {
    for text in ["", "--dialect linux", "--emit rust-asm"]
        .into_iter()
        .flat_map(texts)
    {
        assert!(
            text.ends_with('\n') && !text.ends_with("\n\n"),
            "one newline at the end"
        );
        assert!(!text.contains("\n\n\n"), "two blank lines in a row");
        for line in text.lines() {
            assert!(columns(line) <= 100, "more than 100 columns: {line}");
            assert_eq!(line, line.trim_end(), "trailing blanks");
            assert!(line.is_ascii(), "{line}");
            assert!(!line.contains(" \t"), "space before tab: {line}");
        }
    }
}

#[test]
fn lines_of_portable_kernels_are_clean() {
    for flags in [
        "",
        "--op memmove --xlen 32 --unroll 6",
        "--op memset",
        "--op memset --word 2 --small loop",
        "--preset fast-misaligned",
        "--unaligned bytes --symbol a_kernel_with_a_name --section .text.hot",
    ] {
        let text = generate(&spec(&format!("--emit rust {flags}"))).unwrap();
        assert!(text.ends_with("}\n"), "one newline at the end");
        assert!(!text.contains("\n\n\n"), "two blank lines in a row");
        assert!(!text.contains("note!") && !text.contains("helpers!"));
        for line in text.lines() {
            assert!(line.len() <= 100, "more than 100 columns: {line}");
            assert_eq!(line, line.trim_end(), "trailing blanks");
            assert!(line.is_ascii(), "{line}");
        }
    }
}

#[test]
fn linux_files_keep_checkpatch_rules() {
    for text in texts("--dialect linux") {
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some("/* SPDX-License-Identifier: GPL-2.0-only */")
        );
        assert!(
            !lines.clone().any(|line| line.contains("SPDX")),
            "the licence stands once"
        );
        assert!(!text.contains(".S\n"), "a file does not name itself");
        for line in lines {
            assert!(
                !line.contains("//") && !line.trim_start().starts_with("# "),
                "comments are /* */: {line}"
            );
            if line.starts_with("SYM_") {
                assert!(
                    !line.contains(".L"),
                    "no local name in a symbol macro: {line}"
                );
            }
            if line.starts_with('\t') && line[1..].starts_with(|c: char| c.is_ascii_lowercase()) {
                assert!(
                    !line[1..].contains(' ') || line[1..].contains('\t'),
                    "tab, mnemonic, tab, operands: {line}"
                );
            }
        }
        assert_eq!(text.matches("SYM_FUNC_START(").count(), 1);
        assert_eq!(text.matches("SYM_FUNC_END(").count(), 1);
    }
}

/// Two routines in one file, or a copy of one under link-time optimisation, must not share a label.
#[test]
fn labels_carry_the_symbol_or_are_numbers() {
    for text in texts("") {
        let symbol = text
            .lines()
            .find_map(|line| line.strip_prefix("\t.globl\t"))
            .unwrap()
            .to_owned();
        for line in text
            .lines()
            .filter(|line| line.ends_with(':') && !line.starts_with('\t'))
        {
            assert!(
                line == format!("{symbol}:") || line.starts_with(&format!(".L{symbol}_")),
                "{line}"
            );
        }
    }
    for text in texts("--emit rust-asm") {
        let labels = text
            .lines()
            .filter_map(|line| line.trim().strip_suffix(":\","))
            .map(|line| &line[1..]);
        for label in labels {
            assert!(
                label.parse::<u32>().is_ok_and(|number| number > 11),
                "{label}"
            );
        }
    }
}

/// The README shows what is emitted, not what once was.
#[test]
fn the_readme_shows_emitted_lines() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    for (language, files) in [
        (
            "asm",
            &[("memcpy_rv64.S", 3), ("copy_from_user_rv64_linux.S", 2)][..],
        ),
        ("rust", &[("memcpy_portable64.rs", 1)]),
    ] {
        let shown: Vec<&str> = readme
            .split(&format!("```{language}\n"))
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .filter(|block| block.starts_with([' ', '\t', '/', '.']))
            .collect();
        let mut left = shown.as_slice();
        for (file, blocks) in files {
            let emitted = std::fs::read_to_string(format!("{root}/generated/{file}")).unwrap();
            let (here, rest) = left.split_at_checked(*blocks).expect("as many blocks");
            left = rest;
            for block in here {
                assert!(emitted.contains(block), "not in generated/{file}:\n{block}");
            }
        }
        assert!(left.is_empty(), "{language}: {left:?}");
    }
}
