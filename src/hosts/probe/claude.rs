//! Claude Code: the first line of a session lists the skills that a person may call. The session
//! then fails.

use super::read::{begun, has_begun};
use super::{AgentProbe, BadAnswer, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use std::path::Path;

/// `skills` of the line `init`, which comes before the login is checked.
///
/// It lists the names of directories, without paths. Disabled skills are missing, and those without
/// a description of their own or with `user-invocable: false`, which are loaded but not listed.
pub const CLAUDE: AgentProbe = AgentProbe { all: Some(&ALL), ..USUAL };

/// What it is asked without the skills that it brings itself.
const USUAL: AgentProbe = AgentProbe {
    program: "claude",
    what: "claude -p, skills of the first line",
    proved: "2.1.332",
    steps: &[Step { enough: Some(has_begun), ..Step::plain(ARGUMENTS) }],
    environment: &[
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        // If it has a key after all, its request reaches nobody.
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
    ],
    variables: &[
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CODE_SAFE_MODE",
        "CLAUDE_CODE_PLUGIN_DIRS",
        "CLAUDE_CODE_PLUGIN_CACHE_DIR",
    ],
    unseen: "bundled skills, slash commands, folders of --add-dir",
    timeout: 30,
    shows: Shows::OnOnly,
    paths: false,
    parse,
    ..AgentProbe::PLAIN
};

/// With the skills that it brings itself: first as it is, then without any settings file. The
/// second answer has all that it brings, on or off, and none of the person's skills.
const ALL: AgentProbe = AgentProbe {
    what: "claude -p, skills of the first line, with and without settings",
    steps: &[
        Step { enough: Some(has_begun), ..Step::plain(AS_IT_IS) },
        Step { enough: Some(has_begun), ..Step::plain(WITHOUT_SETTINGS) },
    ],
    parse: parse_all,
    ..USUAL
};

const AS_IT_IS: &[&str] = &["-p", "--output-format", "stream-json", "--verbose", "hi"];

#[rustfmt::skip]
const WITHOUT_SETTINGS: &[&str] =
    &["-p", "--output-format", "stream-json", "--verbose", "--setting-sources", "", "hi"];

const ARGUMENTS: &[&str] =
    &["-p", "--output-format", "stream-json", "--verbose", "--settings", SETTINGS, "hi"];

/// Leaves out the built-in skills that can be left out.
const SETTINGS: &str = r#"{"disableBundledSkills":true}"#;

/// The built-in skills that stay.
const BUNDLED: &[&str] = &["doctor", "plugin-authoring"];

fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    begun(outputs, "skills", BUNDLED)
}

/// What only the second answer has is off.
fn parse_all(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let (mut report, brought) = (
        begun(outputs, "skills", &[])?,
        begun(outputs.get(1..).unwrap_or_default(), "skills", &[])?,
    );
    for reported in brought.skills {
        match report.skills.iter_mut().find(|known| known.name == reported.name) {
            Some(known) => known.bundled = true,
            None => {
                let off = SkillReport { enabled: Some(false), bundled: true, ..reported };
                report.skills.push(off);
            }
        }
    }
    Ok(report)
}
