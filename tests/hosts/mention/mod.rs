//! What a mention injects, and what a rule keeps from the model, as the model's service sees it.

mod claude;
mod claude_rules;
mod codex;
mod hooks;
mod opencode;
mod others;

use crate::mock::{Agent, Asked, Scene, run};
use std::path::Path;

/// The text by which a person calls a skill, as our own program prints it: by its name or, where it
/// has a slash, by its folder below the scene's top.
#[track_caller]
pub(super) fn mention(scene: &Scene, agent: Agent, skill: &str) -> String {
    printed(scene, agent, skill).unwrap_or_else(|why| panic!("{skill}: {why}"))
}

/// Why our own program prints no such text.
#[track_caller]
pub(super) fn refused(scene: &Scene, agent: Agent, skill: &str) -> String {
    printed(scene, agent, skill).expect_err("it is refused")
}

fn printed(scene: &Scene, agent: Agent, skill: &str) -> Result<String, String> {
    let mut command = scene.command(Path::new(env!("CARGO_BIN_EXE_skillpick")));
    // As the agent itself is run (`mock/point.rs`).
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true").arg("mention");
    match skill.contains('/') {
        true => command.arg(scene.at(skill)),
        false => command.arg(skill),
    };
    let ran = run(command.args(["--host", agent.name()]));
    match ran.code {
        Some(0) => Ok(ran.out.trim_end().to_owned()),
        _ => Err(ran.err),
    }
}

impl Asked {
    /// Whether the user's messages contain the body of the skill in that folder.
    fn injects(&self, folder: &str) -> bool {
        self.said_by("user").iter().any(|text| text.contains(&Scene::body(folder)))
    }
}
