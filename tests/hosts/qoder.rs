//! Qoder CLI 1.1.52, by `skills list --all`. Its source is not readable.
//!
//! - Roots, the first wins: `~/.qoder/skills` (`$QODER_CONFIG_DIR/skills`), `~/.agents/skills`,
//!   `<cwd>/.qoder/skills`, `<cwd>/.agents/skills`. No ancestors. Of two in one root, the one that
//!   the file system lists last.
//! - `SKILL.md` one to four folders deep, hidden folders too, not `node_modules`, not inside a
//!   skill. Links are followed.
//! - It reads its folders from the last to the first, and each file once: what several links lead to
//!   has the name of its last place, and takes none in an earlier one. Within a root that is the
//!   highest place, and of several mostly the one that the file system lists first. It looks at
//!   them at the same time: in 2 of 12 runs over 6 skills with 6 links another one came first.
//! - A skill's name is its folder's, whatever the file says. Refused, silently: an empty file, and
//!   one with a blank body whose frontmatter cannot be read.
//! - Settings: `skills.disabled` of `~/.qoder/settings.json`, `<cwd>/.qoder/settings.json` and
//!   `settings.local.json`, all together, in any case, no patterns. A file with a trailing comma is
//!   passed over; so are a list that is none and items that are no text. Comments are accepted.
//!   `skills.enabled: false`: no skills. Anything but true and false is passed over. An odd blank in
//!   a comment makes it pass over the file.

use crate::agent::{Agent, names, off, same, words};
use crate::env::TestEnv;
use crate::findings::{Findings, Loads, SameName};
use crate::ours;
use skillpick::hosts::probe::QODER;

const FINDINGS: Findings = Findings {
    probe: &QODER,
    root: "repo/.qoder/skills",
    spared: &[],
    unmodelled: &[],
    loads: Loads::Folders {
        unseen: "
            deep/2/3/4/5/6/7/eight deep/2/3/4/5/6/seven deep/2/3/4/5/six deep/2/3/4/five empty-file lower-file
            mixed-file node_modules/package outer/inner",
        renamed: "",
        twins: (2, 1),
    },
    roots: &["home/.qoder", "home/.agents", "repo/a/b/.qoder", "repo/a/b/.agents"],
    same_name: SameName::First,
    marks: "mark-home-agents mark-home-qoder mark-repo-a-b-agents mark-repo-a-b-qoder",
};

#[test]
fn what_qoder_loads_below_a_root() {
    FINDINGS.hold_below_a_root();
}

#[test]
fn where_qoder_looks() {
    FINDINGS.hold_of_the_roots();
}

#[test]
fn qoder_disables_skills_by_name_in_its_three_files() {
    let Some(agent) = Agent::find(&QODER) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("repo/.qoder/skills", &["one", "two", "three", "four"]);
    let (user, project) = ("home/.qoder/settings.json", "repo/.qoder/settings.json");
    env.write(user, "// mine\n{\"skills\":{\"disabled\":[\"ONE\",5]}}");
    env.write(project, r#"{"skills":{"disabled":["two","t*"," four "]}}"#);
    env.write("repo/.qoder/settings.local.json", r#"{"skills":{"disabled":["three"]}}"#);
    let report = agent.ask(&env, "repo");
    same(&off(&report), &words("one two three"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    for fault in [r#"{"skills":{"disabled":["four",]}}"#, r#"{"skills":{"disabled":"four"}}"#] {
        env.write(project, fault);
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words("one three"));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    for on in ["\"false\"", "null", "0"] {
        env.write(project, format!(r#"{{"skills":{{"enabled":{on}}}}}"#));
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words("one three"));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    // In a comment as well: it makes no blank of an odd one.
    for (blank, others) in [("\u{85}", "one four three"), ("\u{a0}", "one three")] {
        let text = format!("{{// a{blank}b\n\"skills\":{{\"disabled\":[\"four\"]}}}}");
        env.write(project, text);
        let report = agent.ask(&env, "repo");
        same(&off(&report), &words(others));
        ours::agree(&agent, &env, "repo", (&report, &[]));
    }
    env.write(project, r#"{"skills":{"enabled":false}}"#);
    assert!(agent.ask(&env, "repo").skills.is_empty());
}

#[test]
fn qoder_takes_a_skill_from_the_last_place_that_leads_to_it() {
    let Some(agent) = Agent::find(&QODER) else { return };
    let all = ["home/.qoder", "home/.agents", "repo/.qoder", "repo/.agents"];
    for places in [&all[..], &all[..2], &all[1..3]] {
        let env = TestEnv::for_agents();
        env.sound_skill("store/one");
        for place in places {
            let name = place.replace("/.", "-");
            env.link("store/one", &format!("{place}/skills/{name}"));
        }
        let name = places.last().unwrap().replace("/.", "-");
        let report = agent.ask(&env, "repo");
        same(&names(&report, ""), &words(&name));
        ours::agree(&agent, &env, "repo", (&report, &[]));
        if places.len() == all.len() {
            ours::done(&agent, &env, "repo", &["disable", &name]);
            same(&off(&agent.ask(&env, "repo")), &words(&name));
        }
    }
    // In one root the highest place counts.
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.qoder/skills/group/real");
    for link in ["group/b", "group/z", "other/k", "other/deep/er", "high"] {
        env.link("repo/.qoder/skills/group/real", &format!("repo/.qoder/skills/{link}"));
    }
    let report = agent.ask(&env, "repo");
    same(&names(&report, ""), &words("high"));
    ours::agree(&agent, &env, "repo", (&report, &[]));
    // Of several in one folder it is mostly the one that is listed first: its program looks at
    // them at the same time, so either may count.
    let env = TestEnv::for_agents();
    env.sound_skill("repo/.qoder/skills/group/real");
    env.link("repo/.qoder/skills/group/real", "repo/.qoder/skills/group/b");
    let report = agent.ask(&env, "repo");
    let taken = names(&report, "");
    assert!(taken == words("real") || taken == words("b"), "{taken:?}");
    // An earlier place of the same file does not count, not even for its name.
    let env = TestEnv::for_agents();
    env.sound_skill("store/x");
    env.sound_skill("repo/.qoder/skills/x");
    env.link("store/x", "home/.qoder/skills/x");
    env.link("store/x", "repo/.agents/skills/x");
    let report = agent.ask(&env, "repo");
    let own = report.skills.iter().filter(|skill| skill.name == "x");
    let places: Vec<_> = own.map(|skill| skill.path.clone()).collect();
    assert_eq!(places, [Some(env.at("repo/.qoder/skills/x"))]);
    ours::agree(&agent, &env, "repo", (&report, &[]));
}
