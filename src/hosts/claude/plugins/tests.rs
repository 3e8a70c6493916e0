//! What the program, 2.1.330, did with each of these plugins.

use crate::catalog::Enablement::{NameOnly, Off, On};
use crate::hosts::CLAUDE;
use crate::hosts::test_support::{Layer, Project, User, seen, switch, test};
use crate::workspace::fixture::TestWorkspace;
use crate::workspace::resolve_any;

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
fn what_was_installed_from_elsewhere_is_read_where_it_was_installed() {
    let mut test = fetched("home/.claude/plugins");
    assert_eq!(on(&test), [""; 0], "it is not installed");
    let cache = "home/.claude/plugins/cache/shop/tools/1";
    test.env.skill(&format!("{cache}/skills"), "cached", "does");
    let installed = format!(
        r#"{{"plugins": {{"tools@shop": [{{"scope": "user", "installPath": "{}", "version": "1", "gitCommitSha": "0123456789abcdef"}}]}}}}"#,
        test.text(cache)
    );
    test.write("home/.claude/plugins/installed_plugins.json", &installed);
    assert_eq!(on(&test), ["tools:cached"]);
    let view = test.view();
    let source = view.rows[0].entry.skill.source().unwrap();
    assert_eq!(source.as_str(), "plugin tools@shop 1 0123456789ab");
}

