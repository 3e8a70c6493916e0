//! Our own tools: COD-7, COD-8, COD-10, and consent.

use super::{Client, NAME, names, newest, refused, validated, validation};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

#[test]
fn cod_7_1_search_finds_and_ranks() {
    let env = validated();
    env.skill("repo/.agents/skills", "pdf", "Fill forms and extract tables.");
    env.skill("repo/.agents/skills", "pdf-tables", "Draw.");
    env.skill("home/.agents/skills", "sheets", "Fill columns of tables with numbers.");
    let mut client = Client::new(&env, &[]);
    let (data, text) = client.call("skill_search", json!({ "query": "pdf" }));
    assert_eq!(data["candidates"][0]["reason"], "exact_name", "{data}");
    assert_eq!(data["candidates"][1]["reason"], "prefix", "{data}");
    assert_eq!(text, data.to_string());
    // Not every word must be found (COD-5.5), and the repository comes first where two are as good
    // (COD-5.5b): both have two of the words among six.
    let (data, _) = client.call("skill_search", json!({ "query": "please fill these tables" }));
    assert_eq!(names(&data["candidates"]), ["pdf", "sheets", "pdf-tables"], "{data}");
    assert_eq!(data["candidates"][0]["reason"], "token_overlap", "{data}");
    let path = env.text("repo/.agents/skills/pdf/SKILL.md");
    let (data, _) = client.call("skill_search", json!({ "query": path }));
    assert_eq!(data["candidates"][0]["reason"], "exact_path", "{data}");
    let (data, _) =
        client.call("skill_search", json!({ "query": "fill tables", "limit": 1, "scope": "user" }));
    assert_eq!(
        (&data["candidates"][0]["name"], &data["truncated"]),
        (&json!("sheets"), &json!(false)),
        "{data}"
    );
    let (data, _) = client.call("skill_search", json!({ "query": "tables", "limit": 1 }));
    assert_eq!((&data["count"], &data["truncated"]), (&json!(1), &json!(true)), "{data}");
    assert_eq!(
        client.refusal("skill_search", json!({ "query": "x", "scope": "moon" })).0,
        "invalid_input"
    );
    assert_eq!(client.refusal("skill_search", json!({ "quary": "x" })).0, "invalid_input");
}

#[test]
fn cod_9_3_the_limits_of_a_search_hold() {
    let env = TestEnv::new();
    for number in 0..60 {
        env.skill("repo/.agents/skills", &format!("many-{number:02}"), "Counts.");
    }
    let mut client = Client::new(&env, &[]);
    assert_eq!(client.call("skill_search", json!({ "query": "many" })).0["count"], 8);
    assert_eq!(
        client.call("skill_search", json!({ "query": "many", "limit": 1000 })).0["count"],
        50
    );
}

#[test]
fn cod_7_2_load_gives_the_text_and_its_place() {
    let env = TestEnv::new();
    let folder = validation(&env);
    let mut client = Client::new(&env, &[]);
    let (data, text) = client.call("skill_load", json!({ "name": NAME }));
    assert!(text.starts_with("<skill_context") && text.contains("MARKER_BODY"), "{text}");
    assert!(text.contains("references/REFERENCE.md"), "{text}");
    assert_eq!(data["text"], text);
    assert_eq!(data["path"], env.text(&format!("{folder}/SKILL.md")));
    assert_eq!(data["dir"], env.text(&folder));
    assert!(
        data["mtime_ms"].as_u64().unwrap() > 0 && data["skill_id"].as_str().unwrap().len() == 24,
        "{data}"
    );
    // COD-6.3: the same again is a reminder, until it is given up or has changed.
    let (data, text) = client.call("skill_load", json!({ "path": env.text(&folder) }));
    assert_eq!(data["kind"], "reminder", "{data}");
    assert!(!text.contains("MARKER_BODY"), "{text}");
    let (data, _) = client.call("skill_unload", json!({ "names": [NAME, "none"] }));
    assert_eq!((&data["unloaded"], &data["active_skills"]), (&json!([NAME]), &json!([])), "{data}");
    assert!(client.call("skill_load", json!({ "name": NAME })).1.contains("MARKER_BODY"));
    env.write(
        format!("{folder}/SKILL.md"),
        format!("---\nname: {NAME}\ndescription: New.\n---\nCHANGED\n"),
    );
    assert!(client.call("skill_load", json!({ "name": NAME })).1.contains("CHANGED"));
}

