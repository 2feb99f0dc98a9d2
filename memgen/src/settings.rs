//! Settings by name: the door for everything that holds a [`Spec`] as keys and values rather than as flags.

use std::fmt::Display;
use std::str::FromStr;

use crate::problem::Problem;
use crate::spec::Spec;

impl Spec {
    /// Sets the flag `key`, dashes or underscores between its words, to `value` as the command line spells it;
    /// `pi_alias` takes `true` and `false`. Every pair of [`Spec::settings`] can be given back.
    ///
    /// Whether the settings go together is for [`crate::Plan::new`] to say.
    ///
    /// # Errors
    /// A value that cannot be read, under its flag; an unknown key, under the flag `key`. The `Spec` is then unchanged.
    ///
    /// ```
    /// use memgen::{Count, Spec};
    ///
    /// let mut spec = Spec::default();
    /// spec.set("shift_unroll", "8").expect("a number of words");
    /// assert_eq!(spec.shift_unroll, Count::Exactly(8));
    ///
    /// let problem = spec.set("unaligned", "shfit").expect_err("a slip");
    /// assert_eq!(problem.message, "`shfit`: expected one of `auto`, `bytes`, `shift`, `native`");
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        let dashed = key.replace('_', "-");
        let known: Vec<&'static str> = self.settings().iter().map(|(flag, _)| *flag).collect();
        let flag = known.iter().copied().find(|flag| *flag == dashed);
        let outcome = match flag.unwrap_or_default() {
            "op" => store(&mut self.op, value),
            "preset" => store(&mut self.preset, value),
            "shape" => store(&mut self.shape, value),
            "xlen" => store_number(&mut self.xlen, value, "the width that isa has, else 64"),
            "isa" => store_text(&mut self.isa, value),
            "word" => store_number(&mut self.word, value, "the width of a register"),
            "unroll" => store(&mut self.unroll, value),
            "shift-unroll" => store(&mut self.shift_unroll, value),
            "regs" => store(&mut self.regs, value),
            "unaligned" => store(&mut self.unaligned, value),
            "misaligned" => store_some(&mut self.misaligned, value),
            "overread" => store_some(&mut self.overread, value),
            "small" => store(&mut self.small, value),
            "avoid" => {
                self.avoid = value
                    .split(',')
                    .map(|name| name.trim().to_owned())
                    .collect();
                Ok(())
            }
            "zero-block" => store_number(&mut self.zero_block, value, "stores alone"),
            "prefetch" => store_number(&mut self.prefetch, value, "no prefetch"),
            "user" => store_some(&mut self.user, value),
            "fault" => store_some(&mut self.fault, value),
            "fault-style" => store_some(&mut self.fault_style, value),
            "fault-table" => store_text(&mut self.fault_table, value),
            "sum" => store_some(&mut self.sum, value),
            "linux" => store_text(&mut self.linux, value),
            "emit" => store(&mut self.emit, value),
            "dialect" => store_some(&mut self.dialect, value),
            "symbol" => store_text(&mut self.symbol, value),
            "section" => store_text(&mut self.section, value),
            "spdx" => store_text(&mut self.spdx, value),
            "pi-alias" => match value.parse() {
                Ok(wanted) => {
                    self.pi_alias = wanted;
                    Ok(())
                }
                Err(_) => Err(Unread::new("expected `true` or `false`", "false")),
            },
            _ => {
                return Err(Problem {
                    flag: "key",
                    message: format!("`{key}` is not known"),
                    help: format!("the keys are {}", known.join(", ")),
                });
            }
        };
        outcome.map_err(|Unread { expected, default }| Problem {
            flag: flag.unwrap_or_default(),
            message: format!("`{value}`: {expected}"),
            help: format!("leave it out for {default}"),
        })
    }
}

/// Why a value could not be read, and what leaving it out gives.
struct Unread {
    expected: String,
    default: String,
}

impl Unread {
    fn new(expected: impl Into<String>, default: impl Into<String>) -> Unread {
        Unread {
            expected: expected.into(),
            default: default.into(),
        }
    }
}

/// Reads a value whose type names what it allows.
fn store<T>(slot: &mut T, value: &str) -> Result<(), Unread>
where
    T: FromStr<Err = String> + Display + Default,
{
    *slot = value
        .parse()
        .map_err(|expected: String| Unread::new(expected, T::default().to_string()))?;
    Ok(())
}

