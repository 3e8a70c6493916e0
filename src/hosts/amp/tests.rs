use crate::catalog::Enablement::Off;
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::hosts::AMP;
use crate::hosts::test_support::{
    self, Golden, Project, User, permit, roots_inside, seen, set_rules, switch,
};
use crate::workspace::fixture::TestWorkspace;

const FILE: &str = "home/.config/amp/settings.json";

fn test() -> TestWorkspace {
    test_support::test(&AMP, &["repo/.agents/skills/pdf", "home/.agents/skills/zip"])
}

#[test]
fn the_persons_come_first_and_settings_add_and_leave_out() {
    let mut test = test().from("repo/a", &[]);
    let expected = [
        "home/.config/agents/skills user",
        "home/.agents/skills user",
        "home/.config/amp/skills user",
        "repo/a/.agents/skills repo",
        "repo/.agents/skills repo",
        ".agents/skills repo",
        "repo/a/.claude/skills repo",
        "repo/.claude/skills repo",
        ".claude/skills repo",
        "home/.claude/skills user",
        "home/.claude/plugins/cache user",
    ];
    assert_eq!(roots_inside(&test), expected);
    test.write(
        FILE,
        "{\"amp.skills.disableClaudeCodeSkills\": true, \"amp.skills.path\": \"~/more:/srv/amp\",}",
    );
    let found = roots_inside(&test);
    assert_eq!(found[..5], expected[..5]);
    assert_eq!(found[6..], ["home/more user"]);
    assert!(!found.iter().any(|root| root.contains(".claude")));
}

/// What the program lists.
#[test]
fn the_folders_that_agents_share_at_home_are_left_out_where_a_setting_says_so() {
    let mut test = test();
    for (value, count) in [("true", 1), ("\"false\"", 1), ("0", 3), ("null", 3)] {
        test.write(FILE, &format!("{{\"amp.skills.disableGlobalAgentsSkills\": {value}}}"));
        let roots = roots_inside(&test);
        let own = ["home/.config/agents/", "home/.agents/", "home/.config/amp/"];
        let is_own = |root: &&String| own.iter().any(|own| root.starts_with(own));
        assert_eq!(roots.iter().filter(is_own).count(), count, "{value}: {roots:?}");
        assert!(roots.contains(&"repo/.agents/skills repo".to_owned()));
    }
}

/// What the program lists.
#[test]
fn the_administrators_file_counts_above_the_persons_as_far_as_it_can_be_read() {
    let mut test = test();
    test.write(FILE, "{\"amp.skills.disableClaudeCodeSkills\": false}");
    let off = "{\"amp.skills.disableClaudeCodeSkills\": true,} // c";
    for (text, claude) in [
        ("{}", true),
        (off, false),
        (format!("\u{feff}{off}").as_str(), true),
        ("{\"amp.skills", true),
        ("", true),
        ("null", true),
    ] {
        test.write("etc/managed-settings.json", text);
        let context = &test.workspace.context;
        let paths = super::paths(context, &test.env.top.join("etc"));
        let reading = crate::hosts::Reading::of(paths, context, &crate::config::Inputs::default());
        let roots = AMP.roots(&reading, &[]);
        assert_eq!(
            roots.iter().any(|root| root.path.ends_with(".claude/skills")),
            claude,
            "{text}"
        );
        let policy = AMP.policy(&reading);
        assert!(policy.rules.is_empty(), "{text}: {:?}", policy.rules);
    }
    let entry = "{\"amp.permissions\": [{\"tool\": \"skill\", \"action\": \"reject\"}]}";
    test.write("etc/managed-settings.json", entry);
    let paths = super::paths(&test.workspace.context, &test.env.top.join("etc"));
    let inputs = crate::config::Inputs::default();
    let reading = crate::hosts::Reading::of(paths, &test.workspace.context, &inputs);
    assert!(AMP.policy(&reading).rules.is_empty());
}

#[test]
fn what_claude_code_has_fetched_of_plugins_is_an_ordinary_folder() {
    let mut test = test_support::test(&AMP, &["home/.claude/plugins/cache/m/p/1.0/skills/alpha"]);
    assert_eq!(seen(&test), ["alpha on full allow default"]);
    test.write(FILE, "{\"amp.skills.disableClaudeCodeSkills\": true}");
    assert!(seen(&test).is_empty());
}

