//! Plans, writes and undoes changes, each on a thread of its own.

use super::{JobResult, JobResults, Jobs, Snapshot, mend, project, share};
use crate::failpoint;
use crate::inert;
use crate::output::undo::{applied_words, left_behind};
use crate::text::{SafeText, diff, shortened};
use crate::tui::app::{
    ChangeAnswer, ChangeJob, ChangeRequest, ChangesTask, DiffKind, KeptChange, Msg, Plan,
};
use crate::tui::shell::convert;
use crate::workspace::edit::{Direction, Kept, UndoError, Undone};
use crate::workspace::{Workspace, host_by_word};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl Jobs {
    /// Takes a step of a change. The answer has this number.
    pub(in crate::tui::shell) fn change(&self, number: u64, snapshot: Snapshot, job: ChangeJob) {
        let drafts = Arc::clone(&self.stored);
        match job {
            ChangeJob::Plan(request) => {
                self.plans(number, move || planned(&snapshot, None, &request));
            }
            ChangeJob::PlanThrough(host, request) => {
                self.plans(number, move || planned(&snapshot, Some(host), &request));
            }
            ChangeJob::PlanMend(request) => {
                self.plans(number, move || mend::asked(&snapshot, request));
            }
            ChangeJob::PlanStored(request) => {
                self.plans(number, move || project::asked(&snapshot, &drafts, request));
            }
            ChangeJob::Save(plan) => {
                self.writes(number, move |results| saved(&snapshot, &plan, results));
            }
            ChangeJob::Mend(asked) => {
                self.writes(number, move |results| mend::written(&snapshot, &asked, results));
            }
            ChangeJob::Store(asked) => self.writes(number, move |results| {
                project::written(&snapshot, &drafts, &asked, results)
            }),
            ChangeJob::Undo => self.writes(number, move |results| {
                failpoint::linger("slow-undo");
                applied(Direction::Undo, snapshot.workspace.undo(), &snapshot, results)
            }),
            ChangeJob::UndoOne(change) => self.writes(number, move |results| {
                one_applied(change, Direction::Undo, &snapshot, results)
            }),
            ChangeJob::RedoOne(change) => self.writes(number, move |results| {
                one_applied(change, Direction::Redo, &snapshot, results)
            }),
            ChangeJob::UndoStored => {
                self.writes(number, move |results| project::undone(&snapshot, results));
            }
        }
    }

    pub(in crate::tui::shell) fn find_hosts(&self, workspace: &Workspace) {
        let workspace = workspace.clone();
        self.once(move |results| {
            let rows = Arc::new(convert::host_rows(&workspace.everyone()));
            let _ = results.send(JobResult::Msg(Msg::HostsFound(rows)));
        });
    }

    /// Reports what every host makes of the view's skills.
    pub(in crate::tui::shell) fn report(&self, snapshot: Snapshot) {
        self.once(move |results| {
            let began = Instant::now();
            let reports = snapshot.workspace.reports(&snapshot.view);
            let _ = results.send(JobResult::HostsReported(snapshot.number, began, reports));
        });
    }

    /// Reads the journal, after the changes that are being made.
    pub(in crate::tui::shell) fn changes(&self, workspace: &Workspace, task: ChangesTask) {
        let workspace = workspace.clone();
        let answer = move |results: &JobResults| {
            let msg = match task {
                ChangesTask::Read => Msg::ChangesRead(read(&workspace)),
                ChangesTask::Show(number) => shown(&workspace, number),
            };
            let _ = results.send(JobResult::Msg(msg));
        };
        self.in_turn_or(answer, move |why| match task {
            ChangesTask::Read => Msg::ChangesRead(Err(why)),
            ChangesTask::Show(_) => Msg::Compared(SafeText::default(), Err(why)),
        });
    }
}

/// Plans a change for this host, or for the one that the view is of.
fn planned(
    Snapshot { workspace, view, .. }: &Snapshot,
    host: Option<&'static str>,
    request: &ChangeRequest,
) -> ChangeAnswer {
    failpoint::linger("slow-plan");
    let plan = match host.map(|word| host_by_word(word).ok_or(word)) {
        None => workspace.plan_with_choice(view, request),
        Some(Ok(host)) => {
            let (there, view) = workspace.seen_through(host, view);
            there.plan_with_choice(&view, request)
        }
        Some(Err(word)) => return ChangeAnswer::Failed(inert!("there is no agent {}", word)),
    };
    ChangeAnswer::Planned(plan.map(Box::new).map_err(|error| error.shown()))
}

