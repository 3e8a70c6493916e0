use super::*;
use crate::hosts::test_support::{self, Project, User, index, permit, set_rules, switch};
use crate::policy::budget::Part;
use crate::runtime::budget::{self, ForecastRequest};
use crate::workspace::fixture::{self, TestWorkspace};
use crate::workspace::{ResolveError, resolve};

const OWN: &str = "home/.codelia/config.json";
const PROJECT: &str = "repo/.codelia/config.json";

fn test() -> TestWorkspace {
    test_support::test(&CODELIA, &["repo/.agents/skills/pdf", "home/.agents/skills/zip"])
}

/// Its roots from `cwd`.
fn seen(environment: &[(&str, &str)], cwd: &str) -> Vec<String> {
    test_support::roots(&TestWorkspace::with(&[]).through(&CODELIA, environment, cwd))
}

fn repo(folders: &[&str]) -> Vec<String> {
    let own = "home/.agents/skills user".to_owned();
    folders.iter().map(|folder| format!("{folder}/.agents/skills repo")).chain([own]).collect()
}

/// What the model may do with a skill, and the line that decides.
fn model(test: &TestWorkspace, name: &str) -> (Permission, Option<u32>) {
    let verdict = test.view().rows[index(test, name)].entry.verdict.clone();
    (verdict.model.value, verdict.model.origin.place().map(|(_, line)| line))
}

#[test]
fn cod_9_2_and_9_3_the_limits_are_those_of_its_own_files() {
    let found = |test: &TestWorkspace| {
        let limits = test.view().limits();
        [limits.entries, limits.bytes, limits.found, limits.most_found].map(Option::unwrap)
    };
    let mut test = test();
    assert_eq!(found(&test), [200, 32_768, 8, 50]);
    test.write(
        OWN,
        r#"{"version": 1, "skills": {"initial": {"maxEntries": 1, "maxBytes": 900},
            "search": {"defaultLimit": 3, "maxLimit": 4}}}"#,
    );
    assert_eq!(found(&test), [1, 900, 3, 4]);
    // The project's file is above, key by key.
    let project = r#"{"version": 1, "skills": {"initial": {"maxEntries": 2, "maxBytes": "x"}}}"#;
    test.write(PROJECT, project);
    assert_eq!(found(&test), [2, 900, 3, 4]);
    assert_eq!(test.view().policy.alarms.len(), 1);
    // Our own settings are above those of any host.
    let own = "version = 1\n[skills.initial]\nmax_entries = 7\n[skills.search]\nmax_limit = 20\n";
    test.write("home/.config/skillpick/config.toml", own);
    assert_eq!(found(&test), [7, 900, 3, 20]);
}

#[test]
fn cod_5_2_the_root_is_named_or_the_nearest_with_a_marker() {
    assert_eq!(seen(&[], "repo/a"), repo(&["repo", "repo/a"]));
    let test = TestWorkspace::with(&[]);
    std::fs::create_dir_all(test.env.top.join("repo/a/.codelia")).unwrap();
    let test = test.through(&CODELIA, &[], "repo/a/b");
    let roots = test.workspace.roots();
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
    let mut test = TestWorkspace::with(&[("home/.agents/skills/zip", "zip")]);
    test.write(OWN, "{\"version\": 1}");
    let view = test.through(&CODELIA, &[], "home/plain").view();
    assert_eq!(
        (view.rows.len(), view.rows[0].entry.skill.scope, view.roots.len()),
        (1, Scope::Repo, 2)
    );
}