#[test]
fn where_its_settings_are() {
    let reject = "{\"amp.permissions\": [{\"tool\": \"skill\", \"action\": \"reject\"}]}";
    let mut test = test();
    test.write("home/.config/amp/settings.jsonc", reject);
    assert!(seen(&test)[0].ends_with("settings.jsonc:1"), "{:?}", seen(&test));
    test.write(FILE, "{}");
    assert_eq!(seen(&test)[0], "pdf on full allow default");
    test.write("other/amp/settings.json", reject);
    let test = test.from("repo", &[("XDG_CONFIG_HOME", "test/other")]);
    assert_eq!(seen(&test)[0], "pdf user-only no deny other/amp/settings.json:1");
    let test = test.from("repo", &[("AMP_SETTINGS_FILE", "test/other/amp/settings.json")]);
    assert_eq!(seen(&test)[0], "pdf user-only no deny other/amp/settings.json:1");
}

#[test]
fn the_first_of_a_name_and_names_as_the_standard_has_them() {
    let mut test = TestWorkspace::with(&[
        ("home/.claude/skills/dup", "dup"),
        ("repo/.agents/skills/dup", "dup"),
        ("home/.config/agents/skills/dup", "dup"),
        ("repo/.agents/skills/.hidden", "hidden"),
        ("repo/.agents/skills/deep/2/3/4/5/six", "six"),
        ("repo/.agents/skills/hidden/Upper", "Upper"),
    ]);
    test.write("repo/.agents/skills/lower/skill.md", "---\nname: lower\ndescription: d\n---\n");
    let by = "by home/.config/agents/skills/dup/SKILL.md";
    let expected = [
        "Upper refused name-case".to_owned(),
        format!("dup off no deny {by}"),
        "hidden on full allow default".to_owned(),
        "lower on full allow default".to_owned(),
        format!("dup off no deny {by}"),
        "dup on full allow default".to_owned(),
    ];
    assert_eq!(seen(&test.through(&AMP, &[], "repo")), expected);
}

#[test]
fn the_first_entry_that_matches_decides() {
    let mut test = test();
    let mut says = |entries: &str| {
        test.write(FILE, &format!("{{\"amp.permissions\": [\n{entries}]}}"));
        seen(&test)
    };
    let by = |line: u32| format!("{FILE}:{line}");
    let reject = "{\"tool\":\"skill\",\"matches\":{\"name\":\"pdf\"},\"action\":\"reject\"},\n";
    let rest = "{\"tool\":\"skill\",\"action\":\"ask\"}\n";
    let found = says(&format!("{reject}{rest}"));
    assert_eq!(
        found,
        [format!("pdf on full deny {}", by(2)), format!("zip on full ask {}", by(3))]
    );
    let found = says(&format!(
        "{{\"tool\":\"Bash\",\"action\":\"reject\"}},\n{{\"tool\":\"sk*\",\"action\":\"allow\"}},\n{reject}"
    ));
    assert_eq!(found[0], format!("pdf on full allow {}", by(3)), "what comes first");
    assert_eq!(
        says("{\"tool\":\"skill\",\"matches\":{\"name\":[\"p*\",\"x\"]},\"action\":\"ask\"}")[0],
        format!("pdf on full ask {}", by(2))
    );
    for other in [
        "{\"tool\":\"skill\",\"matches\":{\"cmd\":\"x\"},\"action\":\"reject\"}",
        "{\"tool\":\"skill\",\"context\":\"subagent\",\"action\":\"reject\"}",
    ] {
        assert_eq!(says(other)[0], "pdf on full allow default", "{other}");
    }
    for closed in [
        "{\"tool\":\"skill\",\"action\":\"maybe\"}",
        "{\"action\":\"allow\"}",
        "{\"tool\":\"skill\",\"action\":\"delegate\",\"to\":\"x\"}",
        "{\"tool\":\"skill\",\"matches\":{\"name\":\"/z/\"},\"action\":\"reject\"}",
    ] {
        assert_eq!(says(closed)[0], format!("pdf user-only no deny {}", by(2)), "{closed}");
    }
    assert_eq!(
        says("{\"tool\":\"skill\",\"matches\":{\"name\":\"/z/\"},\"action\":\"allow\"}")[0],
        "pdf on full allow default"
    );
}

