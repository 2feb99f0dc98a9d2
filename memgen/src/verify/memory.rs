//! Memory as labels: a region for each block of a case, and the spans that may be loaded from and stored to.

use std::ops::Range;

use super::fault::Side;
use super::region::{LeftWindow, MARGIN, REGIONS, Region};
use super::value::{Base, Label, Value, Xlen};

/// A place in the address space: in an object, or at an absolute address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) offset: u64,
}

/// What the bytes behind those that are copied may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// What they held before the call.
    Untouched,
    /// That, or what they were to receive.
    Either,
}

/// A run of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Place,
    pub(super) bytes: u64,
}

impl Span {
    /// Offset of `place` in the span if all `size` bytes from there on lie inside; exact up to the top of the address space.
    pub(super) fn find(&self, place: Place, size: u64, xlen: Xlen) -> Option<u64> {
        let index = place.offset.wrapping_sub(self.start.offset) & xlen.mask();
        let inside =
            place.base == self.start.base && index < self.bytes && self.bytes - index >= size;
        inside.then_some(index)
    }
}

/// All memory of a case.
pub(super) struct Memory {
    regions: [Region; 2],
    xlen: Xlen,
    /// Region of the source, and of the destination: the same one if they overlap or nearly do.
    source_region: usize,
    destination_region: usize,
    /// The source block; nothing without one.
    source: Span,
    /// Bytes that may be loaded.
    pub(super) loads: Span,
    /// Bytes that may be stored to: the destination block.
    pub(super) stores: Span,
}

/// Nothing at all.
pub(super) const NOTHING: Span = Span {
    start: Place {
        base: Base::Absolute,
        offset: 0,
    },
    bytes: 0,
};

impl Memory {
    pub(super) fn new(xlen: Xlen) -> Memory {
        Memory {
            regions: REGIONS.map(Region::new),
            xlen,
            source_region: 0,
            destination_region: 1,
            source: NOTHING,
            loads: NOTHING,
            stores: NOTHING,
        }
    }

    /// Lays out a case: `bytes` bytes at each place, every one as it was before the call. Loads may touch the aligned words of
    /// `load_granule` bytes that hold a byte of the source; without a source, nothing.
    pub(super) fn lay_out(
        &mut self,
        source: Option<Place>,
        destination: Place,
        bytes: u64,
        load_granule: u64,
    ) {
        let xlen = self.xlen;
        self.stores = Span {
            start: destination,
            bytes,
        };
        (self.source_region, self.destination_region) = (0, 1);
        let Some(source) = source else {
            (self.source, self.loads) = (NOTHING, NOTHING);
            self.regions[1].place(destination, bytes, xlen);
            return;
        };
        self.source = Span {
            start: source,
            bytes,
        };
        self.loads = loadable(source, bytes, load_granule, xlen);
        let above = destination.offset.wrapping_sub(source.offset) & xlen.mask();
        let below = source.offset.wrapping_sub(destination.offset) & xlen.mask();
        let near = bytes.saturating_add(4 * MARGIN);
        if source.base != destination.base || above.min(below) > near {
            self.regions[0].place(source, bytes, xlen);
            self.regions[1].place(destination, bytes, xlen);
            return;
        }
        self.destination_region = 0;
        let (first, apart) = if above <= below {
            (source, above)
        } else {
            (destination, below)
        };
        self.regions[0].place(first, bytes.saturating_add(apart), xlen);
    }

    /// Two addresses in one block, or in the union of two blocks that overlap, as numbers that compare as they do: no block reaches
    /// past the top of the address space, wherever it lies. That holds for the aligned words at its edges too, but not for the byte
    /// behind it, whose address may be 0.
    pub(super) fn ordered(&self, a: Value, b: Value) -> Option<(u64, u64)> {
        let (((base, a), (b_base, b)), mask) = ((a.place()?, b.place()?), self.xlen.mask());
        if base != b_base || !matches!(base, Base::Source | Base::Destination) {
            return None;
        }
        let granule = self.xlen.granule_bytes();
        let within = |span: Span| {
            let lead = span.start.offset % granule;
            let start = span.start.offset - lead;
            let bytes =
                (u128::from(lead) + u128::from(span.bytes)).next_multiple_of(granule.into());
            let (a, b) = (a.wrapping_sub(start) & mask, b.wrapping_sub(start) & mask);
            let inside = span.start.base == base && span.bytes > 0;
            (inside && u128::from(a.max(b)) < bytes).then_some((a, b))
        };
        within(self.source)
            .or_else(|| within(self.stores))
            .or_else(|| within(self.union()?))
    }

