//! User memory: a0 is the only cursor, all below it is done at any time. Where a whole word comes next words are moved, else a byte, so that a
//! fault among words goes on with bytes, and one at a byte says how far all is done.

use super::{BYTES, Copy, DISTANCE, decided, words};
use crate::inst::{Condition, Label, Width};
use crate::kernel::emit::Emitter;
use crate::kernel::recover;
use crate::plan::{Compact, Recovery};
use crate::reg::Reg;

/// The destination's cursor.
const CURSOR: Reg = Reg::A0;

/// A copy between blocks that do not overlap, one of them or both user memory.
///
/// ```text
///     sub   a1, a0, a1
///     add   a4, a0, a2
///     andi  a5, a4, -8
///     (words, then a byte)
///     sub   a3, a0, a1
///     lbu   a3, 0(a3)
///     sb    a3, 0(a0)
/// ```
pub(in crate::kernel) fn copy_user(e: &mut Emitter) {
    let copy = Copy::new(e.plan);
    let (all, stop) = (copy.all, copy.regs.stop);
    e.comment(format!(
        "{CURSOR} is the only cursor, in dst: a1 becomes the distance from src to dst. {} is the end, {stop} that of the last whole word.",
        all.end
    ));
    e.sub(DISTANCE, CURSOR, DISTANCE);
    e.add(all.end, CURSOR, BYTES);
    e.andi(stop, all.end, -copy.word_bytes());
    let parts = Parts {
        all,
        words_end: stop,
        has_blocks: copy.regs.rest.is_some(),
    };
    parts.run(
        e,
        |e, _| words::copy(e, copy),
        |e| {
            e.sub(all.scratch, CURSOR, DISTANCE);
            e.load(Width::Byte, all.scratch, 0, all.scratch);
            e.store(Width::Byte, all.scratch, 0, CURSOR);
        },
    );
}

/// A fill of user memory with zeros.
pub(in crate::kernel) fn clear_user(e: &mut Emitter) {
    let all = decided(e.plan);
    let words_end = all
        .words_end
        .expect("the plan has a register for each role");
    let word_bytes = e.plan.word_bytes() as i32;
    e.comment(format!(
        "{CURSOR} is the cursor. {} is the end, {words_end} that of the last whole word.",
        all.end
    ));
    e.add(all.end, CURSOR, e.left());
    e.andi(words_end, all.end, -word_bytes);
    let parts = Parts {
        all,
        words_end,
        has_blocks: e.plan.block.words > 1,
    };
    parts.run(
        e,
        |e, done| {
            let most = clear_blocks(e, &parts, done);
            let word = e.place_loop("word", word_bytes as u32, most);
            e.store(e.plan.word, Reg::ZERO, 0, CURSOR);
            e.addi(CURSOR, CURSOR, word_bytes);
            e.branch(Condition::NotEqual, CURSOR, words_end, word);
        },
        |e| e.store(Width::Byte, Reg::ZERO, 0, CURSOR),
    );
}

/// What the parts of a routine share.
struct Parts<'p> {
    all: &'p Compact,
    /// End of the last whole word, until words are moved.
    words_end: Reg,
    /// Blocks that a fault stops are not tried again.
    has_blocks: bool,
}

