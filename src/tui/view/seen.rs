//! What every host makes of one skill.

use super::list::sign;
use super::paint::{Painter, Strip, shown};
use super::preview::origin;
use super::theme::Meaning;
use crate::inert;
use crate::policy::HostStatus;
use crate::text::SafeText;
use crate::tui::app::{Seen, State, status_words};
use ratatui::layout::Position;

pub(super) fn draw(state: &State, seen: &Seen, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    let name =
        state.entry(&seen.path).map(|entry| SafeText::line(&entry.skill.name)).unwrap_or_default();
    painter.frame(&panes, "Seen by", &name);
    if seen.rows.is_empty() {
        painter.note(panes.left, " asking every agent…");
    }
    let words = seen.rows.iter().map(|(status, _)| status.host.word().len());
    let words = words.max().unwrap_or_default().max(12);
    for row in shown(panes.left, &seen.list, &seen.rows) {
        let (host_status, remark) = row.item;
        let mut strip = Strip::row(row.current);
        strip.gap(1).append(line(state, host_status, remark, words));
        painter.strip(row.area, &strip);
    }
    painter.scroll_bar(panes.left, seen.list.top, seen.rows.len());
    None
}

/// `words` is how many columns the agents' short names take.
fn line(state: &State, host_status: &HostStatus, remark: &str, words: usize) -> Strip {
    let mut strip = Strip::default();
    let (glyph, meaning) = sign(host_status.status.status());
    strip.fixed(host_status.host.word(), Meaning::Text).until(words).gap(1);
    strip.fixed(glyph, meaning).gap(1);
    strip.push(status_words(state, &host_status.status), Meaning::Text);
    if let Some(deciding) = host_status.status.decider() {
        let text = SafeText::line(deciding.text());
        let place = deciding.place().map(|_| inert!(" · {}", origin(deciding))).unwrap_or_default();
        strip.push(inert!("{} · {}", place, text), Meaning::Muted);
    }
    if !remark.is_empty() {
        strip.push(inert!("  ! {}", remark), Meaning::Warning);
    }
    strip
}
