use super::*;
use crate::serve::fixture::TestServer;
use serde_json::json;

const SCRIPTS: &str = "[scripts]\nenabled = true\n";

fn rule(effect: &str, name: &str) -> String {
    format!("[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
}

fn each_tool(check: impl Fn(Dialect, &Tool)) {
    let server = TestServer::with(&["pdf"], SCRIPTS);
    for dialect in Dialect::ALL {
        let tools = listed(dialect, &server.snapshot(), true);
        assert_eq!(tools.len(), dialect.tools().len(), "{dialect:?}");
        tools.iter().for_each(|tool| check(dialect, tool));
    }
}

#[test]
fn each_input_is_an_object_and_each_required_property_exists() {
    each_tool(|_, tool| {
        assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten() {
            let described = &tool.input_schema["properties"][name.as_str().unwrap()]["description"];
            assert!(described.is_string(), "{}: {name}", tool.name);
        }
    });
}

#[test]
fn each_property_of_an_input_has_at_most_one_type() {
    each_tool(|_, tool| {
        for (name, property) in tool.input_schema["properties"].as_object().unwrap() {
            assert!(!property["type"].is_array(), "{}: {name}", tool.name);
            assert!(property.get("format").is_none(), "{}: {name}", tool.name);
        }
    });
}

#[test]
fn each_schema_compiles_and_refuses_what_is_no_object() {
    each_tool(|_, tool| {
        let output = tool.output_schema.as_ref().unwrap();
        for schema in [&tool.input_schema, output] {
            let schema = Value::Object((**schema).clone());
            let validator = jsonschema::validator_for(&schema).unwrap();
            assert!(!validator.is_valid(&json!(7)), "{}", tool.name);
        }
    });
}

#[test]
fn each_tool_refuses_an_argument_that_it_does_not_know() {
    each_tool(|dialect, tool| {
        let schema = Value::Object((*tool.input_schema).clone());
        assert!(!jsonschema::is_valid(&schema, &json!({ "no_such": 1 })), "{}", tool.name);
        if dialect.tool(Job::Script) != Some(&*tool.name) {
            let server = TestServer::with(&[], "").speaking(dialect);
            let code = server.refusal(&tool.name, json!({ "no_such": 1 }));
            // Kodelet ignores it, and misses the name.
            let wanted = if dialect == Dialect::Kodelet { "empty" } else { "invalid_input" };
            assert_eq!(code, wanted, "{}", tool.name);
        }
    });
}

/// Without the catalog in Kodelet's tool, which has the same rules as every catalog.
#[test]
fn a_tool_names_no_tool_that_its_dialect_lacks() {
    let known: Vec<&str> =
        Dialect::ALL.iter().flat_map(|one| one.tools()).map(|(name, _)| *name).collect();
    let server = TestServer::with(&[], SCRIPTS);
    for (word, dialect) in Dialect::ALL.map(|dialect| (dialect.word(), dialect)) {
        for tool in listed(dialect, &server.snapshot(), true) {
            let text = tool.description.unwrap_or_default();
            for name in known.iter().filter(|name| name.contains(['.', '_'])) {
                let has = dialect.tools().iter().any(|(own, _)| own == name);
                assert!(has || !text.contains(name), "{word} {}: {name}", tool.name);
            }
        }
    }
}

#[test]
fn only_what_changes_something_is_not_read_only() {
    each_tool(|dialect, tool| {
        let is_script = dialect.tool(Job::Script) == Some(&*tool.name);
        let hints = tool.annotations.clone().unwrap();
        assert_eq!(hints.read_only_hint, Some(!is_script), "{}", tool.name);
        assert_eq!(hints.destructive_hint, is_script.then_some(true), "{}", tool.name);
    });
}

#[test]
fn scripts_have_a_tool_only_if_the_settings_allow_them() {
    for (settings, expected) in [("", false), (SCRIPTS, true)] {
        let server = TestServer::with(&[], settings);
        let has = open(Dialect::Run, &server.snapshot()).any(|(_, job)| job == Job::Script);
        assert_eq!(has, expected, "{settings}");
    }
}

#[test]
fn where_skills_are_off_only_kodelets_tool_is_left() {
    let server = TestServer::with(&["pdf"], "[skills]\nenabled = false\n");
    for dialect in Dialect::ALL {
        let tools = listed(dialect, &server.snapshot(), true);
        assert_eq!(tools.len(), usize::from(dialect == Dialect::Kodelet), "{dialect:?}");
        for tool in tools {
            assert!(tool.description.unwrap().contains("Skills are currently not available"));
        }
    }
}

/// The arguments that load a skill and read a file of it in each dialect.
fn words(dialect: Dialect) -> (Value, Value) {
    match dialect {
        Dialect::Codelia => (json!({ "name": "pdf" }), json!({ "path": "SKILL.md" })),
        Dialect::Kodelet => (json!({ "skill_name": "pdf" }), json!({})),
        Dialect::Spec0027 | Dialect::Remcochat => {
            (json!({ "name": "pdf" }), json!({ "name": "pdf", "path": "SKILL.md" }))
        }
        Dialect::Run => (json!({ "names": ["pdf"] }), json!({ "path": "SKILL.md" })),
    }
}

#[test]
fn each_answer_is_what_its_output_schema_says() {
    for dialect in Dialect::ALL {
        let server = TestServer::with(&["pdf"], "").speaking(dialect);
        let (load, read) = words(dialect);
        for tool in listed(dialect, &server.snapshot(), true) {
            let job = open(dialect, &server.snapshot()).find(|(name, _)| *name == tool.name);
            let arguments = match job.unwrap().1 {
                Job::Load => load.clone(),
                Job::Read => {
                    server.call(dialect.tool(Job::Load).unwrap(), load.clone()).unwrap();
                    read.clone()
                }
                Job::Unload => json!({ "names": ["none"] }),
                Job::Search => json!({ "query": "pdf" }),
                Job::Inspect => json!({ "include_skills": true }),
                Job::List | Job::Script => json!({}),
            };
            let answer = server.call(&tool.name, arguments).unwrap();
            let schema = Value::Object((*tool.output_schema.unwrap()).clone());
            let valid = jsonschema::is_valid(&schema, &answer.data);
            assert!(valid, "{dialect:?} {}: {}", tool.name, answer.data);
        }
    }
}

#[test]
fn a_timeout_is_in_range_or_refused() {
    let most = crate::runtime::MAX_TIMEOUT.as_secs();
    let timeout = |value: Value| {
        let arguments = json!({ "path": "x", "timeout": value });
        input::<ScriptInput>(arguments.as_object().unwrap()).map(|input| input.timeout)
    };
    for bad in [json!(0), json!(most + 1), json!(-1), json!(1.5), json!("1")] {
        assert!(timeout(bad.clone()).is_err(), "{bad}");
    }
    assert_eq!(timeout(json!(1)).unwrap(), Some(1));
    assert_eq!(timeout(json!(5.0)).unwrap(), Some(5));
    assert_eq!(timeout(json!(most)).unwrap(), Some(most));
    assert_eq!(timeout(Value::Null).unwrap(), None);
}

#[test]
fn what_is_said_of_a_bad_argument_is_inert() {
    let server = TestServer::with(&[], "");
    let hostile = json!({ "name": "x", "\u{1b}[2J\u{202e}": 1 });
    let Err(ToolError::Refused { code, text }) = server.call("skill_load", hostile) else {
        panic!("not refused")
    };
    assert_eq!(code, "invalid_input");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

#[test]
fn a_search_has_the_limit_that_it_is_given_within_the_settings() {
    let settings = "[skills.search]\ndefault_limit = 2\nmax_limit = 3\n";
    let server = TestServer::with(&["pdf-a", "pdf-b", "pdf-c", "pdf-d"], settings);
    for (limit, count) in [(json!(1.0), 1), (Value::Null, 2), (json!(1e30), 3)] {
        let answer =
            server.call("skill_search", json!({ "query": "pdf", "limit": limit })).unwrap();
        assert_eq!((&answer.data["count"], &answer.data["total"]), (&json!(count), &json!(4)));
        assert_eq!(answer.data["truncated"], true);
    }
}

#[test]
fn a_search_takes_the_words_of_scopes_alone() {
    let server = TestServer::with(&["pdf"], "");
    for (scope, found) in [("repo", 1), ("all", 1), ("user", 0)] {
        let answer = server.call("skill_search", json!({ "query": "pdf", "scope": scope }));
        assert_eq!(answer.unwrap().data["total"], found, "{scope}");
    }
    let code = server.refusal("skill_search", json!({ "query": "pdf", "scope": "mine" }));
    assert_eq!(code, "invalid_input");
}

#[test]
fn the_path_wins_over_the_name() {
    let server = TestServer::with(&["a", "b"], "");
    let path = server.test.text("repo/.agents/skills/s1");
    let answer = server.call("skill_load", json!({ "name": "a", "path": path })).unwrap();
    assert_eq!((&answer.data["name"], answer.skill.as_deref()), (&json!("b"), Some("b")));
}

#[test]
fn a_second_load_reminds_and_is_an_error_where_the_server_is_strict() {
    let mut server = TestServer::with(&["pdf"], "");
    let load = |server: &TestServer| {
        server.call("skill_load", json!({ "name": "pdf" })).unwrap().data["kind"].clone()
    };
    assert_eq!((load(&server), load(&server)), (json!("text"), json!("reminder")));
    server.strict = true;
    assert_eq!(server.refusal("skill_load", json!({ "name": "pdf" })), "already_active");
}

#[test]
fn a_dialect_without_a_reminder_gives_the_body_again() {
    let server = TestServer::with(&["pdf"], "").speaking(Dialect::Remcochat);
    for _ in 0..2 {
        let answer = server.call("skills.activate", json!({ "name": "pdf" })).unwrap();
        assert_eq!(answer.data["body"], "BODY");
    }
}

#[test]
fn the_names_of_spec0027_are_trimmed_and_in_lower_case() {
    let load = |dialect: Dialect, tool: &str| {
        let server = TestServer::with(&["pdf"], "").speaking(dialect);
        server.call(tool, json!({ "name": " PDF\n" })).is_ok()
    };
    assert!(load(Dialect::Spec0027, "skills.load"));
    assert!(!load(Dialect::Remcochat, "skills.activate"));
}

#[test]
fn several_skills_are_loaded_together_or_not_at_all() {
    let server = TestServer::with(&["a", "b"], "").speaking(Dialect::Run);
    assert_eq!(server.refusal("skills.load", json!({ "names": ["a", "none"] })), "unknown");
    assert_eq!(server.refusal("skills.read", json!({ "path": "SKILL.md" })), "nothing_active");
    let active = |arguments: Value| {
        let answer = server.call("skills.load", arguments).unwrap();
        answer.data["active_skills"].as_array().unwrap().len()
    };
    assert_eq!(active(json!({ "names": ["a"] })), 1);
    assert_eq!(active(json!({ "names": ["b"], "mode": "add" })), 2);
    assert_eq!(active(json!({ "names": ["b"] })), 1);
    let answer = server.call("skills.load", json!({ "names": ["a"] })).unwrap();
    assert_eq!((&answer.data["unloaded"], answer.notes.len()), (&json!(["b"]), 0));
}

#[test]
fn nothing_to_load_or_to_give_up_is_an_error() {
    let server = TestServer::with(&["pdf"], "");
    assert_eq!(server.refusal("skill_load", json!({})), "empty");
    assert_eq!(server.refusal("skill_unload", json!({})), "empty");
    let server = server.speaking(Dialect::Kodelet);
    assert_eq!(server.refusal("skill", json!({ "skill_name": " " })), "empty");
}

#[test]
fn what_is_given_up_is_named_and_gone() {
    let server = TestServer::with(&["a", "b"], "");
    for name in ["a", "b"] {
        server.call("skill_load", json!({ "name": name })).unwrap();
    }
    let answer = server.call("skill_unload", json!({ "names": ["a", "none"] })).unwrap();
    assert_eq!(answer.data["unloaded"], json!(["a"]));
    assert_eq!(answer.data["active_skills"][0]["name"], "b");
    assert!(answer.text.ends_with("Loaded skills: b"), "{}", answer.text);
}

#[test]
fn a_rule_refuses_or_asks() {
    let settings = format!("{}{}", rule("deny", "a"), rule("ask", "b"));
    let server = TestServer::with(&["a", "b"], &settings);
    assert_eq!(server.refusal("skill_load", json!({ "name": "a" })), "denied");
    assert_eq!(server.refusal("skill_load", json!({ "name": "b" })), "ask");
    let read = json!({ "skill": "b", "path": "SKILL.md" });
    assert_eq!(server.refusal("skill_read", read), "ask");
}

#[test]
fn a_bad_id_of_a_conversation_is_refused_by_the_word_state() {
    for id in ["", &"x".repeat(513)] {
        let server = TestServer::with(&["pdf"], "").in_conversation(id);
        assert_eq!(server.refusal("skill_load", json!({ "name": "pdf" })), "state");
        assert_eq!(server.refusal("context_inspect", json!({})), "state");
    }
}

#[test]
fn a_list_of_what_is_no_directory_is_refused() {
    let server = TestServer::with(&["pdf"], "");
    assert_eq!(server.refusal("skills_list", json!({ "cwd": "none" })), "no_directory");
    let answer = server.call("skills_list", json!({ "cwd": "." })).unwrap();
    assert_eq!(answer.data["skills"][0]["name"], "pdf");
}

#[test]
fn cod_4_1_a_listed_skill_has_every_field_of_the_seed() {
    let server = TestServer::with(&["pdf"], "");
    let listed = server.call("skills_list", json!({})).unwrap().data["skills"][0].clone();
    let path = listed["path"].as_str().unwrap();
    assert_eq!(
        listed["id"],
        crate::catalog::SkillId::of(std::path::Path::new(path)).as_str(),
        "{listed}"
    );
    assert_eq!(format!("{}/SKILL.md", listed["dir"].as_str().unwrap()), path);
    let written = std::fs::metadata(path).unwrap().modified().unwrap();
    let since = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(listed["mtime_ms"], json!(u64::try_from(since).unwrap()));
    let texts = ["name", "description", "scope"].map(|key| listed[key].as_str().unwrap());
    assert_eq!(texts[0], "pdf");
    assert!(!texts[1].is_empty() && texts[2] == "repo", "{listed}");
}

#[test]
fn settings_that_break_are_reported_with_every_list_and_every_load() {
    let server = TestServer::with(&["pdf"], "");
    let tell = |place: &str| {
        server.catalogs.refresh();
        for tool in ["skills_list", "skill_search", "context_inspect"] {
            let search = tool == "skill_search";
            let arguments = if search { json!({ "query": "pdf" }) } else { json!({}) };
            let answer = server.call(tool, arguments).unwrap();
            let told = answer.data["settings_errors"][0].as_str().unwrap_or_default();
            assert!(told.contains(place) && answer.text.contains(place), "{tool}: {}", answer.text);
        }
        let described = super::catalog("Loads.", &server.snapshot());
        assert!(described.contains(place), "{described}");
    };
    server.test.env.settings("version = 1\n= broken\n");
    tell("config.toml:2: ");
    let list = server.call("skills_list", json!({})).unwrap().text;
    assert!(list.contains("every skill is denied"), "{list}");
    let load = server.call("skill_load", json!({ "name": "pdf" }));
    let Err(ToolError::Refused { text, .. }) = load else { panic!("{load:?}") };
    assert!(text.contains("config.toml"), "{text}");
    server.test.env.settings("");
    server.test.env.write("repo/.skillpick.toml", "version = 1\n\n[skills\n");
    tell(".skillpick.toml:3: ");
    server.test.env.write("repo/.skillpick.toml", "version = 1\n");
    server.catalogs.refresh();
    let list = server.call("skills_list", json!({})).unwrap().data;
    assert!(list.get("settings_errors").is_none(), "{list}");
}

/// The text of each file is its own path, as Rust writes it.
#[cfg(unix)]
#[test]
fn a_file_is_read_by_every_path_under_which_it_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let server = TestServer::with(&["pdf", "other"], "");
    let dir = server.test.env.at("repo/.agents/skills/s0");
    let names: [&[u8]; 9] = [
        b"plain.md",
        b"with space/a b.md",
        b"100%/a%20b.md",
        b"a&b<c>\"d.md",
        "\u{fc}/\u{65e5}.md".as_bytes(),
        b"no\xfftext.md",
        b"part#one.md",
        "turned\u{202e}dm.md".as_bytes(),
        b"line\nbreak.md",
    ];
    for name in names {
        let path = dir.join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, String::from_utf8_lossy(name).escape_debug().to_string()).unwrap();
    }
    server.catalogs.refresh();
    let text = |path: &str, skill: Option<&str>| {
        let arguments = match skill {
            Some(skill) => json!({ "skill": skill, "path": path }),
            None => json!({ "path": path }),
        };
        match server.call("skill_read", arguments) {
            Ok(answer) => answer.text,
            Err(error) => panic!("{path:?}: {error:?}"),
        }
    };
    // Where no skill is active, an absolute path says which one is meant.
    let main = dir.join("SKILL.md");
    assert!(text(main.to_str().unwrap(), None).ends_with("BODY"));
    server.call("skill_load", json!({ "name": "other" })).unwrap();
    let block = server.call("skill_load", json!({ "name": "pdf" })).unwrap().text;
    let files = block.split("<file>").skip(1).map(|rest| rest.split_once("</file>").unwrap().0);
    let files: Vec<&str> = files.collect();
    assert_eq!(files.len(), names.len(), "{block}");
    for (file, skill) in files.iter().flat_map(|file| [(file, None), (file, Some("pdf"))]) {
        let own = text(file, skill);
        let plain = file.replace("&amp;", "&").replace("&lt;", "<");
        assert!(
            names
                .iter()
                .any(|name| String::from_utf8_lossy(name).escape_debug().to_string() == own)
        );
        if !file.contains(['&', '\n', '\u{202e}', '\u{a}']) {
            assert!(plain.ends_with(&own.replace("\\u{fffd}", "\u{fffd}")), "{file:?}: {own}");
        }
    }
    for (path, own) in [
        ("./plain.md", "plain.md"),
        ("././plain.md#part", "plain.md"),
        ("with%20space/a%20b.md", "with space/a b.md"),
        ("./with%20space/a%20b.md#x", "with space/a b.md"),
        ("100%25/a%2520b.md", "100%/a%20b.md"),
        ("100%/a%20b.md", "100%/a%20b.md"),
        ("%C3%BC/%E6%97%A5.md", "\u{fc}/\u{65e5}.md"),
        ("part#one.md", "part#one.md"),
        ("part%23one.md", "part#one.md"),
        ("turned<U+202E>dm.md", "turned\\u{202e}dm.md"),
        ("skill://pdf/with%20space/a%20b.md", "with space/a b.md"),
    ] {
        assert_eq!(text(path, Some("pdf")), own, "{path}");
    }
    assert_eq!(text("skill://pdf/part%23one.md", None), "part#one.md");
    for path in ["skill://pdf/plain.md", main.to_str().unwrap()] {
        let refused = server.refusal("skill_read", json!({ "skill": "other", "path": path }));
        assert!(["not_found", "absolute_path"].contains(&refused), "{path}: {refused}");
    }
}
