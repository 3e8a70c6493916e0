use super::*;
use crate::hosts::test_support::{self, Project, User, index, permit, set_rules, switch};
use crate::workspace::edit::ChangeRequest;
use crate::workspace::fixture::House;
use crate::workspace::{ResolveError, resolve};

const OWN: &str = "home/.codelia/config.json";
const PROJECT: &str = "repo/.codelia/config.json";

fn house() -> House {
    test_support::house(&CODELIA, &["repo/.agents/skills/pdf", "home/.agents/skills/zip"])
}

/// Its roots from `cwd`.
fn seen(environment: &[(&str, &str)], cwd: &str) -> Vec<String> {
    test_support::roots(&House::with(&[]).through(&CODELIA, environment, cwd))
}

fn repo(folders: &[&str]) -> Vec<String> {
    let own = "home/.agents/skills user".to_owned();
    folders.iter().map(|folder| format!("{folder}/.agents/skills repo")).chain([own]).collect()
}

/// What the model may do with a skill, and the line that decides.
fn model(house: &House, name: &str) -> (Permission, Option<u32>) {
    let verdict = house.view().rows[index(house, name)].entry.verdict.clone();
    (verdict.model.value, verdict.model.origin.place().map(|(_, line)| line))
}

#[test]
fn cod_5_2_the_root_is_named_or_the_nearest_with_a_marker() {
    assert_eq!(seen(&[], "repo/a"), repo(&["repo", "repo/a"]));
    let house = House::with(&[]);
    std::fs::create_dir_all(house.top.join("repo/a/.codelia")).unwrap();
    let house = house.through(&CODELIA, &[], "repo/a/b");
    let roots = house.workspace.roots();
    assert!(roots[0].path.ends_with("repo/a/.agents/skills") && roots.len() == 3, "{roots:?}");
    assert_eq!(seen(&[("CODELIA_AGENTS_ROOT", " .. ")], "repo/a"), repo(&["repo", "repo/a"]));
    assert_eq!(seen(&[("CODELIA_AGENTS_ROOT", ".")], "repo/a"), repo(&["repo/a"]));
    assert_eq!(seen(&[("CODELIA_AGENTS_ROOT", "../elsewhere")], "repo/a"), repo(&[]), "not above");
    assert_eq!(
        seen(&[("CODELIA_AGENTS_ROOT", "  ")], "repo/a"),
        repo(&["repo", "repo/a"]),
        "blanks say nothing"
    );
    assert_eq!(seen(&[("CODELIA_AGENTS_MARKERS", "none, ,.x")], "repo/a"), repo(&["repo/a"]));
    assert_eq!(seen(&[], "plain/sub"), repo(&["plain/sub"]));
}

#[test]
fn cod_5_2_its_settings_in_the_home_directory_make_that_a_root() {
    let mut house = House::with(&[("home/.agents/skills/zip", "zip")]);
    house.write(OWN, "{\"version\": 1}");
    let view = house.through(&CODELIA, &[], "home/plain").view();
    assert_eq!(
        (view.rows.len(), view.rows[0].entry.skill.scope, view.roots.len()),
        (1, Scope::Repo, 2)
    );
}

#[cfg(unix)]
#[test]
fn cod_5_1_the_whole_tree_but_no_links() {
    let deep = "repo/.agents/skills/a/b/c/d/e/f/g/deep";
    let house = House::with(&[
        (deep, "deep"),
        ("repo/.agents/skills/.hidden/h", "h"),
        ("repo/elsewhere/far", "far"),
    ]);
    std::os::unix::fs::symlink(
        house.top.join("repo/elsewhere"),
        house.top.join("repo/.agents/skills/link"),
    )
    .unwrap();
    let names = |house: &House| {
        house.view().rows.entries().map(|entry| entry.skill.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&house.through(&CODELIA, &[], "repo")), ["deep", "h"]);
}

