//! Qoder CLI: its list for people, which it has from Gemini CLI.

use super::{AgentProbe, BadAnswer, Report, Shows, Step, gemini};
use crate::files::child::Output;
use std::path::Path;

/// `skills list --all`. It names a skill by its directory.
///
/// The list is made for people: a description of several lines may imitate an entry.
pub const QODER: AgentProbe = AgentProbe {
    program: "qodercli",
    what: "qodercli skills list --all",
    proved: "1.1.52",
    steps: &[Step {
        // An entry ends with an empty line. It writes them within some milliseconds, then takes
        // seconds to end.
        enough: Some(|so_far| so_far.ends_with(b"\n\n") && has_entry(so_far)),
        settle: 500,
        ..Step::plain(&["skills", "list", "--all"])
    }],
    environment: &[("NO_COLOR", "1")],
    variables: &["QODER_CONFIG_DIR"],
    unseen: "plugins, its own skills",
    timeout: 60,
    shows: Shows::OnOff,
    paths: true,
    parse,
    ..AgentProbe::PLAIN
};

/// Whether an entry has begun: its heading ends with an empty line too.
fn has_entry(so_far: &[u8]) -> bool {
    String::from_utf8_lossy(so_far).contains("\n  Location: ")
}

/// What may follow a description.
const FIELDS: [&str; 3] = ["\n  When to use: ", "\n  Model:       ", "\n  Tools:       "];

fn parse(outputs: &[Output], folder: &Path) -> Result<Report, BadAnswer> {
    let mut report = gemini::parse(outputs, folder)?;
    for text in report.skills.iter_mut().filter_map(|skill| skill.description.as_mut()) {
        let ends = FIELDS.iter().filter_map(|field| text.find(field));
        text.truncate(ends.min().unwrap_or(text.len()));
    }
    Ok(report)
}
