//! opencode: all skills, and the rules of its agent `build` in the order in which it judges them.

use super::read::{bad_answer, folder, glob, json, last, list, step, text};
use super::{AgentProbe, BadAnswer, Report, Rule, Shows, SkillReport, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::path::Path;

/// `debug skill` lists everything, `debug agent build` has the rules; the last that matches
/// decides.
///
/// Of several skills with one name it lists one, chosen at random.
pub const OPENCODE: AgentProbe = AgentProbe {
    program: "opencode",
    what: "opencode debug skill, debug agent build",
    proved: "1.18.33",
    steps: &[Step::json(&["debug", "skill"]), Step::json(&["debug", "agent", "build"])],
    environment: &[
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER", "1"),
        NO_LAST_COMPILER,
    ],
    variables: &[
        "XDG_CONFIG_HOME",
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_CONFIG_CONTENT",
        "OPENCODE_DISABLE_PROJECT_CONFIG",
        "OPENCODE_DISABLE_EXTERNAL_SKILLS",
        "OPENCODE_DISABLE_CLAUDE_CODE",
        "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS",
        "OPENCODE_PERMISSION",
    ],
    unseen: "agents other than build, {env:…} values",
    timeout: 60,
    shows: Shows::Rules,
    paths: true,
    no_switch: Some("a rule for its name below permission.skill in opencode.json"),
    parse,
    ..AgentProbe::PLAIN
};

/// Turns off the last optimising compiler of Bun, their runtime. They end before it pays, and take
/// a seventh less processor time without it.
pub(super) const NO_LAST_COMPILER: (&str, &str) = ("BUN_JSC_useFTLJIT", "0");

/// The paths that it and Kilo Code give for built-in skills.
const BUNDLED: [&str; 2] = ["<built-in>", "builtin"];

pub(super) fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let (skills, agent) = (step(outputs, 0), step(outputs, 1));
    let Value::Array(skills) = json(&skills)? else { return Err(bad_answer(&skills)) };
    let rules = json(&agent)?;
    if !rules.get("permission").is_some_and(Value::is_array) {
        return Err(bad_answer(&agent));
    }
    let rules = list(&rules, "permission").iter().filter_map(rule).collect();
    let mut report = Report { rules, ..Report::default() };
    report.skills = skills.iter().filter_map(|skill| reported(skill, &report)).collect();
    Ok(report)
}

/// A rule that applies to skills, perhaps to other permissions too.
fn rule(value: &Value) -> Option<Rule> {
    let about = text(value, "permission")?;
    let rule = Rule {
        pattern: text(value, "pattern")?.to_owned(),
        action: text(value, "action")?.to_owned(),
    };
    glob(about, "skill").then_some(rule)
}

fn reported(skill: &Value, report: &Report) -> Option<SkillReport> {
    let (name, location) = (text(skill, "name")?, text(skill, "location")?);
    let bundled = BUNDLED.contains(&location);
    let path = (!bundled).then(|| folder(location));
    let enabled = last(report, name).is_none_or(|rule| rule.action != "deny");
    let description = text(skill, "description").map(str::to_owned);
    Some(SkillReport { name: name.to_owned(), path, description, enabled: Some(enabled), bundled })
}
