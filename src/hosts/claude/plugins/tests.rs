//! What the program, 2.1.330, did with each of these plugins.

mod installed;
mod two_plugins;

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
    listed(
        &mut test,
        &format!(r#""name": "shop", "owner": {{"name": "o"}}, "plugins": [{entry}]"#),
    );
    if !manifest.is_empty() {
        test.write(PLUGIN, manifest);
    }
    test.write(SETTINGS, &format!("{{\n  \"enabledPlugins\": {{{enabled}}}\n}}\n"));
    test
}

/// What the list of the marketplace says.
fn listed(test: &mut TestWorkspace, fields: &str) {
    test.write("market/.claude-plugin/marketplace.json", &format!("{{{fields}}}"));
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
        (here, "", r#"{"name": "tools", "skills": "."}"#, both),
        (here, "", r#"{"name": "tools", "version": 5}"#, &[]),
        (here, "", r#"{"name": "tools", "commands": "extra"}"#, &[]),
        (here, "", r#"{"name": "tools", "commands": {"x": {}}}"#, &[]),
        (here, "", r#"{"name": "tools", "agents": "./agents"}"#, &[]),
        (here, "", r#"{"name": "tools", "hooks": "./hooks"}"#, &[]),
        (here, "", r#"{"name": "tools", "hooks": ["./hooks.json", {}], "author": 5}"#, both),
        (here, "", r#"{"name": "tools", "skills": 5}"#, &[]),
        (here, "", r#"{"skills": ["./extra"]}"#, &[]),
        (here, "", r#"{"name": "tools",}"#, &[]),
        (here, r#", "skills": ["./extra/gamma"]"#, PLAIN, three),
        (here, r#", "skills": ["./extra/gamma"], "strict": true"#, "", three),
        (here, r#", "strict": false"#, PLAIN, both),
        (here, r#", "skills": ["./extra"], "strict": false"#, PLAIN, &[]),
        (here, r#", "hooks": {}, "strict": false"#, PLAIN, &[]),
        (here, r#", "skills": [], "strict": false"#, PLAIN, &[]),
        (here, r#", "strict": 5"#, PLAIN, &[]),
        (here, r#", "version": 5"#, PLAIN, &[]),
        (r#""source": "./tools/../tools""#, "", PLAIN, &[]),
        (r#""source": "tools""#, "", PLAIN, &[]),
        // The folder of the marketplace holds the skills of several plugins.
        (there, "", "", &["tools:delta", "tools:omega"]),
        (r#""source": ".""#, "", "", &["tools:delta", "tools:omega"]),
        (there, r#", "skills": ["./skills/delta"]"#, "", &["tools:delta"]),
        (there, r#", "skills": ["./nope"]"#, "", &["tools:delta", "tools:omega"]),
        (there, r#", "skills": "./""#, "", &["tools:delta", "tools:omega", "tools:out"]),
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
fn the_folder_of_a_plugin_is_a_skill_where_nothing_says_where_its_skills_are() {
    let named = r#"{"name": "tools"}"#;
    let listed = r#", "skills": ["./extra/gamma"]"#;
    let table: &[(&str, &str, &[&str], &[&str])] = &[
        ("", named, &[], &["tools:itself"]),
        ("", "", &[], &["tools:itself"]),
        ("", named, &["skills"], &[]),
        ("", r#"{"name": "tools", "skills": []}"#, &[], &[]),
        ("", r#"{"name": "tools", "skills": "./"}"#, &[], &["tools:itself"]),
        (listed, "", &[], &["tools:gamma"]),
        (listed, named, &[], &["tools:gamma", "tools:itself"]),
    ];
    for (more, manifest, folders, expected) in table {
        let entry = format!(r#"{{"name": "tools", "source": "./tools"{more}}}"#);
        let mut test = market(&entry, manifest, r#""tools@shop": true"#);
        std::fs::remove_dir_all(test.env.at("market/tools/skills")).unwrap();
        for folder in *folders {
            std::fs::create_dir_all(test.env.at("market/tools").join(folder)).unwrap();
        }
        test.write("market/tools/SKILL.md", "---\nname: itself\ndescription: d\n---\n");
        assert_eq!(on(&test), *expected, "{entry} {manifest} {folders:?}");
    }
}

#[test]
fn folders_with_a_skill_file_among_a_plugins_commands_are_skills() {
    let of_entry = r#", "commands": ["./more"]"#;
    let (both, own) = (["tools:first", "tools:group:second"], "tools:third");
    let table: &[(&str, &str, &[&str])] = &[
        ("", PLAIN, &both),
        ("", "", &both),
        ("", r#"{"name": "tools", "commands": "./more"}"#, &[own]),
        ("", r#"{"name": "tools", "commands": []}"#, &[]),
        (of_entry, PLAIN, &[both[0], both[1], own]),
    ];
    for (more, manifest, expected) in table {
        let entry = format!(r#"{{"name": "tools", "source": "./tools"{more}}}"#);
        let mut test = market(&entry, manifest, r#""tools@shop": true"#);
        std::fs::remove_dir_all(test.env.at("market/tools/skills")).unwrap();
        for place in ["commands/first", "commands/group/second", "more/third"] {
            let text = "---\nname: written\ndescription: d\n---\n";
            test.write(&format!("market/tools/{place}/SKILL.md"), text);
            test.write(&format!("market/tools/{place}/beside.md"), text);
        }
        assert_eq!(on(&test), *expected, "{entry} {manifest}");
        test.write(SETTINGS, r#"{"enabledPlugins": {"tools@shop": false}}"#);
        assert_eq!((on(&test).len(), test.view().rows.len()), (0, expected.len()));
    }
}

#[test]
fn a_folder_of_commands_with_a_skill_file_is_one_skill_by_the_folders_name() {
    let named = r#"{"name": "tools", "commands": {"x": {"source": "./more"}}}"#;
    let table: &[(&str, &[&str])] = &[
        (PLAIN, &["tools:commands"]),
        (r#"{"name": "tools", "commands": ["./more/"]}"#, &["tools:more"]),
        (named, &["tools:more"]),
    ];
    for (manifest, expected) in table {
        let mut test = market(ENTRY, manifest, r#""tools@shop": true"#);
        std::fs::remove_dir_all(test.env.at("market/tools/skills")).unwrap();
        for place in ["commands", "commands/below", "more", "more/below"] {
            let text = "---\nname: written\ndescription: d\n---\n";
            test.write(&format!("market/tools/{place}/SKILL.md"), text);
        }
        assert_eq!(on(&test), *expected, "{manifest}");
    }
}

#[test]
fn a_marketplace_without_a_name_or_an_owner_has_no_plugins() {
    let mut test = market(ENTRY, PLAIN, r#""tools@shop": true"#);
    let named = |fields: &str| format!(r#"{fields}"plugins": [{ENTRY}]"#);
    for (fields, count) in [
        (r#""name": "shop", "owner": {"name": "o"}, "#, 2),
        (r#""name": "shop", "#, 0),
        (r#""owner": {"name": "o"}, "#, 0),
    ] {
        listed(&mut test, &named(fields));
        assert_eq!(on(&test).len(), count, "{fields}");
    }
}

#[test]
fn another_plugin_takes_the_place_of_one_among_the_persons_skills() {
    let own = ["mine", "tools:x"].as_slice();
    for (entry, manifest, enabled, expected) in [
        (ENTRY, PLAIN, r#""tools@shop": true"#, ["mine", "tools:alpha", "tools:beta"].as_slice()),
        (ENTRY, PLAIN, r#""tools@shop": false"#, &["mine"]),
        (ENTRY, PLAIN, "", own),
        (ENTRY, r#"{"name": 5}"#, r#""tools@shop": true"#, own),
        (r#"{"name": "tools", "source": "./gone"}"#, "", r#""tools@shop": true"#, own),
    ] {
        let mut test = market(entry, manifest, enabled);
        test.write("home/.claude/skills/mine/.claude-plugin/plugin.json", r#"{"name": "tools"}"#);
        test.env.skill("home/.claude/skills", "mine", "d");
        test.env.skill("home/.claude/skills/mine/skills", "x", "d");
        assert_eq!(on(&test), expected, "{entry} {manifest} {enabled}");
    }
}

#[test]
fn a_plugin_among_the_persons_skills_is_on_unless_settings_say_otherwise() {
    let mut test =
        test(&CLAUDE, &["home/.claude/skills/mine", "home/.claude/skills/mine/skills/x"]);
    test.write("home/.claude/skills/mine/.claude-plugin/plugin.json", r#"{"name": "mine"}"#);
    assert_eq!(on(&test), ["mine", "mine:x"]);
    let listed = r#"{"name": "mine", "skills": ["./", "./skills"]}"#;
    test.write("home/.claude/skills/mine/.claude-plugin/plugin.json", listed);
    assert_eq!(on(&test), ["mine", "mine:x"], "as a skill it is no plugin's");
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
