//! Helpers for reading answers.

use super::{BadAnswer, Report, Rule, SkillReport};
use crate::files::child::Output;
pub(super) use crate::policy::glob;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// In characters. More of an answer that was not understood is not kept.
const EXCERPT: usize = 400;

/// The beginning of the error output, or of the output if there is none.
pub(super) fn bad_answer(output: &Output) -> BadAnswer {
    let said = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    excerpt(&String::from_utf8_lossy(said))
}

/// The beginning of what the program says is wrong.
pub(super) fn excerpt(said: &str) -> BadAnswer {
    BadAnswer(colourless(said).chars().take(EXCERPT).collect())
}

/// The text without the codes for colours and the like (`ESC [ 1 ; 91 m`).
fn colourless(said: &str) -> String {
    let mut parts = said.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers = |sign: char| sign.is_ascii_digit() || matches!(sign, ';' | ':');
        match part.trim_start_matches(numbers).strip_prefix('m') {
            Some(rest) => text += rest,
            None => text.extend(["\u{1b}[", part]),
        }
    }
    text
}

/// The output of a step; empty if the step is missing.
pub(super) fn step(outputs: &[Output], index: usize) -> Output {
    outputs.get(index).cloned().unwrap_or_default()
}

pub(super) fn json(output: &Output) -> Result<Value, BadAnswer> {
    serde_json::from_slice(&output.stdout).map_err(|_| bad_answer(output))
}

/// Whether it is one whole list or object in JSON.
pub(super) fn is_json(so_far: &[u8]) -> bool {
    let text = so_far.trim_ascii_end();
    matches!(text.last(), Some(b']' | b'}')) && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// The first line that is a JSON object for which `wanted` holds.
pub(super) fn line(stdout: &[u8], wanted: fn(&Value) -> bool) -> Option<Value> {
    let lines = stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{"));
    lines.filter_map(|line| serde_json::from_slice(line).ok()).find(wanted)
}

pub(super) fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}

/// The items of a list; empty if there is none.
pub(super) fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A skill's directory from its own path or that of its `SKILL.md`.
pub(super) fn folder(path: &str) -> PathBuf {
    let path = Path::new(path);
    let is_skill = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    path.parent().filter(|_| is_skill).unwrap_or(path).to_owned()
}

/// The texts of a list.
pub(super) fn names(list: &[Value]) -> impl Iterator<Item = &str> {
    list.iter().filter_map(Value::as_str)
}

/// Whether a line is the first of a session, which lists skills and commands (Claude Code, Qwen
/// Code).
fn is_first(value: &Value) -> bool {
    text(value, "subtype") == Some("init")
}

/// Whether the first line of a session is there.
pub(super) fn has_begun(so_far: &[u8]) -> bool {
    line(so_far, is_first).is_some()
}

/// What the first line of a session lists: skills without their paths, and the commands that a
/// person may call.
pub(super) fn begun(
    outputs: &[Output],
    skills: &str,
    bundled: &[&str],
) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let told =
        line(&output.stdout, is_first).filter(|told| told.get(skills).is_some_and(Value::is_array));
    let told = told.ok_or_else(|| bad_answer(&output))?;
    let reported = names(list(&told, skills)).map(|name| SkillReport {
        name: name.to_owned(),
        path: None,
        description: None,
        enabled: None,
        bundled: bundled.contains(&name),
    });
    let callable = names(list(&told, "slash_commands")).map(str::to_owned).collect();
    Ok(Report { skills: reported.collect(), callable, ..Report::default() })
}

/// The last rule that matches, which decides in opencode.
pub(super) fn last<'a>(report: &'a Report, name: &str) -> Option<&'a Rule> {
    report.rules.iter().rev().find(|rule| glob(&rule.pattern, name))
}
