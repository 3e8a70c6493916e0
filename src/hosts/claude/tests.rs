use super::*;
use crate::catalog::Permission::{Allow, Ask, Deny};
use crate::hosts::test_support::{
    alarms, judged, permit, roots, seen, set_rules, state, switch, test,
};
use crate::policy::StatusKind;
use crate::workspace::fixture::TestWorkspace;
use Enablement::{NameOnly, Off, On, UserOnly};

mod changes;

const USER: &str = "home/.claude/settings.json";
const PROJECT: &str = "repo/.claude/settings.json";
const LOCAL: &str = "repo/.claude/settings.local.json";

fn skilled() -> TestWorkspace {
    test(
        &CLAUDE,
        &["repo/.claude/skills/pdf", "repo/.claude/skills/pdf-forms", "home/.claude/skills/notes"],
    )
}

fn with(files: &[(&str, &str)]) -> TestWorkspace {
    let mut test = skilled();
    files.iter().for_each(|(file, text)| test.write(file, text));
    test
}

fn overrides(text: &str) -> String {
    format!("{{\n  \"skillOverrides\": {{ {text} }}\n}}\n")
}

#[test]
fn the_roots_are_the_persons_and_each_folders_up_to_the_repository() {
    let test = TestWorkspace::with(&[]).through(&CLAUDE, &[], "repo/a/b");
    let expected = [
        "/etc/claude-code/.claude/skills system",
        "home/.claude/skills user",
        "repo/a/b/.claude/skills repo",
        "repo/a/.claude/skills repo",
        "repo/.claude/skills repo",
    ];
    assert_eq!(roots(&test), expected);
}

#[test]
fn outside_a_repository_it_goes_up_to_the_home_directory_and_its_home_is_named() {
    let test = TestWorkspace::with(&[]);
    let elsewhere = test.text("elsewhere");
    let test = test.through(&CLAUDE, &[("CLAUDE_CONFIG_DIR", &elsewhere)], "home/a/b");
    let expected =
        ["elsewhere/skills user", "home/a/b/.claude/skills repo", "home/a/.claude/skills repo"];
    assert_eq!(roots(&test)[1..], expected);
}

/// What the program lists.
#[test]
fn a_variable_with_nothing_in_it_names_the_working_directory() {
    let test =
        TestWorkspace::with(&[("repo/skills/near", "near"), ("home/.claude/skills/far", "far")]);
    let mut test = test.through(&CLAUDE, &[("CLAUDE_CONFIG_DIR", "")], "repo");
    assert_eq!(roots(&test)[1], "repo/skills user");
    assert_eq!(seen(&test), ["near on full allow default"]);
    switch(&mut test, "near", Off, Layer::User).unwrap();
    assert!(test.read("repo/settings.json").contains("\"near\": \"off\""));
}

#[test]
fn utf_16_is_read_after_its_mark_and_not_edited() {
    let mut test = skilled();
    let text = "{\n\"skillOverrides\": {\"pdf\": \"off\"}}";
    let low: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let high: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (bytes, expected) in [
        ([&[0xff, 0xfe][..], &low].concat(), Off),
        ([&[0xff, 0xfe][..], &low, b"x"].concat(), Off),
        ([&[0xfe, 0xff][..], &high].concat(), On),
        (low.clone(), On),
    ] {
        test.env.write(USER, &bytes);
        test.workspace = test.workspace.reread();
        assert_eq!(state(&test, "pdf"), expected, "{bytes:?}");
        if expected == Off {
            let said =
                "line 1 it is not UTF-8: it is read as Claude Code reads it, and is not edited";
            assert_eq!(alarms(&test), [format!("{USER}:1 {}", &said[7..])]);
            let why = switch(&mut test, "pdf", On, Layer::User).unwrap_err();
            assert!(why.contains("line 1 is not UTF-8"), "{why}");
        }
    }
}

