//! What every host makes of one skill.

use super::list::sign;
use super::paint::{Painter, Strip, shown};
use super::preview::origin;
use super::theme::Meaning;
use crate::inert;
use crate::policy::{Glance, Sight};
use crate::text::SafeText;
use crate::tui::app::{Seen, State, sight_words};
use ratatui::layout::Position;

pub(super) fn draw(state: &State, seen: &Seen, painter: &mut Painter) -> Option<Position> {
    let panes = Seen::layout(state);
    let name =
        state.entry(&seen.path).map(|entry| SafeText::line(&entry.skill.name)).unwrap_or_default();
    painter.frame(&panes, "Seen by", &name);
    let found = seen.rows(state);
    if found.is_empty() {
        painter.note(panes.left, " asking every agent…");
    }
    for row in shown(panes.left, &seen.list, &found) {
        let (glance, sight) = row.item;
        let mut strip = painter.row(row.current);
        strip.gap(1).append(line(glance, sight, painter));
        painter.strip(row.area, &strip);
    }
    painter.scroll_bar(panes.left, seen.list.top, found.len());
    None
}

fn line(glance: &Glance, sight: &Sight, painter: &Painter) -> Strip {
    let mut strip = Strip::default();
    let (glyph, meaning) = sign(sight.standing.status());
    strip.fixed(sight.host.word(), painter.style(Meaning::Text)).until(12).gap(1);
    strip.fixed(glyph, painter.style(meaning)).gap(1);
    strip.push(sight_words(&sight.standing), painter.style(Meaning::Text));
    if let Some(deciding) = sight.standing.decider() {
        let text = SafeText::line(deciding.text());
        let place = deciding.place().map(|_| inert!(" · {}", origin(deciding))).unwrap_or_default();
        strip.push(inert!("{} · {}", place, text), painter.style(Meaning::Muted));
    }
    if !glance.remark.is_empty() {
        strip.push(
            inert!("  ! {}", SafeText::line(&glance.remark)),
            painter.style(Meaning::Warning),
        );
    }
    strip
}
