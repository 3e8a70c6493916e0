use super::*;
use crate::catalog::{Enablement, RootState};
use crate::hosts::test_support::{roots, switch};
use crate::workspace::fixture::TestWorkspace;

const FILE: &str = "repo/config.toml";
const ON: &str = "version = 2\n[app.skills]\nenabled = true\n";

fn test(skills: &[(&str, &str)], settings: &str) -> TestWorkspace {
    let mut test = TestWorkspace::with(skills).through(&REMCOCHAT, &[], "repo");
    test.write(FILE, settings);
    test
}

#[test]
fn rem_3_1_four_folders_unless_the_file_lists_others() {
    let expected = [
        "repo/.skills repo",
        "repo/.agents/skills repo",
        "home/.agents/skills user",
        "home/.remcochat/skills user",
    ];
    assert_eq!(roots(&test(&[], ON)), expected);
    assert_eq!(
        roots(&test(&[], &format!("{ON}directories = [\" \"]\n"))),
        expected,
        "none is the usual ones"
    );
    assert_eq!(REMCOCHAT.limits.entries, Some(200));
}

#[test]
fn agents_skills_means_that_of_every_folder_up_the_tree() {
    // Its first version read the working directory's alone; we follow the newer one.
    let mut test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]).through(
        &REMCOCHAT,
        &[],
        "repo/a/b",
    );
    test.write("repo/a/b/config.toml", &format!("{ON}directories = [\".agents/skills/\"]\n"));
    let expected = ["repo/a/b/.agents/skills repo", "repo/.agents/skills repo"];
    assert_eq!(roots(&test), expected);
}

#[test]
fn rem_3_1b_a_folder_is_absolute_from_here_or_from_home() {
    let listed = "directories = [\"/srv/skills\", \"tools/\", \"../home/x\", \"~/mine\", \"~\", \"./tools\"]\n";
    let found = roots(&test(&[], &format!("{ON}{listed}")));
    let expected =
        ["/srv/skills user", "repo/tools repo", "home/x user", "home/mine user", "home user"];
    assert_eq!(found, expected);
}

#[test]
fn rem_3_2_the_first_folder_wins_and_the_losers_are_recorded() {
    let skills = [
        ("home/.remcochat/skills/pdf", "pdf"),
        ("repo/.skills/pdf", "pdf"),
        ("repo/.agents/skills/pdf", "pdf"),
    ];
    let view = test(&skills, ON).view();
    let kept: Vec<_> = view.rows.entries().filter(|entry| entry.shadowed_by.is_none()).collect();
    assert_eq!(
        (view.rows.len(), kept.len(), kept[0].skill.description.as_str()),
        (3, 1, "in repo/.skills/pdf")
    );
    assert!(view.rows.entries().all(|entry| entry.same_name == 3));
    let turned = format!("{ON}directories = [\"~/.remcochat/skills\", \"./.skills\"]\n");
    let view = test(&skills, &turned).view();
    let kept = view.rows.entries().find(|entry| entry.shadowed_by.is_none()).unwrap();
    assert_eq!(kept.skill.description, "in home/.remcochat/skills/pdf");
}

#[test]
fn rem_3_3_skills_are_off_until_the_file_turns_them_on() {
    let skills = [("repo/.skills/pdf", "pdf")];
    for settings in [
        "",
        "version = 2\n",
        "version = 2\n[app.skills]\n",
        "version = 2\n[app.skills]\nenabled = false\n",
    ] {
        let view = test(&skills, settings).view();
        assert_eq!(
            (view.rows.len(), view.roots.len(), view.policy.skills_enabled.value),
            (0, 0, false),
            "{settings}"
        );
    }
    let policy = test(&skills, "").view().listing.policy;
    assert_eq!(policy.skills_enabled.origin, Origin::Host("RemcoChat's own default"));
    let off = test(&skills, "version = 2\n[app.skills]\nenabled = false\n").view().listing.policy;
    assert_eq!(off.skills_enabled.origin.place().map(|(_, line)| line), Some(3));
}

