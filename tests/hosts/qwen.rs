//! Qwen Code 0.24.4, by the first line of a session that cannot begin. It needs Node 22.
//!
//! - Roots, the first wins: `<cwd>/.qwen/skills`, `<cwd>/.agents/skills`, `~/.qwen/skills`,
//!   `~/.agents/skills`. No ancestors.
//! - Exactly `<root>/<directory>/SKILL.md`; hidden directories count; links are followed.
//! - Refused, silently: no or an empty name, no or an empty or blank description, a map as one, no
//!   frontmatter (an empty line before it or a space after the fence counts as none), a name with
//!   `/` or a space. Not refused: a byte order mark, a key twice, broken YAML in a description,
//!   numbers and lists, any length.
//! - Settings: `skills.disabled` of `~/.qwen/settings.json` and `<cwd>/.qwen/settings.json`, both
//!   together, in any case.
//! - The list mixes commands and skills, and leaves out what a person may not call
//!   (`user-invocable: false`).

use crate::agent::{Agent, names, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::QWEN;

const FINDINGS: Findings = Findings {
    probe: &QWEN,
    root: "repo/.qwen/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Names(
        "
        -edge- 123 CaseTwin Dir-Upper UPPER c:d anchor bad-yaml bom casetwin colon compat-number crlf d1024 d1025
        d2100 dashes double--hyphen dup-key folded größe hidden latin license-map linked linked-file list-desc
        meta-deep meta-number meta-text n64-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        n65-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-body no-newline number-desc other-name
        outer plain tab target-name tools-list tools-map true twice under_score unknown-field user-only v1.2",
    ),
    roots: &["repo/a/b/.qwen", "repo/a/b/.agents", "home/.qwen", "home/.agents"],
    same_name: SameName::First,
    marks: "mark-home-agents mark-home-qwen mark-repo-a-b-agents mark-repo-a-b-qwen",
};

#[test]
fn what_qwen_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_qwen_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn qwen_disables_skills_by_name_in_both_files() {
    let Some(agent) = Agent::find(&QWEN) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["s1", "s2", "s3", "S4"]);
    env.write("home/.qwen/settings.json", r#"{"skills":{"disabled":["s1","s4"]}}"#);
    env.write("repo/.qwen/settings.json", r#"{"skills":{"disabled":["s2"]}}"#);
    let report = agent.ask(&env, "repo");
    same(&names(&report, "s"), &words("s3"));
    same(&names(&report, "S"), &words(""));
    env.write("repo/.qwen/settings.json", r#"{"x":"\ud800","skills":{"disabled":["s2"]}}"#);
    let report = agent.ask(&env, "repo");
    same(&names(&report, "s"), &words("s3"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    env.write("home/.qwen/settings.json", "{\r// x\r\"skills\":{\"disabled\":[\"s2\"]}\r}");
    assert!(agent.try_ask(&env, "repo", &[]).is_err());
}
