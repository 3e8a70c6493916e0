//! Clients that mean harm or are broken: they are refused, and others are served.

use super::{Reply, Served, initialize, ping, request};
use crate::env::TestEnv;
use serde_json::json;
use std::io::{Read, Write};
use std::thread;
use std::time::Duration;

#[test]
fn a_page_of_somebody_else_and_a_foreign_name_are_refused() {
    let env = TestEnv::new();
    let served =
        Served::start(&env, &["--allow-host", "skills.test", "--allow-origin", "https://a.test"]);
    let message = initialize("2025-06-18", &json!({}));
    let here = format!("127.0.0.1:{}", served.port);
    let (own, beside) = (format!("http://{here}"), "http://localhost:1".to_owned());
    for (host, origin, status) in [
        (here.as_str(), "", 200),
        ("localhost", "", 200),
        ("skills.test", "", 200),
        ("skills.test:80", "https://a.test", 200),
        (&here, own.as_str(), 200),
        (&here, beside.as_str(), 403),
        (&here, "null", 403),
        (&here, "https://evil.test", 403),
        ("evil.test", "", 403),
        ("evil.test", "http://evil.test", 403),
        ("192.0.2.7", "", 403),
        ("", "", 400),
    ] {
        let reply = served.post(&[("Host", host), ("Origin", origin)], &message);
        assert_eq!(reply.status, status, "{host} {origin}: {reply:?}");
        let readable = Some(origin).filter(|origin| status == 200 && !origin.is_empty());
        assert_eq!(reply.header("access-control-allow-origin"), readable, "{reply:?}");
    }
}

#[test]
fn a_page_that_is_allowed_may_ask_without_a_token_and_read_every_answer() {
    let env = TestEnv::new();
    let made = env.run(&["token", "create", "page"]).ended(0);
    let token = format!("Bearer {}", made.out().trim());
    let served = Served::start(&env, &["--allow-origin", "https://a.test"]);
    let asks = |path: &str, origin: &str| {
        let headers = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type,mcp-session-id"),
        ];
        served.raw(&super::request_to(path, "OPTIONS", &headers, b""))
    };
    for path in ["/mcp", "/api/skills"] {
        let may = asks(path, "https://a.test");
        assert_eq!(may.status, 204, "{may:?}");
        assert_eq!(may.header("access-control-allow-origin"), Some("https://a.test"));
        assert_eq!(may.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
        assert_eq!(may.header("vary"), Some("Origin"));
        let headers = may.header("access-control-allow-headers").unwrap();
        for name in ["content-type", "authorization", "mcp-session-id", "mcp-protocol-version"] {
            assert!(headers.split(", ").any(|known| known == name), "{name}: {headers}");
        }
        let foreign = asks(path, "https://b.test");
        assert_eq!((foreign.status, foreign.code()), (403, json!("origin")));
        assert!(foreign.header("access-control-allow-origin").is_none());
    }
    let message = initialize("2025-06-18", &json!({}));
    for (token, status) in [(token.as_str(), 200), ("Bearer x", 401)] {
        let headers = [("Origin", "https://a.test"), ("Authorization", token)];
        let reply = served.post(&headers, &message);
        assert_eq!(reply.status, status, "{reply:?}");
        assert_eq!(reply.header("access-control-allow-origin"), Some("https://a.test"));
        assert_eq!(reply.header("access-control-expose-headers"), Some("mcp-session-id"));
    }
    let plain = served.send("OPTIONS", &[("Authorization", &token)], b"");
    assert_eq!(plain.status, 405, "no browser asks so");
}

#[test]
fn a_request_with_half_a_character_is_answered() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let body = br#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"skill_search","arguments":{"query":"pdf \ud83d"}}}"#;
    let reply = served.send("POST", &session.headers(), body);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.messages()[0]["result"]["isError"], false, "{reply:?}");
}

