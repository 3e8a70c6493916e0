//! `list`: every skill that a host sees.

use super::Out;
use super::skill::{Cuts, DiagnosticRow, RootRow, SkillRow, diagnostics};
use super::table;
use super::table::Signs;
use crate::catalog::{ExactPath, Scope};
use crate::policy::Entry;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::io;

/// Every skill that a host sees from one directory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListDocument<'a> {
    /// The host whose view this is.
    host: &'a str,
    /// The folders that it searches, in its order.
    roots: Vec<RootRow<'a>>,
    /// Every usable skill, including those with warnings and those that are off.
    #[schemars(with = "Vec<SkillRow<'a>>")]
    skills: Usable<'a>,
    /// Skills that cannot be used.
    #[schemars(with = "Vec<ErrorRow<'a>>")]
    errors: Refused<'a>,
    #[serde(flatten)]
    left_out: Cuts<'a>,
}

/// Entries of a view. Their rows are made one by one while they are written: a hundred thousand
/// take as much memory as the catalog.
#[derive(Clone, Copy, Debug)]
struct Entries<'a> {
    view: &'a View,
    indexes: &'a [usize],
}

impl<'a> Entries<'a> {
    fn all(self) -> impl Iterator<Item = (usize, &'a Entry)> {
        let Self { view, indexes } = self;
        indexes.iter().filter_map(|index| Some((*index, view.rows.entry(*index)?)))
    }
}

#[derive(Clone, Debug)]
struct Usable<'a>(Entries<'a>);

impl Serialize for Usable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let offered = self.0.all().filter(|(_, entry)| entry.offered());
        serializer.collect_seq(offered.filter_map(|(index, _)| SkillRow::at(self.0.view, index)))
    }
}

#[derive(Clone, Debug)]
struct Refused<'a>(Entries<'a>);

impl Serialize for Refused<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let refused = self.0.all().filter(|(_, entry)| !entry.offered());
        serializer.collect_seq(refused.map(|(_, entry)| ErrorRow::of(entry)))
    }
}

/// A skill that cannot be used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorRow<'a> {
    /// The skill's name, or the directory's if it has none.
    name: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Whose skill it is.
    scope: Scope,
    /// The first error.
    message: &'a str,
    /// All findings.
    diagnostics: Vec<DiagnosticRow<'a>>,
}

impl<'a> ErrorRow<'a> {
    fn of(entry: &'a Entry) -> Self {
        let skill = &*entry.skill;
        Self {
            name: &skill.name,
            path: ExactPath::of(&skill.path),
            scope: skill.scope,
            message: entry.fault().map_or("", |fault| fault.message.as_str()),
            diagnostics: diagnostics(entry),
        }
    }
}

impl<'a> ListDocument<'a> {
    pub fn of(view: &'a View, host: &'a str, indexes: &'a [usize]) -> Self {
        let entries = Entries { view, indexes };
        Self {
            host,
            roots: RootRow::of(&view.roots),
            skills: Usable(entries),
            errors: Refused(entries),
            left_out: Cuts::of(None, &view.cuts),
        }
    }
}

/// Prints these entries as a table, then what was cut.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, indexes: &[usize], signs: Signs) -> io::Result<()> {
    table::print(out, view, indexes, signs)?;
    table::print_cuts(out, view)
}
