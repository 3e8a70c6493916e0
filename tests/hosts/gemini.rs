//! Gemini CLI 0.61.0, by `skills list --all`.
//!
//! - Roots, the first wins: `<cwd>/.agents/skills`, `<cwd>/.gemini/skills` (both only in a trusted
//!   folder), `~/.agents/skills`,
//!   `~/.gemini/skills`, its own. No ancestors: in a subdirectory the repository's root counts for nothing.
//! - `<root>/SKILL.md` itself and `<root>/<directory>/SKILL.md`. No hidden directories, no
//!   `node_modules`. Links are followed and not resolved.
//! - Refused, silently: no frontmatter (a byte order mark, an empty line or a space after the fence
//!   counts as none), no
//!   `name` or no `description` key. Not refused: empty ones, lists, numbers, a key twice, broken YAML in a description,
//!   any length. `/` and `:` in a name become `-`.
//! - Settings: `skills.disabled` of person and project, both together; names in any case, no
//!   patterns, `$VAR` is replaced. Comments are accepted; a trailing comma or a byte order mark,
//!   and nothing runs. `skills.enabled: false` anywhere: no skills. A project's settings count only
//!   in the working directory itself and only when it is trusted;
//!   `trustedFolders.json` trusts a folder, or by `TRUST_PARENT` its parent; `folderTrust.enabled: false` trusts all.

use crate::agent::{Agent, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::{BadAnswer, GEMINI, ProbeError};

const FINDINGS: Findings = Findings {
    probe: &GEMINI,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            .hidden .hidden-group/within blank-line bom deep/.hidden-deep deep/2/3/4/5/6/7/eight deep/2/3/4/5/6/seven
            deep/2/3/4/5/six deep/2/3/4/five deep/2/3/four deep/2/three deep/two empty-file linked-group/within-linked
            lower-file mixed-file no-desc no-front no-map no-name node_modules/package outer/inner space-fence
            target/built unclosed",
        renamed: "
            bool-name=true case-a=CaseTwin case-b=casetwin colon-name=c-d differs=other-name dot=v1.2
            double-hyphen=double--hyphen edge-hyphen=-edge- empty-name= link-name=target-name number-name=123
            slash=a-b spaces=two_words under=under_score unicode=größe upper=UPPER",
        twins: (1, 1),
    },
    roots: &["repo/a/b/.agents", "repo/a/b/.gemini", "home/.agents", "home/.gemini"],
    same_name: SameName::First,
    marks: "mark-home-agents mark-home-gemini mark-repo-a-b-agents mark-repo-a-b-gemini",
};

#[test]
fn what_gemini_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_gemini_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn what_gemini_makes_of_a_head_and_of_two_in_one_root() {
    let Some(agent) = Agent::find(&GEMINI) else { return };
    let env = TestEnv::for_agents();
    let heads = [
        "name: bang\ndescription: !bang first",
        "name: [a]\ndescription: d",
        "name: twice\nname: again\ndescription: [a, b]",
        "\tname: tab\n\tdescription: d",
        "name:glued\ndescription:d",
        "name: |\n  lines\ndescription: d",
        "name: comment\ndescription: # comment",
        "name: none",
    ];
    for (index, head) in heads.iter().enumerate() {
        env.raw(&format!("repo/.agents/skills/s{index}"), head);
    }
    for folder in ["", "/b", "/a"] {
        env.named(&format!("repo/.agents/skills{folder}"), "dup");
    }
    let report = agent.ask(&env, "repo");
    let described = |name: &str| {
        let found = report.skills.iter().find(|reported| reported.name == name);
        found.and_then(|reported| reported.description.as_deref())
    };
    assert_eq!(described("bang"), Some("!bang first"));
    assert_eq!(described("again"), Some("[a, b]"));
    assert_eq!(described("comment"), Some("# comment"));
    assert!(described("none").is_none() && described("[a]").is_some());
    assert!(described("lines").is_some());
    assert!(described("tab").is_some() && described("glued").is_some());
    let dup = report.skills.iter().find(|reported| reported.name == "dup").unwrap();
    assert_eq!(dup.path, Some(env.at("repo/.agents/skills/a")));
    // Its list for people does not say that a name ends with a line.
    ours::agree(&agent, &env, "repo", (&report, &["s5"]));
}

#[test]
fn gemini_disables_skills_by_name_in_both_files() {
    let Some(agent) = Agent::find(&GEMINI) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two", "Three"]);
    env.sound_skill("home/.agents/skills/own");
    let (user, project) = ("home/.gemini/settings.json", "repo/.gemini/settings.json");
    env.write(user, "// mine\n{\"skills\":{\"disabled\":[\"ONE\",\"$WHICH\"]}}");
    env.write(project, r#"{"skills":{"disabled":["own","t*"]}}"#);
    same(
        &off(&agent.try_ask(&env, "repo", &[("WHICH", "three")]).unwrap()),
        &words("one Three own"),
    );
    // Without trust, neither the project's skills nor its settings.
    let report = agent.try_ask(&env, "repo", &[]).unwrap();
    let untrusted = agent.run(
        &env,
        "repo",
        &["skills", "list", "--all"],
        &[("GEMINI_CLI_TRUST_WORKSPACE", "false")],
    );
    let said = String::from_utf8(untrusted.unwrap().stdout).unwrap();
    assert!(!said.contains("two [") && report.skills.len() > 3, "{said}");
    // Its own writer takes a name out of both files.
    agent.run(&env, "repo", &["skills", "enable", "own"], &[]).unwrap();
    same(&off(&agent.ask(&env, "repo")), &words("one"));
    env.write(project, r#"{"skills":{"disabled":["two",]}}"#);
    let error = agent.try_ask(&env, "repo", &[]).unwrap_err();
    assert!(
        matches!(&error, ProbeError::BadAnswer(BadAnswer(text)) if text.contains("Error in")),
        "{error:?}"
    );
    // A carriage return alone ends no comment; half of a pair of escapes is a character.
    env.write(project, "{\r// x\r\"skills\":{\"disabled\":[\"two\"]}\r}");
    assert!(agent.try_ask(&env, "repo", &[]).is_err());
    let (_, listed, _) = ours::run(&agent, &env, "repo", &["list"]);
    assert!(!listed.contains('✓'), "{listed}");
    env.write(project, r#"{"x":"\ud800","skills":{"disabled":["two"]}}"#);
    let report = agent.ask(&env, "repo");
    same(&off(&report), &words("one two"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    env.write(project, r#"{"skills":{"enabled":false}}"#);
    assert!(agent.ask(&env, "repo").skills.is_empty());
}

#[test]
fn gemini_takes_the_last_place_of_a_name_whatever_links_lead_there() {
    let Some(agent) = Agent::find(&GEMINI) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("store/x");
    env.sound_skill("repo/.gemini/skills/x");
    env.link("store/x", "home/.agents/skills/x");
    env.link("store/x", "repo/.agents/skills/x");
    let report = agent.ask(&env, "repo");
    let own = report.skills.iter().filter(|skill| skill.name == "x");
    let places: Vec<_> = own.map(|skill| skill.path.clone()).collect();
    assert_eq!(places, [Some(env.at("repo/.agents/skills/x"))]);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
