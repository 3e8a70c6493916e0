//! Which agents refuse a skill for which finding, and what they do with two skills of one name.

use crate::env::TestEnv;
use serde_json::Value as Json;

/// Findings, a skill that has each, and the agents that drop it (`tests/hosts`
/// saw the programs do so).
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    ("bom", "\u{feff}---\nname: NAME\ndescription: d\n---\n", "codex gemini pi droid codelia kodelet remcochat"),
    ("name-missing", "---\ndescription: d\n---\n", "opencode gemini qwen amp kilo kimi-code-cli mistral-vibe droid codelia kodelet remcochat spec0027 goose"),
    ("name-dir-mismatch", "---\nname: other\ndescription: d\n---\n", "codelia remcochat vscode"),
    ("name-case", "---\nname: NAMED\ndescription: d\n---\n", "amp mistral-vibe droid codelia remcochat"),
    ("desc-missing", "---\nname: NAME\n---\n", "agents codex gemini pi qwen amp kimi-code-cli mistral-vibe droid codelia kodelet remcochat spec0027 cursor vscode"),
    ("no-frontmatter", "text\n", "agents codex opencode gemini copilot pi qwen amp kilo kimi-code-cli mistral-vibe droid codelia kodelet remcochat spec0027 goose cursor vscode"),
    ("yaml-repaired", "---\nname: NAME\ndescription: a: b\n---\n", "copilot pi amp kimi-code-cli mistral-vibe kodelet remcochat goose"),
    ("yaml:duplicate-key", "---\nname: NAME\ndescription: d\ndescription: d\n---\n", "codex opencode copilot pi amp kilo kimi-code-cli remcochat goose"),
    ("unexpected-fields", "---\nname: NAME\ndescription: d\nodd: 1\n---\n", ""),
];

