//! Reads what tells skills of one name apart, on a thread of its own.

use super::{JobResult, Jobs, Snapshot};
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{CopyRow, Msg};
use crate::workspace::{CopyFacts, Difference};
use std::path::Path;
use std::sync::Arc;

impl Jobs {
    pub(in crate::tui::shell) fn read_copies(&self, snapshot: Snapshot, paths: Vec<Arc<Path>>) {
        self.once(move |results| {
            let Snapshot { workspace, view, .. } = snapshot;
            let rows = paths.iter().filter_map(|path| view.rows.at(path));
            let skills: Vec<_> = rows.map(|row| Arc::clone(row.skill())).collect();
            // A newer view is asked about anew.
            if skills.len() == paths.len() {
                let facts = workspace.copy_facts(&skills);
                let rows = facts.iter().map(row).collect();
                let _ = results.send(JobResult::Msg(Msg::CopiesRead(Arc::new((paths, rows)))));
            }
        });
    }
}

fn row(facts: &CopyFacts) -> CopyRow {
    CopyRow {
        changed_ms: facts.changed_ms,
        in_git: SafeText::fixed(facts.in_git.words()),
        bytes: facts.bytes,
        files: facts.files,
        difference: difference(&facts.difference),
    }
}

fn difference(difference: &Difference) -> SafeText {
    match difference {
        Difference::First => SafeText::default(),
        Difference::Same => SafeText::fixed("the same in every file"),
        Difference::SameSoFar => SafeText::fixed("the same as far as it was compared"),
        Difference::Text { line, here } => inert!("differs from line {}: {}", *line, *here),
        Difference::Files { first, count: 1 } => inert!("differs in {}", *first),
        Difference::Files { first, count } => {
            inert!("differs in {} and {} more", *first, *count - 1)
        }
        Difference::Unread(why) => inert!("cannot be compared: {}", *why),
    }
}
