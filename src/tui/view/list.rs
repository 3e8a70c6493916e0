//! The rows of the picker, in columns: cursor, mark, flag, name, description, uses, and what each
//! agent makes of the skill; in a view through one agent, the sign of its state instead.

use super::paint::{Painter, Strip, rows};
use super::theme::Meaning;
use super::used;
use crate::catalog::{Enablement, RootState};
use crate::inert;
use crate::policy::{Entry, HostReport, StatusKind};
use crate::search::{self, Reason};
use crate::text::{SafeText, counted};
use crate::tui::app::{Action, AgentColumn, Columns, KeyTable, PickerLayout, State};
use ratatui::layout::Rect;

/// The place of a skill whose name others have is cut to so many columns.
const PLACE: usize = 16;

/// Draws the rows below the names of their columns, or says why there are none.
pub(super) fn draw(state: &State, panes: &PickerLayout, painter: &mut Painter) {
    let area = panes.list;
    if state.picker.finds_nothing() {
        return empty(state, area, painter);
    }
    let columns = Columns::of(state, usize::from(area.width));
    if let Some(area) = panes.header {
        painter.strip(area, &header(state, &columns));
    }
    let lines = state.picker.list.lines(area.height.into(), state.picker.hits().len());
    for (row, line) in rows(area).zip(lines) {
        match line.map(|number| (number, state.picker.entry(number))) {
            None => rule(state, row, painter),
            Some((number, Some(entry))) => {
                let drawn = Row { state, number, entry, columns: &columns };
                painter.strip(row, &drawn.strip());
                if drawn.is_current() {
                    painter.highlight(row);
                }
            }
            Some((_, None)) => {}
        }
    }
}

/// The names of the columns. That of the agent with the cursor stands out.
fn header(state: &State, columns: &Columns) -> Strip {
    let mut strip = Strip::default();
    strip.gap(columns.before_name).fixed("skill", Meaning::Muted);
    strip.until(columns.before_name + columns.name + 1);
    if columns.description > 0 {
        strip.fixed("what it does", Meaning::Muted);
    }
    for column in &columns.agents {
        let report = &state.agents()[column.report];
        let chosen = state.picker.column == Some(report.host);
        let name = SafeText::fixed(report.host.word()).cut(column.width);
        strip.until(column.start);
        strip.push(name, if chosen { Meaning::Accent } else { Meaning::Muted });
    }
    if columns.more > 0 && !columns.agents.is_empty() {
        strip.push(inert!(" +{}", columns.more), Meaning::Muted);
    }
    strip
}

/// The line above the skills that are not seen: ` ── 2 not seen by claude ───`.
fn rule(state: &State, area: Rect, painter: &mut Painter) {
    painter.line(area);
    let shown = &state.picker.shown;
    let text = match state.options.sees_all() {
        true => inert!(" {} seen by no agent here ", shown.below),
        false => inert!(" {} not seen by {} ", shown.below, state.options.host),
    };
    let after = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..area };
    painter.text(after, &text, Meaning::Muted);
}

struct Row<'a> {
    state: &'a State,
    number: usize,
    entry: &'a Entry,
    columns: &'a Columns,
}

