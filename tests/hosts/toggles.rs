//! What our own program writes, the agents' programs obey: exactly the skills that were switched
//! are off, in every layer, by name and by path; and switched on again, everything is as it was.

use crate::agent::Agent;
use crate::house::House;
use crate::ours;
use skillpick::hosts::probe::{
    AMP, AgentProbe, CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, PI, QWEN,
};
use std::collections::BTreeSet;

/// A layer, and what is switched off in it: a name, and a folder below the house whose skill is
/// meant by its path.
struct Layer {
    word: &'static str,
    name: &'static str,
    folder: &'static str,
}

/// What the agent says is on: folders where it names them, else names.
fn on(agent: &Agent, house: &House, folder: &str) -> BTreeSet<String> {
    let report = agent.ask(house, folder);
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
    let house = House::new();
    house.skills(project, &["one", "two", "three"]);
    house.skills(own, &["own-one", "own-two", "own-three"]);
    let before = on(&agent, &house, "repo");
    // Amp looks in every folder up to `/`, and may see more than this house has.
    let all = ["one", "two", "three", "own-one", "own-two", "own-three"];
    assert!(all.iter().all(|name| before.contains(*name)), "{before:?}");
    for Layer { word, name, folder } in layers {
        let path = house.text(folder);
        for skill in [*name, &path] {
            ours::done(&agent, &house, "repo", &[off, &[skill, "--in", word]].concat());
        }
        let gone: BTreeSet<String> =
            before.difference(&on(&agent, &house, "repo")).cloned().collect();
        let expected = [*name, folder.rsplit('/').next().unwrap()].map(str::to_owned).into();
        assert_eq!(gone, expected, "{word}");
        // By the other way round.
        for skill in [*name, &path] {
            ours::done(&agent, &house, "repo", &[back, &[skill, "--in", word]].concat());
        }
    }
    assert_eq!(on(&agent, &house, "repo"), before, "all on again");
}

const SWITCH: (&[&str], &[&str]) = (&["disable"], &["enable"]);

#[test]
fn codex_obeys_our_switches() {
    let layers = [Layer { word: "user", name: "own-one", folder: "repo/.agents/skills/two" }];
    obeys(&CODEX, ("repo/.agents/skills", "home/.agents/skills"), SWITCH, &layers);
}

#[test]
fn codex_obeys_a_switch_of_one_of_two_twins() {
    let Some(agent) = Agent::find(&CODEX) else { return };
    let house = House::new();
    for folder in ["repo/.agents/skills/twin-1", "repo/.agents/skills/twin-2"] {
        house.named(folder, "twin");
    }
    house.write(
        "home/.codex/config.toml",
        "# mine\n[[skills.config]]\nname = \"twin\"\nenabled = false\n",
    );
    let first = house.text("repo/.agents/skills/twin-1");
    ours::done(&agent, &house, "repo", &["enable", &first]);
    assert_eq!(on(&agent, &house, "repo"), BTreeSet::from(["twin-1".to_owned()]));
    let (code, _, err) = ours::run(&agent, &house, "repo", &["disable", "twin"]);
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
fn amp_obeys_our_rules() {
    let layers = [Layer { word: "user", name: "own-one", folder: "repo/.agents/skills/two" }];
    let rules: (&[&str], &[&str]) = (&["permit", "deny"], &["permit", "allow"]);
    obeys(&AMP, ("repo/.agents/skills", "home/.agents/skills"), rules, &layers);
}

#[test]
fn opencode_obeys_our_rules_wherever_the_key_stands() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let house = House::new();
    house.skills("repo/.agents/skills", &["one", "two"]);
    house.write("repo/opencode.json", r#"{"permission":{"skill":{"one":"deny","*":"deny"}}}"#);
    ours::done(&agent, &house, "repo", &["permit", "allow", "one", "--in", "project"]);
    assert_eq!(on(&agent, &house, "repo"), BTreeSet::from(["one".to_owned()]));
}
