//! Kilo Code's folders, settings and switches.

use super::*;
use crate::hosts::test_support::{self, Project, User, alarms, roots_inside, seen, test};

#[test]
fn shared_folders_first_then_its_own_up_the_tree_and_at_home() {
    let test = test(&KILO, &[]);
    std::fs::create_dir_all(test.env.top.join("repo/a")).unwrap();
    let test = test.through(&KILO, &[], "repo/a");
    let expected = [
        "home/.claude/skills user",
        "home/.agents/skills user",
        "repo/a/.claude/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.claude/skills repo",
        "repo/.agents/skills repo",
        "home/.config/kilo/skill user",
        "home/.config/kilo/skills user",
        "repo/a/.kilocode/skill repo",
        "repo/a/.kilocode/skills repo",
        "repo/a/.kilo/skill repo",
        "repo/a/.kilo/skills repo",
        "repo/.kilocode/skill repo",
        "repo/.kilocode/skills repo",
        "repo/.kilo/skill repo",
        "repo/.kilo/skills repo",
        "home/.kilocode/skill user",
        "home/.kilocode/skills user",
        "home/.kilo/skill user",
        "home/.kilo/skills user",
    ];
    assert_eq!(roots_inside(&test), expected);
}

#[cfg(unix)]
#[test]
fn what_really_lies_outside_of_the_project_does_not_count() {
    let test = test(&KILO, &["out/one", "repo/inside/two", "out/root/three"]);
    let link = |target: &str, place: &str| {
        let place = test.env.top.join(place);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(test.env.top.join(target), place).unwrap();
    };
    link("out/one", "repo/.kilo/skills/one");
    link("repo/inside/two", "repo/.kilo/skills/two");
    link("out/root", "repo/.agents/skills");
    link("out/one", "home/.kilo/skills/four");
    let seen = seen(&test.through(&KILO, &[], "repo"));
    let names: Vec<_> = seen.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["two", "one"], "{seen:?}");
}

#[test]
fn a_linked_working_tree_has_the_main_ones_folders_too() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one", "repo/tree/.kilo/skills/one"]);
    test.write("repo/tree/.git", &format!("gitdir: {}\n", test.text("repo/.git/worktrees/tree")));
    test.write("repo/.git/worktrees/tree/commondir", "../..\n");
    let back = format!("{}\n", test.text("repo/tree/.git"));
    test.write("repo/.git/worktrees/tree/gitdir", &back);
    std::fs::create_dir_all(test.env.top.join("repo/tree/a")).unwrap();
    let test = test.through(&KILO, &[], "repo/tree/a");
    let roots = roots_inside(&test);
    let expected = [
        "home/.claude/skills user",
        "home/.agents/skills user",
        "repo/a/.claude/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.claude/skills repo",
        "repo/.agents/skills repo",
        "repo/tree/a/.claude/skills repo",
    ];
    assert_eq!(roots[..7], expected);
    let own = ["home/.config/kilo/skills user", "repo/a/.kilocode/skill repo"];
    let place = roots.iter().position(|root| root == own[0]).unwrap();
    assert_eq!(roots[place..place + 2], own);
    let all = test.workspace.host_contexts[0].roots(&[]);
    let within = |place: &str| {
        let root = all.iter().find(|root| root.path == test.env.top.join(place)).unwrap();
        root.within.clone().unwrap()
    };
    assert_eq!(within("repo/tree/.kilo/skills"), test.env.top.join("repo/tree"));
    assert_eq!(within("repo/a/.kilo/skills"), test.env.top.join("repo/a"));
}

#[test]
fn the_persons_own_folders_are_confined_where_home_is_the_project() {
    for (cwd, confined) in [("home", true), ("repo", false)] {
        let test = test(&KILO, &["home/.kilo/skills/one"]);
        let other = test.env.top.join("home/other").to_str().unwrap().to_owned();
        let test = test.through(&KILO, &[("KILO_CONFIG_DIR", &other)], cwd);
        let roots = test.workspace.host_contexts[0].roots(&[]);
        let is_confined = |place: &str| {
            let path = test.env.top.join(place);
            roots.iter().find(|root| root.path == path).unwrap().within.is_some()
        };
        assert_eq!(is_confined("home/.kilo/skills"), confined, "{cwd}");
        assert_eq!(is_confined("home/.agents/skills"), confined, "{cwd}");
        assert_eq!(is_confined("home/.config/kilo/skill"), confined, "{cwd}");
        assert!(!is_confined("home/other/skills"), "{cwd}");
    }
}

