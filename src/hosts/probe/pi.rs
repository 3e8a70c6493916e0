//! pi: its list of commands, which has the skills.

use super::read::{bad_answer, folder, line, step, text};
use super::{AgentProbe, BadAnswer, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::path::Path;

/// `get_commands` in its RPC mode. It answers only while its input is open.
pub const PI: AgentProbe = AgentProbe {
    program: "pi",
    what: "pi --mode rpc, get_commands",
    proved: "0.73.1",
    steps: &[Step {
        input: |_| b"{\"type\":\"get_commands\",\"id\":\"1\"}\n".to_vec(),
        hold: 20_000,
        enough: Some(|so_far| line(so_far, is_answer).is_some()),
        ..Step::plain(&["--mode", "rpc", "--no-session"])
    }],
    environment: &[("PI_OFFLINE", "1")],
    variables: &["PI_CODING_AGENT_DIR"],
    unseen: "its extensions",
    timeout: 30,
    shows: Shows::OnOnly,
    paths: true,
    climbs: true,
    no_switch: Some("to turn off what brings it with `pi config`"),
    parse,
    ..AgentProbe::PLAIN
};

fn is_answer(value: &Value) -> bool {
    text(value, "command") == Some("get_commands")
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let answer = line(&output.stdout, is_answer).ok_or_else(|| bad_answer(&output))?;
    let Some(Value::Array(commands)) = answer.pointer("/data/commands") else {
        return Err(bad_answer(&output));
    };
    Ok(Report { skills: commands.iter().filter_map(reported).collect(), ..Report::default() })
}

fn reported(command: &Value) -> Option<SkillReport> {
    let name = text(command, "name")?
        .strip_prefix("skill:")
        .filter(|_| text(command, "source") == Some("skill"))?;
    let path = command.pointer("/sourceInfo/path").and_then(Value::as_str).map(folder);
    let description = text(command, "description").map(str::to_owned);
    Some(SkillReport { name: name.to_owned(), path, description, enabled: None, bundled: false })
}
