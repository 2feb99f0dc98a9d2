//! How a plan is shown: a line for each decision.

use std::fmt;

use super::{FaultTable, Form, Plan, Strategy, UserAccess};

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Aligned => "aligned: every access can be aligned",
            Strategy::Bytes => "bytes: not co-aligned means byte by byte",
            Strategy::Shift => "shift: not co-aligned means shift-merge of aligned words",
            Strategy::Native => "native: misaligned accesses, overlapping first and last word",
        })
    }
}

/// A line for each decision: name, value, derivation.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "op           {}", self.op)?;
        writeln!(f, "symbol       {}", self.symbol)?;
        writeln!(
            f,
            "isa          {}, {}-bit registers",
            self.isa.base(),
            self.isa.xlen
        )?;
        writeln!(f, "word         {} bytes", self.word_bytes())?;
        writeln!(f, "strategy     {}", self.strategy)?;
        match self.form {
            Form::Portable(_) => writeln!(f, "shape        portable Rust, stepped")?,
            _ => writeln!(f, "shape        {}", self.form.shape())?,
        }
        writeln!(f, "over-read    {}", self.over_read)?;
        if matches!(self.form, Form::Stepped | Form::Portable(_)) {
            writeln!(f, "small        {}", self.small)?;
        }
        if matches!(self.form, Form::Stepped | Form::Overlap(_)) {
            write!(f, "{}", self.registers)?;
        }
        write!(f, "{}", self.form)?;
        writeln!(f, "block        {}", self.block)?;
        if let Some(block) = &self.shift_block {
            writeln!(f, "shift block  {block}")?;
        }
        if self.packs_halves {
            writeln!(f, "half a word  packed, a way of its own")?;
        }
        if let Some(bytes) = self.prefetch {
            writeln!(f, "prefetch     {bytes} bytes ahead, once a block")?;
        }
        for line in self.user.iter().flat_map(UserAccess::lines) {
            writeln!(f, "{line}")?;
        }
        for threshold in self.thresholds() {
            writeln!(f, "threshold    {threshold}")?;
        }
        Ok(())
    }
}

impl UserAccess {
    /// A line for each decision.
    fn lines(&self) -> [String; 4] {
        let blocks = match (self.source, self.destination) {
            (true, true) => "source and destination",
            (true, false) => "source",
            _ => "destination",
        };
        let sum = match self.sets_sum {
            true => "set on entry, cleared on every exit",
            false => "left to the caller",
        };
        [
            format!("user memory  {blocks}"),
            format!("fault        {}", self.recovery.shown()),
            format!("fault table  {}", self.table),
            format!("SUM          {sum}"),
        ]
    }
}

impl fmt::Display for FaultTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultTable::Pairs(section) => write!(f, "pairs of relative addresses in {section}"),
            FaultTable::Typed(release) => {
                write!(
                    f,
                    "__ex_table of Linux {}.{}: relative, with a type",
                    release.major, release.minor
                )
            }
            FaultTable::Addresses(release) => {
                write!(
                    f,
                    "__ex_table of Linux {}.{}: pairs of addresses",
                    release.major, release.minor
                )
            }
        }
    }
}

impl Plan {
    /// What the header of a file says of the plan: the values worked out, one a line.
    pub(crate) fn derived(&self) -> Vec<String> {
        let mut lines = vec![
            format!("word         {} bytes", self.word_bytes()),
            format!("block        {}", self.block),
        ];
        lines.extend(
            self.shift_block
                .iter()
                .map(|block| format!("shift block  {block}")),
        );
        if self.bulk.bytes > 1 {
            lines.push(format!(
                "bulk         from {} bytes: {}",
                self.bulk.bytes, self.bulk.why
            ));
        }
        lines.extend(self.user.iter().flat_map(UserAccess::lines));
        lines
    }
}