/// Writes a plan, and judges the view again by the files.
fn saved(snapshot: &Snapshot, plan: &Plan, results: &JobResults) -> ChangeAnswer {
    failpoint::reach("panic-in-change");
    let saved = snapshot.workspace.apply(plan);
    let saved = saved.map(|()| saved_words(plan, snapshot.home())).map_err(|error| error.shown());
    rejudged(snapshot, results);
    ChangeAnswer::Saved(saved)
}

/// Takes back or makes again one change of the journal, which is then read anew.
fn one_applied(
    change: u64,
    direction: Direction,
    snapshot: &Snapshot,
    results: &JobResults,
) -> ChangeAnswer {
    let done = snapshot.workspace.apply_change(change, direction);
    let answer = applied(direction, done, snapshot, results);
    let _ = results.send(JobResult::Msg(Msg::ChangesRead(read(&snapshot.workspace))));
    answer
}

/// Says what was taken back or made again, and judges or scans as that needs.
fn applied(
    direction: Direction,
    applied: Result<Undone, UndoError>,
    snapshot: &Snapshot,
    results: &JobResults,
) -> ChangeAnswer {
    let word = match direction {
        Direction::Undo => "undone",
        Direction::Redo => "redone",
    };
    let answer = match &applied {
        Ok(undone) => Ok(told(word, undone)),
        Err(error) => Err(not_applied(word, error)),
    };
    match applied {
        Ok(undone) if undone.change.share.is_some() => share::seen_anew(snapshot, results),
        Ok(undone) if mend::is_mending(&undone) => mend::applied(direction, results),
        _ => rejudged(snapshot, results),
    }
    ChangeAnswer::Applied(answer)
}

/// The changes as rows, the newest first.
fn read(workspace: &Workspace) -> Result<Arc<Vec<KeptChange>>, SafeText> {
    let changes = workspace.changes().map_err(|error| SafeText::line(&error.to_string()))?;
    let home = workspace.context.home.as_deref();
    let row = |kept: &Kept| match &kept.change {
        Ok(change) => {
            let mut paths = change.places().map(|path| shortened(path, home));
            let first = paths.next().unwrap_or_default();
            let files = match paths.count() {
                0 => first,
                more => inert!("{} +{}", first, more),
            };
            let (label, at_ms) = (SafeText::line(&change.label), Some(change.at_ms));
            KeptChange { number: kept.number, label, at_ms, files, undone: kept.undone }
        }
        Err(why) => KeptChange {
            number: kept.number,
            label: SafeText::line(&why.to_string()),
            at_ms: None,
            files: SafeText::default(),
            undone: kept.undone,
        },
    };
    Ok(Arc::new(changes.iter().map(row).collect()))
}

/// What a change did, as lines.
fn shown(workspace: &Workspace, number: u64) -> Msg {
    let kept = workspace
        .changes()
        .ok()
        .and_then(|changes| changes.into_iter().find(|kept| kept.number == number)?.change.ok());
    let Some(change) = kept else {
        let why = SafeText::fixed("the change is not in the journal any more");
        return Msg::Compared(SafeText::default(), Err(why));
    };
    let path = |path: &Path| shortened(path, workspace.context.home.as_deref());
    let moves = change.moves.iter().map(|it| it.words_with(&path));
    let share = change.share.iter().map(|share| {
        let what = if share.back { "removes the share" } else { "shares" };
        inert!("{} {} with {}", what, path(&share.place), share.host)
    });
    let words = moves.chain(share).map(|line| (DiffKind::Context, line));
    let diffs = change
        .files
        .iter()
        .flat_map(|file| diff::shown(file.diff_called(path(&file.path).as_str())));
    Msg::Compared(SafeText::line(&change.label), Ok(words.chain(diffs).collect()))
}

/// Judges the view by the settings on the disk.
fn rejudged(snapshot: &Snapshot, results: &JobResults) {
    let workspace = snapshot.workspace.reread();
    let view = workspace.rejudge(&snapshot.view);
    let _ = results.send(JobResult::Rejudged(snapshot.number, Box::new(workspace), Box::new(view)));
}

