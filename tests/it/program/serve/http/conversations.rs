//! The same tools as on stdio, and nothing that only the person at this machine may do.

use super::{Served, Session, initialize};
use crate::env::TestEnv;
use crate::program::serve::Client;
use serde_json::{Value as Json, json};
use std::thread;

const SKILLS: &str = "repo/.agents/skills";

fn pdf() -> TestEnv {
    let env = TestEnv::new();
    env.raw_skill(&format!("{SKILLS}/pdf"), "name: pdf\ndescription: Works with pages", "BODY");
    env
}

/// The bytes of a request with the id 5 that loads the skill.
fn load(session: &Session) -> Vec<u8> {
    let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": { "name": "skill_load", "arguments": { "name": "pdf" } } });
    super::request("POST", &session.headers(), call.to_string().as_bytes())
}

/// The question that a person is asked on this stream.
fn question(events: &mut super::Events) -> Json {
    loop {
        let (message, _) = events.next().expect("a question");
        if message["method"] == "elicitation/create" {
            break message;
        }
    }
}

#[test]
fn what_is_listed_and_told_is_what_stdio_has() {
    let env = pdf();
    let (served, mut stdio) = (Served::start(&env, &[]), Client::over(env.command(&["serve"])));
    let greeting = stdio.initialize("2025-06-18", json!({}));
    stdio.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let session = served.begin();
    for part in ["protocolVersion", "capabilities", "serverInfo"] {
        assert_eq!(session.greeting[part], greeting[part]);
    }
    for method in ["tools/list", "prompts/list", "resources/list", "skills/list"] {
        let here = stdio.result(method, json!({}));
        assert_eq!(session.ask(method, json!({}))["result"], here, "{method}");
    }
    let arguments = json!({ "name": "skill_load", "arguments": { "name": "pdf" } });
    let here = stdio.result("tools/call", arguments.clone());
    assert_eq!(session.ask("tools/call", arguments)["result"], here);
}

#[test]
fn every_dialect_is_there() {
    let env = pdf();
    for (dialect, tool) in [
        ("kodelet", "skill"),
        ("spec0027", "skills.load"),
        ("remcochat", "skills.activate"),
        ("run", "skills.load"),
    ] {
        let served = Served::start(&env, &["--dialect", dialect, "--host", "agents"]);
        let tools = served.begin().ask("tools/list", json!({}))["result"]["tools"].clone();
        assert_eq!(tools[0]["name"], tool, "{dialect}: {tools}");
    }
}

