//! What a change does beside what was asked for: it is refused, or told.

use crate::env::TestEnv;

const CLAUDE: &str = "home/.claude/settings.json";

/// Whether the model may load the skill, by a host.
fn permission(env: &TestEnv, host: &str, name: &str) -> String {
    let list = env.json("list", &["list", "--json", "--host", host]);
    let rows = list["skills"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap()["permission"].as_str().unwrap().to_owned()
}

#[test]
fn a_rule_for_one_skill_never_takes_away_one_that_others_are_under() {
    let env = TestEnv::new();
    for name in ["pdf", "pdf-secret"] {
        env.skill("home/.claude/skills", name, "d");
    }
    let before = "{\"permissions\": {\"deny\": [\"Skill(pdf:*)\", \"Skill(pdf)\"]}}\n";
    env.write(CLAUDE, before);
    let permit = ["permit", "allow", "pdf", "--host", "claude", "--in", "user"];
    let refused = env.run(&permit).ended(1).err;
    assert!(refused.contains("permissions.deny \"Skill(pdf:*)\""), "{refused}");
    assert_eq!(env.read(CLAUDE), before);
    // Where no other skill begins so, the rule goes with the name.
    std::fs::remove_dir_all(env.at("home/.claude/skills/pdf-secret")).unwrap();
    env.run(&permit).ended(0);
    assert_eq!(permission(&env, "claude", "pdf"), "allow");
}

#[test]
fn a_file_that_can_be_read_again_brings_others_back_and_the_change_says_so() {
    let env = TestEnv::new();
    for name in ["a", "b", "c"] {
        env.skill("home/.agents/skills", name, "d");
    }
    env.write("home/.config/amp/settings.json", "\n");
    assert_eq!(permission(&env, "amp", "b"), "deny");
    let told = env.run(&["permit", "deny", "a", "--host", "amp"]).ended(0).err;
    let wanted = "amp: also changed: 2 other skills, since settings.json can be read again";
    assert!(told.contains(wanted), "{told}");
    assert_eq!(permission(&env, "amp", "b"), "allow");
    // The next change is about its own skill alone.
    let told = env.run(&["permit", "deny", "c", "--host", "amp"]).ended(0).err;
    assert!(!told.contains("also changed"), "{told}");
}

#[test]
fn a_name_that_an_agent_would_expand_is_not_written() {
    let hosts = ["opencode", "kilo", "gemini", "qoder"];
    let names = ["helper{file:./nope}", "x{env:HOME}", "$HOME", "a${HOME}b", "${}$-{env:}{file:"];
    for (host, name) in hosts.into_iter().flat_map(|host| names.map(|name| (host, name))) {
        let env = TestEnv::new();
        let frontmatter = format!("name: '{name}'\ndescription: d");
        // Qoder calls a skill by its folder.
        let folder = if name.contains('/') { "x" } else { name };
        let skill = env.raw_skill(&format!("home/.agents/skills/{folder}"), &frontmatter, "");
        let has_variables = matches!(host, "gemini" | "qoder");
        let is_named = match name {
            "helper{file:./nope}" | "x{env:HOME}" => !has_variables,
            "$HOME" | "a${HOME}b" => has_variables,
            _ => false,
        };
        let ran = env.run(&["disable", &skill.display().to_string(), "--host", host]);
        let is_refused = ran.err.contains("(a variable or a file), so they cannot name it");
        assert_eq!(is_refused, is_named, "{host} {name}: {ran:?}");
        assert!(ran.code == 0 || is_named || name == "$HOME", "{host} {name}: {ran:?}");
    }
}

#[test]
fn a_new_list_of_what_is_on_says_that_it_is_one() {
    let env = TestEnv::new();
    for name in ["a", "b"] {
        env.skill("home/.kodelet/skills", name, "d");
    }
    let told = env.run(&["disable", "a", "--host", "kodelet"]).ended(0).err;
    let wanted = "off as well: every skill that its new list does not name";
    assert!(told.contains(wanted), "{told}");
    let told = env.run(&["disable", "b", "--host", "kodelet"]).ended(0).err;
    assert!(!told.contains(wanted), "{told}");
}

#[test]
fn names_that_leave_the_list_of_what_is_on_are_said() {
    let env = TestEnv::new();
    for name in ["a", "b", "c"] {
        env.skill("home/.kodelet/skills", name, "d");
    }
    env.write("home/.kodelet/config.yaml", "skills:\n  enabled: false\n  allowed: [a, b, z]\n");
    let told = env.run(&["enable", "c", "--host", "kodelet"]).ended(0).err;
    assert!(told.contains("off as well: a, b, which its list named"), "{told}");
    // Who is asked for needs no word.
    let told = env.run(&["disable", "c", "--host", "kodelet"]).ended(0).err;
    assert!(!told.contains("off as well"), "{told}");
}

#[test]
fn who_is_only_for_people_after_enable_is_said_to_be() {
    let env = TestEnv::new();
    env.raw_skill(
        "home/.agents/skills/b",
        "name: b\ndescription: d\ndisable-model-invocation: true\n",
        "",
    );
    let told = env.run(&["enable", "b", "--host", "pi"]).ended(0).err;
    assert!(told.contains("pi: user-only by disable-model-invocation"), "{told}");
}

/// No rule lets a model have what its own file keeps from models.
#[test]
fn no_rule_is_offered_for_a_skill_that_is_only_for_people() {
    let env = TestEnv::new();
    env.raw_skill(
        "home/.claude/skills/cl",
        "name: cl\ndescription: d\ndisable-model-invocation: true\n",
        "",
    );
    let refused = env.run(&["load", "cl", "--host", "claude"]).ended(1).err;
    assert!(refused.contains("no rule can, since its own file keeps it from models"), "{refused}");
    let permit = env.run(&["permit", "allow", "cl", "--host", "claude"]).ended(1).err;
    assert!(permit.contains("because of disable-model-invocation"), "{permit}");
}

#[cfg(unix)]
#[test]
fn a_dry_run_refuses_what_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "b", "d");
    let file = "home/.codex/config.toml";
    env.write(file, "# mine\n");
    std::fs::set_permissions(env.at(file), std::fs::Permissions::from_mode(0o444)).unwrap();
    for more in [&["--dry-run"][..], &[]] {
        let arguments = [&["disable", "b", "--host", "codex"], more].concat();
        let refused = env.run(&arguments).ended(2).err;
        assert!(refused.contains("is read-only: make it writable (`chmod u+w`)"), "{refused}");
    }
    // Others change, and this one is named.
    let told = env.run(&["disable", "b", "--host", "all"]).ended(0).err;
    assert!(told.contains("codex: unchanged: ") && told.contains("read-only"), "{told}");
    assert_eq!(env.read(file), "# mine\n");
}

#[test]
fn names_that_begin_with_a_sign_are_names() {
    let env = TestEnv::new();
    for (folder, name) in [("dash", "-dash"), ("cmd", "/cmd"), ("v", "$v")] {
        env.raw_skill(
            &format!("home/.config/opencode/skills/{folder}"),
            &format!("name: '{name}'\ndescription: d\n"),
            "",
        );
    }
    for pattern in ["-dash", "-da*"] {
        env.run(&["permit", "deny", "--host", "opencode", "--", pattern]).ended(0);
        let settings = env.read("home/.config/opencode/opencode.json");
        assert!(settings.contains(&format!("\"{pattern}\": \"deny\"")), "{settings}");
    }
    let refused = env.run(&["permit", "deny", "a", "--", "x"]).ended(2).err;
    assert!(refused.contains("add --script"), "{refused}");
    for name in ["/cmd", "$v"] {
        let show = env.json("show", &["show", "--json", "--host", "opencode", name]);
        assert_eq!(show["skill"]["name"], name);
    }
}
