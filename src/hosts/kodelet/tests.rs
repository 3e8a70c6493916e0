use super::*;
use crate::catalog::RootState;
use crate::hosts::test_support::{self, Project, User, switch};
use crate::workspace::fixture::{self, TestWorkspace};
use crate::workspace::resolve;
use std::sync::Arc;

const OWN: &str = "home/.kodelet/config.yaml";
const PROJECT: &str = "repo/kodelet-config.yaml";

fn test(skills: &[(&str, &str)]) -> TestWorkspace {
    TestWorkspace::with(skills).through(&KODELET, &[], "repo")
}

/// Three skills, `docx` and `pdf` here and `zip` at home.
fn three() -> TestWorkspace {
    test_support::test(
        &KODELET,
        &["repo/.kodelet/skills/docx", "repo/.kodelet/skills/pdf", "home/.kodelet/skills/zip"],
    )
}

/// The names that are on.
fn on(test: &TestWorkspace) -> Vec<String> {
    let view = test.view();
    let on = view.rows.entries().filter(|entry| entry.verdict.enabled());
    on.map(|entry| view.policy.order.name_of(&entry.skill).into_owned()).collect()
}

/// The switch of this skill: line and text.
fn decided(test: &TestWorkspace, name: &str) -> Option<(u32, String)> {
    let view = test.view();
    let entry = view.rows.entries().find(|entry| entry.skill.name == name)?;
    let by = &entry.verdict.listed.origin;
    by.place().map(|(_, line)| (line, by.text().to_owned()))
}

/// Switches one skill; the file as it is then.
fn switched(
    test: &mut TestWorkspace,
    folder: &str,
    to: bool,
    layer: Layer,
) -> Result<String, String> {
    switch(test, folder, to.into(), layer)?;
    Ok(test.read(if layer == User { OWN } else { PROJECT }))
}

#[test]
fn kod_1_the_repositorys_and_the_persons_skills_are_told_apart_and_each_can_be_allowed() {
    let mut test = three();
    let scopes: Vec<Scope> = test.view().rows.entries().map(|entry| entry.skill.scope).collect();
    assert_eq!(scopes, [Scope::Repo, Scope::Repo, Scope::User]);
    test.write(OWN, "skills:\n  enabled: true\n  allowed: [zip]\n");
    assert_eq!(on(&test), ["zip"]);
}

#[test]
fn kod_3_the_working_directorys_then_the_persons_each_with_its_plugins() {
    let skills = [
        ("home/.kodelet/plugins/b@two/skills/x", "x"),
        ("home/.kodelet/skills/x", "x"),
        ("repo/.kodelet/plugins/org@repo/skills/x", "x"),
        ("repo/.kodelet/plugins/none/recipes/x", "x"),
        ("repo/.kodelet/skills/x", "x"),
    ];
    let test = test(&skills);
    let expected = [
        "repo/.kodelet/skills repo",
        "repo/.kodelet/plugins/org@repo/skills repo",
        "home/.kodelet/skills user",
        "home/.kodelet/plugins/b@two/skills user",
    ];
    assert_eq!(test_support::roots(&test), expected);
    // A plugin's skill has the plugin's name before its own, so it is no second `x`.
    assert_eq!(on(&test), ["org/repo/x", "x", "b/two/x"]);
    let view = test.view();
    let winner = resolve(&view, "x", None, Path::new("/")).unwrap();
    assert_eq!(view.rows[winner].entry.skill.description, "in repo/.kodelet/skills/x");
    let plugin = resolve(&view, "org/repo/x", None, Path::new("/")).unwrap();
    assert_eq!(
        view.rows[plugin].entry.skill.description,
        "in repo/.kodelet/plugins/org@repo/skills/x"
    );
    let at_home = TestWorkspace::with(&[]).through(&KODELET, &[], "home");
    assert_eq!(test_support::roots(&at_home).len(), 1, "a folder is named once");
}

#[test]
fn kod_3b_immediate_children_only_and_a_missing_root_is_skipped() {
    let test = test(&[("repo/.kodelet/skills/a", "a"), ("repo/.kodelet/skills/deep/b", "b")]);
    let view = test.view();
    assert_eq!(
        view.rows.entries().map(|entry| entry.skill.name.as_str()).collect::<Vec<_>>(),
        ["a"]
    );
    assert_eq!(view.roots[1].state, RootState::Missing);
}

