//! `list`: every skill that a host sees.

use super::skill::{Cuts, DiagnosticRow, RootRow, SkillRow, diagnostics};
use super::table;
use super::table::Signs;
use super::{Out, json};
use crate::catalog::{ExactPath, Scope};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
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
    /// Skills of this machine in whose folder the host does not look. Empty if it is all hosts.
    #[schemars(with = "Vec<UnseenRow<'a>>")]
    unseen: Unseen<'a>,
    #[serde(flatten)]
    left_out: Cuts<'a>,
}

/// Entries of a view. Their rows are made while they are written: those of a hundred thousand would
/// take as much memory as the catalog.
#[derive(Clone, Debug)]
struct Entries<'a> {
    view: &'a View,
    indexes: Cow<'a, [usize]>,
}

impl<'a> Entries<'a> {
    fn rows<S: Serializer, R: Serialize>(
        &self,
        serializer: S,
        row: impl Fn(usize, &'a Entry) -> Option<R> + Sync,
    ) -> Result<S::Ok, S::Error> {
        let view = self.view;
        json::rows(serializer, &self.indexes, |index| row(*index, view.rows.entry(*index)?))
    }
}

#[derive(Clone, Debug)]
struct Usable<'a>(Entries<'a>);

impl Serialize for Usable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rows(serializer, |index, _| SkillRow::at(self.0.view, index))
    }
}

#[derive(Clone, Debug)]
struct Refused<'a>(Entries<'a>);

impl Serialize for Refused<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rows(serializer, |_, entry| Some(ErrorRow::of(entry)))
    }
}

#[derive(Clone, Debug)]
struct Unseen<'a>(Entries<'a>);

impl Serialize for Unseen<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rows(serializer, |_, entry| Some(UnseenRow::of(self.0.view, entry)))
    }
}

/// A skill in whose folder the host does not look.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnseenRow<'a> {
    /// The skill's name.
    name: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Whose skill it is.
    scope: Scope,
    /// Why the host does not see it.
    message: String,
}

impl<'a> UnseenRow<'a> {
    fn of(view: &View, entry: &'a Entry) -> Self {
        let skill = &*entry.skill;
        Self {
            name: &skill.name,
            path: ExactPath::of(&skill.path),
            scope: skill.scope,
            message: why_unseen(view, entry).to_string(),
        }
    }
}

/// `Claude Code does not look in /home/me/.codex/skills`: the folder that holds the skill, since one
/// above may be looked in, but not so deep. Of a folder of its own it says why.
pub fn why_unseen(view: &View, entry: &Entry) -> SafeText {
    let place = entry.skill.location();
    let looks = inert!("{} does not look in {}", view.host.name, place.parent().unwrap_or(place));
    match view.closed_to(view.host.id, &entry.skill) {
        Some(why) => inert!("{}: {}", looks, why),
        None => looks,
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
    /// `indexes` are the entries that the host finds, `unseen` those that only others find.
    pub fn of(view: &'a View, host: &'a str, indexes: &'a [usize], unseen: &'a [usize]) -> Self {
        let is_offered = |index: &usize| view.rows.entry(*index).is_some_and(Entry::offered);
        let (usable, refused): (Vec<usize>, Vec<usize>) =
            indexes.iter().copied().partition(is_offered);
        let of = |indexes| Entries { view, indexes };
        Self {
            host,
            roots: RootRow::of(&view.roots),
            skills: Usable(of(usable.into())),
            errors: Refused(of(refused.into())),
            unseen: Unseen(of(unseen.into())),
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

/// Prints the skills in whose folder the host does not look.
///
/// # Errors
/// Those of stdout.
pub fn print_unseen(out: &mut Out, view: &View, unseen: &[usize], signs: Signs) -> io::Result<()> {
    for entry in unseen.iter().filter_map(|index| view.rows.entry(*index)) {
        let name = SafeText::line(&entry.skill.full_name());
        let line = inert!("· {}  {}", name, why_unseen(view, entry));
        out.line(signs.shown(&line))?;
    }
    Ok(())
}
