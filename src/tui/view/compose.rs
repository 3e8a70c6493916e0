//! Compose: the prompt, its pills, and the completion of skills.

use super::paint::{Painter, Strip, inset, rows as area_rows, shown};
use super::theme::Meaning;
use crate::catalog::{Pill, Scope};
use crate::inert;
use crate::policy::Calling;
use crate::text::{SafeText, counted, short_number};
use crate::tui::app::{self, Action, CompletionRow, Compose, KeyTable, Spot, State, Way};
use ratatui::layout::{Position, Rect};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Most columns of a name in the completion; it has a third of a narrow screen.
const NAME: usize = 28;

pub(super) fn draw(state: &State, compose: &Compose, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    title(state, compose, panes.title, painter);
    painter.lines(&panes);
    let area = compose.text_area(state);
    if compose.editor.is_empty() {
        let words = "Write the prompt. $ chooses a skill; Enter sends.";
        painter.note(area, words);
    }
    let columns = usize::from(area.width);
    let visible = compose.visible(columns, usize::from(area.height));
    let (mut cursor, own) = (None, compose.cursor_row(columns));
    for (row, (line, bytes)) in area_rows(area).zip(visible) {
        let strip = text_row(state, compose, line, &bytes);
        painter.strip(row, &strip);
        if own == (line, bytes.clone()) {
            cursor = Some(cursor_in(compose, &bytes, columns, row));
        }
    }
    completion(state, compose, painter);
    cursor
}

/// `to ▸ claude · its text is printed`, and at the right the tokens.
fn title(state: &State, compose: &Compose, area: Rect, painter: &mut Painter) {
    let (tokens, skills) = compose.tokens(state);
    let tokens = short_number(usize::try_from(tokens).unwrap_or(usize::MAX));
    let mut right = Strip::default();
    right.push(inert!("~{} tokens", tokens), Meaning::Text);
    if skills > 0 {
        right.push(inert!(" with {}", counted(skills, "skill")), Meaning::Muted);
    }
    if compose.inject {
        right.fixed(" · text injected", Meaning::Mark);
    }
    let taken = painter.strip_right(area, right.gap(1));
    let area = Rect { width: area.width.saturating_sub(taken + 2), ..area };
    let mut left = Strip::default();
    left.fixed(" to ▸ ", Meaning::Muted);
    match (compose.docked(), compose.target(state)) {
        (Some(pane), _) => {
            left.fixed(pane.host.word(), Meaning::Accent);
            left.push(inert!(" ({} pane {})", pane.of.word(), pane.id), Meaning::Text)
        }
        (None, _) if compose.panes.as_ref().is_some_and(Vec::is_empty) => {
            left.fixed("no agent in another pane · F5 looks again", Meaning::Warning)
        }
        (None, Some(report)) => left.fixed(report.host.word(), Meaning::Accent),
        (None, None) => left.fixed("…", Meaning::Muted),
    };
    let count = compose.panes.as_ref().map_or(0, Vec::len);
    if count > 1 {
        left.push(inert!(" · {} of {}", compose.pane + 1, count), Meaning::Muted);
    }
    match (compose.first_problem(state), compose.way) {
        (Some((pill, calling)), _) => left.push(problem(pill, calling.as_ref()), Meaning::Warning),
        (None, _) if compose.finds_nothing() => left.fixed(" · no skill matches", Meaning::Muted),
        (None, Way::Start) => left.fixed(" · starts it", Meaning::Muted),
        (None, Way::Print | Way::Pane | Way::Back) => &mut left,
    };
    painter.strip(area, &left);
}

/// Why a pill cannot be sent.
fn problem(pill: &Pill, calling: Option<&Calling>) -> SafeText {
    match calling {
        None => inert!(" · {} is gone", pill.name),
        Some(Calling::Off) => inert!(" · {} is off there", pill.name),
        Some(Calling::No(why)) => inert!(" · {}: {}", pill.name, why),
        Some(Calling::Yes | Calling::ByPath) => SafeText::default(),
    }
}

