//! Shares skills and compares copies, each on a thread of its own.

use super::threads::tell_failed;
use super::{JobResult, JobResults, Jobs, Snapshot};
use crate::catalog::Skill;
use crate::inert;
use crate::output::share::cure;
use crate::text::{SafeText, diff, shortened};
use crate::tui::app::{DiffKind, Msg, Notice};
use crate::workspace::{Comparison, ShareError, View, Workspace, compare};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl Jobs {
    /// Shares a skill with a host by a link, and asks every host again.
    pub(in crate::tui::shell) fn share(&self, snapshot: Snapshot, path: &Path, host: &'static str) {
        self.change_share(snapshot, path, move |workspace, skill| shared(workspace, skill, host));
    }

    /// Ends a share, and asks every host again.
    pub(in crate::tui::shell) fn unshare(
        &self,
        snapshot: Snapshot,
        path: &Path,
        host: &'static str,
    ) {
        self.change_share(snapshot, path, move |workspace, skill| unshared(workspace, skill, host));
    }

    fn change_share(
        &self,
        snapshot: Snapshot,
        path: &Path,
        change: impl FnOnce(&Workspace, &Skill) -> Result<SafeText, ShareError> + Send + 'static,
    ) {
        let Some(row) = snapshot.view.rows.at(path) else { return };
        let skill = Arc::clone(row.skill());
        let work = move |results: &JobResults| {
            let told = match change(&snapshot.workspace, &skill) {
                Ok(text) => Msg::Shared(text),
                Err(error) => Msg::Notice(Notice::grave(refused(&skill, &error))),
            };
            let _ = results.send(JobResult::Msg(told));
            seen_anew(&snapshot, results);
        };
        self.in_turn_or(work, tell_failed);
    }

    /// Compares a skill with another one: that one, else the first of its name.
    pub(in crate::tui::shell) fn compare(&self, view: &View, path: &Path, other: Option<&Path>) {
        let (view, path, other) = (view.clone(), path.to_owned(), other.map(Path::to_owned));
        self.once(move |results| compared(&view, &path, other.as_deref(), results));
    }
}

/// Reports what every host makes of the skills after a share, and scans: there may be one more.
pub(super) fn seen_anew(snapshot: &Snapshot, results: &JobResults) {
    let began = Instant::now();
    let reports = snapshot.workspace.reports_anew(&snapshot.view);
    let _ = results.send(JobResult::HostsReported(snapshot.number, began, reports));
    let _ = results.send(JobResult::Changed);
}

fn shared(workspace: &Workspace, skill: &Skill, host: &str) -> Result<SafeText, ShareError> {
    let share = workspace.share(workspace.plan_plain_share(skill, host)?)?;
    let place = shortened(&share.place, workspace.context.home.as_deref());
    Ok(inert!("{} is shared with {}: {}", skill.name, share.host.name, place))
}

fn unshared(workspace: &Workspace, skill: &Skill, host: &str) -> Result<SafeText, ShareError> {
    let path = skill.dir().to_string_lossy();
    let share = workspace.plan_unshare(&path, host, None)?;
    workspace.unshare(&share)?;
    let place = shortened(&share.place, workspace.context.home.as_deref());
    Ok(inert!("{} is no longer shared with {}: {}", skill.name, share.host.name, place))
}

fn refused(skill: &Skill, error: &ShareError) -> SafeText {
    let places = error.places();
    let words = SafeText::line(&error.to_string());
    let text = if places.is_empty() {
        inert!("{}: {}", skill.name, words)
    } else {
        inert!("{}: {}: {}", skill.name, words, SafeText::join(places, ", "))
    };
    match cure(error) {
        Some(command) => inert!("{}; to remove it anyway: {}", text, command),
        None => text,
    }
}

fn compared(view: &View, path: &Path, other: Option<&Path>, results: &JobResults) {
    let order = view.policy.order;
    let own = view.rows.at(path).map(|row| row.skill());
    let wanted = other.and_then(|other| view.rows.at(other)).map(|row| row.skill());
    let twin = wanted.or_else(|| {
        let own = own?;
        let same = |skill: &Skill| {
            order.same(&order.name_of(skill), &order.name_of(own)) && skill.path != own.path
        };
        view.rows.skills().find(|skill| same(skill))
    });
    let (title, lines) = match (own, twin) {
        (Some(own), Some(twin)) => {
            // What is added is this one's: it is told how it differs from the other.
            let lines = compare(twin, own).map(|comparison| lines(&comparison));
            let lines =
                lines.map_err(|(path, refusal)| inert!("{}: {}", path, refusal.to_string()));
            (SafeText::line(&own.name), lines)
        }
        _ => (SafeText::default(), Err(SafeText::fixed("no other skill here has this name"))),
    };
    let _ = results.send(JobResult::Msg(Msg::Compared(title, lines)));
}

pub(super) fn lines(comparison: &Comparison) -> Vec<(DiffKind, SafeText)> {
    let mut lines = diff::shown(comparison.lines.clone());
    if comparison.is_same() {
        lines.push((DiffKind::Context, SafeText::fixed("the two are the same, text and files")));
    }
    let lists = [
        ("only in the first", &comparison.only_one, DiffKind::Removed),
        ("only in the second", &comparison.only_other, DiffKind::Added),
        ("differs", &comparison.differing, DiffKind::Context),
    ];
    for (words, files, kind) in lists {
        lines.extend(files.iter().map(|file| (kind, inert!("{}: {}", words, file))));
    }
    lines.extend(comparison.modes.iter().map(|(file, in_other)| {
        let which = if *in_other { "second" } else { "first" };
        (DiffKind::Context, inert!("executable only in the {}: {}", which, file))
    }));
    if comparison.cut {
        lines.push((DiffKind::Header, SafeText::fixed("cut: only the first part was compared")));
    }
    lines
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn a_link_that_a_person_made_is_refused_with_the_command_that_removes_it() {
        let test = TestWorkspace::with(&[("home/src/pdf", "pdf")]);
        let folder = test.env.top.join("home/.agents/skills");
        std::fs::create_dir_all(&folder).unwrap();
        let link = folder.join("pdf");
        std::os::unix::fs::symlink("../../src/pdf", &link).unwrap();
        let skill = Arc::clone(&test.view().rows[0].entry.skill);
        let error = unshared(&test.workspace, &skill, "agents").unwrap_err();
        let notice = refused(&skill, &error);
        assert!(notice.as_str().ends_with(&format!("rm {}", link.display())), "{notice:?}");
        assert!(link.is_symlink());
    }
    #[test]
    fn what_a_skill_has_more_than_the_other_is_added() {
        let places = ["home/.agents/skills/pdf", "repo/.agents/skills/pdf"];
        let test = TestWorkspace::with(&[(places[0], "pdf"), (places[1], "pdf")]);
        let view = test.view();
        let [own, other] = places.map(|place| test.env.top.join(place).join("SKILL.md"));
        let (results, mut told) = tokio::sync::mpsc::unbounded_channel();
        compared(&view, &own, Some(&other), &results);
        let Ok(JobResult::Msg(Msg::Compared(_, Ok(lines)))) = told.try_recv() else { panic!() };
        let has = |kind, words: &str| {
            lines.iter().any(|(of, line)| *of == kind && line.as_str().contains(words))
        };
        assert!(has(DiffKind::Added, places[0]) && has(DiffKind::Removed, places[1]), "{lines:?}");
    }
}
