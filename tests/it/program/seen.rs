//! What every agent makes of a skill: `--host`, the *seen by* lines, switches and mentions by host.

use crate::env::TestEnv;
use serde_json::json;

/// An environment with no program of an agent on `PATH`, in which Codex and Claude Code have been
/// used.
fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}\n");
    env
}

/// The JSON row of the only skill of this name.
fn row(env: &TestEnv, host: &str, name: &str) -> serde_json::Value {
    let list = env.json("list", &["list", "--host", host, "--json"]);
    let rows = list["skills"].as_array().unwrap();
    let mut found = rows.iter().filter(|row| row["name"] == name);
    let row = found.next().unwrap_or_else(|| panic!("{name}: {list}")).clone();
    assert!(found.next().is_none(), "{list}");
    row
}

#[test]
fn all_hosts_together_show_one_row_a_skill_with_each_hosts_status() {
    let env = env();
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    env.run(&["disable", "pdf", "--host", "codex"]).ended(0);
    let pdf = row(&env, "all", "pdf");
    assert_eq!(
        (&pdf["hosts"]["codex"]["state"], &pdf["hosts"]["agents"]["state"]),
        (&json!("off"), &json!("on"))
    );
    assert_eq!(pdf["hosts"]["codex"]["verdict"]["listed"], "no");
    assert!(pdf["hosts"].get("claude").is_none(), "it does not look there: {pdf}");
    assert_eq!((&pdf["state"], &row(&env, "codex", "pdf")["state"]), (&json!("on"), &json!("off")));
    assert!(row(&env, "codex", "pdf").get("hosts").is_none());
    let notes = row(&env, "all", "notes");
    assert_eq!(notes["hosts"].as_object().unwrap().keys().collect::<Vec<_>>(), ["claude"]);
    let table = env.run(&["list", "--host", "all"]).ended(0);
    table.is_inert();
    let lines: Vec<&str> = table.out().lines().collect();
    assert_eq!(lines[0], "  name   scope   agents codex claude  what");
    assert!(lines[1..].iter().any(|line| line.starts_with("◐ pdf    repo    ✓      ○     ·  ")));
    assert!(lines[1..].iter().any(|line| line.starts_with("✓ notes  repo    ·      ·     ✓  ")));
    let meaning = "✓ on, ◐ in part, ○ off, ✗ refused, ≡ shadowed, · does not look there";
    assert_eq!(lines.last(), Some(&meaning));
    let ascii = env.run(&["search", "pdf", "--host", "all", "--ascii"]).ended(0);
    assert!(ascii.out().contains("* pdf   repo    +      o     -  "), "{}", ascii.out());
    assert!(ascii.out().is_ascii());
    // Where the names have no room, a line below says which column is whose.
    for folder in
        [".gemini", ".copilot", ".qwen", ".pi", ".codelia", ".kodelet", ".config/opencode"]
    {
        env.write(format!("home/{folder}/x"), "");
    }
    let many = env.run(&["list", "--host", "all"]).ended(0);
    let lines: Vec<&str> = many.out().lines().collect();
    assert!(lines[0].starts_with("✓ notes  repo    ··✓"), "{}", many.out());
    let below = lines.last().unwrap();
    assert!(below.starts_with("seen by agents, codex, claude, "), "{below}");
    assert!(below.ends_with(meaning), "{below}");
}

#[test]
fn show_says_who_sees_a_skill_and_who_decided() {
    let env = env();
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.run(&["disable", "pdf", "--host", "codex"]).ended(0);
    let shown = env.run(&["show", "pdf"]).ended(0);
    shown.is_inert();
    let lines: Vec<&str> =
        shown.out().lines().skip_while(|line| *line != "seen by").take(4).collect();
    assert_eq!(
        (lines[0], lines[1], lines[3]),
        ("seen by", "  agents  ✓", "  claude  · does not look there")
    );
    assert!(lines[2].starts_with("  codex   ○ ~/.codex/config.toml:"), "{lines:?}");
    let json = env.json("show", &["show", "pdf", "--json"]);
    let seen = json["seen_by"].as_array().unwrap();
    assert_eq!(
        (&seen[1]["host"], &seen[1]["looks"], &seen[1]["state"]),
        (&json!("codex"), &json!(true), &json!("off"))
    );
    assert_eq!((&seen[2]["host"], &seen[2]["looks"]), (&json!("claude"), &json!(false)));
    // Where there is nothing but the standard there is nothing to compare.
    let bare = TestEnv::furnished();
    assert!(!bare.run(&["show", "pdf-forms"]).ended(0).out().contains("seen by"));
}

