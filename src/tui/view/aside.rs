//! The third pane of a wide screen: verdicts, their origins, places, files.

use super::list::sign;
use super::paint::{Painter, Strip, inset};
use super::preview::{origin, permission_meaning, tokens};
use super::theme::Meaning;
use super::used;
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::{Entry, Origin, Status};
use crate::text::SafeText;
use crate::text::human_size;
use crate::tui::app::{Facts, FileRow, State, status_words};
use ratatui::layout::Rect;
use std::path::Path;

/// Columns of the labels.
const LABEL: usize = 12;

/// The most broken links, and places of other skills of the name, that are shown.
const LINKS: usize = 5;
const TWINS: usize = 4;

/// The least columns of an agent's word.
const WORD: usize = 11;

pub(super) fn draw(state: &State, area: Rect, painter: &mut Painter) {
    let Some(entry) = state.current() else { return };
    let area = inset(area);
    let mut aside = Aside { state, entry, columns: area.width.into(), lines: Vec::new() };
    aside.status();
    aside.places();
    aside.contents();
    painter.strips(area, &aside.lines);
}

struct Aside<'a> {
    state: &'a State,
    entry: &'a Entry,
    columns: usize,
    lines: Vec<Strip>,
}

impl Aside<'_> {
    fn labelled(label: &'static str, text: SafeText, meaning: Meaning) -> Strip {
        let mut strip = Strip::of(SafeText::fixed(label), Meaning::Muted);
        strip.until(LABEL).push(text, meaning);
        strip
    }

    fn add(&mut self, label: &'static str, text: SafeText, meaning: Meaning) {
        let line = Self::labelled(label, text, meaning);
        self.lines.push(line);
    }

    /// Adds a line for each text; only the first has the label.
    fn add_all(
        &mut self,
        label: &'static str,
        texts: impl Iterator<Item = SafeText>,
        meaning: Meaning,
    ) {
        for (index, text) in texts.enumerate() {
            self.add(if index == 0 { label } else { "" }, text, meaning);
        }
    }

    fn status(&mut self) {
        let entry = self.entry;
        let verdict = &entry.verdict;
        let (glyph, meaning) = sign(entry.status());
        self.add("state", inert!("{} {}", glyph, entry.status().word()), meaning);
        if entry.offered() {
            // If the skill is on, the model's line below names the decider.
            let on = entry.state == Enablement::On;
            let switch = if on { &verdict.user.origin } else { entry.decider() };
            self.add("", decided(self.state, switch), Meaning::Muted);
        }
        if entry.is_on() {
            let permission = SafeText::fixed(verdict.model.value.word());
            self.add("model may", permission, permission_meaning(verdict.model.value));
            self.add("", decided(self.state, &verdict.model.origin), Meaning::Muted);
        }
        let (user, meaning) =
            if verdict.user.value { ("yes", Meaning::Good) } else { ("no", Meaning::Off) };
        self.add("you may", SafeText::fixed(user), meaning);
        self.seen_by();
        self.lines.push(Strip::default());
    }

    /// `seen by   codex ✓`, one line for each host: what it makes of the skill, and what decided.
    fn seen_by(&mut self) {
        let (state, entry) = (self.state, self.entry);
        let host_statuses = state.host_statuses(&entry.skill.path);
        if host_statuses.is_empty() {
            let mut seen =
                Self::labelled("seen by", SafeText::fixed(state.options.host), Meaning::Text);
            let (glyph, meaning) = sign(entry.status());
            seen.gap(1).fixed(glyph, meaning);
            decided_at(&mut seen, &entry.verdict.listed.origin);
            self.lines.push(seen);
        }
        let words = host_statuses.iter().map(|(_, status)| status.host.word().len());
        let after_word = LABEL + WORD.max(words.max().unwrap_or_default() + 1);
        for (index, (_, host_status)) in host_statuses.iter().enumerate() {
            let label = if index == 0 { "seen by" } else { "" };
            let mut seen =
                Self::labelled(label, SafeText::fixed(host_status.host.word()), Meaning::Text);
            let (glyph, meaning) = sign(host_status.status.status());
            seen.until(after_word).fixed(glyph, meaning);
            match &host_status.status {
                Status::Judged { verdict, .. } => decided_at(&mut seen, &verdict.listed.origin),
                Status::NotThere => drop(seen.fixed(" not there", Meaning::Muted)),
                other => drop(seen.push(inert!(" {}", status_words(state, other)), Meaning::Muted)),
            }
            self.lines.push(seen);
        }
    }

    fn places(&mut self) {
        let (state, skill) = (self.state, &self.entry.skill);
        self.add("scope", SafeText::fixed(skill.scope.word()), Meaning::Text);
        self.add_all("from", skill.source().into_iter(), Meaning::Text);
        let unswitched = skill.root.word.as_ref().and_then(|word| word.unswitched());
        self.add_all("switch", unswitched.into_iter(), Meaning::Muted);
        let size = inert!("{} · {}", human_size(skill.bytes), tokens(skill.bytes));
        self.add("size", size, Meaning::Text);
        // If no skill was ever used, "not yet" says nothing.
        if state.has_uses {
            let row = state.viewed.uses.of(&skill.path);
            self.add("used", row.map_or(SafeText::fixed("not yet"), used::often), Meaning::Text);
            if let Some(row) = row {
                self.add("", used::ago_and_when(state, row.last_ms), Meaning::Muted);
            }
        }
        let properties = &skill.properties;
        let tools = properties.allowed_tools().collect::<Vec<_>>().join(" ");
        for (label, value) in [
            ("license", properties.license()),
            ("needs", properties.compatibility()),
            ("tools", Some(tools.as_str()).filter(|tools| !tools.is_empty())),
        ] {
            self.add_all(label, value.map(SafeText::line).into_iter(), Meaning::Text);
        }
        let room = self.columns.saturating_sub(LABEL);
        let path = |path: &Path| state.short_path(path).cut_start(room);
        let found = skill.locations().map(path);
        self.add_all("found in", found, Meaning::Text);
        if !skill.locations().any(|location| location == skill.dir()) {
            self.add("really", path(skill.dir()), Meaning::Text);
        }
        let others = |other: &&Entry| other.skill.path != skill.path;
        let twins = || state.viewed.rows.named(&skill.name).filter(others);
        let shown = twins().take(TWINS).map(|twin| path(twin.skill.dir()));
        self.add_all("same name", shown, Meaning::Warning);
        self.lines.extend(more(twins().count().saturating_sub(TWINS)));
        if self.entry.same_name > 1 {
            self.add("", SafeText::fixed(state.viewed.files.duplicates), Meaning::Muted);
        }
        self.lines.push(Strip::default());
    }

    fn contents(&mut self) {
        let facts = match self.state.facts(&self.entry.skill.path) {
            Some(Ok(facts)) => facts,
            Some(Err(why)) => return self.add("files", why.clone(), Meaning::Error),
            None => return,
        };
        self.lines.extend(links(facts));
        self.lines.extend(facts.files.iter().map(file_row));
        self.lines.extend(more(facts.more_files));
    }
}

