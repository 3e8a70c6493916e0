use crate::catalog::Enablement::{Off, On};
use crate::hosts::test_support::{self, Golden, Project, User, judged, roots, seen, switch};
use crate::hosts::{Installed, QWEN, Version};
use crate::workspace::fixture::TestWorkspace;

const HERE: &str = "repo/.qwen/settings.json";
const HOME: &str = "home/.qwen/settings.json";

fn test() -> TestWorkspace {
    test_support::test(&QWEN, &["repo/.agents/skills/pdf", "home/.qwen/skills/zip"])
}

#[test]
fn the_working_directory_and_the_persons_and_what_settings_name() {
    let mut test = test().from("repo/a", &[]);
    let expected = [
        "repo/a/.qwen/skills repo",
        "repo/a/.agents/skills repo",
        "home/.qwen/skills user",
        "home/.agents/skills user",
    ];
    assert_eq!(roots(&test), expected);
    test.write(
        HOME,
        "{\"skills\": {\"directories\": [\"~/more\"], \"disabledLevels\": [\"project\"]}}",
    );
    assert_eq!(roots(&test), [expected[2], expected[3], "home/more user"]);
    let test = test.from("repo", &[("QWEN_HOME", "~/other")]);
    assert_eq!(roots(&test)[2..], ["home/other/skills user", "home/.agents/skills user"]);
    let test = test.from("home", &[]);
    assert!(
        roots(&test).iter().all(|root| root.ends_with(" user")),
        "the home directory is no project"
    );
}

#[test]
fn the_first_of_a_name_wins_and_children_alone_count() {
    let test = TestWorkspace::with(&[
        ("home/.qwen/skills/dup", "dup"),
        ("repo/.agents/skills/dup", "dup"),
        ("repo/.qwen/skills/.hidden", "hidden"),
        ("repo/.qwen/skills/a/deep", "deep"),
    ]);
    let by = "dup off no deny by repo/.agents/skills/dup/SKILL.md";
    assert_eq!(
        seen(&test.through(&QWEN, &[], "repo")),
        ["dup on full allow default", "hidden on full allow default", by]
    );
}

#[test]
fn disabled_beats_enabled_beats_default_disabled() {
    let mut test = test();
    test.write(
        HOME,
        "{ // mine\n\"skills\": {\"disabled\": [\" ZIP \", 1],\n\"defaultDisabled\": [\"pdf\"]}}",
    );
    assert_eq!(
        seen(&test),
        [format!("pdf off no deny {HOME}:3"), format!("zip off no deny {HOME}:2")]
    );
    test.write(HERE, "{\"skills\": {\"enabled\": [\"PDF\", \"zip\"]}}");
    assert_eq!(
        seen(&test),
        ["pdf on full allow default".to_owned(), format!("zip off no deny {HOME}:2")]
    );
    test.write(
        HOME,
        "{\"security\": {\"folderTrust\": {\"enabled\": true}}, \"skills\": {\"defaultDisabled\": [\"pdf\"]}}",
    );
    assert_eq!(
        seen(&test)[0],
        format!("pdf off no deny {HOME}:1"),
        "what is not trusted enables nothing"
    );
    let repo = test.text("repo");
    test.write("home/.qwen/trustedFolders.json", &format!("{{\"{repo}\": \"TRUST_FOLDER\"}}"));
    assert_eq!(seen(&test)[0], "pdf on full allow default");
}

