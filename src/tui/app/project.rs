//! The skills of the project that settings name: their versions, and keys that change them.

use super::reading::Reading;
use super::{Action, ChangeJob, Effect, KeyTable, ListPane, Notice, State};
use crate::inert;
use crate::text::SafeText;
use crate::text::diff::FileChange;
use ratatui::layout::Position;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the screen asks the shell to do with the project.
#[derive(Clone, Debug)]
pub enum ProjectTask {
    /// Read what it holds, with the history of this skill.
    Read(Option<Arc<str>>),
    /// Compare a skill with a version of it, or with the file that has its name.
    Compare(Arc<str>, Option<Arc<str>>),
    /// Open the text of this version of a skill in the editor.
    Edit(Arc<str>, Arc<str>),
}

/// A change that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredRequest {
    /// Store this skill of a folder.
    Add(Arc<Path>),
    /// Store what was edited.
    Edited(StoredDraft),
    Delete(Arc<str>),
    /// Take a version again; without one, the version before.
    Restore(Arc<str>, Option<Arc<str>>),
}

/// A text that a person edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDraft {
    pub name: Arc<str>,
    /// The digest of the version that it was made from.
    pub version: Arc<str>,
    pub file: PathBuf,
}

/// What would be done, as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPlan {
    pub request: StoredRequest,
    /// What it does, in a few words.
    pub label: SafeText,
    /// Files that come and go, hidden text, findings.
    pub told: Vec<SafeText>,
    /// The text before and after; empty if only files change.
    pub changes: Vec<FileChange>,
}

/// What the project holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectContent {
    /// Project, store, and what counts if a file has a skill's name.
    pub about: SafeText,
    /// By name; those that were deleted come last.
    pub skills: Vec<StoredRow>,
    /// The skill whose history this is, and its changes, newest first.
    pub history: Option<(Arc<str>, Vec<StoredRow>)>,
}

/// A skill as it is now, or after one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    pub name: Arc<str>,
    /// `None` if it is deleted.
    pub version: Option<Arc<str>>,
    /// Which version, and by whom.
    pub words: SafeText,
    /// Unix time in milliseconds.
    pub at_ms: u64,
    /// The file that has its name here.
    pub file: Option<PathBuf>,
}

/// A row of the screen, by indexes into the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRow {
    Skill(usize),
    /// A change of the skill above.
    Change(usize),
}

#[derive(Debug)]
pub struct Project {
    pub list: ListPane,
    /// `None` until it is read.
    pub content: Option<Result<Arc<ProjectContent>, SafeText>>,
    /// The skill whose history is unfolded.
    open: Option<Arc<str>>,
    /// The skill of a folder that could be stored.
    pub offered: Option<Arc<Path>>,
    pub(super) reading: Reading,
}

impl Project {
    pub fn new(offered: Option<Arc<Path>>) -> Self {
        Self {
            list: ListPane::default(),
            content: None,
            open: None,
            offered,
            reading: Reading::default(),
        }
    }

    fn content(&self) -> Option<&ProjectContent> {
        self.content.as_ref()?.as_ref().ok().map(|content| &**content)
    }

    /// Each skill, and below the open one its changes.
    pub fn rows(&self) -> Vec<ProjectRow> {
        let Some(content) = self.content() else { return Vec::new() };
        let changes = |name: &str| {
            let history = content.history.as_ref().filter(|(of, _)| **of == *name);
            0..history.map_or(0, |(_, changes)| changes.len())
        };
        let rows = content.skills.iter().enumerate().flat_map(|(index, row)| {
            let below = changes(&row.name).map(ProjectRow::Change);
            std::iter::once(ProjectRow::Skill(index)).chain(below)
        });
        rows.collect()
    }

    pub fn row(&self, row: ProjectRow) -> Option<&StoredRow> {
        let content = self.content()?;
        match row {
            ProjectRow::Skill(index) => content.skills.get(index),
            ProjectRow::Change(index) => content.history.as_ref()?.1.get(index),
        }
    }

    /// The current row.
    pub fn current(&self) -> Option<(ProjectRow, &StoredRow)> {
        let row = *self.rows().get(self.list.cursor)?;
        Some((row, self.row(row)?))
    }

    /// Whether the history of this skill is unfolded.
    pub fn is_open(&self, row: &StoredRow) -> bool {
        self.open.as_ref() == Some(&row.name)
    }

