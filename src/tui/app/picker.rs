//! The first screen: the query, its matches, the preview.

use super::layout::{self, PickerLayout, PickerParts, PreviewPlace};
use super::{
    BodyQuestion, Columns, Effect, Line, ListPane, PreviewKey, PreviewStyle, RankQuestion, Ranking,
    State, TextPane,
};
use crate::catalog::{HostId, Scope};
use crate::policy::Entry;
use crate::search::{Hit, Query};
use std::path::Path;
use std::sync::Arc;

/// The first screen. Its list is the last ranking that came; a newer one may be on its way.
#[derive(Debug, Default)]
pub struct Picker {
    pub query: Line,
    /// The scope that is shown; `None` means all.
    pub scope: Option<Scope>,
    /// How the preview shows a skill's text.
    pub mode: PreviewStyle,
    /// Where the preview is wanted.
    pub place: PreviewPlace,
    /// The agent whose column has the cursor; `None` while it is on the row as a whole.
    pub column: Option<HostId>,
    /// The skill to which the cursor goes as soon as it is listed.
    pub(super) anchor: Option<Arc<Path>>,
    pub preview: TextPane,
    pub list: ListPane,
    /// The query, parsed.
    pub parsed: Query,
    /// The rows of the list.
    pub shown: Ranking,
    pub(super) asked: Option<Asked>,
    /// Counts the questions for a ranking.
    questions: u64,
    /// Counts the queries, so that the body hits of an older one are dropped.
    generation: u64,
    bodies: Vec<u32>,
}

/// The ranking that is on its way.
#[derive(Debug)]
pub(super) struct Asked {
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
    pub fn new(query: Query, scope: Option<Scope>) -> Self {
        let (line, parsed) = (Line::new(query.text()), query);
        Self { query: line, scope, parsed, ..Self::default() }
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

    /// If nothing matches: the filters as typed, and the number of matches without them.
    pub fn filtered(&self) -> Option<(&str, usize)> {
        self.shown.filtered.as_ref().map(|(filters, rows)| (filters.as_str(), *rows))
    }

    pub fn entry(&self, row: usize) -> Option<&Entry> {
        self.shown.row(row).map(|row| &row.entry)
    }

    /// The indexes of the skills for which a row stands; empty if it stands for itself alone.
    pub fn copies_at(&self, row: usize) -> &[u32] {
        let hit = self.hits().get(row);
        hit.map_or(&[], |hit| self.shown.rows.copies_of(hit.index as usize))
    }

    pub fn current(&self) -> Option<&Entry> {
        self.entry(self.list.cursor)
    }

    /// Puts the cursor on the skill at `path`, if it is listed.
    pub(super) fn stay(&mut self, path: Option<&Path>) {
        let row = path.and_then(|path| self.row_of(path));
        self.list.cursor = row.unwrap_or(self.list.cursor);
        self.list.clamp(self.hits().len());
    }

    /// The row that stands for the skill at `path`, if there is one.
    pub(super) fn row_of(&self, path: &Path) -> Option<usize> {
        self.shown.row_of(self.shown.rows.index_of(path)?)
    }

    pub(super) fn move_by(&mut self, rows: isize) {
        self.move_to(self.list.cursor.saturating_add_signed(rows));
    }

    pub(super) fn move_to(&mut self, row: usize) {
        self.list.cursor = row;
        self.list.clamp(self.hits().len());
    }

    /// Goes through all scopes, project (if a project is used), repo, user, system.
    pub(super) fn next_scope(&mut self, has_project: bool) {
        let mut scopes =
            Scope::ALL.into_iter().filter(|scope| has_project || *scope != Scope::Project);
        self.scope = match self.scope {
            None => scopes.next(),
            Some(scope) => {
                scopes.find(|other| *other == scope);
                scopes.next()
            }
        };
    }

    /// The key of the preview of the skill at `path`.
    pub(super) fn preview_key(&self, path: Arc<Path>, epoch: u64, columns: u16) -> PreviewKey {
        PreviewKey {
            path,
            epoch,
            file: None,
            style: self.mode,
            columns,
            wrap: true,
            pictures: false,
        }
    }
}

impl State {
    /// The layout of the picker.
    pub fn panes(&self) -> PickerLayout {
        let (preview, notice) = (self.picker.place, self.notice_rows());
        let parts = PickerParts { preview, header: false, notice };
        let panes = layout::picker(self.area, parts);
        match Columns::of(self, panes.list.width.into()).agents.is_empty() {
            true => panes,
            false => layout::picker(self.area, PickerParts { header: true, ..parts }),
        }
    }

    /// Shows the preview on the other side, raw, not at all, and as at first.
    pub(super) fn next_preview(&mut self) {
        let is_beside = self.panes().dividers[0].is_some_and(|line| line.width == 1);
        let other = if is_beside { PreviewPlace::Below } else { PreviewPlace::Beside };
        let picker = &mut self.picker;
        (picker.place, picker.mode) = match (picker.place, picker.mode) {
            (PreviewPlace::Nowhere, _) => (PreviewPlace::Auto, PreviewStyle::Rendered),
            (_, PreviewStyle::Raw) => (PreviewPlace::Nowhere, PreviewStyle::Rendered),
            (PreviewPlace::Auto, _) => (other, PreviewStyle::Rendered),
            (place, PreviewStyle::Rendered) => (place, PreviewStyle::Raw),
        };
    }
}

/// What asks for a ranking, and what comes of it.
impl State {
    /// The query has changed: ranks, puts the cursor on the best match, and searches the bodies.
    pub(super) fn retype(&mut self) {
        self.picker.parsed = self.options.query(self.picker.query.text());
        self.find(Purpose { cursor: Cursor::Top, by_person: true, bodies: true });
    }

