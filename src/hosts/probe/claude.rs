//! Claude Code: the first line of a session that never begins names the skills that a person may
//! call (O3).

use super::read::{begun, has_begun};
use super::{AgentProbe, BadAnswer, Report, Shows, Step};
use crate::files::child::Output;
use std::path::Path;

/// Claude Code: `skills` of the line `init`. It needs no login: the session fails after that line.
///
/// It names directories, without paths. Missing are skills that are off, and what is loaded but not
/// offered in this list: without a description of their own, or with `user-invocable: false`.
pub const CLAUDE: AgentProbe = AgentProbe {
    program: "claude",
    what: "claude -p, skills of the first line",
    proved: "2.1.330",
    steps: &[Step { enough: Some(has_begun), ..Step::plain(ARGUMENTS) }],
    environment: &[
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        // Should it have a key after all, its question reaches nobody.
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
    ],
    variables: &["CLAUDE_CONFIG_DIR"],
    unseen: "plugins, bundled skills, slash commands, folders of --add-dir",
    timeout: 30,
    shows: Shows::OnOnly,
    paths: false,
    parse,
};

const ARGUMENTS: &[&str] =
    &["-p", "--output-format", "stream-json", "--verbose", "--settings", SETTINGS, "hi"];

/// Its own skills are left out as far as it lets us.
const SETTINGS: &str = r#"{"disableBundledSkills":true}"#;

/// Its own that stay.
const BUNDLED: &[&str] = &["doctor", "plugin-authoring"];

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    begun(outputs, ("skills", BUNDLED))
}