    /// Whether the action has something to act on in the current row.
    pub(super) fn takes(&self, action: Action) -> bool {
        let current = self.current();
        let is_there = current.is_some_and(|(_, row)| row.version.is_some());
        match action {
            Action::Undo => self.content().is_some(),
            Action::Store => self.content().is_some() && self.offered.is_some(),
            Action::Edit | Action::DeleteStored => {
                is_there && matches!(current, Some((ProjectRow::Skill(_), _)))
            }
            Action::Compare => match current {
                Some((ProjectRow::Skill(_), row)) => is_there && row.file.is_some(),
                Some((ProjectRow::Change(_), _)) => is_there,
                None => false,
            },
            Action::Accept => current.is_some(),
            Action::Restore => match current {
                Some((ProjectRow::Skill(_), _)) => true,
                Some((ProjectRow::Change(_), _)) => is_there,
                None => false,
            },
            _ => true,
        }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let rows = self.rows();
        if self.list.moves(action, state.whole().left, rows.len()) {
            return;
        }
        match action {
            Action::Left if self.open.is_some() => return self.fold(),
            Action::Back | Action::Left => return state.closing = true,
            _ => {}
        }
        if !self.takes(action) {
            return state.say(Notice::neutral(SafeText::fixed(self.why_not(action))));
        }
        let current = self.current().map(|(row, stored)| (row, stored.clone()));
        match (action, current) {
            (Action::Undo, _) => state.turn_back(ChangeJob::UndoStored),
            (Action::Store, _) => {
                let offered = self.offered.clone();
                offered.into_iter().for_each(|path| plan(state, StoredRequest::Add(path)));
            }
            (Action::Accept | Action::Right, Some((ProjectRow::Skill(_), row))) => {
                if self.is_open(&row) {
                    return self.fold();
                }
                self.open = Some(row.name);
                self.reading.outdated();
            }
            (Action::Accept | Action::Right | Action::Compare, Some((row, stored))) => {
                let version = stored.version.filter(|_| matches!(row, ProjectRow::Change(_)));
                ask(state, ProjectTask::Compare(stored.name, version));
            }
            (Action::Edit, Some((_, StoredRow { name, version: Some(version), .. }))) => {
                ask(state, ProjectTask::Edit(name, version));
            }
            (Action::DeleteStored, Some((_, row))) => plan(state, StoredRequest::Delete(row.name)),
            (Action::Restore, Some((row, stored))) => {
                let version = stored.version.filter(|_| matches!(row, ProjectRow::Change(_)));
                plan(state, StoredRequest::Restore(stored.name, version));
            }
            _ => {}
        }
    }

    /// Why an action has nothing to act on.
    fn why_not(&self, action: Action) -> &'static str {
        match (action, self.current()) {
            _ if self.content.is_none() => "the store is still being read",
            _ if self.content().is_none() => "the project cannot be read",
            (Action::Store, _) => "the list's current skill is not in a folder here",
            (_, None) => "there is no skill here",
            (Action::Compare, Some((ProjectRow::Skill(_), row))) if row.version.is_some() => {
                "no file here has this name"
            }
            (_, Some((_, row))) if row.version.is_none() => "the skill is deleted there",
            _ => "this is for a skill, not for one of its changes",
        }
    }

    /// Folds the history; the cursor goes to its skill.
    fn fold(&mut self) {
        let is_skill = |row: &&ProjectRow| matches!(row, ProjectRow::Skill(_));
        let above = self.rows().iter().take(self.list.cursor + 1).filter(is_skill).count();
        self.open = None;
        if let Some(Ok(content)) = &mut self.content {
            Arc::make_mut(content).history = None;
        }
        self.list.cursor = above.saturating_sub(1);
    }

    pub(super) fn arrived(&mut self, content: Result<Arc<ProjectContent>, SafeText>) {
        self.reading.ended();
        // The cursor stays on its skill.
        let current = self.current().map(|(row, stored)| (row, Arc::clone(&stored.name)));
        self.content = Some(content);
        if let Some((ProjectRow::Skill(_), name)) = current {
            let is_it = |row: &ProjectRow| {
                matches!(row, ProjectRow::Skill(_))
                    && self.row(*row).is_some_and(|found| found.name == name)
            };
            let at = self.rows().iter().position(is_it);
            self.list.cursor = at.unwrap_or(self.list.cursor);
        }
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, state.whole().left, self.rows().len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        if self.reading.begins() {
            ask(state, ProjectTask::Read(self.open.clone()));
        }
        self.list.follow(state.whole().left, self.rows().len());
    }
}

fn ask(state: &mut State, task: ProjectTask) {
    state.effects.push(Effect::Project(task));
}

/// Asks what a change would do.
fn plan(state: &mut State, request: StoredRequest) {
    if state.is_free() {
        state.begin(ChangeJob::PlanStored(request));
    }
}

/// What a notice says of a change of the project: how it is undone from here.
pub(super) fn undoable(state: &State, text: &SafeText) -> SafeText {
    let undo = state.key_word(KeyTable::Project, Action::Undo);
    match state.context().table {
        KeyTable::Project => inert!("{} · {} undoes it", text, undo),
        _ => {
            let open = state.key_word(KeyTable::Picker, Action::Project);
            inert!("{} · {} {} undoes it", text, open, undo)
        }
    }
}
