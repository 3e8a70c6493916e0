//! From an argument to one skill, by the one resolver.

use super::failure::Failure;
use crate::catalog::{Scope, Skill};
use crate::policy::Entry;
use crate::workspace::{View, Workspace, resolve_any};

/// The entry that `argument` means among those that `--scope` admits, on or off, as its index in
/// the view.
pub(super) fn one(
    workspace: &Workspace,
    view: &View,
    argument: &str,
    scope: Option<Scope>,
) -> Result<usize, Failure> {
    let found = resolve_any(view, argument, scope, &workspace.context.cwd);
    found.map_err(|error| error.refusal(argument, Vec::new()).into())
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
