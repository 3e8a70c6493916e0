//! Row 38 of the reliability bar: bad frames, ends, floods, cancelling.

use super::Client;
use crate::support::House;
use serde_json::{Value as Json, json};
use std::time::Duration;

fn error(message: &Json) -> bool {
    message.get("error").is_some()
}

#[test]
fn bar_38_bad_frames_have_errors_and_the_connection_goes_on() {
    let house = House::furnished();
    let mut client = Client::new(&house, &[]);
    let long = [b"{\"x\":\"".as_slice(), &vec![b'a'; 64 << 20], b"\"}\n"].concat();
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":{}1\n", "[".repeat(100_000));
    let batch = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n";
    let rows: [(&[u8], i64); 5] =
        [(b"{oops\n", -32700), (b"\xff\xfe\n", -32700), (deep.as_bytes(), -32700), (batch, -32600), (&long, -32600)];
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
fn bar_38_it_ends_with_its_input() {
    let house = House::furnished();
    let (status, took) = Client::silent(&house, &[]).end();
    assert!(status.success() && took < Duration::from_secs(1), "{status} {took:?}");
    let (status, took) = Client::new(&house, &[]).end();
    assert!(status.success() && took < Duration::from_secs(1), "{status} {took:?}");
}

#[test]
fn bar_38_a_last_request_is_answered_although_the_input_has_ended() {
    let house = House::furnished();
    let mut client = Client::new(&house, &[]);
    client.bytes(b"{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/list\"}");
    drop(client.input.take());
    assert!(client.answer(99)["result"]["tools"].is_array());
    assert!(client.end().0.success());
}

#[test]
fn bar_38_a_thousand_calls_at_once_are_all_answered() {
    let house = House::furnished();
    let mut client = Client::new(&house, &[]);
    let name = client.call("skills_list", json!({})).0["skills"][0]["name"].clone();
    let calls: Vec<u64> = (0..1_000)
        .map(|turn| match turn % 3 {
            0 => client.request("tools/call", json!({ "name": "skill_search", "arguments": { "query": name } })),
            1 => client.request("tools/call", json!({ "name": "skill_load", "arguments": { "name": name } })),
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
fn bar_38_nobody_is_needed_to_read_the_answers() {
    let house = House::furnished();
    let mut command = house.command(&["serve"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // A pipe that is broken ends the server; it may be gone before all is written.
    for _ in 0..100 {
        let _ = std::io::Write::write_all(&mut input, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    }
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn bar_38_every_version_of_the_protocol_is_answered() {
    let house = House::furnished();
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut client = Client::silent(&house, &[]);
        // What comes before the first request is ignored.
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }));
        let info = json!({ "name": "tester", "version": "1" });
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": info });
        let answer = client.result("initialize", params);
        assert_eq!(answer["protocolVersion"], given, "{answer}");
        assert_eq!(answer["serverInfo"]["name"], "skillpick");
    }
}
