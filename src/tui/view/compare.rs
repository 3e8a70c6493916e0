//! Two copies of one skill: a difference to be read.

use super::confirm::difference;
use super::paint::{Painter, Strip, rows};
use super::title::title_beside;
use crate::tui::app::{Compare, State, layout};
use ratatui::layout::Position;

/// Draws the screen; nothing is typed here.
pub(super) fn draw(state: &State, compare: &Compare, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice_rows());
    title_beside(panes.title, "Difference", compare.title.clone(), painter);
    painter.frame(&panes);
    for (row, (kind, text)) in rows(panes.left).zip(compare.lines.iter().skip(compare.scroll)) {
        let mut strip = Strip::default();
        strip.gap(1).push(text.clone(), painter.style(difference(*kind)));
        painter.strip(row, &strip);
    }
    painter.scroll_bar(panes.left, (compare.scroll, compare.lines.len()));
    None
}
