//! Amp: a list as JSON with the refused skills, and the person's rules.

use super::read::{bad_answer, first, glob, json, list, names, step, text};
use super::{AgentProbe, BadAnswer, Refused, Report, Rule, Shows, SkillReport, Step};
use crate::files::child::Output;
use crate::text::percent;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `skill list --json` lists everything, `permissions list --json` has the person's rules; the
/// first that matches decides. Amp requires a key to list, and accepts an invalid one.
///
/// One skill whose name is no text (`name: 123`) makes it hang.
pub const AMP: AgentProbe = AgentProbe {
    program: "amp",
    what: "amp skill list --json, permissions list --json",
    proved: "0.0.1790142911-g7618fb",
    steps: &[
        Step::plain(&["skill", "list", "--json"]),
        Step::plain(&["permissions", "list", "--json"]),
    ],
    environment: &[
        ("AMP_API_KEY", "none"),
        ("AMP_SKIP_UPDATE_CHECK", "1"),
        ("AMP_URL", "http://127.0.0.1:9"),
    ],
    variables: &["XDG_CONFIG_HOME", "AMP_SETTINGS_FILE"],
    unseen: "its own plugins",
    timeout: 20,
    shows: Shows::Rules,
    paths: true,
    no_switch: Some("a rule of `amp permissions` that rejects the tool skill with this name"),
    parse,
    ..AgentProbe::PLAIN
};

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let (skills, settings) = (step(outputs, 0), step(outputs, 1));
    let listed = json(&skills)?;
    if !listed.get("skills").is_some_and(Value::is_array) {
        return Err(bad_answer(&skills));
    }
    let Value::Array(entries) = json(&settings)? else { return Err(bad_answer(&settings)) };
    // It stops at one bad entry whenever a tool is called.
    let rules = match entries.iter().all(is_entry) {
        true => entries.iter().flat_map(for_skills).collect(),
        false => vec![Rule { pattern: "*".to_owned(), action: "reject".to_owned() }],
    };
    let mut report = Report { rules, ..Report::default() };
    report.refused = list(&listed, "errors").iter().filter_map(refused).collect();
    report.skills =
        list(&listed, "skills").iter().filter_map(|skill| reported(skill, &report)).collect();
    Ok(report)
}

fn is_entry(entry: &Value) -> bool {
    let is_empty = |names: &Value| names.as_array().is_some_and(Vec::is_empty);
    let delegates = text(entry, "action") == Some("delegate");
    text(entry, "tool").is_some_and(|tool| !tool.is_empty())
        && text(entry, "action").is_some()
        && entry.get("to").is_some() == delegates
        && !entry.pointer("/matches/name").is_some_and(is_empty)
}

fn for_skills(entry: &Value) -> Vec<Rule> {
    let (Some(tool), Some(action)) = (text(entry, "tool"), text(entry, "action")) else {
        return Vec::new();
    };
    if !glob(tool, "skill") {
        return Vec::new();
    }
    let patterns = match entry.pointer("/matches/name") {
        None => vec!["*"],
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => names(several).collect(),
        Some(_) => Vec::new(),
    };
    patterns
        .iter()
        .map(|pattern| Rule { pattern: (*pattern).to_owned(), action: action.to_owned() })
        .collect()
}

fn reported(skill: &Value, report: &Report) -> Option<SkillReport> {
    let name = text(skill, "name")?;
    let path = text(skill, "baseDir").and_then(of_address);
    // What it would delegate to a program, it does not allow by itself.
    let is_kept = |rule: &Rule| ["reject", "delegate"].contains(&rule.action.as_str());
    let enabled = !first(report, name).is_some_and(is_kept);
    let bundled = text(skill, "source") == Some("builtin");
    let description = text(skill, "description").map(str::to_owned);
    Some(SkillReport { name: name.to_owned(), path, description, enabled: Some(enabled), bundled })
}

fn refused(error: &Value) -> Option<Refused> {
    let reason = [text(error, "error"), text(error, "hint")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(": ");
    Some(Refused { path: text(error, "path").and_then(of_address)?, reason })
}

/// The path in a `file://` URL; `None` for other URLs.
fn of_address(address: &str) -> Option<PathBuf> {
    address.strip_prefix("file://").map(|path| percent::decoded(path).into())
}
