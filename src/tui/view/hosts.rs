//! The list of hosts through which one can look.

use super::paint::{Painter, Strip, shown};
use super::theme::Meaning;
use super::title::title;
use crate::text::SafeText;
use crate::tui::app::{HostMenu, HostRow, State};
use ratatui::layout::Position;

/// Draws the list; nothing is typed here.
pub(super) fn draw(state: &State, menu: &HostMenu, painter: &mut Painter) -> Option<Position> {
    let panes = HostMenu::layout(state);
    title(panes.title, "Look through which agent", painter);
    painter.frame(&panes);
    let found = state.hosts();
    if found.is_empty() {
        painter.text(panes.left, &SafeText::fixed(" looking…"), Meaning::Muted);
    }
    for row in shown(panes.left, &menu.list, found) {
        let looked_through = row.item.word == state.options.host;
        painter.strip(row.area, &line(row.item, (row.current, looked_through), painter));
    }
    painter.scroll_bar(panes.left, (menu.list.top, found.len()));
    None
}

fn line(host: &HostRow, (current, chosen): (bool, bool), painter: &Painter) -> Strip {
    let mut strip = Strip::default();
    strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent));
    strip.fixed(if chosen { "●" } else { " " }, painter.style(Meaning::Mark)).gap(1);
    let meaning = match (current, host.here) {
        (true, _) => Meaning::Current,
        (false, true) => Meaning::Text,
        (false, false) => Meaning::Off,
    };
    strip.fixed(host.word, painter.style(meaning)).until(18);
    strip
        .fixed(host.name, painter.style(if host.here { Meaning::Text } else { Meaning::Off }))
        .until(40)
        .gap(1);
    strip.push(host.note.clone(), painter.style(Meaning::Muted));
    strip
}