#[test]
fn an_entry_goes_to_the_front() {
    let mut test = test();
    let entry = |name: &str, action: &str| {
        format!(
            "{{\"tool\":\"skill\",\"matches\":{{\"name\":\"{name}\"}},\"action\":\"{action}\"}}"
        )
    };
    let other = "{\"tool\":\"Bash\",\"action\":\"ask\"} /* mine */";
    let rows = [
        (
            format!("{{\"amp.permissions\":[{other}]}}"),
            (Deny, "pdf"),
            format!("{{\"amp.permissions\":[{},{other}]}}", entry("pdf", "reject")),
        ),
        (
            format!("{{\"amp.permissions\":[{other},{}]}}", entry("pdf", "reject")),
            (Ask, "pdf"),
            format!("{{\"amp.permissions\":[{other},{}]}}", entry("pdf", "ask")),
        ),
        (
            format!("{{\"amp.permissions\":[{},{other}]}}", entry("p*", "reject")),
            (Allow, "p*"),
            format!("{{\"amp.permissions\":[{},{other}]}}", entry("p*", "allow")),
        ),
        (
            "{\"amp.permissions\":[]}".to_owned(),
            (Allow, "pdf"),
            "{\"amp.permissions\":[]}".to_owned(),
        ),
    ];
    for (before, wanted, after) in rows {
        Golden { file: FILE, place: Some(User), before: &before, after: &after }
            .check(&mut test, |test, place| permit(test, wanted.0, wanted.1, place));
    }
    permit(&mut test, Deny, "*", None).unwrap();
    assert_eq!(seen(&test).iter().filter(|skill| skill.contains(" user-only no deny ")).count(), 2);
}

#[test]
fn a_set_of_rules_leaves_other_tools_alone() {
    let mut test = test();
    let before = "{ // mine\n  \"amp.permissions\": [\n    { \"tool\": \"Bash\", \"action\": \"ask\" }, // shell\n    { \"tool\": \"skill\", \"action\": \"ask\" },\n    { \"tool\": \"*\", \"action\": \"allow\" }\n  ]\n}\n";
    test.write(FILE, before);
    // The file has the last rule already, in an entry for more than skills.
    let rules = [(Deny, "pdf"), (Allow, "*")];
    set_rules(&mut test, &rules, User).unwrap();
    assert_eq!(test.read(FILE).matches("\"skill\"").count(), 1, "{}", test.read(FILE));
    let written = test.read(FILE);
    for kept in [
        "// mine",
        "{ \"tool\": \"Bash\", \"action\": \"ask\" }, // shell",
        "{ \"tool\": \"*\", \"action\": \"allow\" }",
    ] {
        assert!(written.contains(kept), "{written}");
    }
    let states = seen(&test);
    assert!(
        states[0].starts_with("pdf on full deny") && states[1].starts_with("zip on full allow"),
        "{states:?}"
    );
    set_rules(&mut test, &rules, User).unwrap();
    assert_eq!(test.read(FILE), written);
}

#[test]
fn there_is_no_switch_and_no_other_file() {
    let mut test = test();
    assert_eq!(
        switch(&mut test, "pdf", Off, None),
        Err("Amp does not have a switch for one skill".to_owned())
    );
    let refused = permit(&mut test, Deny, "pdf", Some(Project)).unwrap_err();
    assert_eq!(refused, "Amp has no project settings file here");
}

/// What the program says of each.
#[test]
fn settings_of_a_wrong_type() {
    let mut test = test();
    let mut says = |text: &str| {
        test.write(FILE, text);
        let said = seen(&test);
        said.first().cloned().unwrap_or_default()
    };
    let on = "pdf on full allow default";
    for text in [
        "[]",
        "5",
        "[null]",
        "{\"amp.permissions\": null}",
        "{\"amp.skills.path\": null}",
        "{\"amp.permissions\": [{\"tool\": \"skill\", \"action\": \"reject\", \"matches\": {\"name\": \" pdf \"}}]}",
    ] {
        assert_eq!(says(text), on, "{text}");
    }
    for text in [
        "",
        " \n",
        "null",
        "\u{feff}{}",
        "{\"amp.permissions\": {}}",
        "{\"amp.permissions\": [5]}",
        "{\"amp.permissions\": [{\"tool\": \"Bash\", \"action\": \"ask\", \"to\": \"x\"}]}",
        "{\"amp.permissions\": [{\"tool\": \"skill\", \"action\": \"delegate\"}]}",
        "{\"amp.permissions\": [{\"tool\": \"\", \"action\": \"ask\"}]}",
        "{\"amp.permissions\": [{\"tool\": \"Bash\", \"action\": \"ask\", \"context\": \"subagent\", \"matches\": {\"name\": []}}]}",
        "{\"amp.permissions\": [{\"tool\": \"skill\", \"action\": \"ask\", \"matches\": {\"name\": []}}]}",
    ] {
        assert!(says(text).starts_with("pdf user-only no deny"), "{text:?}: {}", says(text));
    }
    for path in ["5", "[]", "{}", "true"] {
        assert_eq!(says(&format!("{{\"amp.skills.path\": {path}}}")), "", "{path}");
    }
}

