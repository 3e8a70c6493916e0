//! The rows of the picker, in columns: cursor, mark, state, flag, name, description, uses, scope.

use super::paint::{Painter, Strip, rows};
use super::preview::counted;
use super::theme::Meaning;
use super::used;
use crate::catalog::{Enablement, RootState};
use crate::inert;
use crate::policy::{Entry, StatusKind};
use crate::search::{self, Reason};
use crate::text::SafeText;
use crate::tui::app::{Action, Layer, State};
use ratatui::layout::Rect;

/// Columns before the name: cursor, mark, state, flag, a gap.
const BEFORE_NAME: usize = 5;

/// A narrower description is not shown.
const LEAST_DESCRIPTION: usize = 8;

/// The same, if names must be cut to make room for it.
const WORTHWHILE_DESCRIPTION: usize = 16;

/// From this width on a row shows how often and when its skill was used.
const WIDE_ENOUGH_FOR_USES: usize = 50;

/// The share of a row that names may take, in percent.
const NAME_SHARE: usize = 55;

/// Draws the rows, or says why there are none.
pub(super) fn draw(state: &State, area: Rect, painter: &mut Painter) {
    if state.picker.finds_nothing() {
        return empty(state, area, painter);
    }
    let first = state.picker.list.top;
    let shown: Vec<usize> =
        (first..state.picker.hits().len()).take(usize::from(area.height)).collect();
    let columns = Columns::of(state, &shown, usize::from(area.width));
    for (row, index) in rows(area).zip(shown) {
        if let Some(entry) = state.picker.entry(index) {
            let strip = Row { state, number: index, entry }.strip(columns);
            painter.strip(row, &strip);
        }
    }
}

/// The columns of a row.
#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    description: usize,
    used: usize,
    scope: usize,
}

impl Columns {
    /// Names get the width of the widest visible one, up to a share; the description has the rest.
    fn of(state: &State, shown: &[usize], width: usize) -> Self {
        let names = shown.iter().filter_map(|row| state.picker.entry(*row));
        let mut widths: Vec<usize> =
            names.map(|entry| SafeText::line(&entry.skill.name).width()).collect();
        widths.sort_unstable();
        // A few long names are cut. If every fourth is long, the list is about names.
        let most = widths.get(widths.len().saturating_sub(1) * 3 / 4).copied().unwrap_or_default();
        let widest = widths.last().copied().unwrap_or_default();
        let room = width.saturating_sub(BEFORE_NAME + 1);
        // The width of the widest scope, so that the column does not move while the query changes.
        let scope = if room >= 24 { state.scope_width } else { 0 };
        let used = if state.has_uses && width >= WIDE_ENOUGH_FOR_USES { used::SHORT } else { 0 };
        let beside = [scope, used].iter().map(|columns| columns + usize::from(*columns > 0)).sum();
        let without = room.saturating_sub(beside);
        // People pick by name, so it may take more than half. If too little is left for a useful
        // description, the name has all the room; the preview has the description.
        let share = room * NAME_SHARE / 100;
        let name = widest.clamp(8.min(share), share);
        let description = without.saturating_sub(name + 1);
        let enough = if most > share { WORTHWHILE_DESCRIPTION } else { LEAST_DESCRIPTION };
        if description < enough {
            Self { name: without, description: 0, used, scope }
        } else {
            Self { name, description, used, scope }
        }
    }
}

struct Row<'a> {
    state: &'a State,
    number: usize,
    entry: &'a Entry,
}

