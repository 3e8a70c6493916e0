//! The third pane of a wide screen: verdicts, their origins, places, files.

use super::list::sign;
use super::paint::{Painter, Strip, rows};
use super::preview::{origin, permission_meaning, tokens};
use super::theme::Meaning;
use super::used;
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::{Entry, Origin, Standing};
use crate::text::SafeText;
use crate::text::human_size;
use crate::tui::app::{FileRow, State, sight_words};
use ratatui::layout::Rect;

/// Columns of the labels.
const LABEL: usize = 12;

pub(super) fn draw(state: &State, area: Rect, painter: &mut Painter) {
    let Some(entry) = state.current() else { return };
    let area = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    let mut lines = Vec::new();
    standing(state, entry, painter, &mut lines);
    places(state, entry, painter, &mut lines);
    contents(state, entry, painter, &mut lines);
    for (row, line) in rows(area).zip(&lines) {
        painter.strip(row, line);
    }
}

fn labelled(label: &'static str, text: SafeText, meaning: Meaning, painter: &Painter) -> Strip {
    let mut strip = Strip::default();
    strip
        .fixed(label, painter.style(Meaning::Muted))
        .until(LABEL)
        .push(text, painter.style(meaning));
    strip
}

fn standing(state: &State, entry: &Entry, painter: &Painter, lines: &mut Vec<Strip>) {
    let (glyph, meaning) = sign(entry.status());
    let verdict = &entry.verdict;
    lines.push(labelled("state", inert!("{} {}", glyph, entry.status().word()), meaning, painter));
    if entry.offered() {
        // If the skill is on, the model's line below names the decider.
        let switch =
            if entry.state == Enablement::On { &verdict.user.origin } else { entry.decider() };
        lines.push(labelled("", decided(switch), Meaning::Muted, painter));
    }
    if entry.is_on() {
        let permission = SafeText::fixed(verdict.model.value.word());
        lines.push(labelled("model may", permission, permission_meaning(entry), painter));
        lines.push(labelled("", decided(&verdict.model.origin), Meaning::Muted, painter));
    }
    let user = if verdict.user.value { ("yes", Meaning::Good) } else { ("no", Meaning::Off) };
    lines.push(labelled("you may", SafeText::fixed(user.0), user.1, painter));
    seen_by(state, entry, painter, lines);
    lines.push(Strip::default());
}

/// `seen by   codex ✓`, one line for each host: what it makes of the skill, and what decided.
fn seen_by(state: &State, entry: &Entry, painter: &Painter, lines: &mut Vec<Strip>) {
    let label = |index: usize| if index == 0 { "seen by" } else { "" };
    let sights = state.sights(&entry.skill.path);
    if sights.is_empty() {
        let own = SafeText::fixed(state.options.host);
        let mut seen = labelled("seen by", own, Meaning::Text, painter);
        let (glyph, meaning) = sign(entry.status());
        seen.gap(1).fixed(glyph, painter.style(meaning));
        decided_at(&mut seen, &entry.verdict.listed.origin, painter);
        lines.push(seen);
    }
    for (index, (_, sight)) in sights.iter().enumerate() {
        let mut seen =
            labelled(label(index), SafeText::fixed(sight.host.word()), Meaning::Text, painter);
        let (glyph, meaning) = sign(sight.standing.status());
        seen.until(LABEL + 11).fixed(glyph, painter.style(meaning));
        match &sight.standing {
            Standing::Judged { verdict, .. } => {
                decided_at(&mut seen, &verdict.listed.origin, painter)
            }
            Standing::NotThere => drop(seen.fixed(" not there", painter.style(Meaning::Muted))),
            other => {
                seen.push(inert!(" {}", sight_words(other)), painter.style(Meaning::Muted));
            }
        }
        lines.push(seen);
    }
}

fn decided_at(strip: &mut Strip, by: &Origin, painter: &Painter) {
    if by.place().is_some() {
        strip.push(inert!(" {}", origin(by)), painter.style(Meaning::Muted));
    }
}

/// The rule that decided, with its place.
fn decided(origin_of: &Origin) -> SafeText {
    match origin_of {
        Origin::Default => SafeText::fixed("by default"),
        Origin::Rule { text, .. } | Origin::Alarm { text, .. } => {
            inert!("{} · {}", origin(origin_of), SafeText::line(text))
        }
        Origin::Shadowed(winner) => inert!("another is taken: {}", SafeText::path(winner)),
        Origin::Host(_) | Origin::Session(_) | Origin::Skill(_) => SafeText::line(origin_of.text()),
    }
}

