//! Completion of a skill behind `$` or `/`. A worker ranks, by the ranking of the list.

use super::editor::Spot;
use super::{Compose, pill_of, taken};
use crate::inert;
use crate::policy::Calling;
use crate::search::Query;
use crate::text::SafeText;
use crate::tui::app::choose::toggle;
use crate::tui::app::{Action, Chosen, Effect, ListPane, Notice, RankQuestion, Ranking, State};
use ratatui::layout::{Position, Rect};
use std::path::Path;
use std::sync::Arc;

/// The most matches that are listed.
const MAX_ROWS: usize = 100;

/// Columns of the folder of a skill that is there several times.
const FOLDER: usize = 40;

/// A skill that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionRow {
    pub path: Arc<Path>,
    pub name: SafeText,
    pub description: SafeText,
    /// Its folder, if others have its name.
    pub folder: Option<SafeText>,
}

/// The open completion.
#[derive(Debug)]
pub struct Completion {
    /// The place of its sign.
    start: Spot,
    query: String,
    /// The number of the question, and of the one that is answered.
    asked: u64,
    answered: u64,
    pub list: ListPane,
    /// Whether the person has moved to the current row.
    moved: bool,
    pub rows: Vec<CompletionRow>,
    /// Matches that are not listed.
    pub more: usize,
}

impl Completion {
    pub(super) fn is_asking(&self) -> bool {
        self.asked != self.answered
    }

    /// Whether Enter takes the current row: the person moved to it, or what is typed names it. A
    /// word that only resembles a skill, such as `$5` or `/etc`, stays text and is sent.
    fn is_named(&self) -> bool {
        let row = self.rows.get(self.list.cursor);
        row.is_some_and(|row| self.moved || names(&self.query, row.name.as_str()))
    }
}

/// Whether a name, or a word of it, begins with what is typed; `-` and `_` may be left out.
fn names(typed: &str, name: &str) -> bool {
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|one| !matches!(one, '-' | '_'));
        kept.flat_map(char::to_lowercase).collect()
    };
    let typed = plain(typed);
    let is_start = |at: &usize| !name[..*at].ends_with(char::is_alphanumeric);
    let mut starts = name.char_indices().map(|(at, _)| at).filter(is_start);
    starts.any(|at| plain(&name[at..]).starts_with(&typed))
}

impl Compose {
    /// Opens the completion if this character, which was typed, begins one.
    pub(super) fn open_completion(&mut self, typed: char) {
        let before = self.editor.before_cursor();
        let Some(head) = before.strip_suffix(typed).filter(|_| matches!(typed, '$' | '/')) else {
            return;
        };
        let begins = head.chars().next_back().is_none_or(|last| {
            last.is_whitespace() || matches!(last, '(' | '[' | '{' | '"' | '\'' | ',')
        });
        if begins {
            let start = Spot { byte: head.len(), ..self.editor.cursor() };
            self.completion = Some(Completion {
                start,
                query: "\0".to_owned(),
                asked: 0,
                answered: 0,
                list: ListPane::default(),
                moved: false,
                rows: Vec::new(),
                more: 0,
            });
        }
    }

    /// Whether there are rows to choose from.
    pub fn offers(&self) -> bool {
        self.completion.as_ref().is_some_and(|completion| !completion.rows.is_empty())
    }

    /// Whether a completion is open in which the person has not moved to a row.
    pub fn completes_best(&self) -> bool {
        self.completion.as_ref().is_some_and(|completion| !completion.moved)
    }

    /// Whether Enter takes the current row; Tab takes any.
    pub fn takes_by_enter(&self) -> bool {
        self.completion.as_ref().is_some_and(Completion::is_named)
    }

    /// Whether no skill matches what is typed behind the sign.
    pub fn finds_nothing(&self) -> bool {
        let is_empty = |completion: &Completion| {
            completion.rows.is_empty() && !completion.is_asking() && !completion.query.is_empty()
        };
        self.completion.as_ref().is_some_and(is_empty)
    }

    /// Asks for the rows of what is typed now; closes the completion if that is no name.
    pub(super) fn recomplete(&mut self, state: &mut State) {
        let (cursor, line) = (self.editor.cursor(), self.editor.before_cursor());
        let Some(completion) = &mut self.completion else { return };
        let start = completion.start;
        let typed = line.get(start.byte..).filter(|_| start.line == cursor.line);
        let query = typed.and_then(|typed| typed.strip_prefix(['$', '/'])).filter(|query| {
            query.chars().all(|one| one.is_alphanumeric() || matches!(one, '-' | '_' | '.' | ':'))
        });
        let Some(query) = query else {
            self.completion = None;
            return;
        };
        if completion.query != query {
            completion.query = query.to_owned();
            self.ask(state);
        }
    }

    /// The view has changed.
    pub(in crate::tui::app) fn viewed(&mut self, state: &mut State) {
        self.ask(state);
    }

    fn ask(&mut self, state: &mut State) {
        let Some(completion) = &mut self.completion else { return };
        self.asks += 1;
        completion.asked = self.asks;
        let question = RankQuestion {
            number: self.asks,
            query: Query::parse(&completion.query),
            scope: None,
            rows: Arc::clone(&state.viewed.rows),
            reports: Arc::default(),
            view: state.viewed.generation,
            marked: Vec::new(),
            bodies: Vec::new(),
            keep: None,
        };
        state.effects.push(Effect::Complete(Box::new(question)));
    }

