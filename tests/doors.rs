//! Four doors, one Spec: flags, a manifest's keys, an attribute's arguments and the builder's setters ask for the same, key by key
//! and value by value.

#[path = "../memgen-macros/src/arguments.rs"]
#[allow(dead_code, reason = "the attribute's own reader of arguments")]
mod arguments;
mod support;

use std::collections::BTreeMap;

use clap::ValueEnum;
use memgen::cli::parse_command_line;
use memgen::{
    Builder, Dialect, Emit, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small,
    Spec, Sum, Unaligned, UserMemory, generate,
};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use support::{folder, header_command, memgen, spec, text};

use arguments::{Arguments, Faults, Form};

/// Specs that can be built; together they hold every key and every value that a key allows.
const CASES: [&str; 28] = [
    "",
    "--op memmove --preset fastest --xlen 32",
    "--op memset --preset small --xlen 64",
    "--preset fast-misaligned",
    "--preset zkvm --isa rv32im",
    "--preset kernel --pi-alias --spdx 'GPL-2.0-only WITH Linux-syscall-note'",
    "--shape entered --overread word",
    "--shape stepped --word 4 --unroll 12 --shift-unroll 3 --regs 5",
    "--shape compact",
    "--small loop",
    "--unaligned bytes --misaligned none",
    "--unaligned shift --misaligned slow",
    "--unaligned native --misaligned fast",
    "--overread none --small ladder",
    "--small jump --avoid t6,a7",
    "--avoid t6 --symbol fast_copy --section .text.fast",
    "--op memset --isa rv64i_zicboz --zero-block 64",
    "--isa rv64i_zicbop --prefetch 128",
    "--emit rust --symbol r_copy --spdx 'MIT OR Apache-2.0'",
    "--emit rust-asm --symbol fast_copy --section .text.x",
    "--emit obj",
    "--dialect linux --symbol __memcpy_fast",
    "--dialect gnu --spdx \\'odd\\'",
    "--op copy_to_user --user both --fault at-least-one --fault-style count --fault-table fixups",
    "--op copy_to_user --user named --fault exact --sum on",
    "--op copy_from_user --fault coarse --dialect linux --linux 5.10 --sum off",
    "--op copy_from_user --fault-style efault --emit rust-asm",
    "--op clear_user --preset kernel --linux 6.12",
];

fn cases() -> impl Iterator<Item = Spec> {
    CASES.into_iter().map(spec)
}

/// A manifest takes no objects, since it compares texts.
fn listed_cases() -> impl Iterator<Item = Spec> {
    cases().filter(|spec| spec.emit != Emit::Obj)
}

/// The settings that are away from their defaults, under keys with underscores.
fn keys(spec: &Spec) -> Vec<(String, String)> {
    let settings = spec.settings().into_iter();
    let set = settings.filter_map(|(flag, value)| Some((flag.replace('-', "_"), value?)));
    set.collect()
}

/// Nothing is left out of the cases: a new flag or value fails here until it stands there.
#[test]
fn the_cases_hold_every_key_and_value() {
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for spec in cases() {
        for (flag, value) in spec.settings() {
            let value = value.unwrap_or_else(|| "(default)".to_owned());
            seen.entry(flag.to_owned()).or_default().push(value);
        }
    }
    fn names<T: ValueEnum>() -> Vec<String> {
        let values = T::value_variants().iter();
        let values = values.filter_map(ValueEnum::to_possible_value);
        values.map(|value| value.get_name().to_owned()).collect()
    }
    // What stands at its default shows as such.
    let named: [(&str, Vec<String>); 13] = [
        ("op", names::<Op>()),
        ("preset", names::<Preset>()),
        ("shape", names::<Shape>()),
        ("unaligned", names::<Unaligned>()),
        ("misaligned", names::<Misaligned>()),
        ("overread", names::<OverRead>()),
        ("small", names::<Small>()),
        ("user", names::<UserMemory>()),
        ("fault", names::<Fault>()),
        ("fault-style", names::<FaultStyle>()),
        ("sum", names::<Sum>()),
        ("emit", names::<Emit>()),
        ("dialect", names::<Dialect>()),
    ];
    for (flag, values) in &seen {
        let asked = values.iter().any(|value| value != "(default)");
        let left_out = flag == "op" || values.iter().any(|value| value == "(default)");
        assert!(asked && left_out, "--{flag}: {values:?}");
    }
    let default = Spec::default();
    for (flag, values) in named {
        for value in values {
            let mut spec = default.clone();
            spec.set(flag, &value).expect(flag);
            assert!(
                spec == default || seen[flag].contains(&value),
                "--{flag} {value} is in no case"
            );
        }
    }
}