impl Row<'_> {
    fn strip(&self) -> Strip {
        let Self { state, entry, columns, .. } = *self;
        let mut strip = Strip::row(self.is_current());
        let unmarked = state.marked_at(self.number).is_empty();
        strip.fixed(if unmarked { " " } else { "●" }, Meaning::Mark);
        if columns.agents.is_empty() {
            let (glyph, meaning) = sign(entry.status());
            strip.fixed(glyph, meaning);
        }
        let (flag, meaning) = self.flag();
        strip.fixed(flag, meaning).until(columns.before_name);
        self.name(columns.name, &mut strip);
        if columns.description > 0 {
            strip.gap(1);
            self.description(columns.description, &mut strip);
        }
        let end = columns.before_name + columns.name + 1 + columns.description;
        let used = if columns.used > 0 { used::short(state, &entry.skill.path) } else { None };
        if let Some(used) = used {
            strip.until(end + 1 + columns.used.saturating_sub(used.width()));
            strip.push(used.cut(columns.used), Meaning::Muted);
        }
        for column in &columns.agents {
            self.cell(column, &mut strip);
        }
        strip
    }

    /// What an agent makes of the skill, or of the one of this name that it uses, below the middle
    /// of its name.
    fn cell(&self, column: &AgentColumn, strip: &mut Strip) {
        let report = &self.state.agents()[column.report];
        let Some(index) = self.state.copy_for(report, self.number) else { return };
        let (glyph, meaning) = match self.sign_of(report, index) {
            // While skills are read, other agents have not been looked through yet.
            (NOT_THERE, _) if !self.state.viewed.complete => (" ", Meaning::Line),
            sign => sign,
        };
        strip.until(column.start + (column.width - 1) / 2);
        let chosen = self.is_current() && self.state.picker.column == Some(report.host);
        match chosen {
            true => strip.fixed(glyph, Meaning::Chosen),
            false => strip.fixed(glyph, meaning),
        };
    }

    /// The sign of what an agent makes of the skill with this index.
    fn sign_of(&self, report: &HostReport, index: u32) -> (&'static str, Meaning) {
        let rows = &self.state.picker.shown.rows;
        let Some(entry) = rows.entry(index as usize) else { return (NOT_THERE, Meaning::Line) };
        match report.status(index, &entry.skill).status() {
            StatusKind::NotThere => (NOT_THERE, Meaning::Line),
            StatusKind::Is(state)
                if state != Enablement::Off && rows.is_contested(report, index) =>
            {
                ("?", Meaning::Warning)
            }
            status => sign(status),
        }
    }

    /// A warning; where a row has nothing but names, also that it has copies.
    fn flag(&self) -> (&'static str, Meaning) {
        if self.entry.offered() && !self.entry.skill.diagnostics.is_empty() {
            ("!", Meaning::Warning)
        } else if self.columns.description == 0 && self.copies().is_some() {
            ("⇉", Meaning::Warning)
        } else {
            (" ", Meaning::Muted)
        }
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
        let shown = SafeText::line(&entry.skill.full_name()).cut(width);
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
        if entry.skill.root.word.is_some() {
            let words = if entry.about().is_empty() { "own word" } else { "own word · " };
            strip.fixed(words, Meaning::Muted);
        }
        let place = self.copies().or_else(|| self.place());
        let tag = place.as_ref().map_or(0, |(place, _)| place.width() + 1);
        let room = (before + width).saturating_sub(strip.width() + tag);
        let whole = match state.why_unseen(entry) {
            Some(why) => why,
            None => SafeText::line(entry.about()),
        };
        let ranges = search::word_spans(whole.as_str(), &state.picker.parsed);
        // A description is shown from its match on only if the name does not match.
        let by_name = self.reason().is_some_and(|reason| reason >= Reason::Name);
        let at = ranges.first().map(|range| range.start).filter(|_| !by_name);
        let shown = around_first_match(&whole, at, room);
        let ranges = search::word_spans(shown.as_str(), &state.picker.parsed);
        strip.matched(&shown, &ranges, Meaning::Muted);
        if let Some((place, meaning)) = place {
            strip.until(before + width - place.width()).push(place, meaning);
        }
    }

    /// For how many skills of its name the row stands: `⇉3`.
    fn copies(&self) -> Option<(SafeText, Meaning)> {
        let copies = self.state.picker.copies_at(self.number).len();
        (copies > 1).then(|| (inert!("⇉{}", copies), Meaning::Warning))
    }

    /// What tells a refused skill apart from others of its name: the folder where it was found.
    fn place(&self) -> Option<(SafeText, Meaning)> {
        let shares = self.entry.same_name > 1 || self.entry.shadowed_by.is_some();
        let place = || self.state.short_path(self.entry.skill.root.agents_folder());
        let is_wide = shares && self.columns.description >= 2 * PLACE;
        is_wide.then(|| (place().cut_start(PLACE), Meaning::Line))
    }
}

