//! The first screen: the query, its matches, the preview.

use super::layout::{self, PickerLayout};
use super::{
    BodyQuestion, Effect, Line, ListPane, Marks, PreviewKey, PreviewStyle, TextPane, Viewed,
};
use crate::catalog::Scope;
use crate::policy::Entry;
use crate::search::{self, Hit, Query, Ranker};
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

#[derive(Debug)]
pub struct Picker {
    pub query: Line,
    /// The scope that is shown; `None` means all.
    pub scope: Option<Scope>,
    pub mode: PreviewMode,
    pub preview: TextPane,
    parsed: Query,
    ranker: Ranker,
    hits: Vec<Hit>,
    pub list: ListPane,
    /// Counts the queries, so that the body hits of an older one are dropped.
    generation: u64,
    bodies: Vec<u32>,
    /// Matches in other scopes.
    elsewhere: usize,
    /// If nothing matches: the filters as typed, and the number of matches without them.
    filtered: Option<(String, usize)>,
}

impl Picker {
    pub fn new(query: &str, scope: Option<Scope>) -> Self {
        Self {
            query: Line::new(query),
            scope,
            mode: PreviewMode::default(),
            preview: TextPane::default(),
            parsed: Query::parse(query),
            ranker: Ranker::default(),
            hits: Vec::new(),
            list: ListPane::default(),
            generation: 0,
            bodies: Vec::new(),
            elsewhere: 0,
            filtered: None,
        }
    }

    /// The query, parsed.
    pub fn parsed(&self) -> &Query {
        &self.parsed
    }

    /// The matches, best first.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Matches that the scope hides.
    pub fn elsewhere(&self) -> usize {
        self.elsewhere
    }

    /// If nothing matches: the filters as typed, and the number of matches without them.
    pub fn filtered(&self) -> Option<(&str, usize)> {
        self.filtered.as_ref().map(|(filters, rows)| (filters.as_str(), *rows))
    }

