//! Changes of settings: a request becomes a plan, a plan is judged again before it is written, and
//! can be taken back.

mod draft;
mod error;
mod goal;
mod label;
mod outcome;
mod reach;
mod readers;
mod side_effects;
mod target;
mod together;

pub use error::ChangeError;

use super::clock::now_ms;
use super::{View, Workspace};
use crate::policy::Layer;
pub use crate::policy::change::{ChangeRequest, NewRule, Plan, PlannedEffect, PlannedFile};
use crate::settings::store;
use crate::state::StateError;
use crate::state::undo::{self, EntryName, Journal};
use draft::Draft;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use crate::state::undo::{Direction, Kept, Left, UndoError, Undone, Why};

/// How often a change is tried if other programs keep writing the same file.
const TRIES: u32 = 8;

/// Tries something again if another program has written the file meanwhile, a few times.
fn tried<T>(attempt: impl Fn() -> Result<T, ChangeError>) -> Result<T, ChangeError> {
    let mut tries = 1;
    loop {
        match attempt() {
            Err(ChangeError::Write { error, .. }) if tries < TRIES && error.overtaken() => {
                // Several of us that wait equally long would meet again.
                let wait = tries * 8 + std::process::id() % 16;
                std::thread::sleep(Duration::from_millis(wait.into()));
                tries += 1;
            }
            done => return done,
        }
    }
}

impl Workspace {
    /// Works out what to write so that the request becomes true for the host of the view, or for
    /// every host that sees the skills; `place` says whose files are to be changed, none means
    /// the person's own. The settings are read from the disk now, and again if another program
    /// makes them meanwhile.
    ///
    /// # Errors
    /// [`ChangeError`]. The plan was applied to the parsed files and judged again, so its effects
    /// are certain.
    pub fn plan(
        &self,
        view: &View,
        request: &ChangeRequest,
        place: Option<Layer>,
    ) -> Result<Plan, ChangeError> {
        tried(|| Draft::new(self, view, request, place)?.plan())
    }

    /// As [`Workspace::plan`] without a place; if it asks, with the same change in other settings
    /// files ([`Plan::instead`]). Where only a committed file can say it, the question is the
    /// choice of that file.
    ///
    /// # Errors
    /// As [`Workspace::plan`].
    pub fn plan_with_choice(
        &self,
        view: &View,
        request: &ChangeRequest,
    ) -> Result<Plan, ChangeError> {
        let first = self.plan(view, request, None);
        let is_open = |why: &ChangeError| self.way_out(view, request, why).is_some();
        let asks = first.as_ref().map_or_else(is_open, |plan| plan.ask);
        if !asks || matches!(request, ChangeRequest::SetRules(_)) {
            return first;
        }
        let files = |plan: &Plan| -> Vec<PathBuf> {
            plan.files.iter().map(|file| file.change.path.clone()).collect()
        };
        let (mut plans, refused) = match first {
            Ok(plan) => (vec![plan], None),
            Err(why) => (Vec::new(), Some(why)),
        };
        for layer in [Layer::User, Layer::Local, Layer::Project] {
            let Ok(plan) = self.plan(view, request, Some(layer)) else { continue };
            if !plan.files.is_empty() && plans.iter().all(|known| files(known) != files(&plan)) {
                plans.push(plan);
            }
        }
        let mut plans = plans.into_iter();
        match (plans.next(), refused) {
            (Some(plan), _) => Ok(Plan { ask: true, instead: plans.collect(), ..plan }),
            (None, Some(why)) => Err(why),
            (None, None) => Err(ChangeError::Gone),
        }
    }

    /// The layer of another settings file that can express a request which was refused; `None` if
    /// there is none, or the person has chosen a file.
    pub fn way_out(
        &self,
        view: &View,
        request: &ChangeRequest,
        refused: &ChangeError,
    ) -> Option<Layer> {
        let can = |layer: &Layer| self.plan(view, request, Some(*layer)).is_ok();
        let others = [Layer::Local, Layer::Project].into_iter().filter(|_| refused.is_blocked());
        refused.unchosen().or_else(|| others.into_iter().find(can))
    }

