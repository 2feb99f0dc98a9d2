//! The command as a person meets it: help, exit codes, files.

mod support;

use support::{folder, memgen, text};

#[test]
fn help() {
    let help = memgen(&["--help"]);
    assert!(help.status.success());
    insta::assert_snapshot!(text(&help.stdout));
    insta::assert_snapshot!("help_verify", text(&memgen(&["verify", "--help"]).stdout));
}

#[test]
fn help_fits_100_columns() {
    for arguments in [&["--help"][..], &["-h"], &["verify", "--help"]] {
        let help = memgen(arguments);
        for line in text(&help.stdout).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn completions_know_the_flags() {
    for shell in ["bash", "zsh", "fish"] {
        let script = memgen(&["completions", shell]);
        assert!(script.status.success(), "{shell}");
        let script = text(&script.stdout);
        for flag in ["unroll", "check", "verify"] {
            assert!(script.contains(flag), "{shell} does not complete {flag}");
        }
    }
    let bash = memgen(&["completions", "bash"]);
    assert!(text(&bash.stdout).contains("--unroll"));
    assert_eq!(memgen(&["completions", "sh"]).status.code(), Some(2));
}

#[test]
fn stages_are_printed() {
    for stage in ["spec", "plan", "inst"] {
        let shown = memgen(&["--print", stage]);
        assert!(shown.status.success());
        assert!(shown.stdout.len() > 200, "{stage}");
    }
    insta::assert_snapshot!(text(&memgen(&["--unroll", "4", "--print", "spec"]).stdout));
}

#[test]
fn a_refused_spec_exits_with_2_and_writes_nothing() {
    let path = folder("refused").join("memcpy.S");
    let refused = memgen(&[
        "--word",
        "8",
        "--xlen",
        "32",
        "--regs",
        "0",
        "-o",
        path.to_str().unwrap(),
    ]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let said = text(&refused.stderr);
    assert!(
        said.contains("--word") && said.contains("--regs") && said.contains("help:"),
        "{said}"
    );
    assert!(!path.exists());
    assert_eq!(memgen(&["verify", "--regs", "0"]).status.code(), Some(2));
    assert_eq!(memgen(&["--unroll", "many"]).status.code(), Some(2));
}

#[test]
fn a_file_is_the_same_text_and_left_alone_when_unchanged() {
    let path = folder("written").join("memcpy.S");
    let out = path.to_str().unwrap();
    assert!(memgen(&["--unroll", "4", "-o", out]).status.success());
    let printed = memgen(&["--unroll", "4"]);
    assert_eq!(std::fs::read(&path).unwrap(), printed.stdout);
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(memgen(&["--unroll", "4", "-o", out]).status.success());
    assert_eq!(
        std::fs::metadata(&path).unwrap().modified().unwrap(),
        before
    );
    assert_eq!(
        memgen(&["-o", "/nonexistent/memcpy.S"]).status.code(),
        Some(1)
    );
}

#[test]
fn an_object_can_be_written() {
    let path = folder("object").join("memset.o");
    assert!(
        memgen(&[
            "--op",
            "memset",
            "--emit",
            "obj",
            "-o",
            path.to_str().unwrap()
        ])
        .status
        .success()
    );
    assert_eq!(&std::fs::read(&path).unwrap()[..4], b"\x7fELF");
}

#[test]
fn verify_says_what_it_ran_and_exits_with_1_on_a_refutation() {
    let proven = memgen(&["verify", "--op", "memset", "--xlen", "32"]);
    assert!(proven.status.success());
    assert!(
        text(&proven.stdout).starts_with("proven: memgen --op memset --xlen 32: "),
        "{}",
        text(&proven.stdout)
    );
    assert!(
        proven.stderr.is_empty(),
        "a progress bar only on a terminal"
    );

    let path = folder("refuted").join("memset.S");
    let made = text(&memgen(&["--op", "memset", "--shape", "stepped"]).stdout)
        .replace("andi\ta2", "ori\ta2")
        .replace("li\tt0, 15", "li\tt0, 3");
    std::fs::write(&path, made).unwrap();
    let path = path.to_str().unwrap();
    let refuted = memgen(&[
        "verify", "--op", "memset", "--shape", "stepped", "--file", path,
    ]);
    assert_eq!(refuted.status.code(), Some(1));
    let said = text(&refuted.stderr);
    for part in [
        "refuted:",
        "contract",
        "call",
        "line ",
        "registers",
        "last instructions",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn another_assembler_is_asked_for_by_name() {
    let missing = memgen(&["verify", "--assembler", "no-such-assembler"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        text(&missing.stderr).contains("no-such-assembler -march=rv64i"),
        "{}",
        text(&missing.stderr)
    );
}