#[test]
fn a_file_that_it_does_not_start_with_turns_nothing_on() {
    for settings in [
        "version = 2\n[app.skills]\nenabled = \"true\"\n",
        "version = 2\n[app.skills]\nenabled = true\ndirectories = \"./x\"\n",
        "version = 2\n[app.skills]\nenabled = true\ndirectories = [1]\n",
        "version = 2\n[app.skills\nenabled = true\n",
    ] {
        let view = test(&[("repo/.skills/pdf", "pdf")], settings).view();
        assert_eq!((view.rows.len(), view.policy.alarms.len()), (0, 1), "{settings}");
    }
}

/// As the seed prints it.
const BLOCK: &str = "[app.skills]\nenabled = true\ndirectories = [\n  \"./.skills\",\n  \"./.agents/skills\",\n  \
                     \"~/.agents/skills\",\n  \"~/.remcochat/skills\",\n]\nmax_skills = 2\n\
                     max_skill_md_bytes = 200000\nmax_resource_bytes = 2000000\n";

#[test]
fn rem_3_1_the_block_is_read_as_the_seed_prints_it_and_another_version_is_told() {
    let skills = [("repo/.skills/a", "a"), ("repo/.skills/b", "b"), ("repo/.skills/c", "c")];
    for version in ["", "version = 1\n", "version = 2\n"] {
        let view = test(&skills, &format!("{version}{BLOCK}")).view();
        assert_eq!((view.rows.len(), view.roots.len()), (2, 4), "{version}");
        let told = usize::from(version != "version = 2\n");
        assert_eq!(view.policy.alarms.len(), told, "{version}");
        assert_eq!(view.limits().entries, Some(2), "{version}");
    }
    let view = test(&skills, &format!("{ON}max_skills = \"many\"\n")).view();
    assert_eq!((view.policy.alarms.len(), view.limits().entries), (1, Some(200)));
}

fn names(view: &crate::workspace::View) -> Vec<&str> {
    view.rows.entries().map(|entry| entry.skill.name.as_str()).collect()
}

#[test]
fn rem_3_1_its_search_ends_with_the_last_skill_that_it_takes() {
    // The last of a folder comes first, and what lies in it after it.
    let skills = [
        ("repo/.skills/a", "a"),
        ("repo/.skills/c", "c"),
        ("repo/.skills/c/b", "b"),
        ("repo/.skills/d", "other"),
        ("repo/.agents/skills/c", "c"),
        ("repo/.agents/skills/z", "z"),
    ];
    let with = |most: usize| test(&skills, &format!("{ON}max_skills = {most}\n"));
    for (most, seen, dropped) in [
        (1, &["c", "other"][..], 4),
        (2, &["b", "c", "other"], 3),
        (3, &["a", "b", "c", "other"], 2),
        (4, &["a", "b", "c", "other", "z"], 1),
        (5, &["a", "b", "c", "c", "other", "z"], 0),
    ] {
        let view = with(most).view();
        assert_eq!(names(&view), seen, "{most}");
        let cuts: Vec<_> = view.cuts.iter().map(|cut| (cut.limit.word(), cut.dropped)).collect();
        let cut = ("skills", dropped);
        assert_eq!(cuts, if dropped > 0 { vec![cut] } else { Vec::new() }, "{most}");
    }
    let none = names(&with(0).view()).len();
    assert_eq!(none, 2, "it takes at least one");
    // What lies behind is unknown, and the limit is named.
    let mut test = with(1);
    let view = test.view();
    let cwd = test.workspace.context.cwd.clone();
    assert!(crate::workspace::resolve(&view, "/a", None, &cwd).is_err());
    let message = view.cuts[0].message();
    assert_eq!(message, "RemcoChat ends its search after 1 skill: 4 beyond are not seen");
    // Other settings make another search.
    test.write(FILE, &format!("{ON}max_skills = 3\n"));
    let again = test.workspace.reread();
    assert_eq!(names(&again.rejudge(&view)), ["a", "b", "c", "other"]);
}

#[test]
fn rem_3_2_within_a_folder_the_last_of_a_name_wins() {
    let skills = [("repo/.skills/a/pdf", "pdf"), ("repo/.skills/b/pdf", "pdf")];
    let view = test(&skills, ON).view();
    let kept = view.rows.entries().find(|entry| entry.shadowed_by.is_none()).unwrap();
    assert_eq!(kept.skill.description, "in repo/.skills/b/pdf");
}

