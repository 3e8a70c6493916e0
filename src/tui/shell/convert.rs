//! Converts types of other rooms to the model's.

use crate::catalog::risk::{Finding, rules};
use crate::catalog::{Call, Skill};
use crate::inert;
use crate::runtime::risk::Risk;
use crate::runtime::{self, Activity, EntryKind, FileEntry, LinkEnd, PathRefusal, TextError};
use crate::text::SafeText;
use crate::tui::app::{
    self, ActivityLog, Facts, FileRow, HostRow, RiskFact, RiskFacts, SettingsAlarm, SettingsFiles,
    Unseen, Viewed,
};
use crate::workspace::{Host, HostContext, MentionForm, View, foremost_hosts, host_by_word};
use std::path::Path;
use std::sync::Arc;

pub(super) fn viewed(view: &View, generation: u64) -> Viewed {
    let config = &view.config;
    let problems = config.problems().filter(|problem| problem.grave);
    let alarms = problems.map(|problem| SettingsAlarm {
        spot: problem.spot.as_ref().map(|spot| (spot.file.to_path_buf(), spot.line)),
        words: inert!("{}. {}", problem.message, problem.help),
    });
    let theirs = view.host_alarms().map(|(host_context, alarm)| SettingsAlarm {
        spot: Some((alarm.file.to_path_buf(), alarm.line)),
        words: inert!("{}: {}", host_context.host.name, alarm.message),
    });
    let alarms = alarms.chain(theirs);
    Viewed {
        listing: view.listing.clone(),
        alarms: Arc::new(alarms.collect()),
        files: SettingsFiles {
            rules: view.rule_files(),
            states: view.host.control.states.to_vec(),
            duplicates: view.host.duplicates.word(),
            mention: mention(view.host.mention),
            speech: (!view.sees_all()).then(|| view.host.speech()),
            read_only: config.user_broken(),
        },
        generation,
    }
}

/// The hosts in the order of the menu: `all`, the installed ones, other well-known ones.
pub(super) fn host_rows(here: &[HostContext]) -> Vec<HostRow> {
    let row = |host: &'static Host, note, here| HostRow {
        word: host.id.word(),
        name: host.name,
        note,
        here,
    };
    let every = host_by_word("all")
        .map(|host| row(host, SafeText::fixed("every agent of this machine at once"), true));
    let mine = here.iter().map(|host_context| {
        let version =
            host_context.installed.as_ref().and_then(|installed| installed.version.as_ref());
        let version = version.map(|version| SafeText::line(&version.to_string()));
        let remark = SafeText::line(&host_context.remark());
        let note = match (version, remark.is_empty()) {
            (Some(_), false) => remark,
            (Some(version), true) => version,
            (None, _) if host_context.installed.is_some() => SafeText::fixed("here"),
            (None, _) => SafeText::fixed("the plain standard, with our own settings"),
        };
        row(host_context.host, note, true)
    });
    // Hosts that are not installed can be chosen as well, to see what they would see.
    let known = foremost_hosts()
        .into_iter()
        .filter(|id| here.iter().all(|host_context| host_context.host.id != *id));
    let others = known.filter_map(|id| host_by_word(id.word()));
    let others = others.map(|host| row(host, SafeText::fixed("not on this machine"), false));
    every.into_iter().chain(mine).chain(others).collect()
}

/// A skill's files and links. Its own `SKILL.md`, for which the screen was opened, comes first.
pub(super) fn facts(found: runtime::Facts, skill_file: &Path) -> Facts {
    let mut files: Vec<FileRow> = found.tree.entries.iter().map(file_row).collect();
    files.sort_by_key(|file| *file.relative != *skill_file);
    Facts {
        files,
        more_files: usize::from(found.tree.cut),
        broken_links: found
            .broken_links
            .into_iter()
            .map(|(line, target)| (line, SafeText::line(&target)))
            .collect(),
        unchecked_links: found.unchecked_links,
        marks: found.marks,
        risk: None,
    }
}

/// The most places of one rule that the picker shows.
const PLACES: usize = 3;

