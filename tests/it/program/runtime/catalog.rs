//! The catalog for a prompt: `prompt`, its forms, and what it leaves out.

use super::{SKILL, env};
use crate::env::TestEnv;
use serde_json::{Value, json};

#[test]
fn kod_6_off_means_no_catalog_and_no_load() {
    let env = env();
    assert!(env.run(&["load", SKILL, "--no-skills"]).ended(1).err.contains("skills are disabled"));
    let ran = env.run(&["prompt", "--format", "markdown", "--no-skills"]).ended(0);
    assert_eq!(ran.out(), "Skills are currently not available.\n");
}

/// The name under which `prompt --commands` lists its one skill, and the command that it names for
/// it, typed into a shell.
fn typed(env: &TestEnv, options: &[&str]) -> (String, std::process::Output) {
    let words = [&["prompt", "--commands", "--format", "json"], options].concat();
    let catalog: Value = serde_json::from_str(env.run(&words).ended(0).out()).unwrap();
    let name = catalog["available_skills"][0]["name"].as_str().unwrap().to_owned();
    let rule = catalog["usage"][0].as_str().unwrap();
    let command = rule.split('`').nth(1).unwrap();
    let line = command.replacen("skillpick ", "\"$0\" ", 1).replacen("NAME", &name, 1);
    let program = env.command(&[""; 0]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &line]).arg(program.get_program());
    shell.current_dir(program.get_current_dir().unwrap()).env_clear();
    shell.envs(program.get_envs().filter_map(|(key, value)| Some((key, value?))));
    (name, shell.output().unwrap())
}

#[cfg(unix)]
#[test]
fn the_commands_that_a_catalog_names_load_what_it_lists() {
    let env = TestEnv::new();
    env.write("home/.claude/used", "");
    env.skill("repo/.claude/skills", "theirs", "d");
    env.skill("home/.agents/skills", "mine", "d");
    env.skill("far away/skills", "afar", "d");
    let far = env.text("far away");
    let calls: [(&[&str], &str); 4] = [
        (&["--host", "claude", "--session", "chat"], "theirs"),
        (&["--host", "all", "--scope", "repo"], "theirs"),
        (&["--root", &far], "afar"),
        (&["--root", "../far away"], "afar"),
    ];
    for (options, name) in calls {
        let (listed, ran) = typed(&env, options);
        assert_eq!(listed, name, "{options:?}");
        assert!(ran.status.success() && !ran.stdout.is_empty(), "{options:?}: {ran:?}");
    }
    let ran = env.run(&["session", "chat", "--host", "claude"]).ended(0);
    assert!(ran.out().starts_with("theirs  current"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_name_that_a_shell_reads_otherwise_is_listed_as_a_word_that_it_does_not() {
    for (name, listed) in [
        ("plain-1", "plain-1"),
        ("two words", "'two words'"),
        ("$(touch pwn)", "'$(touch pwn)'"),
        ("x; touch pwn", "'x; touch pwn'"),
        ("it's", "'it'\\''s'"),
        ("--yes", "PATH"),
        ("a/../b", "PATH"),
    ] {
        let env = TestEnv::new();
        let text = format!("---\nname: {}\ndescription: d\n---\nx", json!(name));
        let path = env.write("repo/.agents/skills/s/SKILL.md", text);
        let (told, ran) = typed(&env, &[]);
        assert_eq!(told, listed.replace("PATH", path.to_str().unwrap()));
        assert!(ran.status.success(), "{name}: {ran:?}");
        assert!(!env.at("repo/pwn").exists(), "{name}");
    }
}

#[test]
fn a_truncated_catalog_says_what_is_missing() {
    let env = TestEnv::new();
    (10..40).for_each(|number| {
        env.skill("repo/.agents/skills", &format!("s{number}"), &"word ".repeat(40));
    });
    let ran = env.run(&["prompt", "--max-bytes", "4000"]).ended(0);
    ran.is_inert();
    assert!(
        ran.out().len() <= 4_001 && ran.err.contains("descriptions are shortened to"),
        "{ran:?}"
    );
    assert!(ran.err.contains("skills are left out:\n  s"), "{ran:?}");
    let json = env.json("prompt", &["prompt", "--max-entries", "3", "--format", "codex", "--json"]);
    assert_eq!((json["dropped"].as_array().unwrap().len(), &json["truncated"]), (27, &json!(true)));
    assert_eq!(json["dropped"][0]["limit"], "entries");
    env.settings("[skills.initial]\nmax_entries = 2\n");
    let json = env.json("prompt", &["prompt", "--json"]);
    assert_eq!(json["included"].as_array().unwrap().len(), 2);
    // A repository's settings cannot show more than the host or the person's settings do.
    env.write("repo/.skillpick.toml", "version = 1\n[skills.initial]\nmax_entries = 120\n");
    assert_eq!(env.json("prompt", &["prompt", "--json"])["limits"]["entries"], 2);
    env.settings("");
    let limits = |host: &str| {
        env.json("prompt", &["prompt", "--host", host, "--json"])["limits"]["entries"].clone()
    };
    assert_eq!([limits("spec0027"), limits("agents")], [json!(50), json!(120)]);
}

#[test]
fn cod_6_1_what_is_off_denied_or_broken_is_in_no_form_of_the_catalog() {
    let env = TestEnv::new();
    for name in ["fine", "denied", "switched"] {
        env.skill("repo/.agents/skills", name, "x");
        env.skill("repo/.claude/skills", name, "x");
    }
    env.write("repo/.agents/skills/broken/SKILL.md", "no frontmatter");
    let rule = "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"denied\"\n";
    env.settings(&format!("{rule}[[skills.config]]\nname = \"switched\"\nenabled = false\n"));
    // Claude Code lists denied skills; our prompt omits them, since the model could not load them.
    let claude =
        r#"{"permissions": {"deny": ["Skill(denied)"]}, "skillOverrides": {"switched": "off"}}"#;
    env.write("home/.claude/settings.json", claude);
    for host in ["agents", "claude"] {
        for form in ["agentskills", "codelia", "json", "markdown", "codex"] {
            let ran = env.run(&["prompt", "--host", host, "--format", form]).ended(0);
            assert!(ran.out().contains("fine"), "{host} {form}: {ran:?}");
            for absent in ["denied", "switched", "broken"] {
                assert!(!ran.out().contains(absent), "{host} {form} {absent}: {ran:?}");
            }
        }
        let json = env.json("prompt", &["prompt", "--host", host, "--json"]);
        assert_eq!(
            (json["included"].as_array().unwrap().len(), json["dropped"].as_array().unwrap().len()),
            (1, 0)
        );
    }
}
