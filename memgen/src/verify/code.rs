//! A routine's machine code, addressed by halfwords.

use super::compressed::{decode_compressed, is_compressed};
use super::decode::{Decoded, decode};
use super::recoveries::Recoveries;
use super::value::Xlen;

/// The routine's machine code.
pub(super) struct Code {
    parcels: Vec<u16>,
    /// What starts at each halfword.
    pub(super) decoded: Vec<Decoded>,
    pub(super) xlen: Xlen,
    /// The fault table that belongs to it. Without one nothing is said about entries, and nothing may fault.
    pub(super) recoveries: Option<Recoveries>,
    /// Bits that are clear in every instruction's address: two without compressed ones, else one.
    clear: u64,
}

impl Code {
    /// Decodes `words`, none of which is compressed, for registers of `xlen` bits.
    pub(super) fn new(words: &[u32], xlen: u32) -> Code {
        let parcels = words
            .iter()
            .flat_map(|word| [*word as u16, (word >> 16) as u16]);
        Code {
            parcels: parcels.collect(),
            decoded: words
                .iter()
                .flat_map(|word| [decode(*word, xlen); 2])
                .collect(),
            xlen: Xlen::new(xlen, 1),
            recoveries: None,
            clear: 3,
        }
    }

    /// Decodes `parcels`, any of which may be compressed, for registers of `xlen` bits.
    pub(super) fn with_compressed(parcels: Vec<u16>, xlen: u32) -> Code {
        let inst = |index: usize| {
            let parcel = parcels[index];
            if is_compressed(parcel) {
                return decode_compressed(parcel, xlen);
            }
            // Half an instruction at the end is none.
            let word = parcels
                .get(index + 1)
                .map_or(0, |above| u32::from(*above) << 16 | u32::from(parcel));
            decode(word, xlen)
        };
        Code {
            decoded: (0..parcels.len()).map(inst).collect(),
            parcels,
            xlen: Xlen::new(xlen, 1),
            recoveries: None,
            clear: 1,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        2 * self.parcels.len() as u64
    }

    /// The code as it stands in memory.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let parcels = self.parcels.iter();
        parcels.flat_map(|parcel| parcel.to_le_bytes()).collect()
    }

    /// The code as words, where none is compressed.
    pub(super) fn words(&self) -> Vec<u32> {
        (0..self.parcels.len() / 2)
            .map(|index| self.word(2 * index))
            .collect()
    }

    /// The word, or the compressed instruction, at a halfword; zero outside.
    pub(super) fn word(&self, index: usize) -> u32 {
        let parcel = |index: usize| u32::from(self.parcels.get(index).copied().unwrap_or(0));
        let low = parcel(index);
        if self.clear == 1 && is_compressed(low as u16) {
            return low;
        }
        low | parcel(index + 1) << 16
    }

    /// The halfword of an instruction that `offset` bytes from the start are the address of.
    #[inline(always)]
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        let index = (offset / 2) as usize;
        let starts = offset & self.clear == 0 && index < self.decoded.len();
        starts.then_some(index)
    }

    /// Places of all instructions, in halfwords, from the first one on.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        let behind = |index: &usize| Some(index + usize::from(self.decoded.get(*index)?.halfwords));
        std::iter::successors(Some(0), behind).take_while(|index| *index < self.decoded.len())
    }
}
