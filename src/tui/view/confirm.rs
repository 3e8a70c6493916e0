//! The confirmation of a change: the diff of each file, and the effects.

use super::paint::{Painter, Strip, beside_bar, rows};
use super::theme::Meaning;
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::Verdict;
use crate::policy::change::PlannedEffect;
use crate::text::SafeText;
use crate::tui::app::{Confirm, ConfirmLine, DiffKind, LineKind, State};
use ratatui::layout::{Position, Rect};

/// Columns of the names if there is room: enough for most, so that most confirmations look alike.
const NAMES: usize = 29;

/// Columns of the two states and the gaps: `on · allow → off · allow`.
const STATES: usize = 28;

pub(super) fn draw(state: &State, confirm: &Confirm, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Confirm the change", &SafeText::default());
    let lines = lines(state, confirm, panes.left);
    // The scroll bar says that there are more.
    let visible = rows(beside_bar(panes.left, lines.len())).zip(lines.iter().skip(confirm.scroll));
    visible.for_each(|(row, line)| painter.strip(row, line));
    painter.scroll_bar(panes.left, confirm.scroll, lines.len());
    None
}

/// How a line of a diff looks.
pub(super) fn difference(kind: DiffKind) -> Meaning {
    match kind {
        DiffKind::Header => Meaning::Muted,
        DiffKind::Context => Meaning::Text,
        DiffKind::Added => Meaning::Good,
        DiffKind::Removed => Meaning::Error,
    }
}

fn lines(state: &State, confirm: &Confirm, area: Rect) -> Vec<Strip> {
    let strip = |line: ConfirmLine| {
        let meaning = match line.kind {
            LineKind::Words => Meaning::Text,
            LineKind::Heading => Meaning::Heading,
            LineKind::Choice => Meaning::Accent,
            LineKind::Mark => Meaning::Mark,
            LineKind::Diff(kind) => difference(kind),
        };
        let mut strip = Strip::default();
        strip.gap(1).push(line.text, meaning);
        strip
    };
    let mut lines: Vec<Strip> = confirm.above(state).into_iter().map(strip).collect();
    // The states are aligned, after the longest name that leaves them room.
    let effects = effects(confirm.asked.effects());
    let longest = effects.iter().map(|(name, ..)| name.width()).max().unwrap_or_default();
    let most = usize::from(area.width).saturating_sub(STATES);
    let names = longest.clamp(NAMES.min(most), most);
    for (name, before, after) in effects {
        let mut strip = Strip::default();
        strip.gap(1).push(name.pad(names), Meaning::Text).gap(1);
        strip.push(before, Meaning::Muted);
        strip.fixed(" → ", Meaning::Muted).push(after, Meaning::Accent);
        lines.push(strip);
    }
    lines
}

/// Name, state before and state after of each skill; with several hosts, the name says for which.
fn effects(effects: &[PlannedEffect]) -> Vec<(SafeText, SafeText, SafeText)> {
    let several = effects.windows(2).any(|pair| pair[0].host != pair[1].host);
    let row = |effect: &PlannedEffect| {
        let name = SafeText::line(&effect.skill.full_name());
        let name = if several { inert!("{} · {}", effect.host.word(), name) } else { name };
        let (before, after) = effect.states;
        (name, status(before, &effect.before), status(after, &effect.after))
    };
    effects.iter().map(row).collect()
}

/// `on · allow`, `name-only · allow`, `off · deny`.
fn status(state: Enablement, verdict: &Verdict) -> SafeText {
    inert!("{} · {}", state.word(), verdict.model.value.word())
}