#[test]
fn of_one_name_the_persons_wins_and_then_the_nearest() {
    let places =
        ["repo/.claude/skills/dup", "repo/a/.claude/skills/dup", "home/.claude/skills/dup"];
    let names: Vec<(&str, &str)> = places.iter().map(|place| (*place, "dup")).collect();
    let winners = |test: &TestWorkspace| {
        let taken = test.view().rows.entries().filter(|entry| entry.shadowed_by.is_none()).count();
        (taken, judged(test, "home/.claude/skills/dup").0)
    };
    let test = TestWorkspace::with(&names).through(&CLAUDE, &[], "repo/a");
    assert_eq!(winners(&test), (1, "full allow yes".into()));
    let test = TestWorkspace::with(&names[..2]).through(&CLAUDE, &[], "repo/a");
    assert_eq!(judged(&test, places[1]).0, "full allow yes");
    assert_eq!(judged(&test, places[0]).0, "no deny no");
}

#[test]
fn before_2_1_330_both_were_listed_and_the_root_was_not_read() {
    let version = |text| crate::hosts::Installed {
        program: None,
        version: crate::hosts::Version::find(text),
    };
    let older = CLAUDE.fitting(Some(&version("2.1.197")));
    assert_eq!(older.duplicates, Duplicates::Ambiguous);
    assert_eq!(CLAUDE.fitting(Some(&version("2.1.330"))).duplicates, Duplicates::First);
    let test = TestWorkspace::with(&[]).through(&CLAUDE, &[], "repo/a");
    let local = |host: &Host| {
        (host.settings_paths)(&test.workspace.context)
            .iter()
            .filter(|location| location.layer == Layer::Local)
            .count()
    };
    assert_eq!((local(&CLAUDE), local(older)), (2, 1));
}

#[test]
fn a_skill_goes_by_its_folder_and_any_text_is_one() {
    let mut test = skilled();
    test.write(
        "repo/.claude/skills/folder/SKILL.md",
        "---\nname: inside\ndescription: One.\n---\n",
    );
    test.write("repo/.claude/skills/plain/SKILL.md", "Only text.\n");
    test.write("repo/.claude/skills/.hidden/SKILL.md", "---\nname: h\ndescription: One.\n---\n");
    test.write("repo/.claude/skills/a/b/SKILL.md", "---\nname: b\ndescription: Too deep.\n---\n");
    test.write(USER, &overrides("\"inside\": \"off\", \"plain\": \"off\""));
    assert_eq!(seen(&test).len(), 6);
    assert_eq!((state(&test, "folder"), state(&test, "plain")), (On, Off));
    test.write(USER, &overrides("\"folder\": \"off\", \" plain \": \"off\""));
    assert_eq!(
        (state(&test, "folder"), state(&test, "plain"), state(&test, ".hidden")),
        (Off, On, On)
    );
}

#[test]
fn four_states_each_with_its_line() {
    for (word, state_is, axes) in [
        ("on", On, "full allow yes"),
        ("name-only", NameOnly, "name_only allow yes"),
        ("user-invocable-only", UserOnly, "no deny yes"),
        ("off", Off, "no deny no"),
    ] {
        let test = with(&[(LOCAL, &overrides(&format!("\"pdf\": \"{word}\"")))]);
        let by = format!("{LOCAL}:2 skillOverrides \"pdf\": \"{word}\"");
        assert_eq!((state(&test, "pdf"), judged(&test, "pdf")), (state_is, (axes.into(), by)));
    }
}

#[test]
fn the_highest_file_wins_and_of_the_local_ones_the_repositorys() {
    let near = "repo/a/.claude/settings.local.json";
    let mut test =
        TestWorkspace::with(&[("repo/.claude/skills/pdf", "pdf")]).through(&CLAUDE, &[], "repo/a");
    for (file, word, expected) in [
        (USER, "off", Off),
        ("repo/.claude/settings.json", "name-only", Off),
        ("repo/a/.claude/settings.json", "on", On),
        (near, "off", Off),
        (LOCAL, "name-only", NameOnly),
    ] {
        test.write(file, &overrides(&format!("\"pdf\": \"{word}\"")));
        assert_eq!(state(&test, "pdf"), expected, "{file}");
    }
}

