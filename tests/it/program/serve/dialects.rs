//! The names and shapes of the seeds.

use super::{Client, NAME, names, refused, validated, validation};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

fn tools(client: &mut Client) -> Vec<String> {
    names(&client.result("tools/list", json!({}))["tools"]).into_iter().map(str::to_owned).collect()
}

#[test]
fn kod_5_one_tool_with_the_catalog_in_its_description() {
    let env = TestEnv::new();
    let folder = validation(&env);
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "kodelet"]);
    let listed = client.result("tools/list", json!({}));
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1);
    let about = listed["tools"][0]["description"].as_str().unwrap();
    assert!(
        about.contains(&format!("### {NAME}")) && about.contains("- **Directory**:"),
        "{about}"
    );
    let (data, text) = client.call("skill", json!({ "skill_name": NAME }));
    let head =
        format!("# Skill: {NAME}\n\nThe skill directory is located at: {}\n", env.text(&folder));
    assert!(
        text.starts_with(&head)
            && text.contains("## Instructions\n")
            && text.contains("MARKER_BODY"),
        "{text}"
    );
    assert!(!text.contains("license:"), "{text}");
    assert_eq!(
        (&data["success"], &data["metadata"]["skill_name"]),
        (&json!(true), &json!(NAME)),
        "{data}"
    );
}

#[test]
fn kod_6_the_errors_have_kodelets_words() {
    let env = validated();
    env.skill("home/.agents/skills", "a-first", "d");
    env.skill("repo/.agents/skills", "zip", "d");
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "kodelet"]);
    let required = [
        json!({ "skill_name": " " }),
        json!({ "skill_name": null }),
        json!({}),
        json!({ "skill": 1 }),
    ];
    for input in required {
        assert_eq!(client.refusal("skill", input).1, "skill_name is required");
    }
    let text = client.refusal("skill", json!({ "skill_name": 1 })).1;
    assert!(text.starts_with("invalid input: "), "{text}");
    let (_, text) = client.refusal("skill", json!({ "skill_name": "zap" }));
    assert_eq!(text, format!("unknown skill 'zap'. Available skills: a-first, {NAME}, zip"));
    // What is published is stricter than what is taken, as in Kodelet.
    let schema = client.result("tools/list", json!({}))["tools"][0]["inputSchema"].clone();
    assert_eq!(
        (&schema["required"], &schema["additionalProperties"]),
        (&json!(["skill_name"]), &json!(false)),
        "{schema}"
    );
    assert_eq!(schema["properties"]["skill_name"]["type"], "string", "{schema}");
    client.call("skill", json!({ "skill_name": NAME, "more": 1 }));
    let (code, text) = client.refusal("skill", json!({ "skill_name": NAME }));
    assert_eq!(
        (code.as_str(), text),
        ("already_active", format!("skill '{NAME}' is already active"))
    );
    let mut client =
        Client::new(&env, &["--host", "agents", "--dialect", "kodelet", "--no-skills"]);
    let (_, text) = client.refusal("skill", json!({ "skill_name": NAME }));
    assert!(text.starts_with("skills are disabled ("), "{text}");
    let about = client.result("tools/list", json!({}))["tools"][0]["description"].clone();
    assert!(about.as_str().unwrap().contains("Skills are currently not available."), "{about}");
}

#[test]
fn aab_8_and_9_load_and_read_file() {
    let env = validated();
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "spec0027"]);
    assert_eq!(tools(&mut client), ["skills.load", "skills.readFile"]);
    // AAB-10: trimmed and lowercase.
    let (data, _) =
        client.call("skills.load", json!({ "name": format!(" {} ", NAME.to_uppercase()) }));
    assert_eq!((&data["ok"], &data["source"]), (&json!(true), &json!("repo")), "{data}");
    assert_eq!(data["skillDirectory"], format!(".agents/skills/{NAME}"), "{data}");
    let content = data["content"].as_str().unwrap();
    assert!(content.contains("MARKER_BODY") && !content.contains("license:"), "{content}");
    let (data, _) =
        client.call("skills.readFile", json!({ "name": NAME, "path": "references/REFERENCE.md" }));
    assert_eq!(
        (&data["ok"], &data["content"]),
        (&json!(true), &json!("MARKER_REFERENCE\n")),
        "{data}"
    );
    let params =
        json!({ "name": "skills.readFile", "arguments": { "name": NAME, "path": "../x" } });
    let result = client.result("tools/call", params);
    let (code, text) = refused(&result);
    let said: Json = serde_json::from_str(&text).unwrap();
    assert_eq!((code.as_str(), &said["ok"]), ("parent_path", &json!(false)), "{text}");
}

