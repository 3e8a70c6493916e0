//! Who is let in: tokens, their roles and their end.

use super::{Events, Served, Session, initialize, ping, request};
use crate::env::TestEnv;
use serde_json::json;
use std::process::Stdio;

fn token(env: &TestEnv, arguments: &[&str]) -> String {
    let made = env.run(&[&["token", "create"], arguments].concat()).ended(0);
    made.out().trim().to_owned()
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

#[test]
fn a_port_that_another_program_has_is_named() {
    let env = TestEnv::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = env.run(&["serve", "--http", &address]);
    let said = format!("it cannot listen on {address}: ");
    assert!(refused.code == 2 && refused.err.contains(&said), "{refused:?}");
    assert!(!refused.err.contains("os error"), "{refused:?}");
}

#[test]
fn without_a_token_the_server_listens_to_this_machine_only() {
    let env = TestEnv::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let refused = env.run(&["serve", "--http", address]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.err.contains("there is no token"), "{refused:?}");
        assert!(refused.err.contains("skillpick token create"), "{refused:?}");
    }
    let secret = token(&env, &["gone"]);
    env.run(&["token", "revoke", "gone"]).ended(0);
    assert_eq!(env.run(&["serve", "--http", "0.0.0.0:0"]).code, 2, "a revoked one is none");
    token(&env, &["new"]);
    let served = Served::at(&env, "0.0.0.0:0", &[]);
    for (headers, status) in [(vec![], 401), (vec![("Authorization", bearer(&secret))], 401)] {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let reply = served.post(&headers, &initialize("2025-06-18", &json!({})));
        assert_eq!(reply.status, status, "{reply:?}");
    }
}

#[test]
fn a_token_is_printed_once_and_only_its_digest_is_kept() {
    let env = TestEnv::new();
    let made = env.run(&["token", "create", "ci", "--role", "write", "--expires", "90d"]).ended(0);
    let secret = made.out().trim();
    assert!(secret.starts_with("skillpick_") && secret.len() == 53, "{secret}");
    assert!(!made.err.contains(secret), "{made:?}");
    let file = env.read("home/.local/state/skillpick/tokens.json");
    assert!(!file.contains(secret) && !file.contains(&secret[10..40]), "{file}");
    let document = env.json("token", &["token", "list", "--json"]);
    let row = &document["tokens"][0];
    assert_eq!(
        (&row["name"], &row["role"], &row["state"]),
        (&json!("ci"), &json!("write"), &json!("valid"))
    );
    assert!(document.get("token").is_none());
    assert_eq!(
        row["expires_ms"].as_u64().unwrap() - row["created_ms"].as_u64().unwrap(),
        90 * 86_400_000
    );
    let second = env.json("token", &["token", "create", "two", "--json"]);
    assert!(second["token"].as_str().unwrap().starts_with("skillpick_"));
    let taken = env.fails(&["token", "create", "ci", "--json"]);
    assert!(taken["error"]["message"].as_str().unwrap().contains("exists"), "{taken}");
    assert_eq!(env.run(&["token", "revoke", "none"]).code, 1);
    for wrong in ["", "a b", "../x", "\u{202e}"] {
        assert_eq!(env.run(&["token", "create", wrong]).code, 2, "{wrong:?}");
    }
    let list = env.run(&["token", "list"]).ended(0);
    assert!(list.out().contains("ci") && list.out().contains("until"), "{list:?}");
}

#[test]
fn a_request_without_a_good_token_is_refused_with_the_challenge() {
    let env = TestEnv::new();
    let secret = token(&env, &["ci"]);
    let served = Served::start(&env, &[]);
    let post =
        |headers: &[(&str, &str)]| served.post(headers, &initialize("2025-06-18", &json!({})));
    let none = post(&[]);
    assert_eq!((none.status, none.code()), (401, json!("no_token")));
    assert_eq!(none.header("www-authenticate"), Some("Bearer realm=\"skillpick\""));
    let (good, twice) =
        (bearer(&secret), [("Authorization", bearer("x")), ("Authorization", bearer(&secret))]);
    for wrong in
        ["Bearer x", &format!("Basic {secret}"), &secret, "Bearer", &good.replace("_", "-")]
    {
        let reply = post(&[("Authorization", wrong)]);
        assert_eq!(reply.status, 401, "{wrong}: {reply:?}");
        assert!(reply.header("www-authenticate").is_some(), "{reply:?}");
        assert!(!reply.body.contains(&secret), "{reply:?}");
    }
    let twice = twice.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(post(&twice).status, 401);
    assert_eq!(post(&[("Authorization", &good)]).status, 200);
    // A token in the address would be in every log.
    let target = format!("POST /mcp?access_token={secret} HTTP/1.1");
    let raw = request("POST", &[], ping().to_string().as_bytes());
    let raw = String::from_utf8(raw).unwrap().replace("POST /mcp HTTP/1.1", &target);
    assert_eq!(served.raw(raw.as_bytes()).status, 401);
}