#[test]
fn an_agents_broken_settings_file_is_reported_with_its_line_and_not_edited() {
    let env = env();
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    let broken = "[[skills.config]]\nname = \n";
    env.write("home/.codex/config.toml", broken);
    for arguments in [["list", "--host", "codex"].as_slice(), &["list", "--host", "all", "--json"]]
    {
        let ran = env.run(arguments).ended(0);
        assert!(
            ran.err.contains("warning: ") && ran.err.contains(".codex/config.toml:2: "),
            "{ran:?}"
        );
    }
    assert_eq!(env.run(&["list"]).ended(0).err, "", "it is nothing to the plain standard");
    let ran = env.run(&["disable", "pdf", "--host", "codex"]).ended(2);
    assert!(ran.err.contains("until line 2 is mended: "), "{ran:?}");
    assert_eq!(env.read("home/.codex/config.toml"), broken);
    let hosts = env.run(&["hosts", "--host", "codex"]).ended(0);
    assert!(
        hosts.out().contains(".codex/config.toml  user, broken at line 2: "),
        "{}",
        hosts.out()
    );
}

#[test]
fn a_switch_is_written_where_the_agent_would_write_it_and_says_when_it_counts() {
    let env = env();
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    let ran = env.run(&["disable", "notes", "--host", "claude"]).ended(0);
    let local = "repo/.claude/settings.local.json";
    assert!(
        ran.err.contains(&env.text(local)) && ran.err.contains("\n  takes effect: "),
        "{ran:?}"
    );
    assert!(env.read(local).contains("\"notes\": \"off\""), "{}", env.read(local));
    env.run(&["enable", "notes", "--host", "claude", "--as", "name-only"]).ended(0);
    assert_eq!(row(&env, "claude", "notes")["state"], "name-only");
    env.run(&["disable", "notes", "--host", "claude", "--in", "user", "--dry-run"]).ended(1);
    env.run(&["disable", "notes", "--host", "claude", "--as", "user-only", "--in", "local"])
        .ended(0);
    assert_eq!(row(&env, "claude", "notes")["state"], "user-only");
    // A state that the agent does not have is refused, and named.
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    let before = env.read("home/.codex/config.toml");
    let ran = env.run(&["disable", "pdf", "--host", "codex", "--as", "user-only"]).ended(1);
    assert!(ran.err.contains("Codex") && ran.err.contains("does not have this state"), "{ran:?}");
    assert_eq!(env.read("home/.codex/config.toml"), before);
}

#[test]
fn with_all_hosts_a_switch_changes_those_that_see_the_skill_and_names_the_others() {
    let env = env();
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    // Amp is here by its folder, and has no switch; Claude Code does not look where the skill lies.
    env.write("home/.config/amp/settings.json", "{}\n");
    let ran = env.run(&["disable", "pdf", "--host", "all"]).ended(0);
    let [own, codex] = ["home/.config/skillpick/config.toml", "home/.codex/config.toml"]
        .map(|path| env.text(path));
    let by_agent = "skillpick: pdf off, by agent:\n  agents, codex: off\n  \
                    amp: unchanged: it does not have a switch for one skill\n\
                    skillpick: pdf off: 2 files change:\n";
    assert!(ran.err.starts_with(by_agent), "{ran:?}");
    for words in [own.as_str(), &codex] {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
    assert!(!ran.err.contains("Claude Code"), "{ran:?}");
    let hosts = &row(&env, "all", "pdf")["hosts"];
    assert_eq!(
        [&hosts["agents"]["state"], &hosts["codex"]["state"], &hosts["amp"]["state"]],
        ["off", "off", "on"]
    );
    let change = env.json("change", &["enable", "pdf", "--host", "all", "--json"]);
    let hosts: Vec<_> =
        change["files"].as_array().unwrap().iter().map(|file| &file["host"]).collect();
    assert_eq!(
        (hosts, &change["left_out"]),
        (vec![&json!("agents"), &json!("codex")], &json!(["amp"]))
    );
    let words: Vec<_> = change["outcome"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&words[0]["hosts"], &words[0]["words"], &words[0]["expected"], &words[1]["hosts"]),
        (&json!(["agents", "codex"]), &json!("on"), &json!(true), &json!(["amp"]))
    );
    // One file that cannot be edited keeps all of them as they are.
    let before = env.read("home/.config/skillpick/config.toml");
    env.write("home/.codex/config.toml", "nonsense");
    env.run(&["disable", "pdf", "--host", "all"]).ended(2);
    assert_eq!(env.read("home/.config/skillpick/config.toml"), before);
}

