//! What a model is told in each dialect: rules, names, and only the tools that are there.

use super::{Client, NAME, names, validated};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// Every tool that some dialect has, and each dialect with its own.
const TOOLS: [(&str, &[&str]); 5] = [
    (
        "codelia",
        &[
            "skill_search",
            "skill_load",
            "skill_unload",
            "skill_read",
            "skills_list",
            "context_inspect",
            "skill_run_script",
        ],
    ),
    ("kodelet", &["skill"]),
    ("spec0027", &["skills.load", "skills.readFile"]),
    ("remcochat", &["skills.activate", "skills.readResource"]),
    ("run", &["skills.load", "skills.unload", "skills.read", "skills.run_script"]),
];

/// The tools of other dialects that a text names.
fn strange<'a>(text: &str, own: &[&str]) -> Vec<&'a str> {
    let words: Vec<&str> =
        text.split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter))).collect();
    let words: Vec<&str> = words.iter().map(|word| word.trim_matches('.')).collect();
    let all = TOOLS.iter().flat_map(|(_, tools)| *tools).copied();
    // `skill` is a word of its own, and no dialect has this tool beside others.
    all.filter(|tool| *tool != "skill" && !own.contains(tool) && words.contains(tool)).collect()
}

#[test]
fn no_text_for_a_model_names_a_tool_that_is_not_there() {
    let env = validated().variable("SKILLPICK_FAILPOINT", "patient");
    env.skill("repo/.agents/skills", "twin", "One.");
    env.skill("home/.agents/skills", "twin", "Another.");
    for number in 0..3 {
        env.skill("repo/.agents/skills", &format!("more-{number}"), "More.");
    }
    for (scripts, entries) in [(false, 200), (true, 2)] {
        env.write(
            "home/.config/skillpick/config.toml",
            format!(
                "version = 1\n[skills.initial]\nmax_entries = {entries}\n[scripts]\nenabled = {scripts}\n"
            ),
        );
        for (dialect, own) in TOOLS {
            let own: Vec<&str> =
                own.iter().copied().filter(|tool| scripts || !tool.contains("script")).collect();
            let mut client = Client::silent(&env, &["--host", "agents", "--dialect", dialect]);
            let mut texts = vec![client.initialize("2025-06-18", json!({})).to_string()];
            let listed = client.result("tools/list", json!({}));
            assert_eq!(names(&listed["tools"]), own, "{dialect}");
            texts.push(listed.to_string());
            let load = *own
                .iter()
                .find(|tool| tool.contains("load") || tool.contains("activate"))
                .unwrap_or(&own[0]);
            for name in [NAME, NAME, "twin", "none", "", "more-0"] {
                let arguments = match dialect {
                    "kodelet" => json!({ "skill_name": name }),
                    "run" => json!({ "names": [name] }),
                    _ => json!({ "name": name }),
                };
                let params = json!({ "name": load, "arguments": arguments });
                texts.push(client.result("tools/call", params).to_string());
            }
            for text in texts {
                assert_eq!(strange(&text, &own), [""; 0], "{dialect}: {text}");
            }
        }
    }
}

#[test]
fn a_model_knows_rules_and_names_from_the_start_in_every_dialect() {
    let env = validated().variable("SKILLPICK_FAILPOINT", "patient");
    for (dialect, own) in TOOLS {
        let mut client = Client::silent(&env, &["--host", "agents", "--dialect", dialect]);
        let result = client.initialize("2025-06-18", json!({}));
        let mut told = result["instructions"].as_str().unwrap().to_owned();
        if dialect == "kodelet" {
            assert!(told.contains("the description of the tool skill"), "{told}");
            told = client.result("tools/list", json!({}))["tools"][0]["description"].to_string();
            for words in
                ["BLOCKING REQUIREMENT", "IMMEDIATELY", "already running", "uv", "Only the skills"]
            {
                assert!(told.contains(words), "{words}: {told}");
            }
        } else {
            let load = own.iter().find(|tool| tool.contains("load") || tool.contains("activate"));
            let rule = format!("You MUST call {} before", load.unwrap());
            assert!(told.contains(&rule), "{dialect}: {told}");
        }
        assert!(told.contains(NAME) && told.contains("Only the skills"), "{dialect}: {told}");
    }
}

/// A model without a search learns of a skill by the catalog only. The scan takes half a second.
#[test]
fn where_nothing_else_finds_a_skill_the_first_answer_waits_for_the_catalog() {
    let env = validated().variable("SKILLPICK_FAILPOINT", "slow-catalog");
    for dialect in ["run", "spec0027", "remcochat"] {
        let mut client = Client::silent(&env, &["--host", "agents", "--dialect", dialect]);
        let told = client.initialize("2025-06-18", json!({}))["instructions"].to_string();
        assert!(told.contains(NAME) && told.contains("Only the skills"), "{dialect}: {told}");
    }
}

fn instructions(env: &TestEnv) -> String {
    let mut client = Client::silent(env, &["--host", "agents", "--dialect", "remcochat"]);
    client.initialize("2025-06-18", json!({}))["instructions"].as_str().unwrap().to_owned()
}

#[test]
fn instructions_are_bounded_and_say_what_is_left_out() {
    let env = TestEnv::new();
    for number in 0..150 {
        env.skill("repo/.agents/skills", &format!("skill-{number:03}"), &"Long. ".repeat(80));
    }
    let told = instructions(&env);
    assert!(told.contains("still being read") || told.contains("skill-000"), "{told}");
    let told = instructions(&env.variable("SKILLPICK_FAILPOINT", "patient"));
    assert!(told.len() <= 8 << 10, "{}", told.len());
    let said: Json = serde_json::from_str(&told).unwrap();
    let shown = said["available_skills"].as_array().unwrap().len();
    let last = said["usage"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    assert!(last.contains(&format!("{} skills are left out", 150 - shown)), "{shown}: {last}");
    assert_eq!(said["truncated"], true);
}

/// Some clients give the model both the text of an answer and its data, and some only the data.
#[test]
fn a_model_gets_a_text_once_and_no_schemas_of_answers() {
    let env = validated();
    for (dialect, tool, input) in [
        ("codelia", "skill_load", json!({ "name": NAME })),
        ("kodelet", "skill", json!({ "skill_name": NAME })),
        ("spec0027", "skills.load", json!({ "name": NAME })),
        ("remcochat", "skills.activate", json!({ "name": NAME })),
        ("run", "skills.load", json!({ "names": [NAME] })),
    ] {
        let words = ["serve", "--host", "agents", "--dialect", dialect];
        let mut client = Client::over(env.command(&words)).begun(json!({}));
        let listed = client.result("tools/list", json!({})).to_string();
        assert!(!listed.contains("outputSchema") && listed.len() < 8_192, "{dialect}: {listed}");
        let loaded = client.result("tools/call", json!({ "name": tool, "arguments": input }));
        assert_eq!(loaded["isError"], false, "{dialect}: {loaded}");
        assert_eq!(loaded.to_string().matches("MARKER_BODY").count(), 1, "{dialect}: {loaded}");
    }
}
