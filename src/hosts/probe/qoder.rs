//! Qoder CLI: its list for people, which it has from Gemini CLI.

use super::{AgentProbe, Shows, Step, gemini};

/// `skills list --all`. It names a skill by its directory.
///
/// The list is made for people: a description of several lines may imitate an entry.
pub const QODER: AgentProbe = AgentProbe {
    program: "qodercli",
    what: "qodercli skills list --all",
    proved: "1.1.52",
    steps: &[Step::plain(&["skills", "list", "--all"])],
    environment: &[("NO_COLOR", "1")],
    variables: &["QODER_CONFIG_DIR"],
    unseen: "plugins, its own skills",
    timeout: 60,
    shows: Shows::OnOff,
    paths: true,
    parse: gemini::parse,
    ..AgentProbe::PLAIN
};
