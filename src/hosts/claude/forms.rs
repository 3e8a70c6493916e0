//! The values that Claude Code accepts in a settings file. It ignores a whole file with a wrong
//! value, but not an unknown key. These are the common keys of its schema; each row was tried with
//! its program (`tests/hosts/claude.rs`).

use super::super::SettingsFile;
use crate::settings::{Kind, Node};

/// What a value must be, in words and as a check.
type Form = (&'static str, fn(&Node) -> bool);

const TEXT: Form = ("a text", is_text);

const FLAG: Form = ("true or false", |node| node.flag().is_some());

const TEXTS: Form = ("a list of texts", |node| each(node, is_text));

const TABLE: Form = ("an object", |node| matches!(node.kind, Kind::Table(_)));

const DAYS: Form = ("a whole number of at least 1", |node| match &node.kind {
    Kind::Number(number) => number.parse::<u64>().is_ok_and(|days| days > 0),
    _ => false,
});

const MODE: Form =
    ("a mode that it knows", |node| node.text().is_some_and(|mode| MODES.contains(&mode)));

const MODES: [&str; 7] =
    ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto", "manual"];

const COMMAND: Form = ("`{\"type\": \"command\", \"command\": …}`", |node| {
    node.text_of("type") == Some("command") && node.get("command").is_some_and(is_text)
});

/// The only event that it checks.
const HOOKS: Form =
    ("a list of objects that have a list `hooks` of objects with a `type`", |node| {
        let hook = |hook: &Node| hook.get("type").is_some_and(is_text);
        each(node, |group| group.get("hooks").is_some_and(|hooks| each(hooks, hook)))
    });

#[rustfmt::skip]
const FORMS: &[(&[&str], Form)] = &[
    (&["apiKeyHelper"], TEXT),
    (&["model"], TEXT),
    (&["availableModels"], TEXTS),
    (&["outputStyle"], TEXT),
    (&["language"], TEXT),
    (&["statusLine"], COMMAND),
    (&["env"], TABLE),
    (&["sandbox"], TABLE),
    (&["enabledPlugins"], TABLE),
    (&["hooks", "PreToolUse"], HOOKS),
    (&["cleanupPeriodDays"], DAYS),
    (&["companyAnnouncements"], TEXTS),
    (&["includeCoAuthoredBy"], FLAG),
    (&["respectGitignore"], FLAG),
    (&["enableAllProjectMcpServers"], FLAG),
    (&["disableAllHooks"], FLAG),
    (&["disableBundledSkills"], FLAG),
    (&["alwaysThinkingEnabled"], FLAG),
    (&["spinnerTipsEnabled"], FLAG),
    (&["verbose"], FLAG),
    (&["permissions", "defaultMode"], MODE),
    (&["permissions", "additionalDirectories"], TEXTS),
];

/// The first wrong value: its line and the reason.
pub(super) fn odd(file: &SettingsFile) -> Option<(u32, String)> {
    FORMS.iter().find_map(|(path, (form, takes))| {
        let node = file.at(path).filter(|node| !takes(node))?;
        Some((node.line, format!("`{}` is not {form}", path.join("."))))
    })
}

fn is_text(node: &Node) -> bool {
    node.text().is_some()
}

fn each(node: &Node, holds: impl Fn(&Node) -> bool) -> bool {
    matches!(node.kind, Kind::List(_)) && node.items().iter().all(holds)
}
