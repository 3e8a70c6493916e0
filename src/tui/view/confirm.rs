//! The confirmation of a change: the diff of each file, and the effects.

use super::paint::{Painter, Strip};
use super::theme::Meaning;
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::Verdict;
use crate::policy::change::PlannedEffect;
use crate::text::SafeText;
use crate::tui::app::{Confirm, DiffKind, State};
use ratatui::layout::{Position, Rect};

/// Columns of the names if there is room: enough for most, so that most confirmations look alike.
const NAMES: usize = 29;

/// Columns of the two states and the gaps: `on · allow → off · allow`.
const STATES: usize = 28;

pub(super) fn draw(state: &State, confirm: &Confirm, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    painter.frame(&panes, "Confirm the change", &SafeText::default());
    let lines = lines(confirm, panes.left);
    painter.strips(panes.left, lines.get(confirm.scroll..).unwrap_or_default());
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

fn lines(confirm: &Confirm, area: Rect) -> Vec<Strip> {
    let mut lines = Vec::new();
    let mut add = |text: &SafeText, meaning: Meaning| {
        let mut strip = Strip::default();
        strip.gap(1).push(text.clone(), meaning);
        lines.push(strip);
    };
    add(&SafeText::line(&confirm.plan.label), Meaning::Text);
    confirm.plan.outcome.iter().for_each(|line| add(&SafeText::clean(line), Meaning::Text));
    add(&SafeText::default(), Meaning::Text);
    if !confirm.hidden.is_empty() {
        let count = confirm.hidden.len();
        add(&inert!("marked but hidden: {}", count), Meaning::Mark);
        for (name, folder) in &confirm.hidden {
            add(&inert!("  {}  {}", name, folder), Meaning::Text);
        }
        add(&SafeText::default(), Meaning::Text);
    }
    for (file, diff) in confirm.plan.files.iter().zip(&confirm.diffs) {
        let path = SafeText::path(&file.change.path);
        add(&inert!("{} ({})", path, file.layer.word()), Meaning::Heading);
        for line in diff {
            add(&SafeText::clean(&line.text), difference(line.kind));
        }
        add(&SafeText::default(), Meaning::Text);
    }
    // The states are aligned, after the longest name that leaves them room.
    let effects = effects(&confirm.plan.effects);
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
        let name = SafeText::line(&effect.skill.name);
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