#[test]
fn a_file_that_claude_ignores_says_nothing_and_is_not_edited() {
    for (text, line) in [
        ("{\n  // why\n  \"skillOverrides\": {\"pdf\": \"off\"}\n}\n", 2),
        ("{\"skillOverrides\": {\"pdf\": \"off\",}}\n", 1),
        ("{\n  \"skillOverrides\": {\"pdf\": \"off\",\n  \"a\": \"nope\"}}\n", 3),
        ("{\n  \"skillOverrides\": []}\n", 2),
        ("{\n  \"permissions\": {\n\"deny\": \"Skill\"}}\n", 3),
        ("{\"skillOverrides\": {\"pdf\": \"off\"},\n  \"statusLine\": \"~/x.sh\"}\n", 2),
        ("{\"permissions\": {\"deny\": [\"Skill\"],\n  \"defaultMode\": \"nonsense\"}}\n", 2),
    ] {
        let mut test = with(&[(LOCAL, text)]);
        assert_eq!(
            (state(&test, "pdf"), judged(&test, "pdf").0.as_str()),
            (On, "full allow yes"),
            "{text}"
        );
        let alarm = &alarms(&test)[0];
        assert!(
            alarm.starts_with(&format!("{LOCAL}:{line} "))
                && alarm.ends_with("ignores the whole file"),
            "{alarm}"
        );
        let refusal = switch(&mut test, "pdf", Off, Layer::Local).unwrap_err();
        let expected =
            format!("the local settings file is not edited until line {line} is mended: ");
        assert!(
            refusal.starts_with(&expected) && refusal.ends_with(&format!(" ({LOCAL})")),
            "{refusal}"
        );
        assert_eq!(test.read(LOCAL), text);
    }
}

#[test]
fn of_two_equal_keys_the_later_one_counts_and_the_file_is_not_edited() {
    let text = "{\"skillOverrides\": {\"pdf\": \"on\"},\n\"skillOverrides\": {\"pdf\": \"off\"}}";
    let mut test = with(&[(USER, text)]);
    assert_eq!(state(&test, "pdf"), Off);
    let refusal = switch(&mut test, "pdf", On, Layer::User).unwrap_err();
    assert!(refusal.contains("line 2, column 1: the key stands twice"), "{refusal}");
    assert_eq!(test.read(USER), text);
    let rules = "{\"permissions\": {\"deny\": [\"Skill\"], \"deny\": []}}";
    let test = with(&[(USER, rules)]);
    assert_eq!(judged(&test, "pdf").0, "full allow yes");
}

#[test]
fn a_linked_working_tree_has_the_main_ones_local_file_and_its_skills_if_it_has_none() {
    let mut test = TestWorkspace::with(&[("repo/.claude/skills/pdf", "pdf")]);
    test.write("tree/.git", &format!("gitdir: {}\n", test.text("repo/.git/worktrees/tree")));
    test.write("repo/.git/worktrees/tree/commondir", "../..\n");
    test.write("repo/.git/worktrees/tree/gitdir", &format!("{}\n", test.text("tree/.git")));
    test.write(LOCAL, &overrides("\"pdf\": \"name-only\""));
    test.write("tree/a/x", "");
    let mut test = test.through(&CLAUDE, &[], "tree/a");
    let expected =
        ["tree/a/.claude/skills repo", "tree/.claude/skills repo", "repo/.claude/skills repo"];
    assert_eq!(roots(&test)[2..], expected);
    assert_eq!(state(&test, "pdf"), NameOnly);
    switch(&mut test, "pdf", Off, Layer::Local).unwrap();
    assert_eq!(test.read(LOCAL), overrides("\"pdf\": \"off\""));
    test.write("tree/.claude/skills/x/SKILL.md", "x");
    assert_eq!(roots(&test)[2..], expected[..2]);
}

