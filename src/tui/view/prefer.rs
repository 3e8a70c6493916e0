//! The question for which agent a pick is written.

use super::paint::{Painter, Strip, shown};
use super::theme::Meaning;
use crate::text::SafeText;
use crate::tui::app::{Prefer, State};
use ratatui::layout::Position;

/// The least column of the names, and the columns that they have.
const NAME: usize = 14;
const TEXT: usize = 20;

pub(super) fn draw(state: &State, prefer: &Prefer, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    let beside = SafeText::fixed("asked once, and remembered for this repository");
    painter.frame(&panes, "For which agent?", &beside);
    // The cursor and a gap stand before a word, and a gap behind it.
    let words = prefer.rows.iter().map(|row| row.host.word().len());
    let name = NAME.max(words.max().unwrap_or_default() + 3);
    for row in shown(panes.left, &prefer.list, &prefer.rows) {
        let mut strip = Strip::row(row.current);
        strip.gap(1).fixed(row.item.host.word(), Meaning::of_row(row.current)).until(name);
        strip.fixed(row.item.name, Meaning::Muted).until(name + TEXT).gap(1);
        strip.push(row.item.text.clone(), Meaning::Text);
        painter.strip(row.area, &strip);
    }
    None
}