    pub(super) fn completed(&mut self, number: u64, ranking: &Ranking, state: &State) {
        let report = self.target(state);
        // Of the skills of one name, the one that the target calls comes first.
        let worth = |index: &u32| {
            let entry = ranking.rows.entry(*index as usize)?;
            Some(match state.calling(report?, &entry.skill.path)? {
                Calling::Yes => 0,
                Calling::Off => 1,
                Calling::ByPath => 2,
                Calling::No(_) => 3,
            })
        };
        let Some(completion) = self.completion.as_mut().filter(|it| it.asked == number) else {
            return;
        };
        completion.answered = number;
        let every = ranking.hits.iter().filter(|hit| hit.reason.is_match()).flat_map(|hit| {
            let copies = ranking.rows.copies_of(hit.index as usize);
            let mut all = if copies.is_empty() { vec![hit.index] } else { copies.to_vec() };
            all.sort_by_key(worth);
            all
        });
        let folder = |path: &Path| {
            let folder = path.parent().and_then(Path::parent).unwrap_or(path);
            state.short_path(folder).cut_start(FOLDER)
        };
        let row = |index: u32| {
            let entry = ranking.rows.entry(index as usize)?;
            let skill = &entry.skill;
            let several = !ranking.rows.copies_of(index as usize).is_empty();
            Some(CompletionRow {
                path: Arc::from(skill.path.as_path()),
                name: SafeText::line(&skill.name),
                description: SafeText::line(entry.description()),
                folder: several.then(|| folder(&skill.path)),
            })
        };
        completion.rows = every.take(MAX_ROWS).filter_map(row).collect();
        completion.more = ranking.hits.len().saturating_sub(completion.rows.len());
        completion.list.reset();
        completion.moved = false;
    }

    /// Applies an action to the open list; false if there is none, or it is about the text.
    pub(super) fn acts_on_completion(&mut self, action: Action, state: &mut State) -> bool {
        let area = self.list_area(state);
        let Some(completion) = &mut self.completion else { return false };
        if action == Action::Back {
            self.completion = None;
            return true;
        }
        if completion.rows.is_empty() {
            return false;
        }
        let count = completion.rows.len();
        let moves = matches!(action, Action::Up | Action::Down | Action::PageUp | Action::PageDown);
        if moves && completion.list.moves(action, area, count) {
            completion.moved = true;
            return true;
        }
        match action {
            Action::Target => self.take(state),
            Action::Accept if completion.is_named() => self.take(state),
            Action::Accept => {
                self.completion = None;
                return false;
            }
            _ => return false,
        }
        true
    }

    pub(super) fn click_completion(
        &mut self,
        place: Position,
        area: Rect,
        twice: bool,
        state: &mut State,
    ) {
        let Some(completion) = &mut self.completion else { return };
        let clicked = completion.list.clicked(place, area, completion.rows.len());
        completion.moved |= clicked;
        if clicked && twice {
            self.take(state);
        }
    }

    /// Puts the current row into the text as a pill. A skill that is off is turned on as well, by
    /// the usual change.
    fn take(&mut self, state: &mut State) {
        let Some(completion) = self.completion.take() else { return };
        let Some(row) = completion.rows.get(completion.list.cursor) else { return };
        let Some(name) = state.entry(&row.path).map(|entry| entry.skill.name.clone()) else {
            return;
        };
        let report = self.target(state);
        let (host, calling) = match report {
            Some(report) => (Some(report.host), state.calling(report, &row.path)),
            None => (None, Some(Calling::Yes)),
        };
        if let (Some(host), Some(Calling::No(why))) = (host, &calling) {
            let why = inert!("{} does not take {}: {}", host.word(), row.name, why);
            state.say(Notice::grave(why));
            return;
        }
        let done = self.editor.put_pill(completion.start, &pill_of(&name, &row.path));
        let is_put = done.is_ok();
        taken(done.map(|()| 0), state);
        if is_put && calling == Some(Calling::Off) {
            toggle(state, Chosen { paths: vec![Arc::clone(&row.path)], marked: false, host });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_skill_is_named_by_the_start_of_its_name_or_of_a_word_of_it() {
        for (typed, name) in [
            ("", "loop"),
            ("lo", "loop"),
            ("PDF", "pdf-forms"),
            ("pdff", "pdf-forms"),
            ("pdf_f", "pdf-forms"),
            ("merge", "pdf-merge-split"),
            ("mergesp", "pdf-merge-split"),
            ("tools:pd", "tools:pdf"),
            ("pd", "tools:pdf"),
        ] {
            assert!(names(typed, name), "{typed} {name}");
        }
        for (typed, name) in [
            ("5", "loop"),
            ("5", "html5-games"),
            ("PATH", "loop"),
            ("etc", "fetcher"),
            ("usr", "use-reader"),
            ("loops", "loop"),
            ("pdf.", "pdf"),
        ] {
            assert!(!names(typed, name), "{typed} {name}");
        }
    }
}