#[test]
fn cod_7_2_an_ambiguous_name_lists_its_paths() {
    let env = TestEnv::new();
    let repo = env.skill("repo/.agents/skills", "twin", "One.");
    let user = env.skill("home/.agents/skills", "twin", "Other.");
    let mut client = Client::new(&env, &[]);
    let (code, text) = client.refusal("skill_load", json!({ "name": "twin" }));
    assert_eq!(code, "ambiguous");
    assert!(
        text.contains(repo.to_str().unwrap()) && text.contains(user.to_str().unwrap()),
        "{text}"
    );
    let (data, _) = client.call("skill_load", json!({ "name": "twin", "path": user }));
    assert_eq!(data["path"], user.to_str().unwrap());
    let (code, text) = client.refusal("skill_load", json!({ "name": "twni" }));
    assert!(code == "unknown" && text.contains("Available skills: twin"), "{code} {text}");
    assert_eq!(client.refusal("skill_load", json!({})).0, "empty");
    assert_eq!(client.refusal("skill_load", json!({ "path": "/etc/passwd" })).0, "unknown");
}

#[test]
fn cod_8_1_what_is_denied_is_neither_listed_nor_loaded() {
    let env = TestEnv::furnished();
    validation(&env);
    let mut client = Client::new(&env, &[]);
    client.call("skill_load", json!({ "name": NAME }));
    assert_eq!(env.run(&["permit", "deny", NAME]).code, 0);
    // The very next call knows.
    let (code, text) = client.refusal("skill_load", json!({ "name": NAME }));
    assert!(code == "denied" && text.contains("skillpick permit allow"), "{code} {text}");
    assert_eq!(
        client.refusal("skill_read", json!({ "skill": NAME, "path": "SKILL.md" })).0,
        "denied"
    );
    let (data, _) = client.call("skills_list", json!({}));
    assert!(!data.to_string().contains(NAME), "{data}");
    assert!(
        !client.call("skill_search", json!({ "query": NAME })).0["candidates"]
            .to_string()
            .contains(NAME)
    );
    let listed = client.result("resources/list", json!({}));
    assert!(!listed.to_string().contains(NAME), "{listed}");
    let id = client.request("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") }));
    assert_eq!(client.answer(id)["error"]["code"], -32002);
}

#[test]
fn cod_8_1_ask_without_elicitation_says_how_to_allow() {
    let env = validated();
    assert_eq!(env.run(&["permit", "ask", NAME]).code, 0);
    let mut client = Client::new(&env, &[]);
    let (code, text) = client.refusal("skill_load", json!({ "name": NAME }));
    assert_eq!(code, "needs_consent");
    let path = env.text(&format!("repo/.agents/skills/{NAME}/SKILL.md"));
    assert!(text.contains(&format!("skillpick permit allow {path}")), "{text}");
    assert_eq!(env.run(&["permit", "allow", NAME]).code, 0);
    assert!(client.call("skill_load", json!({ "name": NAME })).1.contains("MARKER_BODY"));
}

#[test]
fn cod_8_1_ask_is_put_to_the_person_by_elicitation() {
    let env = validated();
    assert_eq!(env.run(&["permit", "ask", NAME]).code, 0);
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    for (action, works) in [("decline", false), ("cancel", false), ("accept", true)] {
        let id = client
            .request("tools/call", json!({ "name": "skill_load", "arguments": { "name": NAME } }));
        let asked = client.question();
        assert!(asked["params"]["message"].as_str().unwrap().contains(NAME), "{asked}");
        client.reply(&asked, &json!({ "action": action }));
        let result = client.answer(id)["result"].clone();
        if works {
            assert!(
                result["content"][0]["text"].as_str().unwrap().contains("MARKER_BODY"),
                "{result}"
            );
        } else {
            assert_eq!(refused(&result).0, "declined");
        }
    }
}

