//! Copies: the skills of one name, what tells them apart, and keys that keep one for all, give one
//! another name, or switch one off.

use super::choose::{pick_these, toggle};
use super::layout::{self, PairLayout};
use super::{Action, Chosen, Detail, Effect, Line, ListPane, MendRequest, Screen, State};
use crate::catalog::{Enablement, Skill, fix};
use crate::policy::{Entry, HostStatus, StatusKind};
use crate::text::SafeText;
use ratatui::layout::Position;
use std::path::Path;
use std::sync::Arc;

/// Width of the list, in percent.
const LIST: u16 = 46;

/// What tells a skill apart from others of its name, read from its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyRow {
    /// Unix time in milliseconds; 0 if unknown.
    pub changed_ms: u64,
    /// What git does with it; empty outside a repository.
    pub in_git: SafeText,
    /// Of all files.
    pub bytes: u64,
    pub files: usize,
    /// How it differs from the first one, in a few words.
    pub difference: SafeText,
}

/// What tells copies apart, in the order of these paths.
pub type CopyRows = (Vec<Arc<Path>>, Vec<CopyRow>);

#[derive(Debug)]
pub struct Copies {
    /// The skills, in the order in which the screen opened.
    pub paths: Vec<Arc<Path>>,
    pub list: ListPane,
    /// `None` until it is read.
    pub facts: Option<Arc<CopyRows>>,
    /// The new name that is being typed, and the skill that it is for.
    pub(super) naming: Option<(Arc<Path>, Line)>,
    /// The scan whose files were read.
    asked: Option<u64>,
    /// The view that was last looked at for copies that came or are gone.
    checked: u64,
    /// A change was written since the last key, so that copies are expected to be gone.
    changed: bool,
}

impl Copies {
    /// Those of the picker's current row, the one that it shows first; `None` if it is alone.
    pub fn new(state: &State) -> Option<Self> {
        let shown = state.current()?.skill.path.as_path();
        let copies = state.picker.copies_at(state.picker.list.cursor);
        let rows = &state.picker.shown.rows;
        let paths = copies.iter().filter_map(|index| rows.entry(*index as usize));
        let mut paths: Vec<Arc<Path>> =
            paths.map(|entry| Arc::from(entry.skill.path.as_path())).collect();
        paths.sort_by_key(|path| **path != *shown);
        let list = ListPane::default();
        (paths.len() > 1).then_some(Self {
            paths,
            list,
            facts: None,
            naming: None,
            asked: None,
            checked: 0,
            changed: false,
        })
    }

    /// With the cursor on the skill at `path`.
    #[must_use]
    pub(super) fn at(mut self, path: &Path) -> Self {
        let place = self.paths.iter().position(|own| **own == *path);
        self.list.cursor = place.unwrap_or(self.list.cursor);
        self
    }

    /// The new name that is being typed.
    pub fn name(&self) -> Option<&Line> {
        self.naming.as_ref().map(|(_, line)| line)
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::pair(state.area, LIST, state.notice_rows())
    }

    pub fn current(&self) -> Option<&Arc<Path>> {
        self.paths.get(self.list.cursor)
    }

