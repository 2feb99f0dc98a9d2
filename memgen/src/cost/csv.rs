//! A cost as comma separated values, a line a cell.

use std::fmt::Write;

use super::Cost;

const HEADER: &str = "op,xlen,size,source_offset,dst_offset,instructions,loads,stores,taken\n";

impl Cost {
    /// All cells as CSV with the header `op,xlen,size,source_offset,dst_offset,instructions,loads,stores,taken`.
    pub fn csv(&self) -> String {
        let mut text = HEADER.to_owned();
        for cell in &self.cells {
            let counts = cell.counts;
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{}",
                cell.scenario,
                self.xlen,
                cell.size,
                cell.source_offset,
                cell.destination_offset,
                counts.instructions,
                counts.loads,
                counts.stores,
                counts.taken,
            );
        }
        text
    }
}
