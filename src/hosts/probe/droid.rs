//! Droid: the skills that its JSON-RPC lists, and the commands of a session, which has those that
//! it does not refuse.

use super::acp;
use super::read::{bad_answer, excerpt, folder, line, list, step, text};
use super::{AgentProbe, BadAnswer, Refused, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// `droid.list_skills` says of every skill where it lies and whether it is disabled, but not
/// whether it is refused. The key is made up: no service is asked.
pub const DROID: AgentProbe = AgentProbe {
    program: "droid",
    what: "droid exec, droid.list_skills and the commands of an ACP session",
    proved: "0.215.0",
    steps: &[
        Step {
            input: |_| format!("{LIST}\n").into_bytes(),
            hold: 40_000,
            enough: Some(|so_far| line(so_far, is_list).is_some()),
            ..Step::plain(JSON_RPC)
        },
        Step::session(&["exec", "--output-format", "acp"]),
    ],
    environment: &[("FACTORY_API_KEY", "none"), ("FACTORY_DROID_AUTO_UPDATE_ENABLED", "false")],
    variables: &["FACTORY_HOME_OVERRIDE"],
    unseen: "plugins, its own skills, what an organisation says",
    timeout: 60,
    shows: Shows::OnOff,
    paths: true,
    hides_faults: true,
    parse,
    ..AgentProbe::PLAIN
};

const JSON_RPC: &[&str] =
    &["exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"];

const LIST: &str = r#"{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"request","id":"list","method":"droid.list_skills","params":{}}"#;

fn is_list(value: &Value) -> bool {
    text(value, "id") == Some("list")
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let first = step(outputs, 0);
    let listed = line(&first.stdout, is_list).ok_or_else(|| bad_answer(&first))?;
    if let Some(message) = listed.pointer("/error/message").and_then(Value::as_str) {
        return Err(excerpt(&format!("error: {message}")));
    }
    let commands = acp::commands(outputs.get(1..).unwrap_or_default())?;
    let commands: BTreeSet<&str> = commands.iter().filter_map(|it| text(it, "name")).collect();
    let skills = listed.get("result").map_or(&[][..], |result| list(result, "skills"));
    let mut report = Report::default();
    for skill in skills {
        let (Some(name), Some(path)) = (text(skill, "name"), text(skill, "filePath")) else {
            continue;
        };
        let bundled = text(skill, "location") == Some("builtin");
        if let Some(reason) = refusal(skill, &commands).filter(|_| !bundled) {
            report.refused.push(Refused { path: path.into(), reason: reason.to_owned() });
            continue;
        }
        report.skills.push(SkillReport {
            name: name.to_owned(),
            path: (!bundled).then(|| folder(path)),
            description: text(skill, "description").map(str::to_owned),
            enabled: skill.get("enabled").and_then(Value::as_bool),
            bundled,
        });
    }
    Ok(report)
}

/// Why Droid refuses a skill; `None` if it does not. Its list has no field for that, so it is
/// inferred. A disabled skill is refused unless the ledger, which is the person's switch, disabled
/// it: then nobody knows. An enabled one is refused if it is not among the session's commands. A
/// skill that only the model may call is never a command, so the letters of its name decide.
fn refusal(skill: &Value, commands: &BTreeSet<&str>) -> Option<&'static str> {
    let name = text(skill, "name")?;
    let is_on = |field| skill.get(field).and_then(Value::as_bool) != Some(false);
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match skill.pointer("/disabledBy/kind").and_then(Value::as_str) {
        Some("ledger") => None,
        Some(_) => Some("its own file disables it"),
        None if !is_on("enabled") => Some("it is not valid"),
        None if is_on("userInvocable") => {
            (!commands.contains(name)).then_some("it is not among the commands")
        }
        None => (!name.chars().all(is_letter)).then_some("its name has other characters"),
    }
}
