//! Kilo Code 7.7.7, by `debug skill` and `debug agent code`. It grew out of opencode.
//!
//! - Roots, the last wins: `.claude/skills` and `.agents/skills` at home, then of the working
//!   directory and every directory up to the repository root; `{skill,skills}` of `~/.config/kilo`,
//!   of `.kilocode` and `.kilo` on the same way up, at home, and of `$KILO_CONFIG_DIR`. Outside a
//!   repository the shared folders count in the working directory alone. A linked working tree has
//!   the same folders of the main one before its own.
//! - What it loads there is what opencode loads, but nothing of a project that really lies outside
//!   of it.
//!   Which of two of one name in one root is chance. `skills.paths` of a project's settings name
//!   only folders in it.
//! - Rules as in opencode; its files are those of the test below. A value with a wrong type or
//!   broken JSON stops it in `~/.config/kilo`; any other such file is passed over.
//! - The agent `code` goes by `build` too; of both in one file the later counts.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::{BadAnswer, KILO, ProbeError};
use std::process::Command;

const FINDINGS: Findings = Findings {
    probe: &KILO,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &["twice-a", "twice-b"],
    loads: Loads::Folders {
        unseen: "
            bad-yaml blank-line bool-name dup-key empty-file link-name linked linked-file linked-group/within-linked
            list-desc lower-file map-desc mixed-file no-front no-map
            no-name null-desc number-desc number-name unclosed",
        renamed: "
            .hidden=hidden case-a=CaseTwin case-b=casetwin colon-name=c:d deep/.hidden-deep=hidden-deep
            differs=other-name dot=v1.2 double-hyphen=double--hyphen edge-hyphen=-edge- empty-name=
            slash=a/b spaces=two_words under=under_score unicode=größe upper=UPPER",
        twins: (1, 1),
    },
    roots: &[
        "home/.kilo",
        "home/.kilocode",
        "repo/.kilo",
        "repo/.kilocode",
        "repo/a/b/.kilo",
        "repo/a/b/.kilocode",
        "home/.config/kilo",
        "repo/.agents",
        "repo/.claude",
        "repo/a/b/.agents",
        "repo/a/b/.claude",
        "home/.agents",
        "home/.claude",
    ],
    same_name: SameName::First,
    marks: "
        mark-home-agents mark-home-claude mark-home-config-kilo mark-home-kilo mark-home-kilocode mark-repo-a-agents
        mark-repo-a-b-agents mark-repo-a-b-claude mark-repo-a-b-kilo mark-repo-a-b-kilocode mark-repo-a-claude
        mark-repo-a-kilo mark-repo-a-kilocode mark-repo-agents mark-repo-claude mark-repo-kilo mark-repo-kilocode",
};

#[test]
fn what_kilo_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_kilo_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn kilo_looks_into_git_folders_of_shared_roots_only() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    let all = [".agents/skills/.git/one", ".claude/skills/a/.git/two", ".kilo/skills/.git/three"];
    all.iter().for_each(|skill| env.sound_skill(&format!("repo/{skill}")));
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("one two"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn kilo_follows_links_within_a_project_only() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/inside", &["one", "two"]);
    env.sound_skill("repo/beside/six");
    env.sound_skills("outside", &["three", "four", "five", "seven", "eight"]);
    for (target, place) in [
        ("repo/inside/one", "repo/.kilo/skills/one"),
        ("repo/inside", "repo/a/.claude/skills"),
        ("outside/three", "repo/.kilo/skills/three"),
        ("outside", "repo/a/.agents/skills"),
        ("outside/five", "home/.kilo/skills/five"),
        ("repo/beside/six/SKILL.md", "repo/.kilo/skills/six/SKILL.md"),
        ("outside/seven/SKILL.md", "repo/.kilo/skills/seven/SKILL.md"),
        ("outside/eight/SKILL.md", "home/.kilo/skills/eight/SKILL.md"),
    ] {
        env.link(&env.text(target), place);
    }
    let report = agent.ask(&env, "repo/a");
    same(&names(&report, ""), &words("eight five one six two"));
    ours::agree(&agent, &env, "repo/a", (&report, &[]));
}

