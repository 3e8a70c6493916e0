//! Our server over HTTP on the loopback, and the inspector as its client.

use super::{NAME, server, tool};
use crate::mock::{Scene, run};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A server that listens. It ends when it is dropped.
pub(super) struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    pub(super) fn start(scene: &Scene, arguments: &[&str]) -> Self {
        let mut command = server(scene);
        command.args(["--http", "0"]).args(arguments).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{line}");
        Self { child, url }
    }

    pub(super) fn url(&self) -> String {
        self.url.clone()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the inspector prints for a method, by both eras of the protocol.
#[track_caller]
fn ask(scene: &Scene, url: &str, words: &[&str]) -> Vec<Json> {
    let program = tool("mcp-inspector").unwrap();
    let eras = [&[][..], &["--protocol-era", "modern"]];
    let mut said = Vec::new();
    for era in eras {
        let mut command = scene.command(&program);
        command.args(["--cli", url, "--transport", "http", "--method"]).args(words).args(era);
        let ran = run(&command);
        assert_eq!(ran.code, Some(0), "{words:?} {era:?}: {ran:?}");
        said.push(
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}")),
        );
    }
    said
}

#[test]
fn the_inspector_uses_every_part_of_the_server_over_http() {
    if tool("mcp-inspector").is_none() {
        return;
    }
    let scene = Scene::new();
    let server = Listening::start(&scene, &[]);
    let ask = |words: &[&str]| ask(&scene, &server.url, words);
    let arguments = json!({ "name": NAME }).to_string();
    for (words, part) in [
        (&["tools/list"][..], "skill_load"),
        (&["prompts/list"], NAME),
        (&["resources/list"], "references/REFERENCE.md"),
        (&["resources/read", "--uri", &format!("skill://{NAME}/SKILL.md")], "MARKER_BODY"),
        (
            &["tools/call", "--tool-name", "skill_load", "--tool-args-json", &arguments],
            "MARKER_BODY",
        ),
    ] {
        for said in ask(words) {
            assert!(said.to_string().contains(part), "{words:?}: {said}");
            assert!(!said.to_string().contains("skill_run_script"), "{said}");
        }
    }
    for report in ask(&["skills/list", "--verify", "--require-digests"]) {
        let sound = (&json!("verified"), &json!([]), 4);
        let files = report["files"].as_array().map_or(0, Vec::len);
        assert_eq!((&report["outcome"], &report["conformance"], files), sound, "{report}");
    }
}

#[test]
fn the_inspector_is_let_in_by_a_token_alone() {
    let Some(program) = tool("mcp-inspector") else { return };
    let scene = Scene::new();
    let mut command = scene.command(std::path::Path::new(super::program()));
    let made = run(command.args(["token", "create", "inspector"]));
    assert_eq!(made.code, Some(0), "{made:?}");
    let server = Listening::start(&scene, &[]);
    let header = format!("Authorization: Bearer {}", made.out.trim());
    for (more, code) in [(&[][..], false), (&["--header", header.as_str()], true)] {
        let mut command = scene.command(&program);
        let words = ["--cli", &server.url, "--transport", "http", "--method", "tools/list"];
        let ran = run(command.args(words).args(more));
        assert_eq!(ran.code == Some(0), code, "{ran:?}");
    }
}
