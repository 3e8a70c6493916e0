//! The runtime by its commands: the conformance skill, conversations, mentions, the log (REM-12).

#[cfg(unix)]
mod bypass;
mod calls;
mod catalog;
mod hidden;
mod log;
mod namesakes;
#[cfg(unix)]
mod paths;
#[cfg(target_os = "linux")]
mod run;
mod session;
mod status;
mod words;

use crate::env::TestEnv;

/// An environment with the conformance skill.
pub(super) fn env() -> TestEnv {
    let env = TestEnv::new();
    env.fixture("../.skills", "repo/.agents/skills");
    env
}

pub(super) const SKILL: &str = "skills-system-validation";

/// A skill with this body.
pub(super) fn with_body(env: &TestEnv, name: &str, body: &str) {
    let text = format!("---\nname: {name}\ndescription: d\n---\n{body}");
    env.write(format!("repo/.agents/skills/{name}/SKILL.md"), text);
}