#[test]
fn flags_survive_the_round_trip() {
    for spec in cases() {
        let line = spec.command_line();
        assert_eq!(parse_command_line(&line), Ok(spec), "{line}");
    }
}

/// The command itself reads the manifest, and tells each variant's Spec as its command line.
#[test]
fn manifests_give_the_same_spec() {
    let mut manifest = String::new();
    for (index, spec) in listed_cases().enumerate() {
        let extension = match spec.emit {
            Emit::Asm => "S",
            _ => "rs",
        };
        manifest += &format!("[[variant]]\nfile = \"{index}.{extension}\"\n");
        for (key, value) in keys(&spec) {
            let value = match key.as_str() {
                "avoid" => format!("{:?}", value.split(',').collect::<Vec<_>>()),
                "pi_alias" => value,
                _ if value.parse::<u32>().is_ok() => value,
                _ => format!("{value:?}"),
            };
            manifest += &format!("{key} = {value}\n");
        }
    }
    let path = folder("doors").join("memgen.toml");
    std::fs::write(&path, &manifest).unwrap();
    let output = memgen(&[path.to_str().unwrap(), "--list"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    let listed: Vec<Spec> = lines
        .map(|line| line.split_once(' ').expect("a file and a command").1)
        .map(|line| parse_command_line(line.trim()).unwrap())
        .collect();
    assert_eq!(listed, listed_cases().collect::<Vec<_>>());
}

/// Written out, so that a new field does not compile until it has a setter.
fn with_setters(spec: Spec) -> Builder {
    let Spec {
        op,
        preset,
        xlen,
        isa,
        shape,
        word,
        unroll,
        shift_unroll,
        regs,
        unaligned,
        misaligned,
        overread,
        small,
        avoid,
        zero_block,
        prefetch,
        user,
        fault,
        fault_style,
        fault_table,
        sum,
        linux,
        emit,
        dialect,
        symbol,
        section,
        spdx,
        pi_alias,
    } = spec;
    /// Calls a setter with a value that was given.
    fn given<T>(builder: Builder, setter: fn(Builder, T) -> Builder, value: Option<T>) -> Builder {
        match value {
            Some(value) => setter(builder, value),
            None => builder,
        }
    }
    let mut builder = Builder::new()
        .op(op)
        .preset(preset)
        .shape(shape)
        .unroll(unroll)
        .shift_unroll(shift_unroll)
        .regs(regs)
        .unaligned(unaligned)
        .small(small)
        .avoid(avoid)
        .emit_as(emit)
        .pi_alias(pi_alias);
    builder = given(builder, Builder::xlen, xlen);
    builder = given(builder, |builder, isa: String| builder.isa(isa), isa);
    builder = given(builder, Builder::word, word);
    builder = given(builder, Builder::misaligned, misaligned);
    builder = given(builder, Builder::overread, overread);
    builder = given(builder, Builder::zero_block, zero_block);
    builder = given(builder, Builder::prefetch, prefetch);
    builder = given(builder, Builder::user, user);
    builder = given(builder, Builder::fault, fault);
    builder = given(builder, Builder::fault_style, fault_style);
    builder = given(
        builder,
        |builder, name: String| builder.fault_table(name),
        fault_table,
    );
    builder = given(builder, Builder::sum, sum);
    builder = given(
        builder,
        |builder, release: String| builder.linux(release),
        linux,
    );
    builder = given(builder, Builder::dialect, dialect);
    builder = given(
        builder,
        |builder, name: String| builder.symbol(name),
        symbol,
    );
    builder = given(
        builder,
        |builder, name: String| builder.section(name),
        section,
    );
    given(builder, |builder, text: String| builder.spdx(text), spdx)
}

#[test]
fn setters_give_the_same_spec() {
    for spec in cases() {
        let builder = with_setters(spec.clone());
        assert_eq!(*builder.spec(), spec);
        assert_eq!(builder.generate(), generate(&spec));
    }
}

/// What an attribute's name, its function or its form settles, and what belongs to files or to routines that no attribute makes.
const NO_ARGUMENTS: [&str; 11] = [
    "op",
    "symbol",
    "dialect",
    "spdx",
    "pi_alias",
    "user",
    "fault",
    "fault_style",
    "fault_table",
    "sum",
    "linux",
];

/// Reads one list of arguments into `spec`.
fn read(list: TokenStream, spec: &mut Spec) -> Result<Form, String> {
    let mut faults = Faults::default();
    let form = Arguments::read(list, spec, &mut faults).form;
    match faults.into_tokens() {
        None => Ok(form),
        Some(errors) => Err(errors.to_string()),
    }
}

#[test]
fn arguments_give_the_same_spec() {
    for spec in cases() {
        let mut list = TokenStream::new();
        for (key, value) in keys(&spec) {
            if NO_ARGUMENTS.contains(&key.as_str()) || key == "emit" {
                continue;
            }
            let key = format_ident!("{key}");
            let value = value
                .parse()
                .map_or_else(|_| Literal::string(&value), Literal::u32_unsuffixed);
            list.extend(quote!(#key = #value,));
        }
        let mut again = Spec {
            op: spec.op,
            symbol: spec.symbol.clone(),
            emit: spec.emit,
            dialect: spec.dialect,
            spdx: spec.spdx.clone(),
            pi_alias: spec.pi_alias,
            user: spec.user,
            fault: spec.fault,
            fault_style: spec.fault_style,
            fault_table: spec.fault_table.clone(),
            sum: spec.sum,
            linux: spec.linux.clone(),
            ..Spec::default()
        };
        assert_eq!(read(list, &mut again), Ok(Form::Auto));
        assert_eq!(again, spec);
    }
}

/// Every key is an argument, or refused with what to do instead.
#[test]
fn an_attribute_takes_or_refuses_every_key() {
    for (flag, _) in Spec::default().settings() {
        let key = flag.replace('-', "_");
        let name = format_ident!("{key}");
        let refused = read(quote!(#name = "?"), &mut Spec::default()).err();
        let refused = refused.is_some_and(|errors| errors.contains("is no argument here\\nhelp: "));
        assert_eq!(refused, NO_ARGUMENTS.contains(&key.as_str()), "{key}");
    }
    for (value, form) in [
        ("auto", Form::Auto),
        ("asm", Form::Asm),
        ("rust", Form::Rust),
    ] {
        let mut spec = Spec::default();
        assert_eq!(read(quote!(emit = #value), &mut spec), Ok(form));
        assert_eq!(spec, Spec::default());
    }
}

/// The library's first page shows an attribute that only the attributes' own crate can test.
#[test]
fn first_pages_show_the_same_attribute() {
    let [library, macros] = ["memgen", "memgen-macros"].map(|package| {
        let path = format!("{}/../{package}/src/lib.rs", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    });
    let shown = library.split("//! ```ignore\n").nth(1).unwrap();
    let shown = shown.split("//! ```").next().unwrap();
    assert!(shown.contains("#[memcpy_variant("), "{shown}");
    assert!(macros.contains(shown), "not in memgen-macros:\n{shown}");
}

#[test]
fn the_header_holds_the_command_that_makes_the_file() {
    for asked in cases() {
        let text = generate(&asked).unwrap();
        assert_eq!(parse_command_line(&header_command(&text)), Ok(asked));
    }
}
