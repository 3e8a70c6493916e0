//! Environment variables that move agents' skills and settings: the real binary reads and writes
//! there.

use crate::env::TestEnv;
use serde_json::Value as Json;

/// An agent whose home a variable names: the variable, the skill's path below that home, and the
/// settings file there.
struct Named {
    host: &'static str,
    variable: &'static str,
    skills: &'static str,
    file: &'static str,
    default: &'static str,
}

const NAMED: &[Named] = &[
    Named {
        host: "codex",
        variable: "CODEX_HOME",
        skills: "skills",
        file: "config.toml",
        default: ".codex",
    },
    Named {
        host: "claude",
        variable: "CLAUDE_CONFIG_DIR",
        skills: "skills",
        file: "settings.json",
        default: ".claude",
    },
    Named {
        host: "copilot",
        variable: "COPILOT_HOME",
        skills: "skills",
        file: "settings.json",
        default: ".copilot",
    },
    Named {
        host: "gemini",
        variable: "GEMINI_CLI_HOME",
        skills: ".gemini/skills",
        file: ".gemini/settings.json",
        default: ".gemini",
    },
    Named {
        host: "opencode",
        variable: "XDG_CONFIG_HOME",
        skills: "opencode/skills",
        file: "opencode/opencode.json",
        default: ".config/opencode",
    },
    Named {
        host: "pi",
        variable: "PI_CODING_AGENT_DIR",
        skills: "skills",
        file: "settings.json",
        default: ".pi",
    },
    Named {
        host: "qwen",
        variable: "QWEN_HOME",
        skills: "skills",
        file: "settings.json",
        default: ".qwen",
    },
];

/// An environment in which this variable names the folder `elsewhere`.
fn env(variable: &'static str) -> TestEnv {
    let env = TestEnv::new();
    let elsewhere = env.text("elsewhere");
    env.variable(variable, &elsewhere)
}

/// The names and states that a host's list has.
fn listed(env: &TestEnv, host: &str) -> Vec<String> {
    let list = env.json("list", &["list", "--host", host, "--json"]);
    let say = |row: &Json| {
        format!("{} {}", row["name"].as_str().unwrap(), row["state"].as_str().unwrap())
    };
    list["skills"].as_array().unwrap().iter().map(say).collect()
}

#[test]
fn the_environment_sets_the_agents_home_for_reading_and_writing() {
    for named in NAMED {
        let env = env(named.variable);
        env.skill(&format!("elsewhere/{}", named.skills), "pdf", "In the folder that is named.");
        env.skill(&format!("home/{}/skills", named.default), "stray", "Where it would be else.");
        let (host, file) = (named.host, format!("elsewhere/{}", named.file));
        assert_eq!(listed(&env, host), ["pdf on"], "{host}");
        env.run(&["disable", "pdf", "--host", host, "--in", "user"]).ended(0);
        assert!(env.read(&file).contains("pdf"), "{host}: {}", env.read(&file));
        assert_ne!(
            listed(&env, host),
            ["pdf on"],
            "{host} does not read the file that was written"
        );
        // The settings there are read, as the line shows; the default home is not touched.
        let default: Vec<_> =
            std::fs::read_dir(env.at(format!("home/{}", named.default))).unwrap().collect();
        assert_eq!(default.len(), 1, "{host}: {default:?}");
        env.run(&["enable", "pdf", "--host", host, "--in", "user"]).ended(0);
        assert_eq!(listed(&env, host), ["pdf on"], "{host}");
    }
}

