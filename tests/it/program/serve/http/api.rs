//! `/api/skills`, driven by a plain client: what the OpenAPI document promises holds.

use super::{Reply, Served, request_to};
use crate::env::{TestEnv, postgres};
use serde_json::{Value as Json, json};
use skillpick::output::api::openapi;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

mod away;

const PATH: &str = "/api/skills";
const SHOP: &str = "/api/skills?projectId=shop";

/// A project in a store, and a server beside it.
struct Api {
    env: TestEnv,
    served: Served,
    /// The methods and statuses that were answered.
    answered: Mutex<BTreeSet<(String, u16)>>,
}

impl Api {
    fn new(url: Option<&str>) -> Self {
        let env = TestEnv::new().variable("SKILLPICK_AUTHOR", "ann");
        let url = url.map_or_else(String::new, |url| format!("url = \"{url}\"\n"));
        env.settings(&format!("[store]\n{url}project = \"shop\"\n"));
        env.run(&["project", "create", "shop"]).ended(0);
        let served = Served::start(&env, &[]);
        Self { env, served, answered: Mutex::default() }
    }

    /// Sends a request, and holds the answer against the OpenAPI document.
    #[track_caller]
    fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let reply = self.served.raw(&request_to(target, method, headers, body));
        if target.split('?').next() == Some(PATH) && ["GET", "POST", "DELETE"].contains(&method) {
            self.hold(method, &reply);
        }
        reply
    }

    #[track_caller]
    fn hold(&self, method: &str, reply: &Reply) {
        let document = openapi();
        let operation = &document["paths"][PATH][method.to_lowercase()];
        let answer = &operation["responses"][reply.status.to_string()];
        let schema = &answer["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{method} {} is not in the document", reply.status);
        let mut whole = schema.clone();
        whole["components"] = document["components"].clone();
        let schema = jsonschema::validator_for(&whole).unwrap();
        let body: Json = serde_json::from_str(&reply.body).unwrap();
        let wrong: Vec<String> = schema.iter_errors(&body).map(|it| it.to_string()).collect();
        assert!(wrong.is_empty(), "{method} {}: {wrong:?} in {body}", reply.status);
        self.answered.lock().unwrap().insert((method.to_owned(), reply.status));
    }

    #[track_caller]
    fn put(&self, name: &str, content: &str, headers: &[(&str, &str)]) -> Reply {
        let body = json!({ "projectId": "shop", "name": name, "content": content });
        self.send("POST", PATH, headers, body.to_string().as_bytes())
    }

    #[track_caller]
    fn skills(&self) -> Json {
        let reply = self.send("GET", SHOP, &[], b"");
        assert_eq!(reply.status, 200, "{reply:?}");
        json(&reply)["skills"].clone()
    }
}

fn json(reply: &Reply) -> Json {
    serde_json::from_str(&reply.body).unwrap()
}

fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} does.\n---\n\n{body}\n")
}

fn with_each_store(check: impl Fn(&Api)) {
    check(&Api::new(None));
    if let Some(server) = postgres::shared() {
        check(&Api::new(Some(&server.schema())));
    }
}

