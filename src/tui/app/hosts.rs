//! The table of hosts: choose whose view is shown.

use super::{Action, Effect, ListPane, State};
use crate::catalog::HostId;
use crate::policy::{HostReport, HostStatus};
use crate::text::SafeText;
use ratatui::layout::{Position, Rect};
use std::path::Path;
use std::sync::Arc;

/// From so many columns on the table has numbers.
const WITH_COUNTS: u16 = 76;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// Its name on the command line.
    pub word: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its version, or a remark.
    pub note: SafeText,
    /// Whether it is installed (`all` and `agents` always are).
    pub here: bool,
}

/// What a host of this machine makes of the skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCounts {
    pub host: HostId,
    /// Skills that it has, on or off.
    pub seen: usize,
    pub off: usize,
    pub refused: usize,
    /// Skills that lose something to its limit.
    pub cut: usize,
    /// Folders that it searches, and that exist.
    pub folders: usize,
}

/// The counts, and the view that they are of or are asked for.
#[derive(Debug, Default)]
pub struct Counted {
    generation: Option<u64>,
    rows: Arc<Vec<HostCounts>>,
}

#[derive(Debug, Default)]
pub struct HostMenu {
    pub list: ListPane,
    /// The current host, until the list has come and the cursor is on it.
    start: Option<&'static str>,
}

impl HostMenu {
    /// The cursor begins on the current host.
    pub(super) fn new(state: &mut State) -> Self {
        state.want_hosts();
        Self { list: ListPane::default(), start: Some(state.options.host) }
    }

    /// The row above the numbers, and the list. Without room for numbers there is no such row.
    pub fn areas(state: &State) -> (Option<Rect>, Rect) {
        let whole = state.whole().left;
        if whole.width < WITH_COUNTS || whole.height < 3 {
            return (None, whole);
        }
        let head = Rect { height: 1, ..whole };
        (Some(head), Rect { y: whole.y + 1, height: whole.height - 1, ..whole })
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, Self::areas(state).1, state.hosts().len()) {
            return;
        }
        match action {
            Action::Accept | Action::Hosts | Action::Right => {
                if let Some(word) = state.hosts().get(self.list.cursor).map(|row| row.word) {
                    let current = state.current().map(|entry| entry.skill.path.clone());
                    state.look_through(word, current.as_deref());
                    state.closing = true;
                }
            }
            Action::Back | Action::Left => state.closing = true,
            _ => {}
        }
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, Self::areas(state).1, state.hosts().len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_counts();
        let rows = state.hosts();
        if let Some(word) = self.start.filter(|_| !rows.is_empty()) {
            self.list.cursor = rows.iter().position(|row| row.word == word).unwrap_or_default();
            self.start = None;
        }
        self.list.follow(Self::areas(state).1, rows.len());
    }
}

impl State {
    /// What every host makes of a skill; empty until that is known.
    pub fn host_statuses(&self, path: &Path) -> Vec<(&HostReport, HostStatus)> {
        let rows = &self.viewed.rows;
        let index = rows.number_of(path);
        let (Some(index), Some(row)) = (index, rows.at(path)) else { return Vec::new() };
        let host_status = |report| (report, HostReport::host_status(report, index, row.skill()));
        self.viewed.reports.iter().map(host_status).collect()
    }

    /// Requests what every host makes of the skills, once for each complete view.
    pub(super) fn want_reports(&mut self) {
        let known = !self.viewed.reports.is_empty() || self.reported_for == self.viewed.generation;
        if known || !self.viewed.complete {
            return;
        }
        self.reported_for = self.viewed.generation;
        self.effects.push(Effect::ReportHosts);
    }

    /// Requests what the hosts make of the skills, once for each complete view.
    fn want_counts(&mut self) {
        let generation = Some(self.viewed.generation);
        if self.viewed.complete && self.counted.generation != generation {
            self.counted.generation = generation;
            self.effects.push(Effect::CountHosts(self.viewed.generation));
        }
    }

    pub(super) fn counted(&mut self, generation: u64, rows: Arc<Vec<HostCounts>>) {
        if self.counted.generation == Some(generation) {
            self.counted.rows = rows;
        }
    }

    /// What a host makes of the skills; `None` until that is known, and for hosts that are not
    /// here.
    pub fn counts(&self, word: &str) -> Option<&HostCounts> {
        self.counted.rows.iter().find(|counts| counts.host.word() == word)
    }
}
