//! What the budget cuts is found in the picker, and won back there.

use super::setup::Setup;
use crate::env::TestEnv;
use serde_json::json;

/// Claude Code with room for one description of two.
fn env() -> TestEnv {
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
    let mut terminal = Setup::new(&env, &["--host", "claude"]).start();
    // The gauge comes by itself.
    terminal.see("1 cut");
    terminal.type_keys("%");
    terminal.see("the limit is here");
    terminal.see("without this skill: 344 of 370");
    // One key: the dearest skill is off, and the other one is whole.
    terminal.type_keys("<space>");
    terminal.see("Confirm the change");
    // Keys that came before the question do not count.
    std::thread::sleep(std::time::Duration::from_millis(400));
    terminal.type_keys("y");
    terminal.miss("Confirm the change");
    terminal.miss("the limit is here");
    terminal.see("▓ 344 of 370");
    terminal.type_keys("u");
    terminal.see("the limit is here");
    terminal.type_keys("<^c>");
    terminal.exit();
}
