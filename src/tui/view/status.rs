//! The last lines: a notice, and the hints.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use crate::tui::app::{NoticeKind, State, hints};
use ratatui::layout::Rect;

/// Draws the notice and the hints of the topmost screen.
pub(super) fn draw(state: &State, painter: &mut Painter) {
    let place = state.whole().notice;
    if let (Some(notice), Some(area)) = (&state.notice, place) {
        let (sign, meaning) = match notice.kind {
            NoticeKind::Done => ("✓ ", Meaning::Good),
            NoticeKind::Neutral => ("· ", Meaning::Muted),
            NoticeKind::Grave => ("✗ ", Meaning::Error),
        };
        let lines = notice.lines(usize::from(area.width), usize::from(area.height));
        for (index, (row, line)) in rows(area).zip(lines).enumerate() {
            let mut strip = Strip::default();
            strip.gap(1).fixed(if index == 0 { sign } else { "  " }, meaning);
            strip.push(line, Meaning::Text);
            painter.strip(row, &strip);
        }
    }
    let all = hints::hints(state);
    let mut previous: Option<Rect> = None;
    for hint in &all {
        let mut strip = Strip::default();
        if !hint.key.is_empty() {
            let meaning = if hint.dim { Meaning::Off } else { Meaning::Key };
            strip.push(hint.key.clone(), meaning).gap(1);
        }
        let meaning = match (hint.alarm, hint.dim) {
            (true, _) => Meaning::Error,
            (false, true) => Meaning::Off,
            (false, false) => Meaning::Muted,
        };
        strip.push(hint.label.clone(), meaning);
        painter.strip(hint.area, &strip);
        // A dot between neighbours, none between the two sides.
        if let Some(before) = previous.filter(|before| before.right() + 3 == hint.area.x) {
            let dot = Rect { x: before.right() + 1, width: 1, ..hint.area };
            painter.text(dot, &crate::text::SafeText::fixed("·"), Meaning::Line);
        }
        previous = Some(hint.area);
    }
}
