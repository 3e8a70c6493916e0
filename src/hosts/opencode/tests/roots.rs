//! The folders in which opencode looks for skills.

use super::*;

#[test]
fn the_roots_are_shared_its_own_and_those_of_the_settings() {
    let mut test = TestWorkspace::with(&[]).through(&OPENCODE, &[], "repo/a");
    test.write(
        "repo/opencode.json",
        "{\"skills\": {\"paths\": [\"~/more\", \"tools\", \"/srv/skills\"]}}",
    );
    let expected = [
        "home/.claude/skills user",
        "home/.agents/skills user",
        "repo/a/.claude/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.claude/skills repo",
        "repo/.agents/skills repo",
        "home/.config/opencode/skill user",
        "home/.config/opencode/skills user",
        "repo/a/.opencode/skill repo",
        "repo/a/.opencode/skills repo",
        "repo/.opencode/skill repo",
        "repo/.opencode/skills repo",
        "home/.opencode/skill user",
        "home/.opencode/skills user",
        "home/more user",
        "repo/a/tools repo",
        "/srv/skills user",
    ];
    assert_eq!(roots(&test), expected);
}

#[test]
fn the_environment_opens_and_closes_roots() {
    for (variable, value, there, gone) in [
        (
            "OPENCODE_DISABLE_EXTERNAL_SKILLS",
            "1",
            "repo/.opencode/skills repo",
            "home/.agents/skills user",
        ),
        (
            "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS",
            "true",
            "home/.agents/skills user",
            "home/.claude/skills user",
        ),
        (
            "OPENCODE_DISABLE_PROJECT_CONFIG",
            "1",
            "repo/.agents/skills repo",
            "repo/.opencode/skills repo",
        ),
        ("OPENCODE_CONFIG_DIR", "own", "repo/own/skills user", "own/skills user"),
        (
            "XDG_CONFIG_HOME",
            "xdg",
            "repo/xdg/opencode/skills user",
            "home/.config/opencode/skills user",
        ),
    ] {
        let test = TestWorkspace::with(&[]).through(&OPENCODE, &[(variable, value)], "repo");
        let roots = roots(&test);
        assert!(
            roots.contains(&there.to_owned()) && !roots.contains(&gone.to_owned()),
            "{variable}: {roots:?}"
        );
    }
}

#[test]
fn outside_a_repository_it_goes_up_to_the_top() {
    let test = TestWorkspace::with(&[]).through(&OPENCODE, &[], "plain/a");
    let roots = roots(&test);
    assert!(roots.contains(&"plain/.agents/skills repo".to_owned()), "{roots:?}");
    assert!(roots.contains(&"/.agents/skills repo".to_owned()), "{roots:?}");
}

#[test]
fn hidden_folders_count_where_agents_share_them() {
    let mut test = skilled();
    for place in [
        "repo/.agents/skills/.h/one",
        "repo/.opencode/skills/.h/two",
        "repo/.opencode/skills/a/b/three",
    ] {
        let name = place.rsplit('/').next().unwrap();
        test.write(
            &format!("{place}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: One.\n---\n"),
        );
    }
    test.write("repo/.agents/skills/told/SKILL.md", "---\nname: told\n---\nNo description.\n");
    test.write("repo/.agents/skills/nameless/SKILL.md", "---\ndescription: No name.\n---\n");
    let names: Vec<String> =
        seen(&test).iter().map(|seen| seen.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["docx", "nameless", "one", "pdf", "three", "told"]);
    assert_eq!(
        judged(&test, "told").0,
        "no allow yes",
        "the model is not told, a person may call it"
    );
    assert_eq!(judged(&test, "nameless").0, "no deny no");
}

#[test]
fn what_it_has_fetched_counts_while_settings_name_an_address() {
    let cached = "home/.cache/opencode/skills/remote";
    let mut test = test(&OPENCODE, &[cached]);
    assert!(seen(&test).is_empty());
    let settings = "home/.config/opencode/opencode.json";
    let urls = "[\"https://example.com/skills\"]";
    for text in [format!("{{\"skills\": {{\"urls\": {urls}}}}}"), format!("{{\"skills\": {urls}}}")]
    {
        test.write(settings, &text);
        test.write(&format!("{cached}/.opencode-version"), "1.2\n");
        let source = test.view().rows[0].entry.skill.source().unwrap();
        assert_eq!(source.as_str(), "download https://example.com/skills 1.2");
    }
}