    /// Writes a plan: first the journal entry, then all files or none.
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as it was.
    pub fn apply(&self, plan: &Plan) -> Result<(), ChangeError> {
        if plan.files.is_empty() {
            return Ok(());
        }
        let state = self.state_dir.as_deref().ok_or(ChangeError::NoState)?;
        let journal = Journal::new(state);
        let change = undo::Change {
            label: plan.label.clone(),
            at_ms: now_ms(),
            files: plan.files.iter().map(|file| file.change.clone()).collect(),
            moves: Vec::new(),
            share: None,
        };
        let made = journal.make(&change, || store::commit(change.files.clone()))?;
        let (entry, _) =
            made.map_err(|error| ChangeError::Write { path: error.path.clone(), error })?;
        self.made.note(&entry);
        Ok(())
    }

    /// Plans and writes at once. If another program writes the file in between, the change is
    /// planned again from its new content, a few times.
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as the others left it.
    pub fn make(
        &self,
        view: &View,
        request: &ChangeRequest,
        place: Option<Layer>,
    ) -> Result<Plan, ChangeError> {
        tried(|| {
            let plan = Draft::new(self, view, request, place)?.plan()?;
            self.apply(&plan)?;
            Ok(plan)
        })
    }

    /// Takes back the last change or share, wherever it was made; first those of this process,
    /// since a person who has just made one means that one.
    ///
    /// # Errors
    /// [`UndoError`]; without a state directory there is nothing to take back.
    pub fn undo(&self) -> Result<Undone, UndoError> {
        let directory = self.state_dir.as_ref().ok_or(UndoError::Nothing)?;
        Journal::new(directory).undo(&self.made.numbers(), |share| self.undo_share(share))
    }

    /// The command with which another process takes back the last change of this one.
    pub fn undo_command(&self) -> String {
        let number = self.made.numbers().last().map(|number| format!(" {number}"));
        format!("skillpick undo{}", number.unwrap_or_default())
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    /// [`UndoError`]; then nothing has changed.
    pub fn redo(&self) -> Result<Undone, UndoError> {
        let directory = self.state_dir.as_ref().ok_or(UndoError::NothingUndone)?;
        Journal::new(directory).redo(|share| self.undo_share(share))
    }

    /// Takes the change with this number back, or makes it again.
    ///
    /// # Errors
    /// [`UndoError`]; then nothing has changed.
    pub fn apply_change(&self, number: u64, direction: Direction) -> Result<Undone, UndoError> {
        let directory = self.state_dir.as_ref().ok_or(UndoError::NoChange(number))?;
        Journal::new(directory).apply(number, direction, |share| self.undo_share(share))
    }

    /// The last changes, the newest first.
    ///
    /// # Errors
    /// [`StateError`] if the journal cannot be read.
    pub fn changes(&self) -> Result<Vec<Kept>, StateError> {
        let journal = self.state_dir.as_deref().map(Journal::new);
        journal.map_or(Ok(Vec::new()), |journal| journal.list())
    }

    /// The change that must be undone or redone before this obstacle goes.
    pub fn first_needed(&self, why: &Why) -> Option<(Direction, u64)> {
        let changes = self.changes().ok()?;
        let (direction, path) = match why {
            Why::Newer { path } => (Direction::Undo, path),
            Why::Older { path } => (Direction::Redo, path),
            _ => return None,
        };
        let stands_there = |kept: &&Kept| {
            let change = kept.change.as_ref();
            kept.undone == (direction == Direction::Redo)
                && change.is_ok_and(|change| change.paths().any(|place| place == path))
        };
        // The newest is undone first, and the oldest redone first.
        let first = match direction {
            Direction::Undo => changes.iter().find(stands_there),
            Direction::Redo => changes.iter().rev().find(stands_there),
        };
        first.map(|kept| (direction, kept.number))
    }
}

/// The numbers of the changes that a process has made, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Made(Arc<Mutex<Vec<u64>>>);

impl Made {
    pub(super) fn note(&self, entry: &EntryName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(entry.number());
    }

    fn numbers(&self) -> Vec<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The file and line of a change, for a notice.
pub fn place(plan: &Plan) -> Option<(&Path, u32)> {
    plan.files.first().map(|file| (file.change.path.as_path(), file.line))
}

#[cfg(test)]
mod tests;
