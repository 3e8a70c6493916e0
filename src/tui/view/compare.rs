//! The difference of two copies of a skill.

use super::confirm::difference;
use super::paint::{Painter, Strip, rows};
use crate::tui::app::{Compare, State};
use ratatui::layout::Position;

pub(super) fn draw(state: &State, compare: &Compare, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Difference", &compare.title);
    for (row, (kind, text)) in rows(panes.left).zip(compare.rows.iter().skip(compare.scroll)) {
        let mut strip = Strip::default();
        strip.gap(1).push(text.clone(), difference(*kind));
        painter.strip(row, &strip);
    }
    painter.scroll_bar(panes.left, compare.scroll, compare.rows.len());
    None
}
