//! Which settings files a change is written to, who else reads them, and many changes at once.

use crate::env::TestEnv;
use crate::git::git;
use crate::support::skipped;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// All files of the agents in the home folder.
fn settings(env: &TestEnv) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_ours = |entry: &walkdir::DirEntry| {
        let name = entry.file_name();
        name == ".local" || name == ".cache" || name == "skills"
    };
    let files = walkdir::WalkDir::new(env.at("home")).into_iter();
    let files = files.filter_entry(|entry| !is_ours(entry)).flatten();
    let files = files.filter(|entry| entry.file_type().is_file());
    files.map(|entry| (entry.path().to_owned(), std::fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn an_agent_that_reads_the_same_file_is_told() {
    let env = TestEnv::new();
    for folder in ["home/.config/opencode", "home/.config/kilo"] {
        std::fs::create_dir_all(env.at(folder)).unwrap();
    }
    env.skill("repo/.agents/skills", "alpha", "A skill.");
    env.skill("repo/.agents/skills", "beta", "A skill.");
    env.write("repo/opencode.json", "{}\n");
    let ran = env.run(&["disable", "alpha", "--host", "opencode", "--in", "project"]).ended(0);
    let told = "kilo: alpha: user-only too, since it also reads opencode.json";
    assert!(ran.err.contains(told), "{ran:?}");
    let rule = ["permit", "ask", "beta", "--host", "opencode", "--in", "project"];
    let ran = env.run(&rule).ended(0);
    assert!(ran.err.contains("kilo: beta: ask too, since it also reads opencode.json"), "{ran:?}");
    env.skill("repo/.agents/skills", "gamma", "A skill.");
    let ran = env.run(&["disable", "gamma", "--host", "opencode"]).ended(0);
    assert!(!ran.err.contains("kilo"), "only opencode reads its own file: {ran:?}");
}

#[test]
fn the_cure_for_settings_that_are_kept_in_a_repository_names_the_right_layer() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "alpha", "A skill.");
    env.write("repo/.codex/config.toml", "model = \"m\"\n");
    std::fs::remove_dir_all(env.at("repo/.git")).unwrap();
    if git(&env.at("repo"), &["init", "-q"]).is_none() {
        skipped("git is not installed, so no file is committed");
        return;
    }
    git(&env.at("repo"), &["add", "-A"]).unwrap();
    env.link("repo/.codex/config.toml", "home/.codex/config.toml");
    let ran = env.run(&["disable", "alpha", "--host", "codex"]).ended(1);
    assert!(ran.err.contains("to choose that file: --in user"), "{ran:?}");
    let ran = env.run(&["disable", "alpha", "--host", "codex", "--in", "user"]).ended(0);
    assert!(ran.err.contains("(your own, kept in a repository)"), "{ran:?}");
}

/// Many at once are written as one by one.
#[test]
fn many_skills_are_switched_in_one_edit_to_the_same_bytes() {
    let names: Vec<String> = (0..12).map(|number| format!("s{number}")).collect();
    for host in ["agents", "codex", "claude", "gemini", "opencode", "qwen", "copilot"] {
        let env = TestEnv::new();
        let folder = if host == "claude" { "home/.claude/skills" } else { "home/.agents/skills" };
        for name in &names {
            env.skill(folder, name, "A skill.");
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let all = |what, of: &[&str]| {
            let ran = env.run(&[&[what], of, &["--host", host, "--in", "user"]].concat());
            assert_eq!(ran.code, 0, "{host}: {ran:?}");
        };
        let state = || settings(&env);
        let before = state();
        all("disable", &names);
        let together = state();
        all("enable", &names);
        env.run(&["undo"]).ended(0);
        env.run(&["undo"]).ended(0);
        assert_eq!(state(), before, "{host}: undone");
        for name in &names {
            all("disable", &[name]);
        }
        assert_eq!(state(), together, "{host}");
    }
}
