//! A session of the Agent Client Protocol that is begun and asked nothing (Kimi Code, Mistral Vibe,
//! Droid): the agent then lists its commands, skills among them.

use super::read::{bad_answer, excerpt, line, list, step, text};
use super::{BadAnswer, Report, SkillReport, Step};
use crate::files::child::Output;
use serde_json::{Value, json};
use std::path::Path;

/// The update that lists commands.
const UPDATE: &str = "available_commands_update";

impl Step {
    /// A session that ends when it has listed its commands.
    pub(super) const fn session(arguments: &'static [&'static str]) -> Self {
        Self {
            input: requests,
            hold: 40_000,
            enough: Some(|so_far| {
                line(so_far, is_answer).is_some() || line(so_far, is_error).is_some()
            }),
            ..Self::plain(arguments)
        }
    }
}

fn requests(cwd: &Path) -> Vec<u8> {
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": 1, "clientCapabilities": {}}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "session/new",
            "params": {"cwd": cwd, "mcpServers": []}}),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn is_answer(value: &Value) -> bool {
    let update = value.pointer("/params/update");
    update.and_then(|update| text(update, "sessionUpdate")) == Some(UPDATE)
}

fn is_error(value: &Value) -> bool {
    value.get("error").is_some()
}

/// The commands of the session.
///
/// # Errors
/// [`BadAnswer`] with the message of the agent's error, or with the beginning of what it said.
pub(super) fn commands(outputs: &[Output]) -> Result<Vec<Value>, BadAnswer> {
    let output = step(outputs, 0);
    let answer = line(&output.stdout, is_answer).ok_or_else(|| {
        let error = line(&output.stdout, is_error);
        let message = error.as_ref().and_then(|error| error.pointer("/error/message")?.as_str());
        message.map_or_else(|| bad_answer(&output), excerpt)
    })?;
    Ok(answer
        .pointer("/params/update")
        .map_or(&[][..], |it| list(it, "availableCommands"))
        .to_vec())
}

/// What `skill` takes for skills among the commands of the session.
///
/// # Errors
/// Those of [`commands`].
pub(super) fn report(
    outputs: &[Output],
    skill: fn(&Value) -> Option<SkillReport>,
) -> Result<Report, BadAnswer> {
    let skills = commands(outputs)?.iter().filter_map(skill).collect();
    Ok(Report { skills, ..Report::default() })
}
