//! The preview: two lines of head, then the skill's text.

use super::list::sign;
use super::paint::{Painter, Strip};
use super::theme::Meaning;
use super::used;
use crate::catalog::{Permission, Severity};
use crate::inert;
use crate::policy::{Entry, Origin};
use crate::search;
use crate::text::{SafeText, counted, estimated_tokens, human_size};
use crate::tui::app::{State, TextPane, Unseen, hints, status_words};
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, area: Rect, painter: &mut Painter) {
    let Some(entry) = state.current() else { return };
    let text = hints::preview_text(area);
    let head = Rect { x: text.x, width: text.width, height: 1.min(area.height), ..area };
    let second = Rect { y: area.y + 1, height: u16::from(area.height > 1), ..head };
    painter.strip(head, &first_line(entry, usize::from(head.width)));
    painter.strip(second, &second_line(state, entry));
    pane(state, &state.picker.preview, None, text, painter);
    let bar = Rect { x: text.x, width: area.right() - text.x, ..text };
    painter.scroll_bar(bar, state.picker.preview.scroll, state.picker.preview.lines());
}

/// Columns that the path keeps in that line.
const LEAST_PATH: usize = 12;

/// One line about the current skill, where there is no preview: its folder, size and state.
pub(super) fn facts(state: &State, area: Rect, painter: &mut Painter) {
    let Some(entry) = state.current() else { return };
    let bytes = entry.skill.bytes;
    let folder = state.short_path(entry.skill.dir());
    let sizes = [
        inert!(" · {} · {} · ", human_size(bytes), tokens(bytes)),
        inert!(" · {} · ", human_size(bytes)),
        SafeText::fixed(" · "),
        SafeText::fixed(" · "),
    ];
    let rests = sizes.into_iter().enumerate().map(|(place, size)| {
        let mut rest = Strip::default();
        rest.push(size, Meaning::Muted).append(decided(state, entry, place < 3));
        rest
    });
    // Of copies the folder tells which one it is: it is whole before anything else is.
    let room = |rest: &Strip| usize::from(area.width).saturating_sub(rest.width() + 2);
    let mut rests: Vec<Strip> = rests.collect();
    let fits = rests.iter().position(|rest| folder.width() <= room(rest));
    let rest = rests.swap_remove(fits.unwrap_or(rests.len() - 1));
    // The end of the path says most, so its start is cut.
    let folder = folder.cut_start(room(&rest).max(LEAST_PATH));
    let mut strip = Strip::default();
    strip.gap(1).push(folder, Meaning::Text).append(rest);
    painter.strip(area, &strip);
}

/// The state of a skill, for the agent whose column has the cursor or for the view's, and who
/// decided it; with `by_default` also if nobody did.
fn decided(state: &State, entry: &Entry, by_default: bool) -> Strip {
    let column = state.column();
    let of =
        column.and_then(|report| Some((report, state.status(report.host, &entry.skill.path)?)));
    let Some((report, of_host)) = of else {
        return status(entry, by_default || *entry.decider() != Origin::Default);
    };
    let mut strip = Strip::default();
    let words = status_words(state, &of_host);
    strip.push(inert!("{}: {}", report.host.word(), words), Meaning::Text);
    if let Some(decider) = of_host.decider() {
        strip.push(inert!(" ‹{}›", origin(decider)), Meaning::Muted);
    }
    strip
}

/// Draws a text pane: its document, or why there is none.
pub(super) fn pane(
    state: &State,
    pane: &TextPane,
    link: Option<u16>,
    area: Rect,
    painter: &mut Painter,
) {
    if pane.slow {
        return painter.note(area, "reading…");
    }
    match pane.text() {
        Some(Ok(doc)) => {
            let query = &state.picker.parsed;
            painter
                .doc(area, doc, pane.scroll, link, |line| search::word_spans(&line.plain(), query));
        }
        Some(Err(unseen)) => painter.text(area, &unseen_text(unseen), Meaning::Muted),
        None => {}
    }
}

/// Why there is no text.
pub(super) fn unseen_text(unseen: &Unseen) -> SafeText {
    match unseen {
        Unseen::Binary(what) => inert!("not text: {}", what),
        Unseen::Unreadable(why) => inert!("cannot be read: {}", why),
        Unseen::Gone => SafeText::fixed("it no longer exists"),
    }
}