#[test]
fn any_value_but_a_false_one_leaves_out_claudes_folders() {
    let mut test =
        TestWorkspace::with(&[("repo/.claude/skills/pdf", "pdf")]).through(&AMP, &[], "repo");
    for (value, found) in [("null", 1), ("0", 1), ("\"\"", 1), ("[]", 0), ("5", 0), ("\"x\"", 0)] {
        test.write(FILE, &format!("{{\"amp.skills.disableClaudeCodeSkills\": {value}}}"));
        assert_eq!(seen(&test).len(), found, "{value}");
    }
}

/// Of a name the skill that the file system lists first is taken.
#[test]
fn of_two_in_a_root_the_one_that_is_listed_first_is_taken() {
    let skills = ["repo/.agents/skills/b", "repo/.agents/skills/a/x", "repo/.agents/skills/c"];
    let test = TestWorkspace::with(&skills.map(|skill| (skill, "dup"))).through(&AMP, &[], "repo");
    let root = std::fs::read_dir(test.text("repo/.agents/skills")).unwrap();
    let first = root.map(|entry| entry.unwrap().file_name().into_string().unwrap()).next().unwrap();
    let first = skills.iter().find(|skill| skill.split('/').nth(3) == Some(&*first)).unwrap();
    let by = format!("dup off no deny by {first}/SKILL.md");
    assert_eq!(seen(&test).iter().filter(|row| **row == by).count(), 2);
}

/// The root's own file and the folders in it are met as they are listed.
#[test]
fn a_folder_that_is_listed_before_the_file_beside_it_is_met_first() {
    const ROOT: &str = "repo/.agents/skills";
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let test = TestWorkspace::with(&[]);
        let head = "name: dup\ndescription: d";
        test.env.raw_skill(&format!("{ROOT}/{name}/x"), head, "");
        test.env.raw_skill(ROOT, head, "");
        let test = test.through(&AMP, &[], "repo");
        let listed = std::fs::read_dir(test.text(ROOT)).unwrap();
        let first = listed.map(|entry| entry.unwrap().file_name()).next().unwrap();
        let first = if first == "SKILL.md" { String::new() } else { format!("/{name}/x") };
        assert!(seen(&test).contains(&format!("dup off no deny by {ROOT}{first}/SKILL.md")));
    }
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_met_where_the_link_is_listed() {
    const ROOT: &str = "repo/.agents/skills";
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let test = TestWorkspace::with(&[]);
        let head = "name: dup\ndescription: d";
        test.env.raw_skill(&format!("{ROOT}/m"), head, "");
        test.env.raw_skill(&format!("{ROOT}/z"), head, "");
        test.env.link(&format!("{ROOT}/z"), &format!("{ROOT}/{name}"));
        let test = test.through(&AMP, &[], "repo");
        let listed = std::fs::read_dir(test.text(ROOT)).unwrap();
        let first = listed.map(|entry| entry.unwrap().file_name()).next().unwrap();
        let first = if first == "m" { "m" } else { "z" };
        assert!(seen(&test).contains(&format!("dup off no deny by {ROOT}/{first}/SKILL.md")));
    }
}

#[test]
fn a_file_that_it_does_not_take_is_not_edited() {
    let mut test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
    test = test.through(&AMP, &[], "repo");
    test.write(FILE, "\u{feff}{}");
    for effect in [Allow, Ask, Deny] {
        let refused = permit(&mut test, effect, "pdf", User).unwrap_err();
        let why = "Amp takes no file with a byte order mark";
        assert!(refused.contains(&format!("until line 1 is mended: {why} ({FILE})")), "{refused}");
    }
    assert_eq!(test.read(FILE), "\u{feff}{}");
}

