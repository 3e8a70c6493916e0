//! `load`, `unload`, `session`, `read`.

use super::{SKILL, env, with_body};
use crate::env::TestEnv;
use serde_json::json;
use std::process::{Command, Stdio};

#[test]
fn rem_12_the_conformance_skill_is_loaded_and_read_to_its_markers() {
    let env = env();
    let ran = env.run(&["load", SKILL]).ended(0);
    let block = ran.out();
    assert!(
        block.contains("MARKER-BODY-7f3a") && block.contains("references/REFERENCE.md</file>"),
        "{block}"
    );
    assert!(!block.contains("MARKER-REFERENCE"), "files are not read before they are asked for");
    assert_eq!(
        env.run(&["read", SKILL, "references/REFERENCE.md"]).ended(0).out(),
        "MARKER-REFERENCE-91bc\n"
    );
    let asset = env.json("read", &["read", SKILL, "assets/fixture.json", "--json"]);
    assert_eq!(
        (&asset["media_type"], &asset["encoding"]),
        (&json!("application/json"), &json!("text"))
    );
    assert!(asset["content"].as_str().unwrap().contains("MARKER-ASSET-c04d"));
    let bytes =
        env.json("read", &["read", SKILL, "assets/fixture.json", "--encoding", "binary", "--json"]);
    assert_eq!((&bytes["content"], bytes["content_b64"].is_string()), (&json!(null), true));
}

#[cfg(unix)]
#[test]
fn rem_7_2_no_path_leads_out_of_the_skill() {
    let env = env();
    env.write("repo/secret", "hidden");
    let dir = env.at(format!("repo/.agents/skills/{SKILL}"));
    std::os::unix::fs::symlink(env.at("repo/secret"), dir.join("out.md")).unwrap();
    std::os::unix::fs::symlink("../../..", dir.join("up")).unwrap();
    let absolute = env.text("repo/secret");
    for path in [
        absolute.as_str(),
        "../../../secret",
        "references/../../../../secret",
        "out.md",
        "up/secret",
        "nothing",
        "references",
    ] {
        let ran = env.run(&["read", SKILL, path]);
        assert!(ran.code != 0 && ran.out().is_empty(), "{path}: {ran:?}");
    }
}

#[test]
fn run_3_instructions_change_from_call_to_call_and_old_ones_do_not_persist() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body of a.\n");
    with_body(&env, "b", "Body of b.\n");
    let instructions = |name: &str| {
        let text = env.run(&["load", name, "--session", "chat", "--as", "instructions"]).ended(0);
        assert!(!text.out().contains("Body of"), "messages do not carry it");
        env.run(&["session", "chat", "--instructions"]).ended(0).out().to_owned()
    };
    assert!(instructions("a").contains("Body of a."));
    let next = instructions("b");
    assert!(next.contains("Body of b.") && !next.contains("Body of a."), "{next}");
}

#[test]
fn run_8_a_load_unloads_only_where_it_says_so_and_names_what() {
    let env = TestEnv::new();
    ["a", "b", "c"].iter().for_each(|name| with_body(&env, name, "x\n"));
    let load = |words: &[&str]| {
        let ran = env.run(&[&["load", "--session", "chat", "--json"], words].concat()).ended(0);
        let document = ran.document("load");
        let active = document["session"]["active"].as_array().unwrap();
        let active: Vec<_> = active.iter().map(|row| row["name"].clone()).collect();
        (json!(active), document["dropped"].clone(), ran.err)
    };
    load(&["a", "b", "--as", "instructions"]);
    let nothing = (json!(["a", "b", "c"]), json!([]), String::new());
    assert_eq!(load(&["c"]), nothing, "the style is as before, and the default is to add");
    let said = "skillpick: unloaded: a\nskillpick: unloaded: b\n".to_owned();
    assert_eq!(load(&["c", "--as", "instructions"]), (json!(["c"]), json!(["a", "b"]), said));
    let said = "skillpick: unloaded: c\n".to_owned();
    assert_eq!(load(&["a", "--mode", "replace"]), (json!(["a"]), json!(["c"]), said));
}