#[test]
fn two_sessions_do_not_see_each_others_conversation() {
    let env = pdf();
    let served = Served::start(&env, &[]);
    let (one, other) = (served.begin(), served.begin());
    assert_ne!(one.id(), other.id());
    assert!(one.call("skill_load", json!({ "name": "pdf" })).contains("BODY"));
    assert!(!one.call("skill_load", json!({ "name": "pdf" })).contains("BODY"), "a reminder");
    let loaded = |session: &Session<'_>| {
        let text = session.call("context_inspect", json!({}));
        serde_json::from_str::<Json>(&text).unwrap()["loaded_skill_versions"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!((loaded(&one), loaded(&other)), (1, 0));
    assert!(other.call("skill_load", json!({ "name": "pdf" })).contains("BODY"));
}

#[test]
fn two_hundred_sessions_at_once_are_all_answered() {
    let env = pdf();
    let served = Served::start(&env, &[]);
    thread::scope(|scope| {
        let each = |number: usize| {
            let served = &served;
            scope.spawn(move || {
                let session = served.begin();
                if number.is_multiple_of(2) {
                    session.call("skill_load", json!({ "name": "pdf" }));
                }
                let seen = session.call("context_inspect", json!({}));
                let active =
                    serde_json::from_str::<Json>(&seen).unwrap()["loaded_skill_versions"].clone();
                assert_eq!(active == json!([]), !number.is_multiple_of(2), "{number}: {active}");
            })
        };
        let all: Vec<_> = (0..200).map(each).collect();
        all.into_iter().for_each(|one| one.join().unwrap());
    });
}

#[test]
fn scripts_are_not_offered_and_a_call_is_refused_with_the_reason() {
    let env = pdf();
    env.settings("[scripts]\nenabled = true\n");
    env.write(format!("{SKILLS}/pdf/scripts/x.sh"), "touch \"$0.ran\"\n");
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let listed = session.ask("tools/list", json!({})).to_string();
    assert!(!listed.contains("script\""), "{listed}");
    let greeting = session.greeting["instructions"].as_str().unwrap();
    assert!(!greeting.contains("skill_run_script"), "{greeting}");
    session.call("skill_load", json!({ "name": "pdf" }));
    let run = json!({ "name": "pdf", "path": "scripts/x.sh" });
    assert_eq!(session.refusal("skill_run_script", run.clone()), "remote");
    let answer = session.ask("tools/call", json!({ "name": "skill_run_script", "arguments": run }));
    assert!(answer.to_string().contains("not run over HTTP"), "{answer}");
    assert!(!env.at(format!("{SKILLS}/pdf/scripts/x.sh.ran")).exists());
}

#[test]
fn no_other_directory_is_looked_at() {
    let env = pdf();
    env.skill("other/.agents/skills", "there", "Somewhere else.");
    let served = Served::start(&env, &[]);
    let session = served.begin();
    for cwd in [env.text("other"), "../other".to_owned(), "/".to_owned(), "/none".to_owned()] {
        assert_eq!(session.refusal("skills_list", json!({ "cwd": cwd })), "remote", "{cwd}");
    }
    assert!(session.call("skills_list", json!({ "cwd": env.text("repo") })).contains("pdf"));
}

#[test]
fn a_yes_over_http_is_for_the_conversation_and_writes_no_rule() {
    let env = pdf();
    let settings = env.settings("[[permissions.ask]]\ntool = \"skill_load\"\n");
    let before = std::fs::read(&settings).unwrap();
    let served = Served::start(&env, &[]);
    let session = Session::with(&served, &[], "2025-06-18", &json!({ "elicitation": {} }));
    let request = load(&session);
    let mut events = super::Events::of(&served, &request);
    let question = question(&mut events);
    assert_eq!(question["params"]["requestedSchema"]["properties"], json!({}));
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let sent = session.post(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes }));
    assert_eq!(sent.status, 202, "{sent:?}");
    let (answer, _) = events.next().expect("the answer");
    assert!(answer.to_string().contains("BODY"), "{answer}");
    assert_eq!(std::fs::read(&settings).unwrap(), before);
    let other = served.begin();
    assert_eq!(other.refusal("skill_load", json!({ "name": "pdf" })), "needs_consent");
}

#[test]
fn an_id_has_one_request_of_a_session_at_a_time() {
    let env = pdf();
    env.settings("[[permissions.ask]]\ntool = \"skill_load\"\n");
    let served = Served::start(&env, &[]);
    let session = Session::with(&served, &[], "2025-06-18", &json!({ "elicitation": {} }));
    let request = load(&session);
    let mut events = super::Events::of(&served, &request);
    let question = question(&mut events);
    let ping = json!({ "jsonrpc": "2.0", "id": 5, "method": "ping" });
    let second = session.post(&ping);
    assert_eq!((second.status, second.code()), (400, json!(-32600)), "{second:?}");
    assert_eq!(second.messages()[0]["id"], 5, "{second:?}");
    // It is the session's, and another text than the number.
    assert_eq!(served.begin().post(&ping).status, 200);
    assert_eq!(session.post(&json!({ "jsonrpc": "2.0", "id": "5", "method": "ping" })).status, 200);
    let yes = json!({ "action": "accept" });
    session.post(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes }));
    let (answer, _) = events.next().expect("the answer of the first");
    assert!(answer["id"] == 5 && answer.to_string().contains("BODY"), "{answer}");
    assert_eq!(events.next(), None, "its stream ends");
    assert_eq!(session.post(&ping).status, 200, "the id is free again");
    // One whose answer nobody reads any more is free too.
    drop(events);
    session.call("skill_unload", json!({ "all": true }));
    super::Events::of(&served, &request).close();
    assert_eq!(session.post(&ping).status, 200);
}

/// Nothing that the owner keeps to themselves is in these words.
#[track_caller]
fn keeps_the_owners_places(env: &TestEnv, told: &str) {
    for private in [&*env.text("home"), &env.text("repo/."), "config.toml", "skillpick permit"] {
        let private = private.trim_end_matches('.');
        assert!(!told.contains(private), "{private}: {told}");
    }
}