impl Row<'_> {
    fn strip(&self, columns: Columns) -> Strip {
        let Self { state, entry, .. } = *self;
        let marked = state.marks.has(&entry.skill.path);
        let mut strip = Strip::row(self.is_current());
        strip.fixed(if marked { "●" } else { " " }, Meaning::Mark);
        let (glyph, meaning) = sign(entry.status());
        strip.fixed(glyph, meaning);
        let (flag, meaning) = flag_of(entry);
        strip.fixed(flag, meaning).gap(1);
        self.name(columns.name, &mut strip);
        if columns.description > 0 {
            strip.gap(1);
            self.description(columns.description, &mut strip);
        }
        let end = BEFORE_NAME
            + columns.name
            + usize::from(columns.description > 0)
            + columns.description
            + 1;
        let used = if columns.used > 0 { used::short(state, &entry.skill.path) } else { None };
        if let Some(used) = used {
            strip.until(end + columns.used.saturating_sub(used.width()));
            strip.push(used.cut(columns.used), Meaning::Muted);
        }
        if columns.scope > 0 {
            strip.until(end + columns.used + usize::from(columns.used > 0));
            strip
                .push(SafeText::fixed(entry.skill.scope.word()).cut(columns.scope), Meaning::Muted);
        }
        strip
    }

    fn is_current(&self) -> bool {
        self.number == self.state.picker.list.cursor
    }

    /// Why the query matched.
    fn reason(&self) -> Option<Reason> {
        self.state.picker.hits().get(self.number).map(|hit| hit.reason)
    }

    fn name(&self, width: usize, strip: &mut Strip) {
        let Self { state, entry, .. } = *self;
        let base = match (self.is_current(), entry.offered() && entry.is_on()) {
            (true, _) => Meaning::Current,
            (false, true) => Meaning::Name,
            (false, false) => Meaning::Off,
        };
        let shown = SafeText::line(&entry.skill.name).cut(width);
        let wanted =
            self.reason().is_some_and(|reason| reason >= Reason::Name || reason == Reason::Typo);
        let asked = wanted || state.picker.parsed.words.len() > 1;
        let ranges = if asked {
            search::highlights(shown.as_str(), &state.picker.parsed)
        } else {
            Vec::new()
        };
        strip.matched(&shown, &ranges, base);
        strip.gap(width.saturating_sub(shown.width()));
    }

    fn description(&self, width: usize, strip: &mut Strip) {
        let Self { state, entry, .. } = *self;
        let before = strip.width();
        // Says why the row matches if the name and description do not show it.
        match self.reason() {
            Some(Reason::Body) => strip.fixed("in text · ", Meaning::Warning),
            Some(Reason::Typo) => strip.fixed("near · ", Meaning::Warning),
            _ => strip,
        };
        let room = (before + width).saturating_sub(strip.width());
        let whole = SafeText::line(entry.about());
        let ranges = search::word_spans(whole.as_str(), &state.picker.parsed);
        // A description is shown from its match on only if the name does not match.
        let by_name = self.reason().is_some_and(|reason| reason >= Reason::Name);
        let at = ranges.first().map(|range| range.start).filter(|_| !by_name);
        let shown = around_first_match(&whole, at, room);
        let ranges = search::word_spans(shown.as_str(), &state.picker.parsed);
        strip.matched(&shown, &ranges, Meaning::Muted);
    }
}

/// The sign of a status: on, in part, off, shadowed, not taken.
pub(super) fn sign(status: StatusKind) -> (&'static str, Meaning) {
    match status {
        StatusKind::NotThere => ("·", Meaning::Off),
        StatusKind::Refused => ("✗", Meaning::Error),
        StatusKind::Shadowed => ("≡", Meaning::Off),
        StatusKind::Mixed | StatusKind::Is(Enablement::NameOnly | Enablement::UserOnly) => {
            ("◐", Meaning::Warning)
        }
        StatusKind::Is(Enablement::On) => ("✓", Meaning::Good),
        StatusKind::Is(Enablement::Off) => ("○", Meaning::Off),
    }
}

/// A warning, or the same name elsewhere.
fn flag_of(entry: &Entry) -> (&'static str, Meaning) {
    if entry.offered() && !entry.skill.diagnostics.is_empty() {
        ("!", Meaning::Warning)
    } else if entry.same_name > 1 {
        ("⇉", Meaning::Warning)
    } else {
        (" ", Meaning::Muted)
    }
}

/// The part of a text that shows its first match. If that is not near the start: `…`, some words
/// before the match, and the match.
fn around_first_match(text: &SafeText, at: Option<usize>, columns: usize) -> SafeText {
    let Some(before) = at.and_then(|at| text.as_str().get(..at)).map(SafeText::clean) else {
        return text.cut(columns);
    };
    if before.width() + 4 <= columns || columns < 16 {
        return text.cut(columns);
    }
    // Whole words before the match, in at most a third of the room.
    let lead = before.cut_start(columns / 3);
    let from = lead.as_str().find(' ').map_or(lead.as_str(), |space| &lead.as_str()[space + 1..]);
    let rest = text.as_str().get(before.as_str().len()..).unwrap_or_default();
    if lead.width() + SafeText::clean(rest).width() < columns {
        return text.cut_start(columns);
    }
    inert!("…{}{}", SafeText::clean(from.trim_start_matches('…')), SafeText::clean(rest))
        .cut(columns)
}

