//! Droid 0.215.0, by `droid.list_skills` and the commands of an ACP session that asks no model.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::DROID;

const FINDINGS: Findings = Findings {
    probe: &DROID,
    root: "repo/.factory/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders { unseen: "", renamed: "", twins: (1, 1) },
    roots: &[
        "repo/a/b/.factory",
        "repo/a/b/.agents",
        "repo/a/b/.agent",
        "repo/a/.factory",
        "repo/a/.agents",
        "repo/a/.agent",
        "repo/.factory",
        "repo/.agents",
        "repo/.agent",
        "home/.factory",
        "home/.agents",
        "home/.agent",
    ],
    same_name: SameName::First,
    marks: "
        mark-home-agent mark-home-agents mark-home-factory mark-repo-a-agent mark-repo-a-agents mark-repo-a-b-agent
        mark-repo-a-b-agents mark-repo-a-b-factory mark-repo-a-factory mark-repo-agent mark-repo-agents
        mark-repo-factory",
};

#[test]
fn what_droid_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_droid_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn droid_disables_skills_by_name_in_its_files() {
    let Some(agent) = Agent::find(&DROID) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.factory/skills", &["one", "two", "three", "four", "five", "x"]);
    let (local, project) = ("repo/.factory/settings.local.json", "repo/.factory/settings.json");
    env.write("home/.factory/settings.json", "// mine\n{\"disabledSkills\":[\"ONE!\"]}");
    env.write("repo/a/.factory/settings.json", r#"{"disabledSkills":["two","t*"]}"#);
    env.write(project, r#"{"disabledSkills":["three"]}"#);
    env.write(local, r#"{"disabledSkills":["four"]}"#);
    let asked = |expected: &str| {
        let report = agent.ask(&env, "repo/a");
        same(&off(&report), &words(expected));
        ours::agree(&agent, &env, "repo/a", (&report, &[]));
    };
    asked("one two four");
    for fault in [r#"{"disabledSkills":["four",]}"#, r#"["four"]"#] {
        env.write(local, fault);
        asked("one two three");
    }
    env.write(local, r#"{"disabledSkills":null}"#);
    asked("one two");
    env.write(local, r#"{"disabledSkills":"xy"}"#);
    asked("one two x");
}

#[test]
fn droid_refuses_a_skill_and_still_keeps_its_name_from_others() {
    let Some(agent) = Agent::find(&DROID) else { return };
    let env = TestEnv::for_agents();
    for (folder, head) in [
        ("repo/.factory/skills/one", "name: One\ndescription: d"),
        ("repo/.factory/skills/two", "name: two"),
        ("repo/.factory/skills/three", "name: three\ndescription: d\nenabled: false"),
        ("repo/.factory/skills/four", "description: d"),
        ("repo/.factory/skills/five", "name: '5'\ndescription: d"),
    ] {
        env.raw(folder, head);
    }
    env.sound_skills("home/.agents/skills", &["one", "two", "three", "four", "five"]);
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("four five 5"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