#[test]
fn run_8b_a_receipt_has_place_digest_and_properties() {
    let env = env();
    let load = ["load", SKILL, "--session", "chat", "--as", "instructions", "--json"];
    let receipt = env.json("load", &load);
    let (loaded, active) = (&receipt["loaded"][0], &receipt["session"]["active"][0]);
    assert_eq!((&loaded["kind"], &loaded["body"]), (&json!("instructions"), &json!(null)));
    assert!(
        loaded["digest"].as_str().unwrap().starts_with("sha256:")
            && loaded["digest"] == active["digest"]
    );
    assert_eq!(loaded["properties"]["allowed_tools"], json!(["Bash(*)", "Read"]));
    assert_eq!(loaded["repo_dir"], format!(".agents/skills/{SKILL}"));
    assert_eq!(active["dir"], env.text(&format!("repo/.agents/skills/{SKILL}")));
    let next = env.json("session", &["session", "chat", "--json"]);
    assert!(
        next["instructions"].as_str().unwrap().contains("MARKER-BODY-7f3a"),
        "from the next call on"
    );
    env.run(&["unload", "--all", "--session", "chat"]).ended(0);
    let after = env.json("session", &["session", "chat", "--json"]);
    assert_eq!((&after["instructions"], &after["session"]["current"]), (&json!(""), &json!(null)));
}

#[test]
fn aab_8_and_8c_name_directory_and_content_or_an_error() {
    let env = env();
    env.skill("home/.agents/skills", "own", "Mine.");
    let loaded = env.json("load", &["load", SKILL, "own", "--json"])["loaded"].clone();
    assert!(loaded[0]["body"].as_str().unwrap().starts_with("# Skills system validation"));
    assert_eq!(loaded[0]["repo_dir"], format!(".agents/skills/{SKILL}"));
    assert_eq!(loaded[1]["repo_dir"], json!(null), "outside of the repository there is none");
    let ran = env.run(&["load", "skill-system-validation"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("did you mean"), "{ran:?}");
}

#[test]
fn processes_resume_a_conversation_without_loss() {
    let env = TestEnv::new();
    for name in ["a", "b", "c", "d"] {
        with_body(&env, name, &format!("Body of {name}.\n"));
    }
    let children: Vec<_> = ["a", "b", "c", "d"]
        .map(|name| {
            env.command(&["load", name, "--session", "chat"]).stdout(Stdio::null()).spawn().unwrap()
        })
        .into_iter()
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let session = env.json("session", &["session", "chat", "--json"]);
    let mut names: Vec<_> = session["session"]["active"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert!(env.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("already loaded"));
    assert!(
        env.run(&["load", "a", "--session", "chat", "--strict"])
            .ended(1)
            .err
            .contains("already active")
    );
    env.run(&["session", "chat", "--compacted"]).ended(0);
    assert!(env.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("Body of a."));
    with_body(&env, "b", "New.\n");
    std::fs::remove_dir_all(env.at("repo/.agents/skills/c")).unwrap();
    let ran = env.run(&["session", "chat"]).ended(0);
    assert!(ran.out().contains("b  updated  ") && ran.out().contains("c  missing  "), "{ran:?}");
    env.settings("[skills.session]\nmax_active = 4\n");
    with_body(&env, "e", "x");
    assert!(env.run(&["load", "e", "--session", "chat"]).ended(1).err.contains("at most 4"));
    env.run(&["session", "unknown"]).ended(1);
}

#[test]
fn run_9_unload_takes_what_load_takes_and_names_what_is_not_loaded() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body of a.\n");
    env.run(&["load", "a", "--session", "chat"]).ended(0);
    let ran = env.run(&["unload", "nothing", ".agents/skills/b", "--session", "chat"]).ended(0);
    assert_eq!(
        ran.err,
        "skillpick: not loaded here: nothing\nskillpick: not loaded here: .agents/skills/b\n"
    );
    for spelling in [".agents/skills/a", "./.agents/skills/a/SKILL.md", "$a", "a"] {
        env.run(&["load", "a", "--session", "chat"]).ended(0);
        let ran = env.run(&["unload", spelling, "--session", "chat"]).ended(0);
        assert_eq!(ran.err, "skillpick: unloaded: a\n", "{spelling}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn cod_6_3_a_text_that_could_not_be_written_is_given_again() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body of a.\n");
    for more in [&["--json"][..], &[]] {
        let load = [&["load", "a", "--session", "chat"], more].concat();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = env.command(&load).stdout(full).stderr(Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), Some(2));
    }
    // The runtime puts /dev/null where a stream is closed.
    for nowhere in [">&-", "1<>/dev/null"] {
        let load = env.command(&["load", "a", "--session", "chat"]);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec \"$0\" \"$@\" {nowhere}")]);
        shell.arg(load.get_program()).args(load.get_args()).env_clear();
        shell.envs(load.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let ran = shell.current_dir(env.at("repo")).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        let said = "stdout is closed, or leads to the null device: \
                    the next load gives the text again";
        assert!(ran.status.success() && err.contains(said), "{nowhere}: {err}");
    }
    assert!(env.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("Body of a."));
    assert!(env.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("already loaded"));
}