#[test]
fn rem_7_1_and_7_2_activate_and_read_resource() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.write(format!("{folder}/long.txt"), "x".repeat(2_100_000));
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "remcochat"]);
    assert_eq!(tools(&mut client), ["skills.activate", "skills.readResource"]);
    let (data, _) = client.call("skills.activate", json!({ "name": NAME }));
    assert_eq!(
        (&data["frontmatter"]["license"], &data["truncated"]),
        (&json!("MIT"), &json!(false)),
        "{data}"
    );
    assert!(data["body"].as_str().unwrap().contains("MARKER_BODY"), "{data}");
    let (data, _) = client.call("skills.readResource", json!({ "name": NAME, "path": "long.txt" }));
    assert_eq!(data["truncated"], true);
    assert!(
        data["content"]
            .as_str()
            .unwrap()
            .ends_with("[the file is cut: 2000000 of 2100000 bytes are here]")
    );
    for (path, code) in
        [("/x", "absolute_path"), ("assets/../../x", "parent_path"), ("assets/data.bin", "binary")]
    {
        let (word, text) =
            client.refusal("skills.readResource", json!({ "name": NAME, "path": path }));
        assert_eq!(word, code, "{path}");
        // REM-7.2b: this tool gives text only.
        assert_eq!(text.contains("binary not supported"), code == "binary", "{text}");
    }
    assert_eq!(client.refusal("skills.activate", json!({ "name": "none" })).0, "unknown");
}

#[test]
fn run_8_to_10_load_replace_unload_read() {
    let env = validated();
    env.skill("repo/.agents/skills", "other", "Other.");
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "run"]);
    assert_eq!(tools(&mut client), ["skills.load", "skills.unload", "skills.read"]);
    // RUN-14: nothing is active.
    assert_eq!(
        client.refusal("skills.read", json!({ "skill": NAME, "path": "SKILL.md" })).0,
        "nothing_active"
    );
    let (data, text) = client.call("skills.load", json!({ "names": [NAME] }));
    assert!(text.contains("MARKER_BODY"), "{text}");
    assert!(data["active_skills"][0]["digest"].as_str().unwrap().starts_with("sha256:"), "{data}");
    let (data, _) =
        client.call("skills.load", json!({ "names": ["other", "other"], "mode": "add" }));
    assert_eq!(names(&data["active_skills"]), [NAME, "other"]);
    // The newest is meant where none is named.
    assert!(client.call("skills.read", json!({ "path": "SKILL.md" })).1.contains("name: other"));
    // All or nothing.
    assert_eq!(client.refusal("skills.load", json!({ "names": ["other", "none"] })).0, "unknown");
    let (data, _) = client.call("skills.load", json!({ "names": ["other"] }));
    assert_eq!(names(&data["active_skills"]), ["other"]);
    // RUN-10: another skill's files are not read while it is not active.
    assert_eq!(
        client.refusal("skills.read", json!({ "skill": NAME, "path": "SKILL.md" })).0,
        "not_active"
    );
    let (data, _) = client.call("skills.unload", json!({ "all": true }));
    assert_eq!(data["active_skills"], json!([]));
    assert_eq!(client.refusal("skills.read", json!({ "path": "SKILL.md" })).0, "nothing_active");
}

#[test]
fn rem_7_1_and_run_8b_every_key_of_the_frontmatter_is_given() {
    let env = TestEnv::new();
    let frontmatter = "name: pdf\ndescription: d\nversion: 1.2\nauthor: {name: Ann}\n\
        allowed-tools: [Read, Bash]\nsly: \"a\\u200bb\"";
    env.raw_skill("repo/.agents/skills/pdf", frontmatter, "BODY");
    env.run(&["approve", "pdf", "--yes"]).ended(0);
    let whole = json!({ "name": "pdf", "description": "d", "version": 1.2,
        "author": { "name": "Ann" }, "allowed-tools": "Read Bash" });
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "remcochat"]);
    let (data, _) = client.call("skills.activate", json!({ "name": "pdf" }));
    assert_eq!(data["frontmatter"], whole, "but not what hides text");
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "run"]);
    let (data, _) = client.call("skills.load", json!({ "names": ["pdf"] }));
    assert_eq!(data["active_skills"][0]["properties"], whole);
    // What was not loaded is not told.
    let changed = "name: pdf\ndescription: d\nversion: 1.3\nallowed-tools: [Read, Bash]";
    env.raw_skill("repo/.agents/skills/pdf", changed, "BODY");
    let (data, _) = client.call("skills.unload", json!({ "names": ["none"] }));
    assert_eq!(data["active_skills"][0]["properties"]["version"], Json::Null, "{data}");
}