/// `pdf off · ~/.config/skillpick/config.toml:12`, and when that takes effect if not at once.
fn saved_words(plan: &Plan, home: Option<&Path>) -> SafeText {
    let label = SafeText::line(&plan.label);
    let label = match plan.files.as_slice() {
        [] => label,
        [file] => {
            let path = shortened(&file.change.path, home);
            match file.mark() {
                Some(line) => inert!("{} · {}:{}", label, path, line),
                None => inert!("{} · {}", label, path),
            }
        }
        files => inert!("{} · {} files", label, files.len()),
    };
    let left_out = plan.left_out.iter().map(|host| host.word());
    let label = match left_out.len() {
        0 => label,
        _ => inert!("{} · not {}", label, SafeText::join(left_out, ", ")),
    };
    match &plan.later {
        None => label,
        Some(later) => inert!("{} · takes effect {}", label, later),
    }
}

fn told(word: &'static str, undone: &Undone) -> SafeText {
    let label = applied_words(word, undone);
    let left = undone.left.iter().map(left_behind);
    match left.len() {
        0 => label,
        _ => inert!("{} · not undone: {}", label, SafeText::join(left, "; ")),
    }
}

fn not_applied(word: &'static str, error: &UndoError) -> SafeText {
    match error {
        UndoError::Left { left, next: Some(label) } => {
            inert!("not {}: {} · once more undoes: {}", word, left_behind(left), label)
        }
        UndoError::Left { left, next: None } => inert!("not {}: {}", word, left_behind(left)),
        UndoError::Nothing | UndoError::NothingUndone => SafeText::line(&error.to_string()),
        _ => inert!("nothing was {}: {}", word, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement;
    use crate::workspace::fixture::TestWorkspace;
    use crate::workspace::host_by_word;

    /// A place with one skill, and a request to turn it off.
    fn one_skill() -> (TestWorkspace, Snapshot, ChangeRequest) {
        let test = TestWorkspace::with(&[("home/.agents/skills/pdf", "pdf")]);
        let view = test.view();
        let paths = vec![Arc::from(view.rows[0].entry.skill.path.as_path())];
        let snapshot = Snapshot { workspace: test.workspace.clone(), view, number: 1 };
        (test, snapshot, ChangeRequest::Switch { paths, to: Enablement::Off })
    }

    #[test]
    fn an_empty_journal_is_said_once() {
        let said = |word, error| not_applied(word, &error).to_string();
        assert_eq!(said("undone", UndoError::Nothing), "there is nothing to undo");
        assert_eq!(said("redone", UndoError::NothingUndone), "there is nothing to redo");
        let other = said("undone", UndoError::NoChange(7));
        assert!(other.starts_with("nothing was undone: there is no change 7"), "{other}");
    }

    #[test]
    fn what_was_undone_is_named_with_its_number_as_the_command_line_does() {
        let (_test, snapshot, off) = one_skill();
        let plan = snapshot.workspace.plan_with_choice(&snapshot.view, &off).unwrap();
        snapshot.workspace.apply(&plan).unwrap();
        let (results, _told) = tokio::sync::mpsc::unbounded_channel();
        let done = snapshot.workspace.undo();
        let answer = applied(Direction::Undo, done, &snapshot, &results);
        let ChangeAnswer::Applied(Ok(words)) = answer else { panic!("{answer:?}") };
        assert_eq!(words.as_str(), "undone: pdf off (change 1)");
    }

    #[test]
    fn for_an_agent_that_is_not_known_nothing_is_planned() {
        let (_test, snapshot, off) = one_skill();
        let ChangeAnswer::Failed(why) = planned(&snapshot, Some("nobody"), &off) else {
            panic!("it is planned for another agent");
        };
        assert_eq!(why.as_str(), "there is no agent nobody");
        assert!(matches!(planned(&snapshot, None, &off), ChangeAnswer::Planned(Ok(_))));
    }

    #[test]
    fn a_notice_names_the_hosts_that_are_left_out() {
        let left_out =
            ["amp", "kodelet"].into_iter().filter_map(host_by_word).map(|host| host.id).collect();
        let (label, later) = ("pdf off".to_owned(), Some("in a new session".to_owned()));
        let plan = Plan { label, left_out, later, ..Plan::default() };
        assert_eq!(
            saved_words(&plan, None).as_str(),
            "pdf off · not amp, kodelet · takes effect in a new session"
        );
    }
}
