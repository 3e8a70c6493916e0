//! Every request that returns text or files of a skill is judged by the same rules.

use super::consent::{asked, asking, eliciting, load};
use super::{Client, NAME, inner, validated, validation};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// Every request that returns text of a skill or names its files.
fn requests() -> Vec<(&'static str, Json)> {
    let at = |path: &str| json!({ "uri": format!("skill://{NAME}/{path}") });
    vec![
        ("resources/read", at("SKILL.md")),
        ("resources/read", at("references/REFERENCE.md")),
        ("resources/directory/read", at("")),
        ("resources/directory/read", at("references")),
        ("skills/get", at("SKILL.md")),
        ("prompts/get", json!({ "name": NAME })),
        (
            "tools/call",
            json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": "references/REFERENCE.md" } }),
        ),
        load(),
    ]
}

/// Whether a request was refused, and by which word.
fn word(answer: &Json) -> String {
    let result = &answer["result"];
    let word = if result.is_null() {
        &answer["error"]["data"]["skillpick/code"]
    } else {
        &result["_meta"]["skillpick/code"]
    };
    word.as_str().unwrap_or_default().to_owned()
}

#[test]
fn cod_8_1_no_request_hands_over_what_a_rule_asks_for() {
    let env = asking();
    for (method, params) in requests() {
        let mut client = Client::new(&env, &[]);
        let id = client.request(method, params.clone());
        let answer = client.answer(id);
        assert_eq!(word(&answer), "needs_consent", "{method} {params}: {answer}");
        let text = answer.to_string();
        let path = env.text(&format!("repo/.agents/skills/{NAME}/SKILL.md"));
        assert!(text.contains(&format!("skillpick permit allow {path}")), "{text}");
        assert!(!text.contains("MARKER") && !text.contains("sha256:"), "{text}");
        // Lists name the skill and nothing that is in it.
        let lists =
            [client.result("resources/list", json!({})), client.result("skills/list", json!({}))];
        for list in lists {
            let list = list.to_string();
            assert!(
                list.contains(NAME) && !list.contains("REFERENCE.md") && !list.contains("sha256:"),
                "{list}"
            );
        }
        // The person says no; then yes.
        let mut client = eliciting(&env);
        let answer = asked(&mut client, (method, params.clone()), &json!({ "action": "decline" }));
        assert_eq!(word(&answer), "declined", "{method} {params}: {answer}");
        let answer = asked(&mut client, (method, params.clone()), &json!({ "action": "accept" }));
        assert!(
            answer.get("error").is_none() && answer["result"]["isError"] != true,
            "{method} {params}: {answer}"
        );
    }
    // What was loaded with a yes may be read without another one.
    let mut client = eliciting(&env);
    asked(&mut client, load(), &json!({ "action": "accept" }));
    let read = client.result(
        "resources/read",
        json!({ "uri": format!("skill://{NAME}/references/REFERENCE.md") }),
    );
    assert_eq!(read["contents"][0]["text"], "MARKER_REFERENCE\n");
    assert!(client.result("skills/list", json!({})).to_string().contains("sha256:"));
}

#[test]
fn cod_8_1_what_is_off_or_denied_is_reached_by_no_request() {
    for change in [["permit", "deny"].as_slice(), &["disable"]] {
        let env = validated();
        env.run(&[change, &[NAME]].concat()).ended(0);
        let mut client = eliciting(&env);
        for list in ["resources/list", "skills/list", "prompts/list"] {
            let answer = client.result(list, json!({}));
            assert!(!answer.to_string().contains(NAME), "{change:?} {list}: {answer}");
        }
        for tool in [
            json!({ "name": "skills_list" }),
            json!({ "name": "skill_search", "arguments": { "query": NAME } }),
        ] {
            let answer = client.result("tools/call", tool);
            assert!(!answer.to_string().contains(NAME), "{change:?}: {answer}");
        }
        for (method, params) in requests() {
            let id = client.request(method, params.clone());
            let answer = client.answer(id);
            let refused = answer["error"]["code"].is_i64() || answer["result"]["isError"] == true;
            assert!(
                refused && !answer.to_string().contains("MARKER"),
                "{change:?} {method} {params}: {answer}"
            );
        }
    }
}

#[test]
fn hidden_text_is_refused_by_every_request() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.write(
        format!("{folder}/SKILL.md"),
        format!(
            "---\nname: {NAME}\ndescription: \"A\u{202e}B.\"\n---\nMARKER_BODY \u{202e}hidden\n"
        ),
    );
    env.write(format!("{folder}/references/REFERENCE.md"), "MARKER_REFERENCE\u{202e}\n");
    let mut client = eliciting(&env);
    for (method, params) in requests()
        .into_iter()
        .filter(|(method, _)| !["skills/get", "resources/directory/read"].contains(method))
    {
        let id = client.request(method, params.clone());
        let answer = client.answer(id);
        assert_eq!(word(&answer), "hidden_text", "{method} {params}: {answer}");
        assert!(!answer.to_string().contains("MARKER"), "{answer}");
    }
    // Messages show it with marks.
    for (method, params) in [
        ("resources/list", json!({})),
        ("prompts/list", json!({})),
        ("tools/call", json!({ "name": "skills_list" })),
        ("tools/call", json!({ "name": "skill_search", "arguments": { "query": NAME } })),
        (
            "tools/call",
            json!({ "name": "context_inspect", "arguments": { "include_skills": true } }),
        ),
    ] {
        let answer = client.result(method, params).to_string();
        assert!(answer.contains("<U+202E>") && !answer.contains('\u{202e}'), "{method}: {answer}");
    }
    // A strict host compares the frontmatter with the file, so the extension has no marks.
    assert_eq!(client.result("skills/list", json!({}))["skills"], json!([]));
    let list = client.call("skills_list", json!({})).0;
    let why = list["skills"][0]["needs_approval"].as_str().unwrap_or_default();
    assert!(why.contains("hides 2 bidi controls") && why.contains("skillpick approve"), "{list}");
    let about = Client::new(&env, &["--host", "agents", "--dialect", "kodelet"])
        .result("tools/list", json!({}))
        .to_string();
    assert!(about.contains(NAME) && !about.contains('\u{202e}'), "{about}");
}