#[test]
fn a_host_is_found_by_the_folder_that_the_environment_names() {
    let detected = |env: &TestEnv| {
        let hosts = env.json("hosts", &["hosts", "--json"]);
        let rows = hosts["hosts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["id"].as_str().unwrap().to_owned());
        rows.collect::<Vec<String>>()
    };
    for (variable, below, host) in [
        ("CODEX_HOME", "", "codex"),
        ("CLAUDE_CONFIG_DIR", "", "claude"),
        ("COPILOT_HOME", "", "copilot"),
        ("OPENCODE_CONFIG_DIR", "", "opencode"),
        ("XDG_CONFIG_HOME", "opencode/", "opencode"),
        ("XDG_CONFIG_HOME", "amp/", "amp"),
        ("XDG_CONFIG_HOME", "goose/", "goose"),
    ] {
        let env = env(variable);
        assert_eq!(detected(&env), ["agents"], "{variable}");
        env.write(format!("elsewhere/{below}any-file"), "");
        assert_eq!(detected(&env), ["agents", host], "{variable}");
    }
}

#[test]
fn opencodes_additional_folder_is_read_too() {
    let env = env("OPENCODE_CONFIG_DIR");
    env.skill("elsewhere/skills", "pdf", "In the folder that is named.");
    env.skill("home/.config/opencode/skills", "own", "The person's own.");
    assert_eq!(listed(&env, "opencode"), ["own on", "pdf on"]);
    env.write(
        "elsewhere/opencode.json",
        "{ \"permission\": { \"skill\": { \"pdf\": \"deny\" } } }\n",
    );
    assert_eq!(listed(&env, "opencode"), ["own on", "pdf user-only"]);
    // The rule is removed from the file that has it.
    env.run(&["enable", "pdf", "--host", "opencode", "--in", "user"]).ended(0);
    assert_eq!(listed(&env, "opencode"), ["own on", "pdf on"]);
}

#[test]
fn amps_rules_are_in_the_platforms_config_folder() {
    let env = env("XDG_CONFIG_HOME");
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.run(&["permit", "deny", "pdf", "--host", "amp"]).ended(0);
    assert!(env.read("elsewhere/amp/settings.json").contains("\"reject\""));
    assert!(!env.at("home/.config").exists());
}

#[test]
fn codelias_root_and_settings_are_where_the_environment_says() {
    let env = TestEnv::new()
        .variable("CODELIA_AGENTS_ROOT", "..")
        .variable("CODELIA_CONFIG_PATH", "../../mine.json");
    env.skill("repo/.agents/skills", "top", "Above.");
    env.skill("repo/a/.agents/skills", "near", "Here.");
    env.skill(".agents/skills", "outside", "Above the root that is named.");
    let list = |env: &TestEnv| {
        let list = env.json("list", &["-C", "a", "list", "--host", "codelia", "--json"]);
        let say = |row: &Json| {
            format!("{} {}", row["name"].as_str().unwrap(), row["permission"].as_str().unwrap())
        };
        list["skills"].as_array().unwrap().iter().map(say).collect::<Vec<_>>()
    };
    assert_eq!(list(&env), ["near allow", "top allow"]);
    env.run(&["-C", "a", "permit", "deny", "top", "--host", "codelia", "--in", "user"]).ended(0);
    assert!(env.read("mine.json").contains("\"skill_name\": \"top\""), "{}", env.read("mine.json"));
    assert_eq!(list(&env), ["near allow", "top deny"]);
    assert!(!env.at("home/.codelia").exists());
}

#[test]
fn aab_2_the_folders_of_spec_0027_are_those_that_the_environment_lists() {
    let skilled = |env: &TestEnv| {
        env.skill("repo/.agents/skills", "pdf", "The standard's.");
        env.skill("repo/.codex/skills", "notes", "Codex's.");
        env.skill("repo/other", "aside", "Nobody's.");
    };
    for (value, names) in [
        (None, vec!["pdf on", "notes on"]),
        (Some(".codex/skills"), vec!["notes on"]),
        (Some(".codex/skills, .agents/skills"), vec!["pdf on", "notes on"]),
        (Some("other,.agents/skills"), vec!["pdf on"]),
    ] {
        let env = match value {
            Some(value) => TestEnv::new().variable("AGENT_SKILLS_DIRS", value),
            None => TestEnv::new(),
        };
        skilled(&env);
        let (mut seen, mut wanted) = (listed(&env, "spec0027"), names);
        seen.sort();
        wanted.sort_unstable();
        assert_eq!(seen, wanted, "{value:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_relative_home_directory_is_none() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "pdf", "d");
    let run = |arguments: &[&str]| {
        let mut command = env.command(arguments);
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", "rel").output().unwrap()
    };
    assert!(run(&["list"]).status.success());
    assert!(!env.at("repo/rel").exists(), "nothing is written wherever we are");
    let path = run(&["config", "--path"]);
    let err = String::from_utf8_lossy(&path.stderr);
    assert!(path.status.code() == Some(2) && err.contains("no home directory"), "{path:?}");
}