#[test]
fn since_it_knows_plugins_a_root_that_cannot_be_read_hides_no_other() {
    // Its first version gave up all skills; the newer one does not, and we follow it.
    let mut test = test(&[("home/.kodelet/skills/zip", "zip")]);
    test.write("repo/.kodelet/skills", "a file");
    let view = test.view();
    assert!(matches!(view.roots[0].state, RootState::Failed(_)), "{:?}", view.roots[0]);
    assert_eq!(on(&test), ["zip"]);
}

#[test]
fn kod_3c_the_first_root_wins_by_the_frontmatters_name() {
    let test = test(&[("home/.kodelet/skills/a", "pdf"), ("repo/.kodelet/skills/z", "pdf")]);
    let view = test.view();
    let rows: Vec<_> =
        view.rows.entries().map(|entry| (entry.skill.scope, entry.shadowed_by.is_some())).collect();
    assert_eq!(rows, [(Scope::Repo, false), (Scope::User, true)]);
}

#[test]
fn kod_3d_and_4_a_name_and_a_description_of_any_kind_are_needed_and_nothing_else() {
    let mut test = test(&[("repo/.kodelet/skills/a", "Any Name At All")]);
    let bad = [
        ("b", "description: no name"),
        ("c", "name: ''\ndescription: empty"),
        ("d", "name: d\ndescription: a: b"),
    ];
    for (folder, fields) in bad {
        test.write(
            &format!("repo/.kodelet/skills/{folder}/SKILL.md"),
            &format!("---\n{fields}\n---\n"),
        );
    }
    let view = test.view();
    let refused: Vec<_> =
        view.rows.entries().map(|entry| entry.refused.map(|check| check.code)).collect();
    assert_eq!(refused, [None, Some("name-missing"), Some("name-empty"), Some("yaml-repaired")]);
}

#[test]
fn kod_4_a_value_that_is_no_text_is_none_and_blanks_are_text() {
    let mut test = test(&[]);
    for (folder, fields) in [
        ("a", "name: 123\ndescription: d"),
        ("b", "name: b\ndescription: true"),
        ("c", "name: c\ndescription: 1.5"),
        ("d", "name: d\ndescription: '  '"),
        ("e", "name: '  '\ndescription: d"),
        ("f", "name: '123'\ndescription: '5'"),
    ] {
        let file = format!("---\n{fields}\n---\nBody\n");
        test.write(&format!("repo/.kodelet/skills/{folder}/SKILL.md"), &file);
    }
    let view = test.view();
    let mut taken: Vec<_> = view
        .rows
        .entries()
        .map(|entry| (entry.skill.dir().file_name().unwrap().to_str().unwrap(), entry.offered()))
        .collect();
    taken.sort_unstable();
    let wanted = [("a", false), ("b", false), ("c", false), ("d", true), ("e", true), ("f", true)];
    assert_eq!(taken, wanted);
}

#[test]
fn kod_8_the_projects_keys_override_the_persons_one_by_one() {
    let mut test = three();
    test.write(OWN, "skills:\n  enabled: true\n  allowed:\n    - pdf\n    - ghost\n");
    assert_eq!(
        (on(&test), decided(&test, "zip")),
        (vec!["pdf".to_owned()], Some((3, "skills.allowed".to_owned())))
    );
    test.write(PROJECT, "skills:\n  allowed: [zip]\n");
    assert_eq!(on(&test), ["zip"], "enabled comes from the person's file");
    test.write(PROJECT, "skills:\n  allowed: []\n");
    assert_eq!(on(&test).len(), 3, "an empty list is all");
    test.write(PROJECT, "skills:\n  enabled: false\n");
    assert_eq!((test.view().rows.len(), test.view().roots.len()), (0, 0));
}

