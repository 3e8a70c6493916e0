//! opencode 1.18.33, by `debug skill` and `debug agent build`.
//!
//! - Roots: `.agents/skills`, `.claude/skills`, `.opencode/skills` and `.opencode/skill` of the
//!   working directory and every directory up to the repository root; the same at home, and
//!   `~/.config/opencode/{skills,skill}`.
//! - Any depth, hidden directories, `node_modules`, `.git` below a root, skills within skills.
//!   Links are followed, a loop forty times: the longest way may be the one that is listed.
//! - Refused, silently: no name (an empty one is taken), a name or description that is no text, no
//!   frontmatter, broken YAML, a key twice. Not refused: no description, an empty one, a byte order
//!   mark, any length, any characters. A colon in an unquoted description is repaired.
//! - Of one name one is listed, another each time. The rules let it read the directories of all of
//!   them.
//! - Rules are judged in the order of the files, a key stays where the first file put it, the last
//!   match decides:
//!   `~/.config/opencode/` (`config.json`, `opencode.json(c)`), `$OPENCODE_CONFIG`, `opencode.json(c)` from the repository
//!   root down to the working directory, `.opencode/` from the working directory *up*, `~/.opencode/`,
//!   `$OPENCODE_CONFIG_DIR`, `$OPENCODE_CONFIG_CONTENT`; last the agent's own block. A key of digits alone comes before all
//!   others wherever it stands, as in any object of JavaScript. A byte order mark is accepted. One
//!   invalid value, and it does not run at all. `"skill": "deny"`, `tools.skill: false` and `"permission": "deny"` take the
//!   tool away.
//! - It leaves without emptying its pipe: what it prints beyond 64 KiB is lost, unless it prints to
//!   a file.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::{BadAnswer, OPENCODE, ProbeError};

const FINDINGS: Findings = Findings {
    probe: &OPENCODE,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            bad-yaml blank-line bool-name dup-key empty-file list-desc lower-file map-desc mixed-file no-front no-map
            no-name null-desc number-desc number-name unclosed",
        renamed: "
            .hidden=hidden case-a=CaseTwin case-b=casetwin colon-name=c:d deep/.hidden-deep=hidden-deep
            differs=other-name dot=v1.2 double-hyphen=double--hyphen edge-hyphen=-edge- empty-name=
            link-name=target-name slash=a/b spaces=two_words under=under_score unicode=größe upper=UPPER",
        twins: (1, 1),
    },
    roots: &["repo/a/b/.agents", "repo/a/.agents", "home/.agents"],
    same_name: SameName::Any,
    marks: "
        mark-home-agents mark-home-claude mark-home-config-opencode mark-home-config-opencode-one mark-home-opencode
        mark-repo-a-agents mark-repo-a-b-agents mark-repo-a-b-claude mark-repo-a-b-opencode mark-repo-a-b-opencode-one
        mark-repo-a-claude mark-repo-a-opencode mark-repo-a-opencode-one mark-repo-agents mark-repo-claude
        mark-repo-opencode mark-repo-opencode-one",
};

#[test]
fn what_opencode_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_opencode_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn opencode_looks_into_git_folders_of_shared_roots_only() {
    let Some(agent) = Agent::find(&OPENCODE).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    let all =
        [".agents/skills/.git/one", ".claude/skills/a/.git/two", ".opencode/skills/.git/three"];
    all.iter().for_each(|skill| env.sound_skill(&format!("repo/{skill}")));
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("one two"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn opencode_obeys_the_last_rule() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.agents/skills", &["one", "two", "three"]);
    env.write(
        "repo/opencode.json",
        r#"{"permission":{"skill":{"one":"deny","*":"allow","t*":"deny","three":"ask"}}}"#,
    );
    same(&off(&agent.ask(&env, "repo")), &words("two"));
    // The program itself, asked to load them, agrees about the one that is denied.
    let params = ["debug", "agent", "build", "--tool", "skill", "--params", r#"{"name":"two"}"#];
    let output = agent.run(&env, "repo", &params, &[]).unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(said.contains("prevents you from using this specific tool call"), "{said}");
}

#[test]
fn opencode_reads_its_settings_in_this_order() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.agents/skills/one");
    let order = [
        "home/.config/opencode/config.json",
        "home/.config/opencode/opencode.json",
        "home/.config/opencode/opencode.jsonc",
        "elsewhere.json",
        "repo/opencode.json",
        "repo/opencode.jsonc",
        "repo/a/opencode.json",
        "repo/a/b/opencode.json",
        "repo/a/b/.opencode/opencode.json",
        "repo/a/b/.opencode/opencode.jsonc",
        "repo/a/.opencode/opencode.json",
        "repo/.opencode/opencode.json",
        "home/.opencode/opencode.json",
        "other/opencode.json",
    ];
    env.write("opencode.json", r#"{"permission":{"skill":{"above":"deny"}}}"#);
    for (index, file) in order.iter().enumerate() {
        // Each has a key of its own; the first has one that the others change, without moving it.
        let shared = ["allow", "deny"][index % 2];
        env.write(
            file,
            format!(
                "{{\"permission\":{{\"skill\":{{\"shared\":\"{shared}\",\"k{index}\":\"deny\"}}}}}}"
            ),
        );
    }
    let (one, two) = (env.text("elsewhere.json"), env.text("other"));
    let more = [
        ("OPENCODE_CONFIG", one.as_str()),
        ("OPENCODE_CONFIG_DIR", &two),
        ("OPENCODE_CONFIG_CONTENT", r#"{"permission":{"skill":{"content":"deny"}}}"#),
    ];
    let report = agent.try_ask(&env, "repo/a/b", &more).unwrap();
    let rules: Vec<&str> =
        report.rules.iter().map(|rule| rule.pattern.as_str()).filter(|name| *name != "*").collect();
    let numbers: Vec<String> = (0..order.len()).map(|index| format!("k{index}")).collect();
    let expected: Vec<&str> = ["shared"]
        .into_iter()
        .chain(numbers.iter().map(String::as_str))
        .chain(["content"])
        .collect();
    assert_eq!(rules, expected);
    assert_eq!(report.rules.iter().find(|rule| rule.pattern == "shared").unwrap().action, "deny");
    env.write("repo/a/b/opencode.json", r#"{"permission":{"skill":{"one":"nope"}}}"#);
    let error = agent.try_ask(&env, "repo/a/b", &more).unwrap_err();
    assert!(
        matches!(&error, ProbeError::BadAnswer(BadAnswer(text)) if text.contains("invalid")),
        "{error:?}"
    );
}