#[test]
fn with_all_hosts_each_copy_that_changes_too_is_named_before_anything_is_written() {
    let env = env();
    env.skill("home/.agents/skills", "pdf", "One's own.");
    env.skill("repo/.claude/skills", "pdf", "The repository's.");
    env.write("home/.config/opencode/opencode.json", "{}\n");
    let path = env.text("home/.agents/skills/pdf");
    let told = format!(
        "skillpick: pdf (~/.agents) off, by agent:\n  agents, codex: off\n  \
         claude: unchanged: it takes another copy\n    {other}\n  \
         opencode: user-only by opencode.json:5, and other copies with it\n    {other}\n",
        other = env.text("repo/.claude/skills/pdf")
    );
    let ran = env.run(&["disable", &path, "--host", "all", "--dry-run"]).ended(0);
    assert_eq!(ran.err, told);
    let ran = env.run(&["disable", &path, "--host", "all"]).ended(0);
    assert!(ran.err.starts_with(&told), "{ran:?}");
    let ran = env.run(&["permit", "deny", "pdf", "--host", "all", "--dry-run"]).ended(0);
    let told = "skillpick: deny pdf, by agent:\n  agents, claude: deny\n  \
                codex: unchanged: it does not have permission rules for one skill\n  \
                opencode: deny, every copy of that name\n    ";
    assert!(ran.err.starts_with(told), "{ran:?}");
}

#[test]
fn emit_launch_prints_a_line_for_one_session_and_writes_nothing() {
    let env = env();
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    let before = env.read("home/.codex/config.toml");
    let ran = env.run(&["disable", "pdf", "--host", "codex", "--emit", "launch"]).ended(0);
    assert_eq!(ran.out(), "codex -c 'skills.config=[{name=\"pdf\",enabled=false}]'\n");
    assert_eq!(env.read("home/.codex/config.toml"), before);
    let json =
        env.json("launch", &["disable", "pdf", "--host", "all", "--emit", "launch", "--json"]);
    assert_eq!(json["lines"].as_array().unwrap().len(), 1, "{json}");
    let ran = env.run(&["disable", "pdf", "--emit", "launch"]).ended(2);
    assert!(ran.out().is_empty() && ran.err.contains("for one session"), "{ran:?}");
    env.run(&["enable", "pdf", "--host", "codex", "--emit", "launch"]).ended(2);
    // Where there is no line, there is nothing to say of it.
    env.skill("home/.agents/skills", "pdf", "Another one.");
    let [repo, home] = ["repo", "home"].map(|top| env.text(&format!("{top}/.agents/skills/pdf")));
    let both = |path, host| env.run(&["disable", path, "--host", host, "--emit", "launch"]);
    assert!(both(&repo, "codex").ended(0).err.contains("the line switches off all of them"));
    let ran = both(&home, "amp").ended(2);
    assert!(!ran.err.contains("the line") && ran.err.contains("for one session"), "{ran:?}");
    // A name is other people's text: what could end a quotation is refused.
    env.write(
        "repo/.agents/skills/odd/SKILL.md",
        "---\nname: \"a'; rm -r x #\"\ndescription: Odd.\n---\n",
    );
    let path = env.text("repo/.agents/skills/odd");
    let ran = env.run(&["disable", &path, "--host", "codex", "--emit", "launch"]).ended(2);
    assert!(ran.out().is_empty() && ran.err.contains("cannot carry safely"), "{ran:?}");
}

