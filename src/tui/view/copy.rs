//! The menu of what to copy as: a small box above the hints.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{COPY_FORMS, CopyMenu, State};
use ratatui::layout::Rect;

/// Draws the menu over the screen below it.
pub(super) fn draw(state: &State, menu: &CopyMenu, painter: &mut Painter) {
    let height = u16::try_from(COPY_FORMS.len() + 1).unwrap_or(u16::MAX).min(state.area.height.saturating_sub(1));
    let width = 60.min(state.area.width);
    let bottom = state.area.bottom().saturating_sub(1);
    let area = Rect { x: state.area.x, y: bottom.saturating_sub(height), width, height };
    painter.cells.set_style(area, ratatui::style::Style::reset());
    for row in rows(area) {
        painter.text(row, &SafeText::spaces(usize::from(width)), Meaning::Text);
    }
    let what = match menu.skills.len() {
        1 => SafeText::fixed("copy this skill as"),
        count => inert!("copy {} skills as", count),
    };
    let mut lines = vec![Strip::default()];
    lines[0].gap(1).push(what, painter.style(Meaning::Muted));
    for (index, (_, name, help)) in COPY_FORMS.iter().enumerate() {
        let current = index == menu.cursor;
        let mut strip = Strip::default();
        strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent)).gap(1);
        strip.fixed(name, painter.style(if current { Meaning::Current } else { Meaning::Text })).to_column(12);
        strip.fixed(help, painter.style(Meaning::Muted));
        lines.push(strip);
    }
    for (row, line) in rows(area).zip(&lines) {
        painter.strip(row, line);
    }
}