#[test]
fn kod_8_a_half_written_block_turns_everything_off() {
    let mut test = three();
    for text in [
        "skills:\n  allowed: [pdf]\n",
        "skills: {}\n",
        "skills:\n  enabled: maybe\n",
        "skills: [a\n",
    ] {
        test.write(OWN, text);
        assert!(on(&test).is_empty(), "{text}");
    }
    for text in ["", "skills:\n", "provider: x\n", "skills:\n  enabled: \"true\"\n"] {
        test.write(OWN, text);
        assert_eq!(on(&test).len(), 3, "{text}");
    }
    for (text, left) in [("[5, {a: b}]", 0), ("{}", 0), ("pdf,zip", 2), ("\"pdf, zip\"", 1)] {
        test.write(OWN, &format!("skills:\n  enabled: true\n  allowed: {text}\n"));
        assert_eq!(on(&test).len(), left, "{text}");
    }
}

#[test]
fn kod_8b_no_skills_is_a_variable_too() {
    let skills = [("repo/.kodelet/skills/pdf", "pdf")];
    for (value, seen) in [("true", 0), ("1", 0), ("false", 1), ("", 1), ("no", 1)] {
        let test =
            TestWorkspace::with(&skills).through(&KODELET, &[("KODELET_NO_SKILLS", value)], "repo");
        assert_eq!(test.view().rows.len(), seen, "{value}");
    }
}

#[test]
fn kod_8c_where_discovery_would_fail_skills_are_off() {
    let context = Arc::new(Context { cwd: "/code/a".into(), ..Context::default() });
    let policy = KODELET.policy(&KODELET.read(&context, &crate::config::Inputs::default()));
    assert_eq!(
        (policy.skills_enabled.value, policy.skills_enabled.origin.text()),
        (false, "the lack of a home directory")
    );
}

#[test]
fn the_first_that_goes_begins_a_list_of_all_others_and_the_last_turns_all_off() {
    let mut test = three();
    let text = switched(&mut test, "pdf", false, User).unwrap();
    assert_eq!(
        (on(&test).join(" ").as_str(), text.contains("enabled: true")),
        ("docx zip", true),
        "{text}"
    );
    let text = switched(&mut test, "zip", false, User).unwrap();
    assert_eq!(on(&test), ["docx"], "{text}");
    let text = switched(&mut test, "docx", false, User).unwrap();
    assert!(text.contains("enabled: false") && on(&test).is_empty(), "{text}");
}

#[test]
fn no_list_begins_where_nobody_knows_which_others_there_are() {
    let mut test = test(&[("home/.kodelet/skills/zip", "zip")]);
    test.write("repo/.kodelet/skills", "a file, for now");
    let refused = switched(&mut test, "zip", false, User).unwrap_err();
    assert!(refused.contains("not every folder of skills could be read"), "{refused}");
    // An existing list already names all skills that stay on.
    test.write("home/.kodelet/config.yaml", "skills:\n  enabled: true\n  allowed: [zip, other]\n");
    assert!(switched(&mut test, "zip", false, User).unwrap().contains("[other]"));
}

#[test]
fn a_skill_that_comes_back_joins_the_list_which_stays_since_other_repositories_have_skills_too() {
    let mut test = three();
    let before = "# mine\nprovider: anthropic # here\nskills:\n  allowed: # these\n    - ghost\n    - docx # words\n  enabled: true\n";
    test.write(OWN, before);
    let text = switched(&mut test, "pdf", true, User).unwrap();
    assert_eq!(text, before.replace("# words\n", "# words\n    - pdf\n"));
    let text = switched(&mut test, "zip", true, User).unwrap();
    assert_eq!(on(&test).len(), 3);
    assert_eq!(text, before.replace("# words\n", "# words\n    - pdf\n    - zip\n"));
    let text = switched(&mut test, "zip", false, User).unwrap();
    assert_eq!(on(&test), ["docx", "pdf"], "{text}");
}

