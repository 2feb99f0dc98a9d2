//! File frames: the header every file carries, and one Tera template per dialect.

use tera::{Context, Tera};

use crate::compressed::compressed_bytes;
use crate::inst::Inst;
use crate::plan::{FaultTable, Plan, Recovery, Release, Strategy, UserAccess};
use crate::program::Program;
use crate::reg::Reg;
use crate::rust_frame;
use crate::spec::{Dialect, Emit, Op, OverRead, Spec};
use crate::text::{asm_lines, rust_lines, wrap};

/// Columns a line of the header's command may fill.
const COMMAND_WIDTH: usize = 84;

/// The text of the file that `spec` asks for. For [`Emit::Obj`] it is the assembly that the object is made from.
pub fn render(spec: &Spec, plan: &Plan, program: &Program) -> String {
    let mut context = Context::new();
    context.insert("symbol", plan.symbol());
    context.insert("spdx", &spdx(spec));
    let (template, comment, body) = match (spec.emit, spec.frame()) {
        (Emit::Rust, _) => {
            context.insert("header", &portable_header(spec, plan));
            rust_frame::portable(&mut context, spec, plan);
            return one_newline(&render_template("portable.rs", &context));
        }
        (Emit::RustAsm, _) => {
            rust_frame::naked(&mut context, spec, plan, &used_isa(plan, program));
            ("naked.rs", "//", rust_lines(program))
        }
        (_, Dialect::Gnu) => {
            context.insert("section", &section_directive(spec));
            (
                "gnu.S",
                " *",
                asm_lines(program, plan.symbol(), Dialect::Gnu),
            )
        }
        (_, Dialect::Linux) => {
            linux_context(&mut context, spec, plan, program);
            (
                "linux.S",
                " *",
                asm_lines(program, plan.symbol(), Dialect::Linux),
            )
        }
    };
    context.insert("body", &body);
    // A kernel is built with Zicsr.
    let mut extensions = program.extensions();
    extensions.retain(|name| spec.frame() != Dialect::Linux || *name != "zicsr");
    context.insert("extensions", &extensions);
    context.insert("fault_table", &pairs_section(plan));
    context.insert("unwind", &(program.frame_bytes() > 0));
    context.insert("header", &header(spec, plan, program, comment));
    one_newline(&render_template(template, &context))
}

/// `text` with one newline at its end.
fn one_newline(text: &str) -> String {
    let mut text = text.trim_end().to_owned();
    text.push('\n');
    text
}

/// Renders one of the embedded templates.
pub(crate) fn render_template(name: &str, context: &Context) -> String {
    let mut tera = Tera::default();
    tera.add_raw_templates([
        ("header", include_str!("../templates/header.tera")),
        ("gnu.S", include_str!("../templates/gnu.S.tera")),
        ("linux.S", include_str!("../templates/linux.S.tera")),
        ("naked.rs", include_str!("../templates/naked.rs.tera")),
        ("access.rs", include_str!("../templates/access.rs.tera")),
        ("portable.rs", include_str!("../templates/portable.rs.tera")),
    ])
    .expect("the embedded templates are well formed");
    tera.render(name, context)
        .expect("every variable of the embedded templates is set")
}

/// The header's text, each line behind `comment`.
fn header(spec: &Spec, plan: &Plan, program: &Program, comment: &str) -> String {
    let mut context = Context::new();
    context.insert("version", env!("CARGO_PKG_VERSION"));
    context.insert("command", &command(spec));
    context.insert(
        "summary",
        &wrapped(&summary(plan, &used_isa(plan, program))),
    );
    context.insert("derived", &derived(plan, program));
    context.insert("prototype", prototype(plan.op()));
    context.insert("returns", returns(plan));
    context.insert("clobbers", &program.clobbers().to_string());
    commented(&render_template("header", &context), comment)
}

