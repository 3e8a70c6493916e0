//! Copilot CLI 1.0.102, by `skill list --json`.
//!
//! - Roots, the first wins: `.github/skills` of the working directory and every directory up to the
//!   repository root, nearest first; then all `.agents/skills` so, then all `.claude/skills`;
//!   `$COPILOT_HOME/skills` (`~/.copilot/skills`);
//!   `~/.agents/skills`; its own. `~/.claude/skills` is not read, even where the home directory is on the way up;
//!   `~/.agents/skills` counts in its place on the way then; with another `COPILOT_HOME` only there. `skillDirectories` in its settings adds more.
//! - Any depth. Hidden directories are skipped, `node_modules` is not. Below a skill it looks no
//!   further: a `SKILL.md` directly in a root hides all the others there. Links are followed and
//!   not resolved. A skill and a link to it are twins, of which one stays. Of two with one name in
//!   a root the first by the file's path as text is taken: `a-b` before `a`.
//! - Refused, with a reason: no frontmatter (an empty line before it counts), broken YAML (a colon
//!   in an unquoted description is), a key twice, a name or description that is no text, an empty
//!   name, a name of more than 64 characters, a name that begins with something else than an ASCII
//!   letter or digit or holds other characters than letters, digits, `-_.:` and space, a
//!   description of more than 1024 characters, `allowed-tools` that is a map. Not refused: no name,
//!   no or an empty description, a frontmatter that is a list, a byte order mark. A space in a name
//!   becomes `-`.
//! - Settings: `disabledSkills` of `$COPILOT_HOME/settings.json`, exact names as listed (a plugin's
//!   skill has two, see `plugins.rs`), no patterns; comments, trailing commas and a byte order mark
//!   are accepted. A broken file counts for nothing. No file in a repository counts. Each key has
//!   several spellings, of which the last in the file counts: `disabled_skills`, `DisabledSkills`.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Asked, Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::COPILOT;

