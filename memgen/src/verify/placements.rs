//! Cases at absolute addresses, for arithmetic that goes wrong only at certain places.

use super::cases::{Case, Cases};
use super::memory::Place;
use super::value::Base;
use crate::spec::Op;

impl Cases {
    /// Sizes that are also tried at absolute addresses.
    pub(super) fn is_placed(&self, bytes: u64) -> bool {
        let words = [
            0,
            1,
            self.word_bytes,
            2 * self.word_bytes,
            3 * self.word_bytes,
        ];
        let spread = words
            .into_iter()
            .chain(self.thresholds.iter().copied())
            .chain([2 * self.block_bytes]);
        spread
            .into_iter()
            .any(|size| bytes == size || bytes == size + 1 || bytes == size + self.word_bytes - 1)
    }

    /// Absolute addresses where arithmetic may go wrong: each block at the top of memory, across 2^31, across the sign bit; and for
    /// n = 0 pointers to nowhere.
    pub(super) fn placed<E>(
        &self,
        bytes: u64,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        let absolute = |address: u64| Place {
            base: Base::Absolute,
            offset: address & self.xlen.mask(),
        };
        let has_source = !self.op.fills();
        let placed = |source: u64, destination: u64| Case {
            bytes,
            source: has_source.then_some(absolute(source)),
            destination: absolute(destination),
            zero_fill: self.op == Op::ClearUser,
            huge: false,
            injection: None,
        };
        if bytes == 0 {
            let wild = [0, 1, 7, 1 << 31, 1 << (self.xlen.bits - 1), u64::MAX];
            for source in wild {
                for destination in wild {
                    visit(placed(source, destination))?;
                }
            }
            return Ok(());
        }
        let top = 1_u64 << (self.xlen.bits - 1);
        // Blocks that end at the top exactly, or straddle an edge.
        let edges = [
            0_u64.wrapping_sub(bytes),
            (1 << 31) - bytes / 2,
            top.wrapping_sub(bytes / 2),
        ];
        let elsewhere = 0x4000_0000;
        for edge in edges {
            for residue in 0..self.register_bytes {
                // A block at the top of memory may not be moved up.
                let edge = edge.wrapping_sub(residue);
                for other in 0..self.register_bytes {
                    let other = elsewhere + other;
                    for (source, destination) in [(edge, other), (other, edge)] {
                        if !has_source && destination != edge {
                            continue;
                        }
                        visit(placed(source, destination))?;
                    }
                }
                if self.op == Op::Memmove {
                    for distance in [1, 3, self.word_bytes, self.word_bytes + 1, bytes] {
                        let below = edge.wrapping_sub(distance);
                        for (source, destination) in [(edge, below), (below, edge)] {
                            visit(placed(source, destination))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
