use crate::catalog::Enablement::{Off, On};
use crate::catalog::Permission::{Allow, Ask, Deny};
use crate::hosts::GEMINI;
use crate::hosts::test_support::{
    self, Golden, Project, User, permit, roots, seen, set_rules, switch,
};
use crate::workspace::fixture::House;

const HOME: &str = "home/.gemini/settings.json";
const HERE: &str = "repo/.gemini/settings.json";
const TRUST: &str = "home/.gemini/trustedFolders.json";
const POLICY: &str = "home/.gemini/policies/skills.toml";
const TRUSTED: &[(&str, &str)] = &[("GEMINI_CLI_TRUST_WORKSPACE", "true")];

fn house() -> House {
    test_support::house(&GEMINI, &["repo/.agents/skills/pdf", "home/.gemini/skills/zip"])
}

fn trusted() -> House {
    house().from("repo", TRUSTED)
}

#[test]
fn the_working_directory_alone_and_only_when_trusted() {
    let expected = [
        "home/.gemini/skills user",
        "home/.agents/skills user",
        "repo/a/.gemini/skills repo",
        "repo/a/.agents/skills repo",
    ];
    let house = house().from("repo/a", TRUSTED);
    assert_eq!(roots(&house), expected);
    let house = house.from("repo/a", &[("GEMINI_CLI_HOME", "house/other"), TRUSTED[0]]);
    assert_eq!(roots(&house)[..2], ["other/.gemini/skills user", "other/.agents/skills user"]);
    let house = house.from("repo/a", &[]);
    let closed = [
        "repo/a/.gemini/skills repo, the folder is not trusted",
        "repo/a/.agents/skills repo, the folder is not trusted",
    ];
    assert_eq!(roots(&house)[2..], closed);
    assert_eq!(seen(&house), ["zip on full ask default"]);
}

#[test]
fn trust_by_the_file_the_setting_and_the_variables() {
    let closed = |house: &House| roots(house).last().unwrap().ends_with("not trusted");
    let mut house = house();
    assert!(closed(&house));
    let repo = house.text("repo");
    house.write(TRUST, &format!("{{ // mine\n \"{repo}\": \"TRUST_FOLDER\" }}"));
    assert!(!closed(&house));
    let house = house.from("repo", &[("GEMINI_RESTRICTED_MODE", "true")]);
    assert!(closed(&house));
    let mut house = house.from("repo", &[]);
    house.write(TRUST, &format!("{{ \"{repo}/sub\": \"TRUST_PARENT\" }}"));
    assert!(!closed(&house));
    house.write(TRUST, &format!("{{ \"{repo}\": \"DO_NOT_TRUST\" }}"));
    assert!(closed(&house));
    house.write(HERE, "{ \"security\": { \"folderTrust\": { \"enabled\": false } } }");
    assert!(closed(&house), "a folder does not trust itself");
    house.write(HOME, "{ \"security\": { \"folderTrust\": { \"enabled\": false } } }");
    assert!(!closed(&house), "who switches trust off trusts all");
    house.write(TRUST, &format!("{{ \"{repo}\": \"TRUST_ME\" }}"));
    let found = seen(&house);
    assert!(
        found.iter().all(|skill| skill.ends_with("deny home/.gemini/trustedFolders.json:1")),
        "{found:?}"
    );
}

#[test]
fn a_later_tier_wins_and_case_makes_two_names_of_which_one_switch_takes_both() {
    let house = House::with(&[
        ("home/.gemini/skills/dup", "dup"),
        ("home/.gemini/skills/case", "case"),
        ("repo/.agents/skills/dup", "dup"),
        ("repo/.agents/skills/case", "CASE"),
        ("repo/.agents/skills/a/deep", "deep"),
    ]);
    let mut house = house.through(&GEMINI, &[], "repo").from("repo", TRUSTED);
    let by = "dup off no deny by repo/.agents/skills/dup/SKILL.md";
    assert_eq!(
        seen(&house),
        ["CASE on full ask default", "dup on full ask default", "case on full ask default", by]
    );
    house.write(HOME, "{\"skills\": {\"disabled\": [\n\"Case\"]}}");
    let off = |name: &str| format!("{name} off no deny home/.gemini/settings.json:2");
    assert_eq!((&seen(&house)[0], &seen(&house)[2]), (&off("CASE"), &off("case")));
}