#[test]
fn cod_5_3_a_name_that_is_not_the_directorys_is_refused() {
    let skills = ["x/pdf", "y/Zip", "z/a--b", "ok/fine"];
    let folders: Vec<(String, &str)> = skills
        .iter()
        .map(|skill| {
            (format!("repo/.agents/skills/{skill}"), skill.split('/').next_back().unwrap())
        })
        .collect();
    let mut pairs: Vec<(&str, &str)> =
        folders.iter().map(|(folder, name)| (folder.as_str(), *name)).collect();
    pairs[0].1 = "other";
    let view = House::with(&pairs).through(&CODELIA, &[], "repo").view();
    let refused: Vec<_> = view
        .rows
        .entries()
        .map(|entry| (entry.skill.name.as_str(), entry.refused.map(|check| check.code)))
        .collect();
    assert_eq!(
        refused,
        [
            ("Zip", Some("name-case")),
            ("a--b", Some("name-double-hyphen")),
            ("fine", None),
            ("other", Some("name-dir-mismatch"))
        ]
    );
}

#[test]
fn cod_5_4b_same_names_are_kept_and_a_bare_name_is_ambiguous() {
    let house =
        House::with(&[("repo/.agents/skills/pdf", "pdf"), ("home/.agents/skills/pdf", "pdf")]);
    let view = house.through(&CODELIA, &[], "repo").view();
    assert!(view.rows.entries().all(|entry| entry.same_name == 2 && entry.shadowed_by.is_none()));
    assert!(matches!(resolve(&view, "$pdf", Path::new("/")), Err(ResolveError::Ambiguous { .. })));
}

#[test]
fn cod_8_1_deny_rules_of_both_files_are_joined_and_the_skill_stays_listed() {
    let mut house = house();
    assert_eq!(
        model(&house, "pdf"),
        (Permission::Allow, None),
        "it is in the system's own allowlist"
    );
    house.write(OWN, "{\n\"version\": 1,\n\"permissions\": {\n\"allow\": [{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}],\n\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \" ZIP \"}]}}");
    house.write(PROJECT, "{\"version\": 1, \"permissions\": {\n\"deny\": [{\"tool\": \"bash\"},\n{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}]}}");
    assert_eq!(
        (model(&house, "pdf"), model(&house, "zip")),
        ((Permission::Deny, Some(3)), (Permission::Deny, Some(5)))
    );
    let entry = house.view().rows[index(&house, "pdf")].entry.clone();
    assert!(
        entry.verdict.enabled() && entry.verdict.user.value && entry.state == Enablement::UserOnly
    );
}

#[test]
fn cod_8_1b_a_rule_without_a_name_is_every_skill_and_all_stay_listed() {
    let mut house = house();
    house.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\"}]}}");
    let view = house.view();
    assert!(
        view.rows
            .entries()
            .all(|entry| entry.verdict.model.value == Permission::Deny && entry.verdict.enabled())
    );
    let error = switch(&mut house, "pdf", Enablement::On, Project).unwrap_err();
    assert!(
        error.contains(".codelia/config.json:1") && error.contains("joins the deny rules"),
        "{error}"
    );
}

#[test]
fn a_malformed_rule_never_widens() {
    let mut house = house();
    house.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\"}],\n\"allow\": [{\"tool\": \"skill_load\", \"skill_name\": \"no name\"}, 5]}}");
    let view = house.view();
    assert!(view.rows.entries().all(|entry| entry.verdict.model.value == Permission::Deny));
    assert_eq!(view.policy.alarms.iter().map(|alarm| alarm.line).collect::<Vec<_>>(), [2, 2]);
    house.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": 7}]}}");
    assert_eq!(
        model(&house, "pdf").0,
        Permission::Deny,
        "Codelia takes it for every skill, and so do we"
    );
    for unread in ["{\"version\": 2}", "{}", "{\"version\": 1,}", "{\"version\": 1 // one\n}"] {
        house.write(OWN, unread);
        assert_eq!(model(&house, "pdf").0, Permission::Deny, "{unread}");
        assert!(switch(&mut house, "pdf", Enablement::On, User).is_err(), "{unread}");
        assert_eq!(house.read(OWN), unread);
    }
}

