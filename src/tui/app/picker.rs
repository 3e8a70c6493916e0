//! The first screen: the query, its matches, the preview.

use super::layout::{self, PickerLayout};
use super::{
    BodyQuestion, Effect, Line, ListPane, Marks, PreviewKey, PreviewStyle, RankQuestion, Ranking,
    TextPane, Viewed,
};
use crate::catalog::Scope;
use crate::policy::Entry;
use crate::search::{self, Hit, Query};
use std::path::Path;
use std::sync::Arc;

/// How the preview shows a skill's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewMode {
    #[default]
    Rendered,
    /// The plain text.
    Raw,
    /// The list has the room.
    Hidden,
}

impl PreviewMode {
    pub fn next(self) -> Self {
        match self {
            Self::Rendered => Self::Raw,
            Self::Raw => Self::Hidden,
            Self::Hidden => Self::Rendered,
        }
    }
}

/// The first screen. Its list is the last ranking that came; a newer one may be on its way.
#[derive(Debug, Default)]
pub struct Picker {
    pub query: Line,
    /// The scope that is shown; `None` means all.
    pub scope: Option<Scope>,
    pub mode: PreviewMode,
    pub preview: TextPane,
    pub list: ListPane,
    parsed: Query,
    shown: Ranking,
    asked: Option<Asked>,
    /// Counts the questions for a ranking.
    questions: u64,
    /// Counts the queries, so that the body hits of an older one are dropped.
    generation: u64,
    bodies: Vec<u32>,
}

/// The ranking that is on its way.
#[derive(Debug)]
struct Asked {
    number: u64,
    cursor: Cursor,
    /// Whether a person asked for it. Then the next key is about its rows.
    awaited: bool,
    /// Whether the bodies must be searched as well.
    bodies: bool,
}

/// Where the cursor goes when the ranking comes.
#[derive(Clone, Debug)]
enum Cursor {
    /// To the best match.
    Top,
    /// To this skill, if it is listed.
    On(Arc<Path>),
    /// It stays on its skill; with `free`, one on the first row stays there instead.
    Stay { free: bool },
    /// It stays on its skill, and the rows keep their order.
    InOrder,
}

/// What a ranking is asked for.
struct Purpose {
    cursor: Cursor,
    by_person: bool,
    bodies: bool,
}

impl Picker {
    pub fn new(query: &str, scope: Option<Scope>) -> Self {
        Self { query: Line::new(query), scope, parsed: Query::parse(query), ..Self::default() }
    }

    /// The query, parsed.
    pub fn parsed(&self) -> &Query {
        &self.parsed
    }

    /// The rows of the list.
    pub fn shown(&self) -> &Ranking {
        &self.shown
    }

    /// The matches, best first.
    pub fn hits(&self) -> &[Hit] {
        &self.shown.hits
    }

    /// Whether nothing matches. While a ranking is on its way, nobody knows.
    pub fn finds_nothing(&self) -> bool {
        self.hits().is_empty() && !self.is_ranking()
    }

    /// Whether another ranking is on its way.
    pub fn is_ranking(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether a ranking is on its way that a person asked for, so that a key which acts on rows
    /// must wait for it.
    pub fn awaits_ranking(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.awaited)
    }

    /// Matches that the scope hides.
    pub fn elsewhere(&self) -> usize {
        self.shown.elsewhere
    }

    /// If nothing matches: the filters as typed, and the number of matches without them.
    pub fn filtered(&self) -> Option<(&str, usize)> {
        self.shown.filtered.as_ref().map(|(filters, rows)| (filters.as_str(), *rows))
    }

    pub fn entry(&self, row: usize) -> Option<&Entry> {
        self.shown.row(row).map(|row| &row.entry)
    }

    pub fn current(&self) -> Option<&Entry> {
        self.entry(self.list.cursor)
    }

    pub fn layout(&self, area: ratatui::layout::Rect, notice: u16) -> PickerLayout {
        layout::picker(area, self.mode != PreviewMode::Hidden, notice)
    }

    /// The query has changed: ranks, puts the cursor on the best match, and searches the bodies.
    pub(super) fn retype(&mut self, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        self.parsed = Query::parse(self.query.text());
        self.find(Purpose { cursor: Cursor::Top, by_person: true, bodies: true }, viewed, marks)
    }

    /// Another scope is shown.
    pub(super) fn rescope(&mut self, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        let cursor = Cursor::Stay { free: false };
        self.rank(Purpose { cursor, by_person: true, bodies: false }, viewed, marks)
    }

    /// Puts the cursor on a skill. A query or scope that hides it is cleared.
    pub(super) fn go_to(&mut self, path: &Path, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        self.stay(Some(path));
        if self.current().is_some_and(|entry| entry.skill.path == path) {
            return Vec::new();
        }
        self.query.clear();
        self.scope = None;
        self.parsed = Query::parse("");
        let cursor = Cursor::On(Arc::from(path));
        self.find(Purpose { cursor, by_person: true, bodies: true }, viewed, marks)
    }

    /// The catalog has changed. While rows stream in, a cursor on the first row stays there.
    pub(super) fn review(&mut self, streams: bool, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        let purpose = Purpose {
            cursor: Cursor::Stay { free: streams },
            by_person: false,
            bodies: viewed.complete,
        };
        self.find(purpose, viewed, marks)
    }