impl Parts<'_> {
    /// The routine, once the end is known. `words` moves whole words up to the last; it may leave by the label it gets. `byte` moves one. An
    /// aligned cursor is no farther than the last whole word's end.
    ///
    /// ```text
    /// .Lnext:
    ///     andi  a3, a0, 7
    ///     bnez  a3, .Ltest
    ///     beq   a0, a5, .Ltest
    ///     (words)
    /// .Ltest:
    ///     beq   a0, a4, .Ldone
    ///     (a byte)
    ///     addi  a0, a0, 1
    ///     j     .Lnext
    /// .Ldone:
    ///     sub   a0, a4, a0
    ///     ret
    /// ```
    fn run(
        &self,
        e: &mut Emitter,
        words: impl FnOnce(&mut Emitter, Label),
        byte: impl Fn(&mut Emitter),
    ) {
        let plan = e.plan;
        let (test, done, fault) = (e.label("test"), e.label("done"), e.label("fault"));
        let words_done = if self.has_blocks {
            e.label("words_done")
        } else {
            test
        };
        let recovery = recover::promised(e);
        let most = self
            .all
            .most_single_bytes(plan.word, plan.largest_block_bytes());
        e.comment("Does a whole word come next?");
        let next = e.place_loop("next", 1, Some(most));
        e.andi(self.all.scratch, CURSOR, plan.word_bytes() as i32 - 1);
        e.bnez(self.all.scratch, test);
        e.branch(Condition::Equal, CURSOR, self.words_end, test);
        e.recover_at(match recovery {
            Recovery::Exact | Recovery::AtLeastOne => words_done,
            Recovery::Coarse => done,
            Recovery::Efault => fault,
        });
        words(e, words_done);
        e.recover_at(match recovery {
            Recovery::Efault => fault,
            _ => done,
        });
        let one = |e: &mut Emitter, then: Label| {
            e.branch(Condition::Equal, CURSOR, self.all.end, done);
            byte(e);
            e.addi(CURSOR, CURSOR, 1);
            e.j(then);
        };
        if self.has_blocks {
            e.comment("Bytes alone: the last ones, or those of a block that a fault stopped.");
            e.place(words_done);
            let last = e.place_loop("last", 1, Some(most));
            one(e, last);
        }
        e.comment("A byte, if there is one left.");
        e.place(test);
        one(e, next);
        self.finish(e, done, fault);
    }

    /// The returns: what is left is counted, nothing or what a fault left.
    fn finish(&self, e: &mut Emitter, done: Label, fault: Label) {
        if recover::promised(e) != Recovery::Efault {
            e.comment("What is left is counted: nothing, or what a fault kept from being done.");
            e.place(done);
            e.sub(Reg::A0, self.all.end, CURSOR);
            return e.ret_count();
        }
        e.comment("All is done.");
        e.place(done);
        e.ret();
        e.comment("A fault.");
        e.place(fault);
        recover::efault(e);
    }
}

/// Blocks, if the plan's have more than one word, while they last; branches to `done` if no word is left. Gives the most bytes that are
/// left. n is not needed any more: its register counts.
///
/// ```text
///     sub   a1, a5, a0
///     li    a3, 64
///     bltu  a1, a3, .Lword
/// .Lblock:
///     ...
///     addi  a0, a0, 64
///     addi  a1, a1, -64
///     bgeu  a1, a3, .Lblock
///     beqz  a1, .Lwords_done
/// ```
fn clear_blocks(e: &mut Emitter, parts: &Parts, done: Label) -> Option<u32> {
    let (word, block) = (e.plan.word, &e.plan.block);
    if block.words == 1 {
        return None;
    }
    let (rest, scratch) = (e.left(), parts.all.scratch);
    let words = e.label("words");
    e.comment(format!("Blocks of {block}, while that many remain."));
    e.sub(rest, parts.words_end, CURSOR);
    e.li(scratch, block.bytes as i32);
    e.branch(Condition::Below, rest, scratch, words);
    let start = e.place_loop("block", block.bytes, None);
    for index in 0..block.words {
        e.store(word, Reg::ZERO, (index * word.bytes()) as i32, CURSOR);
    }
    e.addi(CURSOR, CURSOR, block.bytes as i32);
    e.addi(rest, rest, -(block.bytes as i32));
    e.branch(Condition::AtLeast, rest, scratch, start);
    e.beqz(rest, done);
    e.comment("The rest of a block, word by word.");
    e.place(words);
    Some(block.bytes - word.bytes())
}

#[cfg(test)]
mod tests {
    use crate::kernel::lower;
    use crate::plan::Plan;
    use crate::spec::{FaultStyle, Op, Preset, Spec, Sum};

    /// One body and one count serve all strengths: what they take is known to the instruction.
    #[test]
    fn as_small_as_they_come() {
        let code_bytes = |op, xlen, fault_style, sum| {
            let spec = Spec {
                op,
                preset: Preset::Small,
                xlen: Some(xlen),
                fault_style,
                sum,
                ..Spec::default()
            };
            lower(&Plan::new(&spec).expect("a preset can be built")).code_bytes()
        };
        for xlen in [32, 64] {
            for (op, bytes) in [
                (Op::CopyToUser, 108),
                (Op::CopyFromUser, 108),
                (Op::ClearUser, 56),
            ] {
                assert_eq!(code_bytes(op, xlen, None, None), bytes);
                let efault = Some(FaultStyle::Efault);
                assert_eq!(code_bytes(op, xlen, efault, None), bytes + 8);
                // Two instructions on entry, two on the only exit.
                assert_eq!(code_bytes(op, xlen, None, Some(Sum::On)), bytes + 16);
            }
        }
    }
}