fn places(state: &State, entry: &Entry, painter: &Painter, lines: &mut Vec<Strip>) {
    let skill = &entry.skill;
    lines.push(labelled("scope", SafeText::fixed(skill.scope.word()), Meaning::Text, painter));
    lines.push(labelled(
        "size",
        inert!("{} · {}", SafeText::line(&human_size(skill.bytes)), tokens(skill.bytes)),
        Meaning::Text,
        painter,
    ));
    // If no skill was ever used, "not yet" says nothing.
    if state.has_uses() {
        let row = state.viewed.uses.of(&skill.path);
        let often = row.map_or(SafeText::fixed("not yet"), used::often);
        lines.push(labelled("used", often, Meaning::Text, painter));
        lines.extend(row.map(|row| {
            labelled("", used::ago(state.now_ms, row.last_ms), Meaning::Muted, painter)
        }));
    }
    let properties = &skill.properties;
    let optional = [("license", &properties.license), ("needs", &properties.compatibility)];
    for (label, value) in optional {
        if let Some(value) = value {
            lines.push(labelled(label, SafeText::line(value), Meaning::Text, painter));
        }
    }
    if !properties.allowed_tools.is_empty() {
        lines.push(labelled(
            "tools",
            SafeText::line(&properties.allowed_tools.join(" ")),
            Meaning::Text,
            painter,
        ));
    }
    let room = usize::from(state.picker.layout(state.area, 0).aside.map_or(40, |area| area.width))
        .saturating_sub(LABEL + 2);
    let label = |index: usize| if index == 0 { "found in" } else { "" };
    for (index, location) in skill.locations.iter().enumerate() {
        lines.push(labelled(
            label(index),
            SafeText::path(location).cut_start(room),
            Meaning::Text,
            painter,
        ));
    }
    if !skill.locations.iter().any(|location| location == skill.dir()) {
        lines.push(labelled(
            "really",
            SafeText::path(skill.dir()).cut_start(room),
            Meaning::Text,
            painter,
        ));
    }
    let twins = state
        .viewed
        .rows
        .entries()
        .filter(|other| other.skill.name == skill.name && other.skill.path != skill.path);
    for (index, twin) in twins.take(4).enumerate() {
        let label = if index == 0 { "same name" } else { "" };
        lines.push(labelled(
            label,
            SafeText::path(twin.skill.dir()).cut_start(room),
            Meaning::Warning,
            painter,
        ));
    }
    if entry.same_name > 1 {
        lines.push(labelled(
            "",
            SafeText::fixed(state.viewed.files.duplicates),
            Meaning::Muted,
            painter,
        ));
    }
    lines.push(Strip::default());
}

fn contents(state: &State, entry: &Entry, painter: &Painter, lines: &mut Vec<Strip>) {
    let facts = match state.facts(&entry.skill.path) {
        Some(Ok(facts)) => facts,
        Some(Err(why)) => {
            return lines.push(labelled("files", why.clone(), Meaning::Error, painter));
        }
        None => return,
    };
    let label = |index: usize| if index == 0 { "broken link" } else { "" };
    for (index, (line, target)) in facts.broken_links.iter().take(5).enumerate() {
        lines.push(labelled(
            label(index),
            inert!("{} (line {})", target, *line),
            Meaning::Warning,
            painter,
        ));
    }
    if !facts.broken_links.is_empty() {
        lines.push(Strip::default());
    }
    lines.extend(facts.files.iter().map(|file| file_row(file, painter)));
    if facts.more_files > 0 {
        lines.push(labelled(
            "",
            inert!("… and {} more", facts.more_files),
            Meaning::Muted,
            painter,
        ));
    }
}

/// A row of the file tree: indented name, size, note.
pub(super) fn file_row(file: &FileRow, painter: &Painter) -> Strip {
    let mut strip = Strip::default();
    strip.gap(file.depth * 2);
    if file.directory {
        strip.push(inert!("{}/", file.name), painter.style(Meaning::Heading));
    } else {
        strip.push(file.name.clone(), painter.style(Meaning::Text));
        // A file that is not regular has a note instead of a size.
        if file.bytes > 0 || file.note.is_empty() {
            strip.push(
                inert!("  {}", SafeText::line(&human_size(file.bytes))),
                painter.style(Meaning::Muted),
            );
        }
    }
    if !file.note.is_empty() {
        strip.push(inert!("  {}", file.note), painter.style(Meaning::Warning));
    }
    strip
}
