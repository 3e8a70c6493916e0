//! Resolves an argument to one skill.

use super::Failure;
use crate::catalog::validate::FILE_NAME;
use crate::catalog::{Scope, Skill};
use crate::inert;
use crate::output::list::why_unseen;
use crate::policy::Entry;
use crate::runtime::{CallContext, LoadError};
use crate::text::{SafeText, shell};
use crate::workspace::{ResolveError, Workspace, resolve_any};

/// The index of the entry that `argument` means, on or off, among those in the scope.
pub(super) fn one(caller: &CallContext<'_>, argument: &str) -> Result<usize, Failure> {
    let (workspace, scope) = (caller.workspace, caller.scope);
    let found = resolve_any(caller.view, argument, scope, &workspace.context.cwd);
    found.map_err(|error| {
        let failure = Failure::from(error.refusal(argument, Vec::new()));
        explained((workspace, scope), argument, &error, failure)
    })
}

/// The failure to find a skill, with why the view's agent does not have it, and what helps.
pub(super) fn explained(
    (workspace, scope): (&Workspace, Option<Scope>),
    argument: &str,
    error: &ResolveError,
    failure: Failure,
) -> Failure {
    match error {
        ResolveError::Unknown { .. } => {
            unseen(workspace, scope, argument).into_iter().fold(failure, Failure::with)
        }
        _ => failure,
    }
}

/// The failure to load a skill, explained as [`one`] does.
pub(super) fn not_loaded(
    caller: &CallContext<'_>,
    argument: &str,
    error: &LoadError,
    failure: Failure,
) -> Failure {
    match error {
        LoadError::Unresolved(error) => {
            explained((caller.workspace, caller.scope), argument, error, failure)
        }
        _ => failure,
    }
}

/// Why the view's agent does not have the skill that `argument` means, if another agent has it or it
/// lies there, and what helps.
fn unseen(workspace: &Workspace, scope: Option<Scope>, argument: &str) -> Vec<SafeText> {
    let cwd = &workspace.context.cwd;
    if !workspace.is_every() {
        let view = workspace.clone().with_unseen().view();
        let found = match resolve_any(&view, argument, scope, cwd) {
            Ok(index) => Some((index, shell::word(argument))),
            // Of several the first one stands for all, by its path.
            Err(ResolveError::Ambiguous { candidates, .. }) => {
                let index = candidates.first().and_then(|(_, path)| view.rows.index_of(path));
                index.map(|index| (index, shell::word(view.rows[index].skill().dir())))
            }
            Err(_) => None,
        };
        let found = found.map(|(index, word)| (&view.rows[index].entry, word));
        if let Some((entry, word)) = found.filter(|(entry, _)| entry.is_elsewhere()) {
            let mut lines = vec![why_unseen(&view, entry)];
            let word = word.unwrap_or_else(|| entry.skill.shell_word());
            lines.extend(ways(workspace, &entry.skill, word));
            return lines;
        }
    }
    let path = workspace.context.from_here(argument);
    let path = path.canonicalize().unwrap_or(path);
    let folder = if path.is_file() { path.parent().unwrap_or(&path) } else { &path };
    match folder.parent().filter(|_| folder.join(FILE_NAME).is_file()).map(shell::word) {
        Some(Some(above)) => {
            vec![inert!("no agent looks there; to browse it: skillpick --root {} …", above)]
        }
        Some(None) => vec![SafeText::fixed("no agent looks there")],
        None => Vec::new(),
    }
}

/// How a person reaches a skill that only others find: through an agent that sees it. To share it
/// is what helps if none does, or if an option has named the view's agent.
fn ways(workspace: &Workspace, skill: &Skill, word: SafeText) -> Vec<SafeText> {
    let view = workspace.through_every().view();
    let statuses = view.rows.index_of(&skill.path).map(|index| view.statuses(index));
    let seen = statuses.into_iter().flatten().find(|one| one.status.verdict().is_some());
    let seen = seen.and_then(|status| view.host_context(status.host));
    let seen = seen.map(|it| inert!("{} sees it: --host {}", it.host.name, it.host.id.word()));
    let to = inert!(" --to {}", workspace.host.id.word());
    let is_wanted = seen.is_none() || workspace.told_host().is_some();
    let share = is_wanted.then(|| shell::command("skillpick share", [word], &to));
    let share = share.map(|command| inert!("to share it: {}", command));
    seen.into_iter().chain(share).collect()
}

/// Like [`one`], for a call by a person: an entry that can be called comes before one that is off,
/// and the host's name for the skill counts.
pub(super) fn called(caller: &CallContext<'_>, argument: &str) -> Result<usize, Failure> {
    let (view, order) = (caller.view, caller.view.policy.order);
    let wanted = argument.trim();
    let matching = |same: &dyn Fn(&Skill) -> bool| -> Vec<usize> {
        let callable = |entry: &Entry| {
            let admitted = Workspace::admits(caller.scope, entry.skill.scope);
            entry.pickable() && admitted && same(&entry.skill)
        };
        (0..view.rows.len()).filter(|index| callable(&view.rows[*index].entry)).collect()
    };
    // A host may use the directory's name; people also know the name in the frontmatter.
    let hosts_name = matching(&|skill| order.same(wanted, &order.name_of(skill)));
    let own_name = matching(&|skill| skill.name.trim() == wanted);
    match (hosts_name.as_slice(), own_name.as_slice()) {
        ([index], _) | ([], [index]) => Ok(*index),
        _ => one(caller, argument),
    }
}
