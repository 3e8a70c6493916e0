//! `list`: everything that a host sees from here.

use super::Out;
use super::signs::Signs;
use super::skill::{
    DiagnosticRow, RootRow, SkillRow, TruncatedRow, VERSION, diagnostics, exact, lossy,
};
use super::table;
use crate::catalog::Scope;
use crate::policy::Entry;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// Everything that a host sees from one place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListDocument<'a> {
    /// 1.
    version: u32,
    /// Through which host.
    host: &'a str,
    /// Where it looked, in its order.
    roots: Vec<RootRow<'a>>,
    /// Every skill that can be offered, those with warnings and those that are off included.
    skills: Vec<SkillRow<'a>>,
    /// What stands where a skill should and cannot be offered.
    errors: Vec<ErrorRow<'a>>,
    /// The limit that bit, if one did.
    truncated: Option<TruncatedRow>,
}

/// Something that cannot be offered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorRow<'a> {
    /// Its name, or its directory's.
    name: &'a str,
    /// Path of the SKILL.md.
    path: Cow<'a, str>,
    /// The path's bytes, base64, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Whose it is.
    scope: Scope,
    /// The first thing because of which it cannot be offered.
    message: &'a str,
    /// Everything that is wrong with it.
    diagnostics: Vec<DiagnosticRow<'a>>,
}

impl<'a> ErrorRow<'a> {
    fn of(entry: &'a Entry) -> Self {
        let skill = &*entry.skill;
        Self {
            name: &skill.name,
            path: lossy(&skill.path),
            path_b64: exact(&skill.path),
            scope: skill.scope,
            message: entry.fault().map_or("", |fault| fault.message.as_str()),
            diagnostics: diagnostics(skill),
        }
    }
}

impl<'a> ListDocument<'a> {
    /// The document of these entries of a view.
    pub fn of(view: &'a View, host: &'a str, indexes: &[usize]) -> Self {
        let entries =
            || indexes.iter().filter_map(|index| Some((*index, view.rows.entry(*index)?)));
        let offered = entries().filter(|(_, entry)| entry.offered());
        Self {
            version: VERSION,
            host,
            roots: RootRow::of(&view.roots),
            skills: offered.filter_map(|(index, _)| SkillRow::at(view, index)).collect(),
            errors: entries()
                .map(|(_, entry)| entry)
                .filter(|entry| !entry.offered())
                .map(ErrorRow::of)
                .collect(),
            truncated: TruncatedRow::of(&view.cuts),
        }
    }
}

/// Prints these entries as a table, and what was cut.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, indexes: &[usize], signs: Signs) -> io::Result<()> {
    table::print(out, view, indexes, signs)?;
    table::print_cuts(out, view)
}