    /// Only verdicts have changed. The rows keep their order, so that none moves under the cursor;
    /// rows that a filter excludes now disappear.
    pub(super) fn rejudge(&mut self, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        let cursor = Cursor::InOrder;
        self.rank(Purpose { cursor, by_person: false, bodies: false }, viewed, marks)
    }

    /// Adds rows whose body matches, below the other matches.
    pub(super) fn add_bodies(
        &mut self,
        generation: u64,
        found: &[u32],
        viewed: &Viewed,
        marks: &Marks,
    ) -> Vec<Effect> {
        if generation != self.generation {
            return Vec::new();
        }
        self.bodies.extend(found);
        let cursor = Cursor::Stay { free: true };
        self.rank(Purpose { cursor, by_person: false, bodies: false }, viewed, marks)
    }

    /// Ranks anew, without the bodies that matched before.
    fn find(&mut self, purpose: Purpose, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        self.bodies.clear();
        self.generation += 1;
        self.rank(purpose, viewed, marks)
    }

    /// Asks for the ranking by query, scope, marks and bodies. What an unanswered question was for
    /// counts still, unless a person asks anew.
    fn rank(&mut self, purpose: Purpose, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        self.questions += 1;
        let before = self.asked.take();
        let cursor = match &before {
            Some(before) if !purpose.by_person => before.cursor.clone(),
            _ => purpose.cursor,
        };
        let keeps = matches!(cursor, Cursor::InOrder);
        let is = |flag: fn(&Asked) -> bool| before.as_ref().is_some_and(flag);
        self.asked = Some(Asked {
            number: self.questions,
            cursor,
            awaited: purpose.by_person || is(|before| before.awaited),
            bodies: purpose.bodies || is(|before| before.bodies),
        });
        vec![Effect::Rank(Box::new(RankQuestion {
            number: self.questions,
            query: self.parsed.clone(),
            scope: self.scope,
            rows: Arc::clone(&viewed.rows),
            view: viewed.generation,
            marked: self.marked(viewed, marks),
            bodies: self.bodies.clone(),
            keep: keeps.then(|| Arc::clone(&self.shown.hits)),
        }))]
    }

    /// The marked rows, if a filter may ask for them.
    fn marked(&self, viewed: &Viewed, marks: &Marks) -> Vec<u32> {
        if self.parsed.filters().is_empty() {
            return Vec::new();
        }
        let index = |path: &Arc<Path>| u32::try_from(viewed.rows.index_of(path)?).ok();
        let mut marked: Vec<u32> = marks.in_order().iter().filter_map(index).collect();
        marked.sort_unstable();
        marked
    }

    /// A ranking has come: shows it, and searches the bodies.
    pub(super) fn ranked(
        &mut self,
        number: u64,
        ranking: Ranking,
        viewed: &Viewed,
        marks: &Marks,
    ) -> Vec<Effect> {
        let Some(asked) = self.asked.take_if(|asked| asked.number == number) else {
            return Vec::new();
        };
        let before = self.current().map(|entry| Arc::from(entry.skill.path.as_path()));
        self.shown = ranking;
        match asked.cursor {
            Cursor::Top => self.list.reset(),
            Cursor::On(path) => self.stay(Some(&path)),
            Cursor::Stay { free: true } if self.list.cursor == 0 => {}
            Cursor::Stay { .. } | Cursor::InOrder => self.stay(before.as_deref()),
        }
        self.list.clamp(self.hits().len());
        let searches = asked.bodies && search::BodySearch::new(&self.parsed).is_some();
        let question = || BodyQuestion {
            generation: self.generation,
            query: self.parsed.clone(),
            rows: Arc::clone(&self.shown.rows),
            hits: Arc::clone(&self.shown.hits),
            marked: self.marked(viewed, marks),
        };
        searches.then(|| Effect::SearchBodies(Box::new(question()))).into_iter().collect()
    }

    /// The ranking failed: the list stays as it is.
    pub(super) fn unranked(&mut self) {
        self.asked = None;
    }

    /// Puts the cursor on the skill at `path`, if it is listed.
    fn stay(&mut self, path: Option<&Path>) {
        let index = path.and_then(|path| self.shown.rows.index_of(path));
        let row =
            index.and_then(|index| self.hits().iter().position(|hit| hit.index as usize == index));
        self.list.cursor = row.unwrap_or(self.list.cursor);
        self.list.clamp(self.hits().len());
    }

    pub(super) fn move_by(&mut self, rows: isize) {
        self.move_to(self.list.cursor.saturating_add_signed(rows));
    }

    pub(super) fn move_to(&mut self, row: usize) {
        self.list.cursor = row;
        self.list.clamp(self.hits().len());
    }

    /// Goes through all scopes, repo, user, system.
    pub(super) fn next_scope(&mut self) {
        self.scope = match self.scope {
            None => Some(Scope::ALL[0]),
            Some(scope) => Scope::ALL
                .iter()
                .position(|other| *other == scope)
                .and_then(|at| Scope::ALL.get(at + 1))
                .copied(),
        };
    }

    /// The key of the current row's preview; `None` if nothing is shown.
    pub(super) fn preview_key(&self, epoch: u64, columns: u16) -> Option<PreviewKey> {
        let style = match self.mode {
            PreviewMode::Rendered => PreviewStyle::Rendered,
            PreviewMode::Raw => PreviewStyle::Raw,
            PreviewMode::Hidden => return None,
        };
        let path = Arc::from(self.current()?.skill.path.as_path());
        Some(PreviewKey { path, epoch, file: None, style, columns, wrap: true })
    }
}
