//! Amp: a list as JSON with the refused skills, and the person's rules.

use super::read::{bad_answer, json, list, names, step, text};
use super::{AgentProbe, BadAnswer, Refused, Report, Rule, Shows, SkillReport, Step};
use crate::files::child::Output;
use crate::hosts::amp::pattern;
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

/// What an entry says about skills. A call of one has a name and nothing else.
fn for_skills(entry: &Value) -> Vec<Rule> {
    let (Some(tool), Some(action)) = (text(entry, "tool"), text(entry, "action")) else {
        return Vec::new();
    };
    let fields = entry.get("matches").and_then(Value::as_object).into_iter().flatten();
    let has_others = fields.into_iter().any(|(key, _)| key != "name");
    if has_others || text(entry, "context") == Some("subagent") {
        return Vec::new();
    }
    let patterns = match (covers(tool, "skill"), entry.pointer("/matches/name")) {
        (Some(false), _) => Vec::new(),
        // Not understood either, if it is taken for that of a name.
        (None, _) => vec![tool],
        (_, None) => vec!["*"],
        (_, Some(Value::String(one))) => vec![one.as_str()],
        (_, Some(Value::Array(several))) => names(several).collect(),
        (_, Some(_)) => Vec::new(),
    };
    let rule = |pattern: &&str| Rule { pattern: (*pattern).to_owned(), action: action.to_owned() };
    patterns.iter().map(rule).collect()
}

/// Whether a pattern covers a name; `None` if it is not understood.
fn covers(text: &str, name: &str) -> Option<bool> {
    pattern(text).map(|pattern| pattern.matches(name))
}

fn reported(skill: &Value, report: &Report) -> Option<SkillReport> {
    let name = text(skill, "name")?;
    let path = text(skill, "baseDir").and_then(of_address);
    // What it would delegate to a program, it does not allow by itself.
    let is_kept = |rule: &Rule| ["reject", "delegate"].contains(&rule.action.as_str());
    let covers = |rule: &Rule| covers(&rule.pattern, name);
    let enabled = match report.rules.iter().find(|rule| covers(rule) != Some(false)) {
        Some(rule) => covers(rule).map(|_| !is_kept(rule)),
        None => Some(true),
    };
    let bundled = text(skill, "source") == Some("builtin");
    let description = text(skill, "description").map(str::to_owned);
    Some(SkillReport { name: name.to_owned(), path, description, enabled, bundled })
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