#[cfg(unix)]
#[test]
fn cod_5_1_the_whole_tree_but_no_links() {
    let deep = "repo/.agents/skills/a/b/c/d/e/f/g/deep";
    let test = TestWorkspace::with(&[
        (deep, "deep"),
        ("repo/.agents/skills/.hidden/h", "h"),
        ("repo/elsewhere/far", "far"),
    ]);
    std::os::unix::fs::symlink(
        test.env.top.join("repo/elsewhere"),
        test.env.top.join("repo/.agents/skills/link"),
    )
    .unwrap();
    let names = |test: &TestWorkspace| {
        test.view().rows.entries().map(|entry| entry.skill.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&test.through(&CODELIA, &[], "repo")), ["deep", "h"]);
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
    let view = TestWorkspace::with(&pairs).through(&CODELIA, &[], "repo").view();
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
fn cod_5_3_what_is_too_long_or_has_other_signs_is_refused_with_its_reason() {
    let mut test = TestWorkspace::with(&[("repo/.agents/skills/a_b", "a_b")]);
    let long = "x".repeat(65);
    for (name, text) in [
        (&*long, "d"),
        ("b", &"x".repeat(1_025)),
        ("c", &"😀".repeat(600)),
        ("d", &format!("|\n  {}", "x".repeat(1_500))),
        ("e", "\n  on the next line"),
    ] {
        let file = format!("---\nname: {name}\ndescription: {text}\n---\nBody\n");
        test.write(&format!("repo/.agents/skills/{name}/SKILL.md"), &file);
    }
    let view = test.through(&CODELIA, &[], "repo").view();
    let codes: Vec<_> =
        view.rows.entries().map(|entry| entry.refused.map_or("", |check| check.code)).collect();
    assert_eq!(
        codes,
        ["name-chars", "desc-length", "host-parser", "", "host-parser", "name-length"]
    );
}

#[test]
fn cod_6_1c_it_lists_skills_whole_by_name_until_one_does_not_fit() {
    let mut test = TestWorkspace::with(&[
        ("home/.agents/skills/b", "b"),
        ("home/.agents/skills/c", "c"),
        ("repo/.agents/skills/a", "a"),
        ("repo/.agents/skills/x/b", "b"),
    ])
    .through(&CODELIA, &[], "repo");
    let forecast = |test: &TestWorkspace| {
        let wanted = ForecastRequest { host: CODELIA.id, window: None, without: None };
        let of = budget::forecast(&test.workspace, &test.view(), &wanted).unwrap();
        let names: Vec<String> = of
            .skills
            .iter()
            .map(|skill| format!("{} {}", skill.name, skill.scope.word()))
            .collect();
        assert_eq!(names, ["a repo", "b repo", "b user", "c user"]);
        of.forecast
    };
    let whole = forecast(&test);
    assert_eq!((whole.limit, whole.own, whole.cut()), (Some(32_768), 0, 0));
    // The element of the first one, line for line.
    let path = test.text("repo/.agents/skills/a/SKILL.md");
    let first = format!(
        "  <skill>\n    <name>a</name>\n    <description>in repo/.agents/skills/a</description>\n    \
         <path>{path}</path>\n    <scope>repo</scope>\n  </skill>\n"
    );
    assert_eq!(whole.portions[0].cost, first.len());
    let cost =
        |count: usize| whole.portions[..count].iter().map(|portion| portion.cost).sum::<usize>();
    for (limits, kept) in [
        (format!("\"maxBytes\": {}", cost(3)), 3),
        (format!("\"maxBytes\": {}", cost(3) - 1), 2),
        ("\"maxEntries\": 1".to_owned(), 1),
    ] {
        test.write(OWN, &format!("{{\"version\": 1, \"skills\": {{\"initial\": {{{limits}}}}}}}"));
        test.workspace = test.workspace.reread();
        let forecast = forecast(&test);
        let listed = forecast.portions.iter().take_while(|portion| portion.part == Part::Whole);
        assert_eq!((listed.count(), forecast.cut()), (kept, 4 - kept), "{limits}");
    }
}

#[test]
fn cod_5_4b_same_names_are_kept_and_a_bare_name_is_ambiguous() {
    let test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/pdf", "pdf"),
    ]);
    let view = test.through(&CODELIA, &[], "repo").view();
    assert!(view.rows.entries().all(|entry| entry.same_name == 2 && entry.shadowed_by.is_none()));
    assert!(matches!(
        resolve(&view, "$pdf", None, Path::new("/")),
        Err(ResolveError::Ambiguous { .. })
    ));
}

#[test]
fn cod_8_1_deny_rules_of_both_files_are_joined_and_the_skill_stays_listed() {
    let mut test = test();
    assert_eq!(
        model(&test, "pdf"),
        (Permission::Allow, None),
        "it is in the system's own allowlist"
    );
    test.write(OWN, "{\n\"version\": 1,\n\"permissions\": {\n\"allow\": [{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}],\n\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \" ZIP \"}]}}");
    test.write(PROJECT, "{\"version\": 1, \"permissions\": {\n\"deny\": [{\"tool\": \"bash\"},\n{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}]}}");
    assert_eq!(
        (model(&test, "pdf"), model(&test, "zip")),
        ((Permission::Deny, Some(3)), (Permission::Deny, Some(5)))
    );
    let entry = test.view().rows[index(&test, "pdf")].entry.clone();
    assert!(
        entry.verdict.enabled() && entry.verdict.user.value && entry.state == Enablement::UserOnly
    );
}

#[test]
fn cod_8_1b_a_rule_without_a_name_is_every_skill_and_all_stay_listed() {
    let mut test = test();
    test.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\"}]}}");
    let view = test.view();
    assert!(
        view.rows
            .entries()
            .all(|entry| entry.verdict.model.value == Permission::Deny && entry.verdict.enabled())
    );
    let error = switch(&mut test, "pdf", Enablement::On, Project).unwrap_err();
    assert!(
        error.contains(".codelia/config.json:1") && error.contains("joins the deny rules"),
        "{error}"
    );
}

#[test]
fn a_malformed_rule_never_widens() {
    let mut test = test();
    test.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\"}],\n\"allow\": [{\"tool\": \"skill_load\", \"skill_name\": \"no name\"}, 5]}}");
    let view = test.view();
    assert!(view.rows.entries().all(|entry| entry.verdict.model.value == Permission::Deny));
    assert_eq!(view.policy.alarms.iter().map(|alarm| alarm.line).collect::<Vec<_>>(), [2, 2]);
    test.write(OWN, "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": 7}]}}");
    assert_eq!(
        model(&test, "pdf").0,
        Permission::Deny,
        "Codelia takes it for every skill, and so do we"
    );
    for unread in ["{\"version\": 2}", "{}", "{\"version\": 1,}", "{\"version\": 1 // one\n}"] {
        test.write(OWN, unread);
        assert_eq!(model(&test, "pdf").0, Permission::Deny, "{unread}");
        assert!(switch(&mut test, "pdf", Enablement::On, User).is_err(), "{unread}");
        assert_eq!(test.read(OWN), unread);
    }
}

