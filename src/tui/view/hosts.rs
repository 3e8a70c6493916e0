//! The table of hosts.

use super::paint::{Painter, Shown, Strip, shown};
use super::theme::Meaning;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{HostCounts, HostMenu, HostRow, State};
use ratatui::layout::Position;

/// The least column of the names, and the columns that they have.
const NAME: usize = 14;
const NAME_COLUMNS: usize = 24;

/// Columns of each number with the gap before it.
const NUMBER: usize = 8;

pub(super) fn draw(state: &State, menu: &HostMenu, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Agents: choose whose view is shown", &SafeText::default());
    let (head, area) = HostMenu::areas(state);
    let found = state.hosts();
    let words = found.iter().map(|host| host.word.len());
    // The cursor, the mark and a gap stand before a word, and a gap behind it.
    let name = NAME.max(words.max().unwrap_or_default() + 4);
    if found.is_empty() {
        painter.note(area, " looking…");
    }
    if let Some(head) = head {
        painter.strip(head, &titles(name));
    }
    for row in shown(area, &menu.list, found) {
        painter.strip(row.area, &line(state, &row, name, head.is_some()));
    }
    painter.scroll_bar(area, menu.list.top, found.len());
    None
}

type Number = fn(&HostCounts) -> usize;

/// The numbers of a host, in their order.
const NUMBERS: [(&str, Number); 5] = [
    ("skills", |counts| counts.seen),
    ("off", |counts| counts.off),
    ("refused", |counts| counts.refused),
    ("cut", |counts| counts.cut),
    ("folders", |counts| counts.folders),
];

fn titles(name: usize) -> Strip {
    let mut strip = Strip::default();
    strip.until(name + NAME_COLUMNS);
    for (title, _) in NUMBERS {
        strip.gap(NUMBER - title.len()).push(SafeText::fixed(title), Meaning::Muted);
    }
    strip
}

/// `name` is the column of the names.
fn line(state: &State, row: &Shown<HostRow>, name: usize, with_counts: bool) -> Strip {
    let Shown { item: host, current, .. } = *row;
    let mut strip = Strip::row(current);
    let mark = if host.word == state.options.host { "●" } else { " " };
    strip.fixed(mark, Meaning::Mark).gap(1);
    let meaning = match (current, host.here) {
        (true, _) => Meaning::Current,
        (false, true) => Meaning::Text,
        (false, false) => Meaning::Off,
    };
    strip.fixed(host.word, meaning).until(name);
    let meaning = if host.here { Meaning::Text } else { Meaning::Off };
    strip.fixed(host.name, meaning).until(name + NAME_COLUMNS);
    if with_counts {
        numbers(&mut strip, state.counts(host.word));
    }
    strip.gap(2).push(host.note.clone(), Meaning::Muted);
    strip
}

/// The numbers of a host; blank while they are not known.
fn numbers(strip: &mut Strip, counts: Option<&HostCounts>) {
    let Some(counts) = counts else {
        strip.gap(NUMBER * NUMBERS.len());
        return;
    };
    for (title, of) in NUMBERS {
        let number = of(counts);
        let text = inert!("{}", number);
        let meaning = match (title, number) {
            (_, 0) => Meaning::Muted,
            ("refused" | "cut", _) => Meaning::Warning,
            _ => Meaning::Text,
        };
        strip.gap(NUMBER.saturating_sub(text.width())).push(text, meaning);
    }
}
