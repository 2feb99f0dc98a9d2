//! The sizes of a table.

use std::fmt;

/// The largest size that can be counted, in bytes: the machine keeps a label for every byte of the blocks.
pub const LARGEST_SIZE: u64 = crate::verify::LARGEST_SIZE;

/// Every size up to here is in the standard matrix.
const EVERY_SIZE_TO: u64 = 64;

/// The larger sizes of the standard matrix: powers of two and their neighbours, and sizes that buffers have.
const LARGER_SIZES: [u64; 30] = [
    72, 80, 96, 100, 112, 120, 127, 128, 129, 144, 160, 192, 200, 224, 255, 256, 257, 300, 384,
    500, 511, 512, 513, 768, 1000, 1024, 1500, 2048, 4096, 8192,
];

/// Sizes in bytes, ascending, each once, none above [`LARGEST_SIZE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<u64>);

impl Sizes {
    /// These sizes, in whatever order they come.
    ///
    /// # Errors
    /// The first size above [`LARGEST_SIZE`].
    pub fn new(sizes: impl IntoIterator<Item = u64>) -> Result<Sizes, TooLarge> {
        let sizes: Vec<u64> = sizes.into_iter().collect();
        if let Some(size) = sizes.iter().find(|size| **size > LARGEST_SIZE) {
            return Err(TooLarge(*size));
        }
        Ok(Sizes(Vec::new()).and(Sizes(sizes)))
    }

    /// The standard matrix: 0 to 64, and 30 sizes up to 8192.
    pub fn standard() -> Sizes {
        Sizes((0..=EVERY_SIZE_TO).chain(LARGER_SIZES).collect())
    }

    /// These sizes and `more`.
    pub fn and(self, more: Sizes) -> Sizes {
        let mut sizes = [self.0, more.0].concat();
        sizes.sort_unstable();
        sizes.dedup();
        Sizes(sizes)
    }

    /// The sizes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }
}

/// A size above [`LARGEST_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(
    /// The size in bytes.
    pub u64,
);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "size {} is above {LARGEST_SIZE}, the largest", self.0)
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_and_the_standard_has_95() {
        let some = Sizes::new([9, 3, 9, LARGEST_SIZE]).unwrap();
        assert_eq!(some.iter().collect::<Vec<_>>(), [3, 9, LARGEST_SIZE]);
        assert_eq!(Sizes::standard().iter().count(), 95);
        assert_eq!(Sizes::new(Sizes::standard().iter()), Ok(Sizes::standard()));
        let above = LARGEST_SIZE + 1;
        assert_eq!(Sizes::new([1, above]), Err(TooLarge(above)));
    }
}
