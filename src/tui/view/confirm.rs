//! A change before it is written: the files with their diffs, and who is affected.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use super::title::title;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{Confirm, DiffKind, State, layout};
use ratatui::layout::{Position, Rect};

/// Columns of the names where there is room, so that they stand alike in most changes.
const NAMES: usize = 29;

/// Columns of the two states and what stands between and around them: `on · allow → off · allow`.
const STATES: usize = 28;

/// Draws the screen; nothing is typed here.
pub(super) fn draw(state: &State, confirm: &Confirm, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice_rows());
    title(panes.title, "Confirm the change", painter);
    painter.frame(&panes);
    let lines = lines(confirm, panes.left, painter);
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

fn lines(confirm: &Confirm, area: Rect, painter: &Painter) -> Vec<Strip> {
    let mut lines = Vec::new();
    let mut add = |text: &SafeText, meaning: Meaning| {
        let mut strip = Strip::default();
        strip.gap(1).push(text.clone(), painter.style(meaning));
        lines.push(strip);
    };
    add(&confirm.plan.summary, Meaning::Text);
    add(&SafeText::default(), Meaning::Text);
    if !confirm.hidden.is_empty() {
        let count = confirm.hidden.len();
        add(&inert!("marked, and not on the screen below: {}", count), Meaning::Mark);
        for (name, folder) in &confirm.hidden {
            add(&inert!("  {}  {}", name, folder), Meaning::Text);
        }
        add(&SafeText::default(), Meaning::Text);
    }
    for file in &confirm.plan.files {
        add(&file.path, Meaning::Heading);
        for (kind, text) in &file.diff {
            add(text, difference(*kind));
        }
        add(&SafeText::default(), Meaning::Text);
    }
    // The states stand below each other, behind the longest name that leaves them room.
    let longest =
        confirm.plan.effects.iter().map(|(name, ..)| name.width()).max().unwrap_or_default();
    let most = usize::from(area.width).saturating_sub(STATES);
    let names = longest.clamp(NAMES.min(most), most);
    for (name, before, after) in &confirm.plan.effects {
        let mut strip = Strip::default();
        strip.gap(1).push(name.pad(names), painter.style(Meaning::Text)).gap(1);
        strip.push(before.clone(), painter.style(Meaning::Muted));
        strip
            .fixed(" → ", painter.style(Meaning::Muted))
            .push(after.clone(), painter.style(Meaning::Accent));
        lines.push(strip);
    }
    lines
}
