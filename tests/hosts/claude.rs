//! Claude Code 2.1.332, by the first line of a session that cannot begin.
//!
//! - Roots: `~/.claude/skills`, then `.claude/skills` of the working directory and every directory
//!   up to the repository root. Of one name the person's own wins, then the nearest.
//!   `.agents/skills` is not read; what lies in a directory below the working directory is not
//!   listed at the start.
//! - Exactly `<root>/<directory>/SKILL.md`. Hidden directories and `node_modules/SKILL.md` count.
//!   Linked directories and linked files count; a second way to the same skill does not.
//! - A skill goes by its *directory's* name, whatever its frontmatter says.
//! - Nothing is refused but a file that is not called `SKILL.md`. What has no description of its
//!   own (none, empty, blank, a list, no frontmatter, an unclosed one, an empty line before it) can
//!   be called by a person, and is missing in this list. Missing as well, though it is loaded:
//!   `user-invocable: false`.
//! - The list also has skills of its own. `disableBundledSkills` removes all but `doctor` and
//!   `plugin-authoring`. Files in `.claude/commands` are commands, not in this list.
//! - Settings (`skillOverrides`, by directory name, exact case): the person's,
//!   `<cwd>/.claude/settings.json`,
//!   `<cwd>/.claude/settings.local.json`, and `settings.local.json` at the repository root, which wins over the one in
//!   the working directory. `settings.json` of the repository root counts only when that is the working directory; those
//!   between never; `~/.claude/settings.local.json` never. Project over person, local over project, also to switch on.
//!   Only `off` changes the list. One comment, trailing comma, or invalid value, and the whole file counts for nothing;
//!   a byte order mark is accepted.

use crate::agent::{Agent, names, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::CLAUDE;
use std::collections::BTreeSet;

const FINDINGS: Findings = Findings {
    probe: &CLAUDE,
    root: "repo/.claude/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            .hidden-group/within blank-desc blank-line deep/.hidden-deep deep/2/3/4/5/6/7/eight deep/2/3/4/5/6/seven
            deep/2/3/4/5/six deep/2/3/4/five deep/2/3/four deep/2/three deep/two empty-desc empty-file
            linked-group/within-linked list-desc lower-file map-desc mixed-file model-only no-desc no-front no-map
            node_modules/package null-desc outer/inner target/built unclosed",
        renamed: "",
        twins: (2, 1),
    },
    roots: &["home/.claude", "repo/a/b/.claude", "repo/a/.claude", "repo/.claude"],
    same_name: SameName::First,
    marks: "mark-home-claude mark-repo-a-b-claude mark-repo-a-claude mark-repo-claude",
};

#[test]
fn what_claude_loads_below_a_root() {
    let Some(asked) = FINDINGS.hold_below_a_root() else { return };
    let callable = "blank-desc blank-line empty-desc empty-file list-desc map-desc no-desc no-front no-map null-desc unclosed";
    let mut unlisted = FINDINGS.seen(&asked).unseen(&asked.laid);
    unlisted.retain(|name| asked.report.callable.contains(name));
    same(&unlisted, &words(callable));
}

