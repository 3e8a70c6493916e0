//! Plans and writes what mends skills, each on a thread of its own.

use super::{JobResult, JobResults, Jobs, Snapshot};
use crate::catalog::{Check, Skill};
use crate::failpoint;
use crate::inert;
use crate::output::mend::{NAMED, left_words};
use crate::policy::Entry;
use crate::text::{SafeText, counted, reason, shortened};
use crate::tui::app::{ChangeAnswer, MendRequest, Mending, Msg, Notice};
use crate::workspace::edit::{Direction, Undone};
use crate::workspace::mend::{MendPlan, Reach};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

impl Jobs {
    /// Writes the examples where they can be browsed.
    pub(in crate::tui::shell) fn examples(&self, snapshot: Snapshot) {
        self.once(move |results| {
            let told = match snapshot.workspace.examples() {
                Ok(folder) => JobResult::Examples(folder),
                Err(error) => {
                    let why = inert!("no examples: {}", reason(&error));
                    JobResult::Msg(Msg::Notice(Notice::grave(why)))
                }
            };
            let _ = results.send(told);
        });
    }
}

/// What would mend these findings.
pub(super) fn asked(snapshot: &Snapshot, request: MendRequest) -> ChangeAnswer {
    let plan = planned(snapshot, &request);
    ChangeAnswer::MendPlanned(plan.and_then(|plan| match plan.skills.is_empty() {
        true => Err(nothing(&plan, snapshot.home())),
        false => Ok(Box::new(shown(&plan, request, snapshot.home()))),
    }))
}

/// Writes what was shown, and scans.
pub(super) fn written(snapshot: &Snapshot, asked: &Mending, results: &JobResults) -> ChangeAnswer {
    failpoint::reach("panic-in-change");
    let mended = mended(snapshot, asked);
    let _ = results.send(JobResult::Changed);
    ChangeAnswer::Mended(mended)
}

/// Whether a change is one of skills, and not of settings.
pub(super) fn is_mending(Undone { change, .. }: &Undone) -> bool {
    let is_skill = |name: &std::ffi::OsStr| name.eq_ignore_ascii_case("SKILL.md");
    let mut files = change.files.iter().filter_map(|file| file.path.file_name());
    !change.moves.is_empty() || files.any(is_skill)
}

/// Skills have changed, so they are read again.
pub(super) fn applied(direction: Direction, results: &JobResults) {
    if direction == Direction::Undo {
        let _ = results.send(JobResult::Msg(Msg::Unmended));
    }
    let _ = results.send(JobResult::Changed);
}

fn planned(
    Snapshot { workspace, view, .. }: &Snapshot,
    request: &MendRequest,
) -> Result<MendPlan, SafeText> {
    let findings = match request {
        MendRequest::Findings(findings) => findings,
        MendRequest::Keep(path) => return Ok(workspace.plan_keep(view, path)),
        MendRequest::New(name) => {
            return workspace.plan_new(name).map_err(|why| SafeText::line(&why));
        }
        MendRequest::Links(folder) => {
            return workspace.plan_links(folder).map_err(|why| SafeText::line(&why));
        }
        MendRequest::Rename(path, name) => {
            return workspace.plan_rename(view, path, name).map_err(|why| SafeText::line(&why));
        }
    };
    let rows = request.paths().into_iter().filter_map(|path| view.rows.at(path));
    let entries: Vec<&Entry> = rows.map(|row| &row.entry).collect();
    let wanted = |skill: &Skill, check: &Check| {
        findings.contains(&(Arc::from(skill.path.as_path()), check.code))
    };
    Ok(workspace.plan_mend(view, &entries, &Reach::Own, &wanted))
}

fn mended(snapshot: &Snapshot, asked: &Mending) -> Result<(usize, SafeText), SafeText> {
    let mut plan = planned(snapshot, &asked.request)?;
    // Nobody has said yes to what was not shown.
    if shown(&plan, asked.request.clone(), snapshot.home()) != *asked {
        return Err(SafeText::fixed("the files have changed meanwhile, so nothing was written"));
    }
    snapshot.workspace.mend(&mut plan).map_err(|error| error.shown())?;
    if plan.skills.is_empty() {
        return Err(nothing(&plan, snapshot.home()));
    }
    let left = match plan.left.len() {
        0 => SafeText::default(),
        count => inert!(" · {} left as {}", count, if count == 1 { "it is" } else { "they are" }),
    };
    let done = match &plan.label {
        Some(label) => SafeText::line(label),
        None => inert!("{} mended", counts(&plan)),
    };
    Ok((findings(&plan), inert!("{}{}", done, left)))
}

fn findings(plan: &MendPlan) -> usize {
    plan.skills.iter().flat_map(|one| one.gone.values()).sum()
}

/// `8 findings in 6 skills`.
fn counts(plan: &MendPlan) -> SafeText {
    let skills = counted(plan.skills.len(), "skill");
    inert!("{} in {}", counted(findings(plan), "finding"), skills)
}

