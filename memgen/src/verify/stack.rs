//! What a routine keeps below sp: of each byte, which value it is part of and which byte of it, so that whatever is stored comes back
//! as it was.

use super::value::Value;

/// One byte.
#[derive(Clone, Copy, PartialEq)]
struct Cell {
    value: Value,
    byte: u8,
}

/// The frame, lowest byte first.
#[derive(Clone)]
pub(super) struct Stack {
    cells: Vec<Option<Cell>>,
    /// The lowest byte and the one behind the highest that a call has stored to.
    used: (usize, usize),
}

/// What was found in the frame.
pub(super) enum Kept {
    /// The low bytes of this value.
    Part(Value),
    /// Bytes of several: of each which value it is part of, and which byte; `None` where nothing was stored.
    Mixed(Vec<Option<(Value, u8)>>),
}

impl Stack {
    pub(super) fn new(bytes: u64) -> Stack {
        Stack {
            cells: vec![None; bytes as usize],
            used: (usize::MAX, 0),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let (start, end) = self.used;
        if start < end {
            self.cells[start..end].fill(None);
        }
        self.used = (usize::MAX, 0);
    }

    /// Stores the low `bytes` bytes of `value` at byte `depth` of the frame, which holds them.
    pub(super) fn store(&mut self, depth: usize, bytes: u8, value: Value) {
        let end = depth + usize::from(bytes);
        self.used = (self.used.0.min(depth), self.used.1.max(end));
        for (cell, byte) in self.cells[depth..end].iter_mut().zip(0..) {
            *cell = Some(Cell { value, byte });
        }
    }

    /// What `bytes` bytes at byte `depth` of the frame hold.
    pub(super) fn load(&self, depth: usize, bytes: u8) -> Kept {
        let cells = &self.cells[depth..depth + usize::from(bytes)];
        let first = cells[0].map(|cell| cell.value);
        let part = |value| {
            let mut numbered = cells.iter().zip(0..);
            numbered.all(|(cell, byte)| *cell == Some(Cell { value, byte }))
        };
        match first {
            Some(value) if part(value) => Kept::Part(value),
            _ => Kept::Mixed(
                cells
                    .iter()
                    .map(|cell| cell.map(|cell| (cell.value, cell.byte)))
                    .collect(),
            ),
        }
    }
}
