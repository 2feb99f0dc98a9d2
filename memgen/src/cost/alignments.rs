//! How often each offset is met.

use super::OFFSETS;

/// How often the blocks of a call lie at each offset modulo [`OFFSETS`]. Source and destination are drawn independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Alignments {
    /// All offsets equally often.
    Equal,
    /// As published for memcpy in SPEC CPU2017.
    ///
    /// What is published says how many of 1,024 blocks are aligned to at least 64, 32, 16, 8, 4, 2 bytes and to 1. A block aligned
    /// to at least 4 bytes lies at offset 0 as often as at 4; so half of these go to either, and likewise a quarter of those
    /// aligned to at least 2 bytes to 0, 2, 4 and 6, and an eighth of the rest to every offset. All that are aligned to 8 bytes or
    /// more lie at 0.
    Spec2017,
}

/// So many of 1,024 blocks are aligned to at least so many bytes: facts published with the GNU C Library's benchmarks
/// (benchtests/bench-memcpy-random.c).
type Published = [(u64, u64); 7];

const SPEC2017_SOURCE: Published = [
    (64, 153),
    (32, 168),
    (16, 292),
    (8, 300),
    (4, 79),
    (2, 14),
    (1, 18),
];
const SPEC2017_DESTINATION: Published = [
    (64, 209),
    (32, 174),
    (16, 263),
    (8, 265),
    (4, 90),
    (2, 10),
    (1, 13),
];

impl Alignments {
    /// `equal` or `spec2017`.
    pub fn name(self) -> &'static str {
        match self {
            Alignments::Equal => "equal",
            Alignments::Spec2017 => "spec2017",
        }
    }

    /// The weight of each offset of the source.
    pub(super) fn source(self) -> [u64; OFFSETS as usize] {
        match self {
            Alignments::Equal => [1; OFFSETS as usize],
            Alignments::Spec2017 => spread(SPEC2017_SOURCE),
        }
    }

    /// The weight of each offset of the destination.
    pub(super) fn destination(self) -> [u64; OFFSETS as usize] {
        match self {
            Alignments::Equal => [1; OFFSETS as usize],
            Alignments::Spec2017 => spread(SPEC2017_DESTINATION),
        }
    }
}

/// Shares the weight of each alignment among the offsets that have it, as [`Alignments::Spec2017`] tells, in units of an eighth so
/// that all stay whole.
fn spread(published: Published) -> [u64; OFFSETS as usize] {
    std::array::from_fn(|offset| {
        published
            .iter()
            .map(|(alignment, weight)| (alignment.min(&OFFSETS), weight))
            .filter(|(alignment, _)| (offset as u64).is_multiple_of(**alignment))
            // Of OFFSETS offsets, OFFSETS / alignment have it.
            .map(|(alignment, weight)| weight * alignment)
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_weights_are_shared_among_offsets() {
        let source = Alignments::Spec2017.source();
        assert_eq!(source.iter().sum::<u64>(), 1024 * OFFSETS);
        assert_eq!(source[1], 18);
        assert_eq!(source[2], 18 + 2 * 14);
        assert_eq!(source[4], 18 + 2 * 14 + 4 * 79);
        assert_eq!(source[0], source[4] + 8 * (153 + 168 + 292 + 300));
        let destination = Alignments::Spec2017.destination();
        assert_eq!(destination.iter().sum::<u64>(), 1024 * OFFSETS);
    }
}