#[test]
fn lists_are_joined_as_qwen_joins_its_files() {
    let mut test = test();
    let off = |test: &TestWorkspace| {
        let rows = seen(test);
        let off = rows.iter().filter(|row| row.contains(" off "));
        off.map(|row| row.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    for (own, project, wanted) in [
        (r#"{"skills": {"disabled": ["zip"]}}"#, r#"{"skills": {"disabled": ["pdf"]}}"#, "pdf zip"),
        (r#"{"skills": {"disabled": ["zip"]}}"#, r#"{"skills": {"disabled": "pdf"}}"#, "pdf zip"),
        (r#"{"skills": {"disabled": "zip"}}"#, r#"{"skills": {"disabled": ["pdf"]}}"#, "pdf"),
        (r#"{"skills": {"disabled": ["zip"]}}"#, r#"{"skills": []}"#, ""),
        (r#"{"skills": {"disabled": ["zip"]}}"#, r#"{"skills": {}}"#, "zip"),
        (r#"{"skills": {"disabled": ["pdf"], "disabled": ["zip"]}}"#, "{}", "zip"),
        // A project's broken file is set aside; every other one, and what is no object, stops it.
        (r#"{"skills": {"disabled": ["zip"]}}"#, "{,}", "zip"),
        ("{}", "[]", "pdf zip"),
        ("{,}", "{}", "pdf zip"),
        (" \n", "{}", "pdf zip"),
        ("{}", " \n", ""),
    ] {
        test.write(HOME, own);
        test.write(HERE, project);
        let denied = test.view().policy.rules.iter().any(|rule| rule.is_alarm());
        let found = if denied { "pdf zip".to_owned() } else { off(&test) };
        assert_eq!(found, wanted, "{own} {project}");
    }
}

#[test]
fn a_skill_may_keep_itself_from_the_model_or_the_person() {
    let mut test = test();
    let mut skill = |name: &str, word: &str| {
        let text = format!("---\nname: {name}\ndescription: d\n{word}\n---\n");
        test.write(&format!("repo/.qwen/skills/{name}/SKILL.md"), &text);
    };
    skill("mine", "disable-model-invocation: true");
    skill("models", "user-invocable: false");
    let view = test.view();
    let user = |name: &str| {
        view.rows.entries().find(|entry| entry.skill.name == name).unwrap().verdict.user.value
    };
    assert_eq!((user("mine"), user("models")), (true, false));
    assert_eq!(
        seen(&test)[..2],
        ["mine user-only no deny disable-model-invocation", "models on full allow default"]
    );
}

#[test]
fn a_name_more_or_less_and_what_is_off_by_default() {
    let mut test = test();
    let fresh = "{\n  \"$version\": 4,\n  \"skills\": {\n    \"disabled\": [\n      \"pdf\"\n    ]\n  }\n}\n";
    let rows = [
        (HERE, Some(Project), "", Off, fresh),
        (
            HOME,
            Some(User),
            "{ // a\n  \"skills\": {\"disabled\": [\"zip\"]}\n}",
            Off,
            "{ // a\n  \"skills\": {\"disabled\": [\"zip\", \"pdf\"]}\n}",
        ),
        (
            HERE,
            Some(Project),
            "{\"skills\":{\"disabled\":[\"Pdf\"]}}",
            On,
            "{\"skills\":{\"disabled\":[]}}",
        ),
        (
            HERE,
            Some(Project),
            "{\"skills\":{\"defaultDisabled\":[\"pdf\"]}}",
            On,
            "{\"skills\":{\"defaultDisabled\":[\"pdf\"],\"enabled\":[\"pdf\"]}}",
        ),
    ];
    for (file, place, before, to, after) in rows {
        Golden { file, place, before, after }
            .check(&mut test, |test, place| switch(test, "pdf", to, place));
    }
    test.write(HOME, "{\"skills\":{\"disabled\":[\"pdf\"]}}");
    let sentence = "it stays off because of skills.disabled \"pdf\" (home/.qwen/settings.json:1); Qwen Code joins the lists of all its settings files";
    assert_eq!(switch(&mut test, "pdf", On, Project), Err(sentence.to_owned()));
}

#[test]
fn older_versions_ignore_the_lists() {
    let installed = |version: &str| Installed { program: None, version: Version::find(version) };
    let older = QWEN.fitting(Some(&installed("0.15.10")));
    assert!(older.control.switch.is_none() && older.control.states.is_empty());
    assert!(QWEN.fitting(Some(&installed("0.24.4"))).control.switch.is_some());
    let mut test = test().through(older, &[], "repo");
    test.write(HERE, "{\"skills\":{\"disabled\":[\"pdf\"]}}");
    assert_eq!(seen(&test)[0], "pdf on full allow default");
    assert_eq!(
        switch(&mut test, "pdf", Off, None),
        Err("Qwen Code does not have a switch for one skill".to_owned())
    );
}

/// What the program lists; the model still has the skill.
#[test]
fn a_disabled_command_keeps_a_person_from_the_skill_and_not_the_model() {
    let mut test = test();
    let calls = |test: &TestWorkspace| [judged(test, "pdf").0, judged(test, "zip").0];
    let (on, uncalled) = ("full allow yes".to_owned(), "full allow no".to_owned());
    assert_eq!(calls(&test), [on.clone(), on.clone()]);
    for said in [
        r#"{"slashCommands": {"disabled": [" ZIP "]}}"#,
        r#"{"env": {"QWEN_DISABLED_SLASH_COMMANDS": "other, Zip"}}"#,
    ] {
        test.write(HOME, said);
        assert_eq!(calls(&test), [on.clone(), uncalled.clone()], "{said}");
    }
    test.write(HERE, r#"{"slashCommands": {"disabled": ["pdf"]}}"#);
    test.write(HOME, r#"{"slashCommands": {"disabled": ["zip"]}}"#);
    assert_eq!(calls(&test), [uncalled.clone(), uncalled.clone()], "the lists are joined");
    let variable = ("QWEN_DISABLED_SLASH_COMMANDS", "pdf");
    let there = TestWorkspace::with(&[("repo/.qwen/skills/pdf", "pdf")]);
    let there = there.through(&QWEN, &[variable], "repo");
    assert_eq!(judged(&there, "pdf").0, uncalled);
    let view = there.view();
    let entry = &view.rows[0].entry;
    assert!(!entry.pickable() && entry.is_on(), "{entry:?}");
    let refusal = entry.refusal(view.host_label()).unwrap();
    assert_eq!((refusal.code, refusal.cure), ("not_for_people", None));
}

/// What the program lists.
#[test]
fn in_safe_mode_there_are_no_skills_but_its_own() {
    for (value, count) in [("1", 0), (" On ", 0), ("true", 0), ("0", 1), ("maybe", 1)] {
        let test = TestWorkspace::with(&[("home/.qwen/skills/zip", "zip")]);
        let mut test = test.through(&QWEN, &[("QWEN_CODE_SAFE_MODE", value)], "repo");
        assert_eq!(seen(&test).len(), count, "{value}");
        let closed = roots(&test).iter().filter(|root| root.contains("safe mode")).count();
        assert_eq!(closed, if count == 0 { 4 } else { 0 }, "{value}: {:?}", roots(&test));
        test = test.through(&QWEN, &[], "repo");
        test.write(
            "home/.qwen/settings.json",
            &format!(r#"{{"env": {{"QWEN_CODE_SAFE_MODE": "{value}"}}}}"#),
        );
        assert_eq!(seen(&test).len(), count, "{value} in its settings");
    }
}