#[test]
fn rem_4_3_what_is_too_long_or_has_other_signs_is_refused_with_its_reason() {
    let mut test = test(&[("repo/.skills/a_b", "a_b")], ON);
    let long = "x".repeat(65);
    let write = |test: &mut TestWorkspace, name: &str, text: &str| {
        let file = format!("---\nname: {name}\ndescription: {text}\n---\nBody\n");
        test.write(&format!("repo/.skills/{name}/SKILL.md"), &file);
    };
    write(&mut test, &long, "d");
    write(&mut test, "b", &"x".repeat(1_025));
    write(&mut test, "c", &"😀".repeat(600));
    write(&mut test, "d", &format!("|\n  {}", "x".repeat(1_024)));
    let view = test.view();
    let codes: Vec<_> =
        view.rows.entries().map(|entry| entry.refused.map(|check| check.code)).collect();
    let wanted = ["name-chars", "desc-length", "host-parser", "", "name-length"];
    let codes: Vec<&str> = codes.into_iter().map(Option::unwrap_or_default).collect();
    assert_eq!(codes, wanted);
}

#[test]
fn the_environment_names_the_settings_file() {
    let skills = [("repo/.skills/pdf", "pdf")];
    let variables = [("REMCOCHAT_CONFIG_PATH", " ../mine.toml ")];
    let mut test = TestWorkspace::with(&skills).through(&REMCOCHAT, &variables, "repo");
    test.write(FILE, ON);
    assert_eq!(test.view().rows.len(), 0);
    test.write("mine.toml", ON);
    assert_eq!(test.view().rows.len(), 1);
}

#[test]
fn rem_4_1_a_missing_folder_is_skipped_and_the_files_name_is_exact() {
    let mut test = test(&[("repo/.skills/pdf", "pdf")], ON);
    test.write("repo/.skills/lower/skill.md", "---\nname: lower\ndescription: not so named\n---\n");
    let view = test.view();
    assert_eq!(
        view.rows
            .entries()
            .map(|entry| (entry.skill.name.as_str(), entry.refused.map(|check| check.code)))
            .collect::<Vec<_>>(),
        [("lower", Some("file-case")), ("pdf", None)]
    );
    assert_eq!(view.roots[1].state, RootState::Missing);
}

#[test]
fn its_folders_are_searched_as_trees() {
    // Its document asks for immediate children; the program searches the whole tree, and we follow
    // it.
    let skills = [("repo/.skills/pdf", "pdf"), ("repo/.skills/.deep/down/zip", "zip")];
    let view = test(&skills, ON).view();
    let names: Vec<_> = view.rows.entries().map(|entry| entry.skill.name.as_str()).collect();
    assert_eq!(names, ["pdf", "zip"]);
}

#[test]
fn rem_4_3_names_are_strict_and_equal_the_directorys() {
    let skills = [
        ("repo/.skills/a", "a"),
        ("repo/.skills/b", "other"),
        ("repo/.skills/C", "C"),
        ("repo/.skills/d--d", "d--d"),
        ("repo/.skills/e-", "e-"),
        ("repo/.skills/é", "é"),
    ];
    let view = test(&skills, ON).view();
    let codes: Vec<_> =
        view.rows.entries().map(|entry| entry.refused.map(|check| check.code)).collect();
    let expected = [
        "name-case",
        "",
        "name-double-hyphen",
        "name-hyphen-edge",
        "name-dir-mismatch",
        "name-ascii",
    ];
    assert_eq!(codes.iter().map(|code| code.unwrap_or_default()).collect::<Vec<_>>(), expected);
}

#[test]
fn rem_13_there_is_no_switch_for_one_skill() {
    let mut test = test(&[("repo/.skills/pdf", "pdf")], ON);
    let refusal = switch(&mut test, "pdf", Enablement::Off, None).unwrap_err();
    assert_eq!(refusal, "RemcoChat does not have a switch for one skill");
    assert_eq!(REMCOCHAT.mention, crate::hosts::MentionForm::Start("/"));
}
