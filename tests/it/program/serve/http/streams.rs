//! The stream of what answers no request.

use super::{Events, Served, ping, request};
use crate::env::TestEnv;
use crate::program::serve::soon::Took;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};
use std::io::Write;

const SKILLS: &str = "repo/.agents/skills";

#[track_caller]
fn until(events: &mut Events, method: &str) -> Option<String> {
    loop {
        let (message, id) = events.next().unwrap_or_else(|| panic!("the stream has ended"));
        if message["method"] == method {
            return id;
        }
    }
}

fn names(list: &Json) -> Vec<&str> {
    let rows = list["result"]["prompts"].as_array().unwrap();
    rows.iter().filter_map(|row| row["name"].as_str()).collect()
}

#[test]
fn every_session_is_told_of_a_change() {
    let env = TestEnv::new();
    env.skill(SKILLS, "one", "First.");
    let served = Served::start(&env, &[]);
    let sessions = [served.begin(), served.begin(), served.begin()];
    assert!(
        sessions.iter().all(|session| names(&session.ask("prompts/list", json!({}))) == ["one"])
    );
    let mut streams = sessions.each_ref().map(|session| Events::listen(session, &[]));
    env.skill(SKILLS, "two", "Second.");
    for (stream, session) in streams.iter_mut().zip(&sessions) {
        until(stream, "notifications/prompts/list_changed");
        assert_eq!(names(&session.ask("prompts/list", json!({}))), ["one", "two"]);
    }
}

#[test]
fn a_stream_that_broke_goes_on_behind_the_last_event() {
    let env = TestEnv::new();
    env.skill(SKILLS, "one", "First.");
    let served = Served::start(&env, &[]);
    let session = served.begin();
    session.ask("prompts/list", json!({}));
    let mut stream = Events::listen(&session, &[]);
    env.skill(SKILLS, "two", "Second.");
    let last = until(&mut stream, "notifications/prompts/list_changed").expect("an id");
    // While the server takes the first stream for alive, a second one is told nothing.
    stream.close();
    env.skill(SKILLS, "three", "Third.");
    let mut again = Events::listen(&session, &[("Last-Event-ID", &last)]);
    until(&mut again, "notifications/prompts/list_changed");
    // An id of nothing ends at once, so that a client does not come again for ever.
    for wrong in ["x", "7/9", "-1"] {
        let mut none = Events::listen(&session, &[("Last-Event-ID", wrong)]);
        assert!(none.next().is_none(), "{wrong}");
    }
}

#[test]
fn a_client_that_goes_away_in_the_middle_harms_nobody() {
    let env = TestEnv::new();
    env.skill(SKILLS, "one", "First.");
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let message = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": "skills_list", "arguments": { "force_reload": true } } });
    let whole = request("POST", &session.headers(), message.to_string().as_bytes());
    for part in (0..whole.len()).step_by(41) {
        served.connect().write_all(&whole[..part]).unwrap();
    }
    for _ in 0..20 {
        served.connect().write_all(&whole).unwrap();
        drop(Events::listen(&session, &[]));
    }
    assert!(session.call("skills_list", json!({})).contains("one"));
    assert_eq!(session.post(&ping()).status, 200);
}

#[test]
fn a_subscription_of_the_newest_protocol_is_told_of_a_change_and_ends_with_the_server() {
    let env = TestEnv::new();
    env.skill(SKILLS, "one", "First.");
    let mut served = Served::start(&env, &[]);
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "new", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {} });
    // A change of what was never read is none.
    let list = json!({ "jsonrpc": "2.0", "id": 8, "method": "prompts/list",
        "params": { "_meta": meta } });
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "prompts/list")];
    assert_eq!(names(&served.post(&headers, &list).messages()[0]), ["one"]);
    let message = json!({ "jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": {
        "_meta": meta, "notifications": { "promptsListChanged": true } } });
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen")];
    let mut events =
        Events::of(&served, &request("POST", &headers, message.to_string().as_bytes()));
    until(&mut events, "notifications/subscriptions/acknowledged");
    env.skill(SKILLS, "two", "Second.");
    until(&mut events, "notifications/prompts/list_changed");
    kill_process(Pid::from_child(&served.child), Signal::TERM).unwrap();
    let (status, took) = Took::until_the_end_of(&mut served.child);
    assert_eq!(status.code(), Some(143));
    took.assert_soon();
}