/// Why nothing would be written.
fn nothing(plan: &MendPlan, home: Option<&Path>) -> SafeText {
    match plan.left.is_empty() {
        true => SafeText::fixed("no rule can mend it without a decision of the author"),
        // A notice has room for each reason once.
        false => {
            let left = left_words(plan, 1, &|path| shortened(path, home));
            inert!("nothing was written: {}", SafeText::join(left, "; "))
        }
    }
}

fn shown(plan: &MendPlan, request: MendRequest, home: Option<&Path>) -> Mending {
    let path = |path: &Path| shortened(path, home);
    let moves = plan.skills.iter().filter_map(|one| one.moved.as_ref());
    let moves = moves.map(|moved| moved.words_with(&path));
    let left = left_words(plan, NAMED, &path).into_iter();
    let left = left.map(|left| inert!("left as it is: {}", left));
    // A rule that would change more than its finding is not offered.
    let mended = plan.skills.iter().map(|one| &*one.path);
    let told: HashSet<&Path> = mended.chain(plan.left.iter().map(|one| &*one.path)).collect();
    let stay = match request {
        MendRequest::Findings(_) => {
            request.paths().into_iter().filter(|path| !told.contains(path)).count()
        }
        _ => 0,
    };
    let follows = matches!(request, MendRequest::Rename(..)).then(|| {
        SafeText::fixed("rules and switches that go by its name stay as they are, for the old name")
    });
    let skill = if stay == 1 { "skill needs" } else { "skills need" };
    let stay = (stay > 0).then(|| inert!("{} {} a decision of the author", stay, skill));
    Mending {
        label: match &plan.label {
            Some(label) => SafeText::line(label),
            None => inert!("mend {}", counts(plan)),
        },
        told: moves.chain(follows).chain(stay).chain(left).collect(),
        changes: plan.skills.iter().filter_map(|one| one.shown().cloned()).collect(),
        request,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;
    use crate::workspace::mend::LeftAlone;
    use std::fs;

    #[test]
    fn a_refusal_says_how_many_are_left_for_which_reason() {
        let left = |name: &str, why: &str| LeftAlone { path: name.into(), why: why.into() };
        let two = ["/one", "/two"].map(|name| left(name, "it is yours")).into();
        let plan = MendPlan { left: two, ..MendPlan::default() };
        assert_eq!(nothing(&plan, None).as_str(), "nothing was written: 2 skills: it is yours");
        assert_eq!(
            shown(&plan, MendRequest::default(), None).told.len(),
            2,
            "the question names both"
        );
        // The cure at its end is read on a narrow screen.
        let path = "/home/ada/.claude/skills/a-long-name-of-a-skill/SKILL.md";
        let why = "it is yours, and the kept one belongs to a repository: keep one of yours, or share that one";
        let plan = MendPlan { left: vec![left(path, why)], ..MendPlan::default() };
        let rows = Notice::grave(nothing(&plan, None)).lines(60, 3);
        assert!(rows.last().unwrap().as_str().ends_with("share that one"), "{rows:?}");
        let many = (0..81).map(|number| left(&format!("/skills/{number}"), "others bring it"));
        let left = many.chain([left("/odd", "it is read-only")]).collect();
        let plan = MendPlan { left, ..MendPlan::default() };
        let reasons = ["/odd: it is read-only", "81 skills: others bring it"];
        assert_eq!(
            nothing(&plan, None).as_str(),
            format!("nothing was written: {}", reasons.join("; "))
        );
        let told = shown(&plan, MendRequest::default(), None).told;
        assert_eq!(told.len(), 2, "{told:?}");
    }

    #[test]
    fn what_has_changed_since_it_was_shown_is_not_written() {
        let test = TestWorkspace::with(&[]);
        for name in ["one", "two"] {
            test.env.raw_skill(&format!("home/.agents/skills/{name}"), "name: Odd", "Text.");
        }
        let view = test.view();
        let findings =
            view.rows.skills().map(|skill| (Arc::from(skill.path.as_path()), "name-case"));
        let request = MendRequest::Findings(findings.collect());
        let file = view.rows[0].entry.skill.path.clone();
        let snapshot = Snapshot { workspace: test.workspace.clone(), view, number: 1 };
        let home = snapshot.home();
        let asked = shown(&planned(&snapshot, &request).unwrap(), request, home);
        assert_eq!((asked.changes.len(), asked.told.len()), (2, 0));
        let before = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{before}More.\n")).unwrap();
        let why = mended(&snapshot, &asked).unwrap_err();
        assert!(why.as_str().contains("nothing was written"), "{why:?}");
        assert!(fs::read_to_string(&asked.changes[1].path).unwrap().contains("name: Odd"));
        fs::write(&file, before).unwrap();
        let (findings, words) = mended(&snapshot, &asked).unwrap();
        assert!(
            findings >= 2 && words.as_str().ends_with("findings in 2 skills mended"),
            "{words:?}"
        );
        assert!(fs::read_to_string(&file).unwrap().contains("name: one"));
    }
}
