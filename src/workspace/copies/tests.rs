use super::*;
use crate::workspace::fixture::TestWorkspace;
use std::fs;

const PLACES: [(&str, &str); 3] = [
    ("home/.agents/skills/pdf", "pdf"),
    ("repo/.agents/skills/pdf", "pdf"),
    ("home/.agents/skills/group/pdf", "pdf"),
];

fn at(test: &TestWorkspace, place: &str) -> PathBuf {
    real(&test.env.at(place)).join("SKILL.md")
}

fn skill(test: &TestWorkspace, place: &str) -> Arc<Skill> {
    Arc::clone(test.view().rows.at(&at(test, place)).unwrap().skill())
}

#[test]
fn copies_are_told_apart_by_their_first_difference() {
    let test = TestWorkspace::with(&[]);
    let text = "name: pdf\ndescription: d";
    let places = ["home/.agents/skills/a/pdf", "home/.agents/skills/b/pdf"];
    for place in places {
        test.env.raw_skill(place, text, "One.\nTwo.\n");
    }
    let facts = |test: &TestWorkspace| {
        let skills = places.map(|place| skill(test, place));
        test.workspace.copy_facts(&skills)
    };
    let same = facts(&test);
    assert_eq!(same[0].difference, Difference::First);
    assert_eq!(same[1].difference, Difference::Same);
    assert_eq!((same[0].files, same[0].bytes), (1, same[1].bytes));
    test.env.write("home/.agents/skills/b/pdf/scripts/fill.py", "pass");
    let Difference::Files { first, count: 1 } = facts(&test)[1].difference.clone() else {
        panic!("{:?}", facts(&test)[1])
    };
    assert_eq!(first, Path::new("scripts/fill.py"));
    test.env.raw_skill(places[1], text, "One.\nThree.\n");
    let Difference::Text { line, here } = facts(&test)[1].difference.clone() else {
        panic!("{:?}", facts(&test)[1])
    };
    let whole = test.read("home/.agents/skills/b/pdf/SKILL.md");
    assert_eq!(here, "Three.");
    assert_eq!(whole.lines().nth(line as usize - 1), Some("Three."));
    fs::remove_file(at(&test, places[0])).unwrap();
    // The view is older than the disk.
    let test_view = facts_of_gone(&test, places[1]);
    assert!(matches!(test_view, Difference::Unread(_)), "{test_view:?}");
}

fn facts_of_gone(test: &TestWorkspace, left: &str) -> Difference {
    let left = skill(test, left);
    let gone = Arc::new(Skill { path: left.path.with_file_name("gone.md"), ..(*left).clone() });
    difference(&left, &gone)
}

#[test]
fn one_copy_is_kept_for_all_and_the_others_come_back_with_every_byte() {
    let test = TestWorkspace::with(&PLACES);
    test.env.write("home/.agents/skills/group/pdf/notes.txt", "mine");
    let view = test.view();
    let kept = at(&test, PLACES[0].0);
    let mut plan = test.workspace.plan_keep(&view, &kept);
    // A link out of the repository would lead nowhere for the others who have it.
    assert_eq!((plan.skills.len(), plan.left.len()), (1, 1), "{plan:?}");
    assert!(plan.left[0].why.contains("lead out of it"), "{:?}", plan.left);
    test.workspace.mend(&mut plan).unwrap();
    let place = test.env.at("home/.agents/skills/group/pdf");
    assert!(place.is_symlink());
    assert_eq!(real(&place), kept.parent().unwrap());
    assert_eq!(test.view().rows.named("pdf").count(), 2);
    let undone = test.workspace.undo().unwrap();
    assert_eq!(undone.change.label, "one pdf kept for all");
    assert!(!place.is_symlink());
    assert_eq!(test.read("home/.agents/skills/group/pdf/notes.txt"), "mine");
    assert_eq!(test.view().rows.named("pdf").count(), 3);
    test.workspace.redo().unwrap();
    assert!(place.is_symlink());
}

#[test]
fn within_a_repository_the_link_is_the_same_in_every_clone() {
    let places = [("repo/.agents/skills/pdf", "pdf"), ("repo/.agents/skills/old/pdf", "pdf")];
    let test = TestWorkspace::with(&places);
    let mut plan = test.workspace.plan_keep(&test.view(), &at(&test, places[0].0));
    test.workspace.mend(&mut plan).unwrap();
    let link = fs::read_link(test.env.at(places[1].0)).unwrap();
    assert_eq!(link, Path::new("../pdf"));
}

#[test]
fn a_folder_that_lies_in_the_other_or_is_a_whole_root_is_left() {
    let places = [("home/.agents/skills/pdf", "pdf"), ("home/.agents/skills/pdf/sub/pdf", "pdf")];
    let test = TestWorkspace::with(&places);
    for (place, _) in places {
        let plan = test.workspace.plan_keep(&test.view(), &at(&test, place));
        assert!(plan.skills.is_empty());
        assert!(plan.left[0].why.contains("lies in the other"), "{:?}", plan.left);
    }
    let test =
        TestWorkspace::with(&[("home/.agents/skills", "pdf"), ("repo/.agents/skills/pdf", "pdf")]);
    let plan = test.workspace.plan_keep(&test.view(), &at(&test, "repo/.agents/skills/pdf"));
    assert!(plan.left[0].why.contains("whole folder"), "{:?}", plan.left);
}