#[test]
fn what_waits_for_a_file_leaves_its_name_to_another() {
    let waiting = "---\nname: pdf\ndescription: One.\npaths: src/**\n---\n";
    let mut test = skilled();
    test.write("home/.claude/skills/pdf/SKILL.md", waiting);
    test.write("home/.claude/skills/alone/SKILL.md", waiting);
    assert_eq!(judged(&test, "repo/.claude/skills/pdf").0, "full allow yes");
    assert_eq!(judged(&test, "home/.claude/skills/pdf").0, "no deny no");
    assert_eq!(judged(&test, "alone"), ("no deny no".into(), "paths".into()));
    assert_eq!(switch(&mut test, "alone", Off, Layer::User), Ok(1));
    assert_eq!(judged(&test, "alone").1, format!("{USER}:3 skillOverrides \"alone\": \"off\""));
}

#[test]
fn a_directory_with_hidden_signs_or_a_reserved_name_and_a_file_that_is_too_large_are_refused() {
    let mut test = skilled();
    let head = "---\nname: pdf\ndescription: One.\n---\n";
    // As the program, 2.1.332, lists them.
    let cases = [
        ("nb\u{a0}sp", head.len(), Some("directory-name")),
        ("synced", head.len(), Some("directory-name")),
        ("Anthropic-Skills", head.len(), Some("directory-name")),
        ("synced-notes", head.len(), None),
        ("full", 1_000_000, None),
        ("larger", 1_000_001, Some("file-large")),
    ];
    for (name, bytes, _) in cases {
        let text = format!("{head}{}", "x".repeat(bytes - head.len()));
        test.write(&format!("home/.claude/skills/{name}/SKILL.md"), &text);
    }
    let view = test.view();
    for (name, _, expected) in cases {
        let file = format!("{name}/SKILL.md");
        let entry = view.rows.entries().find(|entry| entry.skill.path.ends_with(&file)).unwrap();
        assert_eq!(entry.refused.map(|check| check.code), expected, "{name}");
    }
}

#[test]
fn keys_that_it_does_not_hold_to_a_form_do_no_harm() {
    let text = r#"{"$schema": "x", "unknown": [], "hooks": {"Odd": 3, "Stop": 3}, "env": {"A": 1}, "model": "opus",
        "permissions": {"defaultMode": "plan", "deny": [7]}, "statusLine": {"type": "command", "command": "x"},
        "hooks2": null, "cleanupPeriodDays": 30, "enabledPlugins": {"a@b": true}, "includeCoAuthoredBy": false,
        "skillOverrides": {"pdf": "off"}}"#;
    let test = with(&[(USER, text)]);
    assert_eq!((alarms(&test), state(&test, "pdf")), (vec![], Off));
}

#[test]
fn a_whole_tool_denied_is_a_state_between() {
    let test = with(&[(USER, "{\"permissions\": {\"deny\": [\"Skill\"]}}")]);
    assert_eq!((state(&test, "pdf"), judged(&test, "pdf").0.as_str()), (UserOnly, "no deny yes"));
    assert!(
        test.view()
            .rows
            .entries()
            .all(|entry| !entry.is_on() && entry.status() == StatusKind::Is(UserOnly))
    );
    let test = with(&[(USER, "{\"permissions\": {\"deny\": [\"Skill(pdf)\"]}}")]);
    assert_eq!((state(&test, "pdf"), judged(&test, "pdf").0.as_str()), (On, "full deny yes"));
}