/// The plugin of a marketplace that was fetched and is known in this folder. It is on.
fn fetched(kept: &str) -> TestWorkspace {
    let mut test = market(ENTRY, PLAIN, r#""tools@shop": true"#);
    let place = test.text("market");
    let known = format!(
        r#"{{"shop": {{"source": {{"source": "github", "repo": "o/r"}}, "installLocation": "{place}"}}}}"#
    );
    test.write("home/.claude/plugins/known_marketplaces.json", "{}");
    test.write(&format!("{kept}/known_marketplaces.json"), &known);
    for version in ["one", "two"] {
        test.env.skill(&format!("cache/{version}/skills"), version, "d");
    }
    test
}

/// What the program keeps of that plugin: scope, project and folder of each installation.
fn installed(test: &mut TestWorkspace, kept: &str, entries: &[(&str, &str, &str)]) {
    let top = test.text("");
    let entry = |(scope, project, version): &(&str, &str, &str)| {
        let project = match project.is_empty() {
            true => String::new(),
            false => format!(r#""projectPath": "{top}{project}", "#),
        };
        format!(r#"{{"scope": "{scope}", {project}"installPath": "{top}cache/{version}"}}"#)
    };
    let entries: Vec<String> = entries.iter().map(entry).collect();
    let text = format!(r#"{{"plugins": {{"tools@shop": [{}]}}}}"#, entries.join(", "));
    test.write(&format!("{kept}/installed_plugins.json"), &text);
}

#[test]
fn a_plugin_counts_in_the_projects_for_which_it_was_installed() {
    const KEPT: &str = "home/.claude/plugins";
    const NONE: &[&str] = &[];
    let (one, two) = (["tools:one"].as_slice(), ["tools:two"].as_slice());
    let all = ("user", "", "two");
    let mut test = fetched(KEPT);
    // As `git worktree add` writes them.
    let own = "repo/.git/worktrees/tree";
    for (file, text) in [
        ("tree/.git", format!("gitdir: {}\n", test.text(own))),
        ("repo/.git/worktrees/tree/gitdir", format!("{}\n", test.text("tree/.git"))),
        ("repo/.git/worktrees/tree/commondir", "../..\n".to_owned()),
    ] {
        test.write(file, &text);
    }
    for (cwd, entries, expected) in [
        ("repo", [("project", "repo", "one"), ("project", "other", "two")].as_slice(), one),
        ("repo", &[("project", "other", "two"), ("local", "repo", "one")], one),
        ("repo", &[("project", "other", "one")], NONE),
        // The first that applies.
        ("repo", &[("project", "repo", "one"), all], one),
        ("repo", &[all, ("project", "repo", "one")], two),
        ("repo", &[("managed", "", "one"), all], one),
        ("repo", &[("project", "repo", "gone"), all], two),
        // One repository is one project, with all its working trees.
        ("repo", &[("project", "repo/sub", "one")], one),
        ("tree", &[("project", "repo", "one"), all], one),
        ("repo", &[("project", "tree", "one"), all], one),
        ("other", &[("project", "repo", "one"), all], two),
    ] {
        installed(&mut test, KEPT, entries);
        test = test.through(&CLAUDE, &[], cwd);
        assert_eq!(on(&test), expected, "{cwd} {entries:?}");
    }
}

#[test]
fn a_variable_says_where_plugins_are_kept() {
    let variable = "CLAUDE_CODE_PLUGIN_CACHE_DIR";
    for (said, kept) in [("TOP/far", "far"), (" ~/far ", "home/far"), ("far", "repo/far")] {
        let mut test = fetched(kept);
        installed(&mut test, kept, &[("user", "", "one")]);
        assert_eq!(on(&test), [""; 0], "the variable is not set");
        let said = said.replace("TOP/", &test.text(""));
        let test = test.through(&CLAUDE, &[(variable, &said)], "repo");
        assert_eq!(on(&test), ["tools:one"], "{said}");
        let mut test = test.through(&CLAUDE, &[(variable, "")], "repo");
        assert_eq!(on(&test), [""; 0], "it has nothing in it");
        let settings = r#"{"enabledPlugins": {"tools@shop": true}, "env": {"NAME": "VALUE"}}"#;
        test.write(SETTINGS, &settings.replace("NAME", variable).replace("VALUE", &said));
        assert_eq!(on(&test), ["tools:one"], "the settings say {said}");
    }
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
fn what_was_fetched_is_there_whatever_its_entry_says() {
    let mut test = fetched("home/.claude/plugins");
    installed(&mut test, "home/.claude/plugins", &[("user", "", "one")]);
    assert_eq!(on(&test), ["tools:one"]);
    for entry in [r#""source": "../out""#, r#""source": "./tools", "skills": 5"#] {
        let entry = format!(r#"{{"name": "tools", {entry}}}"#);
        let list = format!(r#""name": "shop", "owner": {{"name": "o"}}, "plugins": [{entry}]"#);
        listed(&mut test, &list);
        assert_eq!(on(&test), ["tools:one"], "{entry}");
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
fn a_name_of_two_plugins_means_the_skill_of_the_one_that_is_on() {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./{name}"}}"#);
    let entries = [entry("one"), entry("two")].join(", ");
    let meant = |enabled: &str, argument: &str| {
        let mut test = market(&entries, "", enabled);
        for name in ["one", "two"] {
            test.env.skill(&format!("market/{name}/skills"), "pdf", "d");
        }
        test.write(
            "home/.claude/plugins/installed_plugins.json",
            r#"{"plugins": {"two@shop": []}}"#,
        );
        let view = test.view();
        let found = resolve_any(&view, argument, None, &test.workspace.context.cwd);
        let names = |index: usize| view.policy.order.name_of(view.rows[index].skill()).into_owned();
        found.map(names).map_err(|error| error.refusal(argument, Vec::new()).lines())
    };
    let one = Ok("one:pdf".to_owned());
    assert_eq!(meant(r#""one@shop": true, "two@shop": false"#, "pdf"), one);
    assert_eq!(meant(r#""one@shop": true"#, "pdf"), one);
    for enabled in [r#""one@shop": true, "two@shop": true"#, r#""one@shop": false"#] {
        let lines = meant(enabled, "pdf").unwrap_err();
        let last = lines.last().map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("or one of these names: one:pdf, two:pdf"), "{lines:?}");
        assert_eq!(meant(enabled, "one:pdf"), one);
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

/// A marketplace in which two plugins have one folder.
fn shared(enabled: &str) -> TestWorkspace {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./tools"}}"#);
    let other = r#"{"name": "other", "source": "./other"}"#;
    let entries = format!("{}, {}, {other}", entry("t3"), entry("t5"));
    let mut test = market(&entries, "", enabled);
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
fn a_skill_in_a_folder_of_two_plugins_is_off_only_with_that_to_which_it_belongs() {
    for (t5, expected) in [(true, "ambiguous"), (false, "other:alpha")] {
        let enabled = format!(r#""t3@shop": false, "t5@shop": {t5}, "other@shop": true"#);
        let test = shared(&enabled);
        test.env.skill("market/other/skills", "alpha", "d");
        let test = test.through(&CLAUDE, &[], "repo");
        let view = test.view();
        let found = resolve_any(&view, "alpha", None, &test.workspace.context.cwd);
        let name = |index: usize| view.policy.order.name_of(view.rows[index].skill()).into_owned();
        let found = found.map_or_else(|error| error.refusal("alpha", vec![]).code.into(), name);
        assert_eq!(found, expected, "{enabled}");
    }
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
