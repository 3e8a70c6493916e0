//! Detail: the file tree on the left, the chosen file on the right.

use super::aside::file_row;
use super::paint::{Painter, Shown, Strip, inset, rows, shown};
use super::preview::{pane, status};
use super::prompt;
use super::theme::Meaning;
use super::used;
use crate::catalog::risk::Level;
use crate::inert;
use crate::text::{SafeText, counted};
use crate::tui::app::{Detail, Facts, Focus, GUTTER, PreviewStyle, RiskFact, RiskFacts, State};
use ratatui::layout::{Position, Rect};

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, detail: &Detail, painter: &mut Painter) -> Option<Position> {
    let panes = Detail::layout(state);
    head(state, detail, panes.title, painter);
    painter.lines(&panes);
    tree(state, detail, panes.left, painter);
    let right = panes.right?;
    let text = inset(right);
    let text = match detail.numbers {
        true => numbered(detail, text, painter),
        false => text,
    };
    pane(state, &detail.pane, detail.link(), text, painter);
    marks_of_find(detail, text, painter);
    let bar = Rect { x: text.x, width: right.right() - text.x, ..right };
    painter.scroll_bar(bar, detail.pane.scroll, detail.pane.lines());
    find_line(detail, text, painter)
}

/// ` ‹ pdf-forms  repo · on · allow ‹default› · used 3× 2d      scripts/check.py · rendered`
fn head(state: &State, detail: &Detail, area: Rect, painter: &mut Painter) {
    let width = usize::from(area.width);
    let mut strip = Strip::default();
    strip.fixed(" ‹ ", Meaning::Muted);
    match state.entry(&detail.path) {
        Some(entry) => {
            let rest = status(entry, true);
            let room = width.saturating_sub(rest.width() + 5).max(12);
            strip
                .push(SafeText::line(&entry.skill.name).cut(room), Meaning::Accent)
                .gap(2)
                .append(rest);
        }
        None => drop(strip.fixed("this skill is gone", Meaning::Error)),
    }
    if let Some(Ok(facts)) = state.facts(&detail.path)
        && let Some(RiskFacts { level: level @ Some(Level::Alarm), words, .. }) = &facts.risk
    {
        strip.push(inert!(" · {}", words), meaning_of(*level));
    }
    let file = detail
        .file(state)
        .map_or_else(|| SafeText::fixed("SKILL.md"), |file| SafeText::path(&file));
    let style = if detail.style == PreviewStyle::Raw { "raw" } else { "rendered" };
    let wrap = if detail.wrap { "" } else { " · not wrapped" };
    let mut right = Strip::default();
    // The cursor's sign marks the pane that has the keys.
    right.fixed(if detail.focus == Focus::Text { "▌" } else { " " }, Meaning::Accent);
    right.push(inert!("{} · {}{} ", file.cut_start(40), style, wrap), Meaning::Muted);
    // The whole sentence if it fits beside the file, else the short form.
    let sentence = used::sentence(state, &detail.path).map(|used| inert!(" · {}", used));
    let fits = |used: &SafeText| strip.width() + used.width() + right.width() + 2 < width;
    let short = || used::short(state, &detail.path).map(|used| inert!(" · {}", used));
    strip.push(sentence.filter(fits).or_else(short).unwrap_or_default(), Meaning::Muted);
    painter.strip(area, &strip);
    if strip.width() + right.width() + 2 < width {
        painter.strip_right(area, &right);
    }
}

fn tree(state: &State, detail: &Detail, area: Rect, painter: &mut Painter) {
    match state.facts(&detail.path) {
        Some(Err(why)) => return painter.text(area, &inert!(" {}", why), Meaning::Error),
        None => return painter.note(area, " reading…"),
        Some(Ok(_)) => {}
    }
    let files = detail.rows(state);
    for Shown { area: row, item: file, current, .. } in shown(area, &detail.tree, &files) {
        let (cursor, meaning) = match detail.focus {
            Focus::Tree => ("▌", Meaning::Accent),
            Focus::Text => ("›", Meaning::Muted),
        };
        painter.text(row, &SafeText::fixed(if current { cursor } else { " " }), meaning);
        let place = Rect { x: row.x + 2.min(row.width), width: row.width.saturating_sub(2), ..row };
        let mut strip = file_row(file);
        if let folded @ 1.. = detail.folded(file, state) {
            strip.push(inert!("  +{}", folded), Meaning::Muted);
        }
        painter.strip(place, &strip);
    }
    let Some(Ok(facts)) = state.facts(&detail.path) else { return };
    let used = files.len() - detail.tree.top.min(files.len());
    let room = usize::from(area.height).saturating_sub(used);
    let width = usize::from(area.width.saturating_sub(3));
    for (row, (text, meaning)) in rows(area).skip(used).zip(fitted(below(facts, width), room)) {
        let place = Rect { x: row.x + 2.min(row.width), width: row.width.saturating_sub(2), ..row };
        painter.text(place, &text.cut(width), meaning);
    }
}

