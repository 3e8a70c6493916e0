//! Qwen Code: the first line of a session lists commands and skills.

use super::read::{begun, has_begun};
use super::{AgentProbe, BadAnswer, Report, Shows, Step};
use crate::files::child::Output;
use std::path::Path;

/// `slash_commands` of the line `init`. It runs with an invalid key and an unreachable service, and
/// is ended after that line. Built-in commands are left out by name.
pub const QWEN: AgentProbe = AgentProbe {
    program: "qwen",
    what: "qwen -p, slash_commands of the first line",
    proved: "0.24.4",
    steps: &[Step { enough: Some(has_begun), ..Step::plain(ARGUMENTS) }],
    environment: &[
        ("OPENAI_API_KEY", "none"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("OPENAI_MODEL", "none"),
        ("QWEN_TELEMETRY_ENABLED", "0"),
        // Otherwise it starts itself once more, with more memory.
        ("QWEN_CODE_NO_RELAUNCH", "true"),
    ],
    variables: &[
        "QWEN_HOME",
        "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
        "QWEN_CODE_SYSTEM_SETTINGS_PATH",
        "QWEN_CODE_TRUSTED_FOLDERS_PATH",
        "QWEN_CODE_SAFE_MODE",
        "QWEN_DISABLED_SLASH_COMMANDS",
    ],
    unseen: "what .env files set",
    timeout: 60,
    shows: Shows::OnOnly,
    paths: false,
    brings_commands: true,
    parse,
    ..AgentProbe::PLAIN
};

const ARGUMENTS: &[&str] = &["--auth-type", "openai", "--output-format", "stream-json", "-p", "hi"];

/// Its list in a folder without skills.
#[rustfmt::skip]
const BUNDLED: &[&str] = &[
    "auth", "batch", "browser-use", "bug", "clear", "compress", "compress-fast", "computer-use", "config", "context",
    "coordinate", "curator", "dataviz", "diff", "docs", "doctor", "effort", "export", "extension-creator", "extensions",
    "goal", "goal-draft", "hooks", "import-config", "init", "insight", "language", "loop", "model", "new-app",
    "output-style", "qc-helper", "review", "simplify", "stats", "status", "stuck", "summary", "tasks", "update",
    "workflow-authoring", "workflow-creator", "zvec-grep-install",
];

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    begun(outputs, "slash_commands", BUNDLED)
}
