//! pi 0.73.1, by `get_commands` in its mode for programs.
//!
//! - Roots, the first wins: `<cwd>/.pi/skills`; `.agents/skills` of the working directory and every
//!   directory up to the repository root, nearest first; `~/.pi/agent/skills`; `~/.agents/skills`.
//!   `.pi/skills` of ancestors does not count.
//! - Any depth. Hidden directories and `node_modules` are skipped; below a skill it looks no
//!   further. In its own folders, and those that settings name, `x.md` is a skill. Links are followed and not resolved; a
//!   second way to the same skill does not count.
//! - Refused, silently: no or an empty description, a description or name that is no text, no
//!   frontmatter (a byte order mark or an empty line before it counts as none), broken YAML (a
//!   colon in an unquoted description is), a key twice. Not refused: no or an empty name, any
//!   length, any characters.
//! - Settings: `skills` of `<cwd>/.pi/settings.json` governs the project's skills, all of them,
//!   that of
//!   `~/.pi/agent/settings.json` the person's; neither the other's. `-path` is relative to the file's directory or
//!   absolute, the skill's directory or its file, without a slash at the end; a bare name or `~` does nothing. `!glob` is
//!   compared with the relative path, the directory's name (not the skill's) and the absolute path; `!*` takes all,
//!   `+path` gives one back, `-path` beats `+path`. One that is off leaves its name to the next. A plain path adds a place. Strict JSON: a comment, a trailing comma
//!   or a byte order mark, and the file counts for nothing; a text instead of a list, and pi does not start.

use crate::agent::{Agent, names, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::PI;
use std::collections::BTreeSet;

const FINDINGS: Findings = Findings {
    probe: &PI,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            .hidden .hidden-group/within bad-yaml blank-desc blank-line bom bool-name colon deep/.hidden-deep dup-key
            empty-desc empty-file list-desc lower-file map-desc mixed-file no-desc no-front no-map
            node_modules/package null-desc number-desc number-name outer/inner unclosed",
        renamed: "
            case-a=CaseTwin case-b=casetwin colon-name=c:d differs=other-name dot=v1.2 double-hyphen=double--hyphen
            edge-hyphen=-edge- link-name=target-name slash=a/b spaces=two_words under=under_score unicode=größe
            upper=UPPER",
        twins: (1, 1),
    },
    roots: &["repo/a/b/.pi", "repo/a/b/.agents", "repo/a/.agents", "repo/.agents", "home/.pi/agent", "home/.agents"],
    same_name: SameName::First,
    marks: "
        mark-home-agents mark-home-pi-agent mark-repo-a-agents mark-repo-a-b-agents mark-repo-a-b-pi mark-repo-agents",
};

#[test]
fn what_pi_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_pi_looks() {
    FINDINGS.hold_of_the_roots();
}

/// What these entries take away, in the project's file or in the person's.
fn gone(file: &str, text: &str) -> Option<BTreeSet<String>> {
    let agent = Agent::find(&PI)?;
    let env = TestEnv::for_agents();
    let roots = [
        ("r", "repo/.agents/skills"),
        ("p", "repo/.pi/skills"),
        ("h", "home/.agents/skills"),
        ("q", "home/.pi/agent/skills"),
    ];
    let all: Vec<String> = roots
        .iter()
        .flat_map(|(tag, _)| ["one", "two"].map(|name| format!("{name}-{tag}")))
        .collect();
    for (tag, root) in roots {
        for name in ["one", "two"] {
            env.sound_skill(&format!("{root}/{name}-{tag}"));
        }
    }
    let text =
        if text.contains('{') { text.to_owned() } else { format!("{{\"skills\":[{text}]}}") };
    env.write(file, text.replace('@', &env.text("")));
    let report = agent.ask(&env, "repo");
    let left = names(&report, "");
    Some(all.into_iter().filter(|name| !left.contains(name.as_str())).collect())
}

