//! With `--host all`, a mention has a form that an agent which sees the skill takes.

use crate::env::TestEnv;
use crate::support::Ran;
use serde_json::json;

/// An environment in which these agents have been used.
fn env(agents: &[&str]) -> TestEnv {
    let env = TestEnv::new();
    for agent in agents {
        env.write(format!("home/{agent}/used"), "");
    }
    env
}

fn mention(env: &TestEnv, skills: &[&str]) -> Ran {
    env.run(&[&["mention", "--host", "all"], skills].concat())
}

#[test]
fn a_skill_seen_by_one_agent_is_called_in_that_agents_form() {
    let env = env(&[".codex", ".claude"]);
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    let commands: [&[&str]; 4] = [
        &["mention", "notes", "--host", "all"],
        &["-f", "notes", "--host", "all"],
        &["-q", "notes", "-1", "--host", "all"],
        &["-q", "notes", "-1"],
    ];
    for arguments in commands {
        let ran = env.run(arguments).ended(0);
        assert_eq!((ran.out(), ran.err.as_str()), ("/notes\n", ""), "{arguments:?}");
    }
    let ran = mention(&env, &["pdf"]).ended(0);
    assert_eq!((ran.out(), ran.err.as_str()), ("$pdf\n", ""), "all that see it take this");
    let document = env.json("mention", &["mention", "notes", "--host", "all", "--json"]);
    assert_eq!(
        (&document["host"], &document["text"], &document["mentions"][0]["for"]),
        (&json!("all"), &json!("/notes"), &json!("claude"))
    );
}

#[test]
fn where_forms_differ_the_agent_is_named_and_the_calling_one_comes_first() {
    let differing = |agents: &[&str]| {
        let env = env(agents);
        env.skill("repo/.agents/skills", "pdf", "Forms.");
        env
    };
    let env = differing(&[".codex", ".config/opencode"]);
    let ran = mention(&env, &["pdf"]).ended(0);
    assert_eq!(ran.out(), "$pdf\n", "the first in the table of agents");
    assert!(ran.err.contains("written for Codex"), "{ran:?}");
    let inside = env.variable("OPENCODE", "1");
    let ran = mention(&inside, &["pdf"]).ended(0);
    assert_eq!(ran.out(), "/pdf\n");
    assert!(ran.err.contains("written for opencode"), "{ran:?}");
    let ran = mention(&differing(&[".config/opencode"]), &["pdf"]).ended(0);
    assert_eq!(ran.out(), "/pdf\n", "a program comes before the plain standard");
    // An agent that does not see it is not asked.
    let elsewhere = differing(&[".codex", ".claude"]).variable("CLAUDECODE", "1");
    assert_eq!(mention(&elsewhere, &["pdf"]).ended(0).out(), "$pdf\n");
}

#[test]
fn several_skills_are_called_in_the_form_of_an_agent_that_sees_all_of_them() {
    let env = env(&[".codex", ".claude"]);
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.skill("repo/.agents/skills", "both", "Everyone's.");
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    std::os::unix::fs::symlink(
        env.at("repo/.agents/skills/both"),
        env.at("repo/.claude/skills/both"),
    )
    .unwrap();
    assert_eq!(mention(&env, &["both"]).ended(0).out(), "$both\n");
    assert_eq!(mention(&env, &["both", "pdf"]).ended(0).out(), "$both $pdf\n");
    let ran = mention(&env, &["both", "notes"]).ended(0);
    assert_eq!(ran.out(), "/both /notes\n");
    assert!(ran.err.contains("written for Claude Code"), "{ran:?}");
    let ran = mention(&env, &["pdf", "notes"]).ended(0);
    assert_eq!(ran.out(), "$pdf /notes\n");
    let told = "no one agent can call all of these: $pdf for Codex, /notes for Claude Code";
    assert!(ran.err.contains(told), "{ran:?}");
    let ran = mention(&env, &["pdf", "notes", "both", "pdf", "notes"]).ended(0);
    assert!(ran.err.contains("$both for Codex +2"), "{ran:?}");
}

