//! A person's yes: asked for at every door that hands over text, remembered only where the person says *always*.

use super::{Client, NAME, newest, refused, validated, validation};
use crate::support::House;
use serde_json::{Value as Json, json};

const SETTINGS: &str = "home/.config/skillpick/config.toml";

pub(super) fn asking() -> House {
    let house = validated();
    house.run(&["permit", "ask", NAME]).ended(0);
    house
}

pub(super) fn eliciting(house: &House) -> Client {
    Client::with(house, &[], json!({ "elicitation": {} }))
}

/// Sends a request during which the person is asked once, and answers so; the answer to the request.
#[track_caller]
pub(super) fn asked(client: &mut Client, (method, params): (&str, Json), result: &Json) -> Json {
    let id = client.request(method, params);
    let asked = client.question();
    let schema = &asked["params"]["requestedSchema"];
    assert_eq!(schema["properties"]["always"]["type"], "boolean", "{asked}");
    assert_eq!(schema["properties"]["always"]["default"], false, "{asked}");
    assert!(schema.get("required").is_none(), "{asked}");
    client.reply(&asked, result);
    client.answer(id)
}

pub(super) fn load() -> (&'static str, Json) {
    ("tools/call", json!({ "name": "skill_load", "arguments": { "name": NAME } }))
}

#[test]
fn cod_8_1c_always_writes_the_rule_that_permit_writes() {
    let house = asking();
    let before = house.read(SETTINGS);
    let mut client = eliciting(&house);
    let answer = asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    let content = answer["result"]["content"].as_array().unwrap();
    assert!(content[0]["text"].as_str().unwrap().contains("MARKER_BODY"), "{answer}");
    // The notice names the file and the line (S5).
    let notice = content[1]["text"].as_str().unwrap();
    assert!(notice.contains("remembered") && notice.contains(&format!("{}:", house.text(SETTINGS))), "{notice}");
    let written = house.read(SETTINGS);
    // The same bytes as by hand.
    let other = asking();
    other.run(&["permit", "allow", NAME]).ended(0);
    assert_eq!(written, other.read(SETTINGS));
    assert_ne!(written, before);
    // Nobody is asked again, here and in a new connection without elicitation.
    assert_eq!(client.call("skill_unload", json!({ "all": true })).0["unloaded"], json!([NAME]));
    assert!(client.call("skill_load", json!({ "name": NAME })).1.contains("MARKER_BODY"));
    assert!(Client::new(&house, &[]).call("skill_load", json!({ "name": NAME })).1.contains("MARKER_BODY"));
    // And it can be taken back.
    house.run(&["undo"]).ended(0);
    assert_eq!(house.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_the_rule_names_the_tool_and_the_skill() {
    let house = validated();
    house.settings("# mine\n[permissions]\ndefault = \"ask\" # always\n");
    let mut client = eliciting(&house);
    let answer = asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let written = house.read(SETTINGS);
    let rule = "[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"skills-system-validation\"\n";
    assert!(written.contains(rule), "{written}");
    assert!(written.starts_with("version = 1\n# mine\n[permissions]\ndefault = \"ask\" # always\n"), "{written}");
}

#[test]
fn cod_8_1c_nothing_is_written_unless_the_person_says_always() {
    let house = asking();
    let before = house.read(SETTINGS);
    for result in [
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "accept", "content": { "always": false } }),
        json!({ "action": "accept", "content": { "always": "true" } }),
        json!({ "action": "accept", "content": { "always": 1 } }),
        json!({ "action": "accept", "content": { "Always": true } }),
        json!({ "action": "decline", "content": { "always": true } }),
        json!({ "action": "cancel", "content": { "always": true } }),
    ] {
        let mut client = eliciting(&house);
        let answer = asked(&mut client, load(), &result);
        let works = result["action"] == "accept";
        assert_eq!(answer["result"]["isError"], !works, "{result}: {answer}");
        assert_eq!(house.read(SETTINGS), before, "{result}");
    }
}

