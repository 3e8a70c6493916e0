//! For whom a skill is printed where all agents are looked through: never in a form that none of
//! those takes who see it.

use crate::support::{House, Ran};
use serde_json::json;

/// A house in which these agents have been used.
fn house(agents: &[&str]) -> House {
    let house = House::new();
    for agent in agents {
        house.write(&format!("home/{agent}/used"), "");
    }
    house
}

fn mention(house: &House, skills: &[&str]) -> Ran {
    house.run(&[&["mention", "--host", "all"], skills].concat())
}

#[test]
fn a_skill_is_called_as_the_only_agent_takes_it_that_sees_it() {
    let house = house(&[".codex", ".claude"]);
    house.skill("repo/.claude/skills", "notes", "Claude's.");
    house.skill("repo/.agents/skills", "pdf", "The standard's.");
    let commands: [&[&str]; 4] = [
        &["mention", "notes", "--host", "all"],
        &["-f", "notes", "--host", "all"],
        &["-q", "notes", "-1", "--host", "all"],
        &["-q", "notes", "-1"],
    ];
    for arguments in commands {
        let ran = house.run(arguments).ended(0);
        assert_eq!((ran.out(), ran.err.as_str()), ("/notes\n", ""), "{arguments:?}");
    }
    let ran = mention(&house, &["pdf"]).ended(0);
    assert_eq!((ran.out(), ran.err.as_str()), ("$pdf\n", ""), "all that see it take this");
    let document = house.json("mention", &["mention", "notes", "--host", "all", "--json"]);
    assert_eq!(
        (&document["host"], &document["text"], &document["mentions"][0]["for"]),
        (&json!("all"), &json!("/notes"), &json!("claude"))
    );
}

#[test]
fn where_agents_differ_it_is_said_for_whom_and_the_one_around_us_comes_first() {
    let differing = |agents: &[&str]| {
        let house = house(agents);
        house.skill("repo/.agents/skills", "pdf", "Forms.");
        house
    };
    let house = differing(&[".codex", ".config/opencode"]);
    let ran = mention(&house, &["pdf"]).ended(0);
    assert_eq!(ran.out(), "$pdf\n", "the first in the table of agents");
    assert!(ran.err.contains("as Codex takes it"), "{ran:?}");
    let inside = house.variable("OPENCODE", "1");
    let ran = mention(&inside, &["pdf"]).ended(0);
    assert_eq!(ran.out(), "/pdf\n");
    assert!(ran.err.contains("as opencode takes it"), "{ran:?}");
    let ran = mention(&differing(&[".config/opencode"]), &["pdf"]).ended(0);
    assert_eq!(ran.out(), "/pdf\n", "a program comes before the plain standard");
    // An agent that does not see it is not asked.
    let elsewhere = differing(&[".codex", ".claude"]).variable("CLAUDECODE", "1");
    assert_eq!(mention(&elsewhere, &["pdf"]).ended(0).out(), "$pdf\n");
}

#[test]
fn several_are_called_in_the_form_of_one_agent_where_one_sees_all_of_them() {
    let house = house(&[".codex", ".claude"]);
    house.skill("repo/.agents/skills", "pdf", "The standard's.");
    house.skill("repo/.agents/skills", "both", "Everyone's.");
    house.skill("repo/.claude/skills", "notes", "Claude's.");
    std::os::unix::fs::symlink(
        house.at("repo/.agents/skills/both"),
        house.at("repo/.claude/skills/both"),
    )
    .unwrap();
    assert_eq!(mention(&house, &["both"]).ended(0).out(), "$both\n");
    assert_eq!(mention(&house, &["both", "pdf"]).ended(0).out(), "$both $pdf\n");
    let ran = mention(&house, &["both", "notes"]).ended(0);
    assert_eq!(ran.out(), "/both /notes\n");
    assert!(ran.err.contains("as Claude Code takes it"), "{ran:?}");
    let ran = mention(&house, &["pdf", "notes"]).ended(0);
    assert_eq!(ran.out(), "$pdf /notes\n");
    let told = "no one agent can call all of these: $pdf for Codex, /notes for Claude Code";
    assert!(ran.err.contains(told), "{ran:?}");
    let ran = mention(&house, &["pdf", "notes", "both", "pdf", "notes"]).ended(0);
    assert!(ran.err.contains("$both for Codex +2"), "{ran:?}");
}

#[test]
fn a_skill_for_which_no_agent_has_a_syntax_is_called_by_its_path() {
    let house = house(&[".config/amp", ".codex"]);
    let path = house.skill("home/.config/amp/skills", "amps", "Amp's.");
    let link = format!("[$amps]({})\n", path.to_str().unwrap());
    assert_eq!(mention(&house, &["amps"]).ended(0).out(), link);
    house.skill("home/.config/amp/skills/a)b", "odd", "Amp's.");
    let ran = mention(&house, &["odd"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("--format path --print0"), "{ran:?}");
}

#[test]
fn a_slash_that_nobody_takes_is_printed_with_a_word() {
    let house = house(&[".codex", ".claude"]);
    house.skill("repo/.claude/skills", "notes", "Claude's.");
    house.skill("repo/.agents/skills", "pdf", "The standard's.");
    let slash = |name| house.run(&["-f", name, "--format", "slash", "--host", "all"]).ended(0);
    assert_eq!((slash("notes").out(), slash("notes").err.as_str()), ("/notes\n", ""));
    let ran = slash("pdf");
    assert_eq!(ran.out(), "/pdf\n");
    assert!(ran.err.contains("pdf: no agent here that sees it takes /pdf"), "{ran:?}");
}
