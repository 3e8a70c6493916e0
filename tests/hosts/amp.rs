//! Amp 0.0.1790142911, by `skill list --json` and `permissions list --json`.
//!
//! - Roots, the first wins: `~/.config/agents/skills`, `~/.agents/skills`, `~/.config/amp/skills`;
//!   `.agents/skills` of the working directory and every directory up to `/`, past the repository
//!   root, nearest first; then `.claude/skills` of the same; `~/.claude/skills`; its own.
//!   `amp.skills.path` adds a place, `amp.skills.disableClaudeCodeSkills` removes both Claude rows.
//! - Depth 5. Hidden directories are read (not `.git`), `node_modules` is not, skills within skills
//!   are, and so is the root itself. `skill.md` in any case is a skill. Links are followed and not
//!   resolved. A skill and a link to it are twins, of which one stays. Of two in a root the one
//!   stays that is met first where each folder is read as the file system lists it: a folder that is
//!   listed before a `SKILL.md` beside it comes before that, and a link is followed where it stands.
//! - Refused, with a reason: no frontmatter (an empty line before it counts), broken YAML (a colon
//!   in an unquoted description is), a key twice, no or an empty name or description, a name of
//!   more than 64 characters, or of other characters than `a-z`, `0-9` and single `-` within. Not
//!   refused: a blank description, one that is a list or a map, a byte order mark. A skill with
//!   `isolatedContext` is not listed.
//! - A name that is no text (`name: 123`) makes it hang.
//! - Settings: rules of `amp.permissions` in `~/.config/amp/settings.json`; the first that matches
//!   decides, `matches.name` is a pattern or a list of them; nothing in a repository counts. Skills
//!   stay listed. Comments and trailing commas are accepted.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::AMP;
use std::collections::BTreeSet;

const FINDINGS: Findings = Findings {
    probe: &AMP,
    root: "repo/.agents/skills",
    // A name that is no text makes it hang.
    spared: &["number-name", "bool-name"],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            Dir-Upper bad-yaml blank-line case-a colon colon-name deep/2/3/4/5/6/7/eight deep/2/3/4/5/6/seven
            deep/2/3/4/5/six dot double-hyphen dup-key edge-hyphen empty-desc empty-file empty-name
            n65-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-desc no-front no-map no-name
            node_modules/package null-desc slash spaces unclosed under unicode upper",
        renamed: "
            .hidden=hidden case-b=casetwin deep/.hidden-deep=hidden-deep differs=other-name link-name=target-name",
        twins: (1, 1),
    },
    roots: &[
        "home/.config/agents",
        "home/.agents",
        "home/.config/amp",
        "repo/a/b/.agents",
        "repo/a/.agents",
        "repo/.agents",
        ".agents",
        "repo/a/b/.claude",
        "repo/a/.claude",
        "repo/.claude",
        ".claude",
        "home/.claude",
    ],
    same_name: SameName::First,
    marks: "
        mark-agents mark-claude mark-home-agents mark-home-claude mark-home-config-agents mark-home-config-amp
        mark-repo-a-agents mark-repo-a-b-agents mark-repo-a-b-claude mark-repo-a-claude mark-repo-agents
        mark-repo-claude",
};

#[test]
fn what_amp_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_amp_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn amp_obeys_the_users_first_rule() {
    let Some(agent) = Agent::find(&AMP) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two", "three"]);
    env.sound_skill("repo/.claude/skills/from-claude");
    env.sound_skill("more/added");
    let rules = r#"// mine
        {"amp.permissions":[{"tool":"skill","matches":{"name":["x","tw*"]},"action":"ask"},
        {"tool":"skill","matches":{"name":"t*"},"action":"reject"},],
        "amp.skills.disableClaudeCodeSkills":true,"amp.skills.path":"@more"}"#;
    env.write("home/.config/amp/settings.json", rules.replace('@', &env.text("")));
    env.write(
        "repo/.amp/settings.json",
        r#"{"amp.permissions":[{"tool":"skill","action":"reject"}]}"#,
    );
    let report = agent.ask(&env, "repo");
    same(&off(&report), &words("three"));
    let seen: BTreeSet<&str> = ["one", "two", "three", "added", "from-claude"]
        .into_iter()
        .filter(|name| names(&report, "").contains(name))
        .collect();
    same(&seen, &words("one two three added"));
    // The program's own judgement, which its exit code repeats.
    for (name, code) in [("one", 0), ("two", 1), ("three", 2)] {
        let output = agent
            .run(&env, "repo", &["permissions", "test", "skill", "--name", name], &[])
            .unwrap();
        assert_eq!(output.code, Some(code), "{name}");
    }
}

#[test]
fn of_one_name_amp_takes_the_skill_that_it_meets_first() {
    let Some(agent) = Agent::find(&AMP) else { return };
    let env = TestEnv::for_agents();
    // In which order a folder is listed depends on the names in it.
    for (root, at) in ["repo/.agents/skills", "repo/.claude/skills", "home/.config/amp/skills"]
        .into_iter()
        .zip(["project", "claude", "own"])
    {
        for group in ["a", "b", "c", "d", "e", "f"] {
            let name = format!("{at}-{group}");
            let head = format!("name: {name}\ndescription: d");
            for folder in ["sql", "sql/deeper", "k9/x", ""] {
                env.raw(&format!("{root}/{group}/{folder}"), &head);
            }
            env.link(&format!("{root}/{group}/sql"), &format!("{root}/{group}/k9/link"));
        }
    }
    let report = agent.ask(&env, "repo");
    assert_eq!(names(&report, "project-").len(), 6);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
