use crate::catalog::Enablement::{Off, On};
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::hosts::GEMINI;
use crate::hosts::test_support::{
    self, Golden, Project, User, permit, roots, seen, set_rules, switch,
};
use crate::policy::Rule;
use crate::workspace::fixture::TestWorkspace;

mod rules;

const HOME: &str = "home/.gemini/settings.json";
const HERE: &str = "repo/.gemini/settings.json";
const TRUST: &str = "home/.gemini/trustedFolders.json";
const POLICY: &str = "home/.gemini/policies/skills.toml";
const TRUSTED: &[(&str, &str)] = &[("GEMINI_CLI_TRUST_WORKSPACE", "true")];

fn test() -> TestWorkspace {
    test_support::test(&GEMINI, &["repo/.agents/skills/pdf", "home/.gemini/skills/zip"])
}

fn trusted() -> TestWorkspace {
    test().from("repo", TRUSTED)
}

#[test]
fn the_working_directory_alone_and_only_when_trusted() {
    let expected = [
        "home/.gemini/skills user",
        "home/.agents/skills user",
        "repo/a/.gemini/skills repo",
        "repo/a/.agents/skills repo",
    ];
    let test = test().from("repo/a", TRUSTED);
    assert_eq!(roots(&test), expected);
    let test = test.from("repo/a", &[("GEMINI_CLI_HOME", "test/other"), TRUSTED[0]]);
    assert_eq!(roots(&test)[..2], ["other/.gemini/skills user", "other/.agents/skills user"]);
    let test = test.from("repo/a", &[]);
    let closed = [
        "repo/a/.gemini/skills repo, the folder is not trusted",
        "repo/a/.agents/skills repo, the folder is not trusted",
    ];
    assert_eq!(roots(&test)[2..], closed);
    assert_eq!(seen(&test), ["zip on full ask default"]);
}

#[test]
fn trust_by_the_file_the_setting_and_the_variables() {
    let closed = |test: &TestWorkspace| roots(test).last().unwrap().ends_with("not trusted");
    let mut test = test();
    assert!(closed(&test));
    let repo = test.text("repo");
    test.write(TRUST, &format!("{{ // mine\n \"{repo}\": \"TRUST_FOLDER\" }}"));
    assert!(!closed(&test));
    let test = test.from("repo", &[("GEMINI_RESTRICTED_MODE", "true")]);
    assert!(closed(&test));
    let mut test = test.from("repo", &[]);
    test.write(TRUST, &format!("{{ \"{repo}/sub\": \"TRUST_PARENT\" }}"));
    assert!(!closed(&test));
    test.write(TRUST, &format!("{{ \"{repo}\": \"DO_NOT_TRUST\" }}"));
    assert!(closed(&test));
    test.write(HERE, "{ \"security\": { \"folderTrust\": { \"enabled\": false } } }");
    assert!(closed(&test), "a folder does not trust itself");
    // What is wrong in the file stops it only where the file decides.
    let wrong = ["{,}".to_owned(), format!("{{ \"{repo}\": \"TRUST_ME\" }}")];
    let stops = |test: &TestWorkspace| test.view().policy.rules.iter().any(Rule::is_alarm);
    for text in &wrong {
        test.write(TRUST, text);
        assert!(stops(&test), "{text}");
    }
    let by = "deny home/.gemini/trustedFolders.json:1";
    assert!(seen(&test).iter().all(|skill| skill.ends_with(by)), "{:?}", seen(&test));
    test.write(HOME, "{ \"security\": { \"folderTrust\": { \"enabled\": false } } }");
    assert!(!closed(&test), "who switches trust off trusts all");
    for text in &wrong {
        test.write(TRUST, text);
        assert!(!stops(&test), "{text}");
    }
    test.write(HOME, "{}");
    let test = test.from("repo", TRUSTED);
    assert!(!stops(&test) && !closed(&test));
}

