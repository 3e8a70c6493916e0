//! Droid 0.215.0, by `droid.list_skills` and the commands of an ACP session that asks no model.
//!
//! - Roots, the first wins: `.factory/skills`, `.agents/skills`, `.agent/skills` of each directory
//!   from the working directory up to the repository's root (without one, of the working
//!   directory), then of the home directory (`$FACTORY_HOME_OVERRIDE`).
//! - `SKILL.md` in any depth, hidden folders and `node_modules` too, not in the root itself, not
//!   inside a skill. Links are followed.
//! - Refused, silently: no name or description, a name with other characters than a–z, digits and
//!   hyphens, a wrong type of a field that it knows, no frontmatter, a byte order mark, no text
//!   below the frontmatter, `enabled: false`. What is refused shadows skills of its name that come
//!   later. Not refused: broken YAML of which lines can be read, a key twice, any length.
//! - Names are compared in small letters, with one hyphen for all other characters in a row.
//! - Settings: `disabledSkills` of `.factory/settings.json`, or of `settings.local.json` beside it if
//!   that has the key, in each of these directories, all together. A file with a trailing comma is
//!   passed over. A list with something else than texts keeps it from listing any skill.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::DROID;

const FINDINGS: Findings = Findings {
    probe: &DROID,
    root: "repo/.factory/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            Dir-Upper blank-line bom bool-name case-a case-b colon-name compat-number dot empty-file empty-name
            license-map list-desc lower-file map-desc meta-text mixed-file no-body no-desc no-front no-map no-name
            no-newline null-desc number-desc number-name outer/inner slash space-fence spaces tools-map unclosed
            under unicode upper",
        renamed: "
            .hidden=hidden deep/.hidden-deep=hidden-deep differs=other-name double-hyphen=double--hyphen
            edge-hyphen=-edge- link-name=target-name",
        twins: (1, 1),
    },
    roots: &[
        "repo/a/b/.factory",
        "repo/a/b/.agents",
        "repo/a/b/.agent",
        "repo/a/.factory",
        "repo/a/.agents",
        "repo/a/.agent",
        "repo/.factory",
        "repo/.agents",
        "repo/.agent",
        "home/.factory",
        "home/.agents",
        "home/.agent",
    ],
    same_name: SameName::First,
    marks: "
        mark-home-agent mark-home-agents mark-home-factory mark-repo-a-agent mark-repo-a-agents mark-repo-a-b-agent
        mark-repo-a-b-agents mark-repo-a-b-factory mark-repo-a-factory mark-repo-agent mark-repo-agents
        mark-repo-factory",
};

#[test]
fn what_droid_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_droid_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn droid_disables_skills_by_name_in_its_files() {
    let Some(agent) = Agent::find(&DROID) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.factory/skills", &["one", "two", "three", "four", "five", "x"]);
    let (local, project) = ("repo/.factory/settings.local.json", "repo/.factory/settings.json");
    env.write("home/.factory/settings.json", "// mine\n{\"disabledSkills\":[\"ONE!\"]}");
    env.write("repo/a/.factory/settings.json", r#"{"disabledSkills":["two","t*"]}"#);
    env.write(project, r#"{"disabledSkills":["three"]}"#);
    env.write(local, r#"{"disabledSkills":["four"]}"#);
    let asked = |expected: &str| {
        let report = agent.ask(&env, "repo/a");
        same(&off(&report), &words(expected));
        ours::agree(&agent, &env, "repo/a", (&report, &[]));
    };
    asked("one two four");
    for fault in [r#"{"disabledSkills":["four",]}"#, r#"["four"]"#] {
        env.write(local, fault);
        asked("one two three");
    }
    env.write(local, r#"{"disabledSkills":null}"#);
    asked("one two");
    env.write(local, r#"{"disabledSkills":"xy"}"#);
    asked("one two x");
    // A carriage return alone ends a comment.
    env.write(local, "{// \"disabledSkills\": []\r\"disabledSkills\": [\"five\"],\n\"a\":1}");
    asked("one two five");
}

#[test]
fn droid_refuses_a_skill_that_still_shadows_others_of_its_name() {
    let Some(agent) = Agent::find(&DROID) else { return };
    let env = TestEnv::for_agents();
    for (folder, head) in [
        ("repo/.factory/skills/one", "name: One\ndescription: d"),
        ("repo/.factory/skills/two", "name: two"),
        ("repo/.factory/skills/three", "name: three\ndescription: d\nenabled: false"),
        ("repo/.factory/skills/four", "description: d"),
        ("repo/.factory/skills/five", "name: '5'\ndescription: d"),
    ] {
        env.raw(folder, head);
    }
    env.sound_skills("home/.agents/skills", &["one", "two", "three", "four", "five"]);
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("four five 5"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn droid_does_not_say_of_a_skill_that_is_off_whether_it_refuses_it() {
    let Some(agent) = Agent::find(&DROID) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.factory/skills/sound");
    env.raw("repo/.factory/skills/empty", "name: empty\ndescription: ");
    let folder = "repo/.factory/skills/empty";
    for (list, listed, unsaid) in
        [("[]", "sound", &[][..]), (r#"["empty", "sound"]"#, "empty sound", &[folder])]
    {
        env.write("home/.factory/settings.json", format!("{{\"disabledSkills\": {list}}}"));
        let report = agent.ask(&env, "repo");
        same(&names(&report, ""), &words(listed));
        ours::agree(&agent, &env, "repo", (&report, unsaid));
    }
}
