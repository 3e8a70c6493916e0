//! Plugins that were fetched: where they are kept, and for which projects they count.

use super::*;

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