#[test]
fn rem_6_1_the_model_activates_a_skill_by_its_name() {
    let env = validated();
    let mut client =
        Client::new(&env, &["--host", "agents", "--dialect", "remcochat", "--session", "chat"]);
    let (data, _) = client.call("skills.activate", json!({ "name": NAME }));
    assert!(
        data["name"] == NAME && data["body"].as_str().unwrap().contains("MARKER_BODY"),
        "{data}"
    );
    // It is active from now on (REM-8); whoever activates it again gets its body again, for nothing
    // could unload it.
    let (data, _) = client.call("skills.activate", json!({ "name": NAME }));
    assert!(data["body"].as_str().unwrap().contains("MARKER_BODY"), "{data}");
    let session = env.run(&["session", "chat"]).ended(0);
    assert!(session.out().contains(NAME), "{session:?}");
    // Nothing but a name is taken, and no wrong one.
    for arguments in [json!({}), json!({ "name": 7 }), json!({ "name": NAME, "path": "SKILL.md" })]
    {
        assert_eq!(client.refusal("skills.activate", arguments).0, "invalid_input");
    }
    assert_eq!(client.refusal("skills.activate", json!({ "name": "" })).0, "empty");
}

#[test]
fn aab_8b_no_dialect_ends_in_a_conversation_that_is_full() {
    let env = TestEnv::new();
    for name in ["s1", "s2", "s3"] {
        let text = format!("---\nname: {name}\ndescription: Words.\n---\nBODY_OF {name}\n");
        env.write(format!("repo/.agents/skills/{name}/SKILL.md"), text);
    }
    env.settings("[skills.session]\nmax_active = 2\n");
    for (dialect, tool, key) in [
        ("kodelet", "skill", "skill_name"),
        ("spec0027", "skills.load", "name"),
        ("remcochat", "skills.activate", "name"),
    ] {
        let mut client =
            Client::new(&env, &["--host", "agents", "--dialect", dialect, "--session", dialect]);
        // The third takes the place of the first, which can be loaded again.
        for name in ["s1", "s2", "s3", "s1"] {
            let (_, text) = client.call(tool, json!({ key: name }));
            assert!(text.contains(&format!("BODY_OF {name}")), "{dialect}: {text}");
        }
        let session = env.json("session", &["session", dialect, "--json"]);
        assert_eq!(names(&session["session"]["active"]), ["s3", "s1"], "{dialect}: {session}");
        let log = env.run(&["activity"]);
        assert!(log.out().contains("unload"), "{log:?}");
    }
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "spec0027"]);
    let content = |client: &mut Client| {
        client.call("skills.load", json!({ "name": "s1" })).0["content"].clone()
    };
    assert_eq!(
        content(&mut client),
        content(&mut client),
        "the content is the body whenever it is asked for"
    );
    let loads: Vec<_> = env.calls().into_iter().filter(|call| call["deed"] == "load").collect();
    let bytes: Vec<_> = loads.iter().take(2).map(|call| &call["bytes"]).collect();
    assert!(bytes[0] == bytes[1] && bytes[0].as_u64() > Some(0), "both gave the text: {loads:?}");
}

#[test]
fn rem_7_tools_exist_only_where_skills_are_on() {
    let env = validated();
    for (dialect, count) in [("codelia", 6), ("spec0027", 2), ("remcochat", 2), ("run", 3)] {
        let mut client = Client::new(&env, &["--host", "agents", "--dialect", dialect]);
        assert_eq!(tools(&mut client).len(), count, "{dialect}");
        let mut client =
            Client::new(&env, &["--host", "agents", "--dialect", dialect, "--no-skills"]);
        assert_eq!(tools(&mut client), Vec::<String>::new(), "{dialect}");
        let tool = if dialect == "remcochat" { "skills.activate" } else { "skills.load" };
        let id =
            client.request("tools/call", json!({ "name": tool, "arguments": { "name": NAME } }));
        assert_eq!(client.answer(id)["error"]["code"], -32602, "{dialect}");
        for (method, rows) in [
            ("resources/list", "resources"),
            ("prompts/list", "prompts"),
            ("skills/list", "skills"),
        ] {
            assert_eq!(client.result(method, json!({}))[rows], json!([]), "{dialect} {method}");
        }
    }
    // A switch in the settings is heard while the server runs.
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "remcochat"]);
    assert_eq!(tools(&mut client).len(), 2);
    env.settings("[skills]\nenabled = false\n");
    client.expect(|message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(tools(&mut client), Vec::<String>::new());
}