#[test]
fn consent_to_a_load_is_for_that_text() {
    let env = asking();
    let mut client = eliciting(&env);
    asked(&mut client, load(), &json!({ "action": "accept" }));
    let read = |skill: bool| {
        let mut arguments = json!({ "path": "references/REFERENCE.md" });
        if skill {
            arguments["skill"] = json!(NAME);
        }
        ("tools/call", json!({ "name": "skill_read", "arguments": arguments }))
    };
    let address =
        ("resources/read", json!({ "uri": format!("skill://{NAME}/references/REFERENCE.md") }));
    for request in [read(true), read(false), address.clone()] {
        let answer = client.result(request.0, request.1);
        assert!(answer.to_string().contains("MARKER"), "nobody is asked again: {answer}");
    }
    let path = format!("repo/.agents/skills/{NAME}/SKILL.md");
    env.write(&path, format!("{}Other words.\n", env.read(&path)));
    for request in [read(true), read(false), address] {
        let answer = asked(&mut client, request, &json!({ "action": "decline" }));
        assert!(!answer.to_string().contains("MARKER"), "{answer}");
    }
    let context = client.call("context_inspect", json!({ "include_skills": true })).0;
    assert!(context.to_string().contains("\"state\":\"refused\""), "{context}");
}

#[test]
fn a_file_of_a_nested_skill_needs_consent_to_the_nested_skill() {
    let env = validated();
    inner(&env);
    env.run(&["permit", "ask", "inner"]).ended(0);
    let tool =
        json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": "inner/f.md" } });
    let requests = [
        ("tools/call", tool),
        ("resources/read", json!({ "uri": format!("skill://{NAME}/inner/f.md") })),
    ];
    let mut silent = Client::new(&env, &[]);
    for (method, params) in &requests {
        let id = silent.request(method, params.clone());
        let answer = silent.answer(id);
        assert_eq!(word(&answer), "needs_consent", "{method}: {answer}");
        assert!(!answer.to_string().contains("MARKER"), "{method}: {answer}");
    }
    for (method, params) in requests {
        let answer = asked(&mut eliciting(&env), (method, params), &json!({ "action": "accept" }));
        assert!(answer.to_string().contains("MARKER_INNER"), "{method}: {answer}");
    }
}

#[test]
fn lists_omit_files_of_a_nested_skill_that_may_not_be_read() {
    let env = validated();
    inner(&env);
    let at = |path: &str| json!({ "uri": format!("skill://{NAME}/{path}") });
    let lists = |client: &mut Client| -> Vec<String> {
        let loaded = client.call("skill_load", json!({ "name": NAME })).1;
        let listed = client.result("resources/list", json!({}))["resources"].clone();
        // The nested skill is listed by its name where a rule asks about it.
        let own = listed.as_array().unwrap().iter().filter(|row| {
            let uri = row["uri"].as_str().unwrap();
            uri.starts_with(&format!("skill://{NAME}/")) && !uri.ends_with("/inner/SKILL.md")
        });
        let own: Vec<&Json> = own.collect();
        let directory = client.result("resources/directory/read", at(""));
        let manifest = client.result("skills/get", at("SKILL.md"));
        vec![loaded, json!(own).to_string(), directory.to_string(), manifest.to_string()]
    };
    for text in lists(&mut Client::new(&env, &[])) {
        assert!(
            text.contains("inner") && text.contains("REFERENCE.md") | text.contains("references"),
            "{text}"
        );
    }
    for effect in ["ask", "deny"] {
        env.run(&["permit", effect, "inner"]).ended(0);
        let mut client = Client::new(&env, &[]);
        for text in lists(&mut client) {
            let own = text.contains("references");
            assert!(
                own && !text.contains("inner") && !text.contains("beside.md"),
                "{effect}: {text}"
            );
        }
        let id = client.request("resources/directory/read", at("inner"));
        let answer = client.answer(id);
        assert!(
            answer["error"]["code"].is_i64() && !answer.to_string().contains("f.md"),
            "{effect}: {answer}"
        );
    }
    // With a yes it is given.
    env.run(&["permit", "ask", "inner"]).ended(0);
    let request = ("resources/directory/read", at("inner"));
    let answer = asked(&mut eliciting(&env), request, &json!({ "action": "accept" }));
    assert!(answer.to_string().contains("f.md"), "{answer}");
}

#[test]
fn cod_6_3_a_text_in_an_answer_that_the_client_ignores_is_given_again() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    for _ in 0..20 {
        let (method, params) = load();
        let id = client.request(method, params);
        client.send(&json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id }
        }));
        let (data, text) = client.call("skill_load", json!({ "name": NAME }));
        assert_eq!(data["kind"], "text", "{text}");
        let (again, _) = client.call("skill_load", json!({ "name": NAME }));
        assert_eq!(again["kind"], "reminder");
        client.call("skill_unload", json!({ "all": true }));
    }
}
