//! The palette of keys.

use super::paint::{Painter, Strip, shown};
use super::prompt;
use super::theme::Meaning;
use super::title::title;
use crate::text::SafeText;
use crate::tui::app::{Binding, Help, State, layout};
use ratatui::layout::{Position, Rect};

/// Columns of the keys at most.
const KEYS: usize = 26;

/// Column at which the keys begin behind the sections.
const SECTION: usize = 17;

/// Draws the palette; returns where the cursor of its query is.
pub(super) fn draw(state: &State, help: &Help, painter: &mut Painter) -> Option<Position> {
    let panes = layout::whole(state.area, state.notice_rows());
    title(panes.title, "Keys", painter);
    let input = Rect {
        x: panes.title.x + 8.min(panes.title.width),
        width: panes.title.width.saturating_sub(8),
        ..panes.title
    };
    let cursor = prompt::line(&help.query, input, painter);
    painter.frame(&panes);
    let found = help.rows(&state.options.bindings);
    if found.is_empty() {
        painter.text(panes.left, &SafeText::fixed(" no such key"), Meaning::Muted);
    }
    let columns = Columns::of(&found, usize::from(panes.left.width));
    let top = help.list.top;
    for row in shown(panes.left, &help.list, &found) {
        let (binding, index) = (row.item, row.index);
        let section = binding.action.section();
        // The first row seen says its section as well, so that a scrolled list is not without one.
        let first = index == top || found[index - 1].action.section() != section;
        let section = if first { section.title() } else { "" };
        let strip = line(binding, section, (row.current, columns), painter);
        let width = row.area.width.saturating_sub(1);
        painter.strip(Rect { width, ..row.area }, &strip);
    }
    painter.scroll_bar(panes.left, (top, found.len()));
    cursor
}

/// Where the keys and what they do begin; the sections stand before them where there is room.
#[derive(Clone, Copy)]
struct Columns {
    keys: usize,
    help: usize,
}

impl Columns {
    fn of(found: &[&Binding], width: usize) -> Self {
        let keys = if width >= 70 { SECTION } else { 2 };
        let widest = found.iter().map(|binding| keys_of(binding).width()).max().unwrap_or_default();
        Self { keys, help: keys + widest.min(KEYS).min(width / 3) + 2 }
    }
}

fn keys_of(binding: &Binding) -> SafeText {
    SafeText::join(&binding.keys, "  ")
}

fn line(
    binding: &Binding,
    section: &'static str,
    (current, columns): (bool, Columns),
    painter: &Painter,
) -> Strip {
    let mut strip = Strip::default();
    strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent)).gap(1);
    if columns.keys == SECTION {
        strip.fixed(section, painter.style(Meaning::Heading));
    }
    strip.until(columns.keys);
    strip.push(keys_of(binding).cut(columns.help - columns.keys - 2), painter.style(Meaning::Key));
    strip.until(columns.help);
    strip
        .fixed(binding.help, painter.style(if current { Meaning::Current } else { Meaning::Text }));
    strip
}