/// Draws the numbers of the file's lines, each beside the first row of its line. Returns the area
/// that is left for the text.
fn numbered(detail: &Detail, area: Rect, painter: &mut Painter) -> Rect {
    let gutter = GUTTER.min(area.width);
    if let Some(doc) = detail.pane.doc() {
        let top = detail.pane.scroll;
        let source = |line: usize| doc.lines.get(line).map(|line| line.source);
        let mut before = top.checked_sub(1).and_then(source);
        for (row, at) in rows(area).zip(top..doc.lines.len()) {
            let line = &doc.lines[at];
            // The gap before a block has the number of its first line.
            let is_gap = line.plain().trim().is_empty() && source(at + 1) == Some(line.source);
            if before != Some(line.source) && !is_gap {
                let number = inert!("{}", line.source);
                let gap = SafeText::spaces(usize::from(GUTTER - 1).saturating_sub(number.width()));
                let row = Rect { width: gutter, ..row };
                painter.text(row, &inert!("{}{}", gap, number), Meaning::Line);
                before = Some(line.source);
            }
        }
    }
    Rect { x: area.x + gutter, width: area.width - gutter, ..area }
}

/// What stands below the tree in this width: files that are not listed, dangling links, what the
/// skill reaches.
fn below(facts: &Facts, width: usize) -> Vec<(SafeText, Meaning)> {
    let mut below: Vec<(SafeText, Meaning)> = Vec::new();
    if facts.more_files > 0 {
        below.push((inert!("… and {} more", facts.more_files), Meaning::Muted));
    }
    if !facts.broken_links.is_empty() {
        below.push((SafeText::default(), Meaning::Muted));
        below.push((SafeText::fixed("dangling links"), Meaning::Warning));
        below.extend(
            facts
                .broken_links
                .iter()
                .map(|(line, target)| (inert!("{}: {}", *line, target), Meaning::Muted)),
        );
    }
    if facts.unchecked_links > 0 {
        below.push((inert!("{} links were not checked", facts.unchecked_links), Meaning::Muted));
    }
    if let Some(risk) = &facts.risk {
        below.push((SafeText::default(), Meaning::Muted));
        below.push((inert!("reaches: {}", risk.words), meaning_of(risk.level)));
        below.extend(risk.rows.iter().map(|RiskFact { rule, place }| {
            // The line is at the end of the place.
            let place = place.cut_start(width.saturating_sub(rule.code.len() + 1));
            let alarm = rule.level == Level::Alarm;
            let meaning = if alarm { Meaning::Error } else { Meaning::Muted };
            (inert!("{} {}", rule.code, place), meaning)
        }));
    }
    below
}

fn meaning_of(level: Option<Level>) -> Meaning {
    match level {
        Some(Level::Alarm) => Meaning::Error,
        Some(Level::Fact) => Meaning::Heading,
        None => Meaning::Muted,
    }
}

/// At most `room` rows; the last one says how many are missing.
fn fitted(mut rows: Vec<(SafeText, Meaning)>, room: usize) -> Vec<(SafeText, Meaning)> {
    if rows.len() > room {
        let shown = room.saturating_sub(1);
        let missing = inert!("… and {} more lines", rows.len() - shown);
        rows.truncate(shown);
        rows.push((missing, Meaning::Muted));
    }
    rows
}

/// A sign before each line that matches the search.
fn marks_of_find(detail: &Detail, area: Rect, painter: &mut Painter) {
    let Some(find) = &detail.find else { return };
    let first = detail.pane.scroll;
    for (row, index) in rows(area).zip(first..) {
        if find.rows.binary_search(&index).is_ok() && area.x > 0 {
            let sign = Rect { x: area.x - 1, width: 1, ..row };
            painter.text(sign, &SafeText::fixed("▸"), Meaning::Match);
        }
    }
}

/// The last row of the text is the input line of a search.
fn find_line(detail: &Detail, area: Rect, painter: &mut Painter) -> Option<Position> {
    let find = detail.find.as_ref()?;
    let mut count = Strip::default();
    count.gap(1).push(counted(find.rows.len(), "line"), Meaning::Muted);
    prompt::find(find, area, &count, painter)
}