#[test]
fn the_lists_of_all_files_are_one_and_all_can_be_off() {
    let mut house = trusted();
    house.write(HOME, "{\n  \"skills\": { \"disabled\": [\"ZIP\"] }\n}");
    house.write(HERE, "{ // here\n  \"skills\": { \"disabled\": [\"pdf\"] }\n}");
    assert_eq!(
        seen(&house),
        [
            "pdf off no deny repo/.gemini/settings.json:2",
            "zip off no deny home/.gemini/settings.json:2"
        ]
    );
    house.write(HERE, "{ \"skills\": { \"enabled\": false } }");
    assert_eq!(seen(&house), Vec::<String>::new(), "no scan at all");
    house.write(HERE, "{ \"skills\": { \"disabled\": [1] } }");
    assert_eq!(seen(&house)[0], "pdf user-only no deny repo/.gemini/settings.json:1");
    let house = house.from("repo", &[]);
    assert_eq!(
        seen(&house),
        ["zip off no deny home/.gemini/settings.json:2"],
        "the folder's file is ignored"
    );
}

#[test]
fn policies_by_priority() {
    let mut house = trusted();
    let rule = |pattern: &str, decision: &str, priority: i32| {
        format!(
            "[[rule]]\ntoolName = \"activate_skill\"\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    house.write(
        POLICY,
        &(rule("argsPattern = '\"name\":\"pdf\"'\n", "deny", 200) + &rule("", "allow", 100)),
    );
    // A denied skill stays in the list; the whole tool denied takes the list away.
    assert_eq!(
        seen(&house),
        [format!("pdf on full deny {POLICY}:1"), format!("zip on full allow {POLICY}:6")]
    );
    house.write("home/.gemini/policies/auto-saved.toml", &rule("", "deny", 300));
    let by = "home/.gemini/policies/auto-saved.toml:1";
    assert_eq!(
        seen(&house),
        [format!("pdf user-only no deny {by}"), format!("zip user-only no deny {by}")]
    );
    house.write(
        "home/.gemini/policies/auto-saved.toml",
        &rule("argsPattern = '\"name\":\"z.p\"'\n", "ask_user", 300),
    );
    assert_eq!(seen(&house)[1], format!("zip on full ask {by}"));
    house.write(
        "home/.gemini/policies/auto-saved.toml",
        &rule("argsPattern = '('\n", "ask_user", 300),
    );
    assert_eq!(seen(&house)[1], format!("zip user-only no deny {by}"), "what is no pattern denies");
    house
        .write("home/.gemini/policies/auto-saved.toml", &rule("argsPattern = '('\n", "allow", 300));
    assert_eq!(seen(&house)[1], format!("zip on full allow {POLICY}:6"), "and allows nothing");
    house
        .write("home/.gemini/policies/auto-saved.toml", &rule("modes = [\"yolo\"]\n", "deny", 300));
    assert_eq!(seen(&house)[1], format!("zip on full allow {POLICY}:6"), "another mode's");
    house.write("home/.gemini/policies/auto-saved.toml", &rule("", "deny", 1000));
    assert_eq!(
        seen(&house)[1],
        format!("zip user-only no deny {by}"),
        "a file that Gemini does not take"
    );
    house.write("home/.gemini/policies/auto-saved.toml", "");
    house.write(HERE, "{ \"tools\": { \"exclude\": [\"activate_skill\"] } }");
    assert_eq!(seen(&house)[1], "zip user-only no deny repo/.gemini/settings.json:1");
}

#[test]
fn off_and_on_in_the_layer_that_is_asked_for() {
    let mut house = trusted();
    let fresh = "{\n  \"skills\": {\n    \"disabled\": [\n      \"pdf\"\n    ]\n  }\n}\n";
    let rows = [
        (HERE, None, "", Off, fresh),
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
            None,
            "{\"skills\":{\"disabled\":[\"PDF\"]}}",
            Off,
            "{\"skills\":{\"disabled\":[\"PDF\"]}}",
        ),
    ];
    for (file, place, before, to, after) in rows {
        Golden { file, place, before, after }
            .check(&mut house, |house, place| switch(house, "pdf", to, place));
    }
}

