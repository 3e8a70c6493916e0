//! A question to the person is sent only in a form that the client supports, and only while the
//! request is open.

use super::consent::{asked, asking, eliciting, load};
use super::{Client, NAME, refused};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

#[test]
fn cod_8_1_a_client_is_asked_in_the_way_that_it_knows() {
    let env = asking();
    for (elicitation, asks) in [
        (json!({}), true),
        (json!({ "form": {} }), true),
        (json!({ "form": {}, "url": {} }), true),
        (json!({ "url": {} }), false),
    ] {
        let mut client = Client::silent(&env, &[]);
        client.initialize("2025-11-25", json!({ "elicitation": elicitation }));
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        if asks {
            let answer = asked(&mut client, load(), &json!({ "action": "accept" }));
            assert_eq!(answer["result"]["isError"], false, "{elicitation}: {answer}");
        } else {
            let (method, params) = load();
            assert_eq!(refused(&client.result(method, params)).0, "needs_consent", "{elicitation}");
        }
    }
}

#[test]
fn cod_8_1_a_question_ends_with_its_call() {
    let env = asking();
    let mut client = eliciting(&env);
    let requests =
        [load(), ("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") }))];
    for (method, params) in requests {
        let id = client.request(method, params);
        let question = client.question();
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
        let told = client.expect(|message| message["method"] == "notifications/cancelled");
        assert_eq!(told["params"]["requestId"], question["id"], "{told}");
        // Too late.
        client.reply(&question, &json!({ "action": "accept", "content": { "always": true } }));
        client.result("ping", json!({}));
        let refusal = |message: &&Json| {
            message["params"]["data"]["code"] == "declined" || message["id"] == id
        };
        assert_eq!(client.kept.iter().find(refusal), None, "nobody has declined anything");
    }
}

#[test]
fn a_change_while_a_question_is_open_is_asked_about_again() {
    let main = format!("skill://{NAME}/SKILL.md");
    let file = json!({ "skill": NAME, "path": "references/REFERENCE.md" });
    let requests = [
        (load(), "SKILL.md"),
        (("resources/read", json!({ "uri": main })), "SKILL.md"),
        (("prompts/get", json!({ "name": NAME })), "SKILL.md"),
        (
            ("tools/call", json!({ "name": "skill_read", "arguments": file })),
            "references/REFERENCE.md",
        ),
    ];
    for ((method, params), changed) in requests {
        let env = asking();
        let mut client = eliciting(&env);
        let id = client.request(method, params);
        let first = client.question();
        let path = format!("repo/.agents/skills/{NAME}/{changed}");
        let text = format!("{}\nMARKER_CHANGED\n", env.read(&path));
        env.write(&path, text);
        client.reply(&first, &json!({ "action": "accept" }));
        // A server that gave the new text without a question would end the test here.
        let second = client
            .expect(|message| message["method"] == "elicitation/create" || message["id"] == id);
        assert_eq!(second["method"], "elicitation/create", "{method}: {second}");
        assert_ne!(second["params"]["message"], first["params"]["message"]);
        client.reply(&second, &json!({ "action": "accept" }));
        let answer = client.answer(id).to_string();
        assert!(answer.contains("MARKER_CHANGED"), "{method}: {answer}");
    }
}

#[test]
fn a_skill_that_changes_at_every_answer_is_refused_after_three() {
    let requests =
        [load(), ("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") }))];
    for (method, params) in requests {
        let env = asking();
        let mut client = eliciting(&env);
        let id = client.request(method, params);
        for round in 0..3 {
            let question = client.question();
            let path = format!("repo/.agents/skills/{NAME}/SKILL.md");
            env.write(&path, format!("{}\nMARKER_{round}\n", env.read(&path)));
            client.reply(&question, &json!({ "action": "accept" }));
        }
        // A server that asked once more would end the test here.
        let answer = client
            .expect(|message| message["method"] == "elicitation/create" || message["id"] == id)
            .to_string();
        assert!(answer.contains("restless") && answer.contains("three times"), "{answer}");
        assert!(!answer.contains("MARKER_"), "{answer}");
    }
}

#[test]
fn rem_9_what_a_person_is_asked_for_is_in_the_log_once_by_its_end() {
    let read = |path: &str| {
        (
            "tools/call",
            json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": path } }),
        )
    };
    let resource =
        || ("resources/read", json!({ "uri": format!("skill://{NAME}/assets/data.bin") }));
    let prompt = || ("prompts/get", json!({ "name": NAME }));
    let rows = |env: &TestEnv| -> Vec<String> {
        let word = |call: &Json, key: &str| call[key].as_str().unwrap_or("-").to_owned();
        let row =
            |call: &Json| ["deed", "skill", "file", "error"].map(|key| word(call, key)).join(" ");
        env.calls().iter().rev().map(row).collect()
    };
    for (action, error) in [("accept", "-"), ("decline", "declined")] {
        let env = asking();
        for request in [load(), read("references/REFERENCE.md"), resource(), prompt()] {
            // Each by itself: what is loaded is not asked for again.
            asked(&mut eliciting(&env), request, &json!({ "action": action }));
        }
        let expected = [
            format!("load {NAME} - {error}"),
            format!("read {NAME} references/REFERENCE.md {error}"),
            format!("read {NAME} assets/data.bin {error}"),
            format!("load {NAME} - {error}"),
        ];
        assert_eq!(rows(&env), expected, "{action}");
    }
    let env = asking();
    let (method, params) = read("references/REFERENCE.md");
    assert_eq!(refused(&Client::new(&env, &[]).result(method, params)).0, "needs_consent");
    assert_eq!(rows(&env), [format!("read {NAME} references/REFERENCE.md needs_consent")]);
}