#[test]
fn cod_1_3_a_mention_has_the_form_of_the_agent() {
    let env = env();
    let one = env.skill("repo/.agents/skills", "pdf", "The repository's.");
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    assert_eq!(env.run(&["mention", "pdf"]).ended(0).out(), "$pdf\n");
    assert_eq!(
        env.run(&["mention", "pdf", "--host", "codex", "--args", "page 3"]).ended(0).out(),
        "$pdf page 3\n"
    );
    assert_eq!(env.run(&["mention", "notes", "--host", "claude"]).ended(0).out(), "/notes\n");
    assert_eq!(env.run(&["-f", "notes", "--host", "claude"]).ended(0).out(), "/notes\n");
    let json =
        env.json("mention", &["mention", "pdf", "--host", "codex", "--args", "now", "--json"]);
    assert_eq!(
        (&json["text"], &json["mentions"][0]["mention"]),
        (&json!("$pdf now"), &json!("$pdf"))
    );
    env.run(&["mention", "pdf", "--args", "a\u{1b}[2J"]).ended(2);
    env.run(&["mention", "no-such"]).ended(1);
    // Two of a name need a path, and are called by it; a twin that is off is none.
    let two = env.skill("home/.agents/skills", "pdf", "My own.");
    let [one, two] = [one.to_str().unwrap(), two.to_str().unwrap()];
    let ran = env.run(&["mention", "pdf", "--host", "codex"]).ended(1);
    assert!(ran.err.contains(one) && ran.err.contains(two), "{ran:?}");
    assert_eq!(
        env.run(&["mention", two, "--host", "codex"]).ended(0).out(),
        format!("[$pdf]({two})\n")
    );
    env.run(&["disable", two, "--host", "codex"]).ended(0);
    assert_eq!(env.run(&["mention", "pdf", "--host", "codex"]).ended(0).out(), "$pdf\n");
    let ran = env.run(&["mention", two, "--host", "codex"]).ended(1);
    let cure = format!("skillpick enable {two} --host codex\n");
    assert!(ran.out().is_empty() && ran.err.contains(&cure), "{ran:?}");
}

#[test]
fn mention_warns_if_an_agent_reads_only_one_call_at_the_start() {
    let env = env();
    for name in ["notes", "review"] {
        env.skill("repo/.claude/skills", name, "Claude's.");
    }
    let ran = env.run(&["mention", "notes", "review", "--host", "claude"]).ended(0);
    assert_eq!(ran.out(), "/notes /review\n");
    assert!(ran.err.contains("only at the very start"), "{ran:?}");
    assert_eq!(env.run(&["mention", "notes", "--host", "claude"]).ended(0).err, "");
}

#[test]
fn a_name_that_is_ambiguous_for_the_agent_is_refused_with_every_candidate() {
    let env = env();
    let [one, two] = ["repo", "home"]
        .map(|place| env.skill(&format!("{place}/.agents/skills"), "pdf", "One of two."));
    let [one, two] = [one.to_str().unwrap(), two.to_str().unwrap()];
    // opencode takes either, by chance, and knows no path.
    let ran = env.run(&["mention", one, "--host", "opencode"]).ended(1);
    assert!(
        ran.out().is_empty() && ran.err.contains("cannot tell 2 skills of this name apart"),
        "{ran:?}"
    );
    assert!(ran.err.contains(one) && ran.err.contains(two), "{ran:?}");
    let ran = env.run(&["-f", "pdf", "--host", "opencode"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains(two), "{ran:?}");
    // Claude Code takes the person's own: that one is called, the other is not.
    let [own, theirs] = ["home", "repo"]
        .map(|place| env.skill(&format!("{place}/.claude/skills"), "notes", "One of two."));
    assert_eq!(env.run(&["mention", "notes", "--host", "claude"]).ended(0).out(), "/notes\n");
    let ran = env.run(&["mention", theirs.to_str().unwrap(), "--host", "claude"]).ended(1);
    assert!(ran.err.contains("shadowed") && ran.err.contains(own.to_str().unwrap()), "{ran:?}");
    let ran = env.run(&["disable", theirs.to_str().unwrap(), "--host", "claude"]).ended(1);
    assert!(ran.err.contains("shadowed"), "a switch by name would be about the other: {ran:?}");
}
