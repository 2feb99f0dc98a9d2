//! How often each size is called: a list of sizes with weights, and the mean over it.

use std::collections::BTreeMap;

use super::alignments::Alignments;
use super::{Cost, LARGEST_SIZE, OFFSETS, Scenario, Sizes};

/// Sizes and alignments of memcpy in SPEC CPU2017.
const SPEC2017: &str = include_str!("spec2017.csv");

/// Sizes of calls, each with a weight. The weights need no particular sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    weights: BTreeMap<u64, u32>,
    alignments: &'static [Alignments],
}

/// A mean over a [`Distribution`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The operation, and where its blocks lie.
    pub scenario: Scenario,
    /// How often each offset is met.
    pub alignments: Alignments,
    /// Instructions a call.
    pub instructions: f64,
}

/// Something wrong with the text of a distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The byte of the text where it stands.
    pub offset: usize,
    /// What is wrong, with the value.
    pub message: String,
    /// The way out.
    pub help: String,
}

impl Mistake {
    fn new(offset: usize, message: impl Into<String>, help: impl Into<String>) -> Mistake {
        Mistake {
            offset,
            message: message.into(),
            help: help.into(),
        }
    }
}

impl Distribution {
    /// The sizes of the memcpy calls in SPEC CPU2017, with the alignments that were published with them.
    pub fn spec2017() -> Distribution {
        Distribution {
            alignments: &[Alignments::Equal, Alignments::Spec2017],
            ..Distribution::parse(SPEC2017).expect("the built-in list is well formed")
        }
    }

    /// Reads lines `size,weight`: two whole numbers, each size once, in bytes and at most [`LARGEST_SIZE`]. A first line that says
    /// `size,weight`, blank lines, and whatever follows a `#` are left out.
    ///
    /// # Errors
    /// Every mistake, from the top of the text to its end.
    pub fn parse(text: &str) -> Result<Distribution, Vec<Mistake>> {
        let mut weights = BTreeMap::new();
        let mut mistakes = Vec::new();
        let mut first = true;
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let entry = line.split('#').next().unwrap_or_default();
            let start = offset + entry.len() - entry.trim_start().len();
            offset += line.len();
            let entry = entry.trim();
            let is_header = first && entry.split(',').map(str::trim).eq(["size", "weight"]);
            first &= entry.is_empty();
            if entry.is_empty() || is_header {
                continue;
            }
            match parse_entry(entry) {
                Ok((size, _)) if weights.contains_key(&size) => mistakes.push(Mistake::new(
                    start,
                    format!("size {size} is given twice"),
                    "keep one line of it, with both weights added up",
                )),
                Ok((size, weight)) => {
                    weights.insert(size, weight);
                }
                Err((message, help)) => mistakes.push(Mistake::new(start, message, help)),
            }
        }
        if mistakes.is_empty() && weights.values().all(|weight| *weight == 0) {
            let help = "write a line `size,weight` for each size, such as 64,250";
            mistakes.push(Mistake::new(0, "no size has a weight", help));
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        Ok(Distribution {
            weights,
            alignments: &[Alignments::Equal],
        })
    }

    /// The sizes it has.
    pub fn sizes(&self) -> Sizes {
        Sizes::new(self.weights.keys().copied()).expect("no larger one is read")
    }

    /// The mean of `cost` over the sizes: for each scenario counted, with all offsets equally likely, and for the built-in
    /// distribution also with its published alignments. `None` unless `cost` has every call that matters.
    pub fn means(&self, cost: &Cost) -> Option<Vec<Mean>> {
        let mut scenarios: Vec<Scenario> = cost.cells.iter().map(|cell| cell.scenario).collect();
        scenarios.dedup();
        let mut means = Vec::new();
        for scenario in scenarios {
            for alignments in self.alignments {
                means.push(self.mean(cost, scenario, *alignments)?);
            }
        }
        Some(means)
    }

    fn mean(&self, cost: &Cost, scenario: Scenario, alignments: Alignments) -> Option<Mean> {
        let (source, destination) = (alignments.source(), alignments.destination());
        let (mut sum, mut total, mut calls) = (0_u128, 0_u128, 0);
        for cell in cost.cells.iter().filter(|cell| cell.scenario == scenario) {
            let Some(weight) = self.weights.get(&cell.size) else {
                continue;
            };
            let source = source.get(cell.source_offset as usize)?;
            let destination = destination.get(cell.destination_offset as usize)?;
            let weight = u128::from(*weight) * u128::from(*source) * u128::from(*destination);
            sum += weight * u128::from(cell.counts.instructions);
            total += weight;
            calls += 1;
        }
        let expected = self.weights.len() * scenario.source_offsets().count() * OFFSETS as usize;
        (calls == expected).then(|| Mean {
            scenario,
            alignments,
            instructions: sum as f64 / total as f64,
        })
    }
}

/// The size and the weight of a line, or what is wrong with it and the way out.
fn parse_entry(entry: &str) -> Result<(u64, u32), (String, String)> {
    const FORM: &str = "write `size,weight`, two whole numbers, such as 64,250";
    let Some((size, weight)) = entry.split_once(',') else {
        let message = format!("`{entry}` is not a size and a weight");
        return Err((message, FORM.to_owned()));
    };
    let (size, weight) = (size.trim(), weight.trim());
    let size: u64 = size
        .parse()
        .map_err(|_| (format!("size `{size}` is no whole number"), FORM.to_owned()))?;
    if size > LARGEST_SIZE {
        let message = format!("size {size} is above {LARGEST_SIZE}, the largest that is counted");
        let help = format!("leave it out, or add its weight to that of {LARGEST_SIZE}");
        return Err((message, help));
    }
    let weight = weight.parse().map_err(|_| {
        let message = format!("weight `{weight}` is no whole number below 2^32");
        (message, "scale the weights; their sum is free".to_owned())
    })?;
    Ok((size, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_list_is_the_published_one() {
        let distribution = Distribution::spec2017();
        let sum: u64 = distribution.weights.values().map(|w| u64::from(*w)).sum();
        assert_eq!((distribution.weights.len(), sum), (184, 65_536));
        assert_eq!(distribution.weights[&32], 22_320);
    }

    #[test]
    fn headers_comments_and_blanks_are_left_out() {
        let text = "# mine\n\n size , weight\r\n8, 3 # often\n 16,1\n";
        let distribution = Distribution::parse(text).unwrap();
        assert_eq!(distribution.weights, BTreeMap::from([(8, 3), (16, 1)]));
    }

    #[test]
    fn mistakes_stand_where_they_are() {
        let text = "8,3\n  8,1\nx,1\n1,-1\n7\nsize,weight\n99999,1\n";
        let mistakes = Distribution::parse(text).unwrap_err();
        let offsets: Vec<_> = mistakes.iter().map(|mistake| mistake.offset).collect();
        assert_eq!(offsets, [6, 10, 14, 19, 21, 33]);
        for nothing in ["", "size,weight\n", "8,0\n"] {
            assert_eq!(Distribution::parse(nothing).unwrap_err().len(), 1);
        }
    }
}
