//! The menu of hosts: choose whose view is shown.

use super::{Action, ListPane, State};
use crate::text::SafeText;
use ratatui::layout::Position;

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

#[derive(Debug, Default)]
pub struct HostMenu {
    pub list: ListPane,
    /// The current host, until the list has come and the cursor is on it.
    start: Option<&'static str>,
}

impl HostMenu {
    /// The cursor begins on the current host.
    pub fn new(state: &State) -> Self {
        Self { list: ListPane::default(), start: Some(state.options.host) }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, state.whole().left, state.hosts().len()) {
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
        let on_row = self.list.clicked(place, state.whole().left, state.hosts().len());
        if on_row && twice {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_hosts();
        let rows = state.hosts();
        if let Some(word) = self.start.filter(|_| !rows.is_empty()) {
            self.list.cursor = rows.iter().position(|row| row.word == word).unwrap_or_default();
            self.start = None;
        }
        self.list.follow(state.whole().left, rows.len());
    }
}