#[test]
fn kod_7b_a_structured_result_with_the_skill_in_the_trace() {
    let env = TestEnv::new();
    let folder = validation(&env);
    let mut client = Client::new(&env, &["--host", "agents", "--dialect", "kodelet"]);
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let meta = json!({ "traceparent": trace, "tracestate": "vendor=1" });
    let call =
        |name: &str| json!({ "name": "skill", "arguments": { "skill_name": name }, "_meta": meta });
    let result = client.result("tools/call", call(NAME));
    let data = &result["structuredContent"];
    assert_eq!((&data["tool_name"], &data["success"]), (&json!("skill"), &json!(true)), "{result}");
    let written = data["timestamp"].as_str().unwrap();
    assert!(written.starts_with("20") && written.ends_with('Z'), "{result}");
    assert!(data.get("error").is_none(), "{result}");
    assert_eq!(data["result"], format!("Skill '{NAME}' loaded"), "{result}");
    assert_eq!(
        data["metadata"],
        json!({ "skill_name": NAME, "directory": env.text(&folder) }),
        "{result}"
    );
    assert_eq!(result["_meta"]["skillpick/skill_name"], NAME, "{result}");
    assert_eq!(
        (&result["_meta"]["traceparent"], &result["_meta"]["tracestate"]),
        (&json!(trace), &json!("vendor=1"))
    );
    // An error has the same form, which is that of the schema.
    let result = client.result("tools/call", call("none"));
    let (data, text) = (&result["structuredContent"], refused(&result).1);
    assert_eq!(
        (&data["tool_name"], &data["success"], &data["error"]),
        (&json!("skill"), &json!(false), &json!(text))
    );
    assert!(data["timestamp"].is_string() && data.get("metadata").is_none(), "{result}");
    assert_eq!(result["_meta"]["traceparent"], trace, "{result}");
    let schema = client.result("tools/list", json!({}))["tools"][0]["outputSchema"].clone();
    assert!(jsonschema::is_valid(&schema, data), "{data}");
    // The other dialects name the skill too; what is no trace context is not repeated.
    let mut client = Client::new(&env, &[]);
    let read = json!({ "skill": NAME, "path": "references/REFERENCE.md" });
    for (tool, arguments) in [("skill_load", json!({ "name": NAME })), ("skill_read", read)] {
        let meta = json!({ "traceparent": "x\ny", "other": "secret" });
        let result = client
            .result("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta }));
        assert_eq!(result["_meta"], json!({ "skillpick/skill_name": NAME }), "{result}");
    }
}

#[test]
fn a_dialect_takes_its_systems_host_unless_one_is_named() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "common", "For all.");
    env.skill("repo/.kodelet/skills", "ours", "For one.");
    env.write("home/.kodelet/config.yaml", "");
    let about = |arguments: &[&str]| {
        let mut client = Client::new(&env, arguments);
        client.result("tools/list", json!({}))["tools"][0]["description"].to_string()
    };
    let own = about(&["--dialect", "kodelet"]);
    assert!(own.contains("### ours") && !own.contains("### common"), "{own}");
    let named = about(&["--dialect", "kodelet", "--host", "agents"]);
    assert!(named.contains("### common") && !named.contains("### ours"), "{named}");
    let prompt = env.run(&["prompt", "--host", "kodelet"]).ended(0).out().to_owned();
    assert!(prompt.contains("IMMEDIATELY") && !prompt.contains("skill_load"), "{prompt}");
    assert_eq!(
        env.run(&["prompt", "--dialect", "kodelet", "--format", "agentskills"]).ended(0).out(),
        prompt
    );
}

#[test]
fn a_path_is_a_name_where_a_tool_has_no_path() {
    let env = TestEnv::new();
    let one = env.skill("repo/.agents/skills", "twin", "One.");
    env.skill("home/.agents/skills", "twin", "Another.");
    for (dialect, tool, key) in [
        ("kodelet", "skill", "skill_name"),
        ("spec0027", "skills.load", "name"),
        ("remcochat", "skills.activate", "name"),
    ] {
        let mut client = Client::new(&env, &["--host", "agents", "--dialect", dialect]);
        let (code, text) = client.refusal(tool, json!({ key: "twin" }));
        assert_eq!(code, "ambiguous", "{dialect}: {text}");
        assert!(text.contains("twin/SKILL.md"), "{dialect}: {text}");
        client.call(tool, json!({ key: one }));
    }
}
