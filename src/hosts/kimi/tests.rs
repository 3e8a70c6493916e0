use super::*;
use crate::hosts::test_support::{alarms, roots, seen, test};

#[test]
fn the_repositorys_root_the_person_and_what_the_settings_name() {
    let mut test = test(&KIMI, &["repo/.kimi-code/skills/one"]);
    test.write("home/.kimi-code/config.toml", "extra_skill_dirs = [\"more\", \"~/mine\"]\n");
    let test = test.through(&KIMI, &[], "repo/a");
    let expected = [
        "repo/.kimi-code/skills repo",
        "repo/.agents/skills repo",
        "home/.kimi-code/skills user",
        "home/.agents/skills user",
        "repo/more user",
        "home/mine user",
    ];
    assert_eq!(roots(&test), expected);
}

#[test]
fn the_first_of_a_name_in_any_case_is_taken() {
    let test = test(&KIMI, &["repo/.kimi-code/skills/One", "home/.agents/skills/one"]);
    let on = seen(&test).iter().filter(|line| line.contains(" on ")).count();
    assert_eq!(on, 1, "{:?}", seen(&test));
}

#[test]
fn of_one_name_in_a_root_a_skill_comes_before_one_in_a_group() {
    let mut test = test(&KIMI, &[]);
    let text = "---\nname: one\ndescription: d\n---\n";
    for folder in ["a/deep", "b", "c"] {
        test.write(&format!("repo/.kimi-code/skills/{folder}/SKILL.md"), text);
    }
    test.workspace = test.workspace.reread();
    let seen = seen(&test);
    let off = |line: &&String| line.ends_with("by repo/.kimi-code/skills/b/SKILL.md");
    assert_eq!(seen.iter().filter(off).count(), 2, "{seen:?}");
}

#[test]
fn a_hidden_folder_may_be_a_skill_and_no_group() {
    let folders = ["one/.two", ".three", ".four/five"];
    let folders = folders.map(|folder| format!("repo/.kimi-code/skills/{folder}"));
    let test = test(&KIMI, &folders.each_ref().map(String::as_str));
    let expected = [".three on full allow default", ".two on full allow default"];
    assert_eq!(seen(&test), expected);
}

#[test]
fn settings_that_it_cannot_read_are_passed_over() {
    let mut test = test(&KIMI, &["repo/.kimi-code/skills/one"]);
    for text in ["extra_skill_dirs = [5", "extra_skill_dirs = \"more\""] {
        test.write("home/.kimi-code/config.toml", text);
        test.workspace = test.workspace.reread();
        assert!(
            alarms(&test)[0].ends_with("ignores the whole file")
                || alarms(&test)[0].ends_with("ignores it")
        );
        assert_eq!(seen(&test), ["one on full allow default"], "{text}");
    }
}

/// What the program reads.
#[test]
fn of_several_spellings_of_the_further_folders_the_last_counts() {
    let mut test = test(&KIMI, &["home/x/one", "home/y/two"]);
    for (text, expected) in [
        ("extraSkillDirs = [\"~/x\"]", &["one"][..]),
        ("extra_skillDirs = [\"~/x\"]\nextra_skill_dirs = [\"~/y\"]", &["two"]),
        ("extra_skill_dirs = [\"~/y\"]\nextraSkillDirs = [\"~/x\"]", &["one"]),
        ("extra_skill_dirs = [\"~/y\"]\nextraSkillDirs = 5", &[]),
        ("extra_Skill_dirs = [\"~/y\"]", &[]),
    ] {
        test.write("home/.kimi-code/config.toml", text);
        test.workspace = test.workspace.reread();
        let seen = seen(&test);
        let names: Vec<_> = seen.iter().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names, expected, "{text}");
        let is_faulty = text.ends_with('5');
        assert_eq!(alarms(&test).len(), usize::from(is_faulty), "{text}");
    }
}
