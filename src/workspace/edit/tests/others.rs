//! What the rules screen says where no rule is written.

use super::*;
use crate::hosts::{self, Host};
use crate::policy;

/// Skills of two names in three folders, seen through a host.
pub(super) fn two_of_each(host: &'static Host) -> TestWorkspace {
    let folders = ["repo/.agents/skills", "repo/.claude/skills", "home/.agents/skills"];
    let names = ["pdf", "zip"];
    let skills: Vec<(String, &str)> = folders
        .iter()
        .flat_map(|folder| names.map(|name| (format!("{folder}/{name}"), name)))
        .collect();
    let skills: Vec<(&str, &str)> =
        skills.iter().map(|(folder, name)| (folder.as_str(), *name)).collect();
    let trust = [("GEMINI_CLI_TRUST_WORKSPACE", "true")];
    TestWorkspace::with(&skills).through(host, &trust, "repo")
}

#[test]
fn where_no_rule_is_written_the_screen_says_why_skills_are_not_as_by_default() {
    let others = |test: &TestWorkspace| {
        let view = test.view();
        let skills: Vec<_> = view.rows.skills().cloned().collect();
        let others = policy::outcome(&view.policy, &view.policy, &skills).others;
        let line = |other: &policy::Other| {
            format!("{} {}: {}", other.count, other.effect.word(), other.why)
        };
        others.iter().map(|other| line(other).replace(&test.text(""), "")).collect::<Vec<_>>()
    };
    // Claude Code asks before it loads a skill that brings its own tools.
    let mut test = two_of_each(&hosts::CLAUDE);
    for (name, field) in [
        ("a", "allowed-tools: Bash"),
        ("b", "allowed-tools: Read"),
        ("c", "disable-model-invocation: true"),
    ] {
        let head = format!("---\nname: {name}\ndescription: One.\n{field}\n---\n");
        test.write(&format!("repo/.claude/skills/{name}/SKILL.md"), &head);
    }
    test.write("home/.claude/settings.json", "{\"skillOverrides\": {\"zip\": \"off\"}}\n");
    assert_eq!(
        others(&test),
        ["2 ask: allowed-tools", "1 deny: disable-model-invocation", "1 deny: switched off"]
    );
    // A rule that the screen cannot edit is named with its file.
    let mut test = two_of_each(&hosts::OPENCODE);
    test.write("home/.config/opencode/opencode.json", "{}\n");
    assert_eq!(others(&test), [""; 0]);
    let test =
        test.through(&hosts::OPENCODE, &[("OPENCODE_PERMISSION", "{\"skill\": \"ask\"}")], "repo");
    let view = test.view();
    assert!(
        others(&test).iter().all(|line| line.contains(" ask: OPENCODE_PERMISSION")),
        "{:?} {:?}",
        others(&test),
        view.policy.rules
    );
    assert!(!others(&test).is_empty());
}