/// The header of a portable kernel, which says nothing of registers and code bytes: they are its compiler's.
fn portable_header(spec: &Spec, plan: &Plan) -> String {
    let mut context = Context::new();
    context.insert("version", env!("CARGO_PKG_VERSION"));
    context.insert("command", &command(spec));
    context.insert("summary", &wrapped(&summary(plan, rust_frame::PORTABLE)));
    context.insert("derived", &plan.derived().join("\n"));
    context.insert("prototype", prototype(plan.op()));
    commented(&render_template("header", &context), "//")
}

/// `text` behind `comment`, line by line.
fn commented(text: &str, comment: &str) -> String {
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(|line| format!("{comment} {line}").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// `text` in lines of a comment's width.
fn wrapped(text: &str) -> String {
    wrap(text).collect::<Vec<_>>().join("\n")
}

/// The command that makes the file, broken over lines as a shell takes it.
fn command(spec: &Spec) -> String {
    let mut lines = vec![String::new()];
    for (index, part) in spec.command_line().split(" --").enumerate() {
        let part = if index == 0 {
            part.to_owned()
        } else {
            format!(" --{part}")
        };
        let line = lines.last_mut().expect("there is always a last line");
        if line.len() + part.len() > COMMAND_WIDTH {
            lines.push(format!("   {part}"));
        } else {
            line.push_str(&part);
        }
    }
    lines.join(" \\\n    ")
}

/// One sentence about the routine, made for the ISA or the language `made_for`.
pub(crate) fn summary(plan: &Plan, made_for: &str) -> String {
    let routine = match plan.op() {
        Op::Memcpy => "copies n bytes between blocks that do not overlap",
        Op::Memmove => "copies n bytes, overlap allowed",
        Op::Memset => "fills n bytes with the low byte of c",
        Op::CopyToUser | Op::CopyFromUser if plan.user().is_some_and(UserAccess::both) => {
            "copies n bytes to or from user memory, blocks do not overlap"
        }
        Op::CopyToUser => "copies n bytes to user memory, blocks do not overlap",
        Op::CopyFromUser => "copies n bytes from user memory, blocks do not overlap",
        Op::ClearUser => "fills n bytes of user memory with zeros",
    };
    let alignment = match plan.strategy {
        Strategy::Native => "makes misaligned accesses",
        _ => "makes no misaligned access",
    };
    let loads = match (plan.op(), plan.over_read(), plan.strategy) {
        (Op::Memset | Op::ClearUser, ..) => "loads nothing",
        (_, OverRead::Word, Strategy::Shift) => {
            "loads only aligned words that hold a byte of the source"
        }
        _ => "loads only bytes of the source",
    };
    format!(
        "{} for {made_for}: {routine}, {alignment}, {loads}.",
        plan.op(),
    )
}

/// The base and what the routine uses beyond it: `rv64i_zbkb`.
fn used_isa(plan: &Plan, program: &Program) -> String {
    let extensions = program.extensions().into_iter();
    let parts = extensions.map(|name| match name.len() {
        1 => name.to_owned(),
        _ => format!("_{name}"),
    });
    parts.fold(plan.isa().base(), |isa, part| isa + &part)
}

/// The values worked out, one a line.
fn derived(plan: &Plan, program: &Program) -> String {
    let mut lines = plan.derived();
    if program.frame_bytes() > 0 {
        lines.push(format!(
            "frame        {} bytes for {}, around the block loop",
            program.frame_bytes(),
            program.kept().without([Reg::SP].into_iter().collect()),
        ));
    }
    let mut code = format!("code         {} bytes", program.code_bytes());
    let compressed = compressed_bytes(program, plan.isa().xlen);
    if let Some(bytes) = compressed.filter(|_| plan.isa().has("c")) {
        code += &format!("; {bytes} if an assembler may compress it");
    }
    lines.push(code);
    lines.join("\n")
}

fn prototype(op: Op) -> &'static str {
    match op {
        Op::Memcpy => "void *memcpy(void *dst, const void *src, size_t n);",
        Op::Memmove => "void *memmove(void *dst, const void *src, size_t n);",
        Op::Memset => "void *memset(void *dst, int c, size_t n);",
        Op::CopyToUser => "size_t copy_to_user(void *dst, const void *src, size_t n);",
        Op::CopyFromUser => "size_t copy_from_user(void *dst, const void *src, size_t n);",
        Op::ClearUser => "size_t clear_user(void *dst, size_t n);",
    }
}

/// What is in a0 on return.
fn returns(plan: &Plan) -> &'static str {
    match plan.user().map(|user| user.recovery) {
        None => "a0 = dst, as it came in",
        Some(Recovery::Efault) => "a0 = 0, or -EFAULT after a fault",
        Some(_) if plan.op() == Op::ClearUser => {
            "a0 = bytes that were not cleared, 0 without a fault"
        }
        Some(_) => "a0 = bytes that were not copied, 0 without a fault",
    }
}

