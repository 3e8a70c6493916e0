//! Edits of agents' settings files: the right file, only the key, all files or none, and undone.

use crate::env::TestEnv;
use crate::support::skipped;
use serde_json::json;
use std::process::{Command, Stdio};

/// The agent, the value of `--in`, and the file that must be written; nothing where it has no such
/// file.
#[rustfmt::skip]
const LAYERS: &[(&str, &str, Option<&str>)] = &[
    ("agents", "user", Some("home/.config/skillpick/config.toml")),
    ("agents", "project", Some("repo/.skillpick.toml")),
    ("agents", "local", None),
    ("codex", "user", Some("home/.codex/config.toml")),
    ("codex", "project", None),
    ("codex", "local", None),
    ("claude", "user", Some("home/.claude/settings.json")),
    ("claude", "project", Some("repo/.claude/settings.json")),
    ("claude", "local", Some("repo/.claude/settings.local.json")),
    ("opencode", "user", Some("home/.config/opencode/opencode.json")),
    ("opencode", "project", Some("repo/opencode.json")),
    ("opencode", "local", None),
    ("gemini", "user", Some("home/.gemini/settings.json")),
    ("gemini", "project", Some("repo/.gemini/settings.json")),
    ("gemini", "local", None),
    ("copilot", "user", Some("home/.copilot/settings.json")),
    ("copilot", "project", None),
    ("pi", "project", Some("repo/.pi/settings.json")),
    ("qwen", "user", Some("home/.qwen/settings.json")),
    ("qwen", "project", Some("repo/.qwen/settings.json")),
    ("codelia", "user", Some("home/.codelia/config.json")),
    ("codelia", "project", Some("repo/.codelia/config.json")),
    ("kodelet", "user", Some("home/.kodelet/config.yaml")),
    ("kodelet", "project", Some("repo/kodelet-config.yaml")),
];

