//! From an argument to one skill, by the one resolver (house rule 3).

use super::failure::Failure;
use crate::catalog::Scope;
use crate::inert;
use crate::text::SafeText;
use crate::workspace::{ResolveError, View, Workspace, resolve};

/// The entry that `argument` means, as its index in the view. Where several carry the name, `--scope` may leave one.
pub(super) fn one(workspace: &Workspace, view: &View, argument: &str, scope: Option<Scope>) -> Result<usize, Failure> {
    let error = match resolve(view, argument, &workspace.context.cwd) {
        Ok(index) => return Ok(index),
        Err(error) => error,
    };
    let shown = SafeText::line(argument);
    match error {
        ResolveError::Empty => Err(Failure::failed(SafeText::line(&error.to_string()))),
        ResolveError::Unknown { suggestions } => {
            let failure = Failure::missing(inert!("there is no skill `{}` here", shown));
            let names: Vec<SafeText> = suggestions.iter().map(|name| inert!("`{}`", SafeText::line(name))).collect();
            let nearest = (!names.is_empty()).then(|| inert!("did you mean {}?", SafeText::join(&names, " or ")));
            Err(nearest.into_iter().fold(failure, Failure::with))
        }
        ResolveError::Ambiguous { candidates } => {
            let mut left = candidates.iter().filter(|(of, _)| scope.is_some() && Workspace::admits(scope, *of));
            if let (Some((_, path)), None) = (left.next(), left.next()) {
                let index = view.entries.iter().position(|entry| entry.skill.path == *path);
                return index.ok_or_else(|| Failure::missing(inert!("there is no skill `{}` here", shown)));
            }
            let lines = candidates.iter().map(|(scope, path)| inert!("{}  {}", scope.word(), SafeText::path(path)));
            let message = inert!("{} skills are named `{}`; give one of these paths:", candidates.len(), shown);
            Err(lines.fold(Failure::missing(message), Failure::with))
        }
    }
}