    /// Both blocks, if they overlap.
    fn union(&self) -> Option<Span> {
        let (source, destination) = (self.source, self.stores);
        if source.start.base != destination.start.base {
            return None;
        }
        let distance = |from: Span, to: Span| {
            to.start.offset.wrapping_sub(from.start.offset) & self.xlen.mask()
        };
        let (first, apart) = match distance(source, destination) {
            above if above < source.bytes => (source, above),
            _ => (destination, distance(destination, source)),
        };
        (apart < first.bytes).then(|| Span {
            start: first.start,
            bytes: first.bytes.saturating_add(apart),
        })
    }

    /// The labels at `place`, lowest byte lowest, 16 bits each. The caller has checked [`Memory::loads`].
    pub(super) fn load(&self, place: Place, size: u64) -> Result<u128, LeftWindow> {
        let region = &self.regions[self.source_region];
        let index = region.run(self.lead(place, region), size)?;
        let labels = region.labels[index..index + size as usize].as_flattened();
        if let Ok(whole) = labels.try_into() {
            return Ok(u128::from_le_bytes(whole));
        }
        let mut lanes = [0; 16];
        lanes[..labels.len()].copy_from_slice(labels);
        Ok(u128::from_le_bytes(lanes))
    }

    /// Stores `size` labels at `place`. The caller has checked [`Memory::stores`].
    pub(super) fn store(&mut self, place: Place, size: u64, lanes: u128) -> Result<(), LeftWindow> {
        let lead = self.lead(place, &self.regions[self.destination_region]);
        let region = &mut self.regions[self.destination_region];
        let index = region.run(lead, size)?;
        let labels = region.labels[index..index + size as usize].as_flattened_mut();
        labels.copy_from_slice(&lanes.to_le_bytes()[..2 * size as usize]);
        Ok(())
    }

    /// The first byte of the destination block, if any, that does not hold what it should: below `settled` what the byte of that number
    /// in the source held before the call, or `fill` without a source, from there on what `rest` says. Its number, the label it should
    /// have, and its own.
    pub(super) fn first_wrong(
        &self,
        source: Option<Place>,
        fill: Label,
        settled: u64,
        rest: Rest,
    ) -> Option<(u64, Label, Label)> {
        let from = &self.regions[self.source_region];
        let to = &self.regions[self.destination_region];
        let from_lead = source.map(|source| self.lead(source, from));
        let to_lead = self.lead(self.stores.start, to);
        for run in self.present() {
            let middle = settled.clamp(run.start, run.end);
            for (part, is_settled) in [(run.start..middle, true), (middle..run.end, false)] {
                let length = (part.end - part.start) as usize;
                if length == 0 {
                    continue;
                }
                let Ok(start) = to.index(to_lead + part.start) else {
                    continue;
                };
                let copied = match from_lead.map(|lead| from.index(lead + part.start)) {
                    Some(Ok(index)) => Some(&from.before[index..index + length]),
                    Some(Err(LeftWindow)) => continue,
                    None => None,
                };
                let now = &to.labels[start..start + length];
                let before = &to.before[start..start + length];
                let fill = fill.to_le_bytes();
                let all_right = || match copied {
                    Some(copied) => now == copied,
                    None => now.iter().all(|label| *label == fill),
                };
                let all_well = match (is_settled, rest) {
                    (true, _) => all_right(),
                    (false, _) => now == before,
                };
                if all_well {
                    continue;
                }
                for index in 0..length {
                    let right = copied.map_or(fill, |copied| copied[index]);
                    let (may_be_right, expected) = match (is_settled, rest) {
                        (true, _) | (false, Rest::Either) => (true, right),
                        (false, Rest::Untouched) => (false, before[index]),
                    };
                    let well = (may_be_right && now[index] == right)
                        || (!is_settled && now[index] == before[index]);
                    if !well {
                        let [expected, found] = [expected, now[index]].map(Label::from_le_bytes);
                        return Some((part.start + index as u64, expected, found));
                    }
                }
            }
        }
        None
    }

