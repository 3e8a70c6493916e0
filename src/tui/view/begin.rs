//! The line for the name of a new skill, or for a folder whose skills are linked.

use super::paint::Painter;
use super::prompt;
use super::theme::Meaning;
use crate::text::SafeText;
use crate::tui::app::{Begin, BeginWith, State};
use ratatui::layout::{Position, Rect};

pub(super) fn draw(state: &State, begin: &Begin, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    let (title, about) = match begin.with {
        BeginWith::New => (
            "A new skill",
            "Its name, in small letters, digits and hyphens. What would be written is shown first.",
        ),
        BeginWith::Links => (
            "Link skills",
            "A skill's folder, or one with such folders in it. Links to them are made in your own \
             folder of skills; what would be made is shown first.",
        ),
    };
    painter.frame(&panes, title, &SafeText::default());
    let area = panes.left;
    let row = Rect { height: 1.min(area.height), ..area };
    let below = Rect { y: area.y + row.height, height: area.height - row.height, ..area };
    let below =
        Rect { y: below.y + 1.min(below.height), height: below.height.saturating_sub(1), ..below };
    painter.words(below, &[(SafeText::fixed(about), Meaning::Muted)]);
    prompt::line(&begin.line, row, painter)
}