fn text_row(state: &State, compose: &Compose, line: usize, bytes: &Range<usize>) -> Strip {
    let editor = &compose.editor;
    let text = &editor.lines()[line][bytes.clone()];
    let selected = |byte: usize| {
        let spot = Spot { line, byte };
        editor.selection().is_some_and(|(start, end)| start <= spot && spot < end)
    };
    let mut strip = Strip::default();
    let mut plain = String::new();
    let mut is_plain_selected = false;
    for (at, grapheme) in text.grapheme_indices(true) {
        let pill = editor.pill_in(grapheme).map(|(pill, _)| pill);
        let is_selected = selected(bytes.start + at);
        if pill.is_some() || is_selected != is_plain_selected {
            flush(&mut strip, &mut plain, is_plain_selected);
            is_plain_selected = is_selected;
        }
        match pill {
            Some(pill) => {
                let meaning =
                    if is_selected { Meaning::Chosen } else { of_pill(state, compose, pill) };
                strip.push(app::shown(editor, grapheme), meaning);
            }
            None => plain.push_str(app::shown(editor, grapheme).as_str()),
        }
    }
    flush(&mut strip, &mut plain, is_plain_selected);
    strip
}

fn flush(strip: &mut Strip, plain: &mut String, is_selected: bool) {
    let meaning = if is_selected { Meaning::Chosen } else { Meaning::Text };
    strip.push(SafeText::clean(&std::mem::take(plain)), meaning);
}

fn of_pill(state: &State, compose: &Compose, pill: &Pill) -> Meaning {
    let calling = compose.target(state).map(|report| state.calling(report, &pill.path));
    match calling {
        None | Some(Some(Calling::Yes | Calling::ByPath)) => Meaning::Mark,
        Some(_) => Meaning::Error,
    }
}

/// The cell of the cursor in its row.
fn cursor_in(compose: &Compose, bytes: &Range<usize>, columns: usize, row: Rect) -> Position {
    let Spot { line, byte } = compose.editor.cursor();
    let column = app::column(&compose.editor, line, bytes.start, byte).min(columns.max(1) - 1);
    Position { x: row.x + u16::try_from(column).unwrap_or(0), y: row.y }
}

fn completion(state: &State, compose: &Compose, painter: &mut Painter) {
    let area = compose.list_area(state);
    let Some(completion) = compose.completion.as_ref().filter(|_| area.height > 0) else { return };
    if let Some(y) = area.y.checked_sub(1) {
        let line = Rect { y, height: 1, ..area };
        painter.line(line);
        if completion.more > 0 {
            let more = inert!(" +{} more: type on ", completion.more);
            painter.strip_right(inset(line), &Strip::of(more, Meaning::Muted));
        }
    }
    let name = NAME.min(usize::from(area.width) / 3);
    for row in shown(area, &completion.list, &completion.rows) {
        if row.current {
            painter.highlight(row.area);
        }
        let taken = painter.strip_right(row.area, &state_of(state, compose, row.item));
        let mut strip = Strip::row(row.current);
        strip.gap(1).push(row.item.name.cut(name), Meaning::of_row(row.current));
        strip.until(name + 4);
        if let Some(folder) = &row.item.folder {
            strip.push(folder.clone(), Meaning::Mark).gap(2);
        }
        strip.push(row.item.description.clone(), Meaning::Muted);
        let width = row.area.width.saturating_sub(taken + 2);
        painter.strip(Rect { width, ..row.area }, &strip);
    }
    painter.scroll_bar(area, completion.list.top, completion.rows.len());
}

/// Scope, and what keeps the target from calling it.
fn state_of(state: &State, compose: &Compose, row: &CompletionRow) -> Strip {
    let mut strip = Strip::default();
    let report = compose.target(state);
    match report.and_then(|report| state.calling(report, &row.path)) {
        Some(Calling::Off) => {
            let takes = if compose.takes_by_enter() { Action::Accept } else { Action::Target };
            let key = state.key_word(KeyTable::Compose, takes);
            strip.push(inert!("off · {} turns it on", key), Meaning::Warning);
        }
        Some(Calling::No(why)) => {
            strip.push(why, Meaning::Error);
        }
        Some(Calling::ByPath) => {
            strip.fixed("by its path", Meaning::Muted);
        }
        Some(Calling::Yes) | None => {
            let scope = state.entry(&row.path).map_or("", |entry| Scope::word(entry.skill.scope));
            strip.fixed(scope, Meaning::Muted);
        }
    }
    strip.gap(2);
    strip
}
