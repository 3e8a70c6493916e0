//! What was picked here before: best effort, and only for the order of an empty query.

use super::{View, Workspace, edit::now_ms};
use crate::state::history::History;
use std::path::PathBuf;

impl Workspace {
    /// Remembers a pick; where that is not possible, nobody is told.
    pub fn remember(&self, picked: &[PathBuf]) {
        if let Some(directory) = &self.state_dir {
            let _ = History::record(directory, picked, now_ms());
        }
    }

    /// For each entry how often and how lately it was picked; 0: never.
    pub fn frecency(&self, view: &View) -> Vec<u32> {
        let Some(directory) = &self.state_dir else { return Vec::new() };
        let history = History::load(directory);
        let now = now_ms();
        let score = |path| (history.score(path, now) * 1_000.0).clamp(0.0, f64::from(u32::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        view.entries.iter().map(|entry| score(&entry.skill.path) as u32).collect()
    }
}
