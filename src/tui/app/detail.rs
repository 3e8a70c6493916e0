//! Detail: the skill's file tree on the left, the chosen file on the right.

mod links;

use super::layout::{self, PairLayout};
use super::{
    Action, Chosen, Effect, FileRow, Find, ListPane, Mouse, Notice, PreviewKey, PreviewStyle,
    Problems, State, TextPane, Unseen,
};
use crate::text::{Doc, SafeText};
use links::{Left, Place};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Share of the tree, in percent of the width.
const TREE: u16 = 32;

/// Columns of the line numbers, of which a text has at most five digits, and of the blank behind.
pub const GUTTER: u16 = 6;

/// The pane that has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    Tree,
    Text,
}

#[derive(Debug)]
pub struct Detail {
    pub path: Arc<Path>,
    pub focus: Focus,
    pub tree: ListPane,
    pub pane: TextPane,
    pub style: PreviewStyle,
    pub wrap: bool,
    /// Whether the lines of the text have the numbers of the file's.
    pub numbers: bool,
    /// The search in the text.
    pub find: Option<Find>,
    /// The folders of the tree whose files have no rows.
    folded: BTreeSet<PathBuf>,
    /// The chosen link of the text, by its number.
    link: Option<u16>,
    /// What was left by links, the last one last.
    left: Vec<Left>,
    /// Where the text that was asked for is shown from.
    arrival: Option<Place>,
}

/// Whether an action is about the skill itself, so that it needs one that is there.
pub(super) fn is_about_skill(action: Action) -> bool {
    matches!(
        action,
        Action::Edit
            | Action::Toggle
            | Action::Copy
            | Action::Compare
            | Action::Mark
            | Action::Pick
            | Action::Seen
    )
}

impl Detail {
    /// Opens a skill at its `SKILL.md`.
    pub fn new(path: Arc<Path>) -> Self {
        Self {
            path,
            focus: Focus::Tree,
            tree: ListPane::default(),
            pane: TextPane::default(),
            style: PreviewStyle::Rendered,
            wrap: true,
            numbers: false,
            find: None,
            folded: BTreeSet::new(),
            link: None,
            left: Vec::new(),
            arrival: None,
        }
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::pair(state.area, TREE, state.notice_rows())
    }

