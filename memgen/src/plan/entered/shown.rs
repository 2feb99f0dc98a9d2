//! How the decisions of the shape `entered` are shown.

use std::fmt;

use crate::spec::Op;

use super::{Ends, Entered, EnteredRegs, Halves};

/// A line for each decision.
impl fmt::Display for Entered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EnteredRegs {
            to,
            phase,
            from,
            inner,
            out,
            carried,
            scratch,
            jump,
            right,
            left,
            words,
            anchor,
        } = self.regs;
        writeln!(
            f,
            "words        from {to} (dst) and {from} (src) on, {phase} bytes {} in its word; source words from {words}",
            match self.op {
                Op::CopyToUser | Op::CopyFromUser => "behind dst",
                _ => "before dst",
            }
        )?;
        writeln!(
            f,
            "merge        counts {right} {left}, carried {carried}, word {inner}, result {out}, scratch {scratch}"
        )?;
        match anchor {
            Some(anchor) => writeln!(f, "jumps        through {jump}, counted from {anchor}")?,
            None => writeln!(
                f,
                "jumps        through {jump}, each with an auipc of its own"
            )?,
        }
        writeln!(
            f,
            "no byte      {}",
            if self.zero_first {
                "leaves at once"
            } else {
                "leaves among the small sizes"
            }
        )?;
        writeln!(f, "bytes        one by one up to {}", self.small_bytes)?;
        writeln!(f, "ends         {}", self.ends)?;
        writeln!(f, "half apart   {}", self.halves)?;
        writeln!(
            f,
            "ladders      {} words co-aligned, {} merged",
            self.ladder_units(),
            self.merge_words
        )
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ends::Inline => "inline: a complete slot for each count of bytes, in each way",
            Ends::Shared => {
                "shared: the word is made first, then stored by slots that the ways share"
            }
        })
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Halves::Merge => "merged like any other distance",
            Halves::Loop => "a loop of halves where all is aligned to them, else merged",
            Halves::Ladder => "by halves, as co-aligned words go by words",
        })
    }
}