#[test]
fn kilo_passes_over_a_git_folder_that_is_none() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    std::fs::remove_dir_all(env.at("repo/.git")).unwrap();
    env.write("repo/.git/modules/other/HEAD", "ref: refs/heads/main\n");
    env.sound_skill("outside/one");
    env.link(&env.text("outside/one"), "repo/.kilo/skills/one");
    env.sound_skill("repo/.kilo/skills/two");
    // The tests' own folder may lie in a repository.
    env.repository(".");
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("one two"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn kilo_confines_the_persons_own_folders_where_home_is_the_project() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    let mut git = Command::new("git");
    assert!(git.args(["init", "--quiet"]).current_dir(env.at("home")).status().unwrap().success());
    env.sound_skills("outside", &["one", "two", "three"]);
    env.sound_skill("home/.kilo/skills/four");
    for (target, place) in [
        ("outside/one", "home/.kilo/skills/one"),
        ("outside/two", "home/.config/kilo/skill/two"),
        ("outside/three", "home/.claude/skills/three"),
    ] {
        env.link(&env.text(target), place);
    }
    for (folder, seen) in [("home", "four"), ("repo", "four one three two")] {
        let report = agent.ask(&env, folder);
        same(&names(&report, ""), &words(seen));
        ours::agree(&agent, &env, folder, (&report, &[]));
    }
    // A folder that the variable names is free of that.
    env.link(&env.text("outside/one"), "home/other/skills/one");
    let other = env.text("home/other");
    for named in [other.as_str(), "other"] {
        let report = agent.try_ask(&env, "home", &[("KILO_CONFIG_DIR", named)]).unwrap();
        same(&names(&report, ""), &words("four one"));
    }
}