#[test]
fn cod_8_2_only_files_of_the_skill_are_read() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.write("repo/secret.txt", "SECRET");
    std::os::unix::fs::symlink(env.at("repo/secret.txt"), env.at(format!("{folder}/out.txt")))
        .unwrap();
    let mut client = Client::new(&env, &[]);
    let mut read =
        |path: &str| client.refusal("skill_read", json!({ "skill": NAME, "path": path })).0;
    assert_eq!(read("/etc/passwd"), "absolute_path");
    assert_eq!(read("../../../secret.txt"), "parent_path");
    assert_eq!(read("out.txt"), "link_out");
    assert_eq!(read("none.txt"), "not_found");
    assert_eq!(read("assets/data.bin"), "binary");
    let (data, text) =
        client.call("skill_read", json!({ "skill": NAME, "path": "references/REFERENCE.md" }));
    assert_eq!(
        (text.as_str(), &data["content"]),
        ("MARKER_REFERENCE\n", &json!("MARKER_REFERENCE\n"))
    );
    let (data, _) = client.call(
        "skill_read",
        json!({ "skill": NAME, "path": "assets/data.bin", "encoding": "binary" }),
    );
    assert_eq!(
        (&data["media_type"], &data["encoding"]),
        (&json!("image/png"), &json!("binary")),
        "{data}"
    );
    // A model gets bytes as clients show them: an image as one, other files as resources.
    env.write(format!("repo/.agents/skills/{NAME}/assets/x.bin"), "\0\u{1}");
    for (file, kind) in [("assets/data.bin", "image"), ("assets/x.bin", "resource")] {
        let input = json!({ "skill": NAME, "path": file, "encoding": "binary" });
        let read = client.result("tools/call", json!({ "name": "skill_read", "arguments": input }));
        let (note, bytes) = (&read["content"][0]["text"], &read["content"][1]);
        assert!(note.as_str().unwrap().ends_with("bytes, which follow]"), "{read}");
        assert_eq!(bytes["type"], kind, "{read}");
        let (data, media_type) = match kind {
            "image" => (&bytes["data"], "image/png"),
            _ => (&bytes["resource"]["blob"], "application/octet-stream"),
        };
        assert_eq!(*data, read["structuredContent"]["content_b64"], "{read}");
        let told =
            if kind == "image" { &bytes["mimeType"] } else { &bytes["resource"]["mimeType"] };
        assert_eq!(*told, media_type, "{read}");
    }
    // Without a name the newest active one is meant (RUN-10).
    assert_eq!(client.refusal("skill_read", json!({ "path": "SKILL.md" })).0, "nothing_active");
    client.call("skill_load", json!({ "name": NAME }));
    assert!(client.call("skill_read", json!({ "path": "SKILL.md" })).1.contains("MARKER_BODY"));
}

#[test]
fn cod_10_1_and_10_2_list_and_inspect() {
    let env = validated();
    env.write("repo/.agents/skills/broken/SKILL.md", "---\nname: Broken Name\n---\n");
    let mut client = Client::new(&env, &[]);
    let (data, _) = client.call("skills_list", json!({}));
    assert_eq!(
        (&data["skills"][0]["name"], &data["skills"][0]["active"]),
        (&json!(NAME), &json!(false)),
        "{data}"
    );
    assert_eq!(data["errors"].as_array().unwrap().len(), 1, "{data}");
    env.skill("repo/.agents/skills", "added", "Later.");
    let (data, _) = client.call("skills_list", json!({ "force_reload": true }));
    assert_eq!(data["skills"].as_array().unwrap().len(), 2, "{data}");
    client.call("skill_load", json!({ "name": NAME }));
    let (data, _) = client.call("context_inspect", json!({ "include_skills": true }));
    assert_eq!(data["loaded_skill_versions"][0]["name"], NAME, "{data}");
    assert_eq!(data["loaded_skill_versions"][0]["state"], "current", "{data}");
    assert_eq!(data["skills"].as_array().unwrap().len(), 2, "{data}");
    assert!(client.call("context_inspect", json!({})).0.get("skills").is_none());
}

