//! A run of labelled bytes, of which a huge one keeps only its ends.

use super::memory::{NOTHING, Place, Span};
use super::value::{Label, Xlen};

/// Bytes of a huge block that are there in fact, at each of its ends.
pub(super) const HUGE_WINDOW: u64 = 2048;

/// Bytes kept before and after each block, so that an aligned word at its edge has labels too.
pub(super) const MARGIN: u64 = 16;

/// First label and size of the two regions; a byte's label is the first plus its index. The first one has room for two overlapping
/// blocks of the largest size.
pub(super) const REGIONS: [(Label, Label); 2] = [(0x400, 0x4200), (0x4600, 0x39f0)];

/// One run of labelled bytes. Of a huge one only both ends are there.
pub(super) struct Region {
    pub(super) span: Span,
    /// Index where the missing middle starts, and its length; length 0 if nothing is missing.
    pub(super) gap: (u64, u64),
    pub(super) tag: Label,
    /// Now, and before the call. Kept as bytes, so that a word of labels is one load.
    pub(super) labels: Vec<[u8; 2]>,
    pub(super) before: Vec<[u8; 2]>,
}

impl Region {
    pub(super) fn new((tag, bytes): (Label, Label)) -> Region {
        let labels: Vec<_> = (0..bytes)
            .map(|index| (tag + index).to_le_bytes())
            .collect();
        Region {
            span: NOTHING,
            gap: (0, 0),
            tag,
            before: labels.clone(),
            labels,
        }
    }

    /// Moves the region to the `bytes` bytes from `start` on, and a margin around them.
    pub(super) fn place(&mut self, start: Place, bytes: u64, xlen: Xlen) {
        // Clearing the low bits keeps label 0 at a word boundary, as every case of one residue has it.
        let offset = (start.offset.wrapping_sub(MARGIN) & !7) & xlen.mask();
        let lead = start.offset.wrapping_sub(offset) & xlen.mask();
        self.span = Span {
            start: Place {
                base: start.base,
                offset,
            },
            bytes: lead.saturating_add(bytes).saturating_add(MARGIN),
        };
        let present = self.labels.len() as u64;
        self.gap = match self.span.bytes.checked_sub(present) {
            None | Some(0) => (0, 0),
            Some(_) => (HUGE_WINDOW, self.span.bytes - 2 * HUGE_WINDOW),
        };
    }

    /// Index into `labels` of `size` bytes in a row.
    pub(super) fn run(&self, offset: u64, size: u64) -> Result<usize, LeftWindow> {
        let index = self.index(offset)?;
        match self.index(offset + size - 1) {
            Ok(last) if last + 1 == index + size as usize => Ok(index),
            _ => Err(LeftWindow),
        }
    }

    /// Index into `labels`, `Err` for a byte of the missing middle.
    pub(super) fn index(&self, offset: u64) -> Result<usize, LeftWindow> {
        let (start, length) = self.gap;
        match offset.checked_sub(start) {
            Some(past) if length > 0 => past
                .checked_sub(length)
                .map(|after| (start + after) as usize)
                .ok_or(LeftWindow),
            _ => Ok(offset as usize),
        }
    }
}

/// An access to the part of a huge block that is not there.
#[derive(Debug)]
pub(super) struct LeftWindow;