/// Every file below the home and the repository that is no skill, with its bytes.
fn files(env: &TestEnv) -> Vec<(String, Vec<u8>)> {
    fn below(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.ends_with(".local") {
                below(&path, found)
            } else {
                found.push(path)
            }
        }
    }
    let mut found = Vec::new();
    ["home", "repo"].iter().for_each(|folder| below(&env.at(folder), &mut found));
    found.retain(|path| path.is_file() && !path.ends_with("SKILL.md"));
    found.sort();
    let text =
        |path: &std::path::Path| path.strip_prefix(&env.top).unwrap().to_str().unwrap().to_owned();
    found.iter().map(|path| (text(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn each_layer_of_each_agent_changes_one_file_only() {
    for (host, layer, file) in LAYERS {
        let env = TestEnv::of(host);
        let ran = env.run(&["disable", "pdf", "--host", host, "--in", layer]);
        let written: Vec<String> = files(&env).into_iter().map(|(path, _)| path).collect();
        match file {
            Some(file) => {
                assert_eq!(
                    (ran.code, &written),
                    (0, &vec![(*file).to_owned()]),
                    "{host} {layer}: {ran:?}"
                );
                assert!(ran.err.contains(&env.text(file)), "the notice names it: {ran:?}");
                env.run(&["undo"]).ended(0);
                assert_eq!(files(&env), [], "{host} {layer}");
            }
            None => {
                assert_eq!((ran.code, &written), (1, &Vec::new()), "{host} {layer}: {ran:?}");
                assert!(
                    ran.out().is_empty() && ran.err.contains("settings file"),
                    "{host} {layer}: {ran:?}"
                );
            }
        }
    }
}

/// A file of each format that cannot be read at its second line.
#[rustfmt::skip]
const BROKEN: &[(&str, &str, &str)] = &[
    ("agents", "home/.config/skillpick/config.toml", "version = 1\nskills = = 2\n"),
    ("codex", "home/.codex/config.toml", "model = \"x\"\nskills = \n"),
    ("claude", "repo/.claude/settings.local.json", "{ \"a\": 1,\n  // no comment is allowed here\n  \"b\": 2 }\n"),
    ("opencode", "repo/opencode.json", "{ // mine\n  \"permission\": { \"skill\": \n"),
    ("gemini", "repo/.gemini/settings.json", "{ // mine\n  \"skills\": { \"disabled\": [ }\n"),
    ("copilot", "home/.copilot/settings.json", "{ // mine\n  \"disabledSkills\": [ }\n"),
    ("pi", "repo/.pi/settings.json", "{ \"a\": 1,\n  \"skills\": [\"-x\"], }\n"),
    ("qwen", "repo/.qwen/settings.json", "{ // mine\n  \"skills\": { \"disabled\": [ }\n"),
    ("codelia", "home/.codelia/config.json", "{ \"version\": 1,\n  \"permissions\": [ }\n"),
    ("kodelet", "repo/kodelet-config.yaml", "skills:\n  enabled: [true\n"),
];

#[test]
fn a_broken_file_of_any_format_is_reported_denies_and_is_never_rewritten() {
    for (host, file, broken) in BROKEN {
        let env = TestEnv::of(host);
        env.write(file, broken);
        for change in [["disable", "pdf"], ["enable", "pdf"]] {
            let layer = if file.starts_with("home") { "user" } else { "project" };
            let layer = if file.contains("local") { "local" } else { layer };
            let ran = env.run(&[&change[..], &["--host", host, "--in", layer]].concat()).ended(2);
            let line = if *host == "agents" { "config.toml:2:" } else { "line " };
            assert!(ran.err.contains(line) && ran.err.contains(&env.text(file)), "{host}: {ran:?}");
        }
        assert_eq!(
            files(&env),
            [((*file).to_owned(), broken.as_bytes().to_vec())],
            "{host}: nothing else is written"
        );
        // A broken file counts as deny, not as empty. Claude Code, Copilot CLI, pi and Qwen Code (in a
        // project) are known to treat it as empty: for them we do the same, and say so.
        if *host != "agents" {
            let list = env.run(&["list", "--host", host, "--json"]).ended(0);
            assert!(list.err.contains(&format!("{}:", env.text(file))), "{host}: {list:?}");
            let ignored = ["claude", "copilot", "pi", "qwen"].contains(host);
            assert_eq!(list.err.contains("ignores the whole file"), ignored, "{host}: {list:?}");
            let list: serde_json::Value = serde_json::from_str(list.out()).unwrap();
            let rows = list["skills"].as_array().unwrap();
            assert!(
                rows.iter().all(|row| (row["permission"] == "deny") != ignored),
                "{host}: {list}"
            );
        }
    }
}

/// A realistic file: comments where they are allowed, CRLF, an odd order, a secret.
#[rustfmt::skip]
const KEPT: &[(&str, &str, &str)] = &[
    ("codex", "home/.codex/config.toml", "# mine\r\nmodel = \"x\" # why\r\n\r\n[env]\r\nKEY = \"$SECRET\"\r\n"),
    ("claude", "home/.claude/settings.json", "{\n\t\"z\": \"$SECRET\",\n\t\"a\": [1,   2]\n}\n"),
    ("opencode", "home/.config/opencode/opencode.json", "{ // mine\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"z\": \"{env:SECRET}\", // keep\n}\n"),
    ("gemini", "home/.gemini/settings.json", "{\r\n  // mine\r\n  \"z\": \"$SECRET\",\r\n  \"a\": {}\r\n}"),
    ("copilot", "home/.copilot/settings.json", "{\n  // mine\n  \"z\": \"$SECRET\"\n}\n"),
    ("qwen", "home/.qwen/settings.json", "{\n  // mine\n  \"z\": \"$SECRET\"\n}\n"),
    ("codelia", "home/.codelia/config.json", "{\"version\":1,\"z\":\"$SECRET\"}"),
    ("kodelet", "home/.kodelet/config.yaml", "# mine\nz: $SECRET   # keep\n"),
];

#[cfg(unix)]
#[test]
fn an_agents_linked_file_stays_a_link_keeps_its_mode_and_every_other_byte() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for (host, file, before) in KEPT {
        let env = TestEnv::of(host);
        let real = env.write("dotfiles/settings", before);
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::fs::create_dir_all(env.at(file).parent().unwrap()).unwrap();
        symlink(&real, env.at(file)).unwrap();
        let is_kept = |env: &TestEnv| {
            let mode = std::fs::metadata(&real).unwrap().permissions().mode() & 0o777;
            assert!(env.at(file).is_symlink() && !real.is_symlink(), "{host}");
            assert_eq!(mode, 0o640, "{host}");
            let beside: Vec<_> = std::fs::read_dir(env.at("dotfiles")).unwrap().collect();
            assert_eq!(beside.len(), 1, "{host}: nothing is left beside it: {beside:?}");
        };
        env.run(&["disable", "pdf", "--host", host, "--in", "user"]).ended(0);
        is_kept(&env);
        let off = env.read("dotfiles/settings");
        let lost = before
            .split_inclusive('\n')
            .map(|line| line.trim_end_matches(['\r', '\n', '}', ']']))
            .find(|line| !off.contains(line));
        assert_eq!(lost, None, "{host}: {off}");
        assert_eq!(off.matches("\r\n").count() > 0, before.contains("\r\n"), "{host}: {off:?}");
        // A second time nothing is written, not even the same bytes.
        let stamp = std::fs::metadata(&real).unwrap().modified().unwrap();
        let again = env.run(&["disable", "pdf", "--host", host, "--in", "user"]).ended(0);
        assert!(again.err.contains("nothing to write"), "{host}: {again:?}");
        assert_eq!(
            (env.read("dotfiles/settings"), std::fs::metadata(&real).unwrap().modified().unwrap()),
            (off, stamp)
        );
        env.run(&["undo"]).ended(0);
        is_kept(&env);
        assert_eq!(env.read("dotfiles/settings"), *before, "{host}");
    }
}

/// An environment in which six agents have been used, with what stands in their files.
fn everyone() -> TestEnv {
    let env = TestEnv::of("agents");
    for (_, file, text) in KEPT {
        env.write(file, text);
    }
    env
}

#[test]
fn with_all_hosts_one_undo_restores_every_file() {
    let env = everyone();
    let before = files(&env);
    let path = env.text("repo/.agents/skills/pdf");
    let change = env.json("change", &["disable", &path, "--host", "all", "--json"]);
    let changed = change["files"].as_array().unwrap().len();
    assert!(changed >= 6 && files(&env) != before, "{change}");
    let undone = env.json("undo", &["undo", "--json"]);
    assert_eq!(undone["files"].as_array().unwrap().len(), changed);
    assert_eq!(files(&env), before, "files that were made are gone, the others are as they were");
    assert_eq!(env.run(&["undo"]).ended(1).err, "skillpick: there is nothing to undo\n");
}

#[test]
fn with_all_hosts_one_unwritable_file_leaves_all_unchanged() {
    let env = everyone();
    // A folder is in the place of opencode's file.
    let file = "home/.config/opencode/opencode.json";
    std::fs::remove_file(env.at(file)).unwrap();
    std::fs::create_dir_all(env.at(format!("{file}/in-the-way"))).unwrap();
    let before = files(&env);
    let path = env.text("repo/.agents/skills/pdf");
    let ran = env.run(&["disable", &path, "--host", "all"]).ended(2);
    assert!(ran.err.contains("opencode.json"), "{ran:?}");
    assert_eq!(files(&env), before);
    assert_eq!(env.run(&["undo"]).ended(1).err, "skillpick: there is nothing to undo\n");
}

#[test]
fn a_switch_that_another_file_overrules_is_refused_and_names_that_file() {
    let env = TestEnv::of("gemini");
    env.write("home/.gemini/settings.json", "{\n  \"skills\": { \"disabled\": [\"pdf\"] }\n}\n");
    let before = files(&env);
    let ran = env.run(&["enable", "pdf", "--host", "gemini", "--in", "project"]).ended(1);
    let place = format!("{}:2", env.text("home/.gemini/settings.json"));
    assert!(ran.err.contains(&place) && ran.err.contains("stays off"), "{ran:?}");
    assert_eq!(files(&env), before);
    let dry = env.json(
        "change",
        &["enable", "pdf", "--host", "gemini", "--in", "user", "--dry-run", "--json"],
    );
    assert_eq!((&dry["written"], &dry["files"][0]["layer"]), (&json!(false), &json!("user")));
    assert_eq!(files(&env), before, "a dry run writes nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_we_may_write_but_do_not_own_keeps_its_owner() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let env = TestEnv::of("qwen");
    let file = env.write("home/.qwen/settings.json", "{}\n");
    let given = Command::new("chown").args(["-R", "65534:65534"]).arg(&env.top).output();
    if !given.is_ok_and(|chown| chown.status.success()) {
        return skipped("only root may give files away");
    }
    std::os::unix::fs::chown(&file, Some(4321), Some(4322)).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    for run in [&["disable", "pdf", "--host", "qwen"][..], &["undo"]] {
        let Ok(ran) = env.command(run).uid(65534).gid(65534).output() else {
            return skipped("another user cannot run the program from here");
        };
        assert!(ran.status.success(), "{run:?}: {ran:?}");
        let metadata = std::fs::metadata(&file).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (4321, 4322), "{run:?}");
        assert_eq!(metadata.mode() & 0o777, 0o666);
        assert_eq!(env.read("home/.qwen/settings.json").contains("pdf"), run.len() > 1);
        assert_eq!(std::fs::read_dir(env.at("home/.qwen")).unwrap().count(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mounted_by_itself_is_changed() {
    let env = TestEnv::of("qwen");
    env.write("home/.qwen/settings.json", "");
    env.write("outside.json", "{}\n");
    let script = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"";
    let mounted = |arguments: &[&str]| {
        let mut outer = Command::new("unshare");
        outer.args(["-Urm", "sh", "-c", script, "sh"]);
        outer.args([env.at("outside.json"), env.at("home/.qwen/settings.json")]);
        let program = env.command(arguments);
        outer.arg(program.get_program()).args(program.get_args());
        outer.env_clear().current_dir(env.at("repo")).stdin(Stdio::null());
        outer.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        outer.output().ok()
    };
    if !mounted(&["--version"]).is_some_and(|ran| ran.status.success()) {
        return skipped("no file can be mounted here (user namespaces)");
    }
    for run in [&["disable", "pdf", "--host", "qwen"][..], &["undo"], &["redo"]] {
        let ran = mounted(run).unwrap();
        assert!(ran.status.success(), "{run:?}: {ran:?}");
        assert_eq!(env.read("outside.json").contains("pdf"), run != ["undo"]);
        assert_eq!(std::fs::read_dir(env.at("home/.qwen")).unwrap().count(), 1, "{run:?}");
    }
}
