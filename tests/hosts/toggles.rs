//! The agents' programs obey what our program writes: exactly the switched skills are off, in every
//! layer, by name and by path; after switching on again, everything is as it was.

use crate::agent::Agent;
use crate::env::TestEnv;
use crate::ours;
use skillpick::hosts::probe::{
    AMP, AgentProbe, CLAUDE, CODEX, COPILOT, DROID, GEMINI, KILO, OPENCODE, PI, QODER, QWEN, VIBE,
};
use std::collections::BTreeSet;

/// A layer, and what is switched off in it: a name, and a folder below the environment whose skill
/// is meant by its path.
struct Layer {
    word: &'static str,
    name: &'static str,
    folder: &'static str,
}

/// What the agent says is on: folders where it names them, else names.
fn on(agent: &Agent, env: &TestEnv, folder: &str) -> BTreeSet<String> {
    let report = agent.ask(env, folder);
    let own = report
        .skills
        .iter()
        .filter(|reported| !reported.bundled && reported.enabled != Some(false));
    own.map(|reported| match &reported.path {
        Some(path) => path.file_name().unwrap().to_str().unwrap().to_owned(),
        None => reported.name.clone(),
    })
    .collect()
}

/// Switches off and on again in each layer, and asks the agent in between.
#[track_caller]
fn obeys(
    probe: &'static AgentProbe,
    (project, own): (&str, &str),
    (off, back): (&[&str], &[&str]),
    layers: &[Layer],
) {
    let Some(agent) = Agent::find(probe) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills(project, &["one", "two", "three"]);
    env.sound_skills(own, &["own-one", "own-two", "own-three"]);
    let before = on(&agent, &env, "repo");
    // Amp looks in every folder up to `/`, and may see more than this environment has.
    let all = ["one", "two", "three", "own-one", "own-two", "own-three"];
    assert!(all.iter().all(|name| before.contains(*name)), "{before:?}");
    for Layer { word, name, folder } in layers {
        let path = env.text(folder);
        for skill in [*name, &path] {
            ours::done(&agent, &env, "repo", &[off, &[skill, "--in", word]].concat());
        }
        let gone: BTreeSet<String> =
            before.difference(&on(&agent, &env, "repo")).cloned().collect();
        let expected = [*name, folder.rsplit('/').next().unwrap()].map(str::to_owned).into();
        assert_eq!(gone, expected, "{word}");
        // By the other way round.
        for skill in [*name, &path] {
            ours::done(&agent, &env, "repo", &[back, &[skill, "--in", word]].concat());
        }
    }
    assert_eq!(on(&agent, &env, "repo"), before, "all on again");
}

const SWITCH: (&[&str], &[&str]) = (&["disable"], &["enable"]);

#[test]
fn codex_obeys_our_switches() {
    let layers = [Layer { word: "user", name: "own-one", folder: "repo/.agents/skills/two" }];
    obeys(&CODEX, ("repo/.agents/skills", "home/.agents/skills"), SWITCH, &layers);
}

#[test]
fn codex_obeys_a_switch_of_one_of_two_namesakes() {
    let Some(agent) = Agent::find(&CODEX) else { return };
    let env = TestEnv::for_agents();
    for folder in ["repo/.agents/skills/twin-1", "repo/.agents/skills/twin-2"] {
        env.named(folder, "twin");
    }
    env.write(
        "home/.codex/config.toml",
        "# mine\n[[skills.config]]\nname = \"twin\"\nenabled = false\n",
    );
    let first = env.text("repo/.agents/skills/twin-1");
    ours::done(&agent, &env, "repo", &["enable", &first]);
    assert_eq!(on(&agent, &env, "repo"), BTreeSet::from(["twin-1".to_owned()]));
    let (code, _, err) = ours::run(&agent, &env, "repo", &["disable", "twin"]);
    assert!(code == Some(1) && err.contains("2 skills are named"), "{err}");
}

#[test]
fn claude_obeys_our_switches() {
    let layers = [
        Layer { word: "local", name: "one", folder: "home/.claude/skills/own-one" },
        Layer { word: "project", name: "two", folder: "home/.claude/skills/own-two" },
        Layer { word: "user", name: "own-three", folder: "repo/.claude/skills/three" },
    ];
    obeys(&CLAUDE, ("repo/.claude/skills", "home/.claude/skills"), SWITCH, &layers);
}