#[test]
fn a_later_tier_wins_and_case_makes_two_names_of_which_one_switch_takes_both() {
    let test = TestWorkspace::with(&[
        ("home/.gemini/skills/dup", "dup"),
        ("home/.gemini/skills/case", "case"),
        ("repo/.agents/skills/dup", "dup"),
        ("repo/.agents/skills/case", "CASE"),
        ("repo/.agents/skills/a/deep", "deep"),
    ]);
    let mut test = test.through(&GEMINI, &[], "repo").from("repo", TRUSTED);
    let by = "dup off no deny by repo/.agents/skills/dup/SKILL.md";
    assert_eq!(
        seen(&test),
        ["CASE on full ask default", "dup on full ask default", "case on full ask default", by]
    );
    test.write(HOME, "{\"skills\": {\"disabled\": [\n\"Case\"]}}");
    let off = |name: &str| format!("{name} off no deny home/.gemini/settings.json:2");
    assert_eq!((&seen(&test)[0], &seen(&test)[2]), (&off("CASE"), &off("case")));
}

#[test]
fn in_a_root_the_first_folder_is_taken_and_the_roots_own_skill_last() {
    let test = TestWorkspace::with(&[
        ("repo/.agents/skills", "dup"),
        ("repo/.agents/skills/a", "dup"),
        ("repo/.agents/skills/b", "dup"),
    ]);
    let test = test.through(&GEMINI, &[], "repo").from("repo", TRUSTED);
    let by = "dup off no deny by repo/.agents/skills/a/SKILL.md";
    assert_eq!(seen(&test), [by, "dup on full ask default", by]);
}

#[test]
fn names_that_its_parser_reads_are_compared() {
    let mut test = trusted();
    for folder in ["a", "b"] {
        let file = "---\nname: ''\ndescription: d\n---\n";
        test.write(&format!("repo/.agents/skills/{folder}/SKILL.md"), file);
    }
    let found = seen(&test);
    let shadowed = |skill: &&String| skill.ends_with("by repo/.agents/skills/a/SKILL.md");
    assert_eq!(found.iter().filter(shadowed).count(), 1, "{found:?}");
}

