//! Lines, folders and files that a change names, and the commands that it prints.

use crate::env::TestEnv;

const CONFIG: &str = "home/.config/skillpick/config.toml";

#[test]
fn a_refused_change_names_the_line_that_decides_as_it_is_now() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "evil", "d");
    let rule = |effect: &str, name: &str| {
        format!("[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n\n")
    };
    env.settings(&[rule("allow", "zzz"), rule("deny", "ev*")].concat());
    let line =
        env.read(CONFIG).lines().position(|line| line == "[[permissions.deny]]").unwrap() + 1;
    let refused = env.run(&["load", "evil"]).ended(1).err;
    let place = format!("{}:{line}", env.text(CONFIG));
    assert_eq!(refused.matches(&place).count(), 2, "{refused}");
    assert_eq!(refused.matches("config.toml:").count(), 2, "{refused}");
    let refused = env.run(&["permit", "allow", "evil"]).ended(1).err;
    assert!(refused.contains(&place), "{refused}");
}

#[test]
fn a_rule_for_all_agents_is_named_by_its_line_in_each_file() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "u1", "d");
    for file in ["home/.config/opencode/opencode.json", "home/.config/kilo/kilo.json"] {
        env.write(file, "{}");
    }
    let change = env.json("change", &["permit", "deny", "u*", "--host", "all", "--json"]);
    let files = change["files"].as_array().unwrap();
    let mut seen = 0;
    for file in files {
        let text = std::fs::read_to_string(file["path"].as_str().unwrap()).unwrap();
        let line = usize::try_from(file["line"].as_u64().unwrap()).unwrap();
        let said = text.lines().nth(line - 1).unwrap();
        if text.starts_with('{') {
            assert!(said.contains("\"u*\""), "{line}: {text}");
            seen += 1;
        }
    }
    assert!(seen >= 2, "{change}");
}

#[test]
fn a_printed_command_looks_where_the_first_one_looked() {
    let env = TestEnv::new();
    env.skill("other place/.agents/skills", "far", "d");
    std::fs::create_dir_all(env.at("other place/.git")).unwrap();
    env.write(
        "repo/mine.toml",
        "version = 1\n[[skills.config]]\nname = \"far\"\nenabled = false\n",
    );
    let there = ["-C", "../other place", "--config", "mine.toml"];
    let refused = env.run(&[&there[..], &["mention", "far"]].concat()).ended(1).err;
    let (folder, file) = (env.text("other place"), env.text("repo/mine.toml"));
    let command = format!("skillpick enable far -C '{folder}' --config {file}");
    assert!(refused.contains(&command), "{refused}");
    // The printed command does what it promises, from any folder.
    env.run(&["enable", "far", "-C", &folder, "--config", &file]).ended(0);
    assert_eq!(env.run(&[&there[..], &["mention", "far"]].concat()).ended(0).out(), "$far\n");
}
