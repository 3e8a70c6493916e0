//! Copilot CLI 1.0.102, by `skill list --json`.
//!
//! - Roots, the first wins: `.github/skills` of the working directory and every directory up to the
//!   repository root, nearest first; then all `.agents/skills` so, then all `.claude/skills`;
//!   `$COPILOT_HOME/skills` (`~/.copilot/skills`);
//!   `~/.agents/skills`; its own. `~/.claude/skills` is not read, even where the home directory is on the way up;
//!   `~/.agents/skills` counts in its place on the way then. `skillDirectories` in its settings adds more.
//! - Any depth. Hidden directories are skipped, `node_modules` is not. Below a skill it looks no
//!   further: a `SKILL.md` directly in a root hides all the others there. Links are followed and
//!   not resolved. A skill and a link to it are twins, of which one stays.
//! - Refused, with a reason: no frontmatter (an empty line before it counts), broken YAML (a colon
//!   in an unquoted description is), a key twice, a name or description that is no text, an empty
//!   name, a name of more than 64 characters, a name that begins with something else than an ASCII
//!   letter or digit or holds other characters than letters, digits, `-_.:` and space, a
//!   description of more than 1024 characters, `allowed-tools` that is a map. Not refused: no name,
//!   no or an empty description, a frontmatter that is a list, a byte order mark. A space in a name
//!   becomes `-`.
//! - Settings: `disabledSkills` of `$COPILOT_HOME/settings.json`, exact names as listed, no
//!   patterns; comments, trailing commas and a byte order mark are accepted. A broken file counts
//!   for nothing. No file in a repository counts.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Asked, Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::COPILOT;

const FINDINGS: Findings = Findings {
    probe: &COPILOT,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[
        // Names, descriptions and tools that are no texts: to us a number is its digits, and what
        // is no text is empty.
        "bool-name",
        "list-desc",
        "map-desc",
        "null-desc",
        "number-desc",
        "number-name",
        "tools-map",
        // A hyphen at the beginning of a name is refused, one at its end is not, nor are other
        // signs than `/`; to us each two are one finding.
        "edge-hyphen",
        "slash",
        "twice-a",
        "twice-b",
    ],
    loads: Loads::Folders {
        unseen: "
            .hidden .hidden-group/within bad-yaml blank-line bool-name colon d1025 d2100 deep/.hidden-deep dup-key
            edge-hyphen empty-file empty-name list-desc lower-file map-desc mixed-file
            n65-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-front null-desc number-desc
            number-name outer/inner slash tools-map unclosed unicode",
        renamed: "
            case-a=CaseTwin case-b=casetwin colon-name=c:d differs=other-name dot=v1.2 double-hyphen=double--hyphen
            link-name=target-name spaces=two-words under=under_score upper=UPPER",
        twins: (1, 1),
    },
    roots: &[
        "repo/a/b/.github",
        "repo/a/.github",
        "repo/.github",
        "repo/a/b/.agents",
        "repo/a/.agents",
        "repo/.agents",
        "repo/a/b/.claude",
        "repo/a/.claude",
        "repo/.claude",
        "home/.copilot",
        "home/.agents",
    ],
    same_name: SameName::First,
    marks: "
        mark-home-agents mark-home-copilot mark-repo-a-agents mark-repo-a-b-agents mark-repo-a-b-claude
        mark-repo-a-b-github mark-repo-a-claude mark-repo-a-github mark-repo-agents mark-repo-claude mark-repo-github",
};

#[test]
fn what_copilot_loads_below_a_root() {
    let Some(Asked { agent, env, report, .. }) = FINDINGS.hold_below_a_root() else { return };
    assert_eq!(report.refused.len(), 21, "{:?}", report.refused);
    // A skill in the place of the root is all there is.
    env.raw(FINDINGS.root, "name: whole-root\ndescription: d");
    same(&names(&agent.ask(&env, "repo"), ""), &words("whole-root"));
}

#[test]
fn where_copilot_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn where_copilot_looks_beneath_the_home_directory() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.claude/skills/claudes");
    env.sound_skill("home/.github/skills/githubs");
    env.sound_skill("home/code/.claude/skills/near");
    for root in ["home/.agents", "home/code/.claude", "home/.copilot"] {
        env.sound_skill(&format!("{root}/skills/both"));
    }
    // Whether the home directory is a repository itself or there is none on the way.
    for git in [false, true] {
        if git {
            env.repository("home");
        }
        let report = agent.ask(&env, "home/code");
        ours::agree(&agent, &env, "home/code", (&report, &[]));
        let both = report
            .skills
            .iter()
            .find(|reported| reported.name == "both")
            .and_then(|reported| reported.path.clone());
        assert_eq!(both, Some(env.at("home/.agents/skills/both")));
        // Above the environment there may be anything.
        assert!(names(&report, "").is_superset(&words("both githubs near")));
        assert!(!names(&report, "").contains("claudes"));
    }
}

#[test]
fn copilot_disables_skills_by_name_in_the_user_file_only() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two", "three"]);
    env.named("repo/.github/skills/spaces", "two words");
    for file in [
        "repo/.github/copilot/settings.json",
        "repo/.copilot/settings.json",
        "home/.copilot/config.json",
    ] {
        env.write(file, r#"{"disabledSkills":["three"]}"#);
    }
    let user = "home/.copilot/settings.json";
    for (text, expected) in [
        (
            "\u{feff}// mine\n{\"disabledSkills\":[\"one\",\"TWO\",\"t*\",\"two-words\",]}",
            "one two-words",
        ),
        ("{\"disabledSkills\":[\"two words\"]}", ""),
        ("{\"disabledSkills\":[\"one\"", ""),
    ] {
        env.write(user, text);
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words(expected));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    env.write("home/else/settings.json", r#"{"disabledSkills":["two"]}"#);
    let elsewhere = env.text("home/else");
    same(
        &off(&agent.try_ask(&env, "repo", &[("COPILOT_HOME", &elsewhere)]).unwrap()),
        &words("two"),
    );
}
