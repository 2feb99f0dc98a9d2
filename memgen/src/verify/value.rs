//! Register values over byte provenance: each byte of a value is known to be a certain byte of the initial state,
//! a constant, or unknown; pointers are an object and an offset, never a number.

/// Label of one byte: 0 to 255 is that constant, [`UNKNOWN`] says nothing, anything else names a byte of the initial state. The
/// top bit is never set.
pub(super) type Label = u16;

/// A byte about which nothing is known.
pub(super) const UNKNOWN: Label = 0x7fff;

/// Things a pointer can point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Base {
    /// No object: the address is a number.
    Absolute,
    Source,
    Destination,
    /// What sp points to.
    Stack,
    /// The routine's own code.
    Code,
    /// What ra points to.
    Return,
}

/// How often each object's unknown base address is part of a value: a signed byte for each [`Base`] but the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bases([i8; 5]);

impl Bases {
    /// `f` applied to each count and `other`'s; `None` where a count leaves its byte.
    pub(super) fn zip(self, other: Bases, f: impl Fn(i8, i8) -> Option<i8>) -> Option<Bases> {
        let mut counts = self.0;
        for (count, other) in counts.iter_mut().zip(other.0) {
            *count = f(*count, other)?;
        }
        Some(Bases(counts))
    }

    /// Whether a base is part of it whose place is not even known modulo a register: blocks come in every residue, but the caller's
    /// stack and code, and this code, lie where they lie.
    fn has_hidden(self) -> bool {
        let [_source, _destination, hidden @ ..] = self.0;
        hidden != [0; 3]
    }

    /// Every count is a multiple of 2 to this.
    fn scale_log2(self) -> u32 {
        let nonzero = self.0.into_iter().filter(|count| *count != 0);
        nonzero.map(i8::trailing_zeros).min().unwrap_or(0)
    }

    fn pack(self) -> u64 {
        let [a, b, c, d, e] = self.0.map(i8::cast_unsigned);
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
    }

    fn unpack(packed: u64) -> Bases {
        let [a, b, c, d, e, ..] = packed.to_le_bytes();
        Bases([a, b, c, d, e].map(u8::cast_signed))
    }
}

/// The value of a register, packed so that it travels in two machine registers: either eight labels of 16 bits whose top bits are
/// clear, byte 0 lowest; or, with the topmost bit set, what [`View`] tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value(u128);

/// A value taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// A number, zero extended from the register width.
    Known(u64),
    /// Base addresses plus an offset; at least one base is part of it.
    Address { bases: Bases, offset: u64 },
    /// The low `bits` bits are known.
    Residue { residue: u64, bits: u32 },
    /// A label for each byte, 16 bits each; at least one is no constant.
    Bytes(u128),
    /// A label for each bit, since bytes do not suffice: number so many of the machine's [`super::bits::BitTable`].
    Bits(u32),
}

/// Register width in bits, with the arithmetic that depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xlen {
    pub(super) bits: u32,
    /// Blocks are tried at every residue modulo 2 to this, and lie nowhere in particular beyond that: so many low bits of
    /// their addresses are known, and no decision may hang on a higher one.
    granule_log2: u32,
}

/// A lane of [`View::Bytes`].
pub(super) const LANE: u128 = 0xffff;
/// The top bit of every lane.
const TOPS: u128 = 0x8000_8000_8000_8000_8000_8000_8000_8000;
/// [`UNKNOWN`] in every lane.
pub(super) const UNKNOWN_LANES: u128 = !TOPS;

/// Tags of packed values: the topmost bit, and two below it.
const KNOWN: u128 = 0b100 << 125;
const ADDRESS: u128 = 0b101 << 125;
const RESIDUE: u128 = 0b110 << 125;
const BITS: u128 = 0b111 << 125;

/// The top bit of each lane that is not zero.
pub(super) fn occupied(lanes: u128) -> u128 {
    (lanes + UNKNOWN_LANES) & TOPS
}

/// Whether some lane is `label`.
pub(super) fn holds(lanes: u128, label: Label) -> bool {
    (0..8).any(|lane| (lanes >> (16 * lane)) as Label == label)
}

/// A value's bytes as lanes.
pub(super) fn spread(number: u64) -> u128 {
    number
        .to_le_bytes()
        .iter()
        .rev()
        .fold(0, |lanes, byte| lanes << 16 | u128::from(*byte))
}

/// Lanes that are all constants, as the number they make.
fn collect(lanes: u128) -> Option<u64> {
    const HIGH: u128 = 0xff00_ff00_ff00_ff00_ff00_ff00_ff00_ff00;
    (lanes & HIGH == 0).then(|| {
        let byte = |lane: u32| (lanes >> (16 * lane) & 0xff) as u64;
        (0..8)
            .rev()
            .fold(0, |number, lane| number << 8 | byte(lane))
    })
}

impl Value {
    /// A number.
    pub(super) fn known(number: u64) -> Value {
        Value(KNOWN | u128::from(number))
    }

