use super::*;
use crate::verify::value::Base;

/// Where the objects lie and what the bytes hold, in one of all the states that a value stands for.
struct State {
    random: u64,
    source: u64,
    destination: u64,
    stack: u64,
    bytes: [u8; 16],
}

/// First label of a state's bytes.
const FIRST: Label = 0x400;

impl State {
    fn next(&mut self) -> u64 {
        // xorshift64
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn pick(&mut self, bound: u64) -> u64 {
        (self.next() >> 20) % bound
    }

    fn shuffle(&mut self, xlen: Xlen) {
        let places = [(); 3].map(|()| self.next() & xlen.mask() & !7);
        [self.source, self.destination, self.stack] = places;
        // The stack lies anywhere.
        self.stack |= self.pick(8);
        for index in 0..self.bytes.len() {
            self.bytes[index] = self.next() as u8;
        }
    }

    fn constant(&mut self, xlen: Xlen) -> u64 {
        let pattern = [
            0,
            1,
            7,
            8,
            32,
            63,
            255,
            0x0101_0101_0101_0101,
            0xff00_00ff_ffff_0000,
        ];
        let number = match self.pick(4) {
            0 => self.next(),
            1 => 1 << self.pick(64),
            _ => pattern[self.pick(9) as usize],
        };
        let flipped = if self.pick(3) == 0 { !number } else { number };
        flipped & xlen.mask()
    }

    /// A value with its number in this state.
    fn value(&mut self, xlen: Xlen) -> (Value, u64) {
        let offset = self.pick(64);
        match self.pick(6) {
            0 => {
                let base = [Base::Source, Base::Destination, Base::Stack][self.pick(3) as usize];
                let place = match base {
                    Base::Source => self.source,
                    Base::Destination => self.destination,
                    _ => self.stack,
                };
                (
                    Value::pointer(base, offset),
                    place.wrapping_add(offset) & xlen.mask(),
                )
            }
            1 | 2 => {
                let number = self.constant(xlen);
                (Value::known(number), number)
            }
            _ => {
                let bytes = xlen.bits as usize / 8;
                let first = self.pick(8) as usize;
                let zeros = self.pick(9) as usize;
                let label = |byte: usize| match byte < bytes - zeros.min(bytes) {
                    true => FIRST + (first + byte) as Label,
                    false => 0,
                };
                let value = Value::from_lanes(lanes(xlen, label));
                let number = (0..bytes).rev().fold(0, |number, byte| {
                    let held = match label(byte) {
                        0 => 0,
                        label => self.bytes[usize::from(label - FIRST)],
                    };
                    number << 8 | u64::from(held)
                });
                (value, number)
            }
        }
    }

    /// Whether `value` can be `number` in this state; and how many bits of it are known.
    fn allows(&self, table: &BitTable, xlen: Xlen, value: Value, number: u64) -> (bool, u32) {
        if let View::Address { .. } = value.view() {
            let place = match value.place() {
                Some((Base::Source, offset)) => self.source.wrapping_add(offset),
                Some((Base::Destination, offset)) => self.destination.wrapping_add(offset),
                Some((Base::Stack, offset)) => self.stack.wrapping_add(offset),
                // Sums of several are checked through their low bits.
                _ => return self.allows_bits(table, xlen, value, number),
            };
            return (place & xlen.mask() == number, xlen.bits);
        }
        self.allows_bits(table, xlen, value, number)
    }

    fn allows_bits(&self, table: &BitTable, xlen: Xlen, value: Value, number: u64) -> (bool, u32) {
        let bits = table.split(xlen, value);
        let (mut right, mut known) = (true, 0);
        for (index, bit) in bits[..xlen.bits as usize].iter().enumerate() {
            let expected = match *bit {
                UNKNOWN_BIT => continue,
                ZERO | ONE => u64::from(*bit),
                label => {
                    let byte = self.bytes[(label / 8) as usize - usize::from(FIRST)];
                    u64::from(byte >> (label % 8) & 1)
                }
            };
            known += 1;
            right &= expected == number >> index & 1;
        }
        (right, known)
    }
}

const OPS: [Alu; 20] = [
    Alu::Add,
    Alu::Sub,
    Alu::ShiftLeft,
    Alu::ShiftRight,
    Alu::ShiftRightSigned,
    Alu::Less,
    Alu::Below,
    Alu::And,
    Alu::Or,
    Alu::Xor,
    Alu::Multiply,
    Alu::MultiplyHigh,
    Alu::MultiplyHighMixed,
    Alu::MultiplyHighUnsigned,
    Alu::Divide,
    Alu::DivideUnsigned,
    Alu::Remainder,
    Alu::RemainderUnsigned,
    Alu::Pack,
    Alu::PackBytes,
];

/// `a op b` over numbers, at the width of `xlen`.
fn compute(xlen: Xlen, op: Alu, a: u64, b: u64) -> u64 {
    match xlen.alu(op, Value::known(a), Value::known(b)).view() {
        View::Known(number) => number,
        other => panic!("{op:?} of numbers is {other:?}"),
    }
}

/// Random programs over random values: whatever bytes and bits say about a result holds in the state in which the program is
/// run with numbers. What numbers do is compared with QEMU and with real machines elsewhere.
#[test]
fn what_is_known_is_right() {
    for xlen in [Xlen::new(32, 4), Xlen::new(64, 8)] {
        let mut state = State {
            random: 0x9e37_79b9_7f4a_7c15,
            source: 0,
            destination: 0,
            stack: 0,
            bytes: [0; 16],
        };
        let mut known = [0_u64; OPS.len()];
        for _ in 0..4000 {
            state.shuffle(xlen);
            let mut table = BitTable::default();
            let mut held: Vec<(Value, u64)> = (0..4).map(|_| state.value(xlen)).collect();
            for _ in 0..12 {
                let index = state.pick(OPS.len() as u64) as usize;
                let op = OPS[index];
                let (a, a_number) = held[state.pick(held.len() as u64) as usize];
                let (b, b_number) = match state.pick(2) {
                    0 => held[state.pick(held.len() as u64) as usize],
                    _ => {
                        let number = state.constant(xlen);
                        (Value::known(number), number)
                    }
                };
                let words = [
                    Alu::Add,
                    Alu::Sub,
                    Alu::ShiftLeft,
                    Alu::ShiftRight,
                    Alu::ShiftRightSigned,
                ];
                let (value, number) =
                    if xlen.bits == 64 && words.contains(&op) && state.pick(4) == 0 {
                        let vague = xlen.alu_word(op, a, b);
                        let word = xlen.low_word();
                        let low = compute(word, op, a_number & word.mask(), b_number & word.mask());
                        let refined = match vague.is_vague() {
                            true => table.alu_word(xlen, op, a, b, vague),
                            false => vague,
                        };
                        (refined, word.signed(low) as u64)
                    } else {
                        let vague = xlen.alu(op, a, b);
                        let refined = match vague.is_vague() {
                            true => table.alu(xlen, op, a, b, vague),
                            false => vague,
                        };
                        (refined, compute(xlen, op, a_number, b_number))
                    };
                let (right, bits) = state.allows(&table, xlen, value, number);
                assert!(
                    right,
                    "{op:?} of {:?} = {a_number:#x} and {:?} = {b_number:#x} is {:?}, not {number:#x}",
                    a.view(),
                    b.view(),
                    value.view()
                );
                known[index] += u64::from(bits);
                held.push((value, number));
            }
        }
        // Each operation tells something, or nothing would be tested.
        assert!(known.iter().all(|bits| *bits > 1000), "{known:?}");
    }
}

fn labels(first: Label) -> Value {
    Value::from_lanes(lanes(Xlen::new(64, 8), |byte| first + byte as Label))
}

/// A funnel shift as compilers write it: by one, then by what is left.
#[test]
fn shifts_that_add_up_to_bytes_give_bytes() {
    let xlen = Xlen::new(64, 8);
    let mut table = BitTable::default();
    let mut compute = |op, a, b| {
        let value = xlen.alu(op, a, b);
        if value.is_vague() {
            table.alu(xlen, op, a, b, value)
        } else {
            value
        }
    };
    let count = Value::known(24);
    let down = compute(Alu::ShiftRight, labels(0x400), count);
    let one = compute(Alu::ShiftLeft, labels(0x408), Value::known(1));
    assert!(matches!(one.view(), View::Bits(_)));
    let rest = compute(Alu::Xor, count, Value::known(63));
    let up = compute(Alu::ShiftLeft, one, rest);
    assert_eq!(compute(Alu::Or, down, up), labels(0x403));
    assert_eq!(compute(Alu::Add, down, up), labels(0x403));
    // One bit too few, and bytes stay out of step.
    let up = compute(Alu::ShiftLeft, one, Value::known(38));
    assert!(matches!(compute(Alu::Or, down, up).view(), View::Bits(_)));
}

/// A byte in every byte, by a multiplication of 128 bits whose upper half is taken.
#[test]
fn products_repeat_a_byte() {
    let xlen = Xlen::new(64, 8);
    let mut table = BitTable::default();
    let byte = Value::from_lanes(0x400);
    let top = xlen.alu(Alu::ShiftLeft, byte, Value::known(56));
    let repeated = Value::from_lanes(lanes(xlen, |byte| if byte < 4 { 0x400 } else { 0 }));
    let (high, pattern) = (Alu::MultiplyHighUnsigned, Value::known(0x1_0101_0100));
    let vague = xlen.alu(high, top, pattern);
    assert_eq!(table.alu(xlen, high, top, pattern, vague), repeated);
    // Where the copies overlap, what is carried is unknown.
    let vague = xlen.alu(high, top, Value::known(0x1800));
    let sum = table.alu(xlen, high, top, Value::known(0x1800), vague);
    assert_ne!(table.lanes(xlen, sum) & LANE, 0x400);
}