#[test]
fn opencode_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.config/opencode/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.agents/skills/two" },
    ];
    obeys(&OPENCODE, ("repo/.agents/skills", "home/.config/opencode/skills"), SWITCH, &layers);
}

#[test]
fn gemini_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.gemini/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.agents/skills/two" },
    ];
    obeys(&GEMINI, ("repo/.agents/skills", "home/.gemini/skills"), SWITCH, &layers);
}

#[test]
fn copilot_obeys_our_switches() {
    let layers = [Layer { word: "user", name: "own-one", folder: "repo/.github/skills/two" }];
    obeys(&COPILOT, ("repo/.github/skills", "home/.copilot/skills"), SWITCH, &layers);
}

#[test]
fn pi_obeys_our_switches_in_the_file_that_governs_the_skill() {
    let layers = [
        Layer { word: "project", name: "one", folder: "repo/.agents/skills/two" },
        Layer { word: "user", name: "own-one", folder: "home/.pi/agent/skills/own-two" },
    ];
    obeys(&PI, ("repo/.agents/skills", "home/.pi/agent/skills"), SWITCH, &layers);
}

#[test]
fn qwen_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.qwen/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.qwen/skills/two" },
    ];
    obeys(&QWEN, ("repo/.qwen/skills", "home/.qwen/skills"), SWITCH, &layers);
}

#[test]
fn kilo_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.config/kilo/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.agents/skills/two" },
    ];
    obeys(&KILO, ("repo/.agents/skills", "home/.config/kilo/skills"), SWITCH, &layers);
}

#[test]
fn qoder_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.qoder/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.qoder/skills/two" },
    ];
    obeys(&QODER, ("repo/.qoder/skills", "home/.qoder/skills"), SWITCH, &layers);
}

#[test]
fn vibe_obeys_our_switches() {
    let layers = [Layer { word: "user", name: "own-one", folder: "home/.agents/skills/two" }];
    obeys(&VIBE, ("home/.agents/skills", "home/.vibe/skills"), SWITCH, &layers);
}

#[test]
fn droid_obeys_our_switches() {
    let layers = [
        Layer { word: "project", name: "one", folder: "home/.factory/skills/own-one" },
        Layer { word: "user", name: "own-two", folder: "repo/.factory/skills/two" },
    ];
    obeys(&DROID, ("repo/.factory/skills", "home/.factory/skills"), SWITCH, &layers);
}

#[test]
fn amp_obeys_our_rules() {
    let layers = [Layer { word: "user", name: "own-one", folder: "repo/.agents/skills/two" }];
    let rules: (&[&str], &[&str]) = (&["permit", "deny"], &["permit", "allow"]);
    obeys(&AMP, ("repo/.agents/skills", "home/.agents/skills"), rules, &layers);
}

#[test]
fn opencode_obeys_our_rules_wherever_the_key_stands() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two"]);
    env.write("repo/opencode.json", r#"{"permission":{"skill":{"one":"deny","*":"deny"}}}"#);
    ours::done(&agent, &env, "repo", &["permit", "allow", "one", "--in", "project"]);
    assert_eq!(on(&agent, &env, "repo"), BTreeSet::from(["one".to_owned()]));
}

/// What is in the file decides for most programs, whatever it is called.
#[test]
fn a_skill_file_that_links_to_a_file_of_another_name_is_seen_where_the_program_sees_it() {
    for (probe, root, is_seen) in [
        (&CODEX, "repo/.agents/skills", false),
        (&CLAUDE, "repo/.claude/skills", true),
        (&COPILOT, "repo/.github/skills", true),
        (&PI, "repo/.agents/skills", true),
        (&DROID, "repo/.factory/skills", true),
    ] {
        let Some(agent) = Agent::find(probe) else { continue };
        let env = TestEnv::for_agents();
        env.sound_skills(root, &["plain"]);
        let text = "---\nname: linked\ndescription: d\n---\nText.\n";
        env.write(format!("{root}/linked/README.md"), text);
        env.link(&format!("{root}/linked/README.md"), &format!("{root}/linked/SKILL.md"));
        ours::done(&agent, &env, "repo", &["verify", "--no-index"]);
        let list = ours::done(&agent, &env, "repo", &["list", "--json"]);
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        let skills = list["skills"].as_array().unwrap();
        let has = |name: &str| skills.iter().any(|skill| skill["name"] == name);
        assert_eq!((has("plain"), has("linked")), (true, is_seen), "{}: {list}", probe.program);
    }
}
