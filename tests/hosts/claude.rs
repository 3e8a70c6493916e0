//! Claude Code 2.1.330, by the first line of a session that cannot begin.
//!
//! - Roots: `~/.claude/skills`, then `.claude/skills` of the working directory and every directory up to the repository
//!   root. Of one name the person's own wins, then the nearest. `.agents/skills` is not read; what lies in a directory
//!   below the working directory is not listed at the start.
//! - Exactly `<root>/<directory>/SKILL.md`. Hidden directories and `node_modules/SKILL.md` count. Linked directories and
//!   linked files count; a second way to the same skill does not.
//! - A skill goes by its *directory's* name, whatever its frontmatter says.
//! - Nothing is refused but a file that is not called `SKILL.md`. What has no description of its own (none, empty,
//!   blank, a list, no frontmatter, an unclosed one, an empty line before it) can be called by a person, and is missing
//!   in this list. Missing as well, though it is loaded: `user-invocable: false`.
//! - The list also has skills of its own. `disableBundledSkills` removes all but `doctor` and `plugin-authoring`.
//!   Files in `.claude/commands` are commands, not in this list.
//! - Settings (`skillOverrides`, by directory name, exact case): the person's, `<cwd>/.claude/settings.json`,
//!   `<cwd>/.claude/settings.local.json`, and `settings.local.json` at the repository root, which wins over the one in
//!   the working directory. `settings.json` of the repository root counts only when that is the working directory; those
//!   between never; `~/.claude/settings.local.json` never. Project over person, local over project, also to switch on.
//!   Only `off` changes the list. One comment, trailing comma, or invalid value, and the whole file counts for nothing;
//!   a byte order mark is accepted.

use crate::agent::{Agent, named, names, same, words};
use crate::house::House;
use crate::ours;
use crate::tree;
use skillpick::hosts::oracle::CLAUDE;
use std::collections::BTreeSet;

/// What our view has otherwise, on purpose.
const UNMODELLED: &[&str] = &[];

#[test]
fn what_claude_loads_below_a_root() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let house = House::new();
    let root = "repo/.claude/skills";
    let mut laid = tree::trouble(&house, root);
    tree::no_texts(&house, root, &mut laid);
    let report = agent.ask(&house, "repo");
    ours::agree(&agent, &house, "repo", (&report, UNMODELLED));
    let seen = named(&report);
    let unseen = ".hidden-group/within blank-desc blank-line deep/.hidden-deep deep/2/3/4/5/6/7/eight deep/2/3/4/5/6/seven deep/2/3/4/5/six deep/2/3/4/five deep/2/3/four deep/2/three deep/two empty-desc empty-file linked-group/within-linked list-desc lower-file map-desc mixed-file model-only no-desc no-front no-map node_modules/package null-desc outer/inner target/built unclosed";
    same(&seen.unseen(&laid), &words(unseen));
    assert_eq!(seen.twins(), (2, 1));
    let callable =
        "blank-desc blank-line empty-desc empty-file list-desc map-desc no-desc no-front no-map null-desc unclosed";
    let unlisted = seen.unseen(&laid);
    same(
        &unlisted.iter().map(String::as_str).filter(|name| report.callable.iter().any(|other| other == name)).collect(),
        &words(callable),
    );
}

#[test]
fn where_claude_looks() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let house = House::new();
    tree::marks(&house);
    let order = ["home/.claude", "repo/a/b/.claude", "repo/a/.claude", "repo/.claude"];
    tree::hidden_pairs(&house, &order);
    let report = agent.ask(&house, "repo/a/b");
    ours::agree(&agent, &house, "repo/a/b", (&report, &[]));
    let marks = "mark-home-claude mark-repo-a-b-claude mark-repo-a-claude mark-repo-claude";
    same(&names(&report, "mark-"), &words(marks));
    // What may be called by a person is listed: the first of each two wins.
    same(&names(&report, "first-"), &words("first-0 first-1 first-2"));
    same(&names(&report, "second-"), &words(""));
}

/// What these settings files, each with `directory: state` pairs, take out of the list.
fn gone(cwd: &str, files: &[(&str, &str)]) -> Option<BTreeSet<String>> {
    let agent = Agent::find(&CLAUDE)?;
    let house = House::new();
    for name in ["s1", "s2", "s3", "s4", "s5", "s6"] {
        house.named(&format!("repo/.claude/skills/{name}"), &format!("{name}-name"));
    }
    for (file, text) in files {
        let text = if text.contains('{') { (*text).to_owned() } else { format!("{{\"skillOverrides\":{{{text}}}}}") };
        house.write(file, text);
    }
    let report = agent.ask(&house, cwd);
    let left = names(&report, "s");
    Some((1..=6).map(|number| format!("s{number}")).filter(|name| !left.contains(name.as_str())).collect())
}

#[test]
fn claude_is_told_by_directory_name_in_the_files_that_count() {
    let user = "home/.claude/settings.json";
    let (shared, local) = ("repo/.claude/settings.json", "repo/.claude/settings.local.json");
    let (near, near_local) = ("repo/a/b/.claude/settings.json", "repo/a/b/.claude/settings.local.json");
    let off = |name: &str| format!("\"{name}\":\"off\"");
    let [s1, s2, s3, s4, s5, s6] = ["s1", "s2", "s3", "s4", "s5", "s6"].map(off);
    let between = "repo/a/.claude/settings.json";
    for (cwd, files, expected) in [
        (
            "repo",
            vec![(user, s1.as_str()), (shared, &s2), (local, &s3), ("home/.claude/settings.local.json", &s4)],
            "s1 s2 s3",
        ),
        (
            "repo/a/b",
            vec![(user, s1.as_str()), (shared, &s2), (local, &s3), (between, &s4), (near, &s5), (near_local, &s6)],
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
        ("repo/a/b", vec![(local, "\"s1\":\"off\",\"s2\":\"on\""), (near_local, "\"s1\":\"on\",\"s2\":\"off\"")], "s1"),
        (
            "repo",
            vec![(user, "\"s1\":\"name-only\",\"s2\":\"user-invocable-only\",\"s3-name\":\"off\",\"S4\":\"off\"")],
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
