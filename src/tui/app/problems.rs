//! Problems: errors and warnings, read like a compiler's messages.

use super::layout::{self, PairLayout};
use super::{Action, Effect, ExcerptKey, Find, ListPane, Notice, SettingsAlarm, State};
use crate::catalog::{Diagnostic, NAMED_AND_MISSING, RootState, Severity};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::words;
use ratatui::layout::Position;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Width of the list, in percent.
const LIST: u16 = 46;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeverityFilter {
    #[default]
    All,
    /// Findings that keep a skill from being offered.
    Errors,
    /// Departures from the specification.
    Warnings,
}

words!(SeverityFilter, All = "all", Errors = "errors", Warnings = "warnings");

impl SeverityFilter {
    fn next(self) -> Self {
        match self {
            Self::All => Self::Errors,
            Self::Errors => Self::Warnings,
            Self::Warnings => Self::All,
        }
    }

    fn admits(self, severity: Severity) -> bool {
        match self {
            Self::All => true,
            Self::Errors => severity == Severity::Error,
            Self::Warnings => severity == Severity::Warning,
        }
    }
}

/// A problem, by indexes into the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemRow {
    /// An error in settings.
    Alarm(usize),
    /// A root that cannot be read, or that the host does not read.
    Root(usize),
    /// A limit that was reached.
    Cut(usize),
    /// Row and diagnostic of a skill.
    Skill(usize, usize),
}

impl ProblemRow {
    pub fn of_skill(self, state: &State) -> Option<(&Entry, &Diagnostic)> {
        let Self::Skill(entry, diagnostic) = self else { return None };
        let entry = state.viewed.rows.entry(entry)?;
        Some((entry, entry.skill.diagnostics.get(diagnostic)?))
    }

    /// Its text; `None` if the view does not have it any more.
    pub fn about(self, state: &State) -> Option<About> {
        let viewed = &state.viewed;
        let error =
            |kind, place, words| Some(About { severity: Severity::Error, kind, place, words });
        match self {
            Self::Alarm(index) => {
                let SettingsAlarm { spot, words } = viewed.alarms.get(index)?;
                let place = spot.as_ref().map(|(file, line)| inert!("{}:{}", file, line));
                error(SafeText::fixed("settings"), place.unwrap_or_default(), words.clone())
            }
            Self::Root(index) => {
                let report = viewed.roots.get(index)?;
                let words = match &report.state {
                    RootState::Failed(why) => SafeText::line(why),
                    RootState::Closed { why, .. } => {
                        inert!("{} does not look into it: {}", report.root.host.word(), *why)
                    }
                    RootState::Missing => SafeText::fixed(NAMED_AND_MISSING),
                    RootState::Read => SafeText::default(),
                };
                let (kind, place) = (SafeText::fixed("folder"), SafeText::path(&report.root.path));
                report.severity().map(|severity| About { severity, kind, place, words })
            }
            Self::Cut(index) => {
                let cut = viewed.cuts.get(index)?;
                let words = inert!("{}; {}", SafeText::line(&cut.message()), cut.help());
                let kind = SafeText::fixed("cut");
                Some(About { severity: Severity::Warning, kind, place: SafeText::default(), words })
            }
            Self::Skill(..) => {
                let (entry, diagnostic) = self.of_skill(state)?;
                Some(About {
                    severity: entry.severity(diagnostic),
                    kind: SafeText::fixed(diagnostic.code()),
                    place: SafeText::line(&entry.skill.name),
                    words: SafeText::line(&diagnostic.message),
                })
            }
        }
    }

    /// The file and line for an editor.
    fn spot(self, state: &State) -> Option<(PathBuf, u32)> {
        match self {
            Self::Alarm(index) => state.viewed.alarms.get(index)?.spot.clone(),
            Self::Skill(..) => {
                let (entry, diagnostic) = self.of_skill(state)?;
                Some((entry.skill.path.clone(), diagnostic.place.line))
            }
            Self::Root(_) | Self::Cut(_) => None,
        }
    }
}