/// The section of the fault table, where the frame itself writes the entries.
fn pairs_section(plan: &Plan) -> Option<&str> {
    match &plan.user()?.table {
        FaultTable::Pairs(name) => Some(name),
        _ => None,
    }
}

/// The licence that was asked for, or the kernel's own in its dialect.
fn spdx(spec: &Spec) -> Option<String> {
    let kernel = spec.frame() == Dialect::Linux && !matches!(spec.emit, Emit::RustAsm | Emit::Rust);
    spec.spdx
        .clone()
        .or(kernel.then(|| "GPL-2.0-only".to_owned()))
}

fn section_directive(spec: &Spec) -> String {
    match &spec.section {
        None => ".text".to_owned(),
        Some(name) => format!(".section\t{name}, \"ax\", @progbits"),
    }
}

/// The kernel's frame: weak alias of the plain name, aliases for early code, and the option that a computed jump needs. What touches user
/// memory has no plain name; modules call it.
fn linux_context(context: &mut Context, spec: &Spec, plan: &Plan, program: &Program) {
    if let Some(user) = plan.user() {
        linux_user_context(context, plan, user);
    }
    let plain = match plan.user() {
        Some(_) => plan.symbol().to_owned(),
        None => plan.op().to_string(),
    };
    let alias = (plan.symbol() != plain).then_some(&plain);
    let pi_aliases = match spec.pi_alias {
        true => alias
            .into_iter()
            .cloned()
            .chain([plan.symbol().to_owned()])
            .map(|name| format!("__pi_{name}"))
            .collect(),
        false => Vec::new(),
    };
    context.insert("alias", &alias);
    context.insert("pi_aliases", &pi_aliases);
    let computed_jump = |inst: &Inst| matches!(inst, Inst::JumpRegister { .. });
    // Jumps that count in instructions of four bytes must find them there.
    context.insert("counted", &program.instructions().any(computed_jump));
}

/// What accesses to user memory need: the macros of the release, the names that modules call.
fn linux_user_context(context: &mut Context, plan: &Plan, user: &UserAccess) {
    let (release, typed) = match user.table {
        FaultTable::Typed(release) => (Some(release), true),
        FaultTable::Addresses(release) => (Some(release), false),
        FaultTable::Pairs(_) => (None, false),
    };
    let other = match plan.op() {
        Op::CopyToUser => Op::CopyFromUser,
        _ => Op::CopyToUser,
    };
    let second = user.both().then(|| format!("__asm_{other}"));
    let early = release.is_some_and(|release| release < Release::EXPORTS);
    context.insert("user", &true);
    context.insert("typed", &typed);
    context.insert("sets_sum", &user.sets_sum);
    context.insert("second", &second);
    context.insert(
        "export_header",
        if early {
            "asm-generic/export.h"
        } else {
            "linux/export.h"
        },
    );
}