    /// Another scope is shown.
    pub(super) fn rescope(&mut self) {
        let cursor = Cursor::Stay { free: false };
        self.rank(Purpose { cursor, by_person: true, bodies: false });
    }

    /// Puts the cursor on a skill. A query or scope that hides it is cleared.
    pub(super) fn show(&mut self, path: &Path) {
        self.picker.stay(Some(path));
        if self.picker.row_of(path).is_some() {
            return;
        }
        self.picker.query.clear();
        self.picker.scope = None;
        self.picker.parsed = Query::parse("");
        let cursor = Cursor::On(Arc::from(path));
        self.find(Purpose { cursor, by_person: true, bodies: true });
    }

    /// The catalog has changed. While rows stream in, a cursor on the first row stays there.
    pub(super) fn review(&mut self, streams: bool) {
        let cursor = Cursor::Stay { free: streams };
        self.find(Purpose { cursor, by_person: false, bodies: self.viewed.complete });
    }

    /// Only verdicts have changed. The rows keep their order, so that none moves under the cursor;
    /// rows that a filter excludes now disappear.
    pub(super) fn rejudge(&mut self) {
        self.rank(Purpose { cursor: Cursor::InOrder, by_person: false, bodies: false });
    }

    /// Adds rows whose body matches, below the other matches.
    pub(super) fn add_bodies(&mut self, generation: u64, found: &[u32]) {
        if generation == self.picker.generation {
            self.picker.bodies.extend(found);
            let cursor = Cursor::Stay { free: true };
            self.rank(Purpose { cursor, by_person: false, bodies: false });
        }
    }

    /// Ranks anew, without the bodies that matched before.
    fn find(&mut self, purpose: Purpose) {
        self.picker.bodies.clear();
        self.picker.generation += 1;
        self.rank(purpose);
    }

    /// Asks for the ranking by query, scope, marks and bodies. What an unanswered question was for
    /// counts still, unless a person asks anew.
    fn rank(&mut self, purpose: Purpose) {
        let marked = self.marked();
        let picker = &mut self.picker;
        picker.questions += 1;
        let before = picker.asked.take();
        let cursor = match &before {
            Some(before) if !purpose.by_person => before.cursor.clone(),
            _ => purpose.cursor,
        };
        let keeps = matches!(cursor, Cursor::InOrder);
        let is = |flag: fn(&Asked) -> bool| before.as_ref().is_some_and(flag);
        picker.asked = Some(Asked {
            number: picker.questions,
            cursor,
            awaited: purpose.by_person || is(|before| before.awaited),
            bodies: purpose.bodies || is(|before| before.bodies),
        });
        self.effects.push(Effect::Rank(Box::new(RankQuestion {
            number: picker.questions,
            query: picker.parsed.clone(),
            scope: picker.scope,
            rows: Arc::clone(&self.viewed.rows),
            reports: match self.options.sees_all() {
                true => Arc::clone(&self.viewed.reports),
                false => Arc::default(),
            },
            view: self.viewed.generation,
            marked,
            bodies: picker.bodies.clone(),
            keep: keeps.then(|| Arc::clone(&picker.shown.hits)),
        })));
    }

    /// The marked rows, ascending.
    fn marked(&self) -> Vec<u32> {
        let index = |path: &Arc<Path>| self.viewed.rows.number_of(path);
        let mut marked: Vec<u32> = self.marks.in_order().iter().filter_map(index).collect();
        marked.sort_unstable();
        marked
    }

    /// A ranking has come: shows it, and searches the bodies.
    pub(super) fn ranked(&mut self, number: u64, ranking: Ranking) {
        let marked = self.marked();
        let picker = &mut self.picker;
        let Some(asked) = picker.asked.take_if(|asked| asked.number == number) else { return };
        let before = picker.current().map(|entry| Arc::from(entry.skill.path.as_path()));
        picker.shown = ranking;
        picker.list.ruled = Some(picker.shown.seen).filter(|seen| *seen < picker.hits().len());
        match asked.cursor {
            Cursor::Top => picker.list.reset(),
            Cursor::On(path) => picker.stay(Some(&path)),
            Cursor::Stay { free: true } if picker.list.cursor == 0 => {}
            Cursor::Stay { .. } | Cursor::InOrder => picker.stay(before.as_deref()),
        }
        if let Some(anchor) = picker.anchor.clone() {
            picker.stay(Some(&anchor));
            picker.anchor = Some(anchor).filter(|_| !self.viewed.complete);
        }
        picker.list.clamp(picker.hits().len());
        // Without words too: that ends the search for those that were there before.
        if asked.bodies {
            self.effects.push(Effect::SearchBodies(Box::new(BodyQuestion {
                generation: picker.generation,
                query: picker.parsed.clone(),
                rows: Arc::clone(&picker.shown.rows),
                hits: Arc::clone(&picker.shown.hits),
                marked,
            })));
        }
    }
}
