//! The dock beside a real agent: what is written in one pane arrives in the agent's prompt whole and
//! once, and the model is asked only when the person says so.

use crate::mock::Agent;
use crate::panes::Desk;

fn arrives(agent: Agent, ready: &str, folder: &str, call: &str) {
    let Some(desk) = Desk::new(agent) else { return };
    desk.scene.skill(folder, "pdf-forms");
    desk.start(&agent.program().unwrap().display().to_string());
    desk.see("%0", ready);
    let dock = format!("'{}' dock", env!("CARGO_BIN_EXE_skillpick"));
    desk.run(&["split-window", "-t", "%0", "-l", "14", &dock]).unwrap();
    desk.see("%1", &format!("to ▸ {} (tmux pane %0)", agent.name()));
    desk.type_text("%1", "Use $pdff");
    desk.see("%1", "▌ pdf-forms");
    desk.press("%1", "Enter");
    desk.see("%1", "[pdf-forms]");
    desk.type_text("%1", "now");
    desk.press("%1", "C-j");
    desk.type_text("%1", "--second line `x`");
    desk.press("%1", "Enter");
    // Older ones do not say whether a pane takes a paste in brackets, so a second key is asked for.
    let says = desk.run(&["display-message", "-p", "-t", "%0", "#{bracket_paste_flag}"]);
    if says.unwrap().trim().is_empty() {
        desk.see("%1", "this tmux does not say");
        desk.press("%1", "Enter");
    }
    desk.see("%1", "not entered");
    desk.see("%0", &format!("Use {call} now"));
    desk.see("%0", "--second line `x`");
    assert!(desk.mock.turns().is_empty(), "nothing is asked before Enter");
    desk.type_text("%1", ", please");
    desk.press("%1", "C-s");
    let said = desk.asked();
    let prompt = format!("Use {call} now\n--second line `x`, please");
    let count: usize = said.iter().map(|text| text.matches(&prompt).count()).sum();
    assert_eq!(count, 1, "{said:?}");
}

#[test]
fn a_prompt_arrives_in_codex_whole_once_and_is_asked_only_after_enter() {
    arrives(Agent::Codex, "Ask Codex to do anything", "repo/.agents/skills", "$pdf-forms");
}

#[test]
fn a_prompt_arrives_in_claude_whole_once_and_is_asked_only_after_enter() {
    arrives(Agent::Claude, "❯", "repo/.claude/skills", "/pdf-forms");
}
