//! The help screen.

use super::paint::{Painter, Strip, shown};
use super::prompt;
use super::theme::Meaning;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{Help, HelpColumns, HelpRow, State};
use ratatui::layout::{Position, Rect};

/// Draws the screen; returns the cursor of its query.
pub(super) fn draw(state: &State, help: &Help, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Keys", &SafeText::default());
    let input = Rect {
        x: panes.title.x + 8.min(panes.title.width),
        width: panes.title.width.saturating_sub(8),
        ..panes.title
    };
    let cursor = prompt::line(&help.query, input, painter);
    let found = help.rows(&state.options.bindings);
    if found.is_empty() {
        painter.note(panes.left, " nothing has these words");
    }
    let (area, below) = Help::areas(state, &found);
    let columns = HelpColumns::of(&found, usize::from(area.width));
    let top = help.list.top;
    for row in shown(area, &help.list, &found) {
        let (item, index) = (row.item, row.index);
        let section = item.section();
        // The first visible row names its section, so that a scrolled list has one.
        let first = index == top || found[index - 1].section() != section;
        let strip = strip(columns, item, if first { section } else { "" }, row.current);
        painter.strip(row.area, &strip);
    }
    painter.scroll_bar(area, top, found.len());
    if let (Some(below), Some(row)) = (below, found.get(help.list.cursor)) {
        whole(row, below, painter);
    }
    cursor
}

fn strip(columns: HelpColumns, row: &HelpRow<'_>, section: &'static str, current: bool) -> Strip {
    let mut strip = Strip::row(current);
    if columns.has_sections() {
        strip.gap(1).fixed(section, Meaning::Heading);
    }
    strip.until(columns.keys);
    strip.push(row.keys().cut(columns.room()), Meaning::Key);
    strip.until(columns.help).fixed(row.help(), Meaning::of_row(current));
    strip
}

/// The whole text of the current row, which may be cut in the list.
fn whole(row: &HelpRow<'_>, area: Rect, painter: &mut Painter) {
    let line = SafeText::fixed("─").times(area.width.into());
    let mut lines = vec![Strip::of(line, Meaning::Line)];
    let texts = row.whole(area.width).into_iter();
    lines.extend(texts.map(|text| Strip::of(inert!(" {}", text), Meaning::Text)));
    painter.strips(area, &lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::app::{Action, Binding, KeyTable};
    use crate::tui::view::tests::row;

    #[test]
    fn keys_give_way_to_their_help_and_sections_are_for_wide_screens() {
        let binding = Binding {
            table: KeyTable::Picker,
            keys: ["^x", "Space ∅"].map(SafeText::fixed).into(),
            action: Action::Toggle,
            help: "turn it on or off",
        };
        let drawn = |width: u16| {
            let key = HelpRow::Key(&binding);
            let columns = HelpColumns::of(&[key], usize::from(width));
            row(width, &strip(columns, &key, "Change", true))
        };
        assert_eq!(drawn(70), "▌ Change         ^x  Space ∅  turn it on or off");
        assert_eq!(drawn(69), "▌ ^x  Space ∅  turn it on or off");
        assert_eq!(drawn(24), "▌ ^x  Spa…  turn it on …");
        assert_eq!(drawn(2), "▌…");
    }
}
