//! Claude Code: rules over the tool that loads a skill.

use super::claude::{LISTING, ROOT, ask, loads, settings, states};
use super::mention;
use crate::mock::{Agent, Call, Mock, Scene};
use serde_json::{Value as Json, json};

/// A scene under these permission rules.
fn under(permissions: &Json) -> Scene {
    let scene = states();
    settings(&scene, &json!({ "permissions": permissions }));
    scene
}

/// Whether the model has the skill after it has called it.
#[track_caller]
fn is_loaded(permissions: &Json, arguments: Json) -> Option<bool> {
    let scene = under(permissions);
    let answered =
        Agent::Claude.ask(&scene, &Mock::calling([Call::new("Skill", arguments)]), &["hello"])?;
    let all = answered.turns.last().unwrap().all();
    let loaded = all.contains(&Scene::body(&format!("{ROOT}/plain")));
    assert!(
        loaded || answered.result().to_lowercase().contains("permission"),
        "{permissions}: {}",
        answered.result()
    );
    Some(loaded)
}

#[test]
fn a_denied_skill_is_listed_and_run_by_the_user_but_not_loaded_by_the_model() {
    let scene = states();
    settings(&scene, &json!({ "permissions": { "deny": ["Skill(plain)"] } }));
    let Some(answered) = loads(&scene, "plain") else { return };
    assert!(answered.first().all().contains("- plain: Describes plain."), "{:?}", answered.first());
    assert!(answered.result().contains("blocked by permission rules"), "{}", answered.result());
    let Some(answered) = ask(&scene, &mention(&scene, Agent::Claude, "plain")) else { return };
    assert!(answered.first().injects(&format!("{ROOT}/plain")), "{:?}", answered.first());
}

#[test]
fn a_denial_covers_the_skill_with_and_without_arguments() {
    for rule in ["Skill(plain)", "Skill(plain *)", "Skill(plain:*)"] {
        for arguments in [json!({ "skill": "plain" }), json!({ "skill": "plain", "args": "words" })]
        {
            let Some(loaded) = is_loaded(&json!({ "deny": [rule] }), arguments.clone()) else {
                return;
            };
            assert!(!loaded, "{rule} {arguments}");
        }
    }
}

#[test]
fn a_denial_of_a_plugins_skill_keeps_the_model_from_that_one() {
    let scene = under(&json!({ "deny": ["Skill(mine:one)"] }));
    let folder = "home/.claude/skills/mine";
    scene.write(&format!("{folder}/.claude-plugin/plugin.json"), r#"{"name": "mine"}"#);
    for name in ["one", "two"] {
        scene.skill(&format!("{folder}/skills"), name);
        let Some(answered) = loads(&scene, &format!("mine:{name}")) else { return };
        let body = Scene::body(&format!("{folder}/skills/{name}"));
        let is_loaded = answered.turns.last().unwrap().all().contains(&body);
        assert_eq!(is_loaded, name == "two", "{name}: {}", answered.result());
    }
}

#[test]
fn a_pattern_inside_a_name_denies_nothing() {
    for rule in ["Skill(pl*)", "Skill(plain*)"] {
        let Some(loaded) = is_loaded(&json!({ "deny": [rule] }), json!({ "skill": "plain" }))
        else {
            return;
        };
        assert!(loaded, "{rule}");
    }
}

#[test]
fn a_denial_of_the_tool_removes_the_listing() {
    let scene = under(&json!({ "deny": ["Skill"] }));
    let Some(answered) = ask(&scene, "hello") else { return };
    assert!(
        !answered.first().tools().contains(&"Skill".to_owned()),
        "{:?}",
        answered.first().tools()
    );
    assert!(!answered.first().all().contains(LISTING), "{:?}", answered.first());
}

#[test]
fn an_ask_rule_for_one_skill_asks_nothing_and_one_for_all_does() {
    let plain = json!({ "skill": "plain" });
    let Some(loaded) = is_loaded(&json!({ "ask": ["Skill(plain)"] }), plain.clone()) else {
        return;
    };
    assert!(loaded, "one");
    let Some(loaded) = is_loaded(&json!({ "ask": ["Skill"] }), plain) else { return };
    assert!(!loaded, "all");
}