#[test]
fn the_last_rule_decides_and_the_agent_has_two_names() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one", "repo/.kilo/skills/two"]);
    test.write("home/.config/kilo/kilo.json", r#"{"permission":{"skill":{"*":"deny"}}}"#);
    test.write("repo/kilo.json", r#"{"permission":{"skill":{"one":"allow","two":"allow"}}}"#);
    let agents = r#"{"agent":{"code":{"permission":{"skill":{"one":"deny"}}},
        "build":{"permission":{"skill":{"two":"deny"}}}}}"#;
    test.write("repo/.kilo/kilo.jsonc", agents);
    test.workspace = test.workspace.reread();
    let (one, two) = (&seen(&test)[0], &seen(&test)[1]);
    assert!(one.starts_with("one on full allow repo/kilo.json:1"), "{one}");
    assert!(two.starts_with("two user-only no deny repo/.kilo/kilo.jsonc:2"), "{two}");
}

#[test]
fn a_fault_stops_it_in_the_persons_main_folder_only() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one"]);
    for (file, denies) in [("repo/kilo.json", false), ("home/.config/kilo/kilo.json", true)] {
        for text in [r#"{"permission":{"skill":{"one":"nope"}}}"#, "{\"permission\":"] {
            test.write(file, text);
            test.workspace = test.workspace.reread();
            assert_eq!(alarms(&test).len(), 1, "{file} {text}");
            assert_eq!(seen(&test)[0].contains(" deny "), denies, "{file} {text}");
        }
        std::fs::remove_file(test.env.top.join(file)).unwrap();
    }
}

#[test]
fn a_file_of_blanks_stops_it_in_the_persons_main_folder_only() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one"]);
    for (file, text, denies) in [
        ("home/.config/kilo/config.json", " \n", true),
        ("home/.config/kilo/config.json", "// mine\n", true),
        ("home/.config/kilo/config.json", "", false),
        ("home/.config/kilo/config.json", "\u{feff}", false),
        ("repo/kilo.json", " \n", false),
    ] {
        test.write(file, text);
        test.workspace = test.workspace.reread();
        assert_eq!(seen(&test)[0].contains(" deny "), denies, "{file} {text:?}");
    }
}

#[test]
fn it_stops_at_a_flag_with_another_word() {
    for (value, stops) in [("TRUE", true), ("2", true), ("yes", false), ("off", false)] {
        for name in ["KILO_DISABLE_EXTERNAL_SKILLS", "KILO_DISABLE_CLAUDE_CODE"] {
            let skilled = test(&KILO, &["repo/.kilo/skills/one"]);
            let test = skilled.through(&KILO, &[(name, value)], "repo");
            assert_eq!(alarms(&test).len(), usize::from(stops), "{name} {value}");
            assert_eq!(seen(&test)[0].contains(" deny "), stops, "{name} {value}");
        }
    }
}

#[test]
fn a_switch_is_a_rule_in_the_layers_file() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one"]);
    for (layer, file) in [(Project, "repo/kilo.json"), (User, "home/.config/kilo/kilo.json")] {
        let off = Enablement::UserOnly;
        test_support::switch(&mut test, "one", off, Some(layer)).unwrap();
        let text = std::fs::read_to_string(test.env.top.join(file)).unwrap();
        assert!(text.contains("\"one\": \"deny\"") && text.contains("kilo.ai"), "{text}");
        test_support::switch(&mut test, "one", Enablement::On, Some(layer)).unwrap();
    }
}

/// What the program says of its rules.
#[test]
fn null_takes_away_a_rule_of_earlier_files() {
    let mut test = test(&KILO, &["repo/.kilo/skills/one"]);
    let skill = |rules: &str| format!("{{\"permission\":{{\"skill\":{rules}}}}}");
    let deny = skill(r#"{"one":"deny"}"#);
    for (own, project, is_denied) in [
        (deny.clone(), skill(r#"{"one":null}"#), false),
        (deny.clone(), skill("null"), false),
        (deny.clone(), r#"{"permission":null}"#.to_owned(), true),
        (skill(r#"{"one":null}"#), deny.clone(), true),
        (skill(r#""deny""#), skill(r#"{"one":null}"#), false),
        (r#"{"permission":"deny"}"#.to_owned(), skill(r#"{"*":null}"#), true),
        (
            skill(r#"{"one":"deny","x":null}"#),
            r#"{"permission":{"webfetch":null}}"#.to_owned(),
            true,
        ),
    ] {
        test.write("home/.config/kilo/kilo.json", &own);
        test.write("repo/kilo.json", &project);
        test.workspace = test.workspace.reread();
        let denies = seen(&test).iter().any(|line| line.contains(" deny "));
        assert_eq!(denies, is_denied, "{own} {project}");
        assert_eq!(alarms(&test), [""; 0], "{own} {project}");
    }
}
