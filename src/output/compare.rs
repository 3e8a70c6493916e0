//! `show --diff`: skills of one name side by side.

use super::Out;
use super::parts::lossy;
use crate::catalog::Skill;
use crate::inert;
use crate::text::SafeText;
use crate::workspace::Comparison;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// Skills of one name, each compared with the first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiffDocument<'a> {
    /// The pairs.
    pairs: Vec<PairRow<'a>>,
}

/// Two skills side by side.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PairRow<'a> {
    /// Path of the first SKILL.md.
    one: Cow<'a, str>,
    /// Path of the second SKILL.md.
    other: Cow<'a, str>,
    /// Whether the two are equal.
    same: bool,
    /// The unified diff of the two SKILL.md.
    diff: String,
    /// Files that only the first skill has.
    only_one: Vec<Cow<'a, str>>,
    /// Files that only the second skill has.
    only_other: Vec<Cow<'a, str>>,
    /// Files that both have, with different contents.
    differing: Vec<Cow<'a, str>>,
    /// Whether a limit stopped the comparison, so that there may be more differences.
    cut: bool,
}

#[derive(Debug)]
pub struct Pair<'a> {
    pub one: &'a Skill,
    pub other: &'a Skill,
    pub comparison: Comparison,
}

impl<'a> DiffDocument<'a> {
    pub fn of(pairs: &'a [Pair<'a>]) -> Self {
        let paths = |paths: &'a [PathBuf]| paths.iter().map(|path| lossy(path)).collect();
        let row = |pair: &'a Pair<'a>| PairRow {
            one: lossy(&pair.one.path),
            other: lossy(&pair.other.path),
            same: pair.comparison.is_same(),
            diff: pair
                .comparison
                .lines
                .iter()
                .flat_map(|line| [line.text.as_str(), "\n"])
                .collect(),
            only_one: paths(&pair.comparison.only_one),
            only_other: paths(&pair.comparison.only_other),
            differing: paths(&pair.comparison.differing),
            cut: pair.comparison.cut,
        };
        Self { pairs: pairs.iter().map(row).collect() }
    }
}

/// Prints each pair: the diff of the texts, then the files that differ.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, pairs: &[Pair]) -> io::Result<()> {
    for (index, Pair { one, other, comparison }) in pairs.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        for line in &comparison.lines {
            out.line(SafeText::clean(&line.text))?;
        }
        let (here, there) = (SafeText::path(one.dir()), SafeText::path(other.dir()));
        for path in &comparison.only_one {
            out.line(inert!("only in {}: {}", here, path))?;
        }
        for path in &comparison.only_other {
            out.line(inert!("only in {}: {}", there, path))?;
        }
        for path in &comparison.differing {
            out.line(inert!("differs: {}", path))?;
        }
        if comparison.is_same() {
            out.line(inert!("the same: {} and {}", here, there))?;
        }
        if comparison.cut {
            out.line("cut: only the first part was compared")?;
        }
    }
    Ok(())
}