#[test]
fn aab_13_skills_are_listed_stored_changed_and_deleted() {
    with_each_store(|api| {
        assert_eq!(api.skills(), json!([]));
        let made = api.put("pdf", &text("pdf", "One."), &[("If-None-Match", "*")]);
        assert_eq!((made.status, &json(&made)["previous"]), (200, &Json::Null), "{made:?}");
        let first = json(&made)["version"].as_str().unwrap().to_owned();
        let again = json(&api.put("PDF ", &text("pdf", "One."), &[]));
        assert_eq!((&again["changed"], &again["version"]), (&json!(false), &json!(first)));
        // What was looked at is what is changed.
        let etag = format!("\"{first}\"");
        let changed = api.put("pdf", &text("pdf", "Two."), &[("If-Match", &etag)]);
        assert_eq!((changed.status, &json(&changed)["previous"]), (200, &json!(first)));
        let late = api.put("pdf", &text("pdf", "Three."), &[("If-Match", &etag)]);
        assert_eq!((late.status, late.code()), (412, json!("changed")));
        let there = api.put("pdf", &text("pdf", "Three."), &[("If-None-Match", "*")]);
        assert_eq!((there.status, there.code()), (412, json!("changed")));
        assert!(there.body.contains("there is a skill of this name already"), "{there:?}");
        // A text without frontmatter gets one, and metadata are kept.
        let body = json!({
            "projectId": "shop", "name": "zip", "content": "Only words.",
            "description": "Unpacks.", "metadata": { "team": "ops" },
        });
        let zip = api.send("POST", PATH, &[], body.to_string().as_bytes());
        assert_eq!(zip.status, 200, "{zip:?}");
        let skills = api.skills();
        let names: Vec<&str> =
            skills.as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
        assert_eq!(names, ["pdf", "zip"]);
        assert_eq!(
            (&skills[1]["metadata"]["team"], &skills[0]["author"]),
            (&json!("ops"), &json!("ann"))
        );
        // The files of a skill stay.
        api.env.raw_skill("tmp/tool", "name: tool\ndescription: Runs.", "");
        api.env.write("tmp/tool/scripts/run.sh", "echo 1\n");
        let from = api.env.text("tmp/tool");
        api.env.run(&["project", "put", "tool", "--from", &from]).ended(0);
        assert_eq!(api.put("tool", &text("tool", "Other words."), &[]).status, 200);
        let tool = api.env.json("project-show", &["project", "show", "tool", "--json"]);
        assert_eq!(tool["files"][0]["path"], "scripts/run.sh");
        assert!(tool["content"].as_str().unwrap().contains("Other words."));
        assert_eq!(api.send("DELETE", &format!("{SHOP}&name=tool"), &[], b"").status, 200);
        // Others see it: the commands, and who reads the store.
        let list = api.env.json("list", &["list", "--json"]);
        assert!(list["skills"].as_array().unwrap().iter().any(|it| it["name"] == "zip"), "{list}");
        let show = api.env.run(&["project", "show", "pdf"]).ended(0);
        assert!(show.out().contains("Two."), "{}", show.out());
        let gone = api.send("DELETE", &format!("{SHOP}&name=PDF"), &[], b"");
        assert_eq!((gone.status, &json(&gone)["version"]), (200, &Json::Null), "{gone:?}");
        let missing = api.send("DELETE", &format!("{SHOP}&name=pdf"), &[], b"");
        assert_eq!((missing.status, missing.code()), (404, json!("unknown")));
        assert_eq!(api.skills().as_array().unwrap().len(), 1);
        api.env.run(&["project", "undo"]).ended(0);
        assert_eq!(api.skills().as_array().unwrap().len(), 2, "a change here is one like others");
    });
}

#[test]
fn what_is_odd_about_a_text_that_is_stored_is_told() {
    let api = Api::new(None);
    let long = format!("---\nname: pdf\ndescription: {}\n---\n\nText.\n", "x".repeat(1100));
    let stored = api.put("pdf", &long, &[]);
    let warnings = &json(&stored)["warnings"];
    assert_eq!((stored.status, &warnings[0]["code"]), (200, &json!("desc-length")), "{stored:?}");
    assert!(warnings[0]["message"].as_str().unwrap().contains("1024"), "{warnings}");
    let sound = api.put("pdf", &text("pdf", "One."), &[]);
    assert!(json(&sound)["warnings"].is_null(), "{sound:?}");
}

/// The body for a text, with a description beside it.
fn sound_with(text: &str, description: &str) -> String {
    json!({ "projectId": "shop", "name": "pdf", "content": text, "description": description })
        .to_string()
}

#[test]
fn a_description_beside_the_text_is_the_same_as_in_it() {
    let api = Api::new(None);
    let content = "---\nname: pdf\ndescription: >\n  What it\n  does.\n---\n\nText.\n";
    let other = api.send("POST", PATH, &[], sound_with(content, "Something.").as_bytes());
    assert_eq!((other.status, other.code()), (422, json!("invalid")), "{other:?}");
    assert!(other.body.contains("the description in its frontmatter"), "{other:?}");
    let same = api.send("POST", PATH, &[], sound_with(content, "What it does.").as_bytes());
    assert_eq!(same.status, 200, "{same:?}");
}

#[test]
fn altered_files_are_not_taken_over_by_a_change_of_the_text() {
    let api = Api::new(None);
    api.env.raw_skill("tmp/tool", "name: tool\ndescription: Runs.", "");
    api.env.write("tmp/tool/run.sh", "echo 1\n");
    api.env.run(&["project", "put", "tool", "--from", &api.env.text("tmp/tool")]).ended(0);
    let store = api.env.at("home/.local/state/skillpick/store/skills.db");
    let store = rusqlite::Connection::open(store).unwrap();
    let alter = "DROP TRIGGER blobs_stay; UPDATE blobs SET bytes = x'6576696c'";
    store.execute_batch(alter).unwrap();
    let before = api.skills();
    let refused = api.put("tool", &text("tool", "Other words."), &[]);
    assert_eq!((refused.status, refused.code()), (503, json!("store_broken")), "{refused:?}");
    assert!(refused.body.contains("somebody has altered it"), "{refused:?}");
    assert_eq!(api.skills(), before);
    let shown = api.env.run(&["project", "show", "tool"]).ended(2);
    assert!(shown.err.contains("somebody has altered it"), "{shown:?}");
    api.env.run(&["project", "delete", "tool"]).ended(0);
}

