//! Bad frames, ends, floods, cancelling.

use super::Client;
use super::soon::Took;
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

fn error(message: &Json) -> bool {
    message.get("error").is_some()
}

#[test]
fn bad_frames_have_errors_and_the_connection_goes_on() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &[]);
    let long = [b"{\"x\":\"".as_slice(), &vec![b'a'; 64 << 20], b"\"}\n"].concat();
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":{}1\n", "[".repeat(100_000));
    let batch = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n";
    let rows: [(&[u8], i64); 5] = [
        (b"{oops\n", -32700),
        (b"\xff\xfe\n", -32700),
        (deep.as_bytes(), -32700),
        (batch, -32600),
        (&long, -32600),
    ];
    for (bytes, code) in rows {
        client.bytes(bytes);
        let answer = client.expect(error);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer.get("id").is_none(), "{answer}");
    }
    client.bytes(b"\n\r\n");
    for (method, params, code) in [
        ("no/such", json!({}), -32601),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({ "name": 7 }), -32602),
        ("tools/call", json!({ "name": "no_such_tool" }), -32602),
        ("resources/read", json!({ "uri": "skill://none/SKILL.md" }), -32002),
        ("resources/read", json!({ "uri": "file:///etc/passwd" }), -32002),
        ("prompts/get", json!({ "name": "none" }), -32602),
        ("skills/get", json!({ "uri": "skill://none/SKILL.md" }), -32602),
    ] {
        let id = client.request(method, params);
        let answer = client.answer(id);
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
    }
    assert_eq!(client.result("ping", json!({})), json!({}));
    assert!(client.end().0.success());
}

#[test]
fn the_server_ends_at_the_end_of_its_input() {
    let env = TestEnv::furnished();
    Client::silent(&env, &[]).ends_soon();
    Client::new(&env, &[]).ends_soon();
}

#[test]
fn the_last_request_is_answered_after_the_input_ends() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &[]);
    client.bytes(b"{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/list\"}");
    drop(client.input.take());
    assert!(client.answer(99)["result"]["tools"].is_array());
    assert!(client.end().0.success());
}

#[test]
fn a_thousand_calls_at_once_are_all_answered() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &[]);
    let name = client.call("skills_list", json!({})).0["skills"][0]["name"].clone();
    crate::env::bar::tried(1_000);
    let calls: Vec<u64> = (0..1_000)
        .map(|turn| match turn % 3 {
            0 => client.request(
                "tools/call",
                json!({ "name": "skill_search", "arguments": { "query": name } }),
            ),
            1 => client.request(
                "tools/call",
                json!({ "name": "skill_load", "arguments": { "name": name } }),
            ),
            _ => client.request("tools/list", json!({})),
        })
        .collect();
    for id in calls {
        let answer = client.answer(id);
        assert!(answer.get("error").is_none() && answer["result"]["isError"] != true, "{answer}");
    }
    assert!(client.end().0.success());
}

#[test]
fn a_closed_output_ends_the_server_without_an_error() {
    let env = TestEnv::furnished();
    let mut command = env.command(&["serve"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // A pipe that is broken ends the server; it may be gone before all is written.
    for _ in 0..100 {
        let _ = std::io::Write::write_all(
            &mut input,
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
        );
    }
    let (status, _) = Took::until_the_end_of(&mut child);
    assert!(status.success(), "{status}");
}

#[test]
fn every_protocol_version_is_answered() {
    let env = TestEnv::furnished();
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut client = Client::silent(&env, &[]);
        // What comes before the first request is ignored.
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }));
        let answer = client.initialize(asked, json!({}));
        assert_eq!(answer["protocolVersion"], given, "{answer}");
        assert_eq!(answer["serverInfo"]["name"], "skillpick");
    }
}