#[test]
fn a_renamed_copy_has_its_name_in_the_text_and_in_its_folder() {
    let test = TestWorkspace::with(&PLACES);
    let old = at(&test, PLACES[0].0);
    let before = fs::read(&old).unwrap();
    let refused = |name: &str| test.workspace.plan_rename(&test.view(), &old, name).unwrap_err();
    assert!(refused("PDF").contains("capital letters"));
    assert!(refused("a/b").contains("no letter, digit or hyphen"));
    assert!(refused(" ").contains("empty"));
    assert!(refused("pdf").contains("already"));
    fs::create_dir(test.env.at("home/.agents/skills/taken")).unwrap();
    assert!(refused("taken").contains("already"));
    let mut plan = test.workspace.plan_rename(&test.view(), &old, "pdf-mine").unwrap();
    test.workspace.mend(&mut plan).unwrap();
    let text = test.read("home/.agents/skills/pdf-mine/SKILL.md");
    assert!(text.starts_with("---\nname: pdf-mine\n"), "{text}");
    assert!(!old.exists());
    assert_eq!(test.workspace.undo().unwrap().change.label, "pdf renamed to pdf-mine");
    assert_eq!(fs::read(&old).unwrap(), before);
    test.workspace.redo().unwrap();
    assert!(!old.exists());
    let view = test.view();
    assert_eq!((view.rows.named("pdf").count(), view.rows.named("pdf-mine").count()), (2, 1));
}

#[test]
fn a_copy_to_which_links_lead_keeps_its_name() {
    let test = TestWorkspace::with(&PLACES[..1]);
    test.env.link(PLACES[0].0, "home/.agents/skills/group/linked");
    let why = test.workspace.plan_rename(&test.view(), &at(&test, PLACES[0].0), "new");
    assert!(why.unwrap_err().contains("lead nowhere"));
}

#[test]
fn what_would_take_a_skill_from_somebody_is_left() {
    // A person's own does not become a link into one checkout.
    let test = TestWorkspace::with(&PLACES[..2]);
    let plan = test.workspace.plan_keep(&test.view(), &at(&test, PLACES[1].0));
    assert!(plan.left[0].why.contains("belongs to a repository"), "{:?}", plan.left);
    // One that is refused stands in for none, and a refused one keeps its folder.
    let test = TestWorkspace::with(&[PLACES[0], PLACES[2]]);
    test.env.raw_skill(PLACES[2].0, "name: pdf", "");
    let view = test.view();
    let refused = test.workspace.plan_keep(&view, &at(&test, PLACES[2].0));
    assert!(refused.skills.is_empty() && refused.left[0].why.contains("refuses"), "{refused:?}");
    let sound = test.workspace.plan_keep(&view, &at(&test, PLACES[0].0));
    assert!(sound.skills.is_empty() && sound.left.is_empty(), "{sound:?}");
}

#[test]
fn a_single_file_is_neither_renamed_nor_linked_to() {
    let test = TestWorkspace::with(&[]);
    let text = "---\nname: pdf\ndescription: d\n---\nBody\n";
    test.env.write("repo/.pi/skills/pdf.md", text);
    test.env.write("repo/.pi/skills/other/pdf/SKILL.md", text);
    let test = test.through(&crate::hosts::PI, &[], "repo");
    let view = test.view();
    let single = real(&test.env.at("repo/.pi/skills/pdf.md"));
    let folder = at(&test, "repo/.pi/skills/other/pdf");
    let why = test.workspace.plan_rename(&view, &single, "docx").unwrap_err();
    assert!(why.contains("single file"), "{why}");
    for kept in [&single, &folder] {
        let plan = test.workspace.plan_keep(&view, kept);
        assert!(plan.skills.is_empty() && plan.left.len() == 1, "{plan:?}");
    }
}

#[test]
fn a_link_of_another_agent_keeps_a_skills_name_as_well() {
    let test = TestWorkspace::with(&PLACES[..1]);
    test.env.link(PLACES[0].0, "home/.claude/skills/pdf");
    let test = test.through(&crate::hosts::CODEX, &[], "repo");
    let refused = |test: &TestWorkspace| {
        test.workspace.plan_rename(&test.view(), &at(test, PLACES[0].0), "new").unwrap_err()
    };
    assert!(refused(&test).contains("lead nowhere"));
    // Of an agent that is gone by now, the record of what was shared tells.
    let link = test.env.at("home/.claude/skills/pdf");
    let elsewhere = test.env.at("home/elsewhere");
    fs::rename(link, &elsewhere).unwrap();
    assert!(test.workspace.plan_rename(&test.view(), &at(&test, PLACES[0].0), "new").is_ok());
    let share = shares::Share {
        place: elsewhere,
        source: test.env.at(PLACES[0].0),
        host: "gone".to_owned(),
        made: shares::Made::Link("../pdf".into()),
        folders: 0,
    };
    shares::remember(test.workspace.state_dir.as_deref().unwrap(), &share).unwrap();
    assert!(refused(&test).contains("lead nowhere"));
}
