//! Claude Code: the first line of a session that never begins names the skills that a person may call (O3).

use super::read::{line, list, names, rubbish, step, text};
use super::{Heard, Oracle, Report, Rubbish, Shows, Step};
use crate::files::child::Output;
use serde_json::Value;
use std::path::Path;

/// Claude Code: `skills` of the line `init`. It needs no login: the session fails after that line.
///
/// It names directories, without paths. Missing are skills that are off, and what is loaded but not offered in this
/// list: without a description of their own, or with `user-invocable: false`.
pub const CLAUDE: Oracle = Oracle {
    program: "claude",
    what: "claude -p, skills of the first line",
    proved: "2.1.330",
    steps: &[Step { enough: Some(is_told), ..Step::plain(ARGUMENTS) }],
    environment: &[
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        // Should it have a key after all, its question reaches nobody.
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
    ],
    variables: &["CLAUDE_CONFIG_DIR"],
    timeout: 30,
    shows: Shows::OnOnly,
    paths: false,
    parse,
};

const ARGUMENTS: &[&str] = &["-p", "--output-format", "stream-json", "--verbose", "--settings", SETTINGS, "hi"];

/// Its own skills are left out as far as it lets us.
const SETTINGS: &str = r#"{"disableBundledSkills":true}"#;

/// Its own that stay.
const BUNDLED: &[&str] = &["doctor", "plugin-authoring"];

fn is_first(value: &Value) -> bool {
    text(value, "subtype") == Some("init")
}

fn is_told(so_far: &[u8]) -> bool {
    line(so_far, is_first).is_some()
}

fn parse(outputs: &[Output], _: &Path) -> Result<Report, Rubbish> {
    let output = step(outputs, 0);
    let told = line(&output.stdout, is_first).filter(|told| told.get("skills").is_some_and(Value::is_array));
    let told = told.ok_or_else(|| rubbish(&output))?;
    let heard = names(list(&told, "skills")).map(|name| Heard {
        name: name.to_owned(),
        path: None,
        enabled: None,
        bundled: BUNDLED.contains(&name),
    });
    let callable = names(list(&told, "slash_commands")).map(str::to_owned).collect();
    Ok(Report { heard: heard.collect(), callable, ..Report::default() })
}