/// The sign of a skill in whose folder an agent does not look.
const NOT_THERE: &str = "·";

/// The sign of a status: on, in part, off, shadowed, not taken.
pub(super) fn sign(status: StatusKind) -> (&'static str, Meaning) {
    match status {
        StatusKind::NotThere => (NOT_THERE, Meaning::Off),
        StatusKind::Refused => ("✗", Meaning::Error),
        StatusKind::Shadowed => ("≡", Meaning::Off),
        StatusKind::Mixed | StatusKind::Is(Enablement::NameOnly | Enablement::UserOnly) => {
            ("◐", Meaning::Warning)
        }
        StatusKind::Is(Enablement::On) => ("✓", Meaning::Good),
        StatusKind::Is(Enablement::Off) => ("○", Meaning::Off),
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
        if state.spinner.step().is_some() {
            lines.push((SafeText::fixed("looking for skills…"), Meaning::Muted));
        }
        return;
    }
    let switch = &state.viewed.policy.skills_enabled;
    if !switch.value {
        let by = SafeText::line(switch.origin.text());
        let place = match switch.origin.place() {
            Some((file, line)) => inert!(" ({}:{})", state.short_path(file), line),
            None => SafeText::default(),
        };
        lines.push((inert!("All skills are switched off by {}{}.", by, place), Meaning::Warning));
        lines.push((
            SafeText::fixed("No folder was searched; folders given by --root still are."),
            Meaning::Muted,
        ));
        return;
    }
    lines.push((SafeText::fixed("No skills yet."), Meaning::Text));
    for (action, what) in [
        (Action::NewSkill, "makes a new one here"),
        (Action::LinkSkills, "links a folder of skills that you have"),
        (Action::Examples, "browses the examples"),
    ] {
        lines.push((inert!("  {}  {}", state.key_without_skills(action), what), Meaning::Accent));
    }
    lines.push((SafeText::default(), Meaning::Muted));
    lines.push((SafeText::fixed("Searched:"), Meaning::Text));
    for report in state.viewed.roots.iter() {
        let path = state.short_path(&report.root.path);
        let (what, meaning) = match &report.state {
            RootState::Read => (SafeText::fixed("empty"), Meaning::Muted),
            RootState::Missing => (SafeText::fixed("not there"), Meaning::Muted),
            RootState::Failed(why) => (SafeText::line(why), Meaning::Error),
            RootState::Closed { why, .. } => (SafeText::fixed(why), Meaning::Warning),
        };
        lines.push((inert!("  {} · {}", path, what), meaning));
    }
    lines.push((SafeText::default(), Meaning::Muted));
    let cure =
        "A folder under `roots` in the settings is searched too, and --root DIR browses one.";
    lines.push((SafeText::fixed(cure), Meaning::Muted));
    let other = state.key_word(KeyTable::Picker, Action::Hosts);
    lines.push((inert!("Another agent may look elsewhere: {}.", other), Meaning::Muted));
}

fn nothing_matches(state: &State, lines: &mut Vec<(SafeText, Meaning)>) {
    let total = counted(state.picker.shown.rows.len(), "skill");
    lines.push((inert!("No match among {}.", total), Meaning::Text));
    let elsewhere = state.picker.shown.elsewhere;
    if let (Some(scope), 1..) = (state.picker.scope, elsewhere) {
        let text = inert!(
            "Only the {} scope is shown, {} more elsewhere: {} shows the next.",
            scope.word(),
            elsewhere,
            state.key_word(KeyTable::Picker, Action::NextScope)
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
        let back = state.key_word(KeyTable::Picker, Action::Back);
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
