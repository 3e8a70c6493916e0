//! Large files: offered with a warning, and refused only beyond the limit that the settings have.

use super::Client;
use crate::env::TestEnv;
use serde_json::json;

/// A skill whose `SKILL.md` has about so many bytes, in lines, and a mark of its own at the start.
fn large(env: &TestEnv, name: &str, bytes: usize) {
    let body = format!("{name}-BODY\n{}", "This line makes it long.\n".repeat(bytes / 25));
    let frontmatter = format!("name: {name}\ndescription: A large one.");
    env.raw_skill(&format!("repo/.agents/skills/{name}"), &frontmatter, &body);
}

#[test]
fn a_skill_of_three_megabytes_is_offered_with_its_cost_and_loads() {
    let env = TestEnv::new();
    large(&env, "long", 3_000_000);
    let listed = env.json("list", &["list", "--json"]);
    assert_eq!(listed["skills"][0]["name"], "long", "{listed}");
    let checked = env.run(&["check"]).ended(0);
    let words = "SKILL.md has 3.0 MB, which costs about 714k tokens";
    assert!(checked.out().contains(words), "{checked:?}");
    let cut = "[SKILL.md is cut: 200000 of 30000";
    let loaded = env.run(&["load", "long"]).ended(0);
    assert!(loaded.out().contains("long-BODY") && loaded.out().contains(cut));
    let mut client = Client::new(&env, &[]);
    let (_, text) = client.call("skill_load", json!({ "name": "long" }));
    assert!(text.contains("long-BODY") && text.contains(cut));
    let (_, text) = client.call("skill_read", json!({ "skill": "long", "path": "SKILL.md" }));
    assert!(text.contains("long-BODY"));
}

#[test]
fn beyond_the_limit_a_file_is_refused_with_its_size_the_limit_and_the_setting() {
    let env = TestEnv::new();
    large(&env, "long", 3_000_000);
    large(&env, "huge", 17 << 20);
    env.write("repo/.agents/skills/long/data.txt", "x".repeat(1_500_000));
    let words = |limit: usize| format!("at most {limit} MiB are read (setting skills.file_size)");
    let refused = |name: &str, limit: usize| {
        let ran = env.run(&["load", name]).ended(1);
        let told = ran.err.contains(&words(limit)) && ran.err.contains(" bytes");
        assert!(told, "{name}: {ran:?}");
        assert!(env.run(&["check"]).out().contains(&words(limit)));
    };
    refused("huge", 16);
    env.run(&["load", "long"]).ended(0);
    env.run(&["read", "long", "data.txt"]).ended(0);
    env.settings("skills.file_size = 1\n");
    refused("long", 1);
    let mut client = Client::new(&env, &[]);
    let (code, text) = client.refusal("skill_load", json!({ "name": "long" }));
    assert!(code == "invalid" && text.contains(&words(1)), "{code}: {text}");
    env.settings("skills.file_size = 17\n");
    env.run(&["load", "long"]).ended(0);
    env.settings("skills.file_size = 20\n");
    env.run(&["load", "huge"]).ended(0);
    // What a project says can only be less.
    env.write("repo/.skillpick.toml", "version = 1\nskills.file_size = 2\n");
    refused("long", 2);
    env.write("repo/.skillpick.toml", "version = 1\nskills.file_size = 30\n");
    env.run(&["load", "huge"]).ended(0);
}

#[test]
fn other_files_follow_the_same_limit_and_text_hidden_far_down_is_found() {
    let env = TestEnv::new();
    large(&env, "long", 1_000_000);
    let path = "repo/.agents/skills/long/SKILL.md";
    env.write(path, env.read(path) + "and \u{202e}hidden\n");
    env.write("repo/.agents/skills/long/data.txt", "x".repeat(1_500_000));
    let checked = env.run(&["check"]).ended(0);
    assert!(checked.out().contains(":40006:5") && checked.out().contains("bidi"), "{checked:?}");
    env.settings("skills.file_size = 1\n");
    let ran = env.run(&["read", "long", "data.txt"]).ended(2);
    assert!(ran.err.contains("data.txt: the file is too large: 1500000 bytes; at most 1 MiB"));
}

#[test]
fn what_a_model_is_given_has_its_own_limits_and_a_project_can_only_lower_them() {
    let env = TestEnv::new();
    large(&env, "long", 30_000);
    env.write("repo/.agents/skills/long/data.txt", "x".repeat(5_000));
    let cuts = |most: usize, of_data: usize| {
        let loaded = env.run(&["load", "long"]).ended(0);
        let read = env.run(&["read", "long", "data.txt"]).ended(0);
        let block = env.run(&["-f", "long", "--format", "block"]).ended(0);
        let cut = format!("[SKILL.md is cut: {most} of ");
        for (shown, is_cut) in [(loaded.out(), most < 30_000), (block.out(), most < 30_000)] {
            assert_eq!(shown.contains(&cut), is_cut, "{most}: {shown:.300}");
        }
        assert_eq!(read.out().matches('x').count(), of_data, "{of_data}");
    };
    cuts(200_000, 5_000);
    let settings = |text: &str, skill_md: usize, resource: usize| {
        format!(
            "{text}[skills.load]\nmax_skill_md_bytes = {skill_md}\nmax_resource_bytes = {resource}\n"
        )
    };
    env.settings(&settings("", 1_000, 400));
    cuts(1_000, 400);
    env.write("repo/.skillpick.toml", settings("version = 1\n", 900, 300));
    cuts(900, 300);
    env.write("repo/.skillpick.toml", settings("version = 1\n", 1_001, 401));
    cuts(1_000, 400);
}

#[test]
fn rem_3_1_the_limits_of_its_own_file_cut_texts_and_files() {
    let env = TestEnv::new();
    large(&env, "long", 3_000);
    env.write("repo/.agents/skills/long/data.txt", "x".repeat(5_000));
    let limits = "max_skill_md_bytes = 500\nmax_resource_bytes = 40\n";
    env.write("repo/config.toml", format!("version = 2\n[app.skills]\nenabled = true\n{limits}"));
    let mut client = Client::new(&env, &["--dialect", "remcochat"]);
    let (data, text) = client.call("skills.activate", json!({ "name": "long" }));
    assert_eq!(data["truncated"], true, "{data}");
    assert!(text.contains("[SKILL.md is cut: 500 of "), "{text}");
    let wanted = json!({ "name": "long", "path": "data.txt" });
    let (data, _) = client.call("skills.readResource", wanted);
    assert_eq!(data["truncated"], true, "{data}");
    let content = data["content"].as_str().unwrap();
    assert!(content.ends_with("[the file is cut: 40 of 5000 bytes are here]"), "{content}");
    assert_eq!(content.matches('x').count(), 40);
}
