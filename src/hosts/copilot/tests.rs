use crate::catalog::Enablement::{Off, On};
use crate::hosts::COPILOT;
use crate::hosts::test_support::{self, Golden, Project, User, alarms, roots, seen, switch};
use crate::workspace::fixture::TestWorkspace;

const USER: &str = "home/.copilot/settings.json";

fn test() -> TestWorkspace {
    test_support::test(&COPILOT, &["repo/.github/skills/pdf", "home/.copilot/skills/zip"])
}

#[test]
fn each_kind_of_folder_on_the_way_up_then_the_persons() {
    let mut test = test().from("repo/a", &[]);
    let expected = [
        "repo/a/.github/skills repo",
        "repo/.github/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.agents/skills repo",
        "repo/a/.claude/skills repo",
        "repo/.claude/skills repo",
        "home/.copilot/skills user",
        "home/.agents/skills user",
    ];
    assert_eq!(roots(&test), expected);
    test.write(USER, "{\"skillDirectories\": [\" more\", \"~/x\"]}");
    assert_eq!(roots(&test)[8..], ["repo/a/more user", "repo/a/~/x user"]);
    test.write(USER, "{\"skillDirectories\": [\"more\", 5]}");
    assert_eq!(roots(&test).len(), 8, "a value of a wrong type, and the file does not count");
    let elsewhere = test.from("repo", &[("COPILOT_HOME", "test/other")]);
    assert_eq!(roots(&elsewhere)[3..], ["other/skills user"]);
    let outside = elsewhere.from("home", &[]);
    let found = roots(&outside);
    assert!(
        found.contains(&"/.github/skills repo".to_owned()),
        "without a repository up to the top: {found:?}"
    );
    assert!(found.contains(&"home/.agents/skills user".to_owned()));
}

#[test]
fn on_the_way_up_the_persons_agents_folder_counts_in_its_place_and_claudes_not_at_all() {
    let test = TestWorkspace::with(&[
        ("home/.claude/skills/only-claudes", "only-claudes"),
        ("home/.agents/skills/both", "both"),
        ("home/.copilot/skills/both", "both"),
        ("home/code/.claude/skills/both", "both"),
        ("home/code/.claude/skills/near", "near"),
    ]);
    let expected = [
        "both off no deny by home/.agents/skills/both/SKILL.md",
        "near on full allow default",
        "both on full allow default",
        "both off no deny by home/.agents/skills/both/SKILL.md",
    ];
    let test = test.through(&COPILOT, &[], "home/code/sub");
    assert_eq!(seen(&test), expected);
    let test = test.from("home", &[]);
    assert_eq!(roots(&test).iter().filter(|root| root.starts_with("home/.claude/")).count(), 0);
}

#[test]
fn the_first_of_a_name_wins_and_deep_ones_count() {
    let test = TestWorkspace::with(&[
        ("home/.copilot/skills/dup", "dup"),
        ("repo/.claude/skills/dup", "dup"),
        ("repo/.github/skills/a/node_modules/deep", "deep"),
        ("repo/.agents/skills/dup", "dup"),
        ("repo/.agents/skills/dup/inner", "inner"),
        ("repo/.agents/skills/.hidden", "hidden"),
    ]);
    let expected = [
        "deep on full allow default",
        "dup on full allow default",
        "dup off no deny by repo/.agents/skills/dup/SKILL.md",
        "dup off no deny by repo/.agents/skills/dup/SKILL.md",
    ];
    assert_eq!(seen(&test.through(&COPILOT, &[], "repo")), expected);
}

#[test]
fn in_a_root_the_first_path_as_text_wins_and_its_own_skill_hides_the_others() {
    let mut test = TestWorkspace::with(&[
        ("repo/.agents/skills/a", "dup"),
        ("repo/.agents/skills/a-b", "dup"),
        ("repo/.agents/skills/a/z", "inner"),
    ])
    .through(&COPILOT, &[], "repo");
    let by = "dup off no deny by repo/.agents/skills/a-b/SKILL.md";
    assert_eq!(seen(&test), [by, "dup on full allow default"]);
    test.write("repo/.agents/skills/SKILL.md", "---\nname: top\ndescription: d\n---\n");
    assert_eq!(seen(&test), ["top on full allow default"]);
}

#[test]
fn only_the_persons_list_counts_and_to_the_letter() {
    let mut test = test();
    let odd =
        "{ // mine\n  \"disabledSkills\": [\n    \"pdf\",\n    \"ZIP\",\n    \" zip \",\n  ],\n}\n";
    test.write(USER, odd);
    test.write("repo/.github/copilot/settings.json", "{ \"disabledSkills\": [\"zip\"] }");
    assert_eq!(
        seen(&test),
        ["pdf off no deny home/.copilot/settings.json:3", "zip on full allow default"]
    );
    for wrong in ["\"disabledSkills\": \"pdf\"", "\"disabledSkills\": [\"pdf\"], \"model\": 5"] {
        test.write(USER, &format!("{{ {wrong} }}"));
        let on = ["pdf on full allow default", "zip on full allow default"];
        assert_eq!(seen(&test), on, "the whole file is ignored: {wrong}");
    }
}