#[test]
fn a_file_that_counts_from_one_folder_alone_says_so() {
    let remarks = |test: &TestWorkspace| -> Vec<Option<String>> {
        let files = &test.workspace.host_contexts[0].reading.files;
        files
            .iter()
            .filter(|file| file.location.layer == Layer::Project)
            .map(|file| file.location.remark.clone())
            .collect()
    };
    let test = skilled().through(&CLAUDE, &[], "repo/packages/web");
    assert_eq!(
        remarks(&test),
        [Some("counts only when Claude Code starts in packages/web".to_owned())]
    );
    assert_eq!(remarks(&test.from("repo", &[])), [None]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_had_is_not_called_broken() {
    let mut test = skilled();
    std::fs::create_dir_all(test.env.top.join(USER)).unwrap();
    test.workspace = test.workspace.reread();
    let refusal = switch(&mut test, "pdf", Off, Layer::User).unwrap_err();
    assert!(
        refusal.starts_with("the user settings file cannot be read: ") && !refusal.contains("line"),
        "{refusal}"
    );
}

#[test]
fn permission_rules_are_read_as_its_program_reads_them() {
    for (list, entry, pdf, forms) in [
        ("deny", "Skill(pdf)", "full deny yes", "full allow yes"),
        ("deny", "Skill(/pdf)", "full deny yes", "full allow yes"),
        // With or without arguments, and names that begin so (checked with 2.1.330).
        ("deny", "Skill(pdf *)", "full deny yes", "full deny yes"),
        ("deny", "Skill(pd:*)", "full deny yes", "full deny yes"),
        ("deny", "Skill(pdf-*)", "full allow yes", "full allow yes"),
        ("deny", "Skill(skill:*-forms)", "full allow yes", "full deny yes"),
        ("deny", "Skill", "no deny yes", "no deny yes"),
        ("deny", "Skill(*)", "no deny yes", "no deny yes"),
        ("deny", "Skills(pdf)", "full allow yes", "full allow yes"),
        ("deny", "Bash(pdf)", "full allow yes", "full allow yes"),
        // A question about one has no effect.
        ("ask", "Skill(pdf)", "full allow yes", "full allow yes"),
        ("ask", "Skill", "full ask yes", "full ask yes"),
    ] {
        let test =
            with(&[(USER, &format!("{{\"permissions\": {{\"{list}\": [7, \"{entry}\"]}}}}"))]);
        assert_eq!(
            (judged(&test, "pdf").0.as_str(), judged(&test, "pdf-forms").0.as_str()),
            (pdf, forms),
            "{entry}"
        );
    }
}

#[test]
fn deny_beats_ask_beats_allow_in_whatever_file() {
    let rule = |list: &str, entry: &str| {
        format!("{{\n\"permissions\": {{ \"{list}\": [\n\"{entry}\"] }} }}\n")
    };
    let test = with(&[(USER, &rule("deny", "Skill(pdf)")), (LOCAL, &rule("allow", "Skill(pdf)"))]);
    assert_eq!(
        judged(&test, "pdf"),
        ("full deny yes".into(), format!("{USER}:3 permissions.deny \"Skill(pdf)\""))
    );
    let test = with(&[(USER, &rule("ask", "Skill")), (LOCAL, &rule("allow", "Skill(pdf)"))]);
    assert_eq!(judged(&test, "pdf").0, "full ask yes");
}

#[test]
fn the_skills_own_fields_count() {
    let mut test = skilled();
    for (name, line) in [
        ("quiet", "disable-model-invocation: true"),
        ("inner", "user-invocable: false"),
        ("tools", "allowed-tools: Bash"),
    ] {
        test.write(
            &format!("repo/.claude/skills/{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: One.\n{line}\n---\n"),
        );
    }
    assert_eq!(judged(&test, "quiet"), ("no deny yes".into(), "disable-model-invocation".into()));
    assert_eq!(judged(&test, "inner").0, "full allow no");
    // Checked with 2.1.330: it asks about such a skill until a rule allows it.
    assert_eq!(judged(&test, "tools").0, "full ask yes");
    permit(&mut test, Allow, "tools", Layer::User).unwrap();
    assert_eq!(judged(&test, "tools").0, "full allow yes");
}