#[test]
fn a_batch_is_answered_as_a_batch_by_2025_03_26() {
    let env = TestEnv::furnished();
    let mut client = Client::silent(&env, &[]);
    assert_eq!(client.initialize("2025-03-26", json!({}))["protocolVersion"], "2025-03-26");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let request = |id: u64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method });
    let ids = |batch: &Json| -> Vec<Option<u64>> {
        let mut ids: Vec<Option<u64>> =
            batch.as_array().unwrap().iter().map(|one| one["id"].as_u64()).collect();
        ids.sort_unstable();
        ids
    };
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    client.send(&json!([
        request(101, "ping"),
        notification,
        request(102, "tools/list"),
        request(103, "no/such")
    ]));
    let batch = client.batch();
    assert_eq!(ids(&batch), [Some(101), Some(102), Some(103)], "{batch}");
    assert_eq!(batch.as_array().unwrap().iter().filter(|one| error(one)).count(), 1, "{batch}");
    // What is wrong in it is answered in it.
    client.send(&json!([
        7,
        request(104, "ping"),
        request(104, "ping"),
        request(105, "initialize")
    ]));
    let batch = client.batch();
    assert_eq!(ids(&batch), [None, Some(104), Some(104), Some(105)], "{batch}");
    let codes: Vec<i64> =
        batch.as_array().unwrap().iter().filter_map(|one| one["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [-32600; 3], "{batch}");
    // Notifications have no answer; an empty batch is an error; a call in one is a call.
    client.send(&json!([notification, notification]));
    client.send(&json!([]));
    assert_eq!(client.expect(error)["error"]["code"], -32600);
    let call = json!({ "jsonrpc": "2.0", "id": 106, "method": "tools/call", "params": { "name": "skills_list", "arguments": {} } });
    client.send(&json!([call]));
    assert!(client.batch()[0]["result"]["structuredContent"]["skills"].is_array());
    assert_eq!(client.result("ping", json!({})), json!({}));
    let many: Vec<Json> = (1_000..2_000).map(|id| request(id, "ping")).collect();
    client.send(&json!(many));
    assert_eq!(client.batch().as_array().unwrap().len(), 1_000);
    assert!(client.end().0.success());
}

#[test]
fn an_id_in_use_is_refused() {
    let env = TestEnv::furnished();
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    let name =
        client.call("skills_list", json!({})).0["skills"][0]["name"].as_str().unwrap().to_owned();
    env.run(&["permit", "ask", &name]).ended(0);
    let load = json!({ "name": "skill_load", "arguments": { "name": name } });
    let call = json!({ "jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": load });
    client.send(&call);
    let asked = client.question();
    client.send(&call);
    let second = client.expect(|message| message["id"] == "same");
    assert_eq!(second["error"]["code"], -32600, "{second}");
    // The first one is answered as if nothing had happened.
    client.reply(&asked, &json!({ "action": "accept" }));
    let first = client.expect(|message| message["id"] == "same");
    assert_eq!(first["result"]["isError"], false, "{first}");
    // An id that has been answered is free.
    client.send(&json!({ "jsonrpc": "2.0", "id": "same", "method": "ping" }));
    assert_eq!(client.expect(|message| message["id"] == "same")["result"], json!({}));
}

#[test]
fn notifications_are_not_answered() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &[]);
    for message in [
        json!({ "method": "notifications/none" }),
        json!({ "method": "notifications/none", "params": { "x": [1] } }),
        json!({ "method": "tools/call", "params": { "name": "skills_list" } }),
        json!({ "method": "notifications/cancelled", "params": { "requestId": 4711 } }),
        json!({ "method": "notifications/cancelled", "params": { "requestId": "none", "reason": "x" } }),
        json!({ "method": "notifications/cancelled", "params": {} }),
        json!({ "method": "notifications/cancelled" }),
        json!({ "method": "notifications/initialized" }),
        json!({ "method": "notifications/roots/list_changed" }),
        json!({ "method": "notifications/progress", "params": { "progressToken": "none", "progress": 1 } }),
        json!({ "id": 4711, "result": {} }),
        json!({ "id": 4711, "error": { "code": -1, "message": "no" } }),
    ] {
        let mut message = message;
        message["jsonrpc"] = json!("2.0");
        client.send(&message);
    }
    assert_eq!(client.result("ping", json!({})), json!({}));
    assert!(client.kept.is_empty(), "{:?}", client.kept);
    let (status, _) = client.end();
    assert!(status.success());
}

#[test]
fn initialize_works_after_failed_requests() {
    let env = TestEnv::furnished();
    let mut client = Client::silent(&env, &[]);
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "skills_list" })),
        ("no/such", json!({})),
        ("initialize", json!({})),
        ("initialize", json!({ "protocolVersion": 7 })),
    ] {
        let id = client.request(method, params);
        assert_eq!(client.answer(id)["error"]["code"], -32602, "{method}");
        // Nor does what is told meanwhile end it.
        client.send(&cancelled);
        client.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} }));
    }
    assert_eq!(client.result("ping", json!({})), json!({}));
    client.send(&cancelled);
    client.initialize("2025-06-18", json!({}));
    // Before the client says that it is ready, it is answered all the same.
    assert!(client.result("tools/list", json!({}))["tools"].is_array());
    assert!(client.end().0.success());
}

