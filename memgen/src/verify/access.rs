//! Loads, stores and cache-block operations of a [`Machine`], each against the rules.

use super::decode::{Alu, Decoded};
use super::fault::{Fault, Side};
use super::machine::{Machine, STACK_POINTER, Stop};
use super::memory::Place;
use super::stack::Kept;
use super::value::{Base, LANE, UNKNOWN, Value, View};

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

    /// The byte of the frame at `place`, counted from its lowest one: aligned, neither below sp as it is now nor above sp as it was
    /// on entry; a whole register where the rules ask for that.
    fn slot(&self, place: Place, bytes: u8) -> Result<usize, Stop> {
        let aligned = place.offset.is_multiple_of(bytes.into());
        if !aligned && !self.rules.misaligned && !self.rules.whole_slots {
            return Err(Fault::Misaligned { place, bytes }.into());
        }
        let fits = !self.rules.whole_slots || (aligned && u32::from(bytes) * 8 == self.xlen.bits);
        let frame = self.rules.frame_bytes;
        let depth = place.offset.wrapping_add(frame) & self.xlen.mask();
        let inside = depth < frame && frame - depth >= bytes.into();
        match self.depth() {
            Some(lowest) if fits && inside && lowest <= depth => Ok(depth as usize),
            _ => Err(Fault::OutsideFrame { place, bytes }.into()),
        }
    }

    /// How far sp is above the lowest byte of the frame, if it is in it or at its end.
    fn depth(&self) -> Option<u64> {
        match self.registers[usize::from(STACK_POINTER)].place() {
            Some((Base::Stack, offset)) => {
                let depth = offset.wrapping_add(self.rules.frame_bytes) & self.xlen.mask();
                Some(depth).filter(|depth| *depth <= self.rules.frame_bytes)
            }
            _ => None,
        }
    }

    /// Whether sp, which has just been written, stays in the frame.
    pub(super) fn check_depth(&self) -> Result<(), Stop> {
        match self.depth() {
            Some(_) => Ok(()),
            None => Err(Fault::StackPointer {
                value: self.registers[usize::from(STACK_POINTER)],
                frame_bytes: self.rules.frame_bytes,
            }
            .into()),
        }
    }

    /// What `bytes` bytes at byte `depth` of the frame hold, extended to a register.
    fn reload(&mut self, depth: usize, bytes: u8, signed: bool) -> Value {
        let xlen = self.xlen;
        let whole = u32::from(bytes) * 8 == xlen.bits;
        match self.stack.load(depth, bytes) {
            Kept::Part(value) if whole => value,
            Kept::Part(value) => match value.view() {
                View::Known(_) | View::Bytes(_) => {
                    let low = u128::MAX >> (128 - 16 * u32::from(bytes));
                    self.extend(value.lanes(xlen) & low, bytes, signed)
                }
                _ => self.bits.low_bytes(xlen, value, bytes.into(), signed),
            },
            Kept::Mixed(parts) => {
                let label = |part: &Option<(Value, u8)>| match part {
                    Some((value, byte)) => self.bits.lanes(xlen, *value) >> (16 * byte) & LANE,
                    None => UNKNOWN.into(),
                };
                let lanes = parts
                    .iter()
                    .rev()
                    .fold(0, |lanes, part| lanes << 16 | label(part));
                self.extend(lanes, bytes, signed)
            }
        }
    }

    /// `bytes` lanes with zeros or the sign above them.
    #[inline(always)]
    fn extend(&self, lanes: u128, bytes: u8, signed: bool) -> Value {
        let value = Value::from_lanes(lanes);
        if signed {
            self.xlen.sign_extend(value, bytes.into())
        } else {
            value
        }
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

    pub(super) fn load(
        &mut self,
        index: usize,
        inst: &Decoded,
        bytes: u8,
        signed: bool,
    ) -> Result<Value, Stop> {
        let xlen = self.xlen;
        let place = self.place(inst)?;
        if place.base == Base::Stack {
            let depth = self.slot(place, bytes)?;
            self.admit(index, None, place, bytes)?;
            self.counts.loads += 1;
            return Ok(self.reload(depth, bytes, signed));
        }
        self.check(place, bytes)?;
        if self.memory.loads.find(place, bytes.into(), xlen).is_none() {
            return Err(Fault::LoadOutside { place, bytes }.into());
        }
        self.admit(index, Some(Side::Source), place, bytes)?;
        self.counts.loads += 1;
        let lanes = self
            .memory
            .load(place, bytes.into())
            .map_err(|_| Stop::LeftWindow)?;
        Ok(self.extend(lanes, bytes, signed))
    }

    pub(super) fn store(&mut self, index: usize, inst: &Decoded, bytes: u8) -> Result<(), Stop> {
        let xlen = self.xlen;
        let place = self.place(inst)?;
        if place.base == Base::Stack {
            let depth = self.slot(place, bytes)?;
            self.admit(index, None, place, bytes)?;
            self.counts.stores += 1;
            let value = self.registers[usize::from(inst.rs2 & 31)];
            self.stack.store(depth, bytes, value);
            return Ok(());
        }
        self.check(place, bytes)?;
        if self.memory.stores.find(place, bytes.into(), xlen).is_none() {
            return Err(Fault::StoreOutside { place, bytes }.into());
        }
        self.admit(index, Some(Side::Destination), place, bytes)?;
        self.counts.stores += 1;
        let value = self.registers[usize::from(inst.rs2 & 31)];
        let lanes = match value.view() {
            View::Bits(_) => self.bits.lanes(xlen, value),
            _ => value.lanes(xlen),
        };
        self.memory
            .store(place, bytes.into(), lanes)
            .map_err(|_| Stop::LeftWindow)
    }

    /// cbo.zero: zeros in the whole cache block that holds the address.
    pub(super) fn clear_block(&mut self, index: usize, inst: &Decoded) -> Result<(), Stop> {
        let block = self.rules.zero_block;
        if block == 0 {
            let word = self.code.word(index);
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
