//! Qwen Code: the first line of a session that never begins names commands and skills alike.

use super::read::{line, list, names, rubbish, step, text};
use super::{Heard, Oracle, Report, Rubbish, Shows, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::path::Path;

/// Qwen Code: `slash_commands` of the line `init`. It is asked with a key that is none and a service that nobody
/// offers, and ended after that line. Its own commands are left out by name.
pub const QWEN: Oracle = Oracle {
    program: "qwen",
    what: "qwen -p, slash_commands of the first line",
    proved: "0.24.4",
    steps: &[Step { enough: Some(is_told), ..Step::plain(ARGUMENTS) }],
    environment: &[
        ("OPENAI_API_KEY", "none"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("OPENAI_MODEL", "none"),
        ("QWEN_TELEMETRY_ENABLED", "0"),
    ],
    variables: &[
        "QWEN_HOME",
        "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
        "QWEN_CODE_SYSTEM_SETTINGS_PATH",
        "QWEN_CODE_TRUSTED_FOLDERS_PATH",
    ],
    timeout: 60,
    shows: Shows::OnOnly,
    paths: false,
    parse,
};

const ARGUMENTS: &[&str] = &["--auth-type", "openai", "--output-format", "stream-json", "-p", "hi"];

/// What it lists in a folder without skills.
#[rustfmt::skip]
const BUNDLED: &[&str] = &[
    "auth", "batch", "browser-use", "bug", "clear", "compress", "compress-fast", "computer-use", "config", "context",
    "coordinate", "curator", "dataviz", "diff", "docs", "doctor", "effort", "export", "extension-creator", "extensions",
    "goal", "goal-draft", "hooks", "import-config", "init", "insight", "language", "loop", "model", "new-app",
    "output-style", "qc-helper", "review", "simplify", "stats", "status", "stuck", "summary", "tasks", "update",
    "workflow-authoring", "workflow-creator", "zvec-grep-install",
];

fn is_first(value: &Value) -> bool {
    text(value, "subtype") == Some("init")
}

fn is_told(so_far: &[u8]) -> bool {
    line(so_far, is_first).is_some()
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, Rubbish> {
    let output = step(outputs, 0);
    let told = line(&output.stdout, is_first).filter(|told| told.get("slash_commands").is_some_and(Value::is_array));
    let told = told.ok_or_else(|| rubbish(&output))?;
    let heard = names(list(&told, "slash_commands")).map(|name| Heard {
        name: name.to_owned(),
        path: None,
        enabled: None,
        bundled: BUNDLED.contains(&name),
    });
    let callable = names(list(&told, "slash_commands")).map(str::to_owned).collect();
    Ok(Report { heard: heard.collect(), callable, ..Report::default() })
}
