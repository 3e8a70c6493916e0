//! Activity: the log of calls, newest first, one card for each. A card opens to all fields of its
//! call.

mod card;

pub use card::{ActivityLog, CardEnd};

use super::layout;
use super::{Action, Effect, Find, ListPane, Notice, State};
use crate::catalog::Call;
use crate::inert;
use crate::text::{Doc, SafeText};
use ratatui::layout::{Position, Rect};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// Columns before the values of an open card: the cursor, a gap, the label.
pub const BEFORE_VALUE: usize = 12;

/// A narrower pane cuts values instead of wrapping them further.
const LEAST_VALUE: usize = 8;

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityLine {
    /// A card, by its index in the log.
    Card(usize),
    /// A line of an open card.
    Field {
        card: usize,
        /// Index of the field.
        field: usize,
        label: &'static str,
        /// Whether it is the first line of the field.
        first: bool,
        /// What fits on this line.
        text: SafeText,
    },
}

impl ActivityLine {
    pub fn card(&self) -> usize {
        match self {
            Self::Card(card) | Self::Field { card, .. } => *card,
        }
    }
}

#[derive(Debug, Default)]
pub struct Activity {
    /// The log, once it has been read.
    pub log: Option<Arc<ActivityLog>>,
    /// Path and name of the skill whose calls are shown; `None` means all.
    pub only: Option<(Arc<Path>, String)>,
    pub lines: Vec<ActivityLine>,
    /// Cards that are listed, and how many of them failed.
    pub counts: (usize, usize),
    pub list: ListPane,
    /// The cards that are open, ascending.
    open: Vec<usize>,
    /// The width for which the lines were wrapped.
    columns: u16,
    asked: bool,
}

impl Activity {
    pub fn of(path: Arc<Path>, name: &str) -> Self {
        Self { only: Some((path, name.to_owned())), ..Self::default() }
    }

    /// The area of the lines: below the line with the counts.
    pub fn list_area(state: &State) -> Rect {
        layout::below(state.whole().left, 1)
    }

    pub fn call(&self, line: usize) -> Option<&Call> {
        self.log.as_ref()?.calls.get(self.lines.get(line)?.card())
    }

    pub fn on_open(&self) -> bool {
        self.lines.get(self.list.cursor).is_some_and(|line| self.is_open(line.card()))
    }

    pub fn is_open(&self, card: usize) -> bool {
        self.open.binary_search(&card).is_ok()
    }

    /// The field under the cursor; `None` on a card's first line.
    pub fn field(&self) -> Option<(&'static str, SafeText)> {
        let ActivityLine::Field { field, .. } = self.lines.get(self.list.cursor)? else {
            return None;
        };
        card::fields(self.call(self.list.cursor)?).into_iter().nth(*field)
    }

    /// Shows a newer log. The cursor stays on its call, and open cards stay open.
    pub(super) fn arrived(&mut self, log: &Arc<ActivityLog>) {
        let place = |card: usize| {
            let call = self.log.as_ref()?.calls.get(card)?;
            log.calls.iter().position(|other| other == call)
        };
        let mut open: Vec<usize> = self.open.iter().filter_map(|card| place(*card)).collect();
        open.sort_unstable();
        // An unmoved cursor stays at the top, on the newest call, unless that card is open: then
        // somebody reads it.
        let reading = self.list.cursor > 0 || !self.open.is_empty();
        let before = self.lines.get(self.list.cursor).filter(|_| reading).map(ActivityLine::card);
        let within =
            before.and_then(|card| self.line_of(card)).map_or(0, |first| self.list.cursor - first);
        let now = before.and_then(place);
        (self.log, self.open) = (Some(Arc::clone(log)), open);
        self.list_lines();
        if let Some(first) = now.and_then(|card| self.line_of(card)) {
            self.list.cursor = (first + within).min(self.lines.len().saturating_sub(1));
        }
    }

    /// The first line of a card; `None` if the card is not listed.
    fn line_of(&self, card: usize) -> Option<usize> {
        let line = self.lines.partition_point(|line| line.card() < card);
        self.lines.get(line).filter(|line| line.card() == card).map(|_| line)
    }

    /// Rebuilds the lines; the cursor keeps its row.
    fn list_lines(&mut self) {
        let Some(log) = self.log.clone() else { return };
        let width = usize::from(self.columns).saturating_sub(BEFORE_VALUE + 1).max(LEAST_VALUE);
        (self.lines, self.counts) = (Vec::new(), (0, 0));
        for (index, call) in log.calls.iter().enumerate() {
            if self.only.as_ref().is_some_and(|(path, _)| path.as_os_str() != call.path.as_os_str())
            {
                continue;
            }
            self.counts.0 += 1;
            self.counts.1 += usize::from(CardEnd::of(call) == CardEnd::Failed);
            self.lines.push(ActivityLine::Card(index));
            if self.is_open(index) {
                let fields = card::fields(call);
                let parts = fields.iter().enumerate().flat_map(|(field, (label, value))| {
                    fold(value, width).into_iter().enumerate().map(move |(part, text)| {
                        ActivityLine::Field { card: index, field, label, first: part == 0, text }
                    })
                });
                self.lines.extend(parts);
            }
        }
        self.list.clamp(self.lines.len());
        self.look();
    }

