//! Integer registers, their ABI names, and sets of them.

use std::fmt;

/// An integer register, x0 to x31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(u8);

/// ABI names by number (RISC-V psABI, "Integer Register Convention").
const NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];

impl Reg {
    /// The constant zero, x0.
    pub const ZERO: Reg = Reg(0);
    /// The return address, x1.
    pub const RA: Reg = Reg(1);
    /// The stack pointer, x2.
    pub const SP: Reg = Reg(2);
    /// t2, x7: an indirect jump through it needs no landing pad (Zicfilp).
    pub const T2: Reg = Reg(7);
    /// First argument and return value, x10.
    pub const A0: Reg = Reg(10);
    /// Second argument, x11.
    pub const A1: Reg = Reg(11);
    /// Third argument, x12.
    pub const A2: Reg = Reg(12);

    /// Register number `number` (0 to 31), `None` above.
    pub fn from_number(number: u32) -> Option<Reg> {
        (number < 32).then_some(Reg(number as u8))
    }

    /// The register called `name`: an ABI name, `fp`, or `x0` to `x31`.
    pub fn from_name(name: &str) -> Option<Reg> {
        if name == "fp" {
            return Some(Reg(8));
        }
        let number = match name.strip_prefix('x') {
            Some(digits) => digits.parse().ok()?,
            None => NAMES.iter().position(|known| *known == name)? as u32,
        };
        Reg::from_number(number)
    }

    /// 0 to 31.
    pub fn number(self) -> u32 {
        u32::from(self.0)
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.0 as usize])
    }
}

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegSet(u32);

impl RegSet {
    /// Caller-saved registers a routine may use freely: t0-t2, a0-a7, t3-t6; ra is left out.
    pub const CALLER_SAVED: RegSet = RegSet(0xf003_fce0);

    /// Caller-saved registers of the E bases (x0 to x15 only): t0-t2, a0-a5.
    pub const CALLER_SAVED_E: RegSet = RegSet(0x0000_fce0);

    /// Callee-saved registers: s0-s11; sp is left out.
    pub const CALLEE_SAVED: RegSet = RegSet(0x0ffc_0300);

    /// Callee-saved registers of the E bases: s0, s1.
    pub const CALLEE_SAVED_E: RegSet = RegSet(0x0000_0300);

    /// Adds `reg`; x0 never counts.
    pub fn insert(&mut self, reg: Reg) {
        if reg != Reg::ZERO {
            self.0 |= 1 << reg.0;
        }
    }

    /// Whether `reg` is in the set.
    pub fn contains(self, reg: Reg) -> bool {
        self.0 >> reg.0 & 1 == 1
    }

    /// The registers of this set that are not in `other`.
    pub fn without(self, other: RegSet) -> RegSet {
        RegSet(self.0 & !other.0)
    }

    /// How many.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// By number, ascending.
    pub fn iter(self) -> impl Iterator<Item = Reg> {
        (0..32u8).map(Reg).filter(move |reg| self.contains(*reg))
    }
}

impl FromIterator<Reg> for RegSet {
    fn from_iter<I: IntoIterator<Item = Reg>>(regs: I) -> Self {
        let mut set = RegSet::default();
        regs.into_iter().for_each(|reg| set.insert(reg));
        set
    }
}

/// `a1-a7, t0-t6`: neighbours of one letter joined, arguments first, as in the kernel's own comments.
impl fmt::Display for RegSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<(char, u32)> = Vec::new();
        let mut special = Vec::new();
        for reg in self.iter() {
            let name = NAMES[reg.0 as usize];
            match name[1..].parse() {
                Ok(index) => names.push((name.as_bytes()[0].into(), index)),
                Err(_) => special.push(name.to_owned()),
            }
        }
        names.sort_unstable();
        let mut runs: Vec<(char, u32, u32)> = Vec::new();
        for (letter, index) in names {
            match runs.last_mut() {
                Some((l, _, last)) if *l == letter && *last + 1 == index => *last = index,
                _ => runs.push((letter, index, index)),
            }
        }
        let text = runs
            .into_iter()
            .map(|(letter, first, last)| {
                if first == last {
                    format!("{letter}{first}")
                } else {
                    format!("{letter}{first}-{letter}{last}")
                }
            })
            .chain(special);
        f.write_str(&text.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for number in 0..32 {
            let reg = Reg::from_number(number).unwrap();
            assert_eq!(Reg::from_name(&reg.to_string()), Some(reg));
            assert_eq!(Reg::from_name(&format!("x{number}")), Some(reg));
        }
        assert_eq!(Reg::from_name("x32"), None);
        assert_eq!(Reg::from_name("t7"), None);
    }

    #[test]
    fn sets_print_as_ranges() {
        assert_eq!(RegSet::CALLER_SAVED.to_string(), "a0-a7, t0-t6");
        assert_eq!(RegSet::CALLER_SAVED_E.to_string(), "a0-a5, t0-t2");
        assert_eq!(RegSet::CALLEE_SAVED.to_string(), "s0-s11");
        assert_eq!(RegSet::CALLEE_SAVED_E.to_string(), "s0-s1");
        let some: RegSet = [Reg::A0, Reg::A2, Reg::RA].into_iter().collect();
        assert_eq!(some.to_string(), "a0, a2, ra");
    }
}
