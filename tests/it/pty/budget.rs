//! What the budget cuts is found in the picker, and won back there.

use super::setup::Setup;
use super::tasks::Counted;
use crate::env::TestEnv;
use serde_json::json;

/// Claude Code with room for one description of two.
pub(super) fn env() -> TestEnv {
    let env = TestEnv::new();
    let settings = json!({
        "disableBundledSkills": true,
        "env": { "SLASH_COMMAND_TOOL_CHAR_BUDGET": "370" },
    });
    env.write("home/.claude/settings.json", settings.to_string());
    for name in ["one", "two"] {
        env.skill("home/.claude/skills", name, &"x".repeat(60));
    }
    env
}

#[test]
fn a_skill_that_the_limit_cuts_is_won_back_by_switching_another_off() {
    let env = env();
    let mut task = Counted::start(Setup::new(&env, &["--host", "claude"]));
    // The gauge comes by itself.
    task.terminal.see("1 cut");
    task.press("%");
    task.terminal.see("the limit is here");
    task.terminal.see("without this skill: 344 of 370");
    // One key: the dearest skill is off, and the other one is whole.
    task.press("<space>");
    task.agree("");
    task.terminal.miss("the limit is here");
    task.terminal.see("▓ 344 of 370");
    task.took_what_is_written("find what the limit cuts, and win it back");
    task.terminal.type_keys("u");
    task.terminal.see("the limit is here");
    task.leave();
}
