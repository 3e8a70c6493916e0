//! The copy menu, drawn above the hints.

use super::paint::{Painter, Strip, first_row, rows};
use super::theme::Meaning;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{COPY_FORMS, CopyForm, CopyMenu, State};

pub(super) fn draw(state: &State, menu: &CopyMenu, painter: &mut Painter) {
    let area = CopyMenu::area(state);
    painter.clear(area);
    painter.line(first_row(area));
    let what = match menu.skills.paths.len() {
        1 => SafeText::fixed("copy this skill as"),
        count => inert!("copy {} skills as", count),
    };
    let mut lines = vec![Strip::default()];
    lines[0].gap(1).push(what, Meaning::Muted);
    if let Some(hidden) = state.hidden_words(&menu.skills) {
        lines[0].gap(1).push(inert!("({})", hidden), Meaning::Mark);
    }
    for (index, (form, name, help)) in COPY_FORMS.iter().enumerate().skip(menu.top(state)) {
        let current = index == menu.cursor;
        let mut strip = Strip::row(current);
        strip.gap(1).fixed(name, Meaning::of_row(current)).until(12);
        let help = match form {
            CopyForm::Mention => state.mention_of(&menu.skills),
            _ => SafeText::fixed(help),
        };
        strip.push(help, Meaning::Muted);
        lines.push(strip);
    }
    for (row, line) in rows(area).skip(1).zip(&lines) {
        painter.strip(row, line);
    }
}