    /// The rows of the file tree; none until it has been read.
    pub fn rows<'a>(&self, state: &'a State) -> Vec<&'a FileRow> {
        let files = state.files_of(&self.path).iter();
        let is_shown = |row: &&FileRow| {
            let mut above = row.relative.ancestors().skip(1);
            !above.any(|folder| self.folded.contains(folder))
        };
        files.filter(is_shown).collect()
    }

    /// How many entries a folder has that are not shown; 0 if they are.
    pub fn folded(&self, row: &FileRow, state: &State) -> usize {
        if !self.folded.contains(&row.relative) {
            return 0;
        }
        let files = state.files_of(&self.path).iter();
        files.filter(|file| file.relative.starts_with(&row.relative)).count() - 1
    }

    /// Folds the folder under the cursor, or unfolds it; `false` if there is none.
    fn fold(&mut self, state: &State) -> bool {
        let rows = self.rows(state);
        let folder = rows.get(self.tree.cursor).filter(|row| row.directory);
        let Some(folder) = folder.map(|row| row.relative.clone()) else { return false };
        if !self.folded.remove(&folder) {
            self.folded.insert(folder);
        }
        true
    }

    /// The file whose text is shown. `None` is the `SKILL.md`, also while the tree is not known.
    pub fn file(&self, state: &State) -> Option<PathBuf> {
        let row = *self.rows(state).get(self.tree.cursor)?;
        let is_skill_file = self.path.file_name().is_some_and(|name| *row.relative == *name);
        (!is_skill_file).then(|| row.relative.clone())
    }

    fn chosen(&self) -> Chosen {
        Chosen { paths: vec![Arc::clone(&self.path)], marked: false, host: None }
    }

    pub(super) fn on_directory(&self, state: &State) -> bool {
        self.rows(state).get(self.tree.cursor).is_some_and(|row| row.directory)
    }

    /// Marks, picks, and goes to the neighbours in the list; `false` if the action is another one.
    fn acts_on_list(&mut self, action: Action, state: &mut State) -> bool {
        match action {
            Action::Mark => super::choose::mark(state, &self.path),
            Action::Pick => {
                let marked = state.marks.count() > 0;
                let chosen = if marked { state.chosen() } else { self.chosen() };
                super::choose::pick_these(state, chosen);
            }
            Action::NextSkill => self.step(1, state),
            Action::PreviousSkill => self.step(-1, state),
            _ => return false,
        }
        true
    }

    /// Shows a neighbour in the list, in the same way.
    fn step(&mut self, rows: isize, state: &mut State) {
        // The skill may have been opened from another list.
        state.picker.stay(Some(&self.path));
        let before = state.picker.list.cursor;
        state.picker.move_by(rows);
        let neighbour = state.current().map(|entry| Arc::from(entry.skill.path.as_path()));
        match neighbour.filter(|_| state.picker.list.cursor != before) {
            Some(path) => {
                let (style, wrap, numbers) = (self.style, self.wrap, self.numbers);
                *self = Self { style, wrap, numbers, ..Self::new(path) };
            }
            None => state.say(Notice::neutral(SafeText::fixed("the list ends here"))),
        }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if let Some(row) = Find::act(&mut self.find, action, self.pane.scroll) {
            if let Some(row) = row {
                self.pane.scroll_to(row, Self::text_height(state));
            }
            return;
        }
        if self.acts_on_list(action, state) {
            return;
        }
        if is_about_skill(action) && state.entry(&self.path).is_none() {
            return state.say(Notice::grave(SafeText::fixed(super::choose::GONE)));
        }
        match action {
            Action::Back if self.return_from_link(state) => {}
            Action::Back => state.closing = true,
            Action::Left if self.focus == Focus::Tree => state.closing = true,
            Action::Left => self.focus = Focus::Tree,
            Action::Accept if self.focus == Focus::Text && self.target().is_some() => {
                self.follow_link(state);
            }
            Action::Accept if self.focus == Focus::Tree && self.fold(state) => {}
            Action::Right | Action::Open | Action::Accept => self.focus = Focus::Text,
            Action::Next | Action::Previous => self.next_link(action == Action::Next, state),
            Action::Numbers => self.numbers = !self.numbers,
            Action::MarkDown | Action::MarkUp => {
                self.focus = if self.focus == Focus::Tree { Focus::Text } else { Focus::Tree }
            }
            Action::Raw => {
                self.style = if self.style == PreviewStyle::Raw {
                    PreviewStyle::Rendered
                } else {
                    PreviewStyle::Raw
                }
            }
            Action::Wrap => self.wrap = !self.wrap,
            Action::Find => {
                self.find = Some(Find::start());
                self.focus = Focus::Text;
            }
            Action::Edit => self.edit(state),
            Action::Toggle => super::choose::toggle(state, self.chosen()),
            Action::Copy => {
                state.screens.push(super::Screen::Copy(super::CopyMenu::new(self.chosen())))
            }
            Action::Seen => {
                state.screens.push(super::Screen::Seen(super::Seen::new(Arc::clone(&self.path))))
            }
            Action::Activity => {
                let name = state
                    .entry(&self.path)
                    .map(|entry| entry.skill.name.clone())
                    .unwrap_or_default();
                state.screens.push(super::Screen::Activity(super::Activity::of(
                    Arc::clone(&self.path),
                    &name,
                )));
            }
            Action::Compare => state.effects.push(Effect::Compare(Arc::clone(&self.path), None)),
            Action::Problems => {
                let problems = Problems::new(state, Some(&self.path));
                super::update::open_problems(state, problems);
            }
            _ => self.move_by(action, state),
        }
    }

    /// Takes a text and searches it, since its lines are wrapped differently now.
    pub(super) fn arrived(&mut self, key: &PreviewKey, text: Result<Arc<Doc>, Unseen>) {
        self.pane.arrived(key, text);
        self.look();
    }

    fn look(&mut self) {
        if let (Some(find), Some(doc)) = (&mut self.find, self.pane.doc()) {
            find.look(doc.lines.iter().map(|line| line.plain().into()));
        }
    }

    pub(super) fn typed(&mut self, state: &State) {
        self.look();
        let Some(find) = &self.find else { return };
        if let Some(row) = find.from(self.pane.scroll) {
            self.pane.scroll_to(row, Self::text_height(state));
        }
    }

    fn move_by(&mut self, action: Action, state: &State) {
        let page = Self::text_height(state).saturating_sub(1).cast_signed();
        if let Some(lines) = layout::scrolled(action, page) {
            return self.scroll(lines, state);
        }
        let rows: isize = match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -page,
            Action::PageDown => page,
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return,
        };
        match self.focus {
            Focus::Tree => self.select(self.tree.cursor.saturating_add_signed(rows), state),
            Focus::Text => self.scroll(rows, state),
        }
    }

    fn select(&mut self, row: usize, state: &State) {
        let row = row.min(self.rows(state).len().saturating_sub(1));
        if row != self.tree.cursor {
            self.tree.cursor = row;
            (self.find, self.link, self.arrival) = (None, None, None);
            self.left.clear();
        }
    }

    fn scroll(&mut self, lines: isize, state: &State) {
        self.pane.scroll_by(lines, Self::text_height(state));
    }

    fn edit(&self, state: &mut State) {
        if self.on_directory(state) {
            return state
                .say(Notice::grave(SafeText::fixed("a folder cannot be edited; choose a file")));
        }
        let file = match self.file(state) {
            Some(relative) => self.path.parent().unwrap_or(&self.path).join(relative),
            None => self.path.to_path_buf(),
        };
        let line = self.pane.source_line();
        state.effects.push(Effect::Edit(file, line));
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        let panes = Self::layout(state);
        match mouse {
            Mouse::Drag(_) => {}
            Mouse::WheelUp(place) | Mouse::WheelDown(place) => {
                let lines: isize = if matches!(mouse, Mouse::WheelUp(_)) { -3 } else { 3 };
                if panes.left.contains(place) {
                    self.select(self.tree.cursor.saturating_add_signed(lines.signum()), state);
                } else {
                    self.scroll(lines, state);
                }
            }
            Mouse::Click(place) | Mouse::DoubleClick(place) => {
                if panes.left.contains(place) {
                    self.focus = Focus::Tree;
                    let count = self.rows(state).len();
                    if let Some(row) = layout::row_at(panes.left, place, self.tree.top, count) {
                        self.select(row, state);
                    }
                } else if panes.right.is_some_and(|right| right.contains(place)) {
                    self.focus = Focus::Text;
                }
            }
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_facts(&self.path);
        let panes = Self::layout(state);
        let count = self.rows(state).len();
        self.tree.follow(panes.left, count);
        let gutter = if self.numbers { GUTTER } else { 0 };
        let columns = panes.right.map_or(0, |right| right.width.saturating_sub(2 + gutter));
        let key = (columns > 0 && !self.on_directory(state)).then(|| PreviewKey {
            path: Arc::clone(&self.path),
            epoch: state.epoch,
            file: self.file(state),
            style: self.style,
            columns,
            wrap: self.wrap,
            pictures: state.options.pictures,
        });
        state.effects.extend(self.pane.want(key));
        if let Some(place) = self.arrival.take_if(|_| self.pane.is_wanted()) {
            self.go(&place, state);
        }
        self.pane.scroll_by(0, Self::text_height(state));
    }

    fn text_height(state: &State) -> usize {
        Self::layout(state).right.map_or(1, |right| usize::from(right.height).max(1))
    }
}