/// The same for a flag whose default hangs on others.
fn store_some<T>(slot: &mut Option<T>, value: &str) -> Result<(), Unread>
where
    T: FromStr<Err = String> + Display + Default,
{
    let mut read = T::default();
    store(&mut read, value)?;
    *slot = Some(read);
    Ok(())
}

fn store_number(slot: &mut Option<u32>, value: &str, default: &str) -> Result<(), Unread> {
    *slot = Some(
        value
            .parse()
            .map_err(|_| Unread::new("expected a number", default))?,
    );
    Ok(())
}

/// Any text; what it may hold is for the plan to say.
fn store_text(slot: &mut Option<String>, value: &str) -> Result<(), Unread> {
    *slot = Some(value.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{
        Count, Dialect, Emit, Fault, FaultStyle, Misaligned, Op, OverRead, Preset, Shape, Small,
        Sum, Unaligned, UserMemory,
    };

    /// Every field away from its default. Written out, so that a new field does not compile until it stands here.
    fn all_set() -> Spec {
        Spec {
            op: Op::Memmove,
            preset: Preset::Fastest,
            shape: Shape::Stepped,
            xlen: Some(32),
            isa: Some("rv32imac_zbb".to_owned()),
            word: Some(4),
            unroll: Count::Exactly(16),
            shift_unroll: Count::Exactly(6),
            regs: Count::Exactly(5),
            unaligned: Unaligned::Native,
            misaligned: Some(Misaligned::Fast),
            overread: Some(OverRead::None),
            small: Small::Jump,
            avoid: vec!["t6".to_owned(), "a7".to_owned()],
            zero_block: Some(64),
            prefetch: Some(128),
            user: Some(UserMemory::Both),
            fault: Some(Fault::Coarse),
            fault_style: Some(FaultStyle::Efault),
            fault_table: Some("fixups".to_owned()),
            sum: Some(Sum::On),
            linux: Some("5.10".to_owned()),
            emit: Emit::RustAsm,
            dialect: Some(Dialect::Linux),
            symbol: Some("__memmove".to_owned()),
            section: Some(".text.fast".to_owned()),
            spdx: Some("MIT OR Apache-2.0".to_owned()),
            pi_alias: true,
        }
    }

    fn problem(key: &str, value: &str) -> Problem {
        let mut spec = all_set();
        let problem = spec.set(key, value).expect_err(key);
        assert_eq!(spec, all_set(), "a refused value changes nothing");
        problem
    }

    #[test]
    fn settings_give_the_spec_back() {
        let spec = all_set();
        for spell in [str::to_owned, |flag: &str| flag.replace('-', "_")] {
            let mut again = Spec::default();
            for (flag, value) in spec.settings() {
                let value = value.expect("everything is set");
                again.set(&spell(flag), &value).expect(flag);
            }
            assert_eq!(again, spec);
        }
    }

    #[test]
    fn registers_may_stand_apart() {
        let mut spec = Spec::default();
        spec.set("avoid", "t6, a7").expect("two names");
        assert_eq!(spec.avoid, all_set().avoid);
    }

    #[test]
    fn unknown_keys_are_told_the_known_ones() {
        let unknown = problem("shift_unrol", "8");
        assert_eq!(unknown.flag, "key");
        assert_eq!(unknown.message, "`shift_unrol` is not known");
        for (flag, _) in Spec::default().settings() {
            assert!(unknown.help.contains(flag), "{}", unknown.help);
        }
    }

    #[test]
    fn bad_values_are_told_the_allowed_ones() {
        for (key, value, flag, message, help) in [
            (
                "unroll",
                "many",
                "unroll",
                "`many`: expected a number or `auto`",
                "leave it out for auto",
            ),
            (
                "overread",
                "page",
                "overread",
                "`page`: expected one of `none`, `word`",
                "leave it out for word",
            ),
            (
                "word",
                "-8",
                "word",
                "`-8`: expected a number",
                "leave it out for the width of a register",
            ),
            (
                "pi_alias",
                "yes",
                "pi-alias",
                "`yes`: expected `true` or `false`",
                "leave it out for false",
            ),
        ] {
            let problem = problem(key, value);
            assert_eq!(
                (
                    problem.flag,
                    problem.message.as_str(),
                    problem.help.as_str()
                ),
                (flag, message, help)
            );
        }
    }
}
