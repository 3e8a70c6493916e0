//! The title line of a screen above the picker.

use super::paint::{Painter, Strip};
use super::theme::Meaning;
use crate::text::SafeText;
use ratatui::layout::Rect;

/// Fewer columns than this say nothing beside a title.
const LEAST_BESIDE: usize = 6;

/// Draws the name of the screen.
pub(super) fn title(area: Rect, words: &'static str, painter: &mut Painter) {
    title_beside(area, words, SafeText::default(), painter);
}

/// Draws the name of the screen, and at the right end what it is about, as far as there is room
/// beside the name.
pub(super) fn title_beside(
    area: Rect,
    words: &'static str,
    beside: SafeText,
    painter: &mut Painter,
) {
    let mut strip = Strip::default();
    strip.fixed(" ‹ ", painter.style(Meaning::Muted)).fixed(words, painter.style(Meaning::Accent));
    painter.strip(area, &strip);
    // Two columns between them, and one of air at the end.
    let room = usize::from(area.width).saturating_sub(strip.width() + 3);
    if room >= beside.width().min(LEAST_BESIDE) {
        let mut right = Strip::default();
        right.push(beside.cut(room), painter.style(Meaning::Muted)).gap(1);
        painter.strip_right(area, &right);
    }
}