#[test]
fn unsupported_methods_and_bad_parameters_have_their_error_codes() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &[]);
    let name = client.result("prompts/list", json!({}))["prompts"][0]["name"].clone();
    for (method, params, code) in [
        ("logging/setLevel", json!({ "level": "loud" }), -32602),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "input", "value": "" } }),
            -32601,
        ),
        ("resources/subscribe", json!({ "uri": "skill://x/SKILL.md" }), -32601),
        ("tools/list", json!({ "cursor": "none" }), -32602),
        ("prompts/list", json!({ "cursor": "0" }), -32602),
        ("resources/templates/list", json!({ "cursor": "x" }), -32602),
        ("resources/list", json!({ "cursor": "x" }), -32602),
        ("resources/list", json!({ "cursor": "" }), -32602),
        ("resources/list", json!({ "cursor": "-1" }), -32602),
        ("resources/list", json!({ "cursor": "1" }), -32602),
        ("resources/list", json!({ "cursor": "0" }), -32602),
        ("resources/list", json!({ "cursor": "50000" }), -32602),
        ("skills/list", json!({ "cursor": "99999999999999999999999" }), -32602),
        ("tools/list", json!({ "cursor": 5 }), -32602),
        ("prompts/list", json!({ "cursor": ["0"] }), -32602),
        ("resources/list", json!({ "cursor": 50 }), -32602),
        ("resources/templates/list", json!({ "cursor": {} }), -32602),
        ("skills/list", json!({ "cursor": true }), -32602),
        ("tools/list", json!([]), -32602),
        ("tools/list", json!("x"), -32602),
        ("prompts/get", json!({ "name": name, "arguments": { "input": 5 } }), -32602),
        ("prompts/get", json!({ "name": name, "arguments": { "input": ["x"] } }), -32602),
        ("prompts/get", json!({ "name": name, "arguments": { "other": false } }), -32602),
        ("prompts/get", json!({ "name": name, "arguments": "x" }), -32602),
    ] {
        let id = client.request(method, params.clone());
        let answer = client.answer(id);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    // What may be left out may be nothing.
    assert!(client.result("tools/list", json!({ "cursor": null }))["tools"].is_array());
    assert!(client.result("tools/list", json!(null))["tools"].is_array());
    let got = client.result("prompts/get", json!({ "name": name, "arguments": { "input": null } }));
    assert!(got["messages"].is_array(), "{got}");
}

#[test]
fn errors_shorten_what_the_client_sent() {
    let env = TestEnv::furnished();
    env.settings("[scripts]\nenabled = true\n");
    let mut client = Client::new(&env, &[]);
    let name = client.call("skills_list", json!({})).0["skills"][0]["name"].clone();
    client.call("skill_load", json!({ "name": name }));
    // One letter with many accents is as wide as one without.
    for long in ["long/".repeat(1 << 16), format!("a{}", "\u{301}".repeat(1 << 16))] {
        for (tool, arguments) in [
            ("skill_load", json!({ "name": long })),
            ("skill_load", json!({ "path": long })),
            ("skill_load", json!({ "name": "x", long.as_str(): 1 })),
            ("skill_read", json!({ "path": long })),
            ("skill_read", json!({ "skill": long, "path": "x" })),
            ("skills_list", json!({ "cwd": long })),
            ("skill_run_script", json!({ "path": long })),
            ("skill_run_script", json!({ "path": "x", "env": { long.as_str(): "" } })),
        ] {
            let words: Vec<&String> =
                arguments.as_object().unwrap().keys().filter(|word| word.len() < 20).collect();
            let case = format!("{tool} {words:?}");
            let id = client.request("tools/call", json!({ "name": tool, "arguments": arguments }));
            // Those of the log come before it.
            let answer = client.answer(id);
            for message in client.kept.drain(..).chain([answer]) {
                let bytes = message.to_string().len();
                assert!(bytes < 64 << 10, "{case}: {bytes} bytes");
            }
        }
    }
}

#[test]
fn every_page_is_listed_exactly_once() {
    let env = TestEnv::new();
    for number in 0..120 {
        env.skill("repo/.agents/skills", &format!("many-{number:03}"), "Counts.");
    }
    let mut client = Client::new(&env, &[]);
    for (method, rows) in [("resources/list", "resources"), ("skills/list", "skills")] {
        let (mut all, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let params =
                cursor.take().map_or(json!({}), |cursor: Json| json!({ "cursor": cursor }));
            let page = client.result(method, params);
            all.extend(
                page[rows]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| row["uri"].as_str().unwrap().to_owned()),
            );
            pages += 1;
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        assert_eq!((all.len(), pages), (120, 3), "{method}");
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 120, "{method}");
    }
}
