//! What a mention injects, and what a rule keeps from the model, as the model's side sees it (oracle O8).

mod claude;
mod claude_rules;
mod codex;
mod opencode;
mod others;

use crate::mock::{Agent, Asked, Scene};

/// The text by which a person calls a skill: by its name or, where it has a slash, by its folder below the scene's top.
/// All tests here take it from this place alone.
pub(super) fn mention(scene: &Scene, agent: Agent, skill: &str) -> String {
    match (agent, skill.rsplit_once('/')) {
        (Agent::Codex, Some((_, name))) => {
            format!("[${name}]({})", scene.at(skill).join("SKILL.md").display())
        }
        (Agent::Codex, None) => format!("${skill}"),
        (Agent::Pi, _) => format!("/skill:{skill}"),
        (Agent::Copilot, _) => format!("Use the /{skill} skill to"),
        _ => format!("/{skill}"),
    }
}

impl Asked {
    /// Whether the body of the skill in that folder stands in what the user says.
    fn injects(&self, folder: &str) -> bool {
        self.said_by("user").iter().any(|text| text.contains(&Scene::body(folder)))
    }
}
