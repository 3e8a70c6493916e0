//! Codex: `$name`, and a link where the name is not enough.

use super::{mention, refused};
use crate::mock::{Agent, Answered, Asked, Mock, Scene};

const NEAR: &str = "repo/.agents/skills";
const FAR: &str = "home/.agents/skills";

fn ask(scene: &Scene, prompt: &str) -> Option<Answered> {
    Agent::Codex.ask(scene, &Mock::start(), &["--", prompt])
}

/// The skills that a mention has put into the conversation: the user's items that begin with the
/// head of a skill.
fn injected(asked: &Asked) -> Vec<String> {
    asked.said_by("user").into_iter().filter(|text| text.starts_with("<skill>")).collect()
}

/// What Codex puts before a skill's text.
fn head(scene: &Scene, folder: &str) -> String {
    let (_, name) = folder.rsplit_once('/').unwrap();
    format!("<skill>\n<name>{name}</name>\n<path>{}/SKILL.md</path>\n", scene.at(folder).display())
}

/// A repository and a home that both have `dup`; one alone has `a-root`.
fn twins() -> Scene {
    let scene = Scene::new();
    scene.skill(NEAR, "a-root");
    scene.skill(NEAR, "dup");
    scene.skill(FAR, "dup");
    scene
}

/// Switches the skill in this folder off by the path of its file.
fn switch_off(scene: &Scene, folder: &str) {
    let path = scene.at(folder).join("SKILL.md");
    let rule = format!("[[skills.config]]\npath = {path:?}\nenabled = false\n");
    scene.write("home/.codex/config.toml", &rule);
}

#[track_caller]
fn injects_only(scene: &Scene, prompt: &str, folder: &str) {
    let Some(answered) = ask(scene, prompt) else { return };
    let injected = injected(answered.first());
    assert_eq!(injected.len(), 1, "{prompt}: {injected:?}");
    assert!(injected[0].starts_with(&head(scene, folder)), "{prompt}: {}", injected[0]);
    assert!(injected[0].contains(&Scene::body(folder)), "{prompt}: {}", injected[0]);
}

#[track_caller]
fn injects_nothing(scene: &Scene, prompt: &str) {
    let Some(answered) = ask(scene, prompt) else { return };
    let asked = answered.first();
    assert_eq!(injected(asked), Vec::<String>::new(), "{prompt}");
    assert!(
        asked.said_by("user").contains(&prompt.to_owned()),
        "{prompt}: the prompt itself is gone"
    );
}

#[test]
fn a_dollar_name_injects_that_skill_and_no_other() {
    let scene = twins();
    let prompt = format!("use {} please", mention(&scene, Agent::Codex, "a-root"));
    injects_only(&scene, &prompt, &format!("{NEAR}/a-root"));
}

#[test]
fn a_name_that_two_enabled_skills_have_injects_nothing() {
    let scene = twins();
    assert!(refused(&scene, Agent::Codex, "dup").contains("2 skills are named"));
    injects_nothing(&scene, "$dup");
}

#[test]
fn a_link_injects_the_skill_of_its_path() {
    let scene = twins();
    for root in [NEAR, FAR] {
        let folder = format!("{root}/dup");
        injects_only(&scene, &mention(&scene, Agent::Codex, &folder), &folder);
    }
}

#[test]
fn a_name_is_unique_when_its_namesake_is_off() {
    let scene = twins();
    switch_off(&scene, &format!("{NEAR}/dup"));
    injects_only(&scene, &mention(&scene, Agent::Codex, "dup"), &format!("{FAR}/dup"));
}

#[test]
fn a_skill_that_is_off_is_injected_by_neither_form() {
    let scene = twins();
    let folder = format!("{NEAR}/a-root");
    switch_off(&scene, &folder);
    for skill in ["a-root", &folder] {
        assert!(refused(&scene, Agent::Codex, skill).contains("a-root is off\n"), "{skill}");
    }
    injects_nothing(&scene, "$a-root");
    injects_nothing(
        &scene,
        &format!("[$a-root]({})", scene.at(&folder).join("SKILL.md").display()),
    );
}

#[test]
fn other_forms_are_only_text() {
    let scene = twins();
    let folder = scene.at(NEAR).join("a-root");
    let link = folder.join("SKILL.md");
    for prompt in [
        "use /a-root".to_owned(),
        "use @a-root".to_owned(),
        "use $A-Root".to_owned(),
        format!("[a-root]({})", link.display()),
        format!("[$a-root]({})", folder.display()),
        "[$a-root](.agents/skills/a-root/SKILL.md)".to_owned(),
    ] {
        injects_nothing(&scene, &prompt);
    }
}

#[test]
fn a_dollar_name_may_stand_anywhere_and_ends_at_punctuation() {
    let scene = twins();
    let mention = mention(&scene, Agent::Codex, "a-root");
    for prompt in [
        format!("`{mention}`"),
        format!("9{mention}"),
        format!("see {mention}."),
        format!("({mention}), yes"),
    ] {
        injects_only(&scene, &prompt, &format!("{NEAR}/a-root"));
    }
    for prompt in [format!("{mention}s"), format!("{mention}-more"), format!("{mention}_more")] {
        injects_nothing(&scene, &prompt);
    }
}

#[test]
fn a_link_with_a_scheme_or_another_text_goes_by_its_path() {
    let scene = twins();
    let folder = format!("{NEAR}/a-root");
    let path = scene.at(&folder).join("SKILL.md");
    for prompt in
        [format!("[$a-root](skill://{})", path.display()), format!("[$dup]({})", path.display())]
    {
        injects_only(&scene, &prompt, &folder);
    }
}

#[test]
fn a_linked_skill_is_called_by_either_path() {
    let scene = twins();
    let store = scene.skill("store", "linked");
    let link = scene.at(NEAR).join("linked");
    std::os::unix::fs::symlink(store.parent().unwrap(), &link).unwrap();
    for path in [store, link.join("SKILL.md")] {
        injects_only(&scene, &format!("[$linked]({})", path.display()), "store/linked");
    }
}

#[test]
fn a_rule_on_the_folder_switches_nothing_off() {
    let scene = twins();
    let folder = scene.at(NEAR).join("a-root");
    scene.write(
        "home/.codex/config.toml",
        &format!("[[skills.config]]\npath = {folder:?}\nenabled = false\n"),
    );
    injects_only(&scene, &mention(&scene, Agent::Codex, "a-root"), &format!("{NEAR}/a-root"));
}