#[test]
fn where_all_are_off_one_comes_on_alone() {
    let mut test = TestWorkspace::with(&[
        ("repo/.kodelet/skills/pdf", "pdf"),
        ("home/.kodelet/skills/zip", "zip"),
    ]);
    test.write(OWN, "skills:\n  enabled: false\n  allowed: [pdf, zip]\n");
    // If skills are off as a whole, none are scanned: these are of an earlier view.
    let mut test = test.through(&KODELET, &[], "repo");
    test.write(OWN, "skills:\n  enabled: true\n");
    let view = test.view();
    test.write(OWN, "skills:\n  enabled: false\n  allowed: [pdf, zip]\n");
    let request = fixture::switch(&view, &[0], true);
    test.workspace.apply(&test.workspace.plan(&view, &request, Some(User)).unwrap()).unwrap();
    test.workspace = test.workspace.reread();
    assert_eq!(on(&test), ["pdf"], "{}", test.read(OWN));
}

#[test]
fn who_comes_on_alone_leaves_the_names_of_other_repositories_in_the_list() {
    let mut test = three();
    // If skills are off as a whole, none are scanned: these are of an earlier view.
    test.write(OWN, "skills:\n  enabled: true\n");
    let view = test.view();
    let request = |name: &str| {
        let at = view.rows.entries().position(|entry| entry.skill.name == name).unwrap();
        fixture::switch(&view, &[at], true)
    };
    for (name, before, after) in [
        (
            "zip",
            "skills:\n  enabled: false  # until Monday\n  allowed:\n    - docx   \n    - elsewhere  # of another\n    - zip\t# x\n",
            "skills:\n  enabled: true  # until Monday\n  allowed:\n    - elsewhere  # of another\n    - zip\t# x\n",
        ),
        (
            "docx",
            "skills:\n  enabled: false\n  allowed: [elsewhere, pdf]\n",
            "skills:\n  enabled: true\n  allowed: [elsewhere, docx]\n",
        ),
        (
            "zip",
            "skills:\n  enabled: false\n  allowed:\n    # the one that I trust\n    - docx # good\n",
            "skills:\n  enabled: true\n  allowed:\n    # the one that I trust\n    - zip\n",
        ),
    ] {
        test.write(OWN, before);
        test.workspace = test.workspace.reread();
        test.workspace
            .apply(&test.workspace.plan(&view, &request(name), Some(User)).unwrap())
            .unwrap();
        assert_eq!(test.read(OWN), after);
        test.workspace = test.workspace.reread();
        assert_eq!(on(&test), [name]);
    }
}

#[test]
fn the_projects_file_gets_a_list_of_its_own_and_overrides() {
    let mut test = three();
    test.write(OWN, "skills: {enabled: true, allowed: [pdf, zip]}\n");
    let text = switched(&mut test, "zip", false, Project).unwrap();
    assert_eq!(
        (on(&test).join(" ").as_str(), text.contains("enabled: true")),
        ("pdf", true),
        "{text}"
    );
    let error = switched(&mut test, "zip", true, User).unwrap_err();
    assert!(error.contains("kodelet-config.yaml:") && error.contains("overrides"), "{error}");
    let plan = test.view();
    let request = fixture::switch(&plan, &[0], true);
    assert!(
        test.workspace.plan(&plan, &request, Some(Project)).unwrap().ask,
        "the repository's file is asked about"
    );
}

#[test]
fn a_plugins_skill_is_switched_by_its_whole_name() {
    let mut test =
        test(&[("repo/.kodelet/skills/x", "x"), ("home/.kodelet/plugins/org@repo/skills/x", "x")]);
    let text = switched(&mut test, ".kodelet/skills/x", false, User).unwrap();
    assert_eq!(on(&test), ["org/repo/x"]);
    assert!(text.contains("org/repo/x"), "{text}");
}

#[test]
fn a_list_that_begins_holds_the_hosts_own_skills_whatever_folder_is_browsed() {
    let mut test = three();
    test.write("repo/other/x/SKILL.md", "---\nname: x\ndescription: Elsewhere.\n---\n");
    test.write("repo/other/y/SKILL.md", "---\nname: y\ndescription: Elsewhere.\n---\n");
    let browsing = test.workspace.browsing(&["other"]);
    let request = fixture::switch(&browsing.view(), &[0], false);
    browsing.apply(&browsing.plan(&browsing.view(), &request, Some(User)).unwrap()).unwrap();
    test.workspace = test.workspace.reread();
    assert_eq!(on(&test).len(), 3, "{}", test.read(OWN));
}
