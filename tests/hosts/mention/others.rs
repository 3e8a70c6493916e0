//! Gemini, Copilot, pi and Qwen: what their models see, and what a mention does without a terminal.

use super::mention;
use crate::mock::{Agent, Answered, Call, Mock, Scene};
use serde_json::json;

const ROOT: &str = "repo/.agents/skills";

fn scene() -> Scene {
    let scene = Scene::new();
    scene.skill(ROOT, "a-root");
    scene.skill(ROOT, "b-root");
    scene
}

/// The model is asked something, and calls this tool with this argument for `a-root`.
fn loads(scene: &Scene, agent: Agent, (tool, key): (&str, &str)) -> Option<Answered> {
    let call = Call::new(tool, json!({ key: "a-root" }));
    agent.ask(scene, &Mock::calling([call]), &["hello"])
}

/// Whether the model is told of skills by these names, in the agents' common form.
fn lists(answered: &Answered, name: &str) -> bool {
    let all: String = answered.first().all().split_whitespace().collect();
    all.contains(&format!("<name>{name}</name>"))
}

/// The skills that Gemini's tool takes.
fn activated(answered: &Answered) -> Vec<String> {
    let offers = answered.first().offers();
    let offer = offers.iter().find(|offer| offer.name == "activate_skill").unwrap();
    let names = offer.declaration.pointer("/parametersJsonSchema/properties/name/enum").unwrap();
    names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn gemini_lists_and_activates_the_enabled_skills() {
    let scene = scene();
    scene.write("repo/.gemini/settings.json", r#"{ "skills": { "disabled": ["b-root"] } }"#);
    let Some(answered) = loads(&scene, Agent::Gemini, ("activate_skill", "name")) else { return };
    let activated = activated(&answered);
    assert!(
        activated.contains(&"a-root".to_owned()) && !activated.contains(&"b-root".to_owned()),
        "{activated:?}"
    );
    assert!(lists(&answered, "a-root") && !lists(&answered, "b-root"));
    assert!(
        answered.result().contains(&Scene::body(&format!("{ROOT}/a-root"))),
        "{}",
        answered.result()
    );
}

#[test]
fn gemini_refuses_a_disabled_skill() {
    let scene = scene();
    scene.write("home/.gemini/settings.json", r#"{ "skills": { "disabled": ["A-ROOT"] } }"#);
    let Some(answered) = loads(&scene, Agent::Gemini, ("activate_skill", "name")) else { return };
    assert!(!activated(&answered).contains(&"a-root".to_owned()));
    assert!(
        answered.result().contains("must be equal to one of the allowed values"),
        "{}",
        answered.result()
    );
}

#[test]
fn gemini_lists_what_a_policy_denies_and_refuses_it() {
    let scene = scene();
    let rule = "[[rule]]\ntoolName = \"activate_skill\"\nargsPattern = '\"name\":\"a-root\"'\ndecision = \"deny\"\npriority = 200\n";
    scene.write("home/.gemini/policies/skills.toml", rule);
    let Some(answered) = loads(&scene, Agent::Gemini, ("activate_skill", "name")) else { return };
    assert!(activated(&answered).contains(&"a-root".to_owned()));
    assert!(
        answered.result().contains("Tool execution denied by policy."),
        "{}",
        answered.result()
    );
}

#[test]
fn copilot_lists_and_loads_the_enabled_skills() {
    let scene = scene();
    scene.write("home/.copilot/settings.json", r#"{ "disabledSkills": ["b-root"] }"#);
    let Some(answered) = loads(&scene, Agent::Copilot, ("skill", "skill")) else { return };
    assert!(lists(&answered, "a-root") && !lists(&answered, "b-root"));
    let all = answered.turns.last().unwrap().all();
    assert!(all.contains(&Scene::body(&format!("{ROOT}/a-root"))), "{all}");
}

#[test]
fn copilot_does_not_find_a_disabled_skill() {
    let scene = scene();
    scene.write("home/.copilot/settings.json", r#"{ "disabledSkills": ["a-root"] }"#);
    let Some(answered) = loads(&scene, Agent::Copilot, ("skill", "skill")) else { return };
    assert!(!lists(&answered, "a-root") && lists(&answered, "b-root"));
    assert!(answered.result().contains(r#"Skill "a-root" not found."#), "{}", answered.result());
}

#[test]
fn copilot_leaves_a_mention_to_its_model() {
    let scene = scene();
    let prompt = format!("{} say hello.", mention(&scene, Agent::Copilot, "a-root"));
    let Some(answered) = Agent::Copilot.ask(&scene, &Mock::start(), &[&prompt]) else { return };
    let asked = answered.first();
    assert!(asked.said_by("user").iter().any(|text| text.contains(&prompt)), "{asked:?}");
    assert!(!asked.injects(&format!("{ROOT}/a-root")), "{asked:?}");
}

#[test]
fn pi_injects_a_skill_at_the_start_only() {
    let scene = scene();
    let mention = mention(&scene, Agent::Pi, "a-root");
    let Some(answered) =
        Agent::Pi.ask(&scene, &Mock::start(), &[&format!("{mention} these words")])
    else {
        return;
    };
    let user = answered.first().said_by("user").concat();
    let path = scene.at(ROOT).join("a-root/SKILL.md");
    assert!(
        user.starts_with(&format!("<skill name=\"a-root\" location=\"{}\">", path.display())),
        "{user}"
    );
    assert!(
        user.contains(&Scene::body(&format!("{ROOT}/a-root"))) && user.ends_with("these words"),
        "{user}"
    );

    let Some(answered) = Agent::Pi.ask(&scene, &Mock::start(), &[&format!("please {mention}")])
    else {
        return;
    };
    assert!(!answered.first().injects(&format!("{ROOT}/a-root")), "{:?}", answered.first());
}

#[test]
fn pi_lists_what_its_settings_leave() {
    let scene = scene();
    scene.write("repo/.pi/settings.json", r#"{ "skills": ["-../.agents/skills/b-root"] }"#);
    let Some(answered) = Agent::Pi.ask(&scene, &Mock::start(), &["hello"]) else { return };
    assert!(lists(&answered, "a-root") && !lists(&answered, "b-root"), "{:?}", answered.first());
}

#[test]
fn qwen_lists_and_loads_the_enabled_skills() {
    let scene = scene();
    scene.write("repo/.qwen/settings.json", r#"{ "skills": { "disabled": ["b-root"] } }"#);
    let Some(answered) = loads(&scene, Agent::Qwen, ("skill", "skill")) else { return };
    assert!(lists(&answered, "a-root") && !lists(&answered, "b-root"), "{:?}", answered.first());
    assert!(
        answered.result().contains(&Scene::body(&format!("{ROOT}/a-root"))),
        "{}",
        answered.result()
    );
}

#[test]
fn gemini_leaves_a_mention_without_a_terminal_as_text() {
    let scene = scene();
    let prompt = format!("{} say hello", mention(&scene, Agent::Gemini, "a-root"));
    let Some(answered) = Agent::Gemini.ask(&scene, &Mock::start(), &[&prompt]) else { return };
    let asked = answered.first();
    assert!(asked.said_by("user").contains(&prompt), "{asked:?}");
    assert!(!asked.injects(&format!("{ROOT}/a-root")), "{asked:?}");
}

#[test]
fn copilot_obeys_no_denial_of_one_skill_and_hides_all_without_the_tool() {
    let scene = scene();
    let call = Call::new("skill", json!({ "skill": "a-root" }));
    let flags = ["hello", "--deny-tool", "skill(a-root)"];
    let Some(answered) = Agent::Copilot.ask(&scene, &Mock::calling([call]), &flags) else { return };
    let all = answered.turns.last().unwrap().all();
    assert!(all.contains(&Scene::body(&format!("{ROOT}/a-root"))), "{all}");

    let flags = ["hello", "--excluded-tools=skill"];
    let Some(answered) = Agent::Copilot.ask(&scene, &Mock::start(), &flags) else { return };
    assert!(!lists(&answered, "a-root") && !answered.first().tools().contains(&"skill".to_owned()));
}

#[test]
fn qwen_injects_a_skill_at_the_start_even_without_a_terminal() {
    let scene = scene();
    let prompt = format!("{} say hello", mention(&scene, Agent::Qwen, "a-root"));
    let Some(answered) = Agent::Qwen.ask(&scene, &Mock::start(), &[&prompt]) else { return };
    let asked = answered.first();
    assert!(asked.injects(&format!("{ROOT}/a-root")), "{asked:?}");
}
