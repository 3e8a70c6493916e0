//! Catalogs of other directories: listed and kept, and no way around rules.

use super::{Client, DEADLINE, NAME, names, validated};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use std::time::Instant;

fn other(env: &TestEnv) -> String {
    env.write("other/.git/HEAD", "ref: refs/heads/main\n");
    env.skill("other/.agents/skills", "there", "In the other repository.");
    env.skill("home/.agents/skills", "mine", "Everywhere.");
    env.text("other")
}

fn listed(list: &Json) -> Vec<&str> {
    let mut names = names(&list["skills"]);
    names.sort_unstable();
    names
}

#[test]
fn cod_10_1_the_list_is_of_the_directory_that_is_asked_for() {
    let env = validated();
    let other = other(&env);
    env.write("other/deep/down/.keep", "");
    let mut client = Client::new(&env, &[]);
    let mut list = |cwd: &str| client.call("skills_list", json!({ "cwd": cwd })).0;
    for own in [".", &env.text("repo"), "../repo", "../other/../repo"] {
        let data = list(own);
        assert_eq!(
            (listed(&data), &data["cwd"]),
            (vec!["mine", NAME], &json!(env.text("repo"))),
            "{own}"
        );
    }
    for cwd in [other.as_str(), "../other", "../other/"] {
        let data = list(cwd);
        assert_eq!((listed(&data), &data["cwd"]), (vec!["mine", "there"], &json!(other)), "{cwd}");
    }
    // The chain up to the repository's root, as for a session there.
    assert_eq!(listed(&list("../other/deep/down")), ["mine", "there"]);
    for cwd in ["/none", "../none", "a\u{202e}b", "\0"] {
        let (code, text) = client.refusal("skills_list", json!({ "cwd": cwd }));
        assert!(code == "no_directory" && !text.contains('\u{202e}'), "{cwd}: {code} {text}");
    }
    let (code, text) = client.refusal(
        "skills_list",
        json!({ "cwd": format!("../repo/.agents/skills/{NAME}/SKILL.md") }),
    );
    assert!(code == "no_directory" && text.contains("not a folder"), "{code} {text}");
}

#[test]
fn cod_10_1_changes_elsewhere_are_seen() {
    let env = TestEnv::new();
    let other = other(&env);
    let mut client = Client::new(&env, &[]);
    let list = |client: &mut Client, again: bool| {
        client.call("skills_list", json!({ "cwd": other, "force_reload": again })).0
    };
    assert_eq!(listed(&list(&mut client, false)), ["mine", "there"]);
    env.skill("other/.agents/skills", "later", "Added.");
    assert_eq!(listed(&list(&mut client, true)), ["later", "mine", "there"]);
    std::fs::remove_dir_all(env.at("other")).unwrap();
    assert_eq!(client.refusal("skills_list", json!({ "cwd": other })).0, "no_directory");
}

#[test]
fn aab_7_lists_are_kept_for_each_directory_and_every_write_renews_them() {
    let env = TestEnv::new();
    let other = other(&env);
    let mut client = Client::new(&env, &[]);
    let mut becomes = |wanted: &[&str]| {
        let start = Instant::now();
        loop {
            let list = client.call("skills_list", json!({ "cwd": other })).0;
            if listed(&list) == wanted {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "{wanted:?}: {list}");
        }
    };
    becomes(&["mine", "there"]);
    // Nobody asks for it to be read again: a write of a skill does, and one of settings, here or
    // there.
    env.skill("other/.agents/skills", "later", "Added.");
    becomes(&["later", "mine", "there"]);
    env.run(&["-C", &other, "permit", "deny", "later", "--in", "project"]).ended(0);
    becomes(&["mine", "there"]);
    env.run(&["permit", "deny", "mine"]).ended(0);
    becomes(&["there"]);
    env.run(&["permit", "allow", "mine"]).ended(0);
    std::fs::remove_dir_all(env.at("other/.agents/skills/there")).unwrap();
    becomes(&["mine"]);
}

#[test]
fn cod_10_1_what_is_elsewhere_is_listed_by_its_own_rules_and_never_loaded() {
    let env = validated();
    let other = other(&env);
    env.skill("other/.agents/skills", "kept", "Denied in its own repository.");
    let permit = env.run(&["-C", &other, "permit", "deny", "kept", "--in", "project"]);
    assert_eq!(permit.code, 0, "{permit:?}");
    let mut client = Client::new(&env, &[]);
    assert_eq!(listed(&client.call("skills_list", json!({ "cwd": other })).0), ["mine", "there"]);
    // No request loads it, by name or by path, and its files are not readable.
    let path = format!("{other}/.agents/skills/there/SKILL.md");
    for argument in ["there", &path, &format!("[$there]({path})")] {
        assert_eq!(
            client.refusal("skill_load", json!({ "name": argument })).0,
            "unknown",
            "{argument}"
        );
        client.refusal("skill_read", json!({ "skill": argument, "path": "SKILL.md" }));
    }
    let id = client.request("resources/read", json!({ "uri": "skill://there/SKILL.md" }));
    assert!(client.answer(id)["error"]["code"].is_i64());
    let resources = client.result("resources/list", json!({})).to_string();
    let prompts = client.result("prompts/list", json!({})).to_string();
    assert!(!resources.contains("there") && !prompts.contains("there"), "{resources} {prompts}");
}

#[test]
fn cod_10_2_the_known_catalogs_are_listed_and_bounded() {
    let env = validated();
    let other = other(&env);
    env.write("other/.agents/skills/broken/SKILL.md", "---\nname: Broken Name\n---\n");
    let mut client = Client::new(&env, &[]);
    let known = |client: &mut Client| {
        let data = client.call("context_inspect", json!({})).0;
        data["catalogs"].as_array().unwrap().clone()
    };
    let own = json!({ "cwd": env.text("repo"), "skills_count": 2, "errors_count": 0 });
    assert_eq!(known(&mut client), std::slice::from_ref(&own));
    client.call("skills_list", json!({ "cwd": other }));
    client.call("skills_list", json!({ "cwd": "." }));
    let there = json!({ "cwd": other, "skills_count": 2, "errors_count": 1 });
    assert_eq!(known(&mut client), [own.clone(), there.clone()]);
    for number in 0..8 {
        env.write(format!("places/{number}/.keep"), "");
        client.call("skills_list", json!({ "cwd": env.text(&format!("places/{number}")) }));
        if number == 6 {
            // Asked for again, it is not the one that goes.
            client.call("skills_list", json!({ "cwd": other }));
        }
    }
    let rows = known(&mut client);
    assert!(rows.len() == 9 && rows[0] == own && rows.contains(&there), "{rows:?}");
    assert!(!rows.iter().any(|row| row["cwd"] == env.text("places/0")), "{rows:?}");
}
