//! Claude Code: `/name` at the start, and the four states of a skill.

use super::{mention, refused};
use crate::mock::{Agent, Answered, Call, Mock, Scene};
use serde_json::{Value as Json, json};

pub(super) const ROOT: &str = "repo/.claude/skills";

/// Before the list of skills that the model may load.
pub(super) const LISTING: &str = "The following skills are available for use with the Skill tool:";

pub(super) fn ask(scene: &Scene, prompt: &str) -> Option<Answered> {
    Agent::Claude.ask(scene, &Mock::start(), &[prompt])
}

/// A call of the skill by the model.
pub(super) fn loads(scene: &Scene, skill: &str) -> Option<Answered> {
    let call = Call::new("Skill", json!({ "skill": skill }));
    Agent::Claude.ask(scene, &Mock::calling([call]), &["hello"])
}

/// One skill in each state, and `plain` without a word about it.
pub(super) fn states() -> Scene {
    let scene = Scene::new();
    for name in ["plain", "switched-on", "by-name", "by-user", "switched-off"] {
        scene.skill(ROOT, name);
    }
    settings(
        &scene,
        &json!({ "skillOverrides": { "switched-on": "on", "by-name": "name-only",
        "by-user": "user-invocable-only", "switched-off": "off" } }),
    );
    scene
}

pub(super) fn settings(scene: &Scene, settings: &Json) {
    scene.write("repo/.claude/settings.local.json", &settings.to_string());
}

#[test]
fn a_slash_name_at_the_start_injects_that_skill_with_its_arguments() {
    let scene = states();
    let prompt = format!("{} these words", mention(&scene, Agent::Claude, "plain"));
    let Some(answered) = ask(&scene, &prompt) else { return };
    let asked = answered.first();
    assert!(asked.injects(&format!("{ROOT}/plain")), "{asked:?}");
    assert!(!asked.injects(&format!("{ROOT}/switched-on")), "{asked:?}");
    assert!(asked.said_by("user").iter().any(|text| text.contains("these words")), "{asked:?}");
}

#[test]
fn a_slash_name_in_the_middle_is_only_text() {
    let scene = states();
    let prompt = format!("please {}", mention(&scene, Agent::Claude, "plain"));
    let Some(answered) = ask(&scene, &prompt) else { return };
    assert!(!answered.first().injects(&format!("{ROOT}/plain")), "{:?}", answered.first());
}

#[test]
fn a_user_may_run_what_the_model_sees_by_name_or_not_at_all() {
    let scene = states();
    for name in ["switched-on", "by-name", "by-user"] {
        let Some(answered) = ask(&scene, &mention(&scene, Agent::Claude, name)) else { return };
        assert!(
            answered.first().injects(&format!("{ROOT}/{name}")),
            "{name}: {:?}",
            answered.first()
        );
    }
}

#[test]
fn a_skill_that_is_off_is_refused_to_the_user() {
    let scene = states();
    assert!(refused(&scene, Agent::Claude, "switched-off").contains("switched-off is off\n"));
    let Some(answered) = ask(&scene, "/switched-off") else { return };
    let expected = r#"Skill "switched-off" is disabled via skillOverrides."#;
    assert!(answered.ran.out.contains(expected), "{:?}", answered.ran);
    assert!(answered.turns.is_empty(), "{:?}", answered.turns);
}

#[test]
fn the_state_decides_whether_the_listing_is_full_name_only_or_empty() {
    let scene = states();
    let Some(answered) = ask(&scene, "hello") else { return };
    let all = answered.first().all();
    let (_, listing) = all.split_once(LISTING).unwrap();
    let of = |name: &str| listing.lines().filter(|line| line.contains(name)).collect::<Vec<_>>();
    assert_eq!(of("plain"), ["- plain: Describes plain."]);
    assert_eq!(of("switched-on"), ["- switched-on: Describes switched-on."]);
    assert_eq!(of("by-name"), ["- by-name"]);
    assert_eq!(of("by-user"), Vec::<&str>::new());
    assert_eq!(of("switched-off"), Vec::<&str>::new());
}

#[test]
fn the_model_loads_what_it_sees_and_is_refused_the_rest() {
    let scene = states();
    for name in ["plain", "by-name"] {
        let Some(answered) = loads(&scene, name) else { return };
        let all = answered.turns.last().unwrap().all();
        assert!(all.contains(&Scene::body(&format!("{ROOT}/{name}"))), "{name}: {all}");
    }
    for name in ["by-user", "switched-off"] {
        let Some(answered) = loads(&scene, name) else { return };
        let expected =
            format!("Skill {name} is disabled for model invocation in skillOverrides settings");
        assert!(answered.result().contains(&expected), "{name}: {}", answered.result());
    }
}

#[test]
fn an_override_goes_by_the_folder_not_by_the_name_inside() {
    let scene = Scene::new();
    let text =
        |name: &str| format!("---\nname: {name}\ndescription: Describes {name}.\n---\nbody\n");
    scene.write(&format!("{ROOT}/folder-one/SKILL.md"), &text("inside-one"));
    scene.write(&format!("{ROOT}/folder-two/SKILL.md"), &text("inside-two"));
    settings(&scene, &json!({ "skillOverrides": { "folder-one": "off", "inside-two": "off" } }));
    let Some(answered) = ask(&scene, "hello") else { return };
    let all = answered.first().all();
    assert!(!all.contains("Describes inside-one."), "{all}");
    assert!(all.contains("Describes inside-two."), "{all}");
}

#[test]
fn a_skill_answers_to_its_folder_and_to_its_name() {
    let scene = Scene::new();
    scene.write(
        &format!("{ROOT}/folder-one/SKILL.md"),
        "---\nname: inside-one\ndescription: One.\n---\nThe body.\n",
    );
    assert_eq!(mention(&scene, Agent::Claude, "inside-one"), "/folder-one");
    for name in ["folder-one", "inside-one"] {
        let Some(answered) = ask(&scene, &format!("/{name}")) else { return };
        assert!(
            answered.first().said_by("user").concat().contains("The body."),
            "{name}: {:?}",
            answered.first()
        );
    }
}

#[test]
fn of_two_mentions_the_first_alone_is_run() {
    let scene = states();
    let (one, two) =
        (mention(&scene, Agent::Claude, "plain"), mention(&scene, Agent::Claude, "switched-on"));
    let Some(answered) = ask(&scene, &format!("{one} {two} words")) else { return };
    let asked = answered.first();
    assert!(
        asked.injects(&format!("{ROOT}/plain")) && !asked.injects(&format!("{ROOT}/switched-on")),
        "{asked:?}"
    );
}