#[test]
fn cod_8_1c_the_model_cannot_say_it() {
    let house = asking();
    let before = house.read(SETTINGS);
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let id = house.json("show", &["show", NAME, "--json"])["skill"]["id"].as_str().unwrap().to_owned();
    let responses = json!({ format!("load:{id}"): yes });
    let meta = newest(json!({}));
    // A client that asks nobody has no answers to bring along, by the old protocol or the new.
    for (mut client, meta) in [(Client::new(&house, &[]), json!({})), (Client::silent(&house, &[]), meta)] {
        for arguments in [
            json!({ "name": NAME, "always": true }),
            json!({ "name": NAME, "content": { "always": true } }),
            json!({ "name": NAME, "inputResponses": responses }),
            json!({ "name": NAME }),
        ] {
            let params =
                json!({ "name": "skill_load", "arguments": arguments, "inputResponses": responses, "_meta": meta });
            let (code, text) = refused(&client.result("tools/call", params));
            assert!(["invalid_input", "needs_consent"].contains(&code.as_str()), "{arguments}: {code}");
            assert!(!text.contains("MARKER_BODY"), "{text}");
        }
    }
    assert_eq!(house.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_always_by_the_newest_protocol_is_for_what_was_needed_and_nothing_else() {
    let house = asking();
    house.skill("repo/.agents/skills", "other", "Other.");
    house.run(&["permit", "ask", "other"]).ended(0);
    let before = house.read(SETTINGS);
    let id = |name: &str| house.json("show", &["show", name, "--json"])["skill"]["id"].as_str().unwrap().to_owned();
    let (own, foreign) = (format!("load:{}", id(NAME)), format!("load:{}", id("other")));
    let meta = newest(json!({ "elicitation": {} }));
    let mut client = Client::silent(&house, &[]);
    let always = json!({ "action": "accept", "content": { "always": true } });
    let mut params = json!({ "name": "skill_load", "arguments": { "name": NAME }, "_meta": meta });
    params["inputResponses"] = json!({ own.as_str(): { "action": "accept" }, foreign.as_str(): always });
    assert_eq!(client.result("tools/call", params.clone())["isError"], false);
    assert_eq!(house.read(SETTINGS), before, "nobody was asked about the other one");
    params["inputResponses"] = json!({ own.as_str(): always });
    client.result("tools/call", params);
    assert!(house.read(SETTINGS) != before && !house.read(SETTINGS).contains("allow\", skill_name = \"other\""));
    house.run(&["load", "other"]).ended(1);
}

#[test]
fn cod_8_1c_what_a_rule_cannot_say_is_told() {
    // A wider rule that asks stays above the new one: then nothing is written, and the load goes on once.
    let house = validated();
    house.run(&["permit", "ask", "skills-*"]).ended(0);
    let before = house.read(SETTINGS);
    let mut client = eliciting(&house);
    let answer = asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    let content = answer["result"]["content"].as_array().unwrap();
    assert!(content[0]["text"].as_str().unwrap().contains("MARKER_BODY"), "{answer}");
    assert!(content[1]["text"].as_str().unwrap().starts_with("[not remembered: "), "{answer}");
    assert_eq!(house.read(SETTINGS), before);
    // A rule goes by name: with two of them it would allow the one that nobody was asked about.
    let house = asking();
    house.skill("home/.agents/skills", NAME, "Its twin.");
    let before = house.read(SETTINGS);
    let path = house.text("repo/.agents/skills/skills-system-validation");
    let params = json!({ "name": "skill_load", "arguments": { "path": path } });
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut eliciting(&house), ("tools/call", params), &yes);
    assert!(answer["result"]["content"][1]["text"].as_str().unwrap().starts_with("[not remembered: "), "{answer}");
    assert_eq!(house.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_always_for_a_script_is_for_exactly_this_run() {
    let house = House::new();
    let folder = validation(&house);
    house.settings("[scripts]\nenabled = true\n");
    let before = house.read(SETTINGS);
    let mut client = eliciting(&house);
    client.call("skill_load", json!({ "name": NAME }));
    let run = |word: &str| {
        let arguments = json!({ "path": "scripts/hello.sh", "args": [word] });
        ("tools/call", json!({ "name": "skill_run_script", "arguments": arguments }))
    };
    // A yes without *always* is asked for again.
    assert_eq!(
        asked(&mut client, run("now"), &json!({ "action": "accept" }))["result"]["structuredContent"]["exit_code"],
        3
    );
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut client, run("now"), &yes);
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 3, "{answer}");
    assert!(answer.to_string().contains("remembered: exactly this run"), "{answer}");
    // The same run is not asked for any more, by whatever door; settings stay as they are.
    assert_eq!(client.result(run("now").0, run("now").1)["structuredContent"]["exit_code"], 3);
    house.run(&["run", NAME, "scripts/hello.sh", "--", "now"]).ended(3);
    assert_eq!(house.read(SETTINGS), before);
    // Another argument, or another byte, is.
    assert_eq!(refused(&asked(&mut client, run("then"), &json!({ "action": "decline" }))["result"]).0, "declined");
    house.write(&format!("{folder}/references/REFERENCE.md"), "CHANGED\n");
    assert_eq!(refused(&asked(&mut client, run("now"), &json!({ "action": "decline" }))["result"]).0, "declined");
}

#[test]
fn bar_35_what_changes_while_a_person_is_asked_is_asked_for_again() {
    let house = House::new();
    let folder = validation(&house);
    house.settings("[scripts]\nenabled = true\n");
    let mut client = eliciting(&house);
    client.call("skill_load", json!({ "name": NAME }));
    let run = json!({ "name": "skill_run_script", "arguments": { "path": "scripts/hello.sh", "args": ["now"] } });
    let id = client.request("tools/call", run.clone());
    let first = client.question();
    house.write(&format!("{folder}/scripts/hello.sh"), "echo SWAPPED\n");
    client.reply(&first, &json!({ "action": "accept" }));
    let second = client.question();
    assert_ne!(first["params"]["message"], second["params"]["message"]);
    client.reply(&second, &json!({ "action": "decline" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "declined");
    // So is a rule.
    let id = client.request("tools/call", run);
    let asked = client.question();
    house.run(&["permit", "deny", NAME, "--script"]).ended(0);
    client.reply(&asked, &json!({ "action": "accept" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "denied");
    let house = asking();
    let mut client = eliciting(&house);
    let id = client.request(load().0, load().1);
    let asked = client.question();
    house.run(&["permit", "deny", NAME]).ended(0);
    client.reply(&asked, &json!({ "action": "accept" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "denied");
}

/// Every request that hands over text of a skill, or what its files are.
fn doors() -> Vec<(&'static str, Json)> {
    let at = |path: &str| json!({ "uri": format!("skill://{NAME}/{path}") });
    vec![
        ("resources/read", at("SKILL.md")),
        ("resources/read", at("references/REFERENCE.md")),
        ("resources/directory/read", at("")),
        ("resources/directory/read", at("references")),
        ("skills/get", at("SKILL.md")),
        ("prompts/get", json!({ "name": NAME })),
        (
            "tools/call",
            json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": "references/REFERENCE.md" } }),
        ),
        load(),
    ]
}

/// Whether a request was refused, and by which word.
fn word(answer: &Json) -> String {
    let result = &answer["result"];
    let word =
        if result.is_null() { &answer["error"]["data"]["skillpick/code"] } else { &result["_meta"]["skillpick/code"] };
    word.as_str().unwrap_or_default().to_owned()
}

#[test]
fn cod_8_1_no_door_hands_over_what_a_rule_asks_for() {
    let house = asking();
    for (method, params) in doors() {
        let mut client = Client::new(&house, &[]);
        let id = client.request(method, params.clone());
        let answer = client.answer(id);
        assert_eq!(word(&answer), "needs_consent", "{method} {params}: {answer}");
        let text = answer.to_string();
        assert!(text.contains(&format!("skillpick permit allow {NAME}")), "{text}");
        assert!(!text.contains("MARKER") && !text.contains("sha256:"), "{text}");
        // Lists name the skill and nothing that is in it.
        let lists = [client.result("resources/list", json!({})), client.result("skills/list", json!({}))];
        for list in lists {
            let list = list.to_string();
            assert!(list.contains(NAME) && !list.contains("REFERENCE.md") && !list.contains("sha256:"), "{list}");
        }
        // The person says no; then yes.
        let mut client = eliciting(&house);
        let answer = asked(&mut client, (method, params.clone()), &json!({ "action": "decline" }));
        assert_eq!(word(&answer), "declined", "{method} {params}: {answer}");
        let answer = asked(&mut client, (method, params.clone()), &json!({ "action": "accept" }));
        assert!(answer.get("error").is_none() && answer["result"]["isError"] != true, "{method} {params}: {answer}");
    }
    // What was loaded with a yes may be read without another one.
    let mut client = eliciting(&house);
    asked(&mut client, load(), &json!({ "action": "accept" }));
    let read = client.result("resources/read", json!({ "uri": format!("skill://{NAME}/references/REFERENCE.md") }));
    assert_eq!(read["contents"][0]["text"], "MARKER_REFERENCE\n");
    assert!(client.result("skills/list", json!({})).to_string().contains("sha256:"));
}

#[test]
fn cod_8_1_what_is_off_or_denied_has_no_door() {
    for change in [["permit", "deny"].as_slice(), &["disable"]] {
        let house = validated();
        house.run(&[change, &[NAME]].concat()).ended(0);
        let mut client = eliciting(&house);
        for list in ["resources/list", "skills/list", "prompts/list"] {
            let answer = client.result(list, json!({}));
            assert!(!answer.to_string().contains(NAME), "{change:?} {list}: {answer}");
        }
        for tool in
            [json!({ "name": "skills_list" }), json!({ "name": "skill_search", "arguments": { "query": NAME } })]
        {
            let answer = client.result("tools/call", tool);
            assert!(!answer.to_string().contains(NAME), "{change:?}: {answer}");
        }
        for (method, params) in doors() {
            let id = client.request(method, params.clone());
            let answer = client.answer(id);
            let refused = answer["error"]["code"].is_i64() || answer["result"]["isError"] == true;
            assert!(refused && !answer.to_string().contains("MARKER"), "{change:?} {method} {params}: {answer}");
        }
    }
}

#[test]
fn bar_04_hidden_text_is_refused_at_every_door() {
    let house = House::new();
    let folder = validation(&house);
    house.write(
        &format!("{folder}/SKILL.md"),
        format!("---\nname: {NAME}\ndescription: \"A\u{202e}B.\"\n---\nMARKER_BODY \u{202e}hidden\n"),
    );
    house.write(&format!("{folder}/references/REFERENCE.md"), "MARKER_REFERENCE\u{202e}\n");
    let mut client = eliciting(&house);
    for (method, params) in
        doors().into_iter().filter(|(method, _)| !["skills/get", "resources/directory/read"].contains(method))
    {
        let id = client.request(method, params.clone());
        let answer = client.answer(id);
        assert_eq!(word(&answer), "hidden_text", "{method} {params}: {answer}");
        assert!(!answer.to_string().contains("MARKER"), "{answer}");
    }
    // Where it is told of, it is told with marks.
    for (method, params) in [
        ("resources/list", json!({})),
        ("skills/list", json!({})),
        ("prompts/list", json!({})),
        ("skills/get", json!({ "uri": format!("skill://{NAME}/SKILL.md") })),
        ("tools/call", json!({ "name": "skills_list" })),
        ("tools/call", json!({ "name": "skill_search", "arguments": { "query": NAME } })),
        ("tools/call", json!({ "name": "context_inspect", "arguments": { "include_skills": true } })),
    ] {
        let answer = client.result(method, params).to_string();
        assert!(answer.contains("<U+202E>") && !answer.contains('\u{202e}'), "{method}: {answer}");
    }
    let about = Client::new(&house, &["--dialect", "kodelet"]).result("tools/list", json!({})).to_string();
    assert!(about.contains(NAME) && !about.contains('\u{202e}'), "{about}");
}

#[test]
fn cod_8_1_the_command_that_is_told_is_one_word_a_name_whatever_is_in_it() {
    let house = House::new();
    house.write("repo/.agents/skills/odd/SKILL.md", "---\nname: \"x'; touch y; '\"\ndescription: d\n---\n");
    let path = house.text("repo/.agents/skills/odd");
    let said = |house: &House| Client::new(house, &[]).refusal("skill_load", json!({ "path": path })).1;
    let told = r"skillpick permit allow 'x'\''; touch y; '\'''";
    house.settings("[permissions]\ndefault = \"ask\"\n");
    assert!(said(&house).contains(told), "{}", said(&house));
    house.settings("[permissions]\ndefault = \"deny\"\n");
    let denied = said(&house);
    assert!(
        denied.contains("is denied") && denied.contains("permit allow") && !denied.contains("allow x'"),
        "{denied}"
    );
}

#[test]
fn x1_what_is_told_of_a_script_allows_that_script_alone() {
    let house = House::new();
    let folder = validation(&house);
    house.write(&format!("{folder}/scripts/two words.sh"), "echo other\n");
    house.settings("[scripts]\nenabled = true\n");
    let mut client = Client::new(&house, &[]);
    client.call("skill_load", json!({ "name": NAME }));
    let (code, text) = client.refusal("skill_run_script", json!({ "path": "scripts/two words.sh" }));
    let told = format!("skillpick permit allow {NAME} --script --path 'scripts/two words.sh'");
    assert!(code == "needs_consent" && text.contains(&told), "{code} {text}");
    house.run(&["permit", "allow", NAME, "--script", "--path", "scripts/two words.sh"]).ended(0);
    assert!(client.call("skill_run_script", json!({ "path": "scripts/two words.sh" })).1.contains("other"));
}

#[test]
fn bar_35_a_yes_to_a_load_is_for_the_text_of_then() {
    let house = asking();
    let mut client = eliciting(&house);
    asked(&mut client, load(), &json!({ "action": "accept" }));
    let read = |skill: bool| {
        let mut arguments = json!({ "path": "references/REFERENCE.md" });
        if skill {
            arguments["skill"] = json!(NAME);
        }
        ("tools/call", json!({ "name": "skill_read", "arguments": arguments }))
    };
    let address = ("resources/read", json!({ "uri": format!("skill://{NAME}/references/REFERENCE.md") }));
    for request in [read(true), read(false), address.clone()] {
        let answer = client.result(request.0, request.1);
        assert!(answer.to_string().contains("MARKER"), "nobody is asked again: {answer}");
    }
    let path = format!("repo/.agents/skills/{NAME}/SKILL.md");
    house.write(&path, format!("{}Other words.\n", house.read(&path)));
    for request in [read(true), read(false), address] {
        let answer = asked(&mut client, request, &json!({ "action": "decline" }));
        assert!(!answer.to_string().contains("MARKER"), "{answer}");
    }
    let context = client.call("context_inspect", json!({ "include_skills": true })).0;
    assert!(context.to_string().contains("\"state\":\"refused\""), "{context}");
}

#[test]
fn bar_34_a_file_of_a_skill_within_another_waits_for_the_yes_to_that_one() {
    let house = validated();
    let folder = format!("repo/.agents/skills/{NAME}");
    house.skill(&folder, "inner", "Lies within.");
    house.write(&format!("{folder}/inner/f.md"), "MARKER_INNER");
    house.run(&["permit", "ask", "inner"]).ended(0);
    let tool = json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": "inner/f.md" } });
    let doors = [("tools/call", tool), ("resources/read", json!({ "uri": format!("skill://{NAME}/inner/f.md") }))];
    let mut silent = Client::new(&house, &[]);
    for (method, params) in &doors {
        let id = silent.request(method, params.clone());
        let answer = silent.answer(id);
        assert_eq!(word(&answer), "needs_consent", "{method}: {answer}");
        assert!(!answer.to_string().contains("MARKER"), "{method}: {answer}");
    }
    for (method, params) in doors {
        let answer = asked(&mut eliciting(&house), (method, params), &json!({ "action": "accept" }));
        assert!(answer.to_string().contains("MARKER_INNER"), "{method}: {answer}");
    }
}