#[test]
fn what_cannot_be_done_is_refused_with_a_word_and_nothing_changes() {
    let api = Api::new(None);
    let body = |project: &str, name: &str, content: &str| {
        json!({ "projectId": project, "name": name, "content": content }).to_string()
    };
    let sound = text("pdf", "Text.");
    let deep = format!("{{\"metadata\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let large = body("shop", "pdf", &"x".repeat(5 << 20));
    let hidden = text("pdf", "Do this.\u{202e}\u{e0041}\u{e0042} and that");
    let list = json!(["shop", "pdf", "d", sound, null]).to_string();
    let number = body("shop", "pdf", &sound)
        .replace('}', ",\"metadata\":{\"a\":[{\"b\":12345678901234567890123}]}}");
    let described = sound_with(&sound, "Something else.");
    let posts: [(String, u16, &str); 18] = [
        (described, 422, "invalid"),
        (body("none", "pdf", &sound), 404, "no_project"),
        (body("shop", "pdf", "No frontmatter."), 422, "invalid"),
        (body("shop", "other", &sound), 422, "invalid"),
        (body("shop", "pdf", "---\nname: pdf\n---\n"), 422, "invalid"),
        (body("shop", "pdf", &hidden), 422, "hidden_text"),
        (body("shop", "", &sound), 422, "invalid"),
        (body("shop", "pdf", &text("pdf", "a\0b")), 422, "hidden_text"),
        (body("shop", "pdf", &text("pdf", &"x".repeat((1 << 20) + 1))), 400, "invalid"),
        (large, 413, "too_large"),
        (deep, 400, "body"),
        ("{".to_owned(), 400, "body"),
        ("[]".to_owned(), 400, "body"),
        (list, 400, "body"),
        (number, 400, "body"),
        ("{\"projectId\":\"shop\",\"name\":\"pdf\"}".to_owned(), 400, "body"),
        (body("shop", "pdf", &sound).replace("}", ",\"files\":[]}"), 400, "body"),
        (body("shop", "pdf", &sound).replace("}", ",\"name\":\"zip\"}"), 400, "body"),
    ];
    for (body, status, code) in posts {
        let reply = api.send("POST", PATH, &[], body.as_bytes());
        let shown: String = body.chars().take(80).collect();
        assert_eq!((reply.status, reply.code()), (status, json!(code)), "{shown}: {reply:?}");
        assert!(!reply.body.contains('\u{202e}'), "what is hidden is not repeated");
    }
    let plain = api.send("POST", PATH, &[("Content-Type", "text/plain")], sound.as_bytes());
    assert_eq!((plain.status, plain.code()), (415, json!("media_type")));
    for (name, value) in [("If-Match", "*"), ("If-Match", "abc"), ("If-None-Match", "\"abc\"")] {
        let reply = api.put("pdf", &sound, &[(name, value)]);
        assert_eq!((reply.status, reply.code()), (400, json!("precondition")), "{name}: {value}");
    }
    let both = api.put("pdf", &sound, &[("If-Match", "\"ab\""), ("If-None-Match", "*")]);
    assert_eq!(both.status, 400);
    let none = [("If-None-Match", "*")];
    let gone = api.send("DELETE", &format!("{SHOP}&name=pdf"), &none, b"");
    assert_eq!((gone.status, gone.code()), (400, json!("precondition")));
    let odd = api.send("POST", PATH, &[], b"{\"projectId\":\"shop\",\"nmae\":\"x\"}");
    assert!(odd.body.contains("unknown field `nmae`"), "the key is named: {odd:?}");
    let other = api.send("PATCH", PATH, &[], b"");
    assert_eq!(other.header("allow"), Some("GET, POST, DELETE"), "{other:?}");
    for (method, target, status, code) in [
        ("GET", "/api/skills", 400, "query"),
        ("GET", "/api/skills?projectId=shop&projectId=shop", 400, "query"),
        ("GET", "/api/skills?projectId=shop&x=1", 400, "query"),
        ("GET", "/api/skills?projectId=none", 404, "no_project"),
        ("GET", "/api/skills?projectId=..%2f..%2fetc", 404, "no_project"),
        ("DELETE", "/api/skills?projectId=shop", 400, "query"),
        ("DELETE", "/api/skills?projectId=shop&name=%00", 404, "unknown"),
        ("PUT", "/api/skills", 405, "no_method"),
        ("GET", "/api", 404, "no_path"),
        ("GET", "/api/skills/pdf", 404, "no_path"),
    ] {
        let reply = api.send(method, target, &[], b"");
        assert_eq!((reply.status, reply.code()), (status, json!(code)), "{method} {target}");
    }
    assert_eq!(api.skills(), json!([]));
    // What the document promises is answered: here, or where another test says.
    const ELSEWHERE: [&str; 8] = ["401", "403", "408", "409", "412", "429", "503", "504"];
    const FAILURE: &str = "500";
    let answered = api.answered.lock().unwrap();
    for (method, operation) in openapi()["paths"][PATH].as_object().unwrap() {
        for status in operation["responses"].as_object().unwrap().keys() {
            let here = (method.to_uppercase(), status.parse().unwrap());
            let other = status == FAILURE || ELSEWHERE.contains(&status.as_str());
            // A change that succeeds is in the test of the whole way.
            let succeeds = status == "200" && method != "get";
            assert!(answered.contains(&here) || other || succeeds, "{method} {status}");
        }
    }
}

/// As Python writes it, each of two bytes with six characters.
#[test]
fn a_text_of_a_mebibyte_is_taken_however_json_escapes_it() {
    let api = Api::new(None);
    let head = text("pdf", "");
    let content = format!("{head}{}", "\\u00e4".repeat(((1 << 20) - 64) / 2));
    let body = json!({ "projectId": "shop", "name": "pdf", "content": "@" }).to_string();
    let body = body.replace('@', &content.replace('\n', "\\n"));
    assert!(body.len() > 5 << 19, "{}", body.len());
    let taken = api.send("POST", PATH, &[], body.as_bytes());
    assert_eq!(taken.status, 200, "{taken:?}");
}

/// A large integer is kept digit by digit.
#[test]
fn what_the_database_has_no_form_for_is_no_damage_of_the_store() {
    with_each_store(|api| {
        let body = |project: &str, name: &str| {
            let metadata = json!({ "id": u64::MAX });
            json!({ "projectId": project, "name": name, "description": "d", "content": "Text.",
                "metadata": metadata })
            .to_string()
        };
        for (project, name, status) in
            [("shop", "x\0y", 422), ("shop\0", "x", 404), ("none", "x", 404), ("shop", "x", 200)]
        {
            let reply = api.send("POST", PATH, &[], body(project, name).as_bytes());
            assert_eq!(reply.status, status, "{project:?} {name:?}: {reply:?}");
        }
        let gone = api.send("DELETE", &format!("{SHOP}&name=%00"), &[], b"");
        assert_eq!((gone.status, gone.code()), (404, json!("unknown")), "{gone:?}");
        let gone = api.send("GET", &format!("{SHOP}%00"), &[], b"");
        assert_eq!((gone.status, gone.code()), (404, json!("no_project")), "{gone:?}");
        assert_eq!(api.skills()[0]["metadata"]["id"], json!(u64::MAX));
    });
}

#[test]
fn a_token_reads_or_writes_by_its_role_and_signs_what_it_changes() {
    let api = Api::new(None);
    let token = |name: &str, role: &str| {
        let made = api.env.run(&["token", "create", name, "--role", role]).ended(0);
        format!("Bearer {}", made.out().trim())
    };
    let (reader, writer) = (token("eve", "read"), token("ci", "write"));
    let content = text("pdf", "Text.");
    let nobody = api.put("pdf", &content, &[]);
    assert_eq!((nobody.status, nobody.code()), (401, json!("no_token")));
    let eve = [("Authorization", reader.as_str())];
    let refused = api.put("pdf", &content, &eve);
    assert_eq!((refused.status, refused.code()), (403, json!("role")));
    let refused = api.send("DELETE", &format!("{SHOP}&name=pdf"), &eve, b"");
    assert_eq!(refused.status, 403);
    assert_eq!(api.put("pdf", &content, &[("Authorization", &writer)]).status, 200);
    let listed = json(&api.send("GET", SHOP, &eve, b""));
    assert_eq!(listed["skills"][0]["author"], "ci", "{listed}");
}

#[test]
fn of_writers_at_once_one_wins_and_the_others_are_told() {
    with_each_store(|api| {
        let first = json(&api.put("pdf", &text("pdf", "First."), &[]));
        let etag = format!("\"{}\"", first["version"].as_str().unwrap());
        let statuses: Vec<u16> = thread::scope(|scope| {
            let write = |number: usize| {
                let (api, etag) = (&api, etag.as_str());
                scope.spawn(move || {
                    let content = text("pdf", &format!("Of writer {number}."));
                    api.put("pdf", &content, &[("If-Match", etag)]).status
                })
            };
            let writers: Vec<_> = (0..6).map(write).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 409, 412].contains(status)), "{statuses:?}");
        assert_eq!(api.skills()[0]["number"], 2);
    });
}

#[test]
fn the_document_is_openapi_and_names_what_is_there() {
    let document = openapi();
    assert_eq!(document["openapi"], "3.1.0");
    let calls: Vec<&String> = document["paths"][PATH].as_object().unwrap().keys().collect();
    assert_eq!(calls, ["get", "post", "delete"]);
    // Each reference leads somewhere.
    let text = document.to_string();
    let mut seen = 0;
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}
