//! `list --tree`: what a host sees from each directory of a repository.

use super::Out;
use super::parts::lossy;
use super::table::Signs;
use crate::catalog::{ExactPath, Scope};
use crate::inert;
use crate::policy::StatusKind;
use crate::text::SafeText;
use crate::workspace::{Tree, TreeSkill};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// What a host sees from the directories of a repository.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeDocument<'a> {
    /// The host whose view this is.
    host: &'a str,
    /// The repository, or the working directory if there is none.
    repository: Cow<'a, str>,
    /// The directories from which something else may be seen than from the one above, relative to
    /// `repository`, which is `.`.
    directories: Vec<String>,
    /// Whether directories are left out, because there are too many of them or of their files.
    truncated: bool,
    /// Every skill that is seen from one of them.
    skills: Vec<TreeRow<'a>>,
}

/// A skill, and from where it is seen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeRow<'a> {
    /// Its name.
    name: &'a str,
    /// What it does and when to use it; empty if missing.
    description: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Whose skill it is.
    scope: Scope,
    /// Its status from each directory that has it.
    seen: Vec<SeenFrom>,
}

/// The status of a skill from one directory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeenFrom {
    /// One of `directories`.
    directory: String,
    /// `on`, `off`, `name-only`, `user-only`, `shadowed`, `refused` or `mixed`.
    status: &'static str,
}

impl<'a> TreeDocument<'a> {
    pub fn of(tree: &'a Tree, host: &'a str) -> Self {
        let row = |one: &'a TreeSkill| TreeRow {
            name: &one.skill.name,
            description: &one.description,
            path: ExactPath::of(&one.skill.path),
            scope: one.skill.scope,
            seen: one
                .seen
                .iter()
                .map(|(place, status)| SeenFrom {
                    directory: relative(tree, *place),
                    status: status.word(),
                })
                .collect(),
        };
        Self {
            host,
            repository: lossy(&tree.top),
            directories: (0..tree.places.len()).map(|place| relative(tree, place)).collect(),
            truncated: tree.is_cut,
            skills: tree.skills.iter().map(row).collect(),
        }
    }
}

/// A place below the repository, which is `.`.
fn relative(tree: &Tree, place: usize) -> String {
    let path = tree.places.get(place).map_or(&*tree.top, |path| path);
    match path.strip_prefix(&tree.top).map(lossy) {
        Ok(below) if !below.is_empty() => below.into_owned(),
        _ => ".".to_owned(),
    }
}

/// Prints a line for each skill: its status, name, scope, and from where it is seen.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, tree: &Tree, signs: Signs) -> io::Result<()> {
    let names: Vec<SafeText> =
        tree.skills.iter().map(|one| SafeText::line(&one.skill.full_name())).collect();
    let widest = names.iter().map(SafeText::width).max().unwrap_or(0);
    let width = widest.min(out.columns() / 2).max(4);
    for (one, name) in tree.skills.iter().zip(&names) {
        let kinds = kinds(one);
        let state = match kinds.as_slice() {
            [only] => Signs::of(*only),
            _ => Signs::of(StatusKind::Mixed),
        };
        let scope = SafeText::fixed(one.skill.scope.word()).pad("project".len());
        let line = inert!("{} {}  {}  {}", state, name.pad(width), scope, seen(tree, one, &kinds));
        out.line(signs.shown(&line))?;
    }
    if tree.is_cut {
        out.line(inert!(
            "cut: there are more than these {} directories, or too many files",
            tree.places.len()
        ))?;
    }
    Ok(())
}

/// The different statuses of a skill, in the order in which they are met.
fn kinds(one: &TreeSkill) -> Vec<StatusKind> {
    let mut kinds = Vec::new();
    for (_, kind) in &one.seen {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    kinds
}

/// `everywhere`, or the directories; where it is not the same from all of them, by status.
fn seen(tree: &Tree, one: &TreeSkill, kinds: &[StatusKind]) -> SafeText {
    let everywhere = one.seen.len() == tree.places.len();
    let from = |kind: &StatusKind| {
        let places = one.seen.iter().filter(|(_, of)| of == kind);
        let places = places.map(|(place, _)| SafeText::line(&relative(tree, *place)));
        SafeText::join(places.collect::<Vec<_>>(), ", ")
    };
    match kinds {
        [_] if everywhere => SafeText::fixed("everywhere"),
        [only] => from(only),
        several => {
            let part = |kind: &StatusKind| inert!("{} from {}", kind.word(), from(kind));
            SafeText::join(several.iter().map(part).collect::<Vec<_>>(), "; ")
        }
    }
}
