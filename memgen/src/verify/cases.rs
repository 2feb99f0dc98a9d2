//! Which calls are tried. A case fixes the size and where the blocks lie towards each other; contents and placement stay
//! open, so each case stands for all of them.

use super::memory::Place;
use super::pending::Injection;
use super::value::{Base, Xlen};
use crate::plan::Plan;
use crate::spec::Op;

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// Size in bytes.
    pub(super) bytes: u64,
    /// `None` for memset.
    pub(super) source: Option<Place>,
    pub(super) destination: Place,
    /// memset: c's low byte is 0, not any other. clear_user: so it is.
    pub(super) zero_fill: bool,
    /// A block too large to be there whole: the call is followed until it leaves the part that is.
    pub(super) huge: bool,
    /// What of the user's memory is inaccessible; nothing by itself.
    pub(super) injection: Option<Injection>,
}

/// Offset of each block in its object, plus a residue. A multiple of a page, with room below.
pub(super) const START: u64 = 0x10_0000;

/// Every size up to here at least.
const ALL_SIZES: u64 = 300;

/// A few sizes far above every threshold, some with a high bit and one low bit that decides about a rest.
const FAR_SIZES: [u64; 18] = [
    511, 512, 513, 516, 520, 1000, 1023, 1024, 1025, 1028, 1032, 1500, 2048, 2052, 2056, 4095,
    4096, 8200,
];

/// How many cases a proof runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Every size to two blocks and two words and at least 300, sizes far above, every overlap distance up to two blocks, absolute
    /// addresses.
    #[default]
    Full,
    /// Every size up to the bulk threshold and two words, both sides of every threshold, one and two blocks; the overlap distances
    /// around 0, a word, a block and n. For walks over many variants.
    Reduced,
}

/// All calls of one routine.
pub(super) struct Cases {
    pub(super) effort: Effort,
    pub(super) op: Op,
    pub(super) xlen: Xlen,
    /// Bytes of a register: residues are taken modulo it.
    pub(super) register_bytes: u64,
    pub(super) word_bytes: u64,
    /// memmove: every distance is tried up to this size.
    every_distance: u64,
    /// Bytes of the larger block.
    pub(super) block_bytes: u64,
    /// Bytes of each loop's block.
    blocks: Vec<u64>,
    pub(super) thresholds: Vec<u64>,
    bulk_bytes: u64,
    zero_block: u64,
}

impl Cases {
    pub(super) fn new(plan: &Plan, effort: Effort) -> Cases {
        let word_bytes = u64::from(plan.word_bytes());
        let block_bytes = u64::from(plan.largest_block_bytes());
        Cases {
            effort,
            op: plan.op(),
            xlen: Xlen::new(plan.isa().xlen, 1),
            register_bytes: u64::from(plan.isa().xlen / 8),
            word_bytes,
            every_distance: match effort {
                Effort::Full => 2 * block_bytes + 2 * word_bytes,
                Effort::Reduced => 0,
            },
            block_bytes,
            blocks: plan.block_sizes().into_iter().map(u64::from).collect(),
            thresholds: plan
                .thresholds()
                .iter()
                .map(|threshold| u64::from(threshold.bytes))
                .collect(),
            bulk_bytes: u64::from(plan.bulk.bytes),
            zero_block: plan.zero_block.unwrap_or(0).into(),
        }
    }

