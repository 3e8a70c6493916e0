//! What was picked and used before, for the order of an empty query.

use super::clock::now_ms;
use super::{View, Workspace, host_by_word};
use crate::catalog::{HostId, Uses};
use crate::listing::Rows;
use crate::state::activity::Activity;
use crate::state::history::{History, score};
use crate::state::preferred;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The weight of one pick a moment ago. [`crate::state::history::score`] halves every 14 days, and
/// a pick of years ago must still weigh more than none.
const UNIT: f64 = 1_000_000.0;

impl Workspace {
    /// Remembers that these entries of the view were picked.
    pub fn remember(&self, view: &View, indexes: &[usize]) {
        let entries = indexes.iter().filter_map(|index| view.rows.entry(*index));
        let paths: Vec<PathBuf> = entries.map(|entry| entry.skill.path.clone()).collect();
        if let Some(directory) = self.state_dir.as_deref().filter(|_| !paths.is_empty()) {
            // A pick must not fail because of a full disk or a locked file.
            let _ = History::record(directory, Some(self.place()), &paths, now_ms());
        }
    }

    /// The agent for which a person picks in this repository, as they said before, if it is one of
    /// those that are looked through.
    #[must_use]
    pub fn remembered_agent(&self) -> Option<HostId> {
        let word = preferred::load(self.state_dir.as_deref()?, self.place())?;
        let host = host_by_word(&word)?.id;
        self.host_contexts.iter().any(|context| context.host.id == host).then_some(host)
    }

    /// Remembers the agent that a person picks skills for here. A failed write is ignored.
    pub fn remember_agent(&self, host: HostId) {
        if let Some(directory) = self.state_dir.as_deref() {
            let _ = preferred::record(directory, self.place(), host.word());
        }
    }

    /// The repository, or the working directory.
    pub fn place(&self) -> &Path {
        self.context.repo_root.as_ref().unwrap_or(&self.context.cwd)
    }

    /// What was picked and used before, read from the disk now.
    pub(super) fn history(&self) -> Recall {
        let directory = self.state_dir.as_deref();
        Recall {
            picks: Picks::OnDisk {
                history: directory.map(History::load).unwrap_or_default(),
                place: self.place().to_owned(),
                now: now_ms(),
            },
            uses: Arc::new(directory.map(Activity::uses_in).unwrap_or_default()),
        }
    }
}

/// What was picked and used before, at one time.
pub(super) struct Recall {
    picks: Picks,
    /// How often and when last skills were loaded and run.
    pub(super) uses: Arc<Uses>,
}

/// The source of what was picked.
enum Picks {
    /// The state directory; `now` is Unix time in milliseconds.
    OnDisk { history: History, place: PathBuf, now: u64 },
    /// An earlier view.
    InView(Arc<Rows>),
}

impl Recall {
    /// What an earlier view knows, without reading files.
    pub(super) fn of_view(view: &View) -> Self {
        Self { picks: Picks::InView(Arc::clone(&view.rows)), uses: Arc::clone(&view.uses) }
    }

    /// How often and how recently a skill was picked here and elsewhere, or loaded and run by an
    /// agent; 0 for never.
    pub(super) fn weight(&self, path: &Path) -> u32 {
        match &self.picks {
            Picks::OnDisk { history, place, now } => {
                let used = self.uses.of(path);
                let used =
                    used.map_or(0.0, |used| score(used.count, now.saturating_sub(used.last_ms)));
                scaled(history.score(path, Some(place), *now) + used)
            }
            Picks::InView(rows) => rows.at(path).map_or(0, |row| row.frecency),
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a score is positive and clamped before"
)]
fn scaled(score: f64) -> u32 {
    (score * UNIT).clamp(0.0, f64::from(u32::MAX)).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_here_come_first_then_what_agents_loaded() {
        use crate::workspace::fixture::TestWorkspace;
        let mut test = TestWorkspace::with(&[
            ("home/.agents/skills/a", "a"),
            ("home/.agents/skills/b", "b"),
            ("home/.agents/skills/c", "c"),
        ]);
        test.workspace.state_dir = Some(test.env.at("state"));
        let path = |test: &TestWorkspace, name: &str| {
            test.view().rows.named(name).next().unwrap().skill.path.clone()
        };
        let [a, b, c] = ["a", "b", "c"].map(|name| path(&test, name));
        let state = test.env.at("state");
        (0..9).for_each(|_| {
            History::record(&state, Some(Path::new("/x")), std::slice::from_ref(&a), now_ms())
                .unwrap()
        });
        History::record(&state, Some(test.workspace.place()), std::slice::from_ref(&b), now_ms())
            .unwrap();
        let recall = test.workspace.history();
        assert!(recall.weight(&b) > recall.weight(&a) && recall.weight(&a) > 0);
        assert_eq!(recall.weight(&c), 0);
        let mut uses = Uses::default();
        uses.add(&c, now_ms(), "an agent");
        let recall = Recall { uses: Arc::new(uses), ..recall };
        assert!(recall.weight(&c) > 0 && recall.weight(&b) > recall.weight(&c));
    }

    #[test]
    fn a_weight_is_0_only_for_never() {
        assert_eq!(scaled(0.0), 0);
        assert_eq!(scaled(1.0), 1_000_000);
        assert_eq!(scaled(1e-30), 1);
        assert_eq!(scaled(f64::MAX), u32::MAX);
    }
}