/// The text of an empty list: why it is empty, and what helps.
fn empty(state: &State, area: Rect, painter: &mut Painter) {
    let mut lines: Vec<(SafeText, Meaning)> = Vec::new();
    if state.viewed.rows.is_empty() {
        nothing_found(state, &mut lines);
    } else {
        nothing_matches(state, &mut lines);
    }
    painter.words(area, &lines);
}

fn nothing_found(state: &State, lines: &mut Vec<(SafeText, Meaning)>) {
    if !state.viewed.complete {
        if state.spinner.is_some() {
            lines.push((SafeText::fixed("looking for skills…"), Meaning::Muted));
        }
        return;
    }
    let switch = &state.viewed.policy.skills_enabled;
    if !switch.value {
        let by = SafeText::line(switch.origin.text());
        let place = match switch.origin.place() {
            Some((file, line)) => inert!(" ({}:{})", file, line),
            None => SafeText::default(),
        };
        lines.push((inert!("All skills are switched off by {}{}.", by, place), Meaning::Warning));
        lines.push((
            SafeText::fixed("No folder was searched; folders given by --root still are."),
            Meaning::Muted,
        ));
        return;
    }
    lines.push((SafeText::fixed("No skills yet. Searched:"), Meaning::Text));
    for report in state.viewed.roots.iter() {
        let path = SafeText::path(&report.root.path);
        let (what, meaning) = match &report.state {
            RootState::Read => (SafeText::fixed("empty"), Meaning::Muted),
            RootState::Missing => (SafeText::fixed("not there"), Meaning::Muted),
            RootState::Failed(why) => (SafeText::line(why), Meaning::Error),
            RootState::Closed { why, .. } => (SafeText::fixed(why), Meaning::Warning),
        };
        lines.push((inert!("  {} · {}", path, what), meaning));
    }
    lines.push((SafeText::default(), Meaning::Muted));
    let cure = "Put a folder with a SKILL.md there, add a folder under `roots` in the settings, or browse one with --root DIR.";
    lines.push((SafeText::fixed(cure), Meaning::Muted));
    let other = state.key_word(Layer::Picker, Action::Hosts);
    lines.push((inert!("Another agent may look elsewhere: {}.", other), Meaning::Muted));
}

fn nothing_matches(state: &State, lines: &mut Vec<(SafeText, Meaning)>) {
    let total = state.picker.shown.rows.len();
    lines.push((inert!("No match among {} skills.", total), Meaning::Text));
    let elsewhere = state.picker.shown.elsewhere;
    if let (Some(scope), 1..) = (state.picker.scope, elsewhere) {
        let text = inert!(
            "Only the {} scope is shown, {} more elsewhere: {} shows the next.",
            scope.word(),
            elsewhere,
            state.key_word(Layer::Picker, Action::NextScope)
        );
        lines.push((text, Meaning::Muted));
    }
    for problem in &state.picker.parsed.problems {
        lines.push((SafeText::line(&problem.to_string()), Meaning::Warning));
    }
    if let Some((filters, without @ 1..)) = state.picker.filtered() {
        let text = inert!("Without {}: {}.", filters, counted(without, "skill"));
        lines.push((text, Meaning::Muted));
    }
    if !state.picker.query.is_empty() {
        let back = state.key_word(Layer::Picker, Action::Back);
        lines.push((inert!("{} clears the query.", back), Meaning::Muted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_shown_from_before_its_first_match() {
        let whole = SafeText::fixed("Extract the text of a form and check every field in it");
        let shown = |word: &str, columns| {
            let at = whole.as_str().find(word);
            around_first_match(&whole, at, columns).to_string()
        };
        assert_eq!(shown("text", 24), "Extract the text of a f…", "it is near the start");
        assert_eq!(shown("absent", 24), "Extract the text of a f…");
        assert_eq!(shown("check", 24), "…and check every field …");
        assert_eq!(shown("field", 24), "…check every field in it", "the end has no mark");
        assert_eq!(shown("check", 15), "Extract the te…", "there is no room for both");
        for columns in 0..60 {
            assert!(SafeText::clean(&shown("every", columns)).width() <= columns, "{columns}");
        }
    }

    #[test]
    fn every_status_has_a_sign_of_one_column() {
        let signs =
            [StatusKind::NotThere, StatusKind::Refused, StatusKind::Shadowed, StatusKind::Mixed]
                .into_iter()
                .chain(Enablement::ALL.map(StatusKind::Is));
        let signs: Vec<&str> = signs.map(|status| sign(status).0).collect();
        assert_eq!(signs, ["·", "✗", "≡", "◐", "✓", "◐", "◐", "○"]);
    }
}