const FINDINGS: Findings = Findings {
    probe: &COPILOT,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[],
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
fn what_copilot_makes_of_a_head_and_of_two_in_one_root() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    let heads = [
        "name: 5\ndescription: d",
        "name: 01\ndescription: d",
        "name: a  b\ndescription: !custom tagged",
        "name: -dash\ndescription: d",
        "name: nodesc",
        "name: null-desc\ndescription: ~",
        "name: date\ndescription: 2024-01-01",
        "name: hex\ndescription: 0x1f",
        "name: flag\ndescription: d\nuser-invocable: 'true'",
        "name: tools\ndescription: d\nallowed-tools: [5]",
        "name: nested-twice\ndescription: d\nmetadata: {a: 1, a: 2}",
        "- a list",
    ];
    for (index, head) in heads.iter().enumerate() {
        env.raw(&format!("repo/.github/skills/s{index}"), head);
    }
    env.named("repo/.github/skills/x", "dup");
    env.named("repo/.github/skills/x-y", "dup");
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("01 a-b date dup nodesc s11"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    let dup = report.skills.iter().find(|reported| reported.name == "dup").unwrap();
    assert_eq!(dup.path, Some(env.at("repo/.github/skills/x-y")));
    let made = report.skills.iter().find(|reported| reported.name == "nodesc").unwrap();
    assert_eq!(made.description.as_deref(), Some("Body"));
}

#[test]
fn copilot_ignores_a_file_with_a_wrong_type_and_the_home_directory_of_another() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.agents/skills/one");
    env.sound_skill("repo/further/two");
    env.sound_skill("home/.agents/skills/shared");
    env.sound_skill("home/own/skills/own");
    let settings = "\"disabledSkills\":[\"one\"],\"skillDirectories\":[\" further\",\"~/x\"]";
    for (more, shown) in [("", "one two shared"), (",\"model\":5", "one shared")] {
        env.write("home/.copilot/settings.json", format!("{{{settings}{more}}}"));
        let report = agent.ask(&env, "repo");
        same(&names(&report, ""), &words(shown));
        assert_eq!(off(&report).is_empty(), !more.is_empty());
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    let own = env.text("home/own");
    let report = agent.try_ask(&env, "repo", &[("COPILOT_HOME", &own)]).unwrap();
    same(&names(&report, ""), &words("one own"));
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
        ("{\"disabledSkills\":[\" one \",\"two \"]}", ""),
        ("{\"disabledSkills\":[\"one\"", ""),
        ("{\u{a0}\"disabledSkills\":[\"one\"]}", "one"),
        ("{\u{b}\"theme\":\"a\tb\" \"disabledSkills\":[\"one\"]}\u{2003}", "one"),
        ("{\u{200b}\"disabledSkills\":[\"one\"]}", ""),
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

#[test]
fn copilot_takes_a_key_in_several_spellings_and_the_last_of_them() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two", "three"]);
    env.sound_skill("repo/further/more");
    let user = "home/.copilot/settings.json";
    for (text, expected) in [
        (r#"{"disabled_skills":["one"]}"#, "one"),
        (r#"{"disabledSkills":["one"],"disabled_skills":["two"]}"#, "two"),
        (r#"{"disabled_skills":["two"],"disabledSkills":["one"]}"#, "one"),
        (
            r#"{"disabledSkills":["one"],"DISABLED_SKILLS":["two"],"DisabledSkills":["three"]}"#,
            "three",
        ),
        (r#"{"disabledSkills":["one"],"disabled-skills":["two"],"disabledskills":["two"]}"#, "one"),
        (r#"{"disabledSkills":["one"],"disabled_skills":["two",5]}"#, "one"),
        (r#"{"disabledSkills":["one"],"disabled_skills":null}"#, "one"),
        (r#"{"disabledSkills":null,"disabled_skills":["two"]}"#, ""),
        (r#"{"disabledSkills":5,"disabled_skills":["two"]}"#, ""),
        (r#"{"disabled_skills":5,"skill_directories":["further"]}"#, ""),
        (r#"{"disabled_skills":5,"skillDirectories":["further"]}"#, ""),
        (r#"{"disabled_skills":["two"],"MODEL":5}"#, ""),
        (r#"{"disabledSkills":["one"],"enabledPlugins":{"a@b":5}}"#, ""),
        (r#"{"disabledSkills":["one"],"extraKnownMarketplaces":{"b":{}}}"#, ""),
        (r#"{"disabledSkills":["one"],"skillDirectories":null}"#, ""),
        (
            r#"{"skillDirectories":["further"],"skill_directories":[],"disabled_skills":["two"]}"#,
            "two",
        ),
    ] {
        env.write(user, text);
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words(expected));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    for (before, after) in [
        (r#"{"disabled_skills":["two"]}"#, r#"{"disabled_skills":["two","one"]}"#),
        (
            r#"{"disabledSkills":["three"],"disabled_skills":["two"]}"#,
            r#"{"disabledSkills":["three"],"disabled_skills":["two","one"]}"#,
        ),
    ] {
        env.write(user, before);
        ours::done(&agent, &env, "repo", &["disable", "one"]);
        assert_eq!(env.read(user), after);
        same(&off(&agent.ask(&env, "repo")), &words("one two"));
    }
}

#[test]
fn outside_a_repository_a_copy_for_copilot_has_nothing_of_what_is_above_it() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    // Not in the build's folder, which may be in a repository.
    let env = TestEnv::new();
    env.sound_skill("home/.claude/skills/not-read");
    env.sound_skill("home/.agents/skills/shared");
    env.sound_skill("else/.claude/skills/above");
    env.sound_skill("else/here/.github/skills/here");
    same(&names(&agent.ask(&env, "else/here"), ""), &words("above here shared"));
    ours::done(&agent, &env, "else/here", &["verify"]);
}
