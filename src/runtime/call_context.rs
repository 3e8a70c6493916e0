//! Where a call comes from: the workspace, the view in which names are resolved, and the client.

use crate::catalog::{Scope, Skill};
use crate::policy::Entry;
use crate::state::StateError;
use crate::state::activity::{Activity, Call, CallKind};
use crate::workspace::clock::now_ms;
use crate::workspace::{ResolveError, View, Workspace, resolve};
use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

/// Who wants a skill. The verdict has an axis for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The model, on its own decision.
    Model,
    /// A person, by name.
    Person,
}

/// What a call of the runtime depends on. It is cheap: a server makes one for each call, with its
/// newest view.
#[derive(Clone, Copy, Debug)]
pub struct CallContext<'a> {
    pub workspace: &'a Workspace,
    /// What is seen from there.
    pub view: &'a View,
    /// Which client calls, for the log: `cli`, `mcp:NAME`. May be other people's text.
    pub client: &'a str,
    /// The conversation, if the call belongs to one.
    pub session: Option<&'a str>,
    /// The only scope whose skills are meant; `None` for all.
    pub scope: Option<Scope>,
}

impl CallContext<'_> {
    /// The one entry that an argument means, within the scope of the call.
    ///
    /// # Errors
    /// [`ResolveError`].
    pub fn resolve(&self, argument: &str) -> Result<usize, ResolveError> {
        let index = resolve(self.view, argument, self.scope, &self.workspace.context.cwd)?;
        // What cannot be had is refused by whoever opens the folder, with the reason.
        let _ = self.entry(index).skill.provide();
        Ok(index)
    }

    /// An entry of the view.
    pub(super) fn entry(&self, index: usize) -> &Entry {
        &self.view.rows[index].entry
    }

    /// The names that a model may ask for, each once, in the order of the view; for the message
    /// about an unknown one.
    pub fn available(&self) -> Vec<&str> {
        let mut told = HashSet::new();
        let shown = self.view.rows.entries().filter(|entry| super::prompt::shown(entry));
        shown.map(|entry| entry.skill.name.as_str()).filter(|name| told.insert(*name)).collect()
    }

    /// Logs that the caller refused a file of a skill, or the skill itself, because nobody gave
    /// consent. `word` is the stable code.
    pub fn refused(&self, kind: CallKind, skill: &Skill, file: Option<&str>, word: &str) {
        self.note(kind, skill, |call| {
            (call.file, call.error) = (file.map(str::to_owned), Some(word.to_owned()));
        });
    }

    /// Logs a call. No call fails because it cannot be logged; the workspace keeps the failure, and
    /// front ends report it.
    pub(super) fn note(&self, kind: CallKind, skill: &Skill, fill: impl FnOnce(&mut Call)) {
        let log = &self.workspace.log;
        let append = if log.waits() { Activity::append } else { Activity::append_now };
        log.note(self.noted(append, kind, skill, fill));
    }

    /// Logs a call that must not be made unlogged.
    ///
    /// # Errors
    /// [`StateError`]; then it is not in the log.
    pub(super) fn note_first(
        &self,
        kind: CallKind,
        skill: &Skill,
        fill: impl FnOnce(&mut Call),
    ) -> Result<(), StateError> {
        self.noted(Activity::append, kind, skill, fill)
    }

    fn noted(
        &self,
        append: fn(&Path, &Call) -> Result<(), StateError>,
        kind: CallKind,
        skill: &Skill,
        fill: impl FnOnce(&mut Call),
    ) -> Result<(), StateError> {
        let directory = self.workspace.state_dir.as_deref().ok_or(StateError::Nowhere)?;
        let mut call = Call::new(kind, now_ms(), &skill.name, &skill.path);
        call.client = self.client.to_owned();
        call.session = self.session.map(str::to_owned);
        fill(&mut call);
        append(directory, &call)
    }
}

pub(super) fn since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