#[test]
fn a_key_counts_in_every_spelling_and_the_last_one_of_several() {
    let mut test = test();
    let say = |test: &TestWorkspace| {
        seen(test).into_iter().filter(|line| line.contains(" off ")).collect::<Vec<_>>()
    };
    let off = |name: &str, line: u32| format!("{name} off no deny {USER}:{line}");
    test.write(USER, "{\"disabledSkills\": [\"pdf\"],\n\"disabled_skills\": [\"zip\"]}");
    assert_eq!(say(&test), [off("zip", 2)]);
    test.write(USER, "{\"disabledSkills\": [\"pdf\"],\n\"disabled_skills\": 5}");
    assert_eq!(say(&test), [off("pdf", 1)], "a value of a wrong type leaves it to the other");
    test.write(USER, "{\"disabledSkills\": 5,\n\"disabled_skills\": [\"zip\"]}");
    assert_eq!(say(&test), [""; 0], "the whole file is ignored");
    test.write(USER, "{\"skill_directories\": [\"more\"]}");
    assert_eq!(roots(&test)[5..], ["repo/more user"]);
}

#[test]
fn what_it_refuses_takes_and_hides() {
    let mut test = test();
    let mut skill =
        |name: &str, head: &str| test.write(&format!("repo/.agents/skills/{name}/SKILL.md"), head);
    skill("nodesc", "---\nname: nodesc\n---\n");
    skill("colon", "---\nname: colon\ndescription: a: b\n---\n");
    skill("plain", "no frontmatter\n");
    skill(
        "mine",
        "---\nname: mine\ndescription: d\ndisable-model-invocation: true\nuser-invocable: false\n---\n",
    );
    let expected = [
        "colon refused yaml-repaired",
        "mine user-only no deny disable-model-invocation",
        "nodesc on full allow default",
        "pdf on full allow default",
        "plain refused no-frontmatter",
        "zip on full allow default",
    ];
    assert_eq!(seen(&test), expected);
}

#[test]
fn a_name_more_or_less() {
    let mut test = test();
    let rows = [
        ("", Off, "{\n  \"disabledSkills\": [\n    \"pdf\"\n  ]\n}\n"),
        (
            "{ // mine\n  \"theme\": \"dark\", // yes\n}\n",
            Off,
            "{ // mine\n  \"theme\": \"dark\", // yes\n  \"disabledSkills\": [\n    \"pdf\"\n  ],\n}\n",
        ),
        ("{\"disabledSkills\":[\"zip\"]}", Off, "{\"disabledSkills\":[\"zip\",\"pdf\"]}"),
        ("{\"disabledSkills\":[\"pdf\",\"zip\",\"pdf\"]}", On, "{\"disabledSkills\":[\"zip\"]}"),
        ("{\"disabledSkills\":[\"pdf\"]} // end", On, "{\"disabledSkills\":[]} // end"),
        ("{\"disabledSkills\":[\"zip\"]}", On, "{\"disabledSkills\":[\"zip\"]}"),
        ("{\"disabled_skills\":[\"zip\"]}", Off, "{\"disabled_skills\":[\"zip\",\"pdf\"]}"),
        (
            "{\"disabledSkills\":[],\"DisabledSkills\":[\"pdf\"]}",
            On,
            "{\"disabledSkills\":[],\"DisabledSkills\":[]}",
        ),
        (
            "{\"disabled_skills\":[],\"disabledSkills\":[\"zip\"]}",
            Off,
            "{\"disabled_skills\":[],\"disabledSkills\":[\"zip\",\"pdf\"]}",
        ),
    ];
    for (before, to, after) in rows {
        Golden { file: USER, place: None, before, after }
            .check(&mut test, |test, place| switch(test, "pdf", to, place));
    }
}

#[test]
fn the_repositorys_file_is_not_written() {
    let mut test = test();
    let sentence = "Copilot CLI ignores its project settings file: Copilot reads disabledSkills from the user file only";
    assert_eq!(switch(&mut test, "pdf", Off, Some(Project)), Err(sentence.to_owned()));
    test.write(USER, "{\"disabledSkills\": [\"pdf\"");
    let refused = switch(&mut test, "pdf", On, Some(User)).unwrap_err();
    assert!(refused.contains("until line 1 is mended: "), "{refused}");
    test.write(USER, "{\n  \"disabledSkills\": [1, \"zip\"]\n}\n");
    for to in [On, Off] {
        let refused = switch(&mut test, "pdf", to, Some(User)).unwrap_err();
        assert!(
            refused.contains("not edited until line 2 is mended: a value has the wrong type"),
            "{refused}"
        );
    }
}

/// What the program lists.
#[test]
fn blanks_that_are_not_jsons_count_and_such_a_file_is_not_edited() {
    let mut test = test();
    for text in [
        "{\u{a0}\"disabledSkills\": [\"pdf\"]}",
        "{\"model\": \"a\tb\",\"disabledSkills\":[\"pdf\"]}",
    ] {
        test.write(USER, text);
        assert_eq!(seen(&test)[0], format!("pdf off no deny {USER}:1"), "{text}");
        assert!(alarms(&test)[0].contains("it is read as Copilot CLI reads it"), "{text}");
        assert!(switch(&mut test, "pdf", On, User).is_err());
        assert_eq!(test.read(USER), text);
    }
}
