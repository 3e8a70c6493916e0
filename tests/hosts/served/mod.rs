//! `skillpick serve` with other people's programs: the protocol's own inspector and conformance
//! scenarios, agents to which it was added by their own commands, and models that call its tools.

mod conformance;
mod connect;
mod dialects;
mod http;
mod inspector;
mod models;

use crate::agent::{programs, say};
use crate::mock::Scene;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The skill that is served (REM-12): a reference, an asset and a script, each with a text that
/// tells it apart.
const NAME: &str = "skills-system-validation";

/// Where only our server looks: no agent knows the folder by itself.
const ROOT: &str = "served";

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_skillpick")
}

/// Writes the skill, and returns the command that serves it.
fn serving(scene: &Scene) -> Vec<String> {
    let folder = format!("{ROOT}/{NAME}");
    let head = format!(
        "---\nname: {NAME}\ndescription: Checks that skills are loaded, read and run.\nlicense: MIT\n---\n"
    );
    scene.write(&format!("{folder}/SKILL.md"), &format!("{head}# Validation\n\nMARKER_BODY\n"));
    scene.write(&format!("{folder}/references/REFERENCE.md"), "MARKER_REFERENCE\n");
    scene.write(&format!("{folder}/assets/data.bin"), "PNG\0MARKER_ASSET\0");
    scene.write(
        &format!("{folder}/scripts/hello.sh"),
        "echo MARKER_SCRIPT $1; echo aside >&2; exit 3\n",
    );
    let root = scene.at(ROOT).to_str().unwrap().to_owned();
    ["serve", "--root", &root].map(str::to_owned).to_vec()
}

/// The person's own settings.
fn settings(scene: &Scene, text: &str) {
    scene.write("home/.config/skillpick/config.toml", &format!("version = 1\n{text}"));
}

/// Scripts are on, and nobody has been asked yet.
const SCRIPTS: &str = "[scripts]\nenabled = true\n";

/// Our server, to be started in the scene.
fn server(scene: &Scene) -> Command {
    let words = serving(scene);
    let mut command = scene.command(Path::new(program()));
    command.args(words);
    command
}

/// A program that is installed beside the agents. If it is missing, a line says so, which CI
/// counts.
fn tool(name: &str) -> Option<PathBuf> {
    let program = programs().join(name);
    let there = program.exists();
    if !there {
        say(&format!("skipped: {name} is not installed (.ci/agents)"));
    }
    there.then_some(program)
}