    /// What a label names, beside constants and registers: `src[7]`, or a byte around the blocks.
    pub(super) fn name(&self, source: Option<Place>, label: Label) -> Option<String> {
        let index_of = |region: usize| {
            let region = &self.regions[region];
            label
                .checked_sub(region.tag)
                .filter(|index| usize::from(*index) < region.labels.len())
                .map(i128::from)
        };
        let relative = |region: usize, start: Place| {
            let (gap_start, gap) = self.regions[region].gap;
            let index = index_of(region)?;
            let index = if gap > 0 && index >= i128::from(gap_start) {
                index + i128::from(gap)
            } else {
                index
            };
            Some(index - i128::from(self.lead(start, &self.regions[region])))
        };
        match source.and_then(|source| relative(self.source_region, source)) {
            Some(number) => Some(format!("src[{number}]")),
            None => relative(self.destination_region, self.stores.start)
                .map(|number| format!("dst[{number}] as it was")),
        }
    }

    /// Where a block starts.
    pub(super) fn block(&self, side: Side) -> Place {
        match side {
            Side::Source => self.source.start,
            Side::Destination => self.stores.start,
        }
    }

    /// The labels of the destination block, which is there whole.
    pub(super) fn destination(&self) -> &[[u8; 2]] {
        let region = &self.regions[self.destination_region];
        &region.labels[self.destination_range()]
    }

    /// Stores labels to all of it.
    pub(super) fn set_destination(&mut self, labels: &[[u8; 2]]) {
        let range = self.destination_range();
        self.regions[self.destination_region].labels[range].copy_from_slice(labels);
    }

    fn destination_range(&self) -> Range<usize> {
        let region = &self.regions[self.destination_region];
        debug_assert_eq!(region.gap.1, 0, "no huge block is saved");
        let start = self.lead(self.stores.start, region) as usize;
        start..start + self.stores.bytes as usize
    }

    /// Makes every byte as it was before the call again.
    pub(super) fn restore(&mut self) {
        let lead = self.lead(self.stores.start, &self.regions[self.destination_region]);
        let runs = self.present();
        let region = &mut self.regions[self.destination_region];
        for run in runs {
            if let Ok(start) = region.index(lead + run.start) {
                let range = start..start + (run.end - run.start) as usize;
                region.labels[range.clone()].copy_from_slice(&region.before[range]);
            }
        }
    }

    /// Bytes between the start of the region and `start`.
    fn lead(&self, start: Place, region: &Region) -> u64 {
        start.offset.wrapping_sub(region.span.start.offset) & self.xlen.mask()
    }

    /// Numbers of the bytes of the destination block that are there: all, or a run at each end.
    fn present(&self) -> [Range<u64>; 2] {
        let region = &self.regions[self.destination_region];
        let bytes = self.stores.bytes;
        let (gap_start, gap) = region.gap;
        if gap == 0 {
            return [0..bytes, 0..0];
        }
        let lead = self.lead(self.stores.start, region);
        [
            0..(gap_start - lead).min(bytes),
            (gap_start + gap - lead).min(bytes)..bytes,
        ]
    }
}

/// The bytes of the aligned words of `granule` bytes that hold a byte of the block.
fn loadable(start: Place, bytes: u64, granule: u64, xlen: Xlen) -> Span {
    if bytes == 0 {
        return NOTHING;
    }
    let lead = start.offset % granule;
    let offset = start.offset.wrapping_sub(lead) & xlen.mask();
    let whole = u128::from(lead) + u128::from(bytes);
    let rounded = whole
        .next_multiple_of(u128::from(granule))
        .min(u128::from(xlen.mask()));
    Span {
        start: Place {
            base: start.base,
            offset,
        },
        bytes: rounded as u64,
    }
}
