use super::*;
use crate::catalog::checks;
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
    // What it contains is not searched, and what is known is not believed once it is somewhere
    // else.
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

const DEPLOY: &str = "home/.agents/skills/deploy";

/// Each file of settings holds the skill by its name; its line is told.
#[test]
fn a_name_that_a_rule_or_switch_goes_by_stays() {
    use crate::hosts::{AGENTS, CODEX, COPILOT, GEMINI, OPENCODE};
    let ours = "home/.config/skillpick/config.toml";
    for (host, file, text) in [
        (&AGENTS, ours, "[[skills.config]]\nname = \"Deploy_Prod\"\nenabled = false\n"),
        (&AGENTS, ours, "[skills]\nallowed = [\"Deploy_Prod\"]\n"),
        (&COPILOT, "home/.copilot/settings.json", "{\"disabledSkills\": [\"Deploy_Prod\"]}"),
        (&GEMINI, "home/.gemini/settings.json", "{\"skills\": {\"disabled\": [\"Deploy_Prod\"]}}"),
        (
            &CODEX,
            "home/.codex/config.toml",
            "[[skills.config]]\nname = \"Deploy_Prod\"\nenabled = false\n",
        ),
        (
            &OPENCODE,
            "home/.config/opencode/opencode.json",
            "{\"permission\": {\"skill\": {\"Deploy_*\": \"deny\"}}}",
        ),
    ] {
        let mut test = TestWorkspace::with(&[(DEPLOY, "Deploy_Prod")]).through(host, &[], "repo");
        test.env.raw_skill(DEPLOY, "name: Deploy_Prod\ndescription: d\nauthor: me", "Do it.\n");
        assert!(planned(&test).left.is_empty(), "{}", host.name);
        test.write(file, text);
        let mut plan = planned(&test);
        assert_eq!(plan.left.len(), 1, "{file}");
        let why = &plan.left[0].why;
        assert!(why.starts_with("its name stays") && why.contains(file), "{why:?}");
        // What does not touch the name is mended all the same.
        test.workspace.mend(&mut plan).unwrap();
        let text = test.read(&format!("{DEPLOY}/SKILL.md"));
        assert!(text.contains("name: Deploy_Prod") && text.contains("  author: me"), "{text}");
    }
}

#[test]
fn a_rule_that_says_the_same_of_the_new_name_and_a_host_that_goes_by_the_folder_hold_nothing() {
    let own = "home/.claude/skills/deploy";
    let mut test = TestWorkspace::with(&[(own, "Deploy_Prod")]);
    test = test.through(&crate::hosts::CLAUDE, &[], "repo");
    for rule in ["{\"Deploy_Prod\": \"off\"}", "{\"deploy\": \"off\"}"] {
        test.write("home/.claude/settings.json", &format!("{{\"skillOverrides\": {rule}}}"));
        let plan = planned(&test);
        assert_eq!((plan.skills.len(), plan.left.len()), (1, 0), "{rule}: {:?}", plan.left);
    }
}

#[test]
fn a_file_that_is_off_by_its_path_keeps_its_name() {
    let mut test = TestWorkspace::with(&[]);
    let path =
        test.env.write(format!("{DEPLOY}/skill.md"), "---\nname: deploy\ndescription: d\n---\n");
    assert_eq!(planned(&test).skills.len(), 1);
    let path = path.canonicalize().unwrap();
    let off = format!("[[skills.config]]\npath = \"{}\"\nenabled = false\n", path.display());
    test.write("home/.config/skillpick/config.toml", &off);
    let plan = planned(&test);
    assert_eq!((plan.skills.len(), plan.left.len()), (0, 1));
    assert!(plan.left[0].why.starts_with("its place stays"), "{:?}", plan.left);
}

