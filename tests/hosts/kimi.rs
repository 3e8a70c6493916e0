//! Kimi Code 2.1.0, by the commands of an ACP session that asks no model.
//!
//! - Roots, the first wins: `.kimi-code/skills` and `.agents/skills` of the repository's root
//!   (without one, of the working directory), `~/.kimi-code/skills`, `~/.agents/skills`, then
//!   `extra_skill_dirs` of `~/.kimi-code/config.toml`. Nothing between the root and the working
//!   directory.
//! - `<root>/<directory>/SKILL.md`, groups of skills nine deep; hidden folders with a `SKILL.md` count, and
//!   are not entered. Not inside a skill. `<root>/<name>.md` is a skill. Links are followed.
//! - Refused, silently: no or a blank name or description, other types than text, no frontmatter,
//!   broken YAML, a key twice, another `type` than prompt, inline, flow. Not refused: a byte order
//!   mark, blanks around a fence, any length, any characters.
//! - Names that differ in case are one.
//! - Its settings have no switch for one skill; a file with a fault is passed over.

use crate::agent::{Agent, names, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::KIMI;

const FINDINGS: Findings = Findings {
    probe: &KIMI,
    root: "repo/.kimi-code/skills",
    spared: &["spaces"],
    unmodelled: &[],
    loads: Loads::Names(
        "
        -edge- CaseTwin Dir-Upper UPPER a/b anchor bom built c:d compat-number crlf d1024 d1025 d2100 dashes
        double--hyphen eight five folded four größe hidden hidden-deep latin license-map linked linked-file loose
        meta-deep meta-number meta-text model-only n64-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        n65-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-body no-newline
        other-name outer plain seven six space-fence tab target-name three tools-list tools-map twice two under_score
        unknown-field user-only v1.2 within-linked",
    ),
    roots: &["repo/.kimi-code", "repo/.agents", "home/.kimi-code", "home/.agents"],
    same_name: SameName::Any,
    marks: "mark-home-agents mark-home-kimi-code mark-repo-agents mark-repo-kimi-code",
};

#[test]
fn what_kimi_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_kimi_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn kimi_takes_the_first_of_a_name() {
    let Some(agent) = Agent::find(&KIMI) else { return };
    let env = TestEnv::for_agents();
    env.write("home/.kimi-code/config.toml", "extra_skill_dirs = [\"extra/skills\"]\n");
    let roots =
        ["repo/.kimi-code", "repo/.agents", "home/.kimi-code", "home/.agents", "repo/extra"];
    for (index, two) in roots.windows(2).enumerate() {
        for root in two {
            let head = format!("name: pair-{index}\ndescription: {root}");
            env.raw(&format!("{root}/skills/pair-{index}"), &head);
        }
    }
    let report = agent.ask(&env, "repo");
    let described = report.skills.iter().filter_map(|skill| skill.description.as_deref());
    assert_eq!(described.collect::<Vec<_>>(), roots[..4]);
}

#[test]
fn kimi_looks_in_the_folders_of_its_settings() {
    let Some(agent) = Agent::find(&KIMI) else { return };
    let env = TestEnv::for_agents();
    let settings = "home/.kimi-code/config.toml";
    env.sound_skill("repo/more/one");
    env.sound_skill("home/mine/two");
    env.sound_skill("repo/.agents/skills/three");
    env.write(settings, "extra_skill_dirs = [\"more\", \"~/mine\"]\n");
    let report = agent.ask(&env, "repo/a");
    same(&names(&report, ""), &words("one two three"));
    ours::agree(&agent, &env, "repo/a", (&report, &[]));
    for fault in ["extra_skill_dirs = [5", "extra_skill_dirs = \"more\"\n"] {
        env.write(settings, fault);
        let report = agent.ask(&env, "repo/a");
        same(&names(&report, ""), &words("three"));
        ours::agree(&agent, &env, "repo/a", (&report, &[]));
    }
}

#[test]
fn kimi_passes_over_skills_of_types_that_it_does_not_know() {
    let Some(agent) = Agent::find(&KIMI) else { return };
    let env = TestEnv::for_agents();
    for (name, more) in [
        ("flow", "type: flow"),
        ("inline", "type: inline"),
        ("reference", "type: reference"),
        ("odd", "type: odd"),
        ("kept", "disable-model-invocation: true"),
    ] {
        let head = format!("name: {name}\ndescription: d\n{more}");
        env.raw(&format!("repo/.agents/skills/{name}"), &head);
    }
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("flow inline kept"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn kimi_takes_markdown_files_for_skills() {
    let Some(agent) = Agent::find(&KIMI) else { return };
    let env = TestEnv::for_agents();
    let root = "repo/.agents/skills";
    for (file, text) in [
        ("plain.md", "---\nname: named\ndescription: d\n---\nBody\n"),
        ("README.md", "\n\n  # Read me  \nBody\n"),
        ("empty.md", ""),
        ("half.md", "---\ndescription:\n---\n\nfirst line\n"),
        ("unclosed.md", "---\nname: unclosed\n"),
        ("broken.md", "---\nname: a: b\n---\n"),
        ("list.md", "---\n- a\n---\n"),
        ("reference.md", "---\ntype: reference\n---\n"),
        (".hidden.md", "hidden\n"),
        ("long.md", &"é".repeat(300)),
        ("pdf.md", "beside a folder\n"),
        ("docx.md", "beside a folder without a skill\n"),
        ("docx/notes.md", "deeper\n"),
        ("twin.md", "---\nname: Twin\ndescription: single\n---\n"),
    ] {
        env.write(format!("{root}/{file}"), text);
    }
    env.write("elsewhere/linked.md", "linked\n");
    for folder in [root, "repo/.kimi-code/skills"] {
        env.link(&env.text("elsewhere/linked.md"), &format!("{folder}/linked.md"));
    }
    env.link(&env.text("elsewhere/linked.md"), "home/.agents/skills/by-link.md");
    env.sound_skill(&format!("{root}/pdf"));
    env.raw(&format!("{root}/group/twin"), "name: twin\ndescription: nested");
    env.raw(&format!("{root}/z/plain"), "name: plain\ndescription: nested");
    env.raw(&format!("{root}/zz"), "name: half\ndescription: folder");
    let report = agent.ask(&env, "repo");
    same(
        &names(&report, ""),
        &words(".hidden README Twin by-link docx empty half long named pdf plain"),
    );
    let described = |name: &str| {
        let skill = report.skills.iter().find(|skill| skill.name == name);
        skill.and_then(|skill| skill.description.clone()).unwrap_or_default()
    };
    assert_eq!(described("README"), "# Read me");
    assert_eq!(described("half"), "folder");
    assert_eq!(described("empty"), "No description provided.");
    assert_eq!(described("long").chars().count(), 240);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
