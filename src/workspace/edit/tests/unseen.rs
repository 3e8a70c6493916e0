//! A view with what only other hosts find: no change is about those.

use super::*;
use crate::hosts::{CLAUDE, Host, KODELET};

/// `pdf` in the folder of the host and in that of Codex, where `zip` is as well.
fn beside_codex(host: &'static Host, own: &str) -> TestWorkspace {
    let skills =
        [(own, "pdf"), ("home/.codex/skills/pdf", "pdf"), ("home/.codex/skills/zip", "zip")];
    let mut test = TestWorkspace::with(&skills).through(host, &[], "repo");
    test.write("home/.codex/config.toml", "");
    TestWorkspace { workspace: test.workspace.with_unseen(), ..test }
}

#[test]
fn a_switch_reaches_no_skill_that_only_others_find() {
    let test = beside_codex(&CLAUDE, "home/.claude/skills/pdf");
    let view = test.view();
    assert_eq!((view.rows.len(), view.rows.own().count()), (3, 1));
    let plan = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap();
    let reached: Vec<_> = plan.effects.iter().map(|effect| effect.skill.path.as_path()).collect();
    assert_eq!(reached, [view.rows[0].entry.skill.path.as_path()]);
    assert_eq!(told(&plan), "", "no other copy goes with it");
    let rule = ChangeRequest::Permit(rule(Permission::Deny, "*"));
    assert_eq!(test.workspace.plan(&view, &rule, None).unwrap().effects.len(), 1);
}

#[test]
fn a_new_allowlist_names_no_skill_that_only_others_find() {
    let test = beside_codex(&KODELET, "home/.kodelet/skills/pdf");
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap();
    let after = String::from_utf8(plan.files[0].change.after.clone()).unwrap();
    assert!(after.contains("enabled: false") && !after.contains("zip"), "{after}");
}
