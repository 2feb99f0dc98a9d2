//! Loads, stores and cache-block operations of a [`Machine`], each against the rules.

use super::decode::{Alu, Decoded};
use super::fault::Fault;
use super::machine::{Machine, Stop};
use super::memory::Place;
use super::value::{Base, Value};

impl Machine<'_> {
    pub(super) fn place(&self, inst: &Decoded) -> Result<Place, Stop> {
        let xlen = self.xlen;
        let base = self.registers[usize::from(inst.rs1 & 31)];
        let value = xlen.alu(Alu::Add, base, Value::known(inst.imm as u64 & xlen.mask()));
        match value.place() {
            Some((base, offset)) => Ok(Place { base, offset }),
            None => Err(Fault::UnknownAddress { value }.into()),
        }
    }

    /// The slot of the frame at `place`: a whole register, aligned, below sp as it was on entry and no lower than the frame.
    fn slot(&self, place: Place, bytes: u8) -> Result<usize, Stop> {
        let whole =
            u32::from(bytes) * 8 == self.xlen.bits && place.offset.is_multiple_of(bytes.into());
        let depth = place.offset.wrapping_add(self.rules.frame_bytes) & self.xlen.mask();
        if whole && depth < self.rules.frame_bytes {
            return Ok((depth / u64::from(bytes)) as usize);
        }
        Err(Fault::OutsideFrame { place, bytes }.into())
    }

    /// Width and alignment of an access.
    fn check(&self, place: Place, bytes: u8) -> Result<(), Stop> {
        if bytes > self.rules.word_bytes {
            return Err(Fault::TooWide { bytes }.into());
        }
        if !self.rules.misaligned && place.offset & (u64::from(bytes) - 1) != 0 {
            return Err(Fault::Misaligned { place, bytes }.into());
        }
        Ok(())
    }

    pub(super) fn load(&mut self, inst: &Decoded, bytes: u8, signed: bool) -> Result<Value, Stop> {
        let xlen = self.xlen;
        self.counts.loads += 1;
        let place = self.place(inst)?;
        if place.base == Base::Stack {
            return Ok(self.stack[self.slot(place, bytes)?]);
        }
        self.check(place, bytes)?;
        if self.memory.loads.find(place, bytes.into(), xlen).is_none() {
            return Err(Fault::LoadOutside { place, bytes }.into());
        }
        let lanes = self
            .memory
            .load(place, bytes.into())
            .map_err(|_| Stop::LeftWindow)?;
        let value = Value::from_lanes(lanes);
        Ok(if signed {
            xlen.sign_extend(value, bytes.into())
        } else {
            value
        })
    }

    pub(super) fn store(&mut self, inst: &Decoded, bytes: u8) -> Result<(), Stop> {
        let xlen = self.xlen;
        self.counts.stores += 1;
        let place = self.place(inst)?;
        if place.base == Base::Stack {
            let slot = self.slot(place, bytes)?;
            self.stack[slot] = self.registers[usize::from(inst.rs2 & 31)];
            return Ok(());
        }
        self.check(place, bytes)?;
        if self.memory.stores.find(place, bytes.into(), xlen).is_none() {
            return Err(Fault::StoreOutside { place, bytes }.into());
        }
        let lanes = self.registers[usize::from(inst.rs2 & 31)].lanes(xlen);
        self.memory
            .store(place, bytes.into(), lanes)
            .map_err(|_| Stop::LeftWindow)
    }

    /// cbo.zero: zeros in the whole cache block that holds the address.
    pub(super) fn clear_block(&mut self, index: usize, inst: &Decoded) -> Result<(), Stop> {
        let block = self.rules.zero_block;
        if block == 0 {
            let word = self.code.words[index];
            return Err(Fault::Undecodable { word }.into());
        }
        self.counts.stores += 1;
        let Place { base, offset } = self.place(inst)?;
        let start = Place {
            base,
            offset: offset & !(block - 1),
        };
        if self.memory.stores.find(start, block, self.xlen).is_none() {
            let bytes = block.min(255) as u8;
            return Err(Fault::StoreOutside {
                place: start,
                bytes,
            }
            .into());
        }
        for word in (0..block).step_by(8) {
            let place = Place {
                base,
                offset: start.offset.wrapping_add(word) & self.xlen.mask(),
            };
            self.memory
                .store(place, 8, 0)
                .map_err(|_| Stop::LeftWindow)?;
        }
        Ok(())
    }
}
