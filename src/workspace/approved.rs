//! Hidden text that a person has approved is no longer a finding.

use crate::catalog::{Skill, checks};
use crate::files::digest::Digest;
use crate::policy::Entry;
use crate::state::approvals::{Approvals, Subject};
use std::path::Path;
use std::sync::Arc;

/// Takes the finding from every skill whose very bytes were approved. Only files with the finding
/// are read.
pub(super) fn clear(entries: &mut [Entry], state_dir: Option<&Path>) {
    let Some(state_dir) = state_dir else { return };
    let mut hiding = entries.iter_mut().filter(|entry| hides(&entry.skill)).peekable();
    if hiding.peek().is_none() {
        return;
    }
    let approvals = Approvals::load(state_dir);
    for entry in hiding {
        let path = &entry.skill.path;
        let digest = std::fs::read(path).map(|bytes| Digest::of(&bytes).to_string());
        if digest.is_ok_and(|digest| approvals.has(Subject::Text, path, &digest)) {
            let diagnostics = &mut Arc::make_mut(&mut entry.skill).diagnostics;
            diagnostics.retain(|diagnostic| diagnostic.check != &checks::HIDDEN_TEXT);
        }
    }
}

fn hides(skill: &Skill) -> bool {
    skill.diagnostics.iter().any(|diagnostic| diagnostic.check == &checks::HIDDEN_TEXT)
}