#[test]
fn a_refusal_says_why_and_not_what_the_owner_has_where() {
    let env = pdf();
    for name in ["denied", "asked", "off", "gone"] {
        env.skill(SKILLS, name, "Works.");
    }
    for folder in ["one", "two"] {
        env.raw_skill(&format!("{SKILLS}/{folder}"), "name: twin\ndescription: d", "TWIN");
    }
    env.raw_skill(&format!("{SKILLS}/hidden"), "name: hidden\ndescription: d", "a\u{202e}b");
    env.raw_skill(&format!("{SKILLS}/broken"), "name: broken", "no description");
    env.settings(
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"denied\"\n\
         [[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"asked\"\n\
         [[skills.config]]\nname = \"off\"\nenabled = false\n",
    );
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let below_home = format!("{}/x", env.text("home"));
    for (tool, arguments, words) in [
        ("skill_load", json!({ "name": "denied" }), "a rule of the server's owner"),
        ("skill_load", json!({ "name": "asked" }), "Tell the user"),
        ("skill_load", json!({ "name": "off" }), "off"),
        ("skill_load", json!({ "name": "twin" }), "./.agents/skills/two/SKILL.md"),
        ("skill_load", json!({ "name": "hidden" }), "Tell the user"),
        ("skill_load", json!({ "name": "broken" }), "broken"),
        ("skill_load", json!({ "name": "none" }), "Available skills"),
        ("skill_load", json!({ "name": below_home }), "~/x"),
        ("skill_load", json!({ "name": 7 }), "invalid input"),
        ("skill_read", json!({ "skill": "denied", "path": "SKILL.md" }), "a rule of"),
        ("skill_read", json!({ "skill": "asked", "path": "SKILL.md" }), "Tell the user"),
        ("skill_read", json!({ "skill": "pdf", "path": "none.md" }), ""),
        ("skill_read", json!({ "skill": "pdf", "path": "../x" }), ""),
        ("skill_unload", json!({ "name": "none" }), "invalid input"),
        ("skills_list", json!({ "cursor": "x" }), "cursor"),
        ("skills_list", json!({ "cwd": "/" }), "over HTTP"),
    ] {
        let answer = session.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let told = answer.to_string();
        assert!(told.contains(words), "{words}: {told}");
        keeps_the_owners_places(&env, &told);
    }
    for (method, key, value) in [
        ("resources/read", "uri", "skill://asked/SKILL.md"),
        ("resources/read", "uri", "skill://denied/SKILL.md"),
        ("resources/read", "uri", "skill://hidden/SKILL.md"),
        ("resources/directory/read", "uri", "skill://asked"),
        ("skills/get", "uri", "skill://none/SKILL.md"),
        ("prompts/get", "name", "hidden"),
        ("prompts/get", "name", "asked"),
    ] {
        let answer = session.ask(method, json!({ (key): value }));
        keeps_the_owners_places(&env, &answer.to_string());
    }
    // A path of a refusal is taken as it is told.
    let told = json!({ "name": "./.agents/skills/two/SKILL.md" });
    assert!(session.call("skill_load", told).contains("TWIN"));
}