    pub fn entry<'a>(&self, state: &'a State) -> Option<&'a Entry> {
        state.entry(self.current()?)
    }

    /// What was read of the skill at this place in the list.
    pub fn fact(&self, place: usize) -> Option<&CopyRow> {
        let (paths, rows) = &**self.facts.as_ref()?;
        if *paths == self.paths { rows.get(place) } else { None }
    }

    /// The words of the agents that use this skill for its name, and of those in which it is off.
    pub fn takers(state: &State, path: &Path) -> [Vec<&'static str>; 2] {
        let [mut users, mut off] = [Vec::new(), Vec::new()];
        for (_, HostStatus { host, status }) in state.host_statuses(path) {
            match status.status() {
                StatusKind::Is(Enablement::Off) => off.push(host.word()),
                StatusKind::Is(_) => users.push(host.word()),
                _ => {}
            }
        }
        [users, off]
    }

    /// Why the current skill cannot take the place of the others, as far as that is known without
    /// reading.
    pub(super) fn why_not_kept(&self, state: &State) -> Option<&'static str> {
        let kept = self.entry(state)?;
        if !kept.offered() {
            return Some(kept.status().word());
        }
        let is_here = |skill: &Skill| skill.path.starts_with(&state.options.own);
        let to_repository = kept.skill.is_brought() && is_here(&kept.skill);
        let why = |other: &Entry| match fix::kept_by_others(&other.skill, || is_here(&other.skill))
        {
            Some(_) => Some("others bring the rest"),
            None => (to_repository && !is_here(&other.skill)).then_some("the others are yours"),
        };
        let others = self.paths.iter().filter(|path| ***path != *kept.skill.path);
        let whys: Option<Vec<_>> = others.map(|path| why(state.entry(path)?)).collect();
        whys?.first().copied()
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        self.changed = false;
        if self.naming.is_some() {
            return self.act_on_line(action, state);
        }
        if self.list.moves(action, Self::layout(state).left, self.paths.len()) {
            return;
        }
        if matches!(action, Action::Back | Action::Left | Action::Copies) {
            return state.closing = true;
        }
        let Some(path) = self.current().cloned() else { return };
        let chosen = Chosen { paths: vec![Arc::clone(&path)], marked: false, host: None };
        match action {
            Action::Accept | Action::Right => {
                state.screens.push(Screen::Detail(Detail::new(path)));
            }
            Action::Pick => pick_these(state, chosen),
            Action::Mark => super::choose::mark(state, &path),
            Action::Toggle => toggle(state, chosen),
            Action::Edit => state.effects.push(Effect::Edit(path.to_path_buf(), 1)),
            Action::Compare => {
                // Every other one is held against the first, as in the facts beside the list.
                let (first, cursor) = (self.paths.first().cloned(), self.list.cursor);
                let shown = self.paths.get(cursor.max(1)).cloned().unwrap_or(path);
                state.effects.push(Effect::Compare(shown, first));
            }
            Action::KeepCopy => state.plan_mend(MendRequest::Keep(path)),
            Action::Rename => {
                let name = self.entry(state).map(|entry| entry.skill.name.clone());
                self.naming = name.map(|name| (path, Line::new(&name)));
            }
            _ => {}
        }
    }

    /// The line stays until the change is written, so that a name which is refused can be mended.
    fn act_on_line(&mut self, action: Action, state: &mut State) {
        match (action, &self.naming) {
            (Action::Accept, Some((path, line))) => {
                let name = line.text().trim().to_owned();
                state.plan_mend(MendRequest::Rename(Arc::clone(path), name));
            }
            (Action::Back, _) => self.naming = None,
            _ => {}
        }
    }

    /// A change was written.
    pub(super) fn written(&mut self) {
        (self.naming, self.changed) = (None, true);
    }

    /// Skills that are gone, or have another name now, are no copies any more; those that came
    /// (back) are. The cursor stays on its skill.
    fn renew(&mut self, state: &State) {
        let rows = &state.viewed.rows;
        let group = |path: &Arc<Path>| rows.index_of(path).map(|index| rows.copies_of(index));
        // One of them may have another name now.
        let most = |group: &&[u32]| {
            let own = self.paths.iter().filter_map(|path| rows.number_of(path));
            own.filter(|index| group.contains(index)).count()
        };
        let copies = self.paths.iter().filter_map(group).max_by_key(most).unwrap_or_default();
        let is_copy =
            |path: &Arc<Path>| rows.number_of(path).is_some_and(|index| copies.contains(&index));
        let current = self.current().cloned();
        self.paths.retain(is_copy);
        let found = copies.iter().filter_map(|index| rows.entry(*index as usize));
        let found = found.map(|entry| Arc::from(entry.skill.path.as_path()));
        let new: Vec<Arc<Path>> = found.filter(|path| !self.paths.contains(path)).collect();
        self.paths.extend(new);
        let place = self.paths.iter().position(|path| Some(path) == current.as_ref());
        self.list.cursor = place.unwrap_or(self.list.cursor);
        let is_left = |path: &Arc<Path>| self.paths.contains(path);
        self.naming = self.naming.take().filter(|(path, _)| is_left(path));
    }

    pub(super) fn arrived(&mut self, facts: &Arc<CopyRows>) {
        if facts.0 == self.paths {
            self.facts = Some(Arc::clone(facts));
        }
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.naming.is_some() {
            return;
        }
        if self.list.opens(place, twice, Self::layout(state).left, self.paths.len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_reports();
        let newest = state.viewed.generation;
        if state.viewed.complete && std::mem::replace(&mut self.checked, newest) != newest {
            self.renew(state);
        }
        if self.paths.len() < 2 {
            if !self.changed {
                state.closes_by_itself("the other copies are gone");
            }
            return state.closing = true;
        }
        if state.viewed.complete && self.asked.replace(state.epoch) != Some(state.epoch) {
            state.effects.push(Effect::ReadCopies(self.paths.clone()));
        }
        self.list.follow(Self::layout(state).left, self.paths.len());
    }
}
