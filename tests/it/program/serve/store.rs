//! The skills of a project through the server.

use super::Client;
use crate::env::{TestEnv, postgres};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

fn shop(url: Option<&str>) -> TestEnv {
    let env = TestEnv::new().variable("SKILLPICK_AUTHOR", "ann");
    let url = url.map_or_else(String::new, |url| format!("url = \"{url}\"\n"));
    env.settings(&format!("[store]\n{url}project = \"shop\"\n"));
    env.run(&["project", "create", "shop"]).ended(0);
    env
}

fn put(env: &TestEnv, name: &str, body: &str) {
    let from = format!("tmp/{name}");
    env.raw_skill(&from, &format!("name: {name}\ndescription: The team's {name}."), body);
    env.run(&["project", "put", name, "--from", &env.text(&from)]).ended(0);
}

#[test]
fn aab_8c_and_9_a_stored_skill_has_no_directory_and_its_files_are_read() {
    let env = shop(None);
    env.skill("repo/.agents/skills", "pdf", "The repository's.");
    put(&env, "pdf", "Team text.\n");
    env.write("tmp/zip/notes.md", "Notes.\n");
    put(&env, "zip", "Zip text.\n");
    let mut client = Client::new(&env, &["--dialect", "spec0027"]);
    let (data, _) = client.call("skills.load", json!({ "name": " PDF " }));
    assert_eq!(
        data,
        json!({ "ok": true, "name": "pdf", "source": "project", "skillDirectory": null, "content": "Team text.\n" })
    );
    let (data, _) = client.call("skills.load", json!({ "name": "zip" }));
    assert_eq!((&data["content"], &data["skillDirectory"]), (&json!("Zip text.\n"), &Json::Null));
    let (data, _) = client.call("skills.readFile", json!({ "name": "zip", "path": "notes.md" }));
    assert_eq!(
        (&data["ok"], &data["content"], &data["path"]),
        (&json!(true), &json!("Notes.\n"), &json!("notes.md"))
    );
    for (name, path) in [
        ("pdf", "notes.md"),
        ("pdf", "SKILL.md"),
        ("zip", "../notes.md"),
        ("zip", "/etc/passwd"),
        ("zip", "none.md"),
    ] {
        let (_, text) = client.refusal("skills.readFile", json!({ "name": name, "path": path }));
        let said: Json = serde_json::from_str(&text).unwrap();
        assert!(said["ok"] == false && said["error"].is_string(), "{name} {path}: {said}");
    }
}

/// A second, and what a machine adds that is busy with the other tests.
const SOON: Duration = Duration::from_secs(5);

#[test]
fn aab_7_a_change_of_the_store_is_told_and_seen() {
    let server = postgres::shared().map(|server| shop(Some(&server.schema())));
    for env in std::iter::once(shop(None)).chain(server) {
        put(&env, "pdf", "One.\n");
        let mut client = Client::new(&env, &[]);
        let list = |client: &mut Client| {
            let list = client.call("skills_list", json!({})).0;
            list["skills"].as_array().unwrap().len()
        };
        assert_eq!(list(&mut client), 1);
        let start = Instant::now();
        put(&env, "zip", "Zip.\n");
        let is_told = |message: &Json| {
            let method = message["method"].as_str().unwrap_or_default();
            method.starts_with("notifications/") && method.ends_with("list_changed")
        };
        client.expect(is_told);
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert_eq!(list(&mut client), 2);
        let start = Instant::now();
        env.run(&["project", "delete", "pdf"]).ended(0);
        while list(&mut client) != 1 {
            assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        }
    }
}