#[test]
fn a_skill_for_which_no_agent_has_a_syntax_is_called_by_its_path() {
    let env = env(&[".config/amp", ".codex"]);
    let path = env.skill("home/.config/amp/skills", "amps", "Amp's.");
    let link = format!("[$amps]({})\n", path.to_str().unwrap());
    assert_eq!(mention(&env, &["amps"]).ended(0).out(), link);
    env.skill("home/.config/amp/skills/a)b", "odd", "Amp's.");
    let ran = mention(&env, &["odd"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("--format path --print0"), "{ran:?}");
}

#[test]
fn a_slash_form_that_no_agent_takes_is_printed_with_a_warning() {
    let env = env(&[".codex", ".claude"]);
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    let slash = |name| env.run(&["-f", name, "--format", "slash", "--host", "all"]).ended(0);
    assert_eq!((slash("notes").out(), slash("notes").err.as_str()), ("/notes\n", ""));
    let ran = slash("pdf");
    assert_eq!(ran.out(), "/pdf\n");
    assert!(ran.err.contains("pdf: no agent here that sees it understands /pdf"), "{ran:?}");
}

#[test]
fn the_agent_of_for_is_written_for_where_it_can_call_the_skill() {
    let env = env(&[".codex", ".config/opencode"]);
    env.skill("repo/.agents/skills", "pdf", "Forms.");
    env.skill("home/.codex/skills", "notes", "Codex's.");
    for (agent, call) in [("codex", "$pdf\n"), ("opencode", "/pdf\n")] {
        for how in [&["-f", "pdf"][..], &["-1", "-q", "pdf"]] {
            let ran = env.run(&[how, &["--for", agent]].concat()).ended(0);
            assert_eq!(ran.out(), call, "{agent} {how:?}");
        }
    }
    for (arguments, why) in [
        (&["-f", "pdf", "--for", "nobody"][..], "there is no such host"),
        (&["-f", "pdf", "--for", "all"], "there is no such host"),
        (&["-f", "pdf", "--host", "codex", "--for", "opencode"], "the view is that of codex"),
        (&["compose", "--for", "gemini"], "--for gemini: it is not on this machine"),
        (&["compose", "--for", "gemini", "--exec"], "--for gemini: it is not on this machine"),
    ] {
        let ran = env.run(arguments).ended(2);
        assert!(ran.err.contains(why), "{ran:?}");
    }
    let ran = env.run(&["-f", "pdf", "--host", "opencode", "--for", "opencode"]).ended(0);
    assert_eq!(ran.out(), "/pdf\n");
}

#[test]
fn the_agent_of_for_is_looked_through_where_nobody_named_another_one() {
    for agents in [&[][..], &[".codex"]] {
        let env = env(agents);
        env.skill("repo/.claude/skills", "pdf", "Forms.");
        for how in [&["-f", "pdf"][..], &["-1", "-q", "pdf"]] {
            let ran = env.run(&[how, &["--for", "claude"]].concat()).ended(0);
            assert_eq!(ran.out(), "/pdf\n", "{agents:?} {how:?}");
        }
    }
}

#[test]
fn what_the_agent_of_for_cannot_call_is_called_by_its_path_and_that_is_said() {
    let env = env(&[".codex", ".claude", ".config/opencode"]);
    let notes = env.skill("home/.codex/skills", "notes", "Codex's.");
    let art = env.skill("repo/.claude/skills", "art", "Claude's.");
    env.skill("repo/.agents/skills", "pdf", "Forms.");
    let link = |name: &str, path: &std::path::Path| format!("[${name}]({})", path.display());
    let nobody_else = "its path says which file is meant";
    for (name, path, agent, why) in [
        ("art", &art, "codex", "codex does not look in the folder of art"),
        ("notes", &notes, "opencode", "opencode does not look in the folder of notes"),
        ("notes", &notes, "gemini", "gemini is not on this machine"),
    ] {
        for how in [&["-f", name][..], &["-1", "-q", name]] {
            let ran = env.run(&[how, &["--for", agent, "--host", "all"]].concat()).ended(0);
            assert_eq!(ran.out(), format!("{}\n", link(name, path)), "{agent} {how:?}");
            assert!(ran.err.contains(why) && ran.err.contains(nobody_else), "{ran:?}");
        }
    }
    // Of several, only those are called by their path.
    let ran = env.run(&["-f", "", "--for", "opencode", "--host", "all"]).ended(0);
    assert!(ran.out().contains("/pdf") && ran.out().contains(&link("notes", &notes)), "{ran:?}");
    assert!(!ran.err.contains("no one agent"), "{ran:?}");
    // One that is off there is not in its form either.
    env.write("home/.codex/config.toml", switched_off(&env, "pdf"));
    let ran = env.run(&["-f", "pdf", "--for", "codex", "--host", "all"]).ended(0);
    assert!(ran.out().starts_with("[$pdf]("), "{ran:?}");
    assert!(ran.err.contains("pdf is off for codex"), "{ran:?}");
}

fn switched_off(env: &TestEnv, name: &str) -> String {
    let path = env.at(format!("repo/.agents/skills/{name}/SKILL.md"));
    format!("[[skills.config]]\npath = {:?}\nenabled = false\n", path.display().to_string())
}

#[test]
fn the_note_names_the_option_that_chooses_another_agent() {
    let env = env(&[".codex", ".config/opencode"]);
    env.skill("repo/.agents/skills", "pdf", "Forms.");
    let ran = env.run(&["-f", "pdf", "--host", "all"]).ended(0);
    assert!(ran.err.contains("choose another agent with --for"), "{ran:?}");
    for options in [&["-f", "pdf"][..], &["-1", "-q", "pdf"]] {
        let ran = env.run(&[options, &["--for", "opencode"]].concat()).ended(0);
        assert!(!ran.err.contains("choose another agent"), "it was chosen: {ran:?}");
    }
    let ran = mention(&env, &["pdf"]).ended(0);
    assert!(ran.err.contains("choose another agent with --host"), "it has no --for: {ran:?}");
}

#[test]
fn of_copies_the_one_that_the_agent_of_for_calls_is_printed_first() {
    let env = env(&[".codex", ".config/opencode"]);
    let first = env.skill("repo/.agents/skills", "pdf", "The repository's.");
    let second = env.skill("home/.agents/skills", "pdf", "One's own.");
    env.skill("home/.agents/skills", "pdf-forms", "Another one.");
    let printed = |agent: &str| {
        let ran = env.run(&["-f", "^pdf", "--for", agent, "--host", "all"]).ended(0);
        ran.out().to_owned()
    };
    let link = |path: &std::path::Path| format!("[$pdf]({})", path.display());
    let (first, second) = (link(&first), link(&second));
    assert_eq!(printed("codex"), format!("{first} {second} $pdf-forms\n"));
    env.write("home/.codex/config.toml", switched_off(&env, "pdf"));
    assert_eq!(printed("codex"), format!("{second} {first} $pdf-forms\n"));
}
