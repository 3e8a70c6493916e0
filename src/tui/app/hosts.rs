//! Through which host to look: a list of them.

use super::layout::{self, PairLayout};
use super::screen::Step;
use super::{Action, Effect, ListPane, State};
use crate::text::SafeText;

/// One host in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// The word for `--host`.
    pub word: &'static str,
    /// Its name as people write it.
    pub name: &'static str,
    /// Its version, and what there is to know of it.
    pub note: SafeText,
    /// Whether it is on this machine (`all` and `agents` always are).
    pub here: bool,
}

#[derive(Debug, Default)]
pub struct HostMenu {
    pub list: ListPane,
    /// The host that is looked through, until the cursor has been put on it.
    start: Option<&'static str>,
}

impl HostMenu {
    /// Offers every host; the cursor begins on the one that is looked through.
    pub fn new(state: &State) -> Self {
        Self { list: ListPane::default(), start: Some(state.options.host) }
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::whole(state.area, state.notice_rows())
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        if self.list.moves(action, Self::layout(state).left, state.hosts().len()) {
            return Step::default();
        }
        match action {
            Action::Accept | Action::Hosts | Action::Right => {
                match state.hosts().get(self.list.cursor) {
                    Some(row) => Step::close(state.look_through(row.word)),
                    None => Step::default(),
                }
            }
            Action::Back | Action::Left => Step::close(Vec::new()),
            _ => Step::default(),
        }
    }

    pub(super) fn clicked(&mut self, place: (u16, u16), twice: bool, state: &mut State) -> Step {
        let on_row = self.list.clicked(place, Self::layout(state).left, state.hosts().len());
        if on_row && twice { self.act(Action::Accept, state) } else { Step::default() }
    }

    pub(super) fn follow(&mut self, state: &mut State) -> Vec<Effect> {
        let effects = state.want_hosts();
        let rows = state.hosts();
        if let Some(word) = self.start.filter(|_| !rows.is_empty()) {
            self.list.cursor = rows.iter().position(|row| row.word == word).unwrap_or_default();
            self.start = None;
        }
        self.list.follow(Self::layout(state).left, rows.len());
        effects
    }
}
