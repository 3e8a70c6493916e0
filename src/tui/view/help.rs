//! The palette of keys.

use super::confirm::title;
use super::paint::{Painter, Strip, rows};
use super::prompt;
use super::theme::Meaning;
use crate::text::SafeText;
use crate::tui::app::{Help, State, layout};
use ratatui::layout::{Position, Rect};

/// Columns of the keys.
const KEYS: usize = 26;

/// Draws the palette; returns where the cursor of its query is.
pub(super) fn draw(state: &State, help: &Help, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice.is_some());
    title(panes.title, "Keys", painter);
    let input =
        Rect { x: panes.title.x + 8.min(panes.title.width), width: panes.title.width.saturating_sub(8), ..panes.title };
    let cursor = prompt::line(&help.query, input, painter);
    painter.frame(&panes);
    let found = help.rows(&state.options.bindings);
    if found.is_empty() {
        painter.text(panes.left, &SafeText::fixed(" no such key"), Meaning::Muted);
    }
    for ((row, binding), index) in rows(panes.left).zip(found.iter().skip(help.top)).zip(help.top..) {
        let current = index == help.cursor;
        let first_of_section = index == 0 || found[index - 1].action.section() != binding.action.section();
        let mut strip = Strip::default();
        strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent)).gap(1);
        strip.push(SafeText::join(&binding.keys, "  ").cut(KEYS), painter.style(Meaning::Key)).to_column(KEYS + 3);
        strip.fixed(binding.action.help(), painter.style(if current { Meaning::Current } else { Meaning::Text }));
        painter.strip(row, &strip);
        if first_of_section {
            let mut section = Strip::default();
            section.fixed(binding.action.section().title(), painter.style(Meaning::Muted)).gap(1);
            if strip.width() + section.width() < usize::from(row.width) {
                painter.strip_right(row, &section);
            }
        }
    }
    painter.scroll_bar(panes.left, (help.top, found.len()));
    cursor
}
