//! `skillpick serve --http`: the real binary over loopback, driven by a client that sends bytes.

mod api;
mod conversations;
mod ends;
mod hostile;
mod streams;
mod tokens;

use super::DEADLINE;
use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::time::Instant;

/// A server over HTTP. It ends when this is dropped.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn start(env: &TestEnv, arguments: &[&str]) -> Self {
        Self::at(env, "0", arguments)
    }

    fn at(env: &TestEnv, address: &str, arguments: &[&str]) -> Self {
        let words = [&["serve", "--http", address], arguments].concat();
        let mut child = env.command(&words).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim_end().strip_suffix("/mcp").and_then(|line| line.rsplit(':').next());
        let port = port.and_then(|port| port.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("no address: {line}")) }
    }

    /// A connection on which nothing was sent.
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    /// What is answered to these bytes, after which the connection ends.
    #[track_caller]
    fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // What is refused early is not read to its end.
        let _ = stream.write_all(request);
        Reply::read(&mut stream)
    }

    /// What is answered to a request with these headers beside the usual ones.
    #[track_caller]
    fn send(&self, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        self.raw(&request(method, headers, body))
    }

    #[track_caller]
    fn post(&self, headers: &[(&str, &str)], message: &Json) -> Reply {
        self.send("POST", headers, message.to_string().as_bytes())
    }

    #[track_caller]
    fn begin(&self) -> Session<'_> {
        Session::begin(self, &[], "2025-06-18")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A whole request. A header that is given replaces the usual one; an empty one leaves it out.
fn request(method: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    request_to("/mcp", method, headers, body)
}

fn request_to(target: &str, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let usual = [
        ("Host", "localhost"),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Type", "application/json"),
        ("Content-Length", length.as_str()),
        ("Connection", "close"),
    ];
    let given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
    let usual = usual.into_iter().filter(|(name, _)| !given(name));
    let mut request = format!("{method} {target} HTTP/1.1\r\n");
    for (name, value) in usual.chain(headers.iter().copied().filter(|(_, value)| !value.is_empty()))
    {
        request += &format!("{name}: {value}\r\n");
    }
    [request.as_bytes(), b"\r\n", body].concat()
}

/// An answer.
#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    /// The next answer on this connection, which then ends.
    #[track_caller]
    fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A connection that the server ends early may be reset.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text.as_str(), ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no answer: {text:?}"));
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if chunked { unchunked(body) } else { body.to_owned() };
        Self { status, head: head.to_owned(), body }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The messages of a stream of events, or the one document.
    fn messages(&self) -> Vec<Json> {
        if let Ok(document) = serde_json::from_str(&self.body) {
            return vec![document];
        }
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        data.filter_map(|data| serde_json::from_str(data).ok()).collect()
    }

    /// The stable word of a refusal, or the code of the protocol's error.
    fn code(&self) -> Json {
        self.messages().first().map_or(Json::Null, |message| message["error"]["code"].clone())
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length, 16) else { break };
        let Some(part) = rest.get(..length).filter(|part| !part.is_empty()) else { break };
        whole += part;
        body = rest.get(length + 2..).unwrap_or_default();
    }
    whole
}

/// A session that has begun.
struct Session<'a> {
    served: &'a Served,
    headers: Vec<(String, String)>,
    /// What the server said at the start.
    greeting: Json,
}

impl<'a> Session<'a> {
    #[track_caller]
    fn begin(served: &'a Served, headers: &[(&str, &str)], version: &str) -> Self {
        Self::with(served, headers, version, &json!({}))
    }

    #[track_caller]
    fn with(
        served: &'a Served,
        headers: &[(&str, &str)],
        version: &str,
        capabilities: &Json,
    ) -> Self {
        let reply = served.post(headers, &initialize(version, capabilities));
        assert_eq!(reply.status, 200, "{reply:?}");
        let id = reply.header("mcp-session-id").expect("a session");
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut headers: Vec<(String, String)> = headers.iter().map(own).collect();
        headers.push(("Mcp-Session-Id".to_owned(), id.to_owned()));
        headers.push(("MCP-Protocol-Version".to_owned(), version.to_owned()));
        let session = Self { served, headers, greeting: reply.messages()[0]["result"].clone() };
        let begun =
            session.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!(begun.status, 202, "{begun:?}");
        session
    }

    fn id(&self) -> &str {
        &self.headers.iter().find(|(name, _)| name == "Mcp-Session-Id").unwrap().1
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    #[track_caller]
    fn post(&self, message: &Json) -> Reply {
        self.served.post(&self.headers(), message)
    }

    /// The answer to a request.
    #[track_caller]
    fn ask(&self, method: &str, params: Json) -> Json {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let reply = self.post(&message);
        assert_eq!(reply.status, 200, "{reply:?}");
        let mut messages = reply.messages().into_iter();
        messages.find(|message| message["id"] == 7).unwrap_or_else(|| panic!("{reply:?}"))
    }

    /// The text of a tool's answer.
    #[track_caller]
    fn call(&self, tool: &str, arguments: Json) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let text = answer["result"]["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// The stable word of a tool's refusal.
    #[track_caller]
    fn refusal(&self, tool: &str, arguments: Json) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["_meta"]["skillpick/code"].as_str().unwrap().to_owned()
    }
}

fn initialize(version: &str, capabilities: &Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": capabilities,
        "clientInfo": { "name": "tester", "version": "1" } } })
}

fn ping() -> Json {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })
}

/// A stream of events, as a client reads it.
struct Events(BufReader<TcpStream>);

impl Events {
    /// Sends this, and reads the head of the answer, which must be a stream.
    #[track_caller]
    fn of(served: &Served, request: &[u8]) -> Self {
        let mut stream = served.connect();
        stream.write_all(request).unwrap();
        let mut events = Self(BufReader::new(stream));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(events.0.read_line(&mut head).unwrap(), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        events
    }

    /// The stream of what answers no request, for this session.
    #[track_caller]
    fn listen(session: &Session<'_>, further: &[(&str, &str)]) -> Self {
        let headers = [session.headers(), further.to_vec()].concat();
        Self::of(session.served, &request("GET", &headers, b""))
    }

    /// Ends it from the client's side, and waits until the server has ended it too.
    fn close(self) {
        let mut stream = self.0.into_inner();
        stream.shutdown(Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    }

    /// The next message, and the event's id; `None` at the end.
    #[track_caller]
    fn next(&mut self) -> Option<(Json, Option<String>)> {
        let (mut message, mut id) = (None, None);
        let limit = Instant::now() + DEADLINE;
        loop {
            // A sign of life comes every few seconds.
            assert!(Instant::now() < limit, "no message");
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:") {
                message = serde_json::from_str(data).ok();
            }
            if let Some(text) = line.strip_prefix("id:") {
                id = Some(text.trim().to_owned());
            }
            // The fields of an event come in any order, and a blank line ends it.
            if line.trim().is_empty()
                && let Some(message) = message.take()
            {
                return Some((message, id));
            }
        }
    }
}