    pub fn entry<'a>(&self, viewed: &'a Viewed, row: usize) -> Option<&'a Entry> {
        viewed.rows.entry(self.hits.get(row)?.index as usize)
    }

    pub fn current<'a>(&self, viewed: &'a Viewed) -> Option<&'a Entry> {
        self.entry(viewed, self.list.cursor)
    }

    pub fn layout(&self, area: ratatui::layout::Rect, notice: u16) -> PickerLayout {
        layout::picker(area, self.mode != PreviewMode::Hidden, notice)
    }

    /// The query has changed: rank, put the cursor on the best match, search the bodies.
    pub(super) fn retype(&mut self, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        self.parsed = Query::parse(self.query.text());
        self.bodies.clear();
        self.generation += 1;
        self.rank(viewed, marks);
        self.list.reset();
        self.look_into_bodies(viewed, marks)
    }

    /// Requests a search of the bodies.
    fn look_into_bodies(&self, viewed: &Viewed, marks: &Marks) -> Vec<Effect> {
        if search::BodySearch::new(&self.parsed).is_none() {
            return Vec::new();
        }
        let filtered = !self.parsed.filters().is_empty() && marks.count() > 0;
        let all = (0..).zip(viewed.rows.skills()).filter(|_| filtered);
        let question = BodyQuestion {
            generation: self.generation,
            query: self.parsed.clone(),
            rows: Arc::clone(&viewed.rows),
            hits: self.hits.clone(),
            marked: all
                .filter(|(_, skill)| marks.has(&skill.path))
                .map(|(index, _)| index)
                .collect(),
        };
        vec![Effect::SearchBodies(Box::new(question))]
    }

    /// The catalog has changed: rank, and keep the cursor on its skill.
    pub(super) fn review(
        &mut self,
        before: Option<&Path>,
        viewed: &Viewed,
        marks: &Marks,
    ) -> Vec<Effect> {
        self.bodies.clear();
        self.generation += 1;
        self.rank(viewed, marks);
        self.stay(before, viewed);
        if viewed.complete { self.look_into_bodies(viewed, marks) } else { Vec::new() }
    }

    /// Only verdicts have changed. The rows keep their order, so that none moves under the cursor;
    /// rows that a filter excludes now disappear.
    pub(super) fn rejudge(&mut self, viewed: &Viewed, marks: &Marks) {
        let before = std::mem::take(&mut self.hits);
        let list = self.list.clone();
        self.rank(viewed, marks);
        let mut left: std::collections::HashMap<u32, Hit> =
            self.hits.drain(..).map(|hit| (hit.index, hit)).collect();
        self.hits = before.iter().filter_map(|hit| left.remove(&hit.index)).collect();
        let mut fresh: Vec<Hit> = left.into_values().collect();
        fresh.sort_by_key(|hit| hit.index);
        self.hits.extend(fresh);
        self.list = list;
        self.list.clamp(self.hits.len());
    }

    /// Adds rows whose body matches, below the other matches.
    pub(super) fn add_bodies(
        &mut self,
        generation: u64,
        found: &[u32],
        viewed: &Viewed,
        marks: &Marks,
    ) {
        if generation != self.generation {
            return;
        }
        let before = self.current(viewed).map(|entry| entry.skill.path.clone());
        self.bodies.extend(found);
        self.rank(viewed, marks);
        // A cursor at the top stays at the top.
        if self.list.cursor > 0 {
            self.stay(before.as_deref(), viewed);
        }
    }

    /// Ranks by query, scope and marks.
    pub(super) fn rank(&mut self, viewed: &Viewed, marks: &Marks) {
        let ranker = &mut self.ranker;
        self.hits =
            with_context(viewed, marks, |context| ranker.rank(&viewed.rows, &self.parsed, context));
        if !self.bodies.is_empty() {
            search::merge_body(&mut self.hits, &self.bodies, &viewed.rows);
        }
        let everywhere = self.hits.len();
        if let Some(scope) = self.scope {
            let in_scope = |hit: &Hit| {
                viewed
                    .rows
                    .entry(hit.index as usize)
                    .is_some_and(|entry| entry.skill.scope == scope)
            };
            self.hits.retain(in_scope);
        }
        self.elsewhere = everywhere - self.hits.len();
        self.filtered = if everywhere == 0 { self.without_filters(viewed, marks) } else { None };
        self.list.clamp(self.hits.len());
    }

    fn without_filters(&self, viewed: &Viewed, marks: &Marks) -> Option<(String, usize)> {
        let filters = |word: &&str| !Query::parse(word).filters().is_empty();
        let (filters, words): (Vec<&str>, Vec<&str>) =
            self.parsed.text().split_whitespace().partition(filters);
        if filters.is_empty() {
            return None;
        }
        let rest = Query::parse(&words.join(" "));
        let rows =
            with_context(viewed, marks, |context| search::rank(&viewed.rows, &rest, context).len());
        Some((filters.join(" "), rows))
    }

    /// Puts the cursor on the skill at `path`, if it is listed.
    pub(super) fn stay(&mut self, path: Option<&Path>, viewed: &Viewed) {
        let index = path.and_then(|path| viewed.rows.index_of(path));
        let row =
            index.and_then(|index| self.hits.iter().position(|hit| hit.index as usize == index));
        self.list.cursor = row.unwrap_or(self.list.cursor);
        self.list.clamp(self.hits.len());
    }

    pub(super) fn move_by(&mut self, rows: isize) {
        self.move_to(self.list.cursor.saturating_add_signed(rows));
    }

    pub(super) fn move_to(&mut self, row: usize) {
        self.list.cursor = row;
        self.list.clamp(self.hits.len());
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
    pub(super) fn preview_key(
        &self,
        viewed: &Viewed,
        epoch: u64,
        columns: u16,
    ) -> Option<PreviewKey> {
        let style = match self.mode {
            PreviewMode::Rendered => PreviewStyle::Rendered,
            PreviewMode::Raw => PreviewStyle::Raw,
            PreviewMode::Hidden => return None,
        };
        let path = Arc::from(self.current(viewed)?.skill.path.as_path());
        Some(PreviewKey { path, epoch, file: None, style, columns, wrap: true })
    }
}

/// Calls `look` with what filters need to know about rows.
fn with_context<T>(viewed: &Viewed, marks: &Marks, look: impl FnOnce(&search::Context) -> T) -> T {
    let marked = |index: u32| {
        viewed.rows.entry(index as usize).is_some_and(|entry| marks.has(&entry.skill.path))
    };
    look(&search::Context {
        marked: &marked,
        frecency: true,
        typos: true,
        generation: viewed.generation,
    })
}