#[test]
fn kilo_has_the_main_working_trees_folders_too() {
    let Some(agent) = Agent::find(&KILO) else { return };
    let env = TestEnv::for_agents();
    let commit = ["commit", "--quiet", "--allow-empty", "--message=one"];
    for words in [&commit[..], &["worktree", "add", "--quiet", "../tree"]] {
        let git = Command::new("git")
            .current_dir(env.top.join("repo"))
            .args(["-c", "user.name=one", "-c", "user.email=one@example.com"])
            .args(words)
            .status();
        assert!(git.unwrap().success(), "{words:?}");
    }
    env.sound_skills("repo/.kilo/skills", &["one", "two"]);
    env.sound_skills("repo/a/.agents/skills", &["two", "three"]);
    env.sound_skills("tree/.kilo/skills", &["one", "four"]);
    env.write("repo/.kilo/kilo.json", r#"{"permission":{"skill":{"four":"deny"}}}"#);
    env.write("tree/a/x", "");
    let report = agent.ask(&env, "tree/a");
    same(&names(&report, ""), &words("four one three two"));
    same(&off(&report), &words("four"));
    ours::agree(&agent, &env, "tree/a", (&report, &[]));
}

#[test]
fn kilo_obeys_the_last_rule() {
    let Some(agent) = Agent::find(&KILO) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.kilo/skills", &["one", "two", "three", "four"]);
    env.write(
        "home/.config/kilo/kilo.json",
        r#"{"permission":{"skill":{"one":"deny","*":"allow","t*":"deny"}}}"#,
    );
    env.write("repo/kilo.json", r#"{"permission":{"skill":{"three":"ask"}}}"#);
    env.write(
        "repo/.kilo/kilo.jsonc",
        r#"{"agent":{"code":{"permission":{"skill":{"four":"deny"}}}}}"#,
    );
    let report = agent.ask(&env, "repo");
    same(&off(&report), &words("two four"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn kilo_takes_away_a_rule_by_null() {
    let Some(agent) = Agent::find(&KILO) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.kilo/skills", &["one", "two"]);
    env.write("home/.config/kilo/kilo.json", r#"{"permission":{"skill":{"one":"deny"}}}"#);
    env.write("repo/kilo.json", r#"{"permission":{"skill":{"two":"deny","one":null}}}"#);
    let report = agent.ask(&env, "repo");
    same(&off(&report), &words("two"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
}

#[test]
fn kilo_reads_its_settings_in_this_order() {
    let Some(agent) = Agent::find(&KILO) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.agents/skills/one");
    let order = [
        "home/.config/kilo/config.json",
        "home/.config/kilo/kilo.json",
        "home/.config/kilo/kilo.jsonc",
        "home/.config/kilo/opencode.json",
        "elsewhere.json",
        "repo/kilo.json",
        "repo/kilo.jsonc",
        "repo/a/b/kilo.json",
        "repo/opencode.json",
        "repo/a/b/.kilocode/kilo.jsonc",
        "repo/a/b/.kilocode/kilo.json",
        "repo/a/b/.kilo/kilo.json",
        "repo/.kilo/kilo.json",
        "repo/.kilo/opencode.json",
        "home/.kilocode/kilo.json",
        "home/.kilo/kilo.json",
        "other/kilo.json",
    ];
    for (index, file) in order.iter().enumerate() {
        let shared = ["allow", "deny"][index % 2];
        let text = format!(
            "{{\"permission\":{{\"skill\":{{\"shared\":\"{shared}\",\"k{index}\":\"deny\"}}}}}}"
        );
        env.write(file, text);
    }
    let (one, two) = (env.text("elsewhere.json"), env.text("other"));
    let more = [
        ("KILO_CONFIG", one.as_str()),
        ("KILO_CONFIG_DIR", &two),
        ("KILO_CONFIG_CONTENT", r#"{"permission":{"skill":{"content":"deny"}}}"#),
    ];
    let report = agent.try_ask(&env, "repo/a/b", &more).unwrap();
    let rules: Vec<&str> =
        report.rules.iter().map(|rule| rule.pattern.as_str()).filter(|name| *name != "*").collect();
    let numbers: Vec<String> = (0..order.len()).map(|index| format!("k{index}")).collect();
    let expected = ["shared"].into_iter().chain(numbers.iter().map(String::as_str));
    let expected: Vec<&str> = expected.chain(["content"]).collect();
    // It says all of them twice.
    assert_eq!(rules, expected.repeat(2));
}

#[test]
fn kilo_stops_at_a_fault_in_the_persons_main_folder_and_passes_over_others() {
    let Some(agent) = Agent::find(&KILO) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.kilo/skills", &["one", "two"]);
    env.write("repo/kilo.json", r#"{"permission":{"skill":{"one":"deny"}}}"#);
    let (fault, broken) = (r#"{"permission":{"skill":{"two":"nope"}}}"#, "{\"permission\":");
    for (of_project, own) in [(fault, broken), (broken, fault)] {
        env.write("repo/.kilo/kilo.json", of_project);
        env.write("home/.kilo/kilo.json", own);
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words("one"));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    env.write("home/.config/kilo/kilo.json", fault);
    let error = agent.try_ask(&env, "repo", &[]).unwrap_err();
    assert!(
        matches!(&error, ProbeError::BadAnswer(BadAnswer(text)) if text.contains("invalid")),
        "{error:?}"
    );
}

#[test]
fn kilo_looks_in_the_folders_of_its_settings() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/more/one");
    env.sound_skill("home/mine/two");
    env.sound_skill("repo/.kilo/skills/three");
    let paths = r#"{"skills":{"paths":["more","~/mine"]}}"#;
    for (file, seen) in
        [("repo/kilo.json", "one three"), ("home/.config/kilo/kilo.json", "one two three")]
    {
        env.write(file, paths);
        let report = agent.ask(&env, "repo");
        same(&names(&report, ""), &words(seen));
        ours::agree(&agent, &env, "repo", (&report, &[]));
        std::fs::remove_file(env.at(file)).unwrap();
    }
}

#[test]
fn kilo_takes_the_last_place_of_a_name_whatever_links_lead_there() {
    let Some(agent) = Agent::find(&KILO).map(Agent::without_rules) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("store/x");
    env.sound_skill("repo/.kilo/skills/x");
    env.link("store/x", "home/.agents/skills/x");
    env.link("store/x", "home/.kilo/skills/x");
    let report = agent.ask(&env, "repo");
    let own = report.skills.iter().filter(|skill| skill.name == "x");
    let places: Vec<_> = own.map(|skill| skill.path.clone()).collect();
    assert_eq!(places, [Some(env.at("home/.kilo/skills/x"))]);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
