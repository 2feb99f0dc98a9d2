//! The frames of Rust files: doc comment, safety, signature.

use tera::Context;

use crate::plan::{Plan, Recovery, Strategy};
use crate::render::summary;
use crate::rust;
use crate::spec::{Emit, Misaligned, Op, Spec};
use crate::text::wrap;

/// What a kernel that is no assembly is made for.
pub(crate) const PORTABLE: &str = "any target, in portable Rust";

/// Fills the frame of a naked function whose assembly uses `isa`.
pub(crate) fn naked(context: &mut Context, spec: &Spec, plan: &Plan, isa: &str) {
    document(context, spec, plan, isa);
    let arguments = match plan.op() {
        Op::Memset => "dst: *mut u8, c: i32, n: usize",
        Op::ClearUser => "dst: *mut u8, n: usize",
        Op::Memcpy | Op::Memmove | Op::CopyToUser | Op::CopyFromUser => {
            "dst: *mut u8, src: *const u8, n: usize"
        }
    };
    let result = match (
        plan.op().touches_user(),
        plan.user().map(|user| user.recovery),
    ) {
        (false, _) => "*mut u8",
        (true, Some(Recovery::Efault)) => "isize",
        (true, _) => "usize",
    };
    context.insert("result", result);
    context.insert("arguments", arguments);
    context.insert("arch", &format!("riscv{}", plan.isa().xlen));
    context.insert("link_section", &spec.section);
}

/// Fills the frame of a portable kernel.
pub(crate) fn portable(context: &mut Context, spec: &Spec, plan: &Plan) {
    document(context, spec, plan, PORTABLE);
    context.insert("function", &rust::function(spec, plan));
}

/// The doc comment: what the function does, and what its caller answers for.
fn document(context: &mut Context, spec: &Spec, plan: &Plan, made_for: &str) {
    let blocks = match plan.op() {
        Op::Memset => "`dst` must be valid for writes of `n` bytes",
        Op::Memcpy => {
            "`src` must be valid for reads and `dst` for writes of `n` bytes, without overlap"
        }
        Op::Memmove => "`src` must be valid for reads and `dst` for writes of `n` bytes",
        Op::CopyToUser | Op::CopyFromUser | Op::ClearUser => {
            "Blocks must not overlap; what is not user memory must be valid for `n` bytes, and the trap handler must go on at the \
             address that the fault table gives for a faulting one"
        }
    };
    let traps = plan.strategy == Strategy::Native && spec.hardware() == Misaligned::Fast;
    let hardware = match spec.emit {
        // A compiler that is not told of such hardware makes bytes of the word.
        Emit::Rust => "",
        _ if traps => ", and the hardware must do misaligned accesses",
        _ => "",
    };
    let doc = |text: String| {
        let lines: Vec<String> = wrap(&text).map(|line| format!("/// {line}")).collect();
        lines.join("\n")
    };
    context.insert("doc", &doc(summary(plan, made_for)));
    context.insert("safety", &doc(format!("{blocks}{hardware}.")));
}
