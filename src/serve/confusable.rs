//! Skills with confusable names. The model never gets one for the other: each of them is loaded by
//! its path.

use super::catalog_cache::Snapshot;
use super::error::ToolError;
use crate::catalog::{Scope, skeleton};
use crate::inert;
use crate::policy::{Refusal, echo};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The skills that the model may know of, by the skeleton of their names.
pub(super) struct Confusables(HashMap<String, Vec<usize>>);

impl Confusables {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self::among(snapshot, snapshot.shown())
    }

    /// Those among these entries.
    pub(super) fn among(snapshot: &Snapshot, indexes: Vec<usize>) -> Self {
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        for index in indexes {
            known
                .entry(skeleton(&snapshot.view.rows[index].entry.skill.name))
                .or_default()
                .push(index);
        }
        Self(known)
    }

    /// The others whose names look like this one's.
    pub(super) fn others(&self, snapshot: &Snapshot, index: usize) -> impl Iterator<Item = usize> {
        let all = self.0.get(&skeleton(&snapshot.view.rows[index].entry.skill.name));
        all.into_iter().flatten().copied().filter(move |other| *other != index)
    }
}

/// Refuses a name that other skills' names look like; a path means one skill in any case.
///
/// # Errors
/// `ambiguous`, with the paths to choose from.
pub(super) fn unmistakable(snapshot: &Snapshot, argument: &str) -> Result<(), ToolError> {
    let argument = argument.trim();
    let cwd = &snapshot.workspace.context.cwd;
    let Ok(index) = crate::workspace::resolve(&snapshot.view, argument, cwd) else { return Ok(()) };
    // A mention is a name with a sign before it, or a link with a path in it.
    let name = argument.strip_prefix(['$', '/']).unwrap_or(argument);
    if name.contains('/')
        || name.starts_with(['[', '.'])
        || Path::new(name).extension().is_some_and(|end| end == "md")
    {
        return Ok(());
    }
    let others: Vec<usize> = Confusables::of(snapshot).others(snapshot, index).collect();
    if others.is_empty() {
        return Ok(());
    }
    let place = |index: usize| {
        let skill = &snapshot.view.rows[index].entry.skill;
        (skill.scope, skill.path.clone())
    };
    let candidates: Vec<(Scope, PathBuf)> =
        std::iter::once(index).chain(others).map(place).collect();
    let what = inert!("have names that look like '{}'", echo(argument));
    Err(Refusal::ambiguous(what, candidates).into())
}
