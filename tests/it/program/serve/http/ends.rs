//! How the server ends: what it answers is finished, and nobody is waited for without end.

use super::{Events, Served, request};
use crate::env::TestEnv;
use crate::program::serve::soon::Took;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;

fn signal(served: &Served, signal: Signal) {
    kill_process(Pid::from_child(&served.child), signal).unwrap();
}

#[test]
fn a_signal_ends_it_at_once_if_nothing_is_asked() {
    let env = TestEnv::new();
    for (number, name) in [(15, Signal::TERM), (2, Signal::INT), (1, Signal::HUP)] {
        let mut served = Served::start(&env, &[]);
        let session = served.begin();
        let mut stream = Events::listen(&session, &[]);
        let _idle = served.connect();
        signal(&served, name);
        let (status, took) = Took::until_the_end_of(&mut served.child);
        assert_eq!(status.code(), Some(128 + number));
        took.assert_soon();
        assert!(stream.next().is_none());
    }
}

#[test]
fn what_is_being_answered_is_finished_and_nobody_else_is_let_in() {
    let env = TestEnv::new();
    env.settings("[[permissions.ask]]\ntool = \"skill_load\"\n");
    env.raw_skill("repo/.agents/skills/pdf", "name: pdf\ndescription: d", "BODY");
    let mut served = Served::start(&env, &[]);
    let port = served.port;
    let session = super::Session::with(&served, &[], "2025-06-18", &json!({ "elicitation": {} }));
    let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": { "name": "skill_load", "arguments": { "name": "pdf" } } });
    // The call waits for a person, whose answer comes on a connection that is open already.
    let mut events =
        Events::of(&served, &request("POST", &session.headers(), call.to_string().as_bytes()));
    let question = loop {
        let (message, _) = events.next().expect("a question");
        if message["method"] == "elicitation/create" {
            break message;
        }
    };
    let mut answering = served.connect();
    let yes = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": {} } });
    let whole = request("POST", &session.headers(), yes.to_string().as_bytes());
    answering.write_all(&whole[..20]).unwrap();
    served.begin();
    signal(&served, Signal::TERM);
    let limit = std::time::Instant::now() + super::DEADLINE;
    while TcpStream::connect(("127.0.0.1", port)).is_ok() {
        assert!(std::time::Instant::now() < limit, "it listens on");
    }
    answering.write_all(&whole[20..]).unwrap();
    let (answer, _) = events.next().expect("the answer");
    assert!(answer.to_string().contains("BODY"), "{answer}");
    let (status, _) = Took::until_the_end_of(&mut served.child);
    assert_eq!(status.code(), Some(143));
}

#[test]
fn a_second_signal_waits_for_nobody() {
    let env = TestEnv::new();
    let mut served = Served::start(&env, &[]);
    let mut stream = served.connect();
    stream
        .write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        .unwrap();
    served.begin();
    signal(&served, Signal::TERM);
    let limit = std::time::Instant::now() + super::DEADLINE;
    while TcpStream::connect(("127.0.0.1", served.port)).is_ok() {
        assert!(std::time::Instant::now() < limit, "it listens on");
    }
    signal(&served, Signal::INT);
    let (status, took) = Took::until_the_end_of(&mut served.child);
    assert_eq!(status.code(), Some(143));
    took.assert_soon();
}

#[test]
fn an_address_that_is_in_use_is_told() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let again = env.run(&["serve", "--http", &served.port.to_string()]);
    assert!(again.code == 2 && again.err.contains("cannot be started"), "{again:?}");
}