fn refusers(diagnostics: &Json, code: &str) -> Option<String> {
    let found = diagnostics.as_array().unwrap().iter().find(|row| row["code"] == code)?;
    let words = found["refused_by"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Of several skills elsewhere the first one says why.
#[test]
fn a_name_that_several_skills_elsewhere_have_is_unknown_with_a_reason() {
    let env = TestEnv::new();
    for agent in [".claude", ".codex"] {
        env.write(format!("home/{agent}/used"), "");
        env.skill(&format!("repo/{agent}/skills"), "pdf", "d");
    }
    let told = env.run(&["mention", "pdf", "--host", "gemini"]).ended(1).err;
    assert!(told.contains("Gemini CLI does not look in"), "{told}");
    assert!(told.contains("to share it: skillpick share ") && told.contains("/pdf --to"), "{told}");
}

/// To share it with nobody in particular would not switch it.
#[test]
fn a_skill_that_another_agent_sees_is_reached_through_that_agent() {
    let env = TestEnv::new();
    env.skill("home/.claude/skills", "pdf", "d");
    let said = "Claude Code sees it: --host claude\n";
    for command in ["disable", "enable", "show", "mention", "load", "check"] {
        let ran = env.run(&[command, "pdf"]).ended(1);
        assert!(ran.err.contains("does not look in") && ran.err.ends_with(said), "{ran:?}");
        env.run(&[command, "pdf", "--host", "claude"]).ended(0);
    }
    let ran = env.run(&["read", "pdf", "SKILL.md"]).ended(1);
    assert!(ran.err.ends_with(said), "{ran:?}");
    // Who names an agent may want it there.
    let ran = env.run(&["show", "pdf", "--host", "agents"]).ended(1);
    let share = "  to share it: skillpick share pdf --to agents\n";
    assert!(ran.err.ends_with(&format!("{said}{share}")), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn in_a_folder_that_was_deleted_nothing_is_said_to_be_sound() {
    let env = TestEnv::new();
    let gone = env.at("gone");
    std::fs::create_dir(&gone).unwrap();
    let mut shell = std::process::Command::new("sh");
    let script = "rmdir \"$PWD\"; exec \"$1\" check";
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_skillpick")]).current_dir(&gone);
    let ended = shell.env("HOME", env.at("home")).output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{told}");
    let said = "skillpick: the working directory is gone; go to another one (`cd`)\n";
    assert_eq!(told, said, "nobody wrote -C");
}

#[test]
fn every_finding_names_the_agents_that_refuse_the_skill_for_it() {
    for (code, text, hosts) in REFUSED {
        let env = TestEnv::new();
        // Some agents refuse a file without a body for that.
        let text = text.replace("NAMED", "One").replace("NAME", "one") + "Body\n";
        let path = env.write("repo/.agents/skills/one/SKILL.md", text);
        let check = env.run(&["check", path.to_str().unwrap(), "--json"]);
        let check: Json = serde_json::from_str(check.out()).unwrap();
        assert_eq!(
            refusers(&check["skills"][0]["diagnostics"], code).as_deref(),
            Some(*hosts),
            "{code}: {check}"
        );
        let list = env.json("list", &["list", "--json"]);
        let rows =
            list["skills"].as_array().unwrap().iter().chain(list["errors"].as_array().unwrap());
        let listed: Vec<_> = rows.filter_map(|row| refusers(&row["diagnostics"], code)).collect();
        assert_eq!(listed, [*hosts], "{code}: {list}");
        // The lists agree: each of these agents refuses the skill, and the others offer it.
        for host in [
            "agents", "codex", "opencode", "gemini", "copilot", "pi", "qwen", "amp", "kilo",
            "codelia",
        ] {
            let env = env.run(&["list", "--host", host, "--json"]).ended(0);
            let list: Json = serde_json::from_str(env.out()).unwrap();
            if list["skills"].as_array().unwrap().is_empty()
                && list["errors"].as_array().unwrap().is_empty()
            {
                assert_eq!(
                    host, "gemini",
                    "it looks there, but for Gemini, which does not trust the folder"
                );
                continue;
            }
            let dropped = list["skills"].as_array().unwrap().is_empty();
            assert_eq!(dropped, hosts.split(' ').any(|word| word == host), "{code} {host}: {list}");
        }
        let plain = env.run(&["check", path.to_str().unwrap()]);
        let first = hosts.split(' ').next().unwrap();
        assert!(plain.out().contains(first) && plain.out().contains(code), "{code}: {plain:?}");
    }
}

/// Where a file is not plain, the agents' own readers say who is named, in a strict check too.
#[test]
fn a_finding_names_no_agent_that_takes_the_skill_and_each_that_refuses_it() {
    for (text, strict, code, named) in [
        ("description: with: colon", true, "yaml:syntax", "copilot"),
        ("description: with: colon", false, "yaml-repaired", "copilot"),
        ("description: d\nmetadata: text", false, "metadata-type", "codex"),
        ("description: \"Sheets: make", false, "yaml-repaired", "codex"),
    ] {
        let env = TestEnv::new();
        let text = format!("---\nname: one\n{text}\n---\nBody\n");
        let path = env.write("repo/.agents/skills/one/SKILL.md", text);
        let path = path.to_str().unwrap();
        let options = ["check", path, "--json", "--strict"];
        let check = env.run(&options[..if strict { 4 } else { 3 }]);
        let check: Json = serde_json::from_str(check.out()).unwrap();
        let found = refusers(&check["skills"][0]["diagnostics"], code);
        let found = found.unwrap_or_else(|| panic!("{code}: {check}"));
        assert!(found.split(' ').any(|word| word == named), "{code}: {check}");
        let list = env.json("list", &["list", "--json"]);
        let rows = ["skills", "errors"].map(|rows| list[rows].as_array().unwrap());
        let mut listed = rows.iter().flat_map(|rows| rows.iter());
        assert!(
            strict
                || listed.any(|row| refusers(&row["diagnostics"], code).as_ref() == Some(&found)),
            "{found}: {list}"
        );
        for host in ["agents", "codex", "opencode", "copilot", "pi", "qwen", "amp", "kilo"] {
            let list = env.run(&["list", "--host", host, "--json"]).ended(0);
            let list: Json = serde_json::from_str(list.out()).unwrap();
            let dropped = list["skills"].as_array().unwrap().is_empty();
            assert_eq!(found.split(' ').any(|word| word == host), dropped, "{code} {host}: {list}");
        }
    }
}

/// Nothing that we find wrong says it, and every front end has a finding all the same.
#[test]
fn what_an_agents_own_parser_alone_refuses_is_a_finding() {
    let env = TestEnv::new();
    let text = "---\nname: one\ndescription: d\nuser-invocable: \"false\"\n---\nText\n";
    env.write("home/.copilot/skills/one/SKILL.md", text);
    let said = "Copilot CLI leaves it out because of its frontmatter";
    let copilot = ["--host", "copilot"];
    let check = env.run(&[&["check"], &copilot[..]].concat()).ended(1);
    assert!(check.out().contains(said) && check.out().contains("refused by: copilot"), "{check:?}");
    let list = env.json("list", &[&["list", "--json"], &copilot[..]].concat());
    assert_eq!(list["errors"][0]["message"], said, "{list}");
    let named = refusers(&list["errors"][0]["diagnostics"], "host-parser").unwrap();
    assert!(named.starts_with("copilot"), "{named}");
    let load = env.run(&[&["load", "one"], &copilot[..]].concat());
    let cure = load.err.split("skillpick check ").nth(1).unwrap().lines().next().unwrap();
    let words: Vec<&str> = ["check"].into_iter().chain(cure.split(' ')).collect();
    let check = env.run(&words).ended(1);
    assert!(check.out().contains(said), "{cure}: {check:?}");
}

/// Only what an agent sees can be confused in its view.
#[test]
fn a_look_alike_in_another_agents_folder_is_told_by_no_command() {
    let env = TestEnv::new();
    env.skill("home/.claude/skills", "docs", "d");
    env.skill("home/.codex/skills", "DOCS", "d");
    env.write("home/.codex/config.toml", "");
    for command in [&["check", "--host", "claude"][..], &["check", "docs", "--host", "claude"]] {
        let check = env.run(command).ended(0);
        assert!(!check.out().contains("look-alike"), "{command:?}: {check:?}");
    }
    let list = env.run(&["list", "--json", "--host", "claude"]).ended(0);
    assert!(!list.out().contains("look-alike"), "{list:?}");
}

/// Batches of a scan come in any order, and the answer is the same.
#[test]
fn what_one_agent_finds_lies_too_deep_for_none() {
    let env = TestEnv::new();
    env.write("home/.config/opencode/opencode.json", "{}");
    env.skill("repo/.agents/skills/a/b/c/d/e/f/g", "deep", "d");
    for _ in 0..12 {
        let check = env.run(&["check"]).ended(0);
        assert!(!check.out().contains("too-deep"), "{check:?}");
        let mend = env.run(&["check", "--fix", "--only", "too-deep", "--dry-run"]);
        assert!(mend.out().contains("nothing to mend"), "{mend:?}");
    }
}

/// To move it would take it away from its plugin.
#[test]
fn a_skill_of_a_plugin_is_not_moved_up() {
    let env = TestEnv::new();
    env.write("home/.claude/skills/plug/.claude-plugin/plugin.json", r#"{"name": "plug"}"#);
    env.skill("home/.claude/skills/plug/skills", "pdf", "d");
    env.write("home/.cursor/settings.json", "{}");
    let mend = env.run(&["check", "--fix", "--only", "too-deep", "--host", "cursor", "--dry-run"]);
    assert!(!mend.out().contains("moved to"), "{mend:?}");
}

#[test]
fn each_agent_says_what_becomes_of_two_skills_of_one_name() {
    let env = TestEnv::new();
    let all = env.json("hosts", &["hosts", "--all", "--json"]);
    let rule = |id: &str| {
        all["hosts"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["duplicates"]
            .clone()
    };
    for (word, hosts) in [
        ("ambiguous", "agents codex codelia"),
        ("random", "opencode"),
        ("last", "gemini"),
        ("first", "claude copilot pi qwen amp kodelet remcochat spec0027 goose"),
    ] {
        hosts.split(' ').for_each(|host| assert_eq!(rule(host), word, "{host}"));
    }
}

#[test]
fn two_skills_of_one_name_are_reported_as_ambiguous_random_or_shadowed() {
    let env = TestEnv::new();
    let [repo, user] = ["repo", "home"]
        .map(|place| env.skill(&format!("{place}/.agents/skills"), "pdf", "One of two."));
    let rows = |host: &str| {
        let list = env.json("list", &["list", "--host", host, "--json"]);
        let row = |row: &Json| (row["same_name"].as_u64().unwrap(), row["shadowed_by"].clone());
        list["skills"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    // Codex keeps both and a path tells them apart; opencode keeps one, and nobody knows which:
    // neither is shown as the winner.
    for host in ["codex", "opencode", "codelia"] {
        assert_eq!(rows(host), [(2, Json::Null), (2, Json::Null)], "{host}");
    }
    // Copilot takes the first, and the loser names it.
    assert_eq!(rows("copilot"), [(2, Json::Null), (2, Json::from(repo.to_str().unwrap()))]);
    let called = |host: &str| env.run(&["mention", user.to_str().unwrap(), "--host", host]);
    assert_eq!(called("codex").ended(0).out(), format!("[$pdf]({})\n", user.display()));
    assert!(called("opencode").ended(1).err.contains("cannot tell"));
    assert!(called("copilot").ended(1).err.contains("shadowed"));
}

#[cfg(unix)]
#[test]
fn an_unverified_version_is_named_where_a_skill_is_seen() {
    let env = TestEnv::new().program("codex", "exit 1");
    env.write("bin/package.json", "{ \"version\": \"999.0.0\" }");
    env.skill("repo/.agents/skills", "pdf", "One.");
    let shown = env.run(&["show", "pdf"]).ended(0);
    let line = shown.out().lines().find(|line| line.trim_start().starts_with("codex")).unwrap();
    assert!(line.contains("999.0.0 is newer than "), "{line}");
    let json = env.json("show", &["show", "pdf", "--json"]);
    assert!(
        json["seen_by"][1]["remark"].as_str().unwrap().contains("999.0.0 is newer than "),
        "{json}"
    );
    env.write("bin/package.json", "{ \"version\": \"0.1.0\" }");
    assert!(!env.run(&["show", "pdf"]).ended(0).out().contains("newer"));
}

#[test]
fn every_command_gives_the_same_reason_and_cure_for_a_missing_skill() {
    let env = TestEnv::new();
    env.write("repo/.claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\nx");
    env.write("repo/.claude/settings.json", r#"{"skillOverrides": {"pdf": "off"}}"#);
    env.write("home/.gemini/skills/blank/SKILL.md", "---\nname: blank\n---\nx");
    let blank = env.text("home/.gemini/skills/blank");
    let check = format!("(desc-missing)\n  to see why: skillpick check {blank}");
    for (host, name, words) in [
        (
            "claude",
            "pdf",
            [
                "pdf is off\n  decided by ",
                "settings.json:1\n  to switch it on: skillpick enable pdf --host claude\n",
            ],
        ),
        ("gemini", "blank", ["blank is not taken by Gemini CLI: ", &check]),
    ] {
        let commands =
            [&["-f", name][..], &["mention", name], &["load", name], &["read", name, "SKILL.md"]];
        let told =
            commands.map(|command| env.run(&[command, &["--host", host]].concat()).ended(1).err);
        assert!(words.iter().all(|word| told[0].contains(word)), "{told:?}");
        assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    }
    assert!(
        env.run(&["load", "pdf", "--no-skills"]).ended(1).err.contains("decided by --no-skills")
    );
    env.settings("[skills]\nenabled = false\n");
    let ran = env.run(&["load", "pdf"]).ended(1);
    assert!(
        ran.err.contains("skills are disabled") && ran.err.contains("config.toml:3"),
        "{ran:?}"
    );
}

/// Runs the command that the refusal prints, and checks that the skill can then be called.
fn cure(env: &TestEnv, host: &str, skill: &str) -> String {
    let refused = env.run(&["mention", skill, "--host", host]).ended(1).err;
    let command = refused.split_once("to switch it on: skillpick ");
    let (_, command) = command.unwrap_or_else(|| panic!("{refused}"));
    let arguments: Vec<&str> = command.split_whitespace().collect();
    env.run(&arguments).ended(0);
    env.run(&["mention", skill, "--host", host]).ended(0);
    command.trim().replace(&env.text(""), "")
}

#[test]
fn the_printed_command_switches_on_the_skill_that_is_off_and_no_other_of_its_name() {
    let env = TestEnv::new();
    let skill = |place: &str, name: &str| drop(env.skill(place, name, "It is needed."));
    // Codex: a plugin's skill beside a person's own of the same name.
    skill("home/.agents/skills", "alpha");
    let plugin = "home/.codex/plugins/cache/shop/tools/1.0.0";
    skill(&format!("{plugin}/skills"), "alpha");
    env.write(format!("{plugin}/.codex-plugin/plugin.json"), r#"{"name": "tools"}"#);
    let codex = "[plugins.\"tools@shop\"]\nenabled = true\n";
    env.write("home/.codex/config.toml", codex);
    let off = env.run(&["disable", "tools:alpha", "--host", "codex"]).ended(0);
    assert!(off.err.contains("tools:alpha off in Codex"), "{off:?}");
    assert_eq!(cure(&env, "codex", "tools:alpha"), "enable tools:alpha --host codex");
    // Claude Code switches a plugin as a whole.
    skill("home/.claude/skills", "alpha");
    let plugin = "home/.claude/skills/tools";
    skill(&format!("{plugin}/skills"), "alpha");
    skill(&format!("{plugin}/skills"), "beta");
    env.write(format!("{plugin}/.claude-plugin/plugin.json"), r#"{"name": "tools"}"#);
    env.write("home/.claude/settings.json", r#"{"enabledPlugins": {"tools@skills-dir": false}}"#);
    assert_eq!(cure(&env, "claude", "tools:alpha"), "enable tools:alpha tools:beta --host claude");
    // Gemini CLI has no prefix while one extension has the name; a file decides where no switch
    // reaches.
    let extension = "home/.gemini/extensions/tools";
    skill(&format!("{extension}/skills"), "gamma");
    env.write(format!("{extension}/gemini-extension.json"), r#"{"name": "tools", "version": "1"}"#);
    env.run(&["disable", "gamma", "--host", "gemini"]).ended(0);
    assert_eq!(cure(&env, "gemini", "gamma"), "enable gamma --host gemini");
    env.write(
        "home/.gemini/extensions/extension-enablement.json",
        r#"{"tools": {"overrides": ["!/*"]}}"#,
    );
    let refused = env.run(&["mention", "gamma", "--host", "gemini"]).ended(1).err;
    assert!(
        refused.contains("no command switches it on: it is off with its extension by "),
        "{refused}"
    );
    assert!(!refused.contains("to switch it on"), "{refused}");
    // Two of a name that Codex lists both.
    let twin = env.skill("repo/.agents/skills", "alpha", "The repository's.");
    let twin = twin.to_str().unwrap();
    env.run(&["disable", twin, "--host", "codex"]).ended(0);
    let path = twin.replace(&env.text(""), "");
    assert_eq!(cure(&env, "codex", twin), format!("enable {path} --host codex"));
}

#[test]
fn a_rule_that_denies_is_named_before_what_no_rule_can_do() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "pdf", "d");
    let rules =
        r#"{"version":1,"permissions":{"deny":[{"tool":"skill_load","skill_name":"pdf"}]}}"#;
    env.write("repo/.codelia/config.json", rules);
    let ran = env.run(&["--host", "codelia", "load", "pdf"]).ended(1);
    let cure = "by hand, since it stays as it is because of permissions.deny \"pdf\"";
    assert!(ran.err.contains(cure) && !ran.err.contains("no rule can"), "{ran:?}");
    env.write("repo/.codelia/config.json", r#"{"version":1}"#);
    env.run(&["--host", "codelia", "load", "pdf"]).ended(0);
}

#[test]
fn through_all_agents_a_finding_names_each_agent_whose_parser_refuses_the_skill() {
    let env = TestEnv::new();
    let text = "---\nname: one\ndescription: d\nuser-invocable: \"false\"\n---\nText\n";
    env.write("home/.agents/skills/one/SKILL.md", text);
    env.write("home/.codex/config.toml", "");
    let check = ["check", "--host", "all"];
    let without = env.run(&check).ended(0);
    assert!(!without.out().contains("host-parser"), "it is not installed: {without:?}");
    env.write("home/.copilot/config.json", "{}");
    let said = "Copilot CLI leaves it out because of its frontmatter";
    let found = env.run(&check).ended(0);
    assert!(found.out().contains(said) && found.out().contains("refused by: copilot"), "{found:?}");
    let list = env.json("list", &["list", "--host", "all", "--json"]);
    assert_eq!(list["skills"].as_array().unwrap().len(), 1, "others take it: {list}");
}