#[test]
fn cod_9_1_the_project_may_switch_skills_on_and_off() {
    let mut test = test();
    test.write(OWN, "{\"version\": 1, \"skills\": {\"enabled\": false}}");
    assert_eq!((test.view().rows.len(), test.view().roots.len()), (0, 0), "nothing is looked for");
    test.write(PROJECT, "{\"version\": 1, \"skills\": {\"enabled\": true}}");
    assert_eq!(test.view().rows.len(), 2);
    test.write(PROJECT, "{\"version\": 1, \"skills\": {\"enabled\": \"yes\"}}");
    assert_eq!(
        (test.view().rows.len(), test.view().policy.alarms.len()),
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
        let mut test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")])
            .through(&CODELIA, &variables, "repo");
        test.write(file, denied);
        assert_eq!(model(&test, "pdf").0, Permission::Deny, "{file}");
    }
}

#[test]
fn the_view_has_the_description_that_it_reads() {
    let mut test = test();
    let text = "---\nname: pdf\ndescription: |\n  Fills forms.\n---\n";
    test.write("repo/.agents/skills/pdf/SKILL.md", text);
    let shown = |test: &TestWorkspace| {
        let view = test.view();
        let row = &view.rows[index(test, "pdf")];
        let searched = row.text(&mut String::new()).trim().to_owned();
        assert_eq!(row.entry.about(), row.entry.description());
        (row.entry.description().trim().to_owned(), searched)
    };
    assert_eq!(shown(&test), ("|".to_owned(), "|".to_owned()));
    let test = test.through(&crate::hosts::AGENTS, &[], "repo");
    assert_eq!(shown(&test), ("Fills forms.".to_owned(), "fills forms.".to_owned()));
}

#[test]
fn a_denied_skill_is_denied_in_the_file_that_is_asked_for_and_allowed_again() {
    let mut test = test();
    let fresh = "{\n  \"version\": 1,\n  \"permissions\": {\n    \"deny\": [\n      { \"tool\": \"skill_load\", \"skill_name\": \"pdf\" }\n    ]\n  }\n}\n";
    switch(&mut test, "pdf", Enablement::Off, User).unwrap();
    let meaning = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(meaning(&test.read(OWN)), meaning(fresh));
    assert_eq!(model(&test, "pdf").0, Permission::Deny);
    let odd = "{ \"permissions\" : {\"deny\":[ {\"tool\":\"write\"},\t{\"skill_name\":\"pdf\", \"tool\":\"skill_load\"} ] },\n  \"version\":1,\n\n  \"model\": {} }";
    test.write(OWN, odd);
    switch(&mut test, "pdf", Enablement::On, User).unwrap();
    let on = test.read(OWN);
    assert!(
        on.starts_with("{ \"permissions\" : {\"deny\":[ {\"tool\":\"write\"}")
            && on.ends_with("\"model\": {} }"),
        "{on}"
    );
    assert!(!on.contains("skill_load"), "{on}");
    assert_eq!(model(&test, "pdf").0, Permission::Allow);
}

#[test]
fn the_project_is_asked_about_and_cannot_allow_what_the_person_denies() {
    let mut test = test();
    test.write(
        OWN,
        "{\"version\": 1, \"permissions\": {\"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \"pdf\"}]}}",
    );
    let error = permit(&mut test, Permission::Allow, "pdf", Project).unwrap_err();
    assert!(error.contains(OWN), "{error}");
    let request = fixture::switch(&test.view(), &[index(&test, "zip")], false);
    let plan = test.workspace.plan(&test.view(), &request, Some(Project)).unwrap();
    assert!(plan.ask && plan.files[0].change.path.ends_with(PROJECT));
    assert!(permit(&mut test, Permission::Ask, "zip", None).unwrap_err().contains("does not have"));
}

#[test]
fn rules_become_exactly_those_that_are_wanted_and_other_tools_keep_theirs() {
    let mut test = test();
    test.write(OWN, "{\"version\": 1, \"permissions\": {\"allow\": [{\"tool\": \"skill_load\"}], \"deny\": [{\"tool\": \"skill_load\", \"skill_name\": \"a\"}, {\"tool\": \"edit\"}, {\"tool\": \"skill_load\", \"skill_name\": \"b\"}]}}");
    set_rules(&mut test, &[(Permission::Deny, "b"), (Permission::Deny, "zip")], User).unwrap();
    let value: serde_json::Value = serde_json::from_str(&test.read(OWN)).unwrap();
    assert_eq!(
        value["permissions"],
        serde_json::json!({"allow": [], "deny": [
            {"tool": "edit"}, {"tool": "skill_load", "skill_name": "b"}, {"tool": "skill_load", "skill_name": "zip"}
        ]})
    );
}
