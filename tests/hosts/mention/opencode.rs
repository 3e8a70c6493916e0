//! opencode V1: a skill is a command of its name, and `permission.skill` is the model's alone.

use super::mention;
use crate::mock::{Agent, Answered, Call, Mock, Scene};
use serde_json::{Value as Json, json};

const ROOT: &str = "repo/.agents/skills";

/// Two skills, under these rules.
fn under(rules: &Json) -> Scene {
    let scene = Scene::new();
    scene.skill(ROOT, "a-root");
    scene.skill(ROOT, "b-root");
    let settings =
        json!({ "$schema": "https://opencode.ai/config.json", "permission": { "skill": rules } });
    scene.write("repo/opencode.json", &settings.to_string());
    scene
}

/// The command by which a person runs a skill without the terminal UI.
fn run(scene: &Scene, skill: &str, words: &str) -> Option<Answered> {
    let command = mention(scene, Agent::Opencode, skill);
    Agent::Opencode.ask(
        scene,
        &Mock::start(),
        &["--command", command.trim_start_matches('/'), words],
    )
}

/// A call of the skill by the model.
fn loads(scene: &Scene, skill: &str) -> Option<Answered> {
    let call = Call::new("skill", json!({ "name": skill }));
    Agent::Opencode.ask(scene, &Mock::calling([call]), &["hello"])
}

/// The names between `<available_skills>` and its end.
fn listed(answered: &Answered) -> Vec<String> {
    let all = answered.first().all();
    let listing = all
        .split("<available_skills>")
        .nth(1)
        .and_then(|rest| rest.split("</available_skills>").next());
    let names = listing.unwrap_or_default().split("<name>").skip(1);
    names.map(|rest| rest.split("</name>").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_command_injects_that_skill_with_its_words() {
    let scene = under(&json!({}));
    let Some(answered) = run(&scene, "a-root", "these words") else { return };
    let asked = answered.first();
    assert!(asked.injects(&format!("{ROOT}/a-root")), "{asked:?}");
    assert!(!asked.injects(&format!("{ROOT}/b-root")), "{asked:?}");
    assert!(asked.said_by("user").iter().any(|text| text.contains("these words")), "{asked:?}");
}

#[test]
fn a_mention_in_a_prompt_of_run_is_only_text() {
    let scene = under(&json!({}));
    let prompt = format!("{} @a-root $a-root", mention(&scene, Agent::Opencode, "a-root"));
    let Some(answered) = Agent::Opencode.ask(&scene, &Mock::start(), &[&prompt]) else { return };
    assert!(!answered.first().injects(&format!("{ROOT}/a-root")), "{:?}", answered.first());
}

#[test]
fn the_model_sees_and_loads_what_is_allowed() {
    let scene = under(&json!({ "*": "allow" }));
    let Some(answered) = loads(&scene, "a-root") else { return };
    let listed = listed(&answered);
    assert!(
        listed.contains(&"a-root".to_owned()) && listed.contains(&"b-root".to_owned()),
        "{listed:?}"
    );
    assert!(
        answered.result().contains(&Scene::body(&format!("{ROOT}/a-root"))),
        "{}",
        answered.result()
    );
}

#[test]
fn a_denied_skill_is_not_listed_and_its_load_is_refused() {
    let scene = under(&json!({ "*": "allow", "a-root": "deny" }));
    let Some(answered) = loads(&scene, "a-root") else { return };
    let listed = listed(&answered);
    assert!(
        !listed.contains(&"a-root".to_owned()) && listed.contains(&"b-root".to_owned()),
        "{listed:?}"
    );
    let result = answered.result();
    assert!(
        result.contains("a rule which prevents you from using this specific tool call"),
        "{result}"
    );
    assert!(!result.contains(&Scene::body(&format!("{ROOT}/a-root"))), "{result}");
}

#[test]
fn the_order_of_the_keys_decides() {
    let scene = under(&json!({ "a-root": "deny", "*": "allow" }));
    let Some(answered) = loads(&scene, "a-root") else { return };
    assert!(
        answered.result().contains(&Scene::body(&format!("{ROOT}/a-root"))),
        "{}",
        answered.result()
    );
}

#[test]
fn a_final_denial_of_all_removes_the_tool() {
    let scene = under(&json!({ "a-root": "allow", "*": "deny" }));
    let Some(answered) = Agent::Opencode.ask(&scene, &Mock::start(), &["hello"]) else { return };
    assert!(
        !answered.first().tools().contains(&"skill".to_owned()),
        "{:?}",
        answered.first().tools()
    );
    assert_eq!(listed(&answered), Vec::<String>::new());
}

#[test]
fn a_person_runs_even_what_the_model_is_denied() {
    let scene = under(&json!({ "*": "allow", "a-root": "deny" }));
    let Some(answered) = run(&scene, "a-root", "these words") else { return };
    assert!(answered.first().injects(&format!("{ROOT}/a-root")), "{:?}", answered.first());
}

#[test]
fn ask_without_a_terminal_refuses() {
    let scene = under(&json!({ "*": "allow", "a-root": "ask" }));
    let Some(answered) = loads(&scene, "a-root") else { return };
    assert!(listed(&answered).contains(&"a-root".to_owned()), "{:?}", answered.first());
    let reported = answered.turns.last().unwrap().all();
    assert!(!reported.contains(&Scene::body(&format!("{ROOT}/a-root"))), "{reported}");
    assert!(answered.ran.err.contains("auto-rejecting"), "{:?}", answered.ran);
}