#[test]
fn what_is_wrong_with_the_owners_settings_is_told_without_their_place() {
    let env = pdf();
    env.skill("home/.agents/skills", "own", "Works.");
    let served = Served::start(&env, &[]);
    let session = served.begin();
    env.settings("= broken");
    for tool in ["context_inspect", "skills_list"] {
        let told = session.call(tool, json!({}));
        assert!(told.contains("a settings file of the server's owner"), "{told}");
        keeps_the_owners_places(&env, &told);
    }
    let load = json!({ "name": "skill_load", "arguments": { "name": "own" } });
    let reply = session.post(&json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": load }));
    keeps_the_owners_places(&env, &reply.body);
}

#[test]
fn where_the_store_is_is_the_owners_business() {
    let env = pdf();
    let file = env.text("home/secret/team.db");
    for url in [format!("sqlite:{file}"), "postgres://team@127.0.0.1:1/skills".to_owned()] {
        env.settings(&format!("[store]\nurl = \"{url}\"\nproject = \"shop\"\n"));
        let served = Served::start(&env, &[]);
        let session = served.begin();
        let told = session.call("context_inspect", json!({}));
        assert!(told.contains("store#shop"), "{told}");
        let logged = session.ask("logging/setLevel", json!({ "level": "debug" }));
        let mut events = super::Events::of(&served, &load(&session));
        let mut all = format!("{told}{logged}");
        while let Some((message, _)) = events.next() {
            all.push_str(&message.to_string());
        }
        assert!(!all.contains("secret") && !all.contains("team@"), "{all}");
    }
}

#[test]
fn a_question_names_no_folder_of_the_owner() {
    let env = pdf();
    env.settings("[[permissions.ask]]\ntool = \"skill_load\"\n");
    let served = Served::start(&env, &[]);
    let session = Session::with(&served, &[], "2025-06-18", &json!({ "elicitation": {} }));
    let mut events = super::Events::of(&served, &load(&session));
    let question = question(&mut events);
    let asked = question["params"]["message"].as_str().unwrap();
    assert!(asked.contains("./.agents/skills/pdf/SKILL.md"), "{asked}");
    keeps_the_owners_places(&env, asked);
    let no = json!({ "action": "decline" });
    session.post(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": no }));
    while let Some((message, _)) = events.next() {
        keeps_the_owners_places(&env, &message.to_string());
    }
}

#[test]
fn a_path_below_the_home_directory_is_taken_as_it_is_told() {
    let env = pdf();
    for folder in ["home/.agents/skills/one", "home/.agents/skills/two"] {
        env.raw_skill(folder, "name: twin\ndescription: d", "TWIN");
    }
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let refused = session.call("skill_load", json!({ "name": "twin" }));
    assert!(refused.contains("~/.agents/skills/two/SKILL.md"), "{refused}");
    keeps_the_owners_places(&env, &refused);
    let path = "~/.agents/skills/two/SKILL.md";
    assert!(session.call("skill_load", json!({ "name": path })).contains("TWIN"));
}

#[test]
fn a_conversation_with_an_id_is_not_for_everybody() {
    let env = pdf();
    let error = env.run(&["serve", "--http", "0", "--session", "x"]);
    assert!(error.code == 2 && error.err.contains("--session"), "{error:?}");
}

#[test]
fn a_client_of_the_newest_protocol_needs_no_session() {
    let env = pdf();
    let served = Served::start(&env, &[]);
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "new", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {} });
    for (method, part) in
        [("tools/list", "tools"), ("skills/list", "skills"), ("server/discover", "instructions")]
    {
        let message = json!({ "jsonrpc": "2.0", "id": 3, "method": method,
            "params": { "_meta": meta } });
        let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        let reply = served.post(&headers, &message);
        assert!(reply.header("mcp-session-id").is_none());
        let answer = &reply.messages()[0];
        assert!(reply.status == 200 && answer["result"].get(part).is_some(), "{reply:?}");
    }
}

#[test]
fn run_10_where_nothing_stays_loaded_a_file_is_read_of_a_skill_that_may_be_loaded() {
    let env = pdf();
    env.skill(SKILLS, "secret", "Denied.");
    env.settings("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"secret\"\n");
    let served = Served::start(&env, &["--dialect", "run"]);
    let read = |arguments: Json| {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "new", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {} });
        let message = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
            "params": { "name": "skills.read", "arguments": arguments, "_meta": meta } });
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "skills.read"),
        ];
        let reply = served.post(&headers, &message);
        reply.messages()[0]["result"].clone()
    };
    let word = |answer: &Json| answer["_meta"]["skillpick/code"].clone();
    let answer = read(json!({ "skill": "pdf", "path": "SKILL.md" }));
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("name: pdf"), "{answer}");
    assert_eq!(word(&read(json!({ "skill": "secret", "path": "SKILL.md" }))), "denied");
    let answer = read(json!({ "path": "SKILL.md" }));
    assert_eq!(word(&answer), "nothing_active");
    assert!(answer.to_string().contains("name the skill"), "{answer}");
    // A client with a session has a conversation, and there a skill must be active.
    let session = served.begin();
    let pdf = json!({ "skill": "pdf", "path": "SKILL.md" });
    assert_eq!(session.refusal("skills.read", pdf), "nothing_active");
}

#[test]
fn the_first_answer_does_not_wait_for_a_large_catalog() {
    let env = TestEnv::new().variable("SKILLPICK_INDEX", "false");
    for number in 0..2000 {
        env.skill(SKILLS, &format!("s{number}"), "One of many.");
    }
    let served = Served::start(&env, &[]);
    let start = std::time::Instant::now();
    let reply = served.post(&[], &initialize("2025-06-18", &json!({})));
    // Twenty milliseconds on a machine that does nothing else; a build without optimisation beside
    // other tests has more.
    assert!(reply.status == 200 && start.elapsed().as_millis() < 500, "{:?}", start.elapsed());
}
