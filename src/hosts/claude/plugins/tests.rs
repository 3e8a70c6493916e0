//! What the program, 2.1.330, did with each of these plugins.

use crate::catalog::Enablement::{NameOnly, Off, On};
use crate::hosts::CLAUDE;
use crate::hosts::test_support::{Layer, Project, User, seen, switch, test};
use crate::workspace::fixture::TestWorkspace;

const SETTINGS: &str = "home/.claude/settings.json";
const PLUGIN: &str = "market/tools/.claude-plugin/plugin.json";
const PLAIN: &str = r#"{"name": "tools", "version": "1.2.3"}"#;

/// A marketplace `shop` in a folder, with one entry; a plugin with two skills of its own, and
/// others around it.
fn market(entry: &str, manifest: &str, enabled: &str) -> TestWorkspace {
    let mut test = test(
        &CLAUDE,
        &[
            "market/tools/skills/alpha",
            "market/tools/skills/beta",
            "market/tools/extra/gamma",
            "market/skills/delta",
            "market/skills/omega",
            "market/out",
        ],
    );
    let place = test.text("market");
    let known = format!(
        r#"{{"shop": {{"source": {{"source": "directory"}}, "installLocation": "{place}"}}}}"#
    );
    test.write("home/.claude/plugins/known_marketplaces.json", &known);
    test.write("market/.claude-plugin/marketplace.json", &format!("{{\"plugins\": [{entry}]}}"));
    if !manifest.is_empty() {
        test.write(PLUGIN, manifest);
    }
    test.write(SETTINGS, &format!("{{\n  \"enabledPlugins\": {{{enabled}}}\n}}\n"));
    test
}

