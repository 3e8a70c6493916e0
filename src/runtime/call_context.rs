//! Where a call comes from: the workspace, the view in which names are resolved, and the client.

use crate::catalog::{Scope, Skill};
use crate::policy::Entry;
use crate::state::activity::{Activity, Call, CallKind};
use crate::workspace::edit::now_ms;
use crate::workspace::{ResolveError, View, Workspace, resolve_of};
use std::time::Instant;

/// Who wants a skill: the two are judged by different axes of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The model, by its own decision.
    Model,
    /// A person, by name.
    Person,
}

/// What one call works with. It is cheap: a server makes one for each call, with its newest view.
#[derive(Clone, Copy, Debug)]
pub struct CallContext<'a> {
    pub workspace: &'a Workspace,
    /// What is seen from there.
    pub view: &'a View,
    /// Which client calls, for the log: `cli`, `mcp:NAME`. May be other people's text.
    pub client: &'a str,
    /// The conversation, where the call belongs to one.
    pub session: Option<&'a str>,
    /// Whose skills are meant, where the call is about one scope's alone.
    pub scope: Option<Scope>,
}

impl CallContext<'_> {
    /// The one entry that an argument means, within the scope of the call.
    ///
    /// # Errors
    /// [`ResolveError`].
    pub fn resolve(&self, argument: &str) -> Result<usize, ResolveError> {
        resolve_of(self.view, argument, self.scope, &self.workspace.context.cwd)
    }

    /// An entry of the view.
    pub(super) fn entry(&self, index: usize) -> &Entry {
        &self.view.rows[index].entry
    }

    /// The names that a model may ask for, in the order of the view; for the message about an
    /// unknown one.
    pub fn available(&self) -> Vec<&str> {
        self.view
            .rows
            .entries()
            .filter(|entry| super::prompt::shown(entry))
            .map(|e| e.skill.name.as_str())
            .collect()
    }

    /// Notes that a file of a skill, or where none is named the skill itself, was wanted and
    /// refused, by a stable word: where whoever calls has refused it, since nobody said yes.
    pub fn refused(&self, kind: CallKind, skill: &Skill, file: Option<&str>, word: &str) {
        self.note(kind, skill, |call| {
            (call.file, call.error) = (file.map(str::to_owned), Some(word.to_owned()));
        });
    }

    /// Notes a call in the log. Best effort: no call fails because it cannot be noted.
    pub(super) fn note(&self, kind: CallKind, skill: &Skill, fill: impl FnOnce(&mut Call)) {
        let Some(directory) = self.workspace.state_dir.as_deref() else { return };
        let mut call = Call::new(kind, now_ms(), &skill.name, &skill.path);
        call.client = self.client.to_owned();
        call.session = self.session.map(str::to_owned);
        fill(&mut call);
        let _ = Activity::append(directory, &call);
    }
}

/// Milliseconds since then.
pub(super) fn since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
