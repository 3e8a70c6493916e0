//! The agent builder of SPEC-0027: skills of the repository only, in one or two folders that a
//! variable names. Names are compared without upper and lower case. The skills of its database
//! are those of a project in a store (`workspace/project`).

use super::{Host, Limits, MentionForm, Reading, shapes};
use crate::catalog::{HostId, Root, Scope, Walk};
use crate::policy::{Alarm, Evaluation, Fold, Policy, Profile};
use std::path::Path;
use std::sync::Arc;

const VARIABLE: &str = "AGENT_SKILLS_DIRS";

/// The most characters of a description in its index. The specification has no number; 50 skills
/// with so many fit into the 32 KiB that a prompt gets (AAB-11, D16).
const DESCRIPTION: usize = 400;

/// The only folders that the variable may name.
const FOLDERS: [&str; 2] = [".agents/skills", ".codex/skills"];

pub const SPEC_0027: Host = Host {
    id: HostId("spec0027"),
    name: "SPEC-0027 agent builder",
    roots,
    evaluation: Evaluation {
        fold: Fold::Names,
        profile: Profile { refuses: &["file-case", "name-missing", "name-empty"], takes: &[] },
        ..Evaluation::HOST
    },
    rulings,
    mention: MentionForm::Prose("Use the skill ", "."),
    limits: Limits { entries: Some(50), description: Some(DESCRIPTION), ..Limits::NONE },
    ..Host::PLAIN
};

/// Immediate children: the specification says nothing about deeper folders.
const WALK: Walk = Walk { depth: 1, itself: false, nested: false, ..Walk::STANDARD };

/// The folders in the order of the variable, in the repository's root.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let top = context.repo_root.as_ref().unwrap_or(&context.cwd);
    let folders = named(reading).into_iter().filter(|folder| FOLDERS.contains(folder));
    let root = |folder| Root::new(top.join(folder), Scope::Repo, SPEC_0027.id, WALK);
    let by_variable = context.variable(VARIABLE).is_some();
    shapes::once(folders.map(root).map(|root| Root { named: by_variable, ..root }))
}

/// The folders that the variable names; without it both.
fn named(reading: &Reading) -> Vec<&str> {
    match reading.context.variable(VARIABLE).map(|value| value.to_str().unwrap_or("\u{fffd}")) {
        Some(list) => list.split(',').map(str::trim).filter(|folder| !folder.is_empty()).collect(),
        None => FOLDERS.to_vec(),
    }
}

/// It has no settings. A folder that the variable must not name is reported and not read.
fn rulings(reading: &Reading, policy: &mut Policy) {
    if named(reading).iter().any(|folder| !FOLDERS.contains(folder)) {
        let message = format!(
            "only {} and {} can be named, and nothing else is looked into",
            FOLDERS[0], FOLDERS[1]
        );
        policy.alarms.push(Alarm { file: Arc::from(Path::new(VARIABLE)), line: 1, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{alarms, roots};
    use crate::workspace::fixture::TestWorkspace;
    use crate::workspace::resolve;

    /// Its roots, and the number of alarms.
    fn seen(environment: &[(&str, &str)]) -> (Vec<String>, usize) {
        let test = TestWorkspace::with(&[]).through(&SPEC_0027, environment, "repo/a");
        (roots(&test), alarms(&test).len())
    }

    #[test]
    fn aab_2_the_variable_names_a_subset_of_two_folders_and_nothing_else() {
        let (agents, codex) =
            ("repo/.agents/skills repo".to_owned(), "repo/.codex/skills repo".to_owned());
        assert_eq!(seen(&[]), (vec![agents.clone(), codex.clone()], 0));
        assert_eq!(seen(&[(VARIABLE, "")]), (vec![agents.clone(), codex.clone()], 0), "unset");
        assert_eq!(seen(&[(VARIABLE, ".codex/skills")]), (vec![codex.clone()], 0));
        assert_eq!(
            seen(&[(VARIABLE, " .codex/skills , .agents/skills,")]),
            (vec![codex.clone(), agents], 0)
        );
        assert_eq!(
            seen(&[(VARIABLE, "../..,/etc,.codex/skills/.,.codex/skills")]),
            (vec![codex], 1)
        );
        assert_eq!(seen(&[(VARIABLE, "~/.agents/skills")]), (Vec::new(), 1));
    }

    #[test]
    fn aab_5_a_name_is_required_and_need_not_be_the_directorys() {
        let mut test = TestWorkspace::with(&[("repo/.agents/skills/a", "Other Name")]).through(
            &SPEC_0027,
            &[],
            "repo",
        );
        test.write("repo/.agents/skills/b/SKILL.md", "---\ndescription: no name\n---\n");
        let view = test.view();
        let refused: Vec<_> =
            view.rows.entries().map(|entry| entry.refused.map(|check| check.code)).collect();
        assert_eq!(refused, [None, Some("name-missing")]);
    }

    #[test]
    fn aab_10_names_are_trimmed_and_folded() {
        let skills =
            [("repo/.agents/skills/a", "PDF Forms"), ("repo/.codex/skills/b", "pdf forms")];
        let view = TestWorkspace::with(&skills).through(&SPEC_0027, &[], "repo").view();
        let (winner, loser) = (&view.rows[0].entry, &view.rows[1].entry);
        assert_eq!(
            (winner.same_name, winner.shadowed_by.is_none(), loser.shadowed_by.is_some()),
            (2, true, true)
        );
        for argument in ["PDF Forms", "  pdf FORMS ", "pdf forms"] {
            assert_eq!(resolve(&view, argument, None, Path::new("/")), Ok(0), "{argument}");
        }
        let exact = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
        assert!(
            resolve(&exact.view(), "PDF", None, Path::new("/")).is_err(),
            "the plain standard folds nothing (D2)"
        );
    }
}
