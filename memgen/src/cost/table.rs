//! A cost as a table for people.

use std::fmt;

use super::{Cell, Cost, Scenario, Sizes};

/// Sizes with a row of their own.
const ROWS: [u64; 19] = [
    0, 1, 2, 4, 7, 8, 15, 16, 24, 31, 32, 48, 64, 128, 256, 512, 1024, 1500, 4096,
];

const LEGEND: &str = "\
instructions a call, its ret among them, and jumps taken before the ret;
means over the addresses of source and destination modulo 8";

/// `Display` shows the size of the code, and for each scenario a row for each size that [`Table::sizes`] gives.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a>(
    /// What is shown.
    pub &'a Cost,
);

/// A column: its heading, the cells it takes the mean of, and what it takes of each.
struct Column {
    heading: &'static str,
    takes: fn(&Cell, u64) -> bool,
    value: fn(&Cell) -> u64,
}

impl Column {
    const fn new(
        heading: &'static str,
        takes: fn(&Cell, u64) -> bool,
        value: fn(&Cell) -> u64,
    ) -> Column {
        Column {
            heading,
            takes,
            value,
        }
    }

    /// Characters of the column: its heading or a large number, and a gap.
    fn width(&self) -> usize {
        2 + self.heading.len().max(7)
    }
}

const COPY: [Column; 6] = [
    Column::new("both aligned", both_aligned, instructions),
    Column::new("co-aligned", co_aligned, instructions),
    Column::new("half-congruent", half_congruent, instructions),
    Column::new("other", other, instructions),
    Column::new("all", all, instructions),
    Column::new("taken", all, taken),
];
const FILL: [Column; 3] = [
    Column::new("aligned", both_aligned, instructions),
    Column::new("all", all, instructions),
    Column::new("taken", all, taken),
];

fn both_aligned(cell: &Cell, word: u64) -> bool {
    cell.source_offset.is_multiple_of(word) && cell.destination_offset.is_multiple_of(word)
}

fn co_aligned(cell: &Cell, word: u64) -> bool {
    cell.source_offset % word == cell.destination_offset % word
}

/// Nothing is congruent modulo half a byte alone.
fn half_congruent(cell: &Cell, word: u64) -> bool {
    word > 1 && !co_aligned(cell, word) && co_aligned(cell, word / 2)
}

fn other(cell: &Cell, word: u64) -> bool {
    !co_aligned(cell, word) && !half_congruent(cell, word)
}

fn all(_: &Cell, _: u64) -> bool {
    true
}

fn instructions(cell: &Cell) -> u64 {
    cell.counts.instructions
}

fn taken(cell: &Cell) -> u64 {
    cell.counts.taken
}

impl Table<'_> {
    /// The sizes that have a row.
    pub fn sizes() -> Sizes {
        Sizes::new(ROWS).expect("no row is that large")
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table(cost) = self;
        let (bytes, xlen, word) = (
            cost.code_bytes,
            cost.xlen,
            u64::from(cost.word_bytes.max(1)),
        );
        writeln!(f, "{bytes} bytes of code, RV{xlen}, {word}-byte words")?;
        writeln!(f, "{LEGEND}")?;
        for cells in cost.cells.chunk_by(|a, b| a.scenario == b.scenario) {
            let scenario = cells[0].scenario;
            let columns: &[Column] = match scenario {
                Scenario::Memset | Scenario::ClearUser => &FILL,
                _ => &COPY,
            };
            writeln!(f, "\n{scenario}: {}", describe(scenario))?;
            write!(f, "{:>6}", "size")?;
            for column in columns {
                write!(f, "{:>1$}", column.heading, column.width())?;
            }
            writeln!(f)?;
            for cells in cells.chunk_by(|a, b| a.size == b.size) {
                if ROWS.contains(&cells[0].size) {
                    row(f, cells, columns, word)?;
                }
            }
        }
        Ok(())
    }
}

/// The line of one size, of which `cells` are all.
fn row(f: &mut fmt::Formatter<'_>, cells: &[Cell], columns: &[Column], word: u64) -> fmt::Result {
    write!(f, "{:>6}", cells[0].size)?;
    for column in columns {
        let taken = cells.iter().filter(|cell| (column.takes)(cell, word));
        let (count, sum) = taken.fold((0_u64, 0), |(count, sum), cell| {
            (count + 1, sum + (column.value)(cell))
        });
        let mean = match count {
            0 => "-".to_owned(),
            _ => format!("{:.1}", sum as f64 / count as f64),
        };
        write!(f, "{mean:>0$}", column.width())?;
    }
    writeln!(f)
}

fn describe(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Memcpy => "two blocks",
        Scenario::MemmoveApart => "the destination far above the source",
        Scenario::MemmoveUp => "the destination 16 bytes above the source",
        Scenario::MemmoveDown => "the destination 16 bytes below the source",
        Scenario::Memset => "a byte that is not zero",
        Scenario::CopyUser => "no fault",
        Scenario::ClearUser => "no fault",
    }
}
