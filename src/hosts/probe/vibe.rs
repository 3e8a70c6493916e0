//! Mistral Vibe: the commands of a session, which has its skills.

use super::acp;
use super::read::text;
use super::{AgentProbe, Shows, SkillReport, Step};
use serde_json::Value;

/// A session of its ACP server, with a model that is never asked, and without its telemetry.
pub const VIBE: AgentProbe = AgentProbe {
    program: "vibe-acp",
    what: "vibe-acp, available_commands_update",
    proved: "3.0.2",
    steps: &[Step { piped: true, ..Step::session(&[]) }],
    environment: &[("MISTRAL_API_KEY", "none"), ("VIBE_ENABLE_TELEMETRY", "false")],
    variables: &["VIBE_HOME", "VIBE_SKILL_PATHS", "VIBE_ENABLED_SKILLS", "VIBE_DISABLED_SKILLS"],
    any_case: true,
    unseen: "plugins, skills of its registry, its own skills",
    timeout: 60,
    shows: Shows::OnOnly,
    paths: false,
    no_switch: Some("to turn off its plugin with /plugins"),
    parse: |outputs, _| acp::report(outputs, reported),
    ..AgentProbe::PLAIN
};

/// What it says of the input of every skill, and of no command.
const HINT: &str = "instructions for the skill";

/// How the names of its own skills begin: they are those of a plugin.
const OWN: &str = "vibe:";

fn reported(command: &Value) -> Option<SkillReport> {
    let hint = command.pointer("/input/hint").and_then(Value::as_str);
    let name = text(command, "name").filter(|_| hint == Some(HINT))?.to_owned();
    let description = text(command, "description").map(str::to_owned);
    let bundled = name.starts_with(OWN);
    Some(SkillReport { name, path: None, description, enabled: None, bundled })
}