#[test]
fn only_a_message_is_taken() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let body = initialize("2025-06-18", &json!({})).to_string();
    for (headers, body, status) in [
        (&[("Content-Type", "text/plain")][..], body.as_bytes(), 415),
        (&[("Content-Type", "")], body.as_bytes(), 415),
        (&[("Accept", "application/json")], body.as_bytes(), 406),
        (&[], b"", 400),
        (&[], b"{", 400),
        (&[], b"[]", 400),
        (&[], b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", 400),
        (&[], b"\xff\xfe", 400),
        (&[], b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}", 400),
        (&[("MCP-Protocol-Version", "1999-01-01")], body.as_bytes(), 400),
        (&[("Content-Length", "x")], body.as_bytes(), 400),
        (&[("Content-Length", "-1")], body.as_bytes(), 400),
    ] {
        let reply = served.send("POST", headers, body);
        assert_eq!(reply.status, status, "{headers:?} {reply:?}");
        let code = match status {
            406 => json!("accept"),
            415 => json!("media_type"),
            _ => continue,
        };
        assert_eq!(reply.code(), code, "{reply:?}");
    }
    for accept in ["*/*", "", "text/html, */*;q=0.1"] {
        let reply = served.send("POST", &[("Accept", accept)], body.as_bytes());
        assert_eq!(reply.status, 200, "{accept}: {reply:?}");
    }
    let none = served.send("POST", &[("Accept", "*/*;q=0")], body.as_bytes());
    assert_eq!((none.status, none.code()), (406, json!("accept")));
    let begins = ping().to_string();
    for (method, body) in [("POST", begins.as_bytes()), ("GET", b""), ("DELETE", b"")] {
        let reply = served.send(method, &[], body);
        assert_eq!((reply.status, reply.code()), (400, json!("needs_session")), "{reply:?}");
    }
    let old = served.send("POST", &[("MCP-Protocol-Version", "1999-01-01")], body.as_bytes());
    assert_eq!(old.header("content-type"), Some("application/json"), "{old:?}");
    let deep = "[".repeat(200_000);
    assert_eq!(served.send("POST", &[], deep.as_bytes()).status, 400);
    for (method, status) in
        [("GET", 400), ("DELETE", 400), ("PUT", 405), ("TRACE", 405), ("OPTIONS", 405)]
    {
        assert_eq!(served.send(method, &[], b"").status, status, "{method}");
    }
    let raw = |text: &str| served.raw(text.as_bytes()).status;
    assert_eq!(raw("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), 404);
    assert_eq!(raw("GET /mcp/../x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), 404);
    assert_eq!(raw("NONSENSE\r\n\r\n"), 400);
    assert_eq!(raw("\u{16}\u{3}\u{1}\u{2}\r\n\r\n"), 400);
    let twice = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\
                 Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(raw(twice), 400, "one body of two lengths");
    served.begin();
}

#[test]
fn a_body_of_a_hundred_megabytes_is_refused_without_being_read() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let large = [("Content-Length", "104857600")];
    let reply = served.send("POST", &large, &vec![b'x'; 4096]);
    assert_eq!((reply.status, reply.code()), (413, json!("too_large")));
    // Without a length, in parts.
    let mut stream = served.connect();
    let head = request("POST", &[("Content-Length", ""), ("Transfer-Encoding", "chunked")], b"");
    stream.write_all(&head).unwrap();
    let part = [b"10000\r\n", &[b'x'; 65_536][..], b"\r\n"].concat();
    let taken = (0..1600).take_while(|_| stream.write_all(&part).is_ok()).count();
    assert!(taken < 1600, "all of it was read");
    // The answer may be lost with the connection, on which the rest was sent.
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 413"), "{answer:?}");
    served.begin();
}

#[test]
fn a_body_in_many_parts_is_one_message() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let head = request("POST", &[("Content-Length", ""), ("Transfer-Encoding", "chunked")], b"");
    let body = initialize("2025-06-18", &json!({})).to_string();
    let mut stream = served.connect();
    stream.write_all(&head).unwrap();
    for byte in body.bytes() {
        stream.write_all(&[b"1\r\n", &[byte][..], b"\r\n"].concat()).unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    assert_eq!(Reply::read(&mut stream).status, 200);
}

#[test]
fn a_head_that_trickles_and_a_silent_connection_end_while_others_are_served() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let mut silent = served.connect();
    let mut slow = served.connect();
    slow.write_all(b"POST /mcp HTTP/1.1\r\n").unwrap();
    let mut held: Vec<_> = (0..100).map(|_| served.connect()).collect();
    for stream in &mut held {
        stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ").unwrap();
    }
    served.begin();
    thread::scope(|scope| {
        let mut writing = slow.try_clone().unwrap();
        scope.spawn(move || {
            // A byte at a time, as long as the server takes them.
            let mut waiting = writing.try_clone().unwrap();
            waiting.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            while writing.write_all(b"x").is_ok() {
                if waiting.read(&mut [0]).is_ok_and(|read| read == 0) {
                    return;
                }
            }
        });
        let mut rest = Vec::new();
        let _ = silent.read_to_end(&mut rest);
        assert_eq!(rest, b"");
    });
    served.begin();
}

#[test]
fn a_session_that_was_not_begun_does_not_exist() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let near = session.id().replace(['0', '1', '2', '3', '4', '5'], "a");
    let upper = session.id().to_ascii_uppercase();
    for guess in ["x", "0", near.as_str(), &upper, "../x", "\"", &"a".repeat(8000)] {
        for method in ["POST", "GET", "DELETE"] {
            let body = ping().to_string();
            let reply = served.send(method, &[("Mcp-Session-Id", guess)], body.as_bytes());
            assert_eq!(
                (reply.status, reply.code()),
                (404, json!("no_session")),
                "{method} {guess}"
            );
        }
    }
    let twice = [("Mcp-Session-Id", session.id()), ("Mcp-Session-Id", "x")];
    assert_eq!(served.post(&twice, &ping()).status, 404);
    assert_eq!(served.send("DELETE", &session.headers(), b"").status / 100, 2);
    assert_eq!(session.post(&ping()).status, 404, "it has ended");
    let again = served.post(&session.headers(), &initialize("2025-06-18", &json!({})));
    assert_eq!(again.status, 404, "an id is not taken from a client");
}

#[test]
fn beyond_the_most_sessions_a_new_one_has_to_wait() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let begin = || served.post(&[], &initialize("2025-06-18", &json!({})));
    let begun: Vec<Reply> = (0..260).map(|_| begin()).collect();
    let refused = begun.iter().filter(|reply| reply.status == 503).count();
    assert_eq!(refused, 4, "256 are open");
    assert_eq!(
        (begun[259].code(), begun[259].header("retry-after")),
        (json!("sessions"), Some("60"))
    );
    let id = begun[0].header("mcp-session-id").unwrap();
    assert_eq!(served.send("DELETE", &[("Mcp-Session-Id", id)], b"").status / 100, 2);
    assert_eq!(begin().status, 200);
}

#[test]
fn a_client_that_sends_without_end_has_to_wait() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let mut stream = served.connect();
    let one = request("GET", &[("Connection", ""), ("Accept", "text/plain")], b"");
    let mut reading = stream.try_clone().unwrap();
    let told = thread::spawn(move || {
        let (mut all, mut part) = (Vec::new(), [0; 65_536]);
        while !all.windows(12).any(|window| window == b"HTTP/1.1 429") {
            match reading.read(&mut part) {
                Ok(read) if read > 0 => all.extend_from_slice(&part[..read]),
                _ => return false,
            }
        }
        true
    });
    for _ in 0..20_000 {
        if told.is_finished() || stream.write_all(&one).is_err() {
            break;
        }
    }
    assert!(told.join().unwrap(), "it is never told to wait");
}