#[test]
fn a_token_that_is_revoked_is_refused_at_the_next_request_and_its_stream_ends() {
    let env = TestEnv::new();
    let (secret, other) = (bearer(&token(&env, &["ci"])), bearer(&token(&env, &["other"])));
    let served = Served::start(&env, &[]);
    let session = Session::begin(&served, &[("Authorization", &secret)], "2025-06-18");
    assert!(session.ask("ping", json!({})).get("result").is_some());
    let mut stream = Events::listen(&session, &[]);
    env.run(&["token", "revoke", "ci"]).ended(0);
    let reply = session.post(&ping());
    assert_eq!((reply.status, reply.code()), (401, json!("token")));
    assert!(stream.next().is_none(), "it waits for nothing any more");
    let going_on = Session::begin(&served, &[("Authorization", &other)], "2025-06-18");
    assert!(going_on.ask("ping", json!({})).get("result").is_some());
    env.run(&["token", "revoke", "other"]).ended(0);
    assert_eq!(served.post(&[], &ping()).status, 401, "the last one lets nobody in");
}

#[test]
fn a_token_made_meanwhile_is_needed_from_then_on() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let secret = bearer(&token(&env, &["ci"]));
    assert_eq!(session.post(&ping()).status, 401);
    let stolen = [("Authorization", secret.as_str()), ("Mcp-Session-Id", session.id())];
    assert_eq!(served.post(&stolen, &ping()).status, 404, "a session of nobody's is not its own");
    Session::begin(&served, &[("Authorization", &secret)], "2025-06-18");
}

#[test]
fn a_session_is_of_the_token_that_began_it() {
    let env = TestEnv::new();
    let (one, other) = (bearer(&token(&env, &["one"])), bearer(&token(&env, &["other"])));
    let served = Served::start(&env, &[]);
    let session = Session::begin(&served, &[("Authorization", &one)], "2025-06-18");
    for method in ["POST", "GET", "DELETE"] {
        let headers = [("Authorization", other.as_str()), ("Mcp-Session-Id", session.id())];
        let reply = served.send(method, &headers, ping().to_string().as_bytes());
        assert_eq!((reply.status, reply.code()), (404, json!("no_session")), "{method}");
    }
    assert!(session.ask("ping", json!({})).get("result").is_some(), "it goes on");
}

#[test]
fn the_log_of_calls_names_the_token() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "pdf", "Pages.");
    let secret = bearer(&token(&env, &["ci"]));
    let served = Served::start(&env, &[]);
    let session = Session::begin(&served, &[("Authorization", &secret)], "2025-06-18");
    session.call("skill_load", json!({ "name": "pdf" }));
    assert_eq!(env.calls()[0]["client"], "mcp:tester@ci");
}

#[test]
fn tokens_that_cannot_be_read_let_nobody_in() {
    let env = TestEnv::new();
    let secret = bearer(&token(&env, &["ci"]));
    let served = Served::start(&env, &[]);
    env.write("home/.local/state/skillpick/tokens.json", "{");
    let reply = served.post(&[("Authorization", &secret)], &ping());
    assert_eq!((reply.status, reply.code()), (503, json!("tokens")));
    let again = env.command(&["serve", "--http", "0"]).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("cannot be read"), "{again:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_token_that_could_not_be_shown_is_revoked_again() {
    let env = TestEnv::new();
    // The runtime puts /dev/null, open for both, where a stream is closed.
    for (device, more) in [("/dev/full", &[][..]), ("/dev/full", &["--json"]), ("/dev/null", &[])] {
        let full = std::fs::File::options().read(true).write(true).open(device).unwrap();
        let mut create = env.command(&[&["token", "create", "ci"], more].concat());
        let output = create.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("cannot be written") && err.contains("revoked again"), "{err}");
        assert!(!err.contains("made the token"), "{err}");
        let document = env.json("token", &["token", "list", "--json"]);
        let rows = document["tokens"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["state"] == "revoked"), "{document}");
    }
    token(&env, &["ci"]);
}