    /// Rebuilds the lines; the cursor stays on its card.
    fn list_and_stay(&mut self) {
        let card = self.lines.get(self.list.cursor).map(ActivityLine::card);
        self.list_lines();
        self.list.cursor = card.and_then(|card| self.line_of(card)).unwrap_or(self.list.cursor);
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.searches(action) {
            return;
        }
        let is_card = |line: &usize| matches!(self.lines.get(*line), Some(ActivityLine::Card(_)));
        let cursor = self.list.cursor;
        let card = match action {
            Action::Next => (cursor + 1..self.lines.len()).find(is_card),
            Action::Previous => (0..cursor).rev().find(is_card),
            _ if self.list.moves(action, Self::list_area(state), self.lines.len()) => {
                return;
            }
            _ => None,
        };
        if let Some(line) = card {
            self.list.cursor = line;
            return;
        }
        let open = self.on_open();
        match action {
            Action::Accept => self.turn_over(state),
            Action::Right if !open => self.turn_over(state),
            Action::Left if open => self.turn_over(state),
            Action::Narrow => self.narrow(),
            Action::Find => self.list.find = Some(Find::start()),
            Action::ShowSkill => self.show_skill(state),
            Action::CopyCall => self.copy(state),
            Action::Back | Action::Left | Action::Activity => state.closing = true,
            _ => {}
        }
    }

    /// Opens the card under the cursor and scrolls so that all of it is visible, or closes it.
    fn turn_over(&mut self, state: &State) {
        let Some(card) = self.lines.get(self.list.cursor).map(ActivityLine::card) else { return };
        match self.open.binary_search(&card) {
            Ok(place) => drop(self.open.remove(place)),
            Err(place) => self.open.insert(place, card),
        }
        self.list_and_stay();
        let height = usize::from(Self::list_area(state).height);
        let end = self.lines.partition_point(|line| line.card() <= card);
        self.list.top = self.list.top.max(end.saturating_sub(height)).min(self.list.cursor);
    }

    /// Lists only the calls of the skill under the cursor, or all calls again.
    fn narrow(&mut self) {
        self.only = match self.only.take() {
            Some(_) => None,
            None => self
                .call(self.list.cursor)
                .map(|call| (Arc::from(call.path.as_path()), call.skill.clone())),
        };
        self.list_and_stay();
    }

    /// Copies the card; on a field of an open card, its value.
    fn copy(&self, state: &mut State) {
        let lines = match (self.field(), self.call(self.list.cursor)) {
            (Some((_, value)), _) => vec![value],
            (None, Some(call)) => card::lines(call),
            (None, None) => return,
        };
        state.effects.push(Effect::CopyLines(lines));
    }

    /// Closes all screens and puts the picker's cursor on the card's skill.
    fn show_skill(&self, state: &mut State) {
        let Some(call) = self.call(self.list.cursor) else { return };
        if state.entry(&call.path).is_none() {
            let name = SafeText::line(&call.skill).cut(40);
            let text = inert!("{} is not in the list of {}", name, state.options.host);
            return state.say(Notice::grave(text));
        }
        state.screens.clear();
        state.show(&call.path);
        state.closing = true;
    }

    pub(super) fn typed(&mut self) {
        self.look();
        self.list.go_to_found();
    }

    fn look(&mut self) {
        let (Some(find), Some(log)) = (&mut self.list.find, &self.log) else { return };
        find.look(self.lines.iter().map(|line| match line {
            ActivityLine::Card(card) => {
                log.calls.get(*card).map_or(Cow::from(""), |call| card::haystack(call).into())
            }
            ActivityLine::Field { .. } => Cow::from(""),
        }));
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &State) {
        let area = Self::list_area(state);
        let on_line = self.list.clicked(place, area, self.lines.len());
        // A click on the triangle opens the card; elsewhere it takes a double click.
        if on_line && (twice || place.x < area.x.saturating_add(2)) {
            self.turn_over(state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        let area = Self::list_area(state);
        if self.columns != area.width {
            self.columns = area.width;
            self.list_and_stay();
        }
        self.list.follow(area, self.lines.len());
        if !std::mem::replace(&mut self.asked, true) {
            state.effects.push(Effect::ReadActivity);
        }
    }
}

/// A value, wrapped.
fn fold(value: &SafeText, columns: usize) -> Vec<SafeText> {
    Doc::plain(value.as_str(), columns, true)
        .lines
        .iter()
        .map(|line| SafeText::clean(&line.plain()))
        .collect()
}
