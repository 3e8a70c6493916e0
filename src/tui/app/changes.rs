//! The changes that were made from here: what and when, their diff, and keys that take any of them
//! back or make it again.

use super::{Action, ChangeJob, Effect, ListPane, Notice, State};
use crate::text::SafeText;
use ratatui::layout::Position;
use std::sync::Arc;

/// What the screen asks the shell to read from the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangesTask {
    Read,
    /// Show what the change with this number did.
    Show(u64),
}

/// A change of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptChange {
    pub number: u64,
    /// What it does, in a few words, or why its record cannot be read.
    pub label: SafeText,
    /// Unix time in milliseconds; `None` if its record cannot be read.
    pub at_ms: Option<u64>,
    /// The first file, and how many more there are.
    pub files: SafeText,
    /// Whether it was taken back.
    pub undone: bool,
}

#[derive(Debug)]
pub struct Changes {
    pub list: ListPane,
    /// The newest first; `None` until they are read.
    pub rows: Option<Result<Arc<Vec<KeptChange>>, SafeText>>,
    pub(super) stale: bool,
    /// The number of the change under the cursor: one that is made again goes to the top.
    anchor: Option<u64>,
}

impl Default for Changes {
    fn default() -> Self {
        Self { list: ListPane::default(), rows: None, stale: true, anchor: None }
    }
}

impl Changes {
    pub fn rows(&self) -> &[KeptChange] {
        match &self.rows {
            Some(Ok(rows)) => rows,
            _ => &[],
        }
    }

    /// The current row.
    pub fn current(&self) -> Option<&KeptChange> {
        self.rows().get(self.list.cursor)
    }

    /// Whether the action has something to act on in the current row.
    pub(super) fn takes(&self, action: Action) -> bool {
        let is_read = |row: &KeptChange| row.at_ms.is_some();
        let current = self.current().filter(|row| is_read(row));
        match action {
            Action::Undo => current.is_some_and(|row| !row.undone),
            Action::Redo => current.is_some_and(|row| row.undone),
            Action::Accept | Action::Right | Action::Compare => current.is_some(),
            _ => true,
        }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, state.whole().left, self.rows().len()) {
            return;
        }
        if matches!(action, Action::Back | Action::Left) {
            return state.closing = true;
        }
        if !self.takes(action) {
            return state.say(Notice::neutral(SafeText::fixed(self.why_not(action))));
        }
        let Some(number) = self.current().map(|row| row.number) else { return };
        match action {
            Action::Accept | Action::Right | Action::Compare => {
                ask(state, ChangesTask::Show(number))
            }
            Action::Undo => state.turn_back(ChangeJob::UndoOne(number)),
            Action::Redo => state.turn_back(ChangeJob::RedoOne(number)),
            _ => {}
        }
    }

    /// Why an action has nothing to act on.
    fn why_not(&self, action: Action) -> &'static str {
        match (action, self.current()) {
            (_, None) => "there is no change here",
            (_, Some(row)) if row.at_ms.is_none() => "what was saved of this change cannot be read",
            (Action::Undo, _) => "it is undone already",
            _ => "it was not undone",
        }
    }

    pub(super) fn arrived(&mut self, rows: Result<Arc<Vec<KeptChange>>, SafeText>) {
        self.rows = Some(rows);
        let same = self.rows().iter().position(|row| Some(row.number) == self.anchor);
        self.list.cursor = same.unwrap_or(self.list.cursor);
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, state.whole().left, self.rows().len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        if std::mem::take(&mut self.stale) {
            ask(state, ChangesTask::Read);
        }
        self.list.follow(state.whole().left, self.rows().len());
        self.anchor = self.current().map(|row| row.number).or(self.anchor);
    }
}

fn ask(state: &mut State, task: ChangesTask) {
    state.effects.push(Effect::Changes(task));
}
