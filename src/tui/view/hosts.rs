//! The menu of hosts.

use super::paint::{Painter, Shown, Strip, shown};
use super::theme::Meaning;
use crate::text::SafeText;
use crate::tui::app::{HostMenu, HostRow, State};
use ratatui::layout::Position;

pub(super) fn draw(state: &State, menu: &HostMenu, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Choose whose view is shown", &SafeText::default());
    let found = state.hosts();
    if found.is_empty() {
        painter.note(panes.left, " looking…");
    }
    for row in shown(panes.left, &menu.list, found) {
        painter.strip(row.area, &line(&row, state.options.host));
    }
    painter.scroll_bar(panes.left, menu.list.top, found.len());
    None
}

fn line(row: &Shown<HostRow>, chosen: &str) -> Strip {
    let Shown { item: host, current, .. } = *row;
    let mut strip = Strip::row(current);
    let mark = if host.word == chosen { "●" } else { " " };
    strip.fixed(mark, Meaning::Mark).gap(1);
    let meaning = match (current, host.here) {
        (true, _) => Meaning::Current,
        (false, true) => Meaning::Text,
        (false, false) => Meaning::Off,
    };
    strip.fixed(host.word, meaning).until(18);
    strip.fixed(host.name, if host.here { Meaning::Text } else { Meaning::Off }).until(40).gap(1);
    strip.push(host.note.clone(), Meaning::Muted);
    strip
}