/// The text of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub severity: Severity,
    /// The code of a diagnostic, else `settings`, `folder` or `cut`.
    pub kind: SafeText,
    /// The skill's name, else file and line or the folder; may be empty.
    pub place: SafeText,
    pub words: SafeText,
}

#[derive(Debug, Default)]
pub struct Problems {
    pub filter: SeverityFilter,
    pub rows: Vec<ProblemRow>,
    pub list: ListPane,
    /// The view that the rows were collected from.
    generation: u64,
    /// The problem under the cursor, to find it again in a newer view.
    anchor: Option<Anchor>,
}

/// Identifies a problem by skill, code and line.
type Anchor = (Arc<Path>, &'static str, u32);

impl Problems {
    /// The cursor begins at the first problem of the skill at `path`, if there is one.
    pub fn new(state: &State, path: Option<&Path>) -> Self {
        let mut problems = Self::default();
        problems.collect(state);
        let first = problems.rows.iter().position(|row| {
            row.of_skill(state).is_some_and(|(entry, _)| Some(&*entry.skill.path) == path)
        });
        problems.list.cursor = first.unwrap_or(0);
        problems
    }

    /// Like [`Self::new`], but errors come before the warnings of the skill at `path`: the cursor
    /// begins at errors in settings always, and at other errors if they would be off the screen.
    pub fn of_all(state: &State, path: Option<&Path>) -> Self {
        let mut problems = Self::new(state, path);
        let height = usize::from(Self::list_area(state).height);
        let is_error = |row: Option<&ProblemRow>| {
            let about = row.and_then(|row| row.about(state));
            about.is_some_and(|about| about.severity == Severity::Error)
        };
        let own = problems.list.cursor;
        let hides = own >= height && !is_error(problems.rows.get(own));
        // Cuts and silent folders are warnings, and stand above the errors of skills.
        let first = problems.rows.iter().position(|row| is_error(Some(row)));
        if !state.viewed.alarms.is_empty() {
            problems.list.cursor = 0;
        } else if let Some(error) = first.filter(|_| hides) {
            problems.list.cursor = error;
        }
        problems
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::pair(state.area, LIST, state.notice_rows())
    }

    pub fn current(&self) -> Option<ProblemRow> {
        self.rows.get(self.list.cursor).copied()
    }

    /// The problems that no skill has: settings, folders, limits.
    pub fn of_no_skill(state: &State) -> [Vec<ProblemRow>; 2] {
        let viewed = &state.viewed;
        let alarms = (0..viewed.alarms.len()).map(ProblemRow::Alarm);
        let roots = |severity| {
            let grave = move |index: &usize| viewed.roots[*index].severity() == Some(severity);
            (0..viewed.roots.len()).filter(grave).map(ProblemRow::Root)
        };
        let cuts = (0..viewed.cuts.len()).map(ProblemRow::Cut);
        [
            alarms.chain(roots(Severity::Error)).collect(),
            roots(Severity::Warning).chain(cuts).collect(),
        ]
    }

    fn collect(&mut self, state: &State) {
        let viewed = &state.viewed;
        self.generation = viewed.generation;
        let [errors, warnings] = Self::of_no_skill(state);
        let mut rows: Vec<ProblemRow> = Vec::new();
        if self.filter.admits(Severity::Error) {
            rows.extend(errors);
        }
        if self.filter.admits(Severity::Warning) {
            rows.extend(warnings);
        }
        let mut skills = Vec::new();
        for (index, entry) in viewed.rows.entries().enumerate() {
            for (number, diagnostic) in entry.skill.diagnostics.iter().enumerate() {
                let severity = entry.severity(diagnostic);
                if self.filter.admits(severity) {
                    let key =
                        (Reverse(severity), &entry.skill.name, &entry.skill.path, diagnostic.place);
                    skills.push((key, ProblemRow::Skill(index, number)));
                }
            }
        }
        skills.sort_by_key(|(key, _)| *key);
        rows.extend(skills.into_iter().map(|(_, row)| row));
        self.rows = rows;
        self.look(state);
    }

    /// Collects the rows again and keeps the cursor on its problem, else on its skill.
    fn collect_and_stay(&mut self, state: &State, before: Option<Anchor>) {
        self.collect(state);
        let same = before.and_then(|(path, code, line)| {
            let matches = |row: &&ProblemRow, exact: bool| {
                row.of_skill(state).is_some_and(|(entry, diagnostic)| {
                    *entry.skill.path == *path
                        && (!exact || (diagnostic.code() == code && diagnostic.place.line == line))
                })
            };
            let find = |exact| self.rows.iter().position(|row| matches(&row, exact));
            find(true).or_else(|| find(false))
        });
        self.list.cursor = same.unwrap_or(self.list.cursor);
        self.list.clamp(self.rows.len());
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let area = Self::list_area(state);
        if self.list.searches(action) || self.list.moves(action, area, self.rows.len()) {
            return;
        }
        match action {
            Action::Severity => {
                self.filter = self.filter.next();
                self.collect(state);
                self.list.cursor = 0;
            }
            Action::Find => self.list.find = Some(Find::start()),
            Action::Edit => self.edit(state),
            Action::Accept | Action::Right | Action::Open => self.show_skill(state),
            Action::Back | Action::Left => state.closing = true,
            _ => {}
        }
    }

    pub(super) fn typed(&mut self, state: &State) {
        self.look(state);
        self.list.go_to_found();
    }

    fn look(&mut self, state: &State) {
        let Some(find) = &mut self.list.find else { return };
        let text = |row: &ProblemRow| match (row, row.about(state)) {
            (_, None) => Cow::from(""),
            (ProblemRow::Skill(..), Some(about)) => {
                Cow::from(format!("{} {}", about.kind, about.place))
            }
            (_, Some(about)) => {
                Cow::from(format!("{} {} {}", about.kind, about.place, about.words))
            }
        };
        find.look(self.rows.iter().map(text));
    }

    fn edit(&self, state: &mut State) {
        match self.current().map(|row| row.spot(state)) {
            Some(Some((file, line))) => state.effects.push(Effect::Edit(file, line)),
            Some(None) => {
                state.say(Notice::grave(SafeText::fixed("there is no file to open for this")))
            }
            None => {}
        }
    }

    /// Goes to the skill in the picker. For a problem without a skill, opens the file.
    fn show_skill(&self, state: &mut State) {
        let Some((entry, _)) = self.current().and_then(|row| row.of_skill(state)) else {
            return self.edit(state);
        };
        let path = entry.skill.path.clone();
        // The skill is shown in the picker, so all screens close.
        state.screens.clear();
        state.show(&path);
        state.closing = true;
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        let on_row = self.list.clicked(place, Self::list_area(state), self.rows.len());
        if on_row && twice {
            self.show_skill(state);
        }
    }

    /// The area of the rows: below the line with the counts.
    pub fn list_area(state: &State) -> ratatui::layout::Rect {
        layout::below(Self::layout(state).left, 1)
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        if self.generation != state.viewed.generation {
            let before = self.anchor.take();
            self.collect_and_stay(state, before);
        }
        self.list.follow(Self::list_area(state), self.rows.len());
        self.anchor = None;
        let Some((entry, diagnostic)) = self.current().and_then(|row| row.of_skill(state)) else {
            return;
        };
        let path: Arc<Path> = Arc::from(entry.skill.path.as_path());
        let line = diagnostic.place.line;
        self.anchor = Some((Arc::clone(&path), diagnostic.code(), line));
        let key = ExcerptKey { path, line, epoch: state.epoch };
        state.want_excerpt(key);
    }
}