/// The names by which Claude Code knows the skills that are on, sorted.
fn on(test: &TestWorkspace) -> Vec<String> {
    let view = test.view();
    let entries = view.rows.entries().filter(|entry| entry.is_on());
    let mut names: Vec<String> =
        entries.map(|entry| view.policy.order.name_of(&entry.skill).into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_skills_of_a_plugin_are_those_of_its_entry_and_its_manifest() {
    let (here, there) = (r#""source": "./tools""#, r#""source": "./""#);
    let both = ["tools:alpha", "tools:beta"].as_slice();
    let three = ["tools:alpha", "tools:beta", "tools:gamma"].as_slice();
    let table: &[(&str, &str, &str, &[&str])] = &[
        (here, "", PLAIN, both),
        (here, "", "", both),
        (here, "", r#"{"name": "tools", "skills": ["./extra/"]}"#, three),
        (here, "", r#"{"name": "tools", "skills": "./extra"}"#, three),
        (here, "", r#"{"name": "tools", "skills": ["./extra/gamma"]}"#, three),
        (here, "", r#"{"name": "tools", "skills": []}"#, both),
        (here, "", r#"{"name": "tools", "skills": ["./nope"]}"#, both),
        (here, "", r#"{"name": "tools", "skills": ["./"]}"#, both),
        (here, "", r#"{"name": "tools", "skills": ["./extra/../../out"]}"#, both),
        (here, "", r#"{"name": "tools", "unknown": 1}"#, both),
        (here, "", r#"{"name": "other"}"#, &["other:alpha", "other:beta"]),
        // The program refuses these manifests, and the plugin with them.
        (here, "", r#"{"name": "tools", "skills": ["../out"]}"#, &[]),
        (here, "", r#"{"name": "tools", "skills": "extra"}"#, &[]),
        (here, "", r#"{"name": "tools", "skills": 5}"#, &[]),
        (here, "", r#"{"skills": ["./extra"]}"#, &[]),
        (here, "", r#"{"name": "tools",}"#, &[]),
        (here, r#", "skills": ["./extra/gamma"]"#, PLAIN, three),
        (here, r#", "skills": ["./extra/gamma"], "strict": true"#, "", three),
        (here, r#", "strict": false"#, PLAIN, both),
        (here, r#", "skills": ["./extra"], "strict": false"#, PLAIN, &[]),
        // The folder of the marketplace holds the skills of several plugins.
        (there, "", "", &["tools:delta", "tools:omega"]),
        (there, r#", "skills": ["./skills/delta"]"#, "", &["tools:delta"]),
        (
            there,
            r#", "skills": ["./skills"], "strict": false"#,
            "",
            &["tools:delta", "tools:omega"],
        ),
    ];
    for (source, more, manifest, expected) in table {
        let entry = format!(r#"{{"name": "tools", {source}{more}}}"#);
        let test = market(&entry, manifest, r#""tools@shop": true"#);
        assert_eq!(on(&test), *expected, "{entry} {manifest}");
    }
}

const ENTRY: &str = r#"{"name": "tools", "source": "./tools"}"#;

#[test]
fn the_highest_file_that_names_a_plugin_switches_all_its_skills() {
    let say = |word: &str| format!("{{\"enabledPlugins\": {{\"tools@shop\": {word}}}}}");
    let table = [
        (["true", "", ""], true),
        (["false", "", ""], false),
        (["", "", ""], false),
        (["\"yes\"", "", ""], false),
        (["[\"1.0\"]", "", ""], false),
        (["false", "true", ""], true),
        (["true", "false", ""], false),
        (["true", "", "false"], false),
        (["true", "false", "true"], true),
    ];
    for (words, expected) in table {
        let mut test = market(ENTRY, PLAIN, "");
        let files = [SETTINGS, "repo/.claude/settings.json", "repo/.claude/settings.local.json"];
        for (file, word) in files.iter().zip(words).filter(|(_, word)| !word.is_empty()) {
            test.write(file, &say(word));
        }
        // The installer's file alone shows a plugin that no settings name.
        let installed = r#"{"plugins": {"tools@shop": [{"installPath": "/nowhere"}]}}"#;
        test.write("home/.claude/plugins/installed_plugins.json", installed);
        assert_eq!(!on(&test).is_empty(), expected, "{words:?}");
        assert_eq!(test.view().rows.len(), 2, "what is off is a row too");
    }
    // The switches of single skills do not reach a plugin's.
    let mut test = market(ENTRY, PLAIN, "");
    let overrides = r#""skillOverrides": {"tools:alpha": "off", "alpha": "off"}"#;
    test.write(SETTINGS, &format!("{{{overrides}, \"enabledPlugins\": {{\"tools@shop\": true}}}}"));
    assert_eq!(on(&test), ["tools:alpha", "tools:beta"]);
}

#[test]
fn what_was_installed_from_elsewhere_is_read_where_it_was_installed() {
    let mut test = market(ENTRY, PLAIN, r#""tools@shop": true"#);
    let place = test.text("market");
    let known = format!(
        r#"{{"shop": {{"source": {{"source": "github", "repo": "o/r"}}, "installLocation": "{place}"}}}}"#
    );
    test.write("home/.claude/plugins/known_marketplaces.json", &known);
    assert_eq!(on(&test), [""; 0], "it is not installed");
    let cache = "home/.claude/plugins/cache/shop/tools/1";
    test.env.skill(&format!("{cache}/skills"), "cached", "does");
    let installed = format!(
        r#"{{"plugins": {{"tools@shop": [{{"installPath": "{}", "version": "1", "gitCommitSha": "0123456789abcdef"}}]}}}}"#,
        test.text(cache)
    );
    test.write("home/.claude/plugins/installed_plugins.json", &installed);
    assert_eq!(on(&test), ["tools:cached"]);
    let view = test.view();
    let source = view.rows[0].entry.skill.source().unwrap();
    assert_eq!(source.as_str(), "plugin tools@shop 1 0123456789ab");
}

#[test]
fn a_plugin_among_the_persons_skills_is_on_unless_settings_say_otherwise() {
    let mut test =
        test(&CLAUDE, &["home/.claude/skills/mine", "home/.claude/skills/mine/skills/x"]);
    test.write("home/.claude/skills/mine/.claude-plugin/plugin.json", r#"{"name": "mine"}"#);
    assert_eq!(on(&test), ["mine", "mine:x"]);
    test.write(SETTINGS, r#"{"enabledPlugins": {"mine@skills-dir": false}}"#);
    assert_eq!(on(&test), ["mine"]);
}

#[test]
fn a_plugin_is_switched_as_a_whole() {
    let mut test = market(ENTRY, PLAIN, r#""tools@shop": true"#);
    let alone = switch(&mut test, "market/tools/skills/alpha", Off, User).unwrap_err();
    assert!(alone.contains("switches tools@shop only as a whole"), "{alone}");
    assert!(alone.contains("`tools:beta`"), "{alone}");
    let odd = switch(&mut test, "market/tools/skills/alpha", NameOnly, User).unwrap_err();
    assert!(odd.contains("states but on and off for the skills of a plugin"), "{odd}");

    let mut test = market(ENTRY, PLAIN, r#""tools@shop": true"#);
    std::fs::remove_dir_all(test.env.at("market/tools/skills/beta")).unwrap();
    let layers: [(Layer, &str); 2] = [(User, SETTINGS), (Project, "repo/.claude/settings.json")];
    for (layer, file) in layers {
        switch(&mut test, "market/tools/skills/alpha", Off, layer).unwrap();
        assert!(test.read(file).contains("\"tools@shop\": false"), "{}", test.read(file));
        assert_eq!(on(&test), [""; 0]);
        switch(&mut test, "market/tools/skills/alpha", On, layer).unwrap();
        assert_eq!(on(&test), ["tools:alpha"]);
    }
    assert!(seen(&test)[0].starts_with("alpha on"), "{:?}", seen(&test));
}

/// A marketplace in which two plugins have one folder.
fn shared(enabled: &str) -> TestWorkspace {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./tools"}}"#);
    let mut test = market(&format!("{}, {}", entry("t3"), entry("t5")), "", enabled);
    let installed = r#"{"plugins": {"t3@shop": [], "t5@shop": []}}"#;
    test.write("home/.claude/plugins/installed_plugins.json", installed);
    test
}

#[test]
fn a_folder_of_two_plugins_is_the_one_that_settings_name_first() {
    let (t3, t5) = (["t3:alpha", "t3:beta"], ["t5:alpha", "t5:beta"]);
    for (enabled, expected) in [
        (r#""t3@shop": true, "t5@shop": true"#, t3),
        (r#""t5@shop": true, "t3@shop": true"#, t5),
        // One that is off has nothing.
        (r#""t3@shop": false, "t5@shop": true"#, t5),
        (r#""t5@shop": true, "t3@shop": false"#, t5),
    ] {
        assert_eq!(on(&shared(enabled)), expected, "{enabled}");
    }
    let mut test = shared(r#""t5@shop": true"#);
    test.write("repo/.claude/settings.json", r#"{"enabledPlugins": {"t3@shop": true}}"#);
    assert_eq!(on(&test), t5, "the person's settings come first");
}

#[test]
fn a_variable_names_folders_of_plugins() {
    let all = |folders: &str, enabled: &str| {
        let mut test = market(ENTRY, "", enabled);
        test.write("market/one/.claude-plugin/plugin.json", r#"{"name": "one"}"#);
        test.env.skill("market/one/skills", "first", "d");
        test.write("other/.claude-plugin/plugin.json", r#"{"name": "tools"}"#);
        test.env.skill("other/skills", "own", "d");
        let folders = folders.replace("TEST", &test.text(""));
        on(&test.through(&CLAUDE, &[("CLAUDE_CODE_PLUGIN_DIRS", &folders)], "repo"))
    };
    let tools = r#""tools@shop": true"#;
    let both = ["tools:alpha", "tools:beta"].as_slice();
    for (folders, enabled, expected) in [
        ("TEST/market/one", "", ["one:first"].as_slice()),
        ("market/one", "", &[]),
        (" ~/../market/one : nowhere", "", &["one:first"]),
        // A folder of plugins, and one without a manifest.
        ("TEST/market", "", &["one:first"]),
        ("TEST/market/tools", "", both),
        ("TEST/market/one", r#""one@inline": false"#, &[]),
        // It takes the place of an installed one.
        ("TEST/other", tools, &["tools:own"]),
        ("", tools, both),
    ] {
        assert_eq!(all(folders, enabled), *expected, "{folders} {enabled}");
    }
}
