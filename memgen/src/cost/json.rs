//! A cost as JSON, for programs.

use miniserde::Serialize;

use super::{Cell, Cost, Counts, Mean};

#[derive(Serialize)]
struct Document<'a> {
    command: &'a str,
    xlen: u32,
    word_bytes: u32,
    code_bytes: u64,
    totals: Vec<Total>,
    means: Vec<MeanLine>,
    cells: Vec<CellLine>,
}

/// Sums over all cells of a scenario.
#[derive(Serialize)]
struct Total {
    op: &'static str,
    cells: u64,
    instructions: u64,
    loads: u64,
    stores: u64,
    taken: u64,
}

#[derive(Serialize)]
struct MeanLine {
    op: &'static str,
    alignments: &'static str,
    instructions: f64,
}

/// The columns of the CSV.
#[derive(Serialize)]
struct CellLine {
    op: &'static str,
    size: u64,
    source_offset: u64,
    dst_offset: u64,
    instructions: u64,
    loads: u64,
    stores: u64,
    taken: u64,
}

/// The cells of `cost`, their sums, and `means` of them, under the `command` that makes the routine; on one line.
pub(crate) fn json(command: &str, cost: &Cost, means: &[Mean]) -> String {
    let document = Document {
        command,
        xlen: cost.xlen,
        word_bytes: cost.word_bytes,
        code_bytes: cost.code_bytes,
        totals: cost
            .cells
            .chunk_by(|a, b| a.scenario == b.scenario)
            .map(total)
            .collect(),
        means: means
            .iter()
            .map(|mean| MeanLine {
                op: mean.scenario.name(),
                alignments: mean.alignments.name(),
                instructions: mean.instructions,
            })
            .collect(),
        cells: cost.cells.iter().map(line).collect(),
    };
    miniserde::json::to_string(&document) + "\n"
}

fn total(cells: &[Cell]) -> Total {
    let sum = |count: fn(&Counts) -> u64| cells.iter().map(|cell| count(&cell.counts)).sum();
    Total {
        op: cells[0].scenario.name(),
        cells: cells.len() as u64,
        instructions: sum(|counts| counts.instructions),
        loads: sum(|counts| counts.loads),
        stores: sum(|counts| counts.stores),
        taken: sum(|counts| counts.taken),
    }
}

fn line(cell: &Cell) -> CellLine {
    CellLine {
        op: cell.scenario.name(),
        size: cell.size,
        source_offset: cell.source_offset,
        dst_offset: cell.destination_offset,
        instructions: cell.counts.instructions,
        loads: cell.counts.loads,
        stores: cell.counts.stores,
        taken: cell.counts.taken,
    }
}