/// What a skill reaches: a row for each place, alarms first.
pub(super) fn risk(found: &Result<Risk, PathRefusal>) -> RiskFacts {
    let risk = match found {
        Ok(risk) => risk,
        Err(why) => {
            let words = inert!("unknown: {}", why.to_string());
            return RiskFacts { level: None, words, rows: Vec::new() };
        }
    };
    let mut rows = Vec::new();
    for rule in rules::ALL {
        let of_rule = || risk.findings.iter().filter(|finding| finding.rule == *rule);
        let mut places: Vec<SafeText> = of_rule().take(PLACES).map(Finding::place).collect();
        let more = of_rule().count().saturating_sub(PLACES);
        if more > 0 {
            places.push(inert!("and {} more", more));
        }
        rows.extend(places.into_iter().map(|place| RiskFact { rule, place }));
    }
    RiskFacts { level: risk.level(), words: SafeText::fixed(risk.word()), rows }
}

fn file_row(entry: &FileEntry) -> FileRow {
    let (directory, bytes, note) = match &entry.kind {
        EntryKind::File { size, .. } => (false, *size, SafeText::default()),
        EntryKind::Directory => (true, 0, SafeText::default()),
        EntryKind::Other(kind) => (false, 0, SafeText::fixed(kind.word())),
        EntryKind::Link { target, end } => {
            let target = SafeText::path(target);
            match end {
                LinkEnd::File(size) => (false, *size, inert!("→ {}", target)),
                LinkEnd::Directory => (true, 0, inert!("→ {}", target)),
                LinkEnd::Other(kind) => (false, 0, inert!("→ {} ({})", target, kind.word())),
                LinkEnd::Leaves => {
                    (false, 0, inert!("→ {} (leaves the skill: not opened)", target))
                }
                LinkEnd::Dangling => (false, 0, inert!("→ {} (dangling)", target)),
                LinkEnd::Loop => (false, 0, inert!("→ {} (loop)", target)),
                LinkEnd::Unknown => (false, 0, inert!("→ {} (unknown)", target)),
            }
        }
    };
    let name = entry.path.file_name().map(Path::new).unwrap_or(&entry.path);
    FileRow {
        relative: entry.path.clone(),
        name: SafeText::path(name),
        depth: entry.path.components().count().saturating_sub(1),
        directory,
        bytes,
        note,
    }
}

/// Why a file of a skill has no preview; `None` is its `SKILL.md`.
pub(super) fn unseen(skill: &Skill, file: Option<&Path>, error: &TextError) -> Unseen {
    if let (TextError::Refused(_), Some(found)) = (error, runtime::unread(skill, file)) {
        return Unseen::Unreadable(SafeText::line(&found.message));
    }
    let words = SafeText::line(&error.to_string());
    match error {
        error if error.is_gone() => Unseen::Gone,
        TextError::Binary { .. } => Unseen::Binary(words),
        TextError::Refused(_) | TextError::Held(_) => Unseen::Unreadable(words),
    }
}

pub(super) fn excerpt(first: u32, lines: &[String], middle: u32) -> app::Excerpt {
    let one_space = |line: &str| line.replace('\t', " ");
    let offsets = lines
        .get((middle - first.min(middle)) as usize)
        .map(|line| offsets(&one_space(line)))
        .unwrap_or_default();
    app::Excerpt {
        first,
        lines: lines.iter().map(|line| SafeText::clean(&one_space(line))).collect(),
        offsets,
    }
}

/// For each character of a line and for its end: the columns before it, as it is shown.
fn offsets(line: &str) -> Vec<usize> {
    let starts = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    starts.take(400).map(|at| SafeText::clean(&line[..at]).width()).collect()
}

/// In bytes. A longer text in the log is cut; we write none.
const MAX_CALL_TEXT: usize = 4_096;

pub(super) fn activity(activity: Activity, directory: Option<&Path>) -> ActivityLog {
    let mut calls: Vec<Call> = activity.calls.into_iter().rev().collect();
    calls.iter_mut().for_each(shorten);
    ActivityLog {
        calls,
        broken: activity.broken,
        unread: activity.unread,
        cut: activity.cut,
        file: directory.map(Activity::file),
    }
}

fn shorten(call: &mut Call) {
    let Call { skill, client, file, session, digest, sandbox, error, .. } = call;
    let optional = [file, session, digest, sandbox, error].into_iter().flatten();
    for text in
        [skill, client].into_iter().chain(optional).filter(|text| text.len() > MAX_CALL_TEXT)
    {
        text.truncate(text.floor_char_boundary(MAX_CALL_TEXT));
        text.push('…');
    }
}

/// How a prompt mentions a skill, by the example of one that is called `name`.
fn mention(form: MentionForm) -> SafeText {
    let example = SafeText::line(&form.example("name"));
    match form {
        MentionForm::Dollar { link: true } => {
            inert!("{}, or the link where the name is not unique", example)
        }
        _ => example,
    }
}
