//! The skills of one name: a row for each, and beside it what tells the current one apart.

use super::list::sign;
use super::paint::{Painter, Strip, shown};
use super::preview::tokens;
use super::prompt;
use super::theme::Meaning;
use super::used::{ago_and_when, short_ago};
use crate::inert;
use crate::policy::Entry;
use crate::text::{SafeText, counted, human_size};
use crate::tui::app::{Copies, State};
use ratatui::layout::{Position, Rect};
use std::path::Path;

/// Columns of the age of a copy.
const AGE: usize = 5;

/// Columns of the names of the facts.
const LABEL: usize = 10;

pub(super) fn draw(state: &State, copies: &Copies, painter: &mut Painter) -> Option<Position> {
    let panes = Copies::layout(state);
    let name = copies.entry(state).map(|entry| SafeText::line(&entry.skill.name));
    painter.frame(&panes, "Copies", &name.unwrap_or_default());
    let rows: Vec<&Path> = copies.paths.iter().map(|path| &**path).collect();
    let alike = alike(state, &rows);
    for (place, row) in shown(panes.left, &copies.list, &rows).enumerate() {
        let Some(entry) = state.entry(row.item) else { continue };
        let number = copies.list.top + place;
        let mut strip = Strip::row(row.current);
        let width = row.area.width.into();
        strip.append(Copy { state, entry, alike: &alike }.line(copies, number, width));
        painter.strip(row.area, &strip);
        if row.current {
            painter.highlight(row.area);
        }
    }
    painter.scroll_bar(panes.left, copies.list.top, rows.len());
    if let (Some(right), Some(entry)) = (panes.right, copies.entry(state)) {
        facts(state, copies, entry, right, painter);
    }
    let line = copies.name()?;
    let area = panes.left;
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    painter.clear(row);
    painter.text(row, &SafeText::fixed(" new name"), Meaning::Muted);
    let taken = 9.min(row.width);
    let input = Rect { x: row.x + taken, width: row.width - taken, ..row };
    prompt::line(line, input, painter)
}

/// The folders with which the places of all copies end: `/skills/pdf`.
fn alike(state: &State, paths: &[&Path]) -> String {
    let entries = paths.iter().filter_map(|path| state.entry(path));
    let places: Vec<SafeText> =
        entries.map(|entry| state.short_path(entry.skill.location())).collect();
    let Some((first, others)) = places.split_first() else { return String::new() };
    let is_alike = |from: &usize| {
        let end = &first.as_str()[*from..];
        others.iter().all(|other| other.as_str().ends_with(end) && other.as_str() != end)
    };
    let starts = first.as_str().match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
    starts.into_iter().find(is_alike).map_or_else(String::new, |at| first.as_str()[at..].to_owned())
}

/// A row of the list.
struct Copy<'a> {
    state: &'a State,
    entry: &'a Entry,
    /// See [`alike`].
    alike: &'a str,
}

impl Copy<'_> {
    /// `● ✓ ~/.claude/skills/pdf  2d`
    fn line(&self, copies: &Copies, place: usize, width: usize) -> Strip {
        let Self { state, entry, .. } = *self;
        let mut strip = Strip::default();
        let is_marked = state.marks.has(&entry.skill.path);
        strip.fixed(if is_marked { "●" } else { " " }, Meaning::Mark);
        let (glyph, meaning) = sign(entry.status());
        strip.fixed(glyph, meaning).gap(1);
        let fact = copies.fact(place);
        let age = fact.filter(|fact| fact.changed_ms > 0);
        let age = age.map(|fact| short_ago(state.now_ms, fact.changed_ms));
        let behind = match (&age, fact) {
            (Some(age), _) => age.width() + 3,
            (None, Some(_)) => 1,
            (None, None) => AGE + 3,
        };
        let room = width.saturating_sub(strip.width() + behind);
        strip.push(self.place(room), Meaning::Text);
        if let Some(age) = age {
            strip.until(width.saturating_sub(age.width() + 2)).push(age, Meaning::Muted);
        }
        strip
    }

    /// Where it lies. If that is too long, a part that all have in common goes, since the rest
    /// tells them apart.
    fn place(&self, room: usize) -> SafeText {
        let place = self.state.short_path(self.entry.skill.location());
        if place.width() <= room {
            return place;
        }
        let own = place.as_str().strip_suffix(self.alike).filter(|_| !self.alike.is_empty());
        match own.map(SafeText::clean) {
            Some(own) if own.width() + 2 <= room => place.cut(room),
            Some(own) => inert!("{}/…", own.cut_start(room.saturating_sub(2))),
            None => place.cut_start(room),
        }
    }
}

/// What is known of the current one, a line for each fact.
fn facts(state: &State, copies: &Copies, entry: &Entry, area: Rect, painter: &mut Painter) {
    let mut lines: Vec<(SafeText, Meaning)> = Vec::new();
    let mut add = |label: &'static str, text: SafeText, meaning| {
        let label = SafeText::fixed(label).pad(LABEL);
        let indent = SafeText::spaces(LABEL);
        let room = usize::from(area.width).saturating_sub(LABEL + 2).max(1);
        for (number, part) in text.fold(room).into_iter().enumerate() {
            let before = if number == 0 { &label } else { &indent };
            lines.push((inert!("{}{}", before.clone(), part), meaning));
        }
    };
    add("folder", state.short_path(entry.skill.dir()), Meaning::Text);
    let others = entry.skill.locations().filter(|place| *place != entry.skill.dir());
    for place in others {
        add("found as", state.short_path(place), Meaning::Text);
    }
    let [users, off] = Copies::takers(state, &entry.skill.path);
    let names =
        |hosts: &[&'static str]| SafeText::join(hosts.iter().copied().map(SafeText::fixed), ", ");
    match users.as_slice() {
        [] if state.viewed.reports.is_empty() => {
            add("used by", SafeText::fixed("asking every agent…"), Meaning::Muted);
        }
        [] => add("used by", SafeText::fixed("nobody"), Meaning::Muted),
        users => add("used by", names(users), Meaning::Text),
    }
    if !off.is_empty() {
        add("off in", names(&off), Meaning::Muted);
    }
    match copies.fact(copies.list.cursor) {
        None => add("", SafeText::fixed("reading…"), Meaning::Muted),
        Some(fact) => {
            if fact.changed_ms > 0 {
                add("changed", ago_and_when(state, fact.changed_ms), Meaning::Text);
            }
            if !fact.in_git.is_empty() {
                add("git", fact.in_git.clone(), Meaning::Text);
            }
            let size = SafeText::line(&human_size(fact.bytes));
            let files = counted(fact.files, "file");
            let size = inert!("{} in {}, {}", size, files, tokens(entry.skill.bytes));
            add("size", size, Meaning::Text);
            let differs = match fact.difference.is_empty() {
                true => SafeText::fixed("the others are compared with this one"),
                false => fact.difference.clone(),
            };
            add("text", differs, Meaning::Text);
        }
    }
    lines.push((SafeText::default(), Meaning::Text));
    lines.push((SafeText::line(entry.about()), Meaning::Muted));
    painter.words(area, &lines);
}
