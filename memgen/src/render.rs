//! File frames: the header every file carries, and one Tera template per dialect.

use tera::{Context, Tera};

use crate::compressed::compressed_bytes;
use crate::inst::Inst;
use crate::plan::{Plan, Strategy};
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
            ("gnu.S", " *", asm_lines(program, plan.symbol(), true))
        }
        (_, Dialect::Linux) => {
            linux_context(&mut context, spec, plan, program);
            ("linux.S", " *", asm_lines(program, plan.symbol(), false))
        }
    };
    context.insert("body", &body);
    context.insert("extensions", &program.extensions());
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
    context.insert("returns", "a0 = dst, as it came in");
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
    };
    let alignment = match plan.strategy {
        Strategy::Native => "makes misaligned accesses",
        _ => "makes no misaligned access",
    };
    let loads = match (plan.op(), plan.over_read(), plan.strategy) {
        (Op::Memset, ..) => "loads nothing",
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

/// The kernel's frame: weak alias of the plain name, aliases for early code, and the option that a computed jump needs.
fn linux_context(context: &mut Context, spec: &Spec, plan: &Plan, program: &Program) {
    let plain = plan.op().to_string();
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
