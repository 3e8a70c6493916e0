//! Codex 0.171.0, by `skills/list` of its app server.
//!
//! - Roots: `.agents/skills` and `.codex/skills` of the working directory and every directory up to
//!   the repository root; then `~/.agents/skills` and `$CODEX_HOME/skills` (both scope `user`); its
//!   own in `$CODEX_HOME/skills/.system`.
//! - Depth 6. Hidden directories are skipped, `node_modules` and skills within skills are not.
//! - A linked directory is followed and reported where it leads; the same skill by two ways is
//!   listed once. A linked
//!   `SKILL.md` is ignored. `skill.md` is no skill.
//! - Refused, with a reason: no frontmatter (a byte order mark or an empty line before it counts as
//!   none; blanks before `---` do not), no or empty description (also one of blanks), a list as
//!   description, `name`, `description` or `metadata` twice, `metadata` that is no map, a name of
//!   more than 64 characters, no UTF-8, a control character, broken YAML. Not refused: a description
//!   of any length, any characters in a name, an empty or missing name (the directory's stands in),
//!   a value in one line that would be sound in quotes, if it has a colon before a blank or begins
//!   with `@`, a backtick, or a bracket. `src/hosts/codex/head.rs` has the whole rule.
//! - `policy.products` in `agents/openai.yaml` without `codex`, in a file that is sound as a whole,
//!   hides the skill.
//! - Skills of one name are all kept.
//! - Settings: the last rule that matches decides, name or path alike. A path names the file (`~`
//!   and paths relative to the settings' directory work, and the way through a link as well as its
//!   target); a rule with a directory does nothing; a rule with both `name` and `path`, or neither,
//!   does nothing. Names are trimmed and compared exactly. A byte order mark and unknown keys in a
//!   rule are accepted. A rule without `enabled`, broken TOML, a wrong type in any key that Codex
//!   knows, a `trust_level` of another word, or a `CODEX_HOME` that is no folder, and there are no
//!   skills at all.
//!   Rules in a project's `.codex/config.toml` are ignored, trusted or not.

use crate::agent::{Agent, below, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Asked, Findings, Loads, SameName};
use skillpick::hosts::probe::{BadAnswer, CODEX, ProbeError};
use std::collections::BTreeSet;

const FINDINGS: Findings = Findings {
    probe: &CODEX,
    root: "repo/.agents/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            .hidden .hidden-group/within blank-desc blank-line bom deep/.hidden-deep deep/2/3/4/5/6/7/eight
            deep/2/3/4/5/6/seven dup-key empty-desc empty-file latin link-name linked linked-file
            linked-group/within-linked list-desc lower-file meta-text mixed-file
            n65-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx no-desc no-front no-map null-desc
            unclosed",
        renamed: "
            bool-name=true case-a=CaseTwin case-b=casetwin colon-name=c:d differs=other-name dot=v1.2
            double-hyphen=double--hyphen edge-hyphen=-edge- number-name=123 slash=a/b spaces=two_words
            under=under_score unicode=größe upper=UPPER",
        twins: (2, 1),
    },
    roots: &["repo/a/b/.agents", "repo/a/.agents", "home/.agents", "home/.codex"],
    same_name: SameName::All,
    marks: "
        mark-home-agents mark-home-codex mark-repo-a-agents mark-repo-a-b-agents mark-repo-a-b-codex mark-repo-a-codex
        mark-repo-agents mark-repo-codex",
};

#[test]
fn what_codex_loads_below_a_root() {
    let Some(Asked { env, report, .. }) = FINDINGS.hold_below_a_root() else { return };
    same(
        &below(&report, &env, "elsewhere").folders,
        &words("linked target-name group/within-linked"),
    );
    // What it cannot read it says, all but links to files, what it does not look into, and what is
    // in its place once.
    assert_eq!(report.refused.len(), 15, "{:?}", report.refused);
}

#[test]
fn where_codex_looks() {
    FINDINGS.hold_of_the_roots();
}

/// What is off after these settings, in a repository with some skills.
fn off_by(settings: &str) -> Option<BTreeSet<String>> {
    let agent = Agent::find(&CODEX)?;
    let env = TestEnv::for_agents();
    for folder in [
        "repo/.agents/skills/one",
        "repo/.agents/skills/two",
        "home/.agents/skills/own",
        "elsewhere/linked",
    ] {
        env.sound_skill(folder);
    }
    env.named("repo/.agents/skills/twin-1", "twin");
    env.named("repo/.agents/skills/twin-2", "twin");
    env.link("elsewhere/linked", "repo/.agents/skills/linked");
    env.write("repo/.codex/config.toml", "[[skills.config]]\nname = \"two\"\nenabled = false\n");
    env.write("home/.codex/config.toml", settings.replace('@', &env.text("")));
    let report = agent.ask(&env, "repo");
    let off = report.skills.iter().filter(|reported| reported.enabled == Some(false));
    Some(
        off.filter_map(|reported| Some(reported.path.as_ref()?.file_name()?.to_str()?.to_owned()))
            .collect(),
    )
}

fn rule(keys: &str, enabled: bool) -> String {
    format!("[[skills.config]]\n{keys}\nenabled = {enabled}\n")
}

#[test]
fn codex_switches_skills_by_name_and_by_path() {
    let one = "path = \"@repo/.agents/skills/one/SKILL.md\"";
    let first = "path = \"@repo/.agents/skills/twin-1/SKILL.md\"";
    let twins = rule("name = \"twin\"", false);
    for (settings, expected) in [
        (rule("name = \" one \"\nunknown = 1", false), "one"),
        (format!("\u{feff}{}", rule(one, false)), "one"),
        (rule("path = \"@repo/.agents/skills/one\"", false) + &rule("name = \"ONE\"", false), ""),
        (rule("path = \"@repo/.agents/skills/linked/SKILL.md\"", false), "linked"),
        (rule("path = \"@elsewhere/linked/SKILL.md\"", false), "linked"),
        (rule("path = \"~/.agents/skills/own/SKILL.md\"", false), "own"),
        (rule("path = \"../.agents/skills/own/SKILL.md\"", false), "own"),
        (rule(&format!("{one}\nname = \"one\""), false), ""),
        (twins.clone(), "twin-1 twin-2"),
        (twins.clone() + &rule(first, true), "twin-2"),
        (rule(first, true) + &twins, "twin-1 twin-2"),
        ("[projects.\"@repo\"]\ntrust_level = \"trusted\"\n".to_owned(), ""),
    ] {
        let Some(off) = off_by(&settings) else { return };
        assert_eq!(off, words(expected).into_iter().map(str::to_owned).collect(), "{settings}");
    }
}

#[test]
fn codex_shows_nothing_when_its_settings_are_broken() {
    let Some(agent) = Agent::find(&CODEX) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.agents/skills/one");
    for (settings, expected) in [
        ("[[skills.config]]\nname = \"one\"\n", "missing field `enabled`"),
        ("[[skills.config]\n", "config.toml:1:17: unclosed array table"),
    ] {
        env.write("home/.codex/config.toml", settings);
        let error = agent.try_ask(&env, "repo", &[]).unwrap_err();
        assert!(
            matches!(&error, ProbeError::BadAnswer(BadAnswer(text)) if text.contains(expected)),
            "{error:?}"
        );
    }
    env.write("home/.codex/config.toml", "[skills.bundled]\nenabled = false\n");
    let report = agent.ask(&env, "repo");
    assert!(off(&report).is_empty() && report.skills.len() == 1, "{report:?}");
}
