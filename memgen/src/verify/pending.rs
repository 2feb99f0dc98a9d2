//! Faults that are injected, and those that a call may still meet.

use std::ops::Range;

use super::fault::{Access, Side};

/// What of the user's memory is inaccessible during a call, by the numbers of the bytes in either block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Injection {
    pub(super) source: Hole,
    pub(super) destination: Hole,
    /// The first access that touches it faults, none after that: somebody has made the page present meanwhile.
    pub(super) once: bool,
    /// Whether that access was to one byte alone: then it need not be tried again to know that it cannot be accessed.
    pub(super) was_sole: bool,
}

/// Bytes from one number to below another; all of a block's bytes from the first on if there is no end to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hole {
    pub(super) start: i64,
    pub(super) end: i64,
}

impl Hole {
    /// No byte.
    pub(super) const NONE: Hole = Hole {
        start: i64::MAX,
        end: i64::MAX,
    };

    /// Byte `number` and all behind.
    pub(super) fn from(number: i64) -> Hole {
        Hole {
            start: number,
            end: i64::MAX,
        }
    }

    fn is_hit(self, access: Access) -> bool {
        access.start < self.end && access.start + i64::from(access.bytes) > self.start
    }
}

impl Injection {
    /// A hole on one side.
    pub(super) fn of(side: Side, hole: Hole, once: bool) -> Injection {
        let (source, destination) = match side {
            Side::Source => (hole, Hole::NONE),
            Side::Destination => (Hole::NONE, hole),
        };
        Injection {
            source,
            destination,
            once,
            was_sole: false,
        }
    }

    pub(super) fn hole(&self, side: Side) -> Hole {
        match side {
            Side::Source => self.source,
            Side::Destination => self.destination,
        }
    }

    /// The first byte of a block of `bytes` bytes that can be copied neither at once nor later.
    pub(super) fn first_byte(&self, bytes: u64) -> u64 {
        if self.once {
            return bytes;
        }
        bytes.min(self.lowest())
    }

    /// The first byte of a block that is in a hole, if the block is so long.
    pub(super) fn lowest(&self) -> u64 {
        self.source.start.min(self.destination.start).max(0) as u64
    }
}

/// One of the pending faults.
#[derive(Clone, Copy, Debug)]
struct Item {
    injection: Injection,
    /// Whether it hits no access any more.
    is_spent: bool,
}

/// Faults of many calls, some of which are selected: those of the calls that have gone the same way so far.
#[derive(Debug, Default)]
pub(super) struct Pending {
    items: Vec<Item>,
    selected: Selection,
}

/// Some of the pending faults.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) range: Range<usize>,
    /// For the source, and the destination: no byte below this is in a hole of theirs.
    nearest: [i64; 2],
}

impl Selection {
    fn widen(&mut self, item: &Item) {
        if !item.is_spent {
            let Injection {
                source,
                destination,
                ..
            } = item.injection;
            self.nearest[0] = self.nearest[0].min(source.start);
            self.nearest[1] = self.nearest[1].min(destination.start);
        }
    }
}

impl Pending {
    /// Makes `injections` those that may come, and selects all.
    pub(super) fn set(&mut self, injections: &[Injection]) {
        self.items.clear();
        let items = injections.iter().map(|injection| Item {
            injection: *injection,
            is_spent: false,
        });
        self.items.extend(items);
        self.selected = self.selection(0..self.items.len());
    }

    /// What only these hit from here on.
    pub(super) fn select(&mut self, selection: Selection) {
        self.selected = selection;
    }

    pub(super) fn selected(&self) -> Range<usize> {
        self.selected.range.clone()
    }

    /// Whether one of the selected hits `access`.
    #[inline(always)]
    pub(super) fn is_hit(&self, access: Access) -> bool {
        access.start + i64::from(access.bytes) > self.selected.nearest[access.side as usize]
            && self.items[self.selected()]
                .iter()
                .any(|item| item.is_hit(access))
    }

    /// Parts the selected into those that `access` does not hit and those that it does, and has these hit by it.
    pub(super) fn split(&mut self, access: Access) -> [Selection; 2] {
        let Range { start, mut end } = self.selected();
        let last = end;
        let mut next = start;
        let mut others = Selection {
            range: start..start,
            nearest: [i64::MAX; 2],
        };
        while next < end {
            let item = &mut self.items[next];
            if item.is_hit(access) {
                item.is_spent = item.injection.once;
                item.injection.was_sole = item.injection.once && access.bytes == 1;
                end -= 1;
                self.items.swap(next, end);
            } else {
                others.widen(item);
                next += 1;
            }
        }
        others.range.end = end;
        [others, self.selection(end..last)]
    }

    fn selection(&self, range: Range<usize>) -> Selection {
        let mut selection = Selection {
            range: range.clone(),
            nearest: [i64::MAX; 2],
        };
        for item in &self.items[range] {
            selection.widen(item);
        }
        selection
    }

    /// Those that are selected.
    pub(super) fn injections(&self) -> impl Iterator<Item = Injection> {
        self.items[self.selected()]
            .iter()
            .map(|item| item.injection)
    }
}

impl Item {
    fn is_hit(&self, access: Access) -> bool {
        !self.is_spent && self.injection.hole(access.side).is_hit(access)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(start: i64, bytes: u8) -> Access {
        Access {
            side: Side::Source,
            start,
            bytes,
        }
    }

    fn source(hole: Hole, once: bool) -> Injection {
        Injection::of(Side::Source, hole, once)
    }

    #[test]
    fn an_access_is_hit_by_any_byte_of_it() {
        let word = Hole { start: 8, end: 16 };
        for (start, bytes, expected) in [
            (0, 8, false),
            (1, 8, true),
            (8, 1, true),
            (15, 1, true),
            (16, 8, false),
        ] {
            assert_eq!(word.is_hit(access(start, bytes)), expected, "{start}");
        }
        assert!(Hole::from(3).is_hit(access(1000, 1)) && !Hole::from(3).is_hit(access(2, 1)));
        assert!(!Hole::NONE.is_hit(access(0, 8)));
    }

    #[test]
    fn those_that_are_hit_come_last_and_a_passing_one_once() {
        let mut pending = Pending::default();
        let passing = source(Hole { start: 9, end: 10 }, true);
        pending.set(&[
            passing,
            source(Hole::from(16), false),
            source(Hole::from(8), false),
        ]);
        assert!(!pending.is_hit(access(0, 8)) && pending.is_hit(access(8, 8)));
        let [others, hit] = pending.split(access(8, 8));
        assert_eq!((&others.range, &hit.range), (&(0..1), &(1..3)));
        pending.select(others);
        assert_eq!(
            pending.injections().collect::<Vec<_>>(),
            [source(Hole::from(16), false)]
        );
        pending.select(hit);
        let [others, hit] = pending.split(access(9, 1));
        assert_eq!(others.range.len(), 1, "the passing one has passed");
        assert_eq!(hit.range.len(), 1);
        pending.set(&[passing]);
        pending.split(access(9, 1));
        assert!(pending.injections().all(|injection| injection.was_sole));
    }

    #[test]
    fn the_first_byte_is_the_lower_of_both() {
        let both = Injection {
            source: Hole { start: -3, end: 5 },
            destination: Hole::from(2),
            once: false,
            was_sole: false,
        };
        assert_eq!(both.first_byte(9), 0);
        assert_eq!(source(Hole::from(7), false).first_byte(9), 7);
        assert_eq!(source(Hole::from(7), true).first_byte(9), 9);
    }
}