#[test]
fn run_10_in_instructions_mode_the_newest_is_read_and_nothing_without_one() {
    let env = env();
    let read = ["read", "references/REFERENCE.md", "--session", "chat"];
    assert!(env.run(&read).ended(1).err.contains("no skill is active"));
    env.run(&["load", SKILL, "--session", "chat", "--as", "instructions"]).ended(0);
    assert_eq!(env.run(&read).ended(0).out(), "MARKER-REFERENCE-91bc\n");
    env.run(&["read", "references/REFERENCE.md"]).ended(2);
}

#[test]
fn cod_8_1_a_denied_skill_is_not_loaded_by_any_spelling_and_an_asked_one_by_yes() {
    let env = env();
    env.skill("repo/.agents/skills", "harmless", "x");
    env.settings(&format!(
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    let dir = env.text(&format!("repo/.agents/skills/{SKILL}"));
    for argument in [
        SKILL.to_owned(),
        dir.clone(),
        format!("{dir}/./SKILL.md"),
        format!("[$harmless]({dir}/SKILL.md)"),
    ] {
        let ran = env.run(&["load", "--yes", &argument]).ended(1);
        assert!(
            ran.out().is_empty() && ran.err.contains("denied") && ran.err.contains("config.toml:2"),
            "{ran:?}"
        );
        env.run(&["read", &argument, "references/REFERENCE.md", "--yes"]).ended(1);
    }
    env.settings(&format!(
        "[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    assert!(env.run(&["load", SKILL]).ended(1).err.contains("--yes"));
    env.run(&["load", SKILL, "--yes"]).ended(0);
}

#[test]
fn two_skills_of_one_name_need_a_path_to_be_loaded() {
    let env = TestEnv::new();
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let ran = env.run(&["load", "deploy"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("2 skills are named"), "{ran:?}");
    let path = env.text("home/.agents/skills/deploy/SKILL.md");
    assert_eq!(env.json("load", &["load", &path, "--json"])["loaded"][0]["path"], path);
    let prompt = env.json("prompt", &["prompt", "--format", "codelia", "--json"]);
    assert_eq!(prompt["included"].as_array().unwrap().len(), 2, "both are listed");
    // A look-alike is another name: it is never taken for the other.
    env.skill("repo/.agents/skills", "dерloy", "With Cyrillic letters.");
    assert!(env.run(&["load", "dерloy"]).ended(0).out().contains("With Cyrillic letters."));
    assert!(env.run(&["load", "deploy"]).ended(1).err.contains("2 skills are named"));
}

#[test]
fn cod_13_the_acceptance_of_the_whole_by_commands() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "release-notes", "Writes notes.");
    env.skill("repo/crates/core/.agents/skills", "publish", "Publishes a release.");
    let user = env.skill("home/.agents/skills", "release-notes", "Mine.");
    let core = env.text("repo/crates/core");
    fn in_folder<'a>(folder: &'a str, words: &[&'a str]) -> Vec<&'a str> {
        [&["-C", folder], words].concat()
    }
    let names = |json: &serde_json::Value| {
        let rows = json["skills"]
            .as_array()
            .or(json["results"].as_array())
            .unwrap_or_else(|| panic!("{json}"));
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let listed = names(&env.json("list", &in_folder(&core, &["list", "--json"])));
    assert_eq!(
        (listed.len(), listed.contains(&"publish".to_owned())),
        (3, true),
        "the repository's chain and the person's"
    );
    let found = names(&env.json("search", &in_folder(&core, &["search", "release", "--json"])));
    assert_eq!(found.len(), 3, "by name and by description: {found:?}");
    assert_eq!(
        env.fails(&in_folder(&core, &["load", "release-notes", "--json"]))["error"]["code"],
        "ambiguous"
    );
    let load = in_folder(&core, &["load", user.to_str().unwrap(), "--session", "chat"]);
    let first = env.run(&load).ended(0);
    assert!(
        first.out().contains("description: Mine.")
            && first.out().contains("Base directory: file://"),
        "{first:?}"
    );
    assert!(env.run(&load).ended(0).out().contains("already loaded"));
    // After a compaction the conversation still knows what was loaded, and gives it again.
    let session =
        env.json("session", &in_folder(&core, &["session", "chat", "--compacted", "--json"]));
    assert_eq!(session["session"]["active"][0]["name"], "release-notes");
    assert!(env.run(&load).ended(0).out().contains("description: Mine."));
}

/// CallKind, skill and error word of each call in the log, oldest first.
fn log(env: &TestEnv) -> Vec<(String, String, String)> {
    let calls = env.calls();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let row = |call: &serde_json::Value| {
        (word(&call["deed"]), word(&call["skill"]), word(&call["error"]))
    };
    calls.iter().rev().map(row).collect()
}

fn load_row(name: &str, error: &str) -> (String, String, String) {
    ("load".to_owned(), name.to_owned(), error.to_owned())
}

#[test]
fn kod_7c_and_rem_9_a_load_that_a_conversation_refuses_is_logged_as_refused() {
    let env = TestEnv::new();
    let names: Vec<String> = (0..9).map(|number| format!("s{number}")).collect();
    names.iter().for_each(|name| with_body(&env, name, "x"));
    let load = |names: &[String], more: &[&str]| {
        let names = names.iter().map(String::as_str);
        env.run(
            &["load", "--session", "chat"]
                .into_iter()
                .chain(names)
                .chain(more.iter().copied())
                .collect::<Vec<_>>(),
        )
    };
    load(&names[..8], &[]).ended(0);
    let mut expected: Vec<_> = names[..8].iter().map(|name| load_row(name, "")).collect();
    assert_eq!(log(&env), expected);
    let ninth = load(&names[8..], &[]).ended(1);
    assert!(ninth.err.contains("unload s0 --session chat"), "{}", ninth.err);
    load(&names[..1], &["--strict"]).ended(1);
    load(&names[7..], &["--strict"]).ended(1);
    expected.push(load_row("s8", "too_many"));
    expected.push(load_row("s0", "already_active"));
    // All or none: if one skill is refused, none is loaded.
    expected.extend(["s7", "s8"].map(|name| load_row(name, "already_active")));
    assert_eq!(log(&env), expected);
    // A conversation's own id may be no id.
    env.run(&["load", "s0", "--session", ""]).ended(2);
    expected.push(load_row("s0", "session_id"));
    assert_eq!(log(&env), expected);
    // Without a conversation nothing refuses.
    env.run(&["load", "s0"]).ended(0);
    expected.push(load_row("s0", ""));
    assert_eq!(log(&env), expected);
}

#[test]
fn run_9_to_unload_from_an_unknown_conversation_begins_none() {
    let env = env();
    for arguments in [[SKILL].as_slice(), &["--all"], &["--all", "--json"]] {
        let ran =
            env.run(&[["unload", "--session", "nobody"].as_slice(), arguments].concat()).ended(1);
        let told = format!("{}{}", ran.out(), ran.err);
        assert!(told.contains("no conversation is known as `nobody`"), "{ran:?}");
    }
    assert!(!env.at("home/.local/state/skillpick/sessions").exists());
    env.run(&["session", "nobody"]).ended(1);
    env.run(&["load", SKILL, "--session", "chat"]).ended(0);
    env.run(&["unload", "absent", "--session", "chat"]).ended(0);
    assert_eq!(log(&env), [load_row(SKILL, "")]);
}

#[test]
fn run_8_a_skill_that_is_named_twice_is_loaded_once() {
    for session in [&[][..], &["--session", "chat"]] {
        let env = env();
        let path = env.text(&format!("repo/.agents/skills/{SKILL}"));
        let words: Vec<&str> =
            ["load", SKILL, &path, SKILL].into_iter().chain(session.iter().copied()).collect();
        assert_eq!(env.run(&words).ended(0).out().matches("MARKER-BODY-7f3a").count(), 1);
        assert_eq!(log(&env), [load_row(SKILL, "")]);
    }
}
