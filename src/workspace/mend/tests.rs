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