    /// Every size that the effort asks for, ascending. Thresholds are met from both sides, counted from either end of the longest
    /// head.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let near = |threshold: u64| threshold.saturating_sub(1)..=(threshold + self.word_bytes);
        let thresholds = self.thresholds.iter().copied();
        let mut sizes: Vec<u64> = match self.effort {
            Effort::Full => (0..=ALL_SIZES.max(self.every_distance))
                .chain(thresholds.flat_map(near))
                .chain(FAR_SIZES)
                .collect(),
            Effort::Reduced => (0..=self.bulk_bytes + 2 * self.word_bytes)
                .chain(thresholds.chain([2 * self.block_bytes]).flat_map(near))
                .collect(),
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Gives every case of `bytes` bytes to `visit`, until one fails.
    pub(super) fn visit<E>(
        &self,
        bytes: u64,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.op {
            Op::Memcpy | Op::CopyToUser | Op::CopyFromUser => self.apart(bytes, false, visit)?,
            Op::Memmove => self.overlapping(bytes, visit)?,
            Op::Memset | Op::ClearUser => self.fills(bytes, false, visit)?,
        }
        if self.is_placed(bytes) && (self.effort == Effort::Full || bytes == 0) {
            self.placed(bytes, visit)?;
        }
        Ok(())
    }

    /// Sizes whose top bit is set, nearly the whole address space, and those at which a counter of 16 or 32 bits that counts bytes,
    /// words or blocks has just wrapped: one unit later it would end.
    fn huge_sizes(&self) -> Vec<u64> {
        let top = 1 << (self.xlen.bits - 1);
        if self.effort == Effort::Reduced {
            return vec![top + 13];
        }
        let units = [1, self.word_bytes]
            .into_iter()
            .chain(self.blocks.iter().copied());
        let wraps = [16, 32].into_iter().filter(|bits| *bits < self.xlen.bits);
        let mut sizes = vec![
            top,
            top + 13,
            1 << 31,
            (1 << 31) + 9,
            self.xlen.mask() - 0x1fff,
        ];
        sizes.extend(wraps.flat_map(|bits| {
            units
                .clone()
                .map(move |unit| (1_u64 << bits).saturating_add(1).saturating_mul(unit) + 13)
        }));
        sizes.retain(|size| *size <= self.xlen.mask() - 0x1fff);
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Gives every case of a huge block to `visit`.
    pub(super) fn visit_huge<E>(
        &self,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        for bytes in self.huge_sizes() {
            match self.op {
                Op::Memcpy | Op::CopyToUser | Op::CopyFromUser => self.apart(bytes, true, visit)?,
                Op::Memset | Op::ClearUser => self.fills(bytes, true, visit)?,
                Op::Memmove => {
                    for residue in 0..self.register_bytes {
                        for distance in [-24_i64, -9, -8, -5, -1, 1, 5, 8, 9, 24] {
                            visit(self.overlap(bytes, residue, distance, true))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Two objects, every pair of residues.
    fn apart<E>(
        &self,
        bytes: u64,
        huge: bool,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        for source in 0..self.register_bytes {
            for destination in 0..self.register_bytes {
                visit(Case {
                    bytes,
                    source: Some(Place {
                        base: Base::Source,
                        offset: START + source,
                    }),
                    destination: Place {
                        base: Base::Destination,
                        offset: START + destination,
                    },
                    zero_fill: false,
                    huge,
                    injection: None,
                })?;
            }
            // A copy onto itself, which Rust and C++ compilers emit; but no memory is the user's and the kernel's.
            if !huge && !self.op.touches_user() {
                visit(self.overlap(bytes, source, 0, false))?;
            }
        }
        Ok(())
    }

    /// Every residue, a fill of zero and any other.
    fn fills<E>(
        &self,
        bytes: u64,
        huge: bool,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        let kinds: &[bool] = match self.op {
            Op::ClearUser => &[true],
            _ => &[false, true],
        };
        for residue in self.residues() {
            for &zero_fill in kinds {
                visit(Case {
                    bytes,
                    source: None,
                    destination: Place {
                        base: Base::Destination,
                        offset: START + residue,
                    },
                    zero_fill,
                    huge,
                    injection: None,
                })?;
            }
        }
        Ok(())
    }

    /// Residues of the destination of a fill: modulo a register, or modulo the block that cbo.zero clears.
    fn residues(&self) -> std::ops::Range<u64> {
        0..self.register_bytes.max(self.zero_block)
    }

    /// One object, every residue of the source and every distance from -(n+1) to n+1; above [`Cases::every_distance`] those near
    /// 0, n and a block. Farther ones up to half the address space stand for blocks apart.
    fn overlapping<E>(
        &self,
        bytes: u64,
        visit: &mut impl FnMut(Case) -> Result<(), E>,
    ) -> Result<(), E> {
        let n = bytes as i64;
        let distances: Vec<i64> = if bytes <= self.every_distance {
            (-(n + 1)..=n + 1).collect()
        } else {
            let around = |middle: i64, reach: i64| (middle - reach)..=(middle + reach);
            let (block, word) = (self.block_bytes as i64, self.word_bytes as i64);
            let mut some: Vec<i64> = match self.effort {
                Effort::Full => around(0, self.register_bytes as i64 + 1)
                    .chain([-1, 1].into_iter().flat_map(|sign| {
                        around(sign * block, 2)
                            .chain(around(sign * n / 2, 1))
                            .chain(around(sign * n, 1))
                    }))
                    .collect(),
                Effort::Reduced => [-1, 1]
                    .into_iter()
                    .flat_map(|sign| {
                        [0, 1, word - 1, word, word + 1, block, n - 1, n]
                            .map(|distance| sign * distance)
                    })
                    .collect(),
            };
            some.sort_unstable();
            some.dedup();
            some
        };
        let half = self.xlen.signed(1 << (self.xlen.bits - 1)).unsigned_abs() as i64;
        let mut far = Vec::new();
        if self.effort == Effort::Full {
            far.push(n + 64);
        }
        if self.effort == Effort::Full && self.is_placed(bytes) {
            far.extend([1 << 20, half.wrapping_sub(0x10_0000)]);
        }
        for residue in 0..self.register_bytes {
            for distance in &distances {
                visit(self.overlap(bytes, residue, *distance, false))?;
            }
            for distance in &far {
                for step in 0..self.register_bytes as i64 {
                    visit(self.overlap(bytes, residue, distance + step, false))?;
                    visit(self.overlap(bytes, residue, -distance - step, false))?;
                }
            }
        }
        Ok(())
    }

    fn overlap(&self, bytes: u64, residue: u64, distance: i64, huge: bool) -> Case {
        let source = START + residue;
        let destination = source.wrapping_add(distance as u64) & self.xlen.mask();
        Case {
            bytes,
            source: Some(Place {
                base: Base::Source,
                offset: source,
            }),
            destination: Place {
                base: Base::Source,
                offset: destination,
            },
            zero_fill: false,
            huge,
            injection: None,
        }
    }

    /// How many cases there are.
    pub(super) fn count(&self) -> u64 {
        let mut count = 0;
        let mut tick = |_| -> Result<(), std::convert::Infallible> {
            count += 1;
            Ok(())
        };
        for bytes in self.sizes() {
            let Ok(()) = self.visit(bytes, &mut tick);
        }
        let Ok(()) = self.visit_huge(&mut tick);
        count
    }
}
