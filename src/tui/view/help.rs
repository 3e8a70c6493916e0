//! The help screen.

use super::paint::{Painter, Strip, shown};
use super::prompt;
use super::theme::Meaning;
use crate::text::SafeText;
use crate::tui::app::{Help, HelpRow, State};
use ratatui::layout::{Position, Rect};

/// The most columns for the keys.
const KEYS: usize = 26;

/// The column after the sections, where the keys begin.
const SECTION: usize = 17;

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
    let columns = Columns::of(&found, usize::from(panes.left.width));
    let top = help.list.top;
    for row in shown(panes.left, &help.list, &found) {
        let (item, index) = (row.item, row.index);
        let section = item.section();
        // The first visible row names its section, so that a scrolled list has one.
        let first = index == top || found[index - 1].section() != section;
        let strip = columns.strip(item, if first { section } else { "" }, row.current);
        painter.strip(row.area, &strip);
    }
    painter.scroll_bar(panes.left, top, found.len());
    cursor
}

/// Where the keys and their help begin. On a wide screen the sections come before them.
#[derive(Clone, Copy)]
struct Columns {
    keys: usize,
    help: usize,
}

impl Columns {
    fn of(found: &[HelpRow<'_>], width: usize) -> Self {
        let keys = if width >= 70 { SECTION } else { 2 };
        let widest = found.iter().map(|row| keys_of(row).width()).max().unwrap_or_default();
        Self { keys, help: keys + widest.min(KEYS).min(width / 3) + 2 }
    }

    fn strip(self, row: &HelpRow<'_>, section: &'static str, current: bool) -> Strip {
        let mut strip = Strip::row(current);
        if self.keys == SECTION {
            strip.gap(1).fixed(section, Meaning::Heading);
        }
        strip.until(self.keys);
        strip.push(keys_of(row).cut(self.help - self.keys - 2), Meaning::Key);
        let help = match row {
            HelpRow::Key(binding) => binding.help,
            HelpRow::Word(row) => row.help,
        };
        strip.until(self.help).fixed(help, Meaning::of_row(current));
        strip
    }
}

fn keys_of(row: &HelpRow<'_>) -> SafeText {
    match row {
        HelpRow::Key(binding) => SafeText::join(&binding.keys, "  "),
        HelpRow::Word(row) => SafeText::fixed(row.word),
    }
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
            let columns = Columns::of(&[key], usize::from(width));
            row(width, &columns.strip(&key, "Change", true))
        };
        assert_eq!(drawn(70), "▌ Change         ^x  Space ∅  turn it on or off");
        assert_eq!(drawn(69), "▌ ^x  Space ∅  turn it on or off");
        assert_eq!(drawn(24), "▌ ^x  Spa…  turn it on …");
        assert_eq!(drawn(2), "▌…");
    }
}