    pub(super) fn address(bases: Bases, offset: u64) -> Value {
        match bases.pack() {
            0 => Value::known(offset),
            packed => Value(ADDRESS | u128::from(packed) << 64 | u128::from(offset)),
        }
    }

    /// What is left when only the low `bits` can be told.
    pub(super) fn from_residue(residue: u64, bits: u32) -> Value {
        let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        Value(RESIDUE | u128::from(bits) << 64 | u128::from(residue & mask))
    }

    /// Entry `number` of the machine's table of bit labels.
    pub(super) fn bits(number: u32) -> Value {
        Value(BITS | u128::from(number))
    }

    /// From lanes; a number if all of them are constants.
    pub(super) fn from_lanes(lanes: u128) -> Value {
        collect(lanes).map_or(Value(lanes), Value::known)
    }

    /// A pointer into `base`.
    pub(super) fn pointer(base: Base, offset: u64) -> Value {
        let mut counts = [0; 5];
        match base {
            Base::Absolute => return Value::known(offset),
            _ => counts[base as usize - 1] = 1,
        }
        Value::address(Bases(counts), offset)
    }

    /// What it is.
    #[inline]
    pub(super) fn view(self) -> View {
        let low = self.0 as u64;
        match self.0 >> 125 {
            0b100 => View::Known(low),
            0b101 => View::Address {
                bases: Bases::unpack((self.0 >> 64) as u64),
                offset: low,
            },
            0b110 => View::Residue {
                residue: low,
                bits: (self.0 >> 64) as u32 & 0xff,
            },
            0b111 => View::Bits(low as u32),
            _ => View::Bytes(self.0),
        }
    }

    /// The object pointed into and the offset, if this is a pointer or a number.
    #[inline]
    pub(super) fn place(self) -> Option<(Base, u64)> {
        let packed = (self.0 >> 64) as u64 & 0xff_ffff_ffff;
        let base = match (self.0 >> 125, packed) {
            (0b100, _) => Base::Absolute,
            (0b101, 0x1) => Base::Source,
            (0b101, 0x100) => Base::Destination,
            (0b101, 0x1_0000) => Base::Stack,
            (0b101, 0x100_0000) => Base::Code,
            (0b101, 0x1_0000_0000) => Base::Return,
            _ => return None,
        };
        Some((base, self.0 as u64))
    }

    /// A label for each byte.
    #[inline]
    pub(super) fn lanes(self, xlen: Xlen) -> u128 {
        match self.view() {
            View::Known(number) => spread(number),
            View::Bytes(lanes) => lanes,
            View::Address { .. } | View::Residue { .. } | View::Bits(_) => {
                UNKNOWN_LANES & xlen.lane_mask()
            }
        }
    }

    /// The low bits that are known, and how many.
    pub(super) fn low_bits(self, xlen: Xlen) -> Option<(u64, u32)> {
        match self.view() {
            View::Known(number) => Some((number, 64)),
            View::Residue { residue, bits } => Some((residue, bits)),
            View::Address { bases, .. } if bases.has_hidden() => None,
            View::Address { bases, offset } => {
                Some((offset, xlen.granule_log2 + bases.scale_log2()))
            }
            View::Bytes(_) | View::Bits(_) => None,
        }
    }

    /// Whether some byte of it is unknown that a label for each bit might tell.
    #[inline(always)]
    pub(super) fn is_vague(self) -> bool {
        self.0 & KNOWN == 0 && occupied(self.0 ^ UNKNOWN_LANES) != TOPS
    }

    /// As [`Value::is_vague`], of the low `bytes` bytes.
    #[inline(always)]
    pub(super) fn is_vague_below(self, bytes: u32) -> bool {
        self.0 & KNOWN == 0 && Value(self.0 & (u128::MAX >> (128 - 16 * bytes))).is_vague()
    }

    /// Bases and offset; a number has no base.
    pub(super) fn linear(self) -> Option<(Bases, u64)> {
        match self.view() {
            View::Known(number) => Some((Bases::default(), number)),
            View::Address { bases, offset } => Some((bases, offset)),
            _ => None,
        }
    }
}

impl Xlen {
    /// Registers of `bits` bits; blocks are tried at every residue modulo `granule_bytes`, or modulo a register if that is more.
    pub(super) fn new(bits: u32, granule_bytes: u32) -> Xlen {
        let granule_log2 = granule_bytes.max(bits / 8).ilog2();
        Xlen { bits, granule_log2 }
    }

    /// Every object lies at a multiple of this.
    pub(super) fn granule_bytes(self) -> u64 {
        1 << self.granule_log2
    }

    /// The low word of a register.
    pub(super) fn low_word(self) -> Xlen {
        Xlen { bits: 32, ..self }
    }

    /// The bits of a register.
    #[inline]
    pub(super) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    pub(super) fn lane_mask(self) -> u128 {
        u128::MAX >> (128 - 2 * self.bits)
    }

    pub(super) fn unknown(self) -> Value {
        Value(UNKNOWN_LANES & self.lane_mask())
    }

    /// As a signed number.
    pub(super) fn signed(self, number: u64) -> i64 {
        (number << (64 - self.bits)) as i64 >> (64 - self.bits)
    }
}
