//! Copilot CLI: a list as JSON, and on stderr the refused skills.

use super::read::{bad_answer, folder, json, step, text};
use super::{AgentProbe, BadAnswer, Refused, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::path::Path;

pub const COPILOT: AgentProbe = AgentProbe {
    program: "copilot",
    what: "copilot skill list --json",
    proved: "1.0.102",
    steps: &[Step::plain(&["skill", "list", "--json"])],
    environment: &[("COPILOT_OFFLINE", "true"), ("COPILOT_AUTO_UPDATE", "false")],
    variables: &["COPILOT_HOME", "COPILOT_CACHE_HOME", "COPILOT_PKG_CACHE_HOME", "XDG_CACHE_HOME"],
    unseen: "plugins of a trusted repository's settings, commands of plugins",
    timeout: 30,
    shows: Shows::OnOff,
    paths: true,
    climbs: true,
    parse,
    ..AgentProbe::PLAIN
};

fn parse(outputs: &[Output], here: &Path) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let Value::Array(skills) = json(&output)? else { return Err(bad_answer(&output)) };
    let complaints = String::from_utf8_lossy(&output.stderr);
    let refused = complaints.lines().filter_map(refused).collect();
    Ok(Report {
        skills: skills.iter().filter_map(|skill| reported(skill, here)).collect(),
        refused,
        ..Report::default()
    })
}

/// A folder that the settings name from the working directory is reported so.
fn reported(skill: &Value, here: &Path) -> Option<SkillReport> {
    Some(SkillReport {
        name: text(skill, "name")?.to_owned(),
        path: text(skill, "path").map(|path| here.join(folder(path))),
        description: text(skill, "description").map(str::to_owned),
        enabled: skill.get("enabled").and_then(Value::as_bool),
        bundled: text(skill, "source") == Some("builtin"),
    })
}

/// `  • .agents/skills/x/SKILL.md: Skill name must be a string`.
fn refused(line: &str) -> Option<Refused> {
    let (path, reason) = line.trim_start().strip_prefix("\u{2022} ")?.split_once(": ")?;
    Some(Refused { path: path.into(), reason: reason.to_owned() })
}