#[test]
fn a_key_that_an_agent_obeys_stays_where_it_is_read() {
    use crate::hosts::{DROID, KIMI};
    for (host, folder, line) in [
        (&DROID, "repo/.factory/skills/off", "enabled: false"),
        (&DROID, "repo/.factory/skills/off", "tools: [Read]"),
        (&KIMI, "repo/.kimi-code/skills/off", "type: flow"),
    ] {
        let test = TestWorkspace::with(&[(folder, "off")]).through(host, &[], "repo");
        test.env.raw_skill(folder, &format!("name: off\ndescription: d\n{line}"), "Do it.\n");
        let plan = planned(&test);
        assert!(plan.skills.is_empty(), "{line}: {:?}", plan.skills);
        let view = test.view();
        let mut found = view.rows.skills().flat_map(|skill| &skill.diagnostics);
        assert!(found.all(|found| found.check == &checks::HOST_PARSER), "{line}");
    }
}

#[test]
fn a_text_that_is_not_utf_8_is_left_with_the_cure_and_its_file_is_renamed_all_the_same() {
    let test = TestWorkspace::with(&[]);
    let text = b"---\nname: Tab\ndescription: d\n---\nx\xff\n";
    test.env.write("home/.agents/skills/tab/SKILL.md", text);
    test.env.write("home/.agents/skills/pdf/skill.md", text);
    let plan = planned(&test);
    let whys: Vec<&str> = plan.left.iter().map(|left| &*left.why).collect();
    assert_eq!(whys, [fix::NOT_UTF8, fix::NOT_UTF8]);
    let [renamed] = plan.skills.as_slice() else { panic!("{:?}", plan.skills) };
    assert!(renamed.change.is_none() && renamed.moved.is_some(), "{renamed:?}");
}

#[test]
fn a_text_that_begins_like_fields_is_left_with_the_reason() {
    let test = TestWorkspace::with(&[]);
    let text = "name: pdf\ndescription: Fills forms\n\n# PDF\n";
    test.env.write("home/.agents/skills/pdf/SKILL.md", text);
    let plan = planned(&test);
    assert_eq!((plan.skills.len(), plan.left.len()), (0, 1));
    assert!(plan.left[0].why.contains("may be fields"), "{:?}", plan.left);
}

#[test]
fn a_name_for_which_the_folder_has_none_stays_with_the_reason() {
    let skills = [
        ("home/.agents/skills/日本語-skill", "日本語-skill"),
        ("home/.agents/skills/pdf", "pdf"),
        ("repo/.agents/skills/pdf", "PDF"),
    ];
    let test = TestWorkspace::with(&skills);
    let plan = planned(&test);
    assert!(plan.skills.is_empty(), "{plan:?}");
    let mut whys: Vec<&str> = plan.left.iter().map(|left| &*left.why).collect();
    whys.sort_unstable();
    let folder = "its folder has no valid name; rename the folder";
    assert_eq!(whys, ["another skill has the name of its folder, or one like it", folder]);
}

#[cfg(unix)]
#[test]
fn a_file_in_a_folder_that_may_not_be_written_is_left_before_anything_is_tried() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestWorkspace::with(&SKILLS);
    let folder = test.env.at("home/.agents/skills/pdf");
    let set = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    // The superuser may.
    let is_bound = !may_write(&folder);
    let plan = planned(&test);
    set(0o755);
    if is_bound {
        assert_eq!((plan.skills.len(), plan.left.len()), (1, 1));
        assert!(plan.failed() && &*plan.left[0].why == "its folder may not be written");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_this_user_may_not_write_is_left_though_its_folder_would_take_another() {
    use rustix::process::{Uid, geteuid};
    use std::os::unix::fs::PermissionsExt;
    if !geteuid().is_root() {
        return crate::test_env::postgres::skipped("a file of another user: only root makes one");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let path = folder.path().canonicalize().unwrap().join("SKILL.md");
    fs::write(&path, "text").unwrap();
    assert_eq!(writable(&path), Ok(()));
    // On Linux only this thread becomes another user.
    let as_nobody = std::thread::spawn(move || {
        let nobody = Uid::from_raw(65_534);
        rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
        writable(&path)
    });
    assert_eq!(as_nobody.join().unwrap(), Err("the file may not be written".into()));
}
