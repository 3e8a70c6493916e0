//! Kilo Code: as opencode, from which it grew.

use super::{AgentProbe, Shows, Step, opencode};

/// `debug skill` lists everything, `debug agent code` has the rules; the last that matches decides.
///
/// Without telemetry, since it waits two seconds for it at its end, and without its file watcher,
/// which takes a quarter of its CPU time.
pub const KILO: AgentProbe = AgentProbe {
    program: "kilo",
    what: "kilo debug skill, debug agent code",
    proved: "7.7.7",
    steps: &[Step::json(&["debug", "skill"]), Step::json(&["debug", "agent", "code"])],
    environment: &[
        ("KILO_DISABLE_MODELS_FETCH", "1"),
        ("KILO_DISABLE_AUTOUPDATE", "1"),
        ("KILO_TELEMETRY_LEVEL", "off"),
        ("KILO_EXPERIMENTAL_DISABLE_FILEWATCHER", "1"),
        opencode::NO_LAST_COMPILER,
    ],
    variables: &[
        "XDG_CONFIG_HOME",
        "KILO_CONFIG",
        "KILO_CONFIG_DIR",
        "KILO_CONFIG_CONTENT",
        "KILO_DISABLE_PROJECT_CONFIG",
        "KILO_DISABLE_EXTERNAL_SKILLS",
        "KILO_DISABLE_CLAUDE_CODE",
        "KILO_DISABLE_CLAUDE_CODE_SKILLS",
        "KILO_PERMISSION",
    ],
    unseen: "agents other than code, {env:NAME} in a skill's text, skills.urls",
    timeout: 60,
    shows: Shows::Rules,
    paths: true,
    no_switch: Some("a rule for its name below permission.skill in kilo.json"),
    parse: opencode::parse,
    ..AgentProbe::PLAIN
};
