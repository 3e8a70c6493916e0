//! The changes that were made from here.

use super::paint::{Painter, Shown, Strip, shown};
use super::theme::Meaning;
use super::used::ago;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{Changes, KeptChange, State};
use ratatui::layout::Position;

/// Columns of the number.
const NUMBER: usize = 5;

pub(super) fn draw(state: &State, changes: &Changes, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Changes", &SafeText::default());
    match &changes.rows {
        None => painter.note(panes.left, " reading…"),
        Some(Err(why)) => painter.words(panes.left, &[(why.clone(), Meaning::Error)]),
        Some(Ok(rows)) if rows.is_empty() => {
            let nothing = SafeText::fixed("Nothing was changed from here yet.");
            painter.words(panes.left, &[(nothing, Meaning::Muted)]);
        }
        Some(Ok(_)) => {}
    }
    for row in shown(panes.left, &changes.list, changes.rows()) {
        painter.strip(row.area, &line(state, &row));
    }
    painter.scroll_bar(panes.left, changes.list.top, changes.rows().len());
    None
}

fn line(state: &State, row: &Shown<KeptChange>) -> Strip {
    let Shown { item: change, current, .. } = *row;
    let mut strip = Strip::row(current);
    let meaning = match (current, change.undone) {
        (true, _) => Meaning::Current,
        (false, true) => Meaning::Off,
        (false, false) => Meaning::Text,
    };
    strip.gap(1).push(inert!("{}", change.number), Meaning::Muted).until(NUMBER + 2).gap(1);
    if change.undone {
        strip.fixed("undone: ", Meaning::Off);
    }
    strip.push(change.label.clone(), meaning);
    if let Some(at_ms) = change.at_ms {
        strip.push(inert!(" · {}", ago(state.now_ms, at_ms)), Meaning::Muted);
    }
    if !change.files.is_empty() {
        strip.push(inert!(" · {}", change.files), Meaning::Muted);
    }
    strip
}
