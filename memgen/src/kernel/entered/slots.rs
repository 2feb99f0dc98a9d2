//! Rows of slots: pieces of code at equal distances, one for each value of a small number, reached by one computed jump.

use crate::inst::Label;
use crate::kernel::emit::Emitter;
use crate::program::{INST_BYTES, Item};

/// A row under construction.
pub(super) struct Row {
    start: Label,
    slot_bytes: u32,
    count: u32,
    /// What did not fit, to be placed behind the row.
    overflow: Vec<(Label, Vec<Item>)>,
}

impl Row {
    /// A row whose first slot, at `start`, is here.
    pub(super) fn new(e: &mut Emitter, start: Label, slot_bytes: u32) -> Row {
        e.place(start);
        Row {
            start,
            slot_bytes,
            count: 0,
            overflow: Vec::new(),
        }
    }

    /// The next slot. `body` ends with a jump or a return; what does not fit goes behind the row.
    pub(super) fn slot(&mut self, e: &mut Emitter, body: impl FnOnce(&mut Emitter)) {
        let fits = (self.slot_bytes / INST_BYTES as u32) as usize;
        let mut lines = e.apart(body);
        let insts = lines.iter().filter(|line| matches!(line, Item::Inst(_)));
        if insts.count() > fits {
            // A label stays with what follows it: jumps count from the very `auipc`.
            let is_label = |line: &&Item| matches!(line, Item::Label(_));
            let labels = lines[..fits - 1].iter().rev().take_while(is_label).count();
            let rest = lines.split_off(fits - 1 - labels);
            let more = e.label("more");
            self.overflow.push((more, rest));
            lines.extend(e.apart(|e| e.j(more)));
        }
        if self.count > 0 {
            e.slot_end(self.start, self.count * self.slot_bytes);
        }
        e.append(lines);
        self.count += 1;
    }

    /// Writes what did not fit into its slot.
    pub(super) fn finish(self, e: &mut Emitter) {
        for (label, lines) in self.overflow {
            e.place(label);
            e.append(lines);
        }
    }
}
