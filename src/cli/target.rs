//! From an argument to one skill, by the one resolver (house rule 3).

use super::failure::Failure;
use super::support;
use crate::catalog::{Scope, Skill};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::workspace::{ResolveError, View, Workspace, resolve_any};
use std::path::PathBuf;

/// The entry that `argument` means among those that `--scope` admits, on or off, as its index in
/// the view.
pub(super) fn one(
    workspace: &Workspace,
    view: &View,
    argument: &str,
    scope: Option<Scope>,
) -> Result<usize, Failure> {
    let found = resolve_any(view, (argument, scope), &workspace.context.cwd);
    found.map_err(|error| unresolved(&error, argument))
}

/// The skills that a person is to choose from, a line each.
pub(super) fn choices(candidates: &[(Scope, PathBuf)]) -> impl Iterator<Item = SafeText> {
    candidates.iter().map(|(scope, path)| inert!("{}  {}", scope.word(), SafeText::path(path)))
}

/// Why an argument means no one skill, for the person.
pub(super) fn unresolved(error: &ResolveError, argument: &str) -> Failure {
    let shown = support::echo(argument);
    match error {
        ResolveError::Empty => Failure::failed(SafeText::line(&error.to_string())).coded("empty"),
        ResolveError::Unknown { suggestions } => {
            let failure =
                Failure::missing(inert!("there is no skill `{}` here", shown)).coded("unknown");
            let names: Vec<SafeText> =
                suggestions.iter().map(|name| inert!("`{}`", SafeText::line(name))).collect();
            let nearest = (!names.is_empty())
                .then(|| inert!("did you mean {}?", SafeText::join(&names, " or ")));
            nearest.into_iter().fold(failure, Failure::with)
        }
        ResolveError::Ambiguous { candidates } => {
            let message = inert!(
                "{} skills are named `{}`; give one of these paths:",
                candidates.len(),
                shown
            );
            choices(candidates).fold(Failure::missing(message).coded("ambiguous"), Failure::with)
        }
    }
}

/// The entry that a person means who calls it: one that may be called comes before one that is off,
/// by the name that the host takes for it. Everything else is as in [`one`].
pub(super) fn called(
    workspace: &Workspace,
    view: &View,
    argument: &str,
    scope: Option<Scope>,
) -> Result<usize, Failure> {
    let order = view.policy.order;
    let wanted = argument.trim();
    let matching = |same: &dyn Fn(&Skill) -> bool| -> Vec<usize> {
        let callable = |entry: &Entry| {
            entry.pickable() && Workspace::admits(scope, entry.skill.scope) && same(&entry.skill)
        };
        (0..view.rows.len()).filter(|index| callable(&view.rows[*index].entry)).collect()
    };
    // A host may take the directory's name; people know the frontmatter's as well.
    let hosts_name = matching(&|skill| order.same(wanted, &order.name_of(skill)));
    let own_name = matching(&|skill| skill.name.trim() == wanted);
    match (hosts_name.as_slice(), own_name.as_slice()) {
        ([index], _) | ([], [index]) => Ok(*index),
        _ => one(workspace, view, argument, scope),
    }
}
