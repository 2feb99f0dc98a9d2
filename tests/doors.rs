//! Flags give a Spec, the Spec its command line, and that line the same Spec again.

mod support;

use memgen::cli::parse_command_line;
use memgen::{
    Count, Dialect, Emit, Misaligned, Op, OverRead, Preset, Shape, Small, Spec, Unaligned, generate,
};
use support::{header_command, spec};

/// A Spec in which no field stands at its default.
fn everything_set() -> Spec {
    Spec {
        op: Op::Memmove,
        preset: Preset::Kernel,
        shape: Shape::Stepped,
        xlen: Some(32),
        isa: Some("rv32imac_zbb".to_owned()),
        word: Some(2),
        unroll: Count::Exactly(12),
        shift_unroll: Count::Exactly(3),
        regs: Count::Exactly(2),
        unaligned: Unaligned::Shift,
        misaligned: Some(Misaligned::Slow),
        overread: Some(OverRead::None),
        small: Small::Jump,
        avoid: vec!["t6".to_owned(), "a7".to_owned()],
        zero_block: Some(64),
        prefetch: Some(128),
        emit: Emit::Obj,
        dialect: Some(Dialect::Linux),
        symbol: Some("my_move".to_owned()),
        section: Some(".text.fast".to_owned()),
        spdx: Some("MIT OR Apache-2.0".to_owned()),
        pi_alias: true,
    }
}

#[test]
fn every_flag_survives_the_round_trip() {
    let all = everything_set();
    assert!(
        all.settings().iter().all(|(_, value)| value.is_some()),
        "a flag is left out of the test"
    );
    assert_eq!(parse_command_line(&all.command_line()), Ok(all));
    assert_eq!(
        parse_command_line(&Spec::default().command_line()),
        Ok(Spec::default())
    );
}

#[test]
fn each_value_survives_the_round_trip() {
    for flags in [
        "--unroll auto",
        "--op memset --misaligned fast --unaligned native",
        "--small loop --overread word",
        "--emit rust-asm --section .text.x",
        "--avoid t3 --avoid t4,t5",
        "--spdx \\'odd\\'",
    ] {
        let asked = spec(flags);
        assert_eq!(
            parse_command_line(&asked.command_line()),
            Ok(asked),
            "{flags}"
        );
    }
}

#[test]
fn the_header_holds_the_command_that_makes_the_file() {
    for flags in [
        "--unroll 16 --xlen 64",
        "--op memset --isa rv32imac_zba_zbb --dialect linux --pi-alias",
        "--emit rust-asm --spdx 'MIT OR Apache-2.0' --symbol fast_copy --section .text.fast --avoid t6,t5 --regs 3 --unroll 12",
    ] {
        let asked = spec(flags);
        let text = generate(&asked).unwrap();
        assert_eq!(
            parse_command_line(&header_command(&text)),
            Ok(asked),
            "{flags}"
        );
    }
}
