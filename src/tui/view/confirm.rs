//! The confirmation of a change: the diff of each file, and the effects.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{Confirm, DiffKind, State, layout};
use ratatui::layout::{Position, Rect};

/// Columns of the names if there is room: enough for most, so that most confirmations look alike.
const NAMES: usize = 29;

/// Columns of the two states and the gaps: `on · allow → off · allow`.
const STATES: usize = 28;

pub(super) fn draw(state: &State, confirm: &Confirm, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice_rows());
    painter.frame(&panes, "Confirm the change", &SafeText::default());
    let lines = lines(confirm, panes.left, painter);
    for (row, line) in rows(panes.left).zip(lines.iter().skip(confirm.scroll)) {
        painter.strip(row, line);
    }
    painter.scroll_bar(panes.left, confirm.scroll, lines.len());
    None
}

/// How a line of a diff looks.
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
    // The states are aligned, after the longest name that leaves them room.
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