/// `pdf-forms   repo · on · allow ‹default› · 2.4 KB · ~610 tok`; on a narrow pane the least
/// important parts are left out.
fn first_line(entry: &Entry, width: usize) -> Strip {
    let bytes = entry.skill.bytes;
    let size = inert!(" · {}", human_size(bytes));
    let tokens = inert!(" · {}", tokens(bytes));
    let decided = status(entry, true);
    let short = status(entry, false);
    let by_default = entry.is_on() && *entry.decider() == Origin::Default;
    let narrower: [(&Strip, &[&SafeText]); 3] = if by_default {
        [(&decided, &[&size, &tokens]), (&short, &[&size, &tokens]), (&short, &[&size])]
    } else {
        [(&decided, &[&size, &tokens]), (&decided, &[&size]), (&decided, &[])]
    };
    let name = SafeText::line(&entry.skill.full_name());
    let rests = narrower.map(|(status, parts)| {
        let mut rest = status.clone();
        for part in parts {
            rest.push((*part).clone(), Meaning::Muted);
        }
        rest
    });
    let [first, second, third] = rests;
    let fits = |rest: &Strip| name.width() + 2 + rest.width() <= width;
    let rest = [first, second].into_iter().find(fits).unwrap_or(third);
    // A long name is cut rather than the state.
    let room = width.saturating_sub(rest.width() + 2).max(12);
    let mut strip = Strip::default();
    strip.push(name.cut(room), Meaning::Current).gap(2).append(rest);
    strip
}

/// `repo · on · allow ‹default›`, `user · off ‹config.toml:12›`, `user · cannot be offered`.
pub(super) fn status(entry: &Entry, decider: bool) -> Strip {
    let mut strip = Strip::default();
    strip.fixed(entry.skill.scope.word(), Meaning::Muted).fixed(" · ", Meaning::Muted);
    let (_, meaning) = sign(entry.status());
    strip.fixed(entry.status().word(), meaning);
    if entry.is_on() {
        strip.fixed(" · ", Meaning::Muted);
        let permission = entry.verdict.model.value;
        strip.fixed(permission.word(), permission_meaning(permission));
    }
    if decider && entry.offered() {
        strip.push(inert!(" ‹{}›", origin(entry.decider())), Meaning::Muted);
    }
    strip
}

/// How a permission looks.
pub(super) fn permission_meaning(permission: Permission) -> Meaning {
    match permission {
        Permission::Allow => Meaning::Good,
        Permission::Ask => Meaning::Warning,
        Permission::Deny => Meaning::Error,
    }
}

/// Who decided: the file's name and line, else a word.
pub(super) fn origin(origin: &Origin) -> SafeText {
    match origin.place() {
        Some((file, line)) => {
            let name = file.file_name().map(std::path::Path::new).unwrap_or(file);
            inert!("{}:{}", name, line)
        }
        None => SafeText::line(origin.text()),
    }
}

pub(super) fn tokens(bytes: u64) -> SafeText {
    let tokens = estimated_tokens(bytes);
    if tokens < 10_000 { inert!("~{} tok", tokens) } else { inert!("~{}k tok", tokens / 1000) }
}

/// `6 files · tools Bash(python:*) Read · Apache-2.0`
fn second_line(state: &State, entry: &Entry) -> Strip {
    let mut parts: Vec<(SafeText, Meaning)> = Vec::new();
    if let Some(Ok(facts)) = state.facts(&entry.skill.path) {
        let files = facts.files.iter().filter(|file| !file.directory).count() + facts.more_files;
        parts.push((counted(files, "file"), Meaning::Muted));
        if facts.marks > 0 {
            parts.push((counted(facts.marks, "hidden character"), Meaning::Error));
        }
        if !facts.broken_links.is_empty() {
            parts.push((counted(facts.broken_links.len(), "broken link"), Meaning::Warning));
        }
        if facts.unchecked_links > 0 {
            parts.push((counted(facts.unchecked_links, "unchecked link"), Meaning::Muted));
        }
    }
    let skill = &entry.skill;
    parts.extend(skill.source().map(|source| (source, Meaning::Text)));
    if entry.same_name > 1 {
        parts.push((inert!("same name ×{}", entry.same_name), Meaning::Warning));
    }
    for (severity, word, meaning) in [
        (Severity::Error, "error", Meaning::Error),
        (Severity::Warning, "warning", Meaning::Warning),
    ] {
        let count =
            skill.diagnostics.iter().filter(|found| entry.severity(found) == severity).count();
        if count > 0 {
            parts.push((counted(count, word), meaning));
        }
    }
    parts.extend(used::sentence(state, &skill.path).map(|used| (used, Meaning::Muted)));
    let tools: Vec<&str> = skill.properties.allowed_tools().collect();
    if !tools.is_empty() {
        parts.push((inert!("tools {}", tools.join(" ")), Meaning::Muted));
    }
    if let Some(license) = skill.properties.license() {
        parts.push((SafeText::line(license).cut(40), Meaning::Muted));
    }
    Strip::dotted(parts)
}
