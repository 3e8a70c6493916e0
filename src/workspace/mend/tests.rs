use super::*;
use crate::workspace::fixture::TestWorkspace;

const SKILLS: [(&str, &str); 2] =
    [("home/.agents/skills/pdf", "PDF"), ("home/.agents/skills/docx", "DOCX")];

fn planned(test: &TestWorkspace) -> MendPlan {
    let view = test.view();
    let entries: Vec<&Entry> = view.rows.entries().collect();
    test.workspace.plan_mend(&view, &entries, &Reach::Own, &|_, _| true)
}

#[test]
fn what_another_program_writes_meanwhile_stays_and_the_others_are_mended() {
    let test = TestWorkspace::with(&SKILLS);
    let mut plan = planned(&test);
    assert_eq!((plan.skills.len(), plan.left.len()), (2, 0));
    test.env.write("home/.agents/skills/pdf/SKILL.md", "theirs");
    test.workspace.mend(&mut plan).unwrap();
    assert_eq!((plan.skills.len(), plan.left.len()), (1, 1));
    assert!(plan.left[0].why.contains("another program"), "{:?}", plan.left);
    assert_eq!(test.read("home/.agents/skills/pdf/SKILL.md"), "theirs");
    assert!(test.read("home/.agents/skills/docx/SKILL.md").contains("name: docx\n"));
    let undone = test.workspace.undo().unwrap();
    assert_eq!(undone.change.label, "DOCX mended");
    assert!(test.read("home/.agents/skills/docx/SKILL.md").contains("name: DOCX\n"));
}

#[test]
fn if_a_file_cannot_be_renamed_its_text_is_as_it_was() {
    let test = TestWorkspace::with(&SKILLS[1..]);
    let old = "---\nname: PDF\ndescription: d\n---\n";
    let path = test.env.write("home/.agents/skills/pdf/skill.md", old);
    let mut plan = planned(&test);
    assert_eq!(plan.skills.len(), 2);
    let other = test.env.write("home/.agents/skills/pdf/SKILL.md", "theirs");
    test.workspace.mend(&mut plan).unwrap();
    assert_eq!((plan.skills.len(), plan.left.len()), (1, 1));
    assert_eq!(fs::read_to_string(path).unwrap(), old);
    assert_eq!(fs::read_to_string(other).unwrap(), "theirs");
    assert!(test.read("home/.agents/skills/docx/SKILL.md").contains("name: docx\n"));
}

#[test]
fn without_a_place_for_the_journal_nothing_is_written() {
    let mut test = TestWorkspace::with(&SKILLS);
    let mut plan = planned(&test);
    test.workspace.state_dir = None;
    assert!(matches!(test.workspace.mend(&mut plan), Err(ChangeError::NoState)));
    assert!(test.read("home/.agents/skills/pdf/SKILL.md").contains("name: PDF\n"));
}

/// Claude Code looks only directly in its folder of skills.
fn too_deep() -> TestWorkspace {
    let skills =
        [("home/.claude/skills/pdf", "pdf"), ("home/.claude/skills/clone/skills/zip", "zip")];
    let mut test = TestWorkspace::with(&skills).through(&crate::hosts::CLAUDE, &[], "repo");
    test.workspace = test.workspace.with_unseen();
    test
}

#[test]
fn a_skill_that_lies_too_deep_for_every_agent_is_seen_with_its_reason_and_moved_up() {
    let test = too_deep();
    let deep = |test: &TestWorkspace| {
        let view = test.view();
        let mut deep = view.rows.entries().filter(|entry| entry.is_too_deep()).cloned();
        let found = deep.next();
        assert!(deep.next().is_none());
        found
    };
    let entry = deep(&test).unwrap();
    assert_eq!((entry.skill.name.as_str(), entry.is_seen()), ("zip", false));
    assert!(entry.skill.diagnostics[0].message.contains("no agent here looks so deep"));
    let every = test.workspace.through_every();
    let all = every.view();
    assert!(all.rows.named("zip").all(Entry::is_too_deep), "through all agents as well");
    // What it contains is not searched, and what is known is not believed once it is somewhere else.
    let view = test.view();
    let mut plan = test.workspace.plan_mend(&view, &[&entry], &Reach::Own, &|_, _| true);
    test.workspace.mend(&mut plan).unwrap();
    assert!(test.env.at("home/.claude/skills/zip/SKILL.md").is_file());
    assert!(deep(&test).is_none());
    let after = test.workspace.view_after(&view, crate::scan::Options::default());
    assert!(after.rows.named("zip").all(Entry::is_seen));
    test.workspace.undo().unwrap();
    assert_eq!(deep(&test).unwrap().skill.path, entry.skill.path);
}

#[test]
fn where_the_place_is_taken_a_deep_skill_stays() {
    let test = too_deep();
    fs::create_dir(test.env.at("home/.claude/skills/zip")).unwrap();
    let view = test.view();
    let entries: Vec<&Entry> = view.rows.entries().collect();
    let plan = test
        .workspace
        .plan_mend(&view, &entries, &Reach::Own, &|_, check| check.code == "too-deep");
    assert!(plan.skills.is_empty());
}
