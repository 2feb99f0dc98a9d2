//! Files, targets and what a builder says about mistakes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Builder;
use crate::spec::{Count, Dialect, Emit, Misaligned, Op, Spec};

/// An empty folder of its own, below the folder for temporary files.
fn folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("memgen-builder-{}-{count}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A builder for the target that the variables describe.
fn target(variables: &[(&str, &str)]) -> Builder {
    Builder::from_variables(|name| {
        let value = variables.iter().find(|(known, _)| *known == name)?.1;
        Some(value.to_owned())
    })
}

/// What `emit` would say about `file`.
fn complaint(builder: &Builder, file: &str) -> String {
    let folder = folder();
    let told = builder
        .emit_below(Some(&folder), Path::new(file))
        .expect_err(file);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{file}");
    std::fs::remove_dir_all(folder).unwrap();
    told
}

#[test]
fn setters_take_what_is_at_hand() {
    let builder = Builder::new()
        .unroll(16)
        .regs(Count::Auto)
        .isa("rv64i")
        .avoid(["t6", "a7"])
        .dialect(Dialect::Linux);
    let expected = Spec {
        unroll: Count::Exactly(16),
        isa: Some("rv64i".to_owned()),
        avoid: vec!["t6".to_owned(), "a7".to_owned()],
        dialect: Some(Dialect::Linux),
        ..Spec::default()
    };
    assert_eq!(*builder.spec(), expected);
    assert_eq!(*Builder::from(expected.clone()).spec(), expected);
    assert_eq!(builder.generate(), crate::generate(&expected));
}

#[test]
fn a_file_is_written_once() {
    let folder = folder();
    let builder = Builder::new().op(Op::Memset).unroll(16).xlen(64);
    let emit = |builder: &Builder| builder.emit_below(Some(&folder), Path::new("asm/fill.S"));
    let path = emit(&builder).unwrap();
    assert_eq!(path, folder.join("asm/fill.S"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(Ok(text), builder.generate());

    let written = || std::fs::metadata(&path).unwrap().modified().unwrap();
    let first = written();
    std::thread::sleep(std::time::Duration::from_millis(20));
    emit(&builder).unwrap();
    assert_eq!(written(), first, "an unchanged file is left alone");
    emit(&builder.unroll(8)).unwrap();
    assert_ne!(written(), first);
    let files = std::fs::read_dir(folder.join("asm")).unwrap();
    assert_eq!(files.count(), 1, "no temporary file stays");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_name_says_what_is_made() {
    let folder = folder();
    let made = |builder: &Builder, file: &str| {
        let path = builder.emit_below(Some(&folder), Path::new(file)).unwrap();
        std::fs::read_to_string(path).unwrap()
    };
    let generated = |emit| {
        let spec = Spec {
            emit,
            ..Spec::default()
        };
        crate::generate(&spec).unwrap()
    };
    let plain = Builder::new();
    assert_eq!(made(&plain, "copy.S"), generated(Emit::Asm));
    assert_eq!(made(&plain, "copy.s"), generated(Emit::Asm));
    assert_eq!(made(&plain, "copy.rs"), generated(Emit::Rust));
    for (emit, file) in [
        (Emit::Asm, "copy.S"),
        (Emit::Asm, "copy.inc"),
        (Emit::Rust, "copy.rs"),
        (Emit::RustAsm, "copy.rs"),
    ] {
        assert_eq!(made(&Builder::new().emit_as(emit), file), generated(emit));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_that_say_nothing_are_refused() {
    let plain = Builder::new();
    for (builder, file, expected) in [
        (
            &plain,
            "copy",
            "the extension does not say what to make\n  help: name it .S",
        ),
        (
            &plain,
            "copy.c",
            "the extension does not say what to make\n  help: name it .S",
        ),
        (
            &plain.clone().emit_as(Emit::Asm),
            "copy.rs",
            "asm does not go into such a file\n  help: name it .S",
        ),
        (
            &plain.clone().emit_as(Emit::Rust),
            "copy.S",
            "rust does not go into such a file\n  help: name it .S",
        ),
        (
            &plain.clone().emit_as(Emit::Obj),
            "copy.o",
            "a builder assembles nothing",
        ),
        (&plain, "../copy.S", "the name leads out of OUT_DIR\n  help"),
        (
            &plain,
            "/elsewhere/copy.S",
            "the name leads out of OUT_DIR\n  help",
        ),
    ] {
        let told = complaint(builder, file);
        assert!(
            told.starts_with(&format!("error: {file}: {expected}")),
            "{told}"
        );
        assert_eq!(told.matches("error: ").count(), 1, "{told}");
    }
}

#[test]
fn everything_is_told_at_once_under_the_setters_names() {
    let told = complaint(&Builder::new().xlen(32).word(8).shift_unroll(0), "x.S");
    assert_eq!(
        told,
        "error: x.S: word: 8 bytes do not fit a register; rv32i has 4\n  \
         help: use at most `word` 4, or a 64-bit ISA\n\
         error: x.S: shift_unroll: 0 words make no block\n  help: use 1 or more\n"
    );
    let told = Builder::new().regs(0).emit_below(None, Path::new("x.c"));
    let told = told.unwrap_err();
    assert_eq!(told.matches("error: x.c: ").count(), 3, "{told}");
    assert!(told.contains("OUT_DIR is not set"), "{told}");
}

#[test]
fn a_failing_file_is_named() {
    let folder = folder();
    std::fs::write(folder.join("file"), "").unwrap();
    let told = Builder::new().emit_below(Some(&folder), Path::new("file/copy.S"));
    let told = told.expect_err("a file is no folder");
    let path = folder.join("file").join("copy.S");
    let start = format!("error: cannot write {}: ", path.display());
    assert!(told.starts_with(&start), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Set for the process that runs [`script`].
const SCRIPT: &str = "MEMGEN_FAILING_SCRIPT";

#[test]
fn a_failing_script_ends_readably() {
    let folder = folder();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "builder::tests::script",
            "--ignored",
            "--nocapture",
        ])
        .env("OUT_DIR", &folder)
        .env(SCRIPT, "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: copy.S: unroll: 0 words make no block\n  help: use 1 or more\n"
    );
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "ends its process: the test above runs it in one of its own"]
fn script() {
    if std::env::var_os(SCRIPT).is_some() {
        Builder::new().unroll(0).emit("copy.S");
    }
}

#[test]
fn cargo_describes_the_target() {
    let gc = "a,c,d,f,m,zaamo,zalrsc,zca,zcd,zicsr,zifencei";
    for (arch, abi, features, isa, misaligned) in [
        (
            "riscv64",
            "",
            gc,
            "rv64imafdc_zaamo_zalrsc_zca_zcd_zicsr_zifencei",
            None,
        ),
        ("riscv32", "", "", "rv32i", None),
        ("riscv32", "ilp32e", "c", "rv32ec", None),
        (
            "riscv64",
            "",
            "zicboz,za64rs,zbkb",
            "rv64i_zbkb_zicboz",
            None,
        ),
        (
            "riscv64",
            "",
            "m,unaligned-scalar-mem",
            "rv64im",
            Some(Misaligned::Fast),
        ),
    ] {
        let variables = [("ARCH", arch), ("ABI", abi), ("FEATURE", features)];
        let builder = target(&variables);
        let expected = Spec {
            isa: Some(isa.to_owned()),
            misaligned,
            ..Spec::default()
        };
        assert_eq!(*builder.spec(), expected);
        assert!(builder.generate().is_ok(), "{isa}");
    }
}

#[test]
fn other_targets_get_portable_rust() {
    for (width, xlen) in [("64", 64), ("32", 32), ("16", 32)] {
        let builder = target(&[
            ("ARCH", "other"),
            ("POINTER_WIDTH", width),
            ("FEATURE", "m"),
        ]);
        let expected = Spec {
            xlen: Some(xlen),
            ..Spec::default()
        };
        assert_eq!(*builder.spec(), expected);
        assert!(builder.clone().emit_as(Emit::Rust).generate().is_ok());
        let told = complaint(&builder, "copy.S");
        assert!(
            told.starts_with("error: copy.S: asm does not go into a program for other\n  help: "),
            "{told}"
        );
    }
}

#[test]
fn variables_that_are_missing_are_told() {
    let told = complaint(&target(&[]).unroll(0), "copy.rs");
    assert_eq!(told.matches("error: copy.rs: ").count(), 2, "{told}");
    assert!(told.contains("CARGO_CFG_TARGET_ARCH is not set"), "{told}");
    assert!(told.contains("unroll: 0 words make no block"), "{told}");
}
