use super::*;
use crate::hosts::test_support::{self, Golden, Project, User, alarms, roots, seen, test};
use crate::workspace::fixture::TestWorkspace;

#[test]
fn the_nearest_directory_comes_first_and_the_person_last() {
    let test = test(&DROID, &["repo/.factory/skills/one"]).through(&DROID, &[], "repo/a");
    let expected = ["repo/a", "repo", "home"].into_iter().flat_map(|folder| {
        let scope = if folder == "home" { "user" } else { "repo" };
        FOLDERS.map(|skills| format!("{folder}/{skills} {scope}"))
    });
    assert_eq!(roots(&test), expected.collect::<Vec<_>>());
}

#[test]
fn a_variable_names_the_persons_folder_and_the_home_directory_is_no_project() {
    let elsewhere = test(&DROID, &[]).from("repo", &[("FACTORY_HOME_OVERRIDE", "other")]);
    assert_eq!(roots(&elsewhere)[3], "repo/other/.factory/skills user");
    let at_home = test(&DROID, &[]).through(&DROID, &[], "home");
    assert_eq!(roots(&at_home).len(), 3);
    assert_eq!(roots(&at_home)[0], "home/.factory/skills user");
}

#[test]
fn a_refused_skill_shadows_others_of_its_name() {
    let mut test = test(&DROID, &["home/.agents/skills/one", "home/.agents/skills/two"]);
    test.write("repo/.factory/skills/x/SKILL.md", "---\nname: ONE\ndescription: d\n---\nBody\n");
    test.write("repo/.factory/skills/two/SKILL.md", "---\ndescription: d\n---\nBody\n");
    test.workspace = test.workspace.reread();
    let expected = [
        "ONE refused name-case",
        "one off no deny by repo/.factory/skills/x/SKILL.md",
        "two on full allow default",
        "two refused name-missing",
    ];
    let mut seen = seen(&test);
    seen.sort();
    assert_eq!(seen, expected);
}

#[test]
fn a_plain_file_is_shadowed_by_one_that_only_droid_calls_so() {
    let mut test = test(&DROID, &["home/.agents/skills/unknown", "home/.agents/skills/gr-e"]);
    test.write("repo/.factory/skills/x/SKILL.md", "---\ndescription: d\n---\nBody\n");
    test.write("repo/.factory/skills/y/SKILL.md", "---\nname: größe\ndescription: d\n---\nBody\n");
    test.workspace = test.workspace.reread();
    let seen = seen(&test);
    for (name, place) in [("unknown", "x"), ("gr-e", "y")] {
        let line = format!("{name} off no deny by repo/.factory/skills/{place}/SKILL.md");
        assert!(seen.contains(&line), "{seen:?}");
    }
}

#[test]
fn of_one_name_in_a_root_the_first_in_a_dictionary_is_taken() {
    let mut test = test(&DROID, &[]);
    for folder in ["B", "a_b", "a-b", "ab"] {
        let path = format!("repo/.factory/skills/{folder}/SKILL.md");
        test.write(&path, "---\nname: one\ndescription: d\n---\nBody\n");
    }
    test.workspace = test.workspace.reread();
    let by = "by repo/.factory/skills/a_b/SKILL.md";
    assert_eq!(
        seen(&test).iter().filter(|line| line.ends_with(by)).count(),
        3,
        "{:?}",
        seen(&test)
    );
}

#[test]
fn names_are_off_in_any_spelling_and_a_local_list_replaces_the_one_beside_it() {
    let skills =
        ["one", "two-x", "three", "four"].map(|name| format!("repo/.agents/skills/{name}"));
    let mut test = test(&DROID, &skills.each_ref().map(String::as_str));
    test.write("home/.factory/settings.json", "// mine\n{\"disabledSkills\":[\"Two X!\"]}");
    test.write("repo/.factory/settings.json", r#"{"disabledSkills":["one","three"]}"#);
    test.write("repo/.factory/settings.local.json", r#"{"disabledSkills":["three"]}"#);
    test.workspace = test.workspace.reread();
    let off = |test: &TestWorkspace| {
        let seen = seen(test).into_iter().filter(|line| line.contains(" off "));
        seen.map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(off(&test), ["three", "two-x"]);
    test.write("repo/.factory/settings.local.json", r#"{"disabledSkills":["three",]}"#);
    test.workspace = test.workspace.reread();
    assert_eq!(off(&test), ["one", "three", "two-x"]);
    assert!(alarms(&test)[0].ends_with("Droid ignores the whole file"), "{:?}", alarms(&test));
}

#[test]
fn a_list_with_something_else_than_texts_denies_everything() {
    let mut test = test(&DROID, &["repo/.agents/skills/one"]);
    for value in ["5", "[5]", "{}", "[\"one\", null]"] {
        test.write("repo/.factory/settings.json", &format!("{{\"disabledSkills\":{value}}}"));
        test.workspace = test.workspace.reread();
        assert!(seen(&test)[0].contains(" deny "), "{value}: {:?}", seen(&test));
    }
}

#[test]
fn a_switch_is_a_name_in_the_file_that_counts() {
    let mut test = test(&DROID, &["repo/.agents/skills/one"]);
    for (layer, file) in
        [(Project, "repo/.factory/settings.json"), (User, "home/.factory/settings.json")]
    {
        let golden = Golden {
            file,
            place: Some(layer),
            before: "{\n  // mine\n  \"disabledSkills\": [\"two\"]\n}\n",
            after: "{\n  // mine\n  \"disabledSkills\": [\"two\", \"one\"]\n}\n",
        };
        golden.check(&mut test, |test, layer| {
            test_support::switch(test, "one", Enablement::Off, layer)
        });
        let golden = Golden {
            before: "{\"disabledSkills\": [\"ONE\", \"two\"]}",
            after: "{\"disabledSkills\": [\"two\"]}",
            ..golden
        };
        golden.check(&mut test, |test, layer| {
            test_support::switch(test, "one", Enablement::On, layer)
        });
    }
    let local = "repo/.factory/settings.local.json";
    test.write(local, r#"{"disabledSkills":[]}"#);
    test.workspace = test.workspace.reread();
    test_support::switch(&mut test, "one", Enablement::Off, Project).unwrap();
    assert_eq!(test.read(local), r#"{"disabledSkills":["one"]}"#);
}

#[test]
fn a_carriage_return_alone_ends_a_comment() {
    let mut test = test(&DROID, &["repo/.factory/skills/one", "repo/.factory/skills/two"]);
    let text = "{// \"disabledSkills\": []\r\"disabledSkills\": [\"two\"],\n\"a\":1}";
    test.write("home/.factory/settings.json", text);
    let off = seen(&test).into_iter().find(|line| line.contains(" off ")).unwrap();
    assert!(off.starts_with("two off"), "{off}");
    // Not all programs read it so, and we do not edit it.
    let refused = test_support::switch(&mut test, "one", crate::catalog::Enablement::Off, User);
    assert!(refused.unwrap_err().contains("carriage return"));
    assert_eq!(test.read("home/.factory/settings.json"), text);
    test.write("home/.factory/settings.json", "{// a\u{a0}b\n\"disabledSkills\": []}");
    test_support::switch(&mut test, "one", crate::catalog::Enablement::Off, User).unwrap();
}