/// The broken links as far as they are shown, and how many more there may be.
fn links(facts: &Facts) -> Vec<Strip> {
    let shown = facts.broken_links.iter().take(LINKS).enumerate();
    let mut lines: Vec<Strip> = shown
        .map(|(index, (line, target))| {
            let label = if index == 0 { "broken link" } else { "" };
            Aside::labelled(label, inert!("{} (line {})", target, *line), Meaning::Warning)
        })
        .collect();
    lines.extend(more(facts.broken_links.len().saturating_sub(LINKS)));
    if facts.unchecked_links > 0 {
        let unchecked = inert!("{} were not checked", facts.unchecked_links);
        lines.push(Aside::labelled("links", unchecked, Meaning::Muted));
    }
    if !lines.is_empty() {
        lines.push(Strip::default());
    }
    lines
}

/// How many are not shown, if any.
fn more(count: usize) -> Option<Strip> {
    (count > 0).then(|| Aside::labelled("", inert!("… and {} more", count), Meaning::Muted))
}

fn decided_at(strip: &mut Strip, by: &Origin) {
    if by.place().is_some() {
        strip.push(inert!(" {}", origin(by)), Meaning::Muted);
    }
}

/// The rule that decided, with its place.
fn decided(state: &State, origin_of: &Origin) -> SafeText {
    match origin_of {
        Origin::Default => SafeText::fixed("by default"),
        Origin::Rule { text, .. } | Origin::Alarm { text, .. } => {
            inert!("{} · {}", origin(origin_of), text)
        }
        Origin::Shadowed(winner) => inert!("another is taken: {}", state.short_path(winner)),
        Origin::Host(_) | Origin::Session(_) | Origin::Skill(_) => SafeText::line(origin_of.text()),
    }
}

/// A row of the file tree: indented name, size, note.
pub(super) fn file_row(file: &FileRow) -> Strip {
    let mut strip = Strip::default();
    strip.gap(file.depth * 2);
    if file.directory {
        strip.push(inert!("{}/", file.name), Meaning::Heading);
    } else {
        strip.push(file.name.clone(), Meaning::Text);
        // A file that is not regular has a note instead of a size.
        if file.bytes > 0 || file.note.is_empty() {
            strip.push(inert!("  {}", human_size(file.bytes)), Meaning::Muted);
        }
    }
    if !file.note.is_empty() {
        strip.push(inert!("  {}", file.note), Meaning::Warning);
    }
    strip
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn links_that_are_not_shown_or_not_checked_are_counted() {
        let link = |line| (line, SafeText::fixed("gone.md"));
        let facts = |broken: u32, unchecked_links| Facts {
            broken_links: (1..=broken).map(link).collect(),
            unchecked_links,
            ..Facts::default()
        };
        let drawn = |facts: &Facts| links(facts).iter().map(|it| row(60, it)).collect::<Vec<_>>();
        let many = drawn(&facts(7, 3));
        assert_eq!(
            many[4..7],
            [
                "            gone.md (line 5)",
                "            … and 2 more",
                "links       3 were not checked",
            ]
        );
        assert_eq!(drawn(&facts(5, 0)).len(), 6, "the last one is empty");
        assert!(drawn(&facts(0, 0)).is_empty());
    }
}
