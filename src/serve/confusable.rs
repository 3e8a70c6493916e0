//! Skills with confusable names. The model never gets one instead of another, since each is loaded
//! by its path.

use super::catalog_cache::Snapshot;
use super::error::ToolError;
use crate::catalog::{Scope, skeleton};
use crate::inert;
use crate::policy::{Refusal, echo};
use crate::workspace::{View, resolve};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Skills by the skeleton of their names.
pub(super) struct Confusables(HashMap<String, Vec<usize>>);

impl Confusables {
    pub(super) fn of(view: &View, indexes: impl Iterator<Item = usize>) -> Self {
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        for index in indexes {
            known.entry(skeleton(&view.rows[index].skill().name)).or_default().push(index);
        }
        Self(known)
    }

    /// The other skills with names that are confusable with this one's.
    pub(super) fn others(&self, snapshot: &Snapshot, index: usize) -> impl Iterator<Item = usize> {
        let all = self.0.get(&skeleton(&snapshot.view.rows[index].entry.skill.name));
        all.into_iter().flatten().copied().filter(move |other| *other != index)
    }
}

/// Refuses a name that is confusable with other skills' names. A path always means one skill.
///
/// # Errors
/// `ambiguous`, with the paths to choose from.
pub(super) fn unmistakable(snapshot: &Snapshot, argument: &str) -> Result<(), ToolError> {
    let argument = argument.trim();
    let cwd = &snapshot.workspace.context.cwd;
    let Ok(index) = resolve(&snapshot.view, argument, None, cwd) else { return Ok(()) };
    // A mention is a name after a sign, or a link with a path.
    let name = argument.strip_prefix(['$', '/']).unwrap_or(argument);
    let like_a_path = name.contains('/')
        || name.starts_with(['[', '.'])
        || Path::new(name).extension().is_some_and(|end| end == "md");
    // Some hosts have names with a `/` in them.
    let is_its_name = skeleton(name) == skeleton(&snapshot.view.rows[index].skill().name);
    if like_a_path && !is_its_name {
        return Ok(());
    }
    let others: Vec<usize> = snapshot.confusables().others(snapshot, index).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::fixture::TestServer;

    fn code(server: &TestServer, argument: &str) -> Option<&'static str> {
        match unmistakable(&server.snapshot(), argument) {
            Err(ToolError::Refused { code, .. }) => Some(code),
            Err(ToolError::Ask(question)) => panic!("{question:?}"),
            Ok(()) => None,
        }
    }

    #[test]
    fn a_name_that_another_looks_like_is_refused_and_its_path_is_not() {
        // The second name begins with a Cyrillic letter.
        let server = TestServer::with(&["pdf", "\u{440}df", "other"], "");
        let folder = server.test.text("repo/.agents/skills/s0");
        for argument in ["pdf", " pdf ", "$pdf", "/pdf", "\u{440}df"] {
            assert_eq!(code(&server, argument), Some("ambiguous"), "{argument}");
        }
        for argument in [&*folder, &format!("{folder}/SKILL.md"), "other", "none", ""] {
            assert_eq!(code(&server, argument), None, "{argument}");
        }
    }

    #[test]
    fn a_name_that_is_written_like_a_path_is_a_name() {
        for [one, other] in [["a/pdf", "\u{430}/pdf"], ["pdf.md", "\u{440}df.md"]] {
            let server = TestServer::with(&[one, other], "");
            assert_eq!(server.snapshot().shown().len(), 2, "both are offered");
            assert_eq!(code(&server, one), Some("ambiguous"), "{one}");
        }
    }

    #[test]
    fn a_skill_is_not_among_the_others_that_look_like_it() {
        let server = TestServer::with(&["pdf", "PDF", "other"], "");
        let snapshot = server.snapshot();
        let confusables = snapshot.confusables();
        let others = |number: usize| -> Vec<usize> {
            confusables.others(&snapshot, server.index(number)).collect()
        };
        assert_eq!(others(0), [server.index(1)]);
        assert_eq!(others(1), [server.index(0)]);
        assert_eq!(others(2), [0; 0]);
    }
}
