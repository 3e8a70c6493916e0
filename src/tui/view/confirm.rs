//! A change before it is written: the files with their diffs, and who is affected.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use super::title::title;
use crate::text::SafeText;
use crate::tui::app::{Confirm, DiffKind, State, layout};
use ratatui::layout::Position;

/// Draws the screen; nothing is typed here.
pub(super) fn draw(state: &State, confirm: &Confirm, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice.is_some());
    title(panes.title, "Confirm the change", painter);
    painter.frame(&panes);
    let lines = lines(confirm, painter);
    for (row, line) in rows(panes.left).zip(lines.iter().skip(confirm.scroll)) {
        painter.strip(row, line);
    }
    painter.scroll_bar(panes.left, (confirm.scroll, lines.len()));
    None
}

/// How a line of a difference looks.
pub(super) fn difference(kind: DiffKind) -> Meaning {
    match kind {
        DiffKind::Header => Meaning::Muted,
        DiffKind::Context => Meaning::Text,
        DiffKind::Added => Meaning::Good,
        DiffKind::Removed => Meaning::Error,
    }
}

fn lines(confirm: &Confirm, painter: &Painter) -> Vec<Strip> {
    let mut lines = Vec::new();
    let mut add = |text: &SafeText, meaning: Meaning| {
        let mut strip = Strip::default();
        strip.gap(1).push(text.clone(), painter.style(meaning));
        lines.push(strip);
    };
    add(&confirm.plan.summary, Meaning::Text);
    add(&SafeText::default(), Meaning::Text);
    for file in &confirm.plan.files {
        add(&file.path, Meaning::Heading);
        for (kind, text) in &file.diff {
            add(text, difference(*kind));
        }
        add(&SafeText::default(), Meaning::Text);
    }
    for (name, before, after) in &confirm.plan.effects {
        let mut strip = Strip::default();
        strip.gap(1).push(name.clone(), painter.style(Meaning::Text)).until(30).gap(1);
        strip.push(before.clone(), painter.style(Meaning::Muted));
        strip.fixed(" → ", painter.style(Meaning::Muted)).push(after.clone(), painter.style(Meaning::Accent));
        lines.push(strip);
    }
    lines
}