#[test]
fn cod_9_1_the_project_may_switch_skills_on_and_off() {
    let mut house = house();
    house.write(OWN, "{\"version\": 1, \"skills\": {\"enabled\": false}}");
    assert_eq!(
        (house.view().rows.len(), house.view().roots.len()),
        (0, 0),
        "nothing is looked for"
    );
    house.write(PROJECT, "{\"version\": 1, \"skills\": {\"enabled\": true}}");
    assert_eq!(house.view().rows.len(), 2);
    house.write(PROJECT, "{\"version\": 1, \"skills\": {\"enabled\": \"yes\"}}");
    assert_eq!(
        (house.view().rows.len(), house.view().policy.alarms.len()),
        (0, 1),
        "that is ignored, and told"
    );
}

#[test]
fn the_environment_names_the_settings_file() {
    let denied = "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}]}}";
    for (variables, file) in [
        (vec![("CODELIA_CONFIG_PATH", " ../mine.json ")], "mine.json"),
        (vec![("CODELIA_LAYOUT", "XDG")], "home/.config/codelia/config.json"),
        (vec![("CODELIA_LAYOUT", "xdg"), ("XDG_CONFIG_HOME", "../etc")], "etc/codelia/config.json"),
        (vec![("CODELIA_LAYOUT", "home")], OWN),
    ] {
        let mut house = House::with(&[("repo/.agents/skills/pdf", "pdf")])
            .through(&CODELIA, &variables, "repo");
        house.write(file, denied);
        assert_eq!(model(&house, "pdf").0, Permission::Deny, "{file}");
    }
}

#[test]
fn a_denied_skill_is_denied_in_the_file_that_is_asked_for_and_allowed_again() {
    let mut house = house();
    let fresh = "{\n  \"version\": 1,\n  \"permissions\": {\n    \"deny\": [\n      { \"tool\": \"skill_load\", \"skill_name\": \"pdf\" }\n    ]\n  }\n}\n";
    switch(&mut house, "pdf", Enablement::Off, User).unwrap();
    let meaning = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(meaning(&house.read(OWN)), meaning(fresh));
    assert_eq!(model(&house, "pdf").0, Permission::Deny);
    let odd = "{ \"permissions\" : {\"deny\":[ {\"tool\":\"write\"},\t{\"skill_name\":\"pdf\", \"tool\":\"skill_load\"} ] },\n  \"version\":1,\n\n  \"model\": {} }";
    house.write(OWN, odd);
    switch(&mut house, "pdf", Enablement::On, User).unwrap();
    let on = house.read(OWN);
    assert!(
        on.starts_with("{ \"permissions\" : {\"deny\":[ {\"tool\":\"write\"}")
            && on.ends_with("\"model\": {} }"),
        "{on}"
    );
    assert!(!on.contains("skill_load"), "{on}");
    assert_eq!(model(&house, "pdf").0, Permission::Allow);
}

#[test]
fn the_project_is_asked_about_and_cannot_allow_what_the_person_denies() {
    let mut house = house();
    house.write(
        OWN,
        "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}]}}",
    );
    let error = permit(&mut house, (Permission::Allow, "pdf"), Project).unwrap_err();
    assert!(error.contains(OWN), "{error}");
    let request = ChangeRequest::Switch { entries: vec![index(&house, "zip")], to: false.into() };
    let plan = house.workspace.plan(&house.view(), &request, Some(Project)).unwrap();
    assert!(plan.ask && plan.files[0].change.path.ends_with(PROJECT));
    assert!(
        permit(&mut house, (Permission::Ask, "zip"), None).unwrap_err().contains("does not have")
    );
}

#[test]
fn rules_become_exactly_those_that_are_wanted_and_other_tools_keep_theirs() {
    let mut house = house();
    house.write(OWN, "{\"version\": 1, \"permissions\": {\"allow\": [{\"tool\": \"skill_load\"}], \"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \"a\"}, {\"tool\": \"edit\"}, {\"tool\": \"skill_load\", \"skill_name\": \"b\"}]}}");
    set_rules(&mut house, &[(Permission::Deny, "b"), (Permission::Deny, "zip")], User).unwrap();
    let value: serde_json::Value = serde_json::from_str(&house.read(OWN)).unwrap();
    assert_eq!(
        value["permissions"],
        serde_json::json!({"allow": [], "deny": [
            {"tool": "edit"}, {"tool": "skill_load", "skill_name": "b"}, {"tool": "skill_load", "skill_name": "zip"}
        ]})
    );
}