#[test]
fn pi_takes_the_next_of_a_name_if_the_first_is_off() {
    let Some(agent) = Agent::find(&PI) else { return };
    let env = TestEnv::for_agents();
    for root in ["repo/.pi/skills", "home/.pi/agent/skills"] {
        env.sound_skill(&format!("{root}/pdf"));
    }
    for off in ["[]", r#"["-skills/pdf"]"#, r#"["!*df"]"#] {
        env.write("repo/.pi/settings.json", format!(r#"{{"skills":{off}}}"#));
        let report = agent.ask(&env, "repo");
        let taken: Vec<_> = report.skills.iter().filter_map(|it| it.path.as_deref()).collect();
        let place = if off == "[]" { "repo/.pi/skills/pdf" } else { "home/.pi/agent/skills/pdf" };
        assert_eq!(taken, [env.at(place)], "{off}");
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
}

#[test]
fn pi_switches_skills_by_path_and_pattern_in_each_file() {
    let (project, user) = ("repo/.pi/settings.json", "home/.pi/agent/settings.json");
    for (file, text, expected) in [
        (
            project,
            r#""-../.agents/skills/one-r","-skills/one-p","-two-p","-@home/.agents/skills/one-h""#,
            "one-r one-p",
        ),
        (
            project,
            r#""-@repo/.agents/skills/one-r","-@repo/.pi/skills/one-p/SKILL.md","-skills/two-p/""#,
            "one-r one-p",
        ),
        (project, r#""!one-*","!skills/two-p""#, "one-r one-p two-p"),
        (project, r#""!*","+skills/one-p","+skills/two-p","-skills/two-p""#, "one-r two-r two-p"),
        (
            user,
            r#""-../../.agents/skills/one-h","-~/.agents/skills/two-h","!*-q","!*-r""#,
            "one-h one-q two-q",
        ),
        (project, "// why\n{\"skills\":[\"!*\"]}", ""),
        (project, "\u{feff}{\"skills\":[\"!*\"]}", ""),
    ] {
        let Some(gone) = gone(file, text) else { return };
        assert_eq!(gone, words(expected).into_iter().map(str::to_owned).collect(), "{text}");
    }
}

#[test]
fn pi_takes_markdown_files_of_its_own_folders_for_skills() {
    let Some(agent) = Agent::find(&PI) else { return };
    let env = TestEnv::for_agents();
    let head = "---\nname: NAME\ndescription: d\n---\nBody\n";
    for (place, name) in [
        ("repo/.pi/skills/one.md", "one"),
        ("repo/.pi/skills/other-file.md", "two"),
        ("repo/.pi/skills/.hidden.md", "hidden"),
        ("repo/.pi/skills/group/deep.md", "deep"),
        ("repo/.pi/skills/left-out.md", "left-out"),
        ("home/.pi/agent/skills/three.md", "three"),
        ("home/.agents/skills/shared.md", "shared"),
        ("repo/.agents/skills/shared.md", "shared"),
        ("repo/named/four.md", "four"),
        ("repo/whole/SKILL.md", "whole"),
        ("repo/whole/part.md", "part"),
        ("elsewhere/file.md", "five"),
    ] {
        env.write(place, head.replace("NAME", name));
    }
    env.write("repo/.pi/skills/nameless.md", "---\ndescription: d\n---\n");
    env.write("repo/.pi/skills/README.md", "# Read me\n");
    env.write("repo/.pi/skills/.gitignore", "left-out.md\n");
    env.link(&env.text("elsewhere/file.md"), "home/.pi/agent/skills/five.md");
    env.sound_skill("repo/.pi/skills/folder");
    env.write("repo/.pi/settings.json", "{\"skills\": [\"../named\", \"../whole\"]}");
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("five folder four one skills three two whole"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    for (entry, gone) in [
        ("-skills/one.md", "one"),
        ("!skills/other-*", "two"),
        ("!one.md", "one"),
        ("-skills/one", ""),
    ] {
        let entries = format!("{{\"skills\": [\"../named\", \"../whole\", \"{entry}\"]}}");
        env.write("repo/.pi/settings.json", &entries);
        let report = agent.ask(&env, "repo");
        let seen = words("five folder four one skills three two whole");
        let seen = seen.into_iter().filter(|name| *name != gone).collect();
        same(&names(&report, ""), &seen);
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
}

#[test]
fn pi_takes_a_markdown_file_that_its_settings_name() {
    let Some(agent) = Agent::find(&PI) else { return };
    let env = TestEnv::for_agents();
    for (file, name) in
        [("home/ex/any.md", "exx"), ("home/ex/other.md", "other"), ("repo/b/own.md", "own")]
    {
        env.write(file, format!("---\nname: {name}\ndescription: d\n---\n"));
    }
    env.write("home/ex/notes.txt", "---\nname: text\ndescription: d\n---\n");
    env.write("repo/.pi/settings.json", r#"{"skills": ["../b/own.md"]}"#);
    for (more, expected) in [
        ("", "exx other own"),
        (r#", "-../../ex/any.md""#, "other own"),
        (r#", "!other.md""#, "exx own"),
        (r#", "~/ex/notes.txt""#, "exx other own"),
    ] {
        let settings = format!(r#"{{"skills": ["~/ex/any.md", "~/ex/other.md"{more}]}}"#);
        env.write("home/.pi/agent/settings.json", settings);
        let report = agent.ask(&env, "repo");
        same(&names(&report, ""), &words(expected));
        ours::done(&agent, &env, "repo", &["verify"]);
    }
}

#[test]
fn outside_a_repository_a_copy_for_pi_has_nothing_of_what_is_above_it() {
    let Some(agent) = Agent::find(&PI) else { return };
    // Not in the build's folder, which may be in a repository.
    let env = TestEnv::new();
    env.sound_skills("home/.agents/skills", &["kept", "gone"]);
    env.sound_skill("else/.agents/skills/above");
    env.sound_skill("else/here/.pi/skills/here");
    // It governs what the person's folder holds, but not the same folder above a project.
    let settings = format!("{{\"skills\": [\"-{}\"]}}", env.text("home/.agents/skills/gone"));
    env.write("home/.pi/agent/settings.json", settings);
    ours::done(&agent, &env, "else/here", &["verify"]);
    same(&names(&agent.ask(&env, "else/here"), ""), &words("above here kept"));
}
