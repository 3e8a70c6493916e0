//! Kimi Code: the commands of a session, which has its skills.

use super::read::{bad_answer, line, list, step, text};
use super::{AgentProbe, BadAnswer, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::{Value, json};
use std::path::Path;

/// A session of its ACP server, with a model that is never asked. Its own skills have no prefix.
pub const KIMI: AgentProbe = AgentProbe {
    program: "kimi",
    what: "kimi acp, available_commands_update",
    proved: "2.1.0",
    steps: &[Step {
        input: requests,
        hold: 40_000,
        enough: Some(|so_far| {
            line(so_far, is_answer).is_some() || line(so_far, is_error).is_some()
        }),
        ..Step::plain(&["acp"])
    }],
    environment: &[("KIMI_MODEL_NAME", "none"), ("KIMI_MODEL_API_KEY", "none")],
    variables: &["KIMI_CODE_HOME"],
    unseen: "plugins, its own skills, Markdown files without a folder",
    timeout: 60,
    shows: Shows::OnOnly,
    paths: false,
    parse,
    ..AgentProbe::PLAIN
};

const ASKED: u64 = 2;

/// The update that lists commands.
const UPDATE: &str = "available_commands_update";

fn requests(cwd: &Path) -> Vec<u8> {
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": 1, "clientCapabilities": {}}}),
        json!({"jsonrpc": "2.0", "id": ASKED, "method": "session/new",
            "params": {"cwd": cwd, "mcpServers": []}}),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn update(value: &Value) -> Option<&Value> {
    value.pointer("/params/update")
}

fn is_answer(value: &Value) -> bool {
    update(value).and_then(|update| text(update, "sessionUpdate")) == Some(UPDATE)
}

fn is_error(value: &Value) -> bool {
    value.get("error").is_some()
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let answer = line(&output.stdout, is_answer).ok_or_else(|| bad_answer(&output))?;
    let update = update(&answer).ok_or_else(|| bad_answer(&output))?;
    let skills = list(update, "availableCommands").iter().filter_map(reported).collect();
    Ok(Report { skills, ..Report::default() })
}

fn reported(command: &Value) -> Option<SkillReport> {
    let name = text(command, "name")?.strip_prefix("skill:")?.to_owned();
    let description = text(command, "description").map(str::to_owned);
    Some(SkillReport { name, path: None, description, enabled: None, bundled: false })
}
