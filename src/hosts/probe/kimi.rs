//! Kimi Code: the commands of a session, which has its skills.

use super::acp;
use super::read::text;
use super::{AgentProbe, Shows, SkillReport, Step};
use serde_json::Value;

/// A session of its ACP server, with a model that is never asked. Its own skills have no prefix.
pub const KIMI: AgentProbe = AgentProbe {
    program: "kimi",
    what: "kimi acp, available_commands_update",
    proved: "2.1.0",
    steps: &[Step::session(&["acp"])],
    environment: &[("KIMI_MODEL_NAME", "none"), ("KIMI_MODEL_API_KEY", "none")],
    variables: &["KIMI_CODE_HOME"],
    unseen: "plugins, its own skills",
    timeout: 60,
    shows: Shows::OnOnly,
    paths: false,
    parse: |outputs, _| acp::report(outputs, reported),
    ..AgentProbe::PLAIN
};

fn reported(command: &Value) -> Option<SkillReport> {
    let name = text(command, "name")?.strip_prefix("skill:")?.to_owned();
    let description = text(command, "description").map(str::to_owned);
    Some(SkillReport { name, path: None, description, enabled: None, bundled: false })
}