#[test]
fn the_lists_of_all_files_are_one_and_all_can_be_off() {
    let mut test = trusted();
    test.write(HOME, "{\n  \"skills\": { \"disabled\": [\"ZIP\"] }\n}");
    test.write(HERE, "{ // here\n  \"skills\": { \"disabled\": [\"pdf\"] }\n}");
    assert_eq!(
        seen(&test),
        [
            "pdf off no deny repo/.gemini/settings.json:2",
            "zip off no deny home/.gemini/settings.json:2"
        ]
    );
    test.write(HERE, "{ \"skills\": { \"enabled\": false } }");
    assert_eq!(seen(&test), Vec::<String>::new(), "no scan at all");
    test.write(HERE, "{ \"skills\": { \"disabled\": [1] } }");
    assert_eq!(seen(&test)[0], "pdf user-only no deny repo/.gemini/settings.json:1");
    let test = test.from("repo", &[]);
    assert_eq!(
        seen(&test),
        ["zip off no deny home/.gemini/settings.json:2"],
        "the folder's file is ignored"
    );
    let mut test = trusted();
    // Of equal keys the later one counts, and blanks around a name make another one.
    test.write(HERE, r#"{"skills": {"disabled": ["zip"]}, "skills": {"disabled": [" pdf"]}}"#);
    test.write(HOME, "{}");
    assert_eq!(seen(&test), ["pdf on full ask default", "zip on full ask default"]);
}

/// As `gemini skills list` was seen to take each of them.
#[test]
fn values_of_other_types_count_as_it_takes_them() {
    let mut test = trusted();
    for on in ["{}", "[]", "\"no\"", "\" false\"", "1", "-1", "null", "true"] {
        test.write(HERE, &format!("{{\"skills\": {{\"enabled\": {on}}}}}"));
        assert_eq!(seen(&test).len(), 2, "{on}");
    }
    for off in ["\"\"", "\"False\"", "0", "0.0", "false"] {
        test.write(HERE, &format!("{{\"skills\": {{\"enabled\": {off}}}}}"));
        assert_eq!(seen(&test), Vec::<String>::new(), "{off}");
    }
    test.write(HERE, r#"{"skills": {"disabled": "pdf"}}"#);
    assert_eq!(seen(&test)[0], "pdf off no deny repo/.gemini/settings.json:1");
    for stops in [
        r#"{"skills": {"disabled": null}}"#,
        r#"{"skills": {"disabled": {"a": "pdf"}}}"#,
        r#"{"skills": {"disabled": [5]}}"#,
        r#"{"security": null}"#,
        r#"{"tools": null}"#,
    ] {
        test.write(HERE, stops);
        assert_eq!(seen(&test)[1], "zip user-only no deny repo/.gemini/settings.json:1", "{stops}");
    }
    // What is no section takes the place of those below.
    test.write(HOME, r#"{"skills": {"disabled": ["pdf"], "enabled": false}, "security": null}"#);
    for other in ["[]", "[\"zip\"]", "null", "\"x\"", "5"] {
        test.write(HERE, &format!("{{\"skills\": {other}, \"security\": {{}}}}"));
        assert_eq!(seen(&test), ["pdf on full ask default", "zip on full ask default"], "{other}");
    }
}

#[test]
fn a_settings_file_that_javascript_refuses_stops_it() {
    let mut test = trusted();
    for text in ["\u{feff}{}", "", " \n", "null", "[]", "{,}"] {
        test.write(HERE, text);
        let found = seen(&test);
        assert!(found.iter().all(|skill| skill.contains(" no deny repo/.gemini/")), "{found:?}");
    }
    test.write(HERE, "// mine\n{}");
    assert_eq!(seen(&test)[0], "pdf on full ask default");
}

#[test]
fn policies_by_priority() {
    let mut test = trusted();
    let rule = |pattern: &str, decision: &str, priority: i32| {
        format!(
            "[[rule]]\ntoolName = \"activate_skill\"\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    test.write(
        POLICY,
        &(rule("argsPattern = '\"name\":\"pdf\"'\n", "deny", 200) + &rule("", "allow", 100)),
    );
    // A denied skill stays in the list. If the whole tool is denied there is no list.
    assert_eq!(
        seen(&test),
        [format!("pdf on full deny {POLICY}:1"), format!("zip on full allow {POLICY}:6")]
    );
    test.write("home/.gemini/policies/auto-saved.toml", &rule("", "deny", 300));
    let by = "home/.gemini/policies/auto-saved.toml:1";
    assert_eq!(
        seen(&test),
        [format!("pdf user-only no deny {by}"), format!("zip user-only no deny {by}")]
    );
    test.write(
        "home/.gemini/policies/auto-saved.toml",
        &rule("argsPattern = '\"name\":\"z.p\"'\n", "ask_user", 300),
    );
    assert_eq!(seen(&test)[1], format!("zip on full ask {by}"));
    let unread = |effect: &str| rule("argsPattern = '(?!x)'\n", effect, 300);
    test.write("home/.gemini/policies/auto-saved.toml", &unread("ask_user"));
    assert_eq!(seen(&test)[1], format!("zip user-only no deny {by}"), "what we cannot read denies");
    test.write("home/.gemini/policies/auto-saved.toml", &unread("allow"));
    assert_eq!(seen(&test)[1], format!("zip on full allow {POLICY}:6"), "and allows nothing");
    for pattern in ["(", "[p-b]", "(a+)+"] {
        let of = |name: &str| rule(&format!("argsPattern = '{name}'\n"), "deny", 300);
        test.write(
            "home/.gemini/policies/auto-saved.toml",
            &(of("\"name\":\"pdf\"") + &of(pattern)),
        );
        let by = "home/.gemini/policies/auto-saved.toml:1";
        let found = [format!("pdf on full deny {by}"), format!("zip on full allow {POLICY}:6")];
        assert_eq!(seen(&test), found, "Gemini ignores that rule alone: {pattern}");
        let alarms = test.view().policy.alarms.clone();
        assert!(alarms[0].message.ends_with("so it ignores the rule"), "{alarms:?}");
    }
    test.write("home/.gemini/policies/auto-saved.toml", &rule("modes = [\"yolo\"]\n", "deny", 300));
    assert_eq!(seen(&test)[1], format!("zip on full allow {POLICY}:6"), "another mode's");
    for fault in [rule("", "deny", 1000), rule("", "deny", 300) + "/* the end */\n"] {
        test.write("home/.gemini/policies/auto-saved.toml", &fault);
        assert_eq!(seen(&test)[1], format!("zip on full allow {POLICY}:6"), "Gemini ignores it");
        let alarms = test.view().policy.alarms.clone();
        assert!(alarms[0].message.ends_with("so Gemini CLI ignores this file"), "{alarms:?}");
    }
    test.write("home/.gemini/policies/auto-saved.toml", "");
    test.write(HERE, "{ \"tools\": { \"exclude\": [\"activate_skill\"] } }");
    assert_eq!(seen(&test)[1], "zip user-only no deny repo/.gemini/settings.json:1");
}

#[test]
fn off_and_on_in_the_layer_that_is_asked_for() {
    let mut test = trusted();
    let fresh = "{\n  \"skills\": {\n    \"disabled\": [\n      \"pdf\"\n    ]\n  }\n}\n";
    let rows = [
        (HERE, Some(Project), "", Off, fresh),
        (
            HOME,
            Some(User),
            "{ // a\n  \"skills\": { \"enabled\": true } /* b */\n}",
            Off,
            "{ // a\n  \"skills\": { \"enabled\": true, \"disabled\": [\"pdf\"] } /* b */\n}",
        ),
        (
            HERE,
            Some(Project),
            "{\"skills\":{\"disabled\":[\"PDF\",\"zip\"]}}",
            On,
            "{\"skills\":{\"disabled\":[\"zip\"]}}",
        ),
        (
            HERE,
            Some(Project),
            "{\"skills\":{\"disabled\":[\"PDF\"]}}",
            Off,
            "{\"skills\":{\"disabled\":[\"PDF\"]}}",
        ),
    ];
    for (file, place, before, to, after) in rows {
        Golden { file, place, before, after }
            .check(&mut test, |test, place| switch(test, "pdf", to, place));
    }
}

#[test]
fn a_name_is_switched_with_the_blanks_that_it_has() {
    let mut test = trusted();
    let file = "---\nname: \u{a0}edge\ndescription: d\n---\n";
    test.write("repo/.agents/skills/edge/SKILL.md", file);
    let after = "{\n  \"skills\": {\n    \"disabled\": [\n      \"\u{a0}edge\"\n    ]\n  }\n}\n";
    switch(&mut test, "edge", Off, Some(Project)).unwrap();
    assert_eq!(test.read(HERE), after);
    assert!(seen(&test).iter().any(|skill| skill.contains("edge off no deny")));
    switch(&mut test, "edge", On, Some(Project)).unwrap();
    assert!(seen(&test).iter().any(|skill| skill.contains("edge on full ask")));
}

#[test]
fn without_trust_the_persons_file_is_written() {
    let mut test = test();
    let after = "{\n  \"skills\": {\n    \"disabled\": [\n      \"zip\"\n    ]\n  }\n}\n";
    Golden { file: HOME, place: None, before: "", after }
        .check(&mut test, |test, place| switch(test, "zip", Off, place));
    let sentence = "Gemini CLI ignores its project settings file: the folder is not trusted";
    assert_eq!(switch(&mut test, "zip", Off, Some(Project)), Err(sentence.to_owned()));
}

#[test]
fn what_another_file_says_is_named() {
    let mut test = trusted();
    test.write(HOME, "{\"skills\": {\n\"disabled\": [\"pdf\"]}}");
    let sentence = "it stays off because of skills.disabled \"pdf\" (home/.gemini/settings.json:2); Gemini joins the lists of all its settings files";
    assert_eq!(switch(&mut test, "pdf", On, Some(Project)), Err(sentence.to_owned()));
    switch(&mut test, "pdf", On, None).unwrap();
    assert_eq!(test.read(HOME), "{\"skills\": {\n\"disabled\": []}}");
}

#[test]
fn a_file_at_which_it_stops_is_not_edited() {
    let mut test = trusted();
    for (text, why) in [
        ("\u{feff}{}", "Gemini CLI takes no file with a byte order mark"),
        ("{\"tools\": null}", "Gemini CLI stops where tools is null"),
        ("{\"skills\": {\"disabled\": [5]}}", "skills.disabled is no list of texts"),
    ] {
        test.write(HERE, text);
        for state in [Off, On] {
            let refused = switch(&mut test, "pdf", state, Project).unwrap_err();
            let wanted = format!("is not edited until line 1 is mended: {why} ({HERE})");
            assert!(refused.contains(&wanted), "{refused}");
        }
        assert_eq!(test.read(HERE), text);
    }
    // Where nothing is in a file, the edit itself mends it.
    test.write(HERE, "");
    switch(&mut test, "pdf", Off, Project).unwrap();
    assert!(test.read(HERE).contains("\"pdf\""));
    for empty in ["", " \n"] {
        test.write(HERE, empty);
        switch(&mut test, "pdf", On, Project).unwrap();
        assert_eq!(
            test.read(HERE).split_whitespace().collect::<String>(),
            r#"{"skills":{"disabled":[]}}"#
        );
    }
}