#[test]
fn cod_8_1_ask_is_put_to_the_person_by_the_newest_protocol() {
    let env = validated();
    assert_eq!(env.run(&["permit", "ask", NAME]).code, 0);
    let mut client = Client::silent(&env, &[]);
    let meta = newest(json!({ "elicitation": {} }));
    // No initialize: each request says all of it.
    let load = json!({ "name": "skill_load", "arguments": { "name": NAME }, "_meta": meta });
    let asked = client.result("tools/call", load.clone());
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    for (key, action, answer) in [
        ("load:other", "accept", "input_required"),
        (key.as_str(), "decline", "declined"),
        (key.as_str(), "accept", "complete"),
    ] {
        let mut again = load.clone();
        again["inputResponses"] = json!({ key: { "action": action } });
        let result = client.result("tools/call", again);
        if answer == "declined" {
            assert_eq!(refused(&result).0, "declined");
        } else {
            assert_eq!(result["resultType"], answer, "{result}");
        }
    }
    let wanted = json!({ "notifications": { "resourcesListChanged": true }, "_meta": meta });
    client.request("subscriptions/listen", wanted);
    client.expect(|message| message["method"] == "notifications/subscriptions/acknowledged");
    env.skill("repo/.agents/skills", "added", "Later.");
    client.expect(|message| message["method"] == "notifications/resources/list_changed");
}

#[test]
fn cod_13_the_acceptance_of_the_seed() {
    let env = TestEnv::new();
    // The chain of the repository, and the person's own.
    env.skill("repo/.agents/skills", "release-notes", "Write what has changed.");
    env.write(
        "repo/packages/app/.agents/skills/ship/SKILL.md",
        "---\nname: ship\ndescription: Make a release.\n---\nSHIP_BODY\n",
    );
    env.write("repo/packages/app/.agents/skills/ship/notes.md", "NOTES\n");
    env.skill("home/.agents/skills", "mine", "My own.");
    env.skill("home/.agents/skills", "release-notes", "Another of that name.");
    let start = |env: &TestEnv| {
        let mut command = env.command(&["serve", "--structured", "--session", "chat"]);
        command.current_dir(env.at("repo/packages/app"));
        Client::over(command).begun(json!({}))
    };
    let mut client = start(&env);
    let list = client.call("skills_list", json!({})).0;
    let sorted = |rows: &Json| {
        let mut names: Vec<String> = names(rows).into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        sorted(&list["skills"]),
        ["mine", "release-notes", "release-notes", "ship"],
        "{list}"
    );
    // A name that two have is an error that lists both.
    let (code, text) = client.refusal("skill_load", json!({ "name": "release-notes" }));
    assert!(code == "ambiguous" && text.matches("SKILL.md").count() == 2, "{text}");
    // A word is found in names and descriptions.
    let found = client.call("skill_search", json!({ "query": "release" })).0;
    assert_eq!(sorted(&found["candidates"]), ["release-notes", "release-notes", "ship"], "{found}");
    // Body, base directory, files.
    let (_, text) = client.call("skill_load", json!({ "name": "ship" }));
    let directory = env.text("repo/packages/app/.agents/skills/ship");
    assert!(
        text.contains("SHIP_BODY")
            && text.contains("Base directory: file://")
            && text.contains(&directory),
        "{text}"
    );
    assert!(text.contains("notes.md"), "{text}");
    // Again: a reminder. It is to be seen, by another process as well.
    assert_eq!(client.call("skill_load", json!({ "name": "ship" })).0["kind"], "reminder");
    assert!(client.end().0.success());
    let mut client = start(&env);
    let inspect =
        |client: &mut Client| client.call("context_inspect", json!({ "include_skills": true })).0;
    let before = inspect(&mut client);
    assert_eq!(before["loaded_skill_versions"][0]["name"], "ship", "{before}");
    assert_eq!(
        (&before["skills_count"], &before["session"]),
        (&json!(4), &json!("chat")),
        "{before}"
    );
    // A compaction takes the text and leaves the reference, by which it is loaded again.
    env.run(&["session", "chat", "--compacted"]).ended(0);
    let after = inspect(&mut client);
    assert_eq!(after["loaded_skill_versions"], before["loaded_skill_versions"], "{after}");
    let path = after["loaded_skill_versions"][0]["path"].clone();
    assert!(client.call("skill_load", json!({ "path": path })).1.contains("SHIP_BODY"));
}
