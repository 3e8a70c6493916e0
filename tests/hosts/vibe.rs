//! Mistral Vibe 3.0.2, by the commands of an ACP session that asks no model.
//!
//! - Roots, the first wins: `skill_paths` of its settings; `.vibe/skills` and `.agents/skills` of the
//!   working directory, if that is trusted; `~/.vibe/skills` (`$VIBE_HOME/skills`), `~/.agents/skills`.
//!   No ancestors.
//! - `<root>/<directory>/SKILL.md` and nothing deeper, hidden folders and `node_modules` too. Links
//!   are followed.
//! - Refused: a name that is not small letters and digits with single hyphens, or longer than 64; a
//!   description that is no text, blank or longer than 1,024 characters; other fields of a wrong type;
//!   broken YAML 1.1. Not refused: a byte order mark, blank lines above the first fence, a fence of
//!   more hyphens, a key twice, a name that is not the folder's.
//! - Settings: `enabled_skills`, else `disabled_skills`, of `~/.vibe/config.toml`, of the nearest
//!   `.vibe/config.toml` from the working directory up if that is trusted, and of `VIBE_` variables,
//!   all together, in any case, with globs and `re:` expressions. With a fault in one it does not
//!   start.

use crate::agent::{Agent, names, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::VIBE;

const FINDINGS: Findings = Findings {
    probe: &VIBE,
    root: "home/.vibe/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Names(
        "
        anchor blank-line bom casetwin crlf d1024 dashes dup-key folded hidden latin linked linked-file meta-deep
        meta-number n64-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-body no-newline other-name
        outer plain space-fence target-name tools-list tools-map twice unknown-field user-only",
    ),
    roots: &["home/.vibe", "home/.agents"],
    same_name: SameName::First,
    marks: "mark-home-agents mark-home-vibe",
};

#[test]
fn what_vibe_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_vibe_looks() {
    FINDINGS.hold_of_the_roots();
}

/// Trusts a folder of the environment.
fn trust(env: &TestEnv, folder: &str) {
    let text = format!("trusted = [{:?}]\nuntrusted = []\n", env.text(folder));
    env.write("home/.vibe/trusted_folders.toml", text);
}

#[test]
fn vibe_looks_into_the_working_directory_if_it_is_trusted() {
    let Some(agent) = Agent::find(&VIBE) else { return };
    let env = TestEnv::for_agents();
    for root in ["repo", "repo/.vibe", "repo/a/.vibe", "repo/a/.agents", "home/.vibe"] {
        env.sound_skill(&format!("{root}/skills/{}", root.replace(['/', '.'], "")));
    }
    let report = agent.ask(&env, "repo/a");
    same(&names(&report, ""), &words("homevibe"));
    ours::agree(&agent, &env, "repo/a", (&report, &[]));
    trust(&env, "repo");
    let report = agent.ask(&env, "repo/a");
    same(&names(&report, ""), &words("homevibe repoaagents repoavibe"));
    ours::agree(&agent, &env, "repo/a", (&report, &[]));
}

#[test]
fn vibe_takes_the_first_of_a_name() {
    let Some(agent) = Agent::find(&VIBE) else { return };
    let env = TestEnv::for_agents();
    trust(&env, "repo");
    env.write("home/.vibe/config.toml", "skill_paths = [\"further/skills\"]\n");
    let roots = ["repo/further", "repo/.vibe", "repo/.agents", "home/.vibe", "home/.agents"];
    for (index, two) in roots.windows(2).enumerate() {
        for root in two {
            let head = format!("name: pair-{index}\ndescription: {root}");
            env.raw(&format!("{root}/skills/pair-{index}"), &head);
        }
    }
    let report = agent.ask(&env, "repo");
    let own = report.skills.iter().filter(|skill| !skill.bundled);
    let described = own.filter_map(|skill| skill.description.as_deref());
    assert_eq!(described.collect::<Vec<_>>(), roots[..4]);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn vibe_joins_its_lists_and_does_not_start_with_a_fault() {
    let Some(agent) = Agent::find(&VIBE) else { return };
    let env = TestEnv::for_agents();
    trust(&env, "repo");
    env.sound_skills("home/.vibe/skills", &["one", "two", "three", "four"]);
    let (own, here) = ("home/.vibe/config.toml", "repo/.vibe/config.toml");
    for (user, project, on) in [
        ("disabled_skills = [\"ONE\"]", "disabled_skills = [\"re:T.*e\", \"[!a-o]wo\"]", "four"),
        ("enabled_skills = [\"t*\"]", "disabled_skills = [\"two\"]", "two three"),
        ("enabled_skills = [\" \", \"re:[\", \"f*\"]", "", "four"),
    ] {
        env.write(own, user);
        env.write(here, project);
        let report = agent.ask(&env, "repo/a");
        same(&names(&report, ""), &words(on));
        ours::agree(&agent, &env, "repo/a", (&report, &[]));
    }
    for fault in
        ["disabled_skills = [", "disabled_skills = \"one\"", "\u{feff}", "[[enabled_skills]]"]
    {
        env.write(own, fault);
        assert!(agent.try_ask(&env, "repo/a", &[]).is_err(), "{fault}");
    }
}

#[test]
fn vibe_obeys_our_switch_in_a_projects_file() {
    let Some(agent) = Agent::find(&VIBE) else { return };
    let env = TestEnv::for_agents();
    trust(&env, "repo");
    env.sound_skills("repo/.vibe/skills", &["one", "two"]);
    ours::done(&agent, &env, "repo", &["disable", "one", "--in", "project"]);
    same(&names(&agent.ask(&env, "repo"), ""), &words("two"));
    ours::done(&agent, &env, "repo", &["enable", "one", "--in", "project"]);
    same(&names(&agent.ask(&env, "repo"), ""), &words("one two"));
}
