//! What screens request when they are shown, and then keep: a skill's files and links, the lines
//! around a problem, the known hosts.

use super::{Effect, Excerpt, ExcerptKey, Facts, FileRow, HostRow, State};
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

impl State {
    /// A skill's files and links; `None` until they have been read.
    pub fn facts(&self, path: &Path) -> Option<&Result<Arc<Facts>, SafeText>> {
        self.facts
            .as_ref()
            .filter(|(of, _, _)| **of == *path)
            .and_then(|(_, _, facts)| facts.as_ref())
    }

    /// Requests a skill's files and links, unless they are known or requested.
    pub(super) fn want_facts(&mut self, path: &Arc<Path>) {
        if self.facts.as_ref().is_some_and(|(of, epoch, _)| of == path && *epoch == self.epoch) {
            return;
        }
        // Those of the scan before stay until the new ones come.
        let kept =
            self.facts.take().filter(|(of, _, _)| of == path).and_then(|(_, _, facts)| facts);
        self.facts = Some((Arc::clone(path), self.epoch, kept));
        self.effects.push(Effect::Learn(Arc::clone(path)));
    }

    pub(super) fn learned(&mut self, path: &Path, facts: Result<Arc<Facts>, SafeText>) {
        if let Some((of, _, slot)) = &mut self.facts
            && **of == *path
        {
            *slot = Some(facts);
        }
    }

    /// The files of a skill; none until they have been read.
    pub(super) fn files_of(&self, path: &Path) -> &[FileRow] {
        match self.facts(path) {
            Some(Ok(facts)) => &facts.files,
            _ => &[],
        }
    }

    /// The lines around a problem; `None` until they have been read.
    pub fn excerpt(&self, path: &Path, line: u32) -> Option<&Result<Arc<Excerpt>, SafeText>> {
        let (key, excerpt) = self.excerpt.as_ref()?;
        if *key.path == *path && key.line == line { excerpt.as_ref() } else { None }
    }

    pub(super) fn want_excerpt(&mut self, key: ExcerptKey) {
        if self.excerpt.as_ref().is_some_and(|(wanted, _)| *wanted == key) {
            return;
        }
        self.excerpt = Some((key.clone(), None));
        self.effects.push(Effect::Excerpt(key));
    }

    pub(super) fn excerpted(&mut self, key: &ExcerptKey, excerpt: Result<Arc<Excerpt>, SafeText>) {
        if let Some((wanted, slot)) = &mut self.excerpt
            && wanted == key
        {
            *slot = Some(excerpt);
        }
    }

    /// The known hosts; empty until they have been listed.
    pub fn hosts(&self) -> &[HostRow] {
        &self.hosts
    }

    /// Requests the list of hosts, unless it is known. A screen that needs it does so when it
    /// opens: the request before may have failed.
    pub(super) fn want_hosts(&mut self) {
        if self.hosts.is_empty() {
            self.effects.push(Effect::FindHosts);
        }
    }
}
