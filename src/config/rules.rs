//! Reads one `[[permissions.…]]` entry. A part that cannot be read never makes a rule allow more.

use super::reader::{Listed, Reader};
use crate::catalog::Permission;
use crate::policy::{Bound, Pattern, Runs, ScriptPath, Tool};
use std::path::PathBuf;
use toml_edit::{Item, TableLike};

/// One `[[permissions.…]]` entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRule {
    /// The list that has it.
    pub effect: Permission,
    /// `None` if it cannot be read.
    pub tool: Option<Tool>,
    /// The names that it covers; `None` if they cannot be read.
    pub pattern: Option<Pattern>,
    /// The runs that it covers, if it is about scripts; by default all.
    pub runs: Runs,
    /// The one skill that an allow rule is bound to.
    pub bound: Option<Bound>,
    /// From 1; 0 for what is planned and not yet written.
    pub line: u32,
}

impl WrittenRule {
    /// Stands for an entry that could have been any rule.
    pub(super) fn unreadable(line: u32) -> Self {
        let (effect, runs) = (Permission::Deny, Runs::ANY);
        Self { effect, tool: None, pattern: None, runs, bound: None, line }
    }
}

/// Reads the text of a path as the canonical path of a `SKILL.md`.
type ReadPath<'a> = dyn Fn(&str) -> Result<PathBuf, &'static str> + 'a;

pub(super) fn read_rule(
    effect: Permission,
    entry: &Listed<'_>,
    reader: &mut Reader,
    path: &ReadPath<'_>,
) -> WrittenRule {
    let mut rule =
        WrittenRule { effect, ..WrittenRule::unreadable(reader.line(entry.span.as_ref())) };
    let Some(table) = entry.table else { return rule };
    // A misspelt `skill_name` must not count as no name, which would mean the whole tool.
    let known = ["tool", "skill_name", "path", "digest", "script", "args"];
    let unknown = reader.keys(table, &known, &format!("permissions.{}.", effect.word()));
    match reader.string(table, "tool") {
        Some(tool) => match Tool::from_word(&tool.value) {
            Some(known) => rule.tool = Some(known),
            None => reader.grave_at(tool.line, "`tool` must be skill_load or skill_script", ""),
        },
        None if table.contains_key("tool") => {}
        None => {
            reader.grave(entry.span.as_ref(), "`tool` is missing", "write `tool = \"skill_load\"`")
        }
    }
    match reader.string(table, "skill_name") {
        Some(name) => match Pattern::read(&name.value) {
            Ok(pattern) => rule.pattern = Some(pattern),
            Err(error) => reader.grave_at(
                name.line,
                error.to_string(),
                "write a name, or a beginning and `*`",
            ),
        },
        None if unknown.is_empty() && !table.contains_key("skill_name") => {
            rule.pattern = Some(Pattern::Any)
        }
        None => {}
    }
    rule.bound = read_bound(table, &rule, reader, path);
    match read_runs(table, rule.tool, reader) {
        Some(runs) => rule.runs = runs,
        // It could have meant any run and, in a rule about loading, another tool.
        None => rule.tool = rule.tool.filter(|tool| *tool == Tool::SkillScript),
    }
    rule
}

/// `path` and `digest`, which bind an allow rule to one skill and its files. `None` is safe if one
/// of them cannot be read: the fault breaks the file, and a broken file allows nothing.
fn read_bound(
    table: &dyn TableLike,
    rule: &WrittenRule,
    reader: &mut Reader,
    read: &ReadPath<'_>,
) -> Option<Bound> {
    let mut misplaced = |key: &str, message: &str, help: &str| {
        let found = table.get_key_value(key);
        if let Some((name, _)) = found {
            reader.grave(name.span().as_ref(), format!("`{key}` {message}"), help);
        }
        found.is_some()
    };
    if rule.effect != Permission::Allow {
        let (message, help) = ("binds a rule that allows", "deny and ask go by `skill_name`");
        misplaced("path", message, help);
        misplaced("digest", message, help);
        return None;
    }
    if !table.contains_key("path")
        && misplaced("digest", "is of the files at a `path`", "write the skill's `path`")
    {
        return None;
    }
    let written = reader.string(table, "path")?;
    let path = match read(&written.value) {
        Ok(path) => path,
        Err(message) => {
            reader.grave_at(written.line, format!("`path`: {message}"), "write an absolute path");
            return None;
        }
    };
    let Some(written) = reader.string(table, "digest") else {
        return (!table.contains_key("digest")).then_some(Bound { path, digest: None });
    };
    let digest = Bound::read_digest(&written.value);
    if digest.is_none() {
        let help = "`skillpick permit allow SKILL` writes it";
        reader.grave_at(written.line, "`digest` must be `sha256:` and 64 hex digits", help);
    }
    Some(Bound { path, digest: Some(digest?) })
}

/// `script` and `args`; `None` if one of them cannot be read, or does not belong to such a rule.
fn read_runs(table: &dyn TableLike, tool: Option<Tool>, reader: &mut Reader) -> Option<Runs> {
    let before = reader.problems.len();
    let mut runs = Runs::ANY;
    if let Some(script) = reader.string(table, "script") {
        match ScriptPath::read(&script.value) {
            Ok(path) => runs.script = Some(path),
            Err(error) => {
                let help = "write a path such as scripts/fill.py, or a beginning and `*`";
                reader.grave_at(script.line, error.to_string(), help);
            }
        }
    }
    let words = |item: &Item| {
        let words = item.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
        words.collect::<Option<Vec<String>>>()
    };
    runs.arguments =
        reader.value(table, "args", "a list of texts", words).map(|written| written.value);
    for key in ["script", "args"] {
        if tool == Some(Tool::SkillLoad)
            && let Some((name, _)) = table.get_key_value(key)
        {
            let message = format!("`{key}` belongs to rules about scripts");
            reader.grave(name.span().as_ref(), message, "write `tool = \"skill_script\"`");
        }
    }
    (reader.problems.len() == before).then_some(runs)
}