/// Entries of the list, each on its line and with its comment.
fn list(entries: &[(&str, &str, &str)]) -> String {
    let entry = |(matches, action, comment): &(&str, &str, &str)| {
        format!("    {{\"tool\":\"skill\",{matches}\"action\":\"{action}\"}}, // {comment}\n")
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("{{\n  \"amp.permissions\": [\n{entries}  ]\n}}\n")
}

fn named(name: &str) -> String {
    format!("\"matches\":{{\"name\":\"{name}\"}},")
}

#[test]
fn one_changed_rule_moves_no_other() {
    let mut test = test();
    let with_arguments = "\"matches\":{\"name\":\"alpha\",\"arguments\":\"z\"},";
    let before = list(&[
        (&named("pdf"), "ask", "two"),
        (with_arguments, "reject", "never with z"),
        (&named("alpha"), "allow", "own"),
        ("\"matches\":{\"name\":[\"b*\"]},", "ask", "listed"),
    ]);
    let after = |rules: &[(Permission, &str)], test: &mut TestWorkspace| {
        test.write(FILE, &before);
        set_rules(test, rules, User).unwrap();
        test.read(FILE)
    };
    let rules = [(Deny, "pdf"), (Allow, "alpha"), (Ask, "b*")];
    let expected = before.replacen("\"ask\"", "\"reject\"", 1);
    assert_eq!(after(&rules, &mut test), expected);
    let rules = [(Ask, "pdf"), (Allow, "alpha"), (Allow, "b*")];
    let expected = before.replace("[\"b*\"]},\"action\":\"ask\"", "[\"b*\"]},\"action\":\"allow\"");
    assert_eq!(after(&rules, &mut test), expected, "the names stay as they are written");
    let rules = [(Ask, "pdf"), (Deny, "beta"), (Ask, "b*")];
    let other = "{ \"name\": \"beta\" },\"action\":\"reject\"";
    let expected = before.replace("{\"name\":\"alpha\"},\"action\":\"allow\"", other);
    assert_eq!(after(&rules, &mut test), expected, "another pattern");
    let rules = [(Ask, "pdf"), (Ask, "b*")];
    let own = before.lines().find(|line| line.ends_with("own")).unwrap();
    let expected = before.replace(&format!("{own}\n"), "");
    assert_eq!(after(&rules, &mut test), expected);
    let found = after(&[(Ask, "pdf"), (Deny, "*"), (Ask, "b*")], &mut test);
    let lines: Vec<&str> = found.lines().collect();
    assert!(lines[4].contains("reject") && !lines[4].contains("name"), "{found}");
    assert_eq!(found.matches("tool").count(), 4, "{found}");
}

#[test]
fn a_new_rule_passes_no_entry_that_cannot_be_read() {
    let mut test = test();
    let of = |test: &mut TestWorkspace, unread: &[(&str, &str)], rules: &[(Permission, &str)]| {
        let (first, second) = (named("a"), named("b"));
        let mut entries = vec![(&*first, "allow", "first")];
        entries.extend(unread.iter().map(|(matches, action)| (*matches, *action, "unread")));
        entries.push((&second, "ask", "last"));
        test.write(FILE, &list(&entries));
        set_rules(test, rules, User)?;
        let names = ["\"a\"", "\"b\"", "\"new\"", "unread"];
        let text = test.read(FILE);
        let lines = text.lines().filter_map(|line| names.iter().find(|name| line.contains(**name)));
        Ok::<_, String>(lines.map(|name| name.trim_matches('"')).collect::<Vec<_>>().join(" "))
    };
    let between = |effect| [(Allow, "a"), (effect, "new"), (Ask, "b")];
    let closed = [("\"matches\":{\"name\":\"/z/\"},", "reject")];
    let open = [("\"matches\":{\"name\":\"/z/\"},", "allow")];
    for effect in [Allow, Ask, Deny] {
        assert_eq!(of(&mut test, &closed, &between(effect)).unwrap(), "a unread new b");
        assert_eq!(of(&mut test, &open, &between(effect)).unwrap(), "a new unread b");
        assert_eq!(of(&mut test, &[], &between(effect)).unwrap(), "a new b");
    }
    let both = [open[0], closed[0]];
    assert_eq!(of(&mut test, &both, &between(Allow)).unwrap(), "a unread unread new b");
    let refused = of(&mut test, &both, &between(Deny)).unwrap_err();
    assert!(refused.contains(&format!("{FILE}:4")), "{refused}");
    let last = [(Allow, "a"), (Ask, "b"), (Deny, "new")];
    assert_eq!(of(&mut test, &closed, &last).unwrap(), "a unread b new");
}
