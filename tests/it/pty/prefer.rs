//! For which agent a pick is, asked once in a repository.

use super::setup::Setup;
use crate::env::TestEnv;

#[test]
fn the_agent_is_asked_for_once_and_remembered_in_this_repository() {
    let env = TestEnv::new();
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}\n");
    env.skill("repo/.agents/skills", "pdf", "Fills forms.");
    std::fs::create_dir_all(env.at("repo/.claude/skills")).unwrap();
    let link = env.at("repo/.claude/skills/pdf");
    std::os::unix::fs::symlink("../../.agents/skills/pdf", link).unwrap();
    let pick = || Setup::sh(&env, "skillpick --host all > picked; echo ended $?").start();
    let mut terminal = pick();
    terminal.see_current("pdf");
    terminal.type_keys("<enter>");
    terminal.see("For which agent?");
    terminal.see("$pdf");
    terminal.type_keys("j<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert_eq!(env.read("repo/picked"), "/pdf\n");
    let mut terminal = pick();
    terminal.see("prints /pdf for claude");
    terminal.type_keys("<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert_eq!(env.read("repo/picked"), "/pdf\n");
    // The keys of a shell ask no more often.
    let line = "skillpick line mention --shell bash --before 'echo ' --line 'echo ' > line";
    let mut terminal = Setup::sh(&env, &format!("{line}; echo ended $?")).start();
    terminal.see("prints /pdf for claude");
    terminal.type_keys("<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert!(env.read("repo/line").contains("/pdf"), "{}", env.read("repo/line"));
    // An agent that is not here any more is not picked for.
    std::fs::remove_dir_all(env.at("home/.claude")).unwrap();
    std::fs::remove_dir_all(env.at("repo/.claude")).unwrap();
    let mut terminal = pick();
    terminal.see("prints $pdf");
    terminal.type_keys("<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert_eq!(env.read("repo/picked"), "$pdf\n");
}
