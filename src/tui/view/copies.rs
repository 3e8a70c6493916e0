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
    for (place, row) in shown(panes.left, &copies.list, &rows).enumerate() {
        let Some(entry) = state.entry(row.item) else { continue };
        let number = copies.list.top + place;
        let mut strip = Strip::row(row.current);
        strip.append(line(state, copies, number, entry, panes.left.width.into()));
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

/// `● ✓ ~/.claude/skills/pdf  2d`
fn line(state: &State, copies: &Copies, place: usize, entry: &Entry, width: usize) -> Strip {
    let mut strip = Strip::default();
    let is_marked = state.marks.has(&entry.skill.path);
    strip.fixed(if is_marked { "●" } else { " " }, Meaning::Mark);
    let (glyph, meaning) = sign(entry.status());
    strip.fixed(glyph, meaning).gap(1);
    let folder = state.short_path(entry.skill.location());
    let room = width.saturating_sub(strip.width() + AGE + 3);
    strip.push(folder.cut_start(room), Meaning::Text);
    if let Some(fact) = copies.fact(place).filter(|fact| fact.changed_ms > 0) {
        let age = short_ago(state.now_ms, fact.changed_ms);
        strip.until(width.saturating_sub(age.width() + 2)).push(age, Meaning::Muted);
    }
    strip
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
    let takers = Copies::takers(state, &entry.skill.path);
    let words = match takers.as_slice() {
        [] if state.viewed.reports.is_empty() => SafeText::fixed("asking every agent…"),
        [] => SafeText::fixed("nobody"),
        takers => SafeText::join(takers.iter().copied().map(SafeText::fixed), ", "),
    };
    add("used by", words, if takers.is_empty() { Meaning::Muted } else { Meaning::Text });
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
