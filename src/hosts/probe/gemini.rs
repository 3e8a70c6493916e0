//! Gemini CLI: its list for people, which has everything.

use super::read::{bad_answer, folder, step};
use super::{AgentProbe, BadAnswer, Report, Shows, SkillReport, Step};
use crate::files::child::Output;
use std::path::Path;

/// `skills list --all`. In a folder that is not trusted it lists no skills of the project.
///
/// The list is made for people: a description of several lines may imitate an entry.
pub const GEMINI: AgentProbe = AgentProbe {
    program: "gemini",
    what: "gemini skills list --all",
    proved: "0.61.0",
    steps: &[Step::plain(&["skills", "list", "--all"])],
    // Otherwise it starts itself once more, with more memory, which takes as long again.
    environment: &[("NO_COLOR", "1"), ("GEMINI_CLI_NO_RELAUNCH", "true")],
    variables: &[
        "GEMINI_CLI_HOME",
        "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
        "GEMINI_CLI_TRUST_WORKSPACE",
        "GEMINI_RESTRICTED_MODE",
    ],
    unseen: "",
    timeout: 60,
    shows: Shows::OnOff,
    paths: true,
    parse,
    ..AgentProbe::PLAIN
};

const TITLE: &str = "Discovered Agent Skills:";
const NONE: &str = "No skills discovered.";
const PLACE: &str = "  Location:    ";

pub(super) fn parse(outputs: &[Output], _: &Path) -> Result<Report, BadAnswer> {
    let output = step(outputs, 0);
    let text = String::from_utf8_lossy(&output.stdout);
    if !text.lines().any(|line| line == TITLE || line == NONE) {
        return Err(bad_answer(&output));
    }
    let mut report = Report::default();
    let mut entry: Option<SkillReport> = None;
    let mut before = "";
    for (line, next) in text.lines().zip(text.lines().skip(1)) {
        let described = next.strip_prefix("  Description: ").map(str::to_owned);
        if let (Some(begun), Some(_)) = (title(line), &described) {
            // A name may end with a line.
            let name = if begun.name.is_empty() { before.to_owned() } else { begun.name };
            entry = Some(SkillReport { name, description: described, ..begun });
        } else if let Some(place) = next.strip_prefix(PLACE) {
            let path = Some(folder(place));
            report.skills.extend(entry.take().map(|reported| SkillReport { path, ..reported }));
        } else if let Some(text) = entry.as_mut().and_then(|entry| entry.description.as_mut()) {
            text.push('\n');
            text.push_str(next);
        }
        before = line;
    }
    Ok(report)
}

/// `name [Enabled]`, `name [Disabled] [Built-in]`.
fn title(line: &str) -> Option<SkillReport> {
    let (line, bundled) =
        line.strip_suffix(" [Built-in]").map_or((line, false), |line| (line, true));
    let (name, enabled) = match (line.strip_suffix(" [Enabled]"), line.strip_suffix(" [Disabled]"))
    {
        (Some(name), _) => (name, true),
        (None, Some(name)) => (name, false),
        (None, None) => return None,
    };
    let (path, description) = (None, None);
    Some(SkillReport { name: name.to_owned(), path, description, enabled: Some(enabled), bundled })
}
