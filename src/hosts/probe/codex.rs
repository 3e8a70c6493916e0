//! Codex: its app server lists skills with their state, and the refused ones.

use super::read::{bad_answer, folder, line, list, step, text};
use super::{AgentProbe, BadAnswer, Refused, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::{Value, json};
use std::path::Path;

/// `skills/list`. Built-in skills have the scope `system`. Links in its paths are resolved.
pub const CODEX: AgentProbe = AgentProbe {
    program: "codex",
    what: "codex app-server, skills/list",
    proved: "0.171.0",
    steps: &[Step {
        input: requests,
        hold: 20_000,
        enough: Some(|so_far| line(so_far, is_answer).is_some()),
        ..Step::plain(&["app-server"])
    }],
    environment: &[],
    variables: &["CODEX_HOME"],
    timeout: 30,
    shows: Shows::OnOff,
    paths: true,
    no_switch: Some("a table [[skills.config]] with its path in config.toml"),
    parse,
    ..AgentProbe::PLAIN
};

const ASKED: u64 = 2;

fn requests(cwd: &Path) -> Vec<u8> {
    let lines = [
        json!({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "skillpick", "version": "1"}}}),
        json!({"method": "initialized"}),
        json!({"id": ASKED, "method": "skills/list", "params": {"cwds": [cwd], "forceReload": true}}),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn is_answer(value: &Value) -> bool {
    value.get("id").and_then(Value::as_u64) == Some(ASKED)
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let answer = line(&output.stdout, is_answer).ok_or_else(|| bad_answer(&output))?;
    let Some(Value::Array(folders)) = answer.pointer("/result/data") else {
        let message = answer.pointer("/error/message").and_then(Value::as_str).unwrap_or_default();
        return Err(BadAnswer(message.to_owned()));
    };
    let mut report = Report::default();
    for entry in folders {
        for error in list(entry, "errors") {
            let (path, reason) = (
                text(error, "path").unwrap_or_default(),
                text(error, "message").unwrap_or_default(),
            );
            // An error in its settings is reported for the folder itself; there are no skills then.
            if Some(path) == text(entry, "cwd") {
                return Err(BadAnswer(reason.to_owned()));
            }
            report.refused.push(Refused { path: path.into(), reason: reason.to_owned() });
        }
        report.skills.extend(list(entry, "skills").iter().filter_map(reported));
    }
    Ok(report)
}

fn reported(skill: &Value) -> Option<SkillReport> {
    Some(SkillReport {
        name: text(skill, "name")?.to_owned(),
        path: Some(folder(text(skill, "path")?)),
        description: text(skill, "description").map(str::to_owned),
        enabled: skill.get("enabled").and_then(Value::as_bool),
        bundled: text(skill, "scope") == Some("system"),
    })
}
