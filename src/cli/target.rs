//! Resolves an argument to one skill.

use super::Failure;
use crate::catalog::Skill;
use crate::catalog::validate::FILE_NAME;
use crate::inert;
use crate::output::list::why_unseen;
use crate::policy::Entry;
use crate::runtime::CallContext;
use crate::text::{SafeText, shell};
use crate::workspace::{ResolveError, Workspace, resolve_any};

/// The index of the entry that `argument` means, on or off, among those in the scope.
pub(super) fn one(caller: &CallContext<'_>, argument: &str) -> Result<usize, Failure> {
    let found = resolve_any(caller.view, argument, caller.scope, &caller.workspace.context.cwd);
    found.map_err(|error| {
        let failure = Failure::from(error.refusal(argument, Vec::new()));
        match matches!(error, ResolveError::Unknown { .. }) {
            true => unseen(caller, argument).into_iter().fold(failure, Failure::with),
            false => failure,
        }
    })
}

/// Why the view's agent does not have the skill that `argument` means, if another agent has it or it
/// lies there, and what helps.
fn unseen(caller: &CallContext<'_>, argument: &str) -> Vec<SafeText> {
    let workspace = caller.workspace;
    let cwd = &workspace.context.cwd;
    if !workspace.is_every() {
        let view = workspace.clone().with_unseen().view();
        let found = match resolve_any(&view, argument, caller.scope, cwd) {
            Ok(index) => Some((index, SafeText::line(argument))),
            // Of several the first one stands for all, by its path.
            Err(ResolveError::Ambiguous { candidates }) => {
                let index = candidates.first().and_then(|(_, path)| view.rows.index_of(path));
                index.map(|index| (index, SafeText::path(view.rows[index].skill().dir())))
            }
            Err(_) => None,
        };
        let found = found.map(|(index, word)| (&view.rows[index].entry, word));
        if let Some((entry, word)) = found.filter(|(entry, _)| entry.is_elsewhere()) {
            let host = workspace.host.id.word();
            let word = shell::word(&word);
            let cure = inert!("to share it: skillpick share {} --to {}", word, host);
            return vec![why_unseen(&view, entry), cure];
        }
    }
    let path = cwd.join(argument);
    let folder = if path.is_file() { path.parent().unwrap_or(&path) } else { &path };
    match folder.parent().filter(|_| folder.join(FILE_NAME).is_file()) {
        Some(above) => {
            let above = shell::word(&SafeText::path(above));
            vec![inert!("no agent looks there; to browse it: skillpick --root {} …", above)]
        }
        None => Vec::new(),
    }
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