#[test]
fn claude_refuses_reserved_directories_and_files_over_a_million_bytes_and_so_do_we() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    let root = "repo/.claude/skills";
    let head = "---\ndescription: d\n---\n";
    for (name, bytes) in [
        ("s-plain", head.len()),
        ("synced", head.len()),
        ("Anthropic-Skills", head.len()),
        ("synced-too", head.len()),
        ("s-full", 1_000_000),
        ("s-larger", 1_000_001),
    ] {
        let text = format!("{head}{}", "x".repeat(bytes - head.len()));
        env.write(format!("{root}/{name}/SKILL.md"), text);
    }
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("s-full s-plain synced-too"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn where_claude_looks() {
    FINDINGS.hold_of_the_roots();
}

/// What these settings files, each with `directory: state` pairs, take out of the list.
fn gone(cwd: &str, files: &[(&str, &str)]) -> Option<BTreeSet<String>> {
    let agent = Agent::find(&CLAUDE)?;
    let env = TestEnv::for_agents();
    for name in ["s1", "s2", "s3", "s4", "s5", "s6"] {
        env.named(&format!("repo/.claude/skills/{name}"), &format!("{name}-name"));
    }
    for (file, text) in files {
        let text = if text.contains('{') {
            (*text).to_owned()
        } else {
            format!("{{\"skillOverrides\":{{{text}}}}}")
        };
        env.write(file, text);
    }
    let report = agent.ask(&env, cwd);
    let left = names(&report, "s");
    Some(
        (1..=6)
            .map(|number| format!("s{number}"))
            .filter(|name| !left.contains(name.as_str()))
            .collect(),
    )
}

#[test]
fn claude_switches_skills_by_directory_name() {
    let user = "home/.claude/settings.json";
    let (shared, local) = ("repo/.claude/settings.json", "repo/.claude/settings.local.json");
    let (near, near_local) =
        ("repo/a/b/.claude/settings.json", "repo/a/b/.claude/settings.local.json");
    let off = |name: &str| format!("\"{name}\":\"off\"");
    let [s1, s2, s3, s4, s5, s6] = ["s1", "s2", "s3", "s4", "s5", "s6"].map(off);
    let between = "repo/a/.claude/settings.json";
    for (cwd, files, expected) in [
        (
            "repo",
            vec![
                (user, s1.as_str()),
                (shared, &s2),
                (local, &s3),
                ("home/.claude/settings.local.json", &s4),
            ],
            "s1 s2 s3",
        ),
        (
            "repo/a/b",
            vec![
                (user, s1.as_str()),
                (shared, &s2),
                (local, &s3),
                (between, &s4),
                (near, &s5),
                (near_local, &s6),
            ],
            "s1 s3 s5 s6",
        ),
        (
            "repo",
            vec![
                (user, "\"s1\":\"off\",\"s2\":\"on\""),
                (shared, "\"s1\":\"on\",\"s2\":\"off\",\"s3\":\"off\""),
                (local, "\"s3\":\"on\""),
            ],
            "s2",
        ),
        (
            "repo/a/b",
            vec![
                (local, "\"s1\":\"off\",\"s2\":\"on\""),
                (near_local, "\"s1\":\"on\",\"s2\":\"off\""),
            ],
            "s1",
        ),
        (
            "repo",
            vec![(
                user,
                "\"s1\":\"name-only\",\"s2\":\"user-invocable-only\",\"s3-name\":\"off\",\"S4\":\"off\"",
            )],
            "",
        ),
    ] {
        let Some(gone) = gone(cwd, &files) else { return };
        assert_eq!(gone, words(expected).into_iter().map(str::to_owned).collect(), "{files:?}");
    }
}

#[test]
fn claude_ignores_a_settings_file_that_is_not_strict_json() {
    let user = "home/.claude/settings.json";
    for (text, expected) in [
        ("{ // why\n\"skillOverrides\":{\"s1\":\"off\"}}", ""),
        ("{\"skillOverrides\":{\"s1\":\"off\",}}", ""),
        ("{\"skillOverrides\":{\"s1\":\"off\",\"s2\":\"nope\"}}", ""),
        ("\u{feff}{\"skillOverrides\":{\"s1\":\"off\"}}", "s1"),
        ("{\"permissions\":{\"deny\":[\"Skill(s1)\",\"Skill\"]}}", ""),
    ] {
        let Some(gone) = gone("repo", &[(user, text)]) else { return };
        assert_eq!(gone, words(expected).into_iter().map(str::to_owned).collect(), "{text}");
    }
}

#[test]
fn claude_reads_utf_16_and_takes_an_empty_variable_for_the_working_directory() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.claude/skills", &["s1", "s2"]);
    env.sound_skills("repo/skills", &["s3", "s4"]);
    env.sound_skill("home/.claude/skills/s5");
    let text = |name: &str| format!("{{\"skillOverrides\":{{\"{name}\":\"off\"}}}}");
    let wide = text("s1").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    env.write("home/.claude/settings.json", [&[0xff, 0xfe][..], &wide].concat());
    let report = agent.ask(&env, "repo");
    same(&names(&report, "s"), &words("s2 s5"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    ours::done(&agent, &env, "repo", &["verify"]);
    env.write("repo/settings.json", text("s3"));
    let report = agent.try_ask(&env, "repo", &[("CLAUDE_CONFIG_DIR", "")]).unwrap();
    same(&names(&report, "s"), &words("s1 s2 s4"));
}

/// Members that make Claude Code ignore the file in which they stand, and some that do not.
const ODD: &[&str] = &[
    r#""apiKeyHelper": 3"#,
    r#""model": 3"#,
    r#""model": null"#,
    r#""availableModels": [3]"#,
    r#""outputStyle": 3"#,
    r#""language": 3"#,
    r#""statusLine": "~/x.sh""#,
    r#""statusLine": {"command": "x"}"#,
    r#""env": []"#,
    r#""sandbox": 3"#,
    r#""enabledPlugins": []"#,
    r#""hooks": {"PreToolUse": 3}"#,
    r#""hooks": {"PreToolUse": [{"type": "command", "command": "x"}]}"#,
    r#""hooks": {"PreToolUse": [{"hooks": [3]}]}"#,
    r#""cleanupPeriodDays": "30""#,
    r#""cleanupPeriodDays": 0"#,
    r#""companyAnnouncements": "x""#,
    r#""includeCoAuthoredBy": "no""#,
    r#""respectGitignore": "no""#,
    r#""enableAllProjectMcpServers": "no""#,
    r#""disableAllHooks": "no""#,
    r#""disableBundledSkills": "no""#,
    r#""alwaysThinkingEnabled": "no""#,
    r#""spinnerTipsEnabled": "no""#,
    r#""verbose": "no""#,
    r#""permissions": {"defaultMode": "nonsense"}"#,
    r#""permissions": {"additionalDirectories": "x"}"#,
];

#[test]
fn claude_ignores_a_settings_file_with_a_value_that_it_does_not_take() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let files = [
        "home/.claude/settings.json",
        "repo/.claude/settings.json",
        "repo/.claude/settings.local.json",
    ];
    let sound = [
        r#""unknown": [], "hooks": {"Odd": 3, "Stop": 3}, "theme": 3"#,
        r#""env": {"A": 1}, "enabledPlugins": {"a@b": true}, "hooks": {"PreToolUse": [{"hooks": []}]}"#,
        r#""cleanupPeriodDays": 30, "permissions": {"defaultMode": "plan", "deny": [7]}, "availableModels": ["a"]"#,
    ];
    // A skill for each file, which it switches off; three files at a time, since a run takes long.
    for (odd, members) in ODD.chunks(3).map(|odd| (true, odd)).chain([(false, &sound[..])]) {
        let env = TestEnv::for_agents();
        env.sound_skills("repo/.claude/skills", &["s0", "s1", "s2", "always"]);
        for (number, member) in members.iter().enumerate() {
            env.write(
                files[number],
                format!("{{{member}, \"skillOverrides\": {{\"s{number}\": \"off\"}}}}"),
            );
        }
        let report = agent.ask(&env, "repo");
        assert_eq!(names(&report, "s").len(), if odd { 3 } else { 0 }, "{members:?}");
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
}

#[test]
fn a_copy_for_claude_is_a_linked_working_tree_where_the_person_stands_in_one() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::new();
    env.sound_skill("repo/.claude/skills/shown");
    env.sound_skill("tree/.claude/skills/shown");
    env.sound_skill("tree/.claude/skills/gone");
    // As `git worktree add` writes them.
    let own = env.text("repo/.git/worktrees/tree");
    env.write("tree/.git", format!("gitdir: {own}\n"));
    env.write("repo/.git/worktrees/tree/commondir", "../..\n");
    env.write("repo/.git/worktrees/tree/gitdir", format!("{}\n", env.text("tree/.git")));
    env.write("repo/.git/worktrees/tree/HEAD", "ref: refs/heads/tree\n");
    // Its own settings file is that of the main tree.
    ours::done(&agent, &env, "tree", &["disable", "gone", "--in", "local"]);
    assert!(env.read("repo/.claude/settings.local.json").contains("gone"));
    same(&names(&agent.ask(&env, "tree"), ""), &words("shown"));
    ours::done(&agent, &env, "tree", &["verify"]);
}
