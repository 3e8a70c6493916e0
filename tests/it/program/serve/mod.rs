//! `skillpick serve`: the real binary over stdio, driven by a small client of the protocol.

mod alike;
mod churn;
mod consent;
mod conversation;
mod dialects;
mod elsewhere;
mod ends;
mod extension;
mod frames;
mod http;
mod lists;
mod log;
mod pages;
mod paths;
mod questions;
mod record;
mod requests;
mod scripts;
mod sizes;
mod soon;
mod store;
mod tasks;
mod told;
mod tools;
mod twins;

use crate::env::TestEnv;
use record::Record;
use serde_json::{Value as Json, json};
use soon::Took;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

pub(super) use crate::support::{DEADLINE, wait};

/// A server and its client's end.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    kept: VecDeque<Json>,
    next: u64,
    record: Record,
}

impl Client {
    /// A server that has not been spoken to. Its answers are data too.
    pub(super) fn silent(env: &TestEnv, arguments: &[&str]) -> Self {
        let words = [&["serve", "--structured"], arguments].concat();
        Self::over(env.command(&words))
    }

    /// The server that this command is.
    pub(super) fn over(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = child.stdout.take().unwrap();
        let (told, lines) = channel();
        let record = Record::new();
        let heard = record.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                heard.told(&line);
                if told.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines, kept: VecDeque::new(), next: 0, record }
    }

    /// One that is initialized, for a client with these capabilities.
    pub(super) fn with(env: &TestEnv, arguments: &[&str], capabilities: Json) -> Self {
        Self::silent(env, arguments).begun(capabilities)
    }

    /// The same, initialized for a client with these capabilities.
    pub(super) fn begun(self, capabilities: Json) -> Self {
        let mut client = self;
        let answer = client.initialize("2025-06-18", capabilities);
        assert_eq!(answer["protocolVersion"], "2025-06-18", "{answer}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// Begins a connection, by this version of the protocol: what the server says to it.
    #[track_caller]
    pub(super) fn initialize(&mut self, version: &str, capabilities: Json) -> Json {
        let info = json!({ "name": "tester", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        self.result("initialize", params)
    }

    /// One that is initialized.
    pub(super) fn new(env: &TestEnv, arguments: &[&str]) -> Self {
        Self::with(env, arguments, json!({}))
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.record.sent(bytes);
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(super) fn send(&mut self, message: &Json) {
        self.bytes(format!("{message}\n").as_bytes());
    }

    /// Sends a request, and gives its id.
    pub(super) fn request(&mut self, method: &str, params: Json) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message that `wanted` takes; others are kept. Every line must be a message of the
    /// protocol.
    #[track_caller]
    pub(super) fn expect(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        if let Some(place) = self.kept.iter().position(&wanted) {
            return self.kept.remove(place).unwrap();
        }
        let limit = Instant::now() + DEADLINE;
        loop {
            let line = self.lines.recv_timeout(limit.saturating_duration_since(Instant::now()));
            let line =
                line.unwrap_or_else(|error| panic!("no answer: {error}; kept: {:?}", self.kept));
            let message: Json = serde_json::from_slice(&line).expect("stdout carries JSON only");
            let parts = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
            assert!(
                !parts.is_empty() && parts.iter().all(|part| part["jsonrpc"] == "2.0"),
                "{message}"
            );
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// The next question to the person.
    #[track_caller]
    pub(super) fn question(&mut self) -> Json {
        self.expect(|message| message["method"] == "elicitation/create")
    }

    /// What the person says to it.
    pub(super) fn reply(&mut self, question: &Json, result: &Json) {
        self.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
    }

    #[track_caller]
    pub(super) fn answer(&mut self, id: u64) -> Json {
        self.expect(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The next batch of answers.
    #[track_caller]
    pub(super) fn batch(&mut self) -> Json {
        self.expect(Json::is_array)
    }

    #[track_caller]
    pub(super) fn result(&mut self, method: &str, params: Json) -> Json {
        let id = self.request(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must succeed: its data, which must be as its schema says, and its text.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Json) -> (Json, String) {
        let result = self.result("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let listed = self.result("tools/list", json!({}))["tools"].clone();
        let row =
            listed.as_array().unwrap().iter().find(|row| row["name"] == tool).unwrap().clone();
        let validator = jsonschema::validator_for(&row["outputSchema"]).unwrap();
        let data = result["structuredContent"].clone();
        let errors: Vec<String> =
            validator.iter_errors(&data).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool}: {errors:?}");
        (data, result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    /// Calls a tool that must refuse: the stable word, and the text.
    #[track_caller]
    pub(super) fn refusal(&mut self, tool: &str, arguments: Json) -> (String, String) {
        let result = self.result("tools/call", json!({ "name": tool, "arguments": arguments }));
        refused(&result)
    }

    /// Ends the input, and waits for the end.
    pub(super) fn end(mut self) -> (ExitStatus, Took) {
        drop(self.input.take());
        self.ended()
    }

    /// Waits for the end.
    #[track_caller]
    pub(super) fn ended(&mut self) -> (ExitStatus, Took) {
        Took::until_the_end_of(&mut self.child)
    }

    /// Ends the input; the server ends well, and within a second.
    #[track_caller]
    pub(super) fn ends_soon(self) -> Took {
        let (status, took) = self.end();
        assert!(status.success(), "{status}");
        took.assert_soon();
        took
    }
}

/// The names of these rows, in their order.
pub(super) fn names(rows: &Json) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

/// What each request says of its client by the newest protocol, which has no handshake.
pub(super) fn newest(capabilities: Json) -> Json {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "tester", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

#[track_caller]
pub(super) fn refused(result: &Json) -> (String, String) {
    assert_eq!(result["isError"], true, "{result}");
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    (text(&result["_meta"]["skillpick/code"]), text(&result["content"][0]["text"]))
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The name of the skill of [`validation`].
pub(super) const NAME: &str = "skills-system-validation";

/// REM-12: a skill with a reference, an asset and a script, each with a text that tells it apart.
pub(super) fn validation(env: &TestEnv) -> String {
    let folder = format!("repo/.agents/skills/{NAME}");
    env.write(
        format!("{folder}/SKILL.md"),
        "---\nname: skills-system-validation\ndescription: Checks that skills are loaded, read and run.\n\
         license: MIT\n---\n# Validation\n\nMARKER_BODY\n",
    );
    env.write(format!("{folder}/references/REFERENCE.md"), "MARKER_REFERENCE\n");
    env.write(format!("{folder}/assets/data.bin"), b"\x89PNG\r\n\x1a\nMARKER\0\0");
    env.write(
        format!("{folder}/scripts/hello.sh"),
        "echo MARKER_SCRIPT $1; echo aside >&2; exit 3\n",
    );
    folder
}

/// A skill within that one, with a file to which a link beside it leads.
pub(super) fn inner(env: &TestEnv) {
    let folder = format!("repo/.agents/skills/{NAME}");
    env.skill(&folder, "inner", "Lies within.");
    env.write(format!("{folder}/inner/f.md"), "MARKER_INNER");
    std::os::unix::fs::symlink("inner/f.md", env.at(format!("{folder}/beside.md"))).unwrap();
}

/// An environment with that skill alone.
pub(super) fn validated() -> TestEnv {
    let env = TestEnv::new();
    validation(&env);
    env
}