#[test]
fn without_trust_the_persons_file_is_written() {
    let mut house = house();
    let after = "{\n  \"skills\": {\n    \"disabled\": [\n      \"zip\"\n    ]\n  }\n}\n";
    Golden { file: HOME, place: None, before: "", after }
        .check(&mut house, |house, place| switch(house, "zip", Off, place));
    let sentence = "Gemini CLI ignores its project settings file: the folder is not trusted";
    assert_eq!(switch(&mut house, "zip", Off, Some(Project)), Err(sentence.to_owned()));
}

#[test]
fn what_another_file_says_is_named() {
    let mut house = trusted();
    house.write(HOME, "{\"skills\": {\n\"disabled\": [\"pdf\"]}}");
    let sentence = "it stays off by skills.disabled \"pdf\" (home/.gemini/settings.json:2); Gemini joins the lists of all its settings files";
    assert_eq!(switch(&mut house, "pdf", On, None), Err(sentence.to_owned()));
    switch(&mut house, "pdf", On, Some(User)).unwrap();
    assert_eq!(house.read(HOME), "{\"skills\": {\n\"disabled\": []}}");
}

#[test]
fn rules_go_to_a_file_of_their_own() {
    let mut house = trusted();
    let table = |pattern: &str, decision: &str, priority: i32| {
        format!(
            "[[rule]]\ntoolName = \"activate_skill\"\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    let pdf = "argsPattern = \"\\\"name\\\":\\\"pdf\\\"\"\n";
    let rows = [
        (String::new(), (Deny, "pdf"), table(pdf, "deny", 200)),
        (String::new(), (Deny, "*"), table("", "deny", 200)),
        (table(pdf, "deny", 50) + "# mine\n", (Allow, "pdf"), table(pdf, "allow", 50) + "# mine\n"),
        (
            table("", "allow", 300),
            (Deny, "pdf"),
            table("", "allow", 300) + "\n" + &table(pdf, "deny", 999),
        ),
        (String::new(), (Ask, "pdf"), String::new()),
    ];
    for (before, wanted, after) in rows {
        if after.is_empty() {
            permit(&mut house, wanted, None).unwrap();
            assert!(!house.top.join(POLICY).exists(), "it asks already");
            continue;
        }
        Golden { file: POLICY, place: None, before: &before, after: &after }
            .check(&mut house, |house, place| permit(house, wanted, place));
    }
    let sentence =
        "Gemini CLI ignores its project settings file: its policies are the person's alone";
    assert_eq!(permit(&mut house, (Deny, "pdf"), Some(Project)), Err(sentence.to_owned()));
    let refused = permit(&mut house, (Deny, "p*"), Some(User)).unwrap_err();
    assert_eq!(refused, "Gemini CLI does not have rules for such names");
}

#[test]
fn a_set_of_rules_keeps_its_order_and_other_tools() {
    let mut house = trusted();
    let other = "[[rule]]\ntoolName = \"run_shell_command\" # mine\ndecision = \"ask_user\"\npriority = 1\n";
    house.write(POLICY, other);
    // The last one stands in another file already.
    let all = "[[rule]]\ntoolName = [\"activate_skill\"]\ndecision = \"ask_user\"\npriority = 0\n";
    house.write("home/.gemini/policies/auto-saved.toml", all);
    let rules = [(Deny, "pdf"), (Allow, "*"), (Ask, "*")];
    set_rules(&mut house, &rules, User).unwrap();
    let written = house.read(POLICY);
    assert!(
        written.starts_with(other) && written.matches("activate_skill").count() == 2,
        "{written}"
    );
    let states = seen(&house);
    assert!(
        states[0].starts_with("pdf on full deny") && states[1].starts_with("zip on full allow"),
        "{states:?}"
    );
    set_rules(&mut house, &rules, User).unwrap();
    assert_eq!(house.read(POLICY), written, "it is so already");
    let refused = set_rules(&mut house, &[], User).unwrap_err();
    assert!(
        refused.contains("home/.gemini/policies/auto-saved.toml:1"),
        "another file's rule stays: {refused}"
    );
    set_rules(&mut house, &[(Ask, "*")], User).unwrap();
    assert_eq!(house.read(POLICY), other);
}
