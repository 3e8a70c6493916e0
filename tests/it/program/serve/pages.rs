//! Pages of `skills_list` and of the lists of the protocol: bounded, stable, each row once.

use super::{Client, names};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

fn name(number: usize) -> String {
    format!("s{number:03}")
}

/// Skills with a long description, and a broken one.
fn many(count: usize) -> TestEnv {
    let env = TestEnv::new();
    let about = "words and more \"words\" ".repeat(30);
    for number in 0..count {
        env.skill("repo/.agents/skills", &name(number), &about);
    }
    env.write("repo/.agents/skills/s001-broken/SKILL.md", "No frontmatter.\n");
    env
}

/// One page, whose whole frame is at most so long.
#[track_caller]
fn page(client: &mut Client, arguments: &Json, most: usize) -> Json {
    let params = json!({ "name": "skills_list", "arguments": arguments });
    let id = client.request("tools/call", params);
    let answer = client.answer(id);
    let length = answer.to_string().len();
    assert!(length <= most, "{length} bytes");
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    answer["result"]["structuredContent"].clone()
}

/// All rows from this cursor on.
#[track_caller]
fn rest(client: &mut Client, mut cursor: Json, most: usize) -> (Vec<String>, usize) {
    let (mut all, mut errors) = (Vec::new(), 0);
    while !cursor.is_null() {
        let page = page(client, &json!({ "cursor": cursor }), most);
        all.extend(names(&page["skills"]).iter().map(|name| (*name).to_owned()));
        errors += page["errors"].as_array().unwrap().len();
        cursor = page["next_cursor"].clone();
    }
    (all, errors)
}

const DEFAULT: usize = 64 << 10;

#[test]
fn skills_list_gives_pages_of_at_most_64_kib_and_every_skill_once() {
    let env = many(200);
    let mut client = Client::new(&env, &[]);
    let first = page(&mut client, &json!({}), DEFAULT);
    assert_eq!(first["skills_count"], 200, "{first}");
    let begun = names(&first["skills"]).len();
    assert!((20..100).contains(&begun), "{begun}");
    let (all, errors) = rest(&mut client, first["next_cursor"].clone(), DEFAULT);
    let all =
        [names(&first["skills"]).iter().map(|name| (*name).to_owned()).collect(), all].concat();
    assert_eq!(all, (0..200).map(name).collect::<Vec<_>>());
    assert_eq!(errors + first["errors"].as_array().unwrap().len(), 1);
    // A caller may want more at once, or less.
    let whole = page(&mut client, &json!({ "max_bytes": 4 << 20 }), 4 << 20);
    assert!(whole.get("next_cursor").is_none() && names(&whole["skills"]).len() == 200);
    let one = page(&mut client, &json!({ "max_bytes": 1 }), 16 << 10);
    assert_eq!(names(&one["skills"]), ["s000"]);
    let inspected = client.call("context_inspect", json!({ "include_skills": true })).0;
    let (all, _) = rest(&mut client, inspected["next_cursor"].clone(), DEFAULT);
    assert_eq!(names(&inspected["skills"]).len() + all.len(), 200);
}

#[test]
fn a_change_between_two_pages_loses_and_repeats_nothing_that_stayed() {
    let env = many(120);
    let mut client = Client::new(&env, &[]);
    let first = page(&mut client, &json!({}), DEFAULT);
    let seen: Vec<String> = names(&first["skills"]).iter().map(|name| (*name).to_owned()).collect();
    // One before the first, and the last that was given among those that go.
    env.skill("repo/.agents/skills", "a-new-one", "New.");
    for gone in ["s002", "s003", "s110", seen.last().unwrap()] {
        std::fs::remove_dir_all(env.at(format!("repo/.agents/skills/{gone}"))).unwrap();
    }
    let (more, _) = rest(&mut client, first["next_cursor"].clone(), DEFAULT);
    let expected: Vec<String> = (seen.len()..120).map(name).filter(|name| name != "s110").collect();
    assert_eq!(more, expected);
}

#[test]
fn a_row_is_bounded_whatever_its_skill_says() {
    let env = TestEnv::new();
    let marks = "a\u{301}\u{301}\u{301}".repeat(8_000);
    env.skill("repo/.agents/skills", "marks", &marks);
    for number in 0..300 {
        env.skill(&format!("repo/.agents/skills/d{number}"), "same", "One of many.");
    }
    let mut client = Client::new(&env, &[]);
    let first = page(&mut client, &json!({}), DEFAULT);
    let (all, errors) = rest(&mut client, first["next_cursor"].clone(), DEFAULT);
    assert_eq!((names(&first["skills"]).len() + all.len(), errors), (301, 0));
}

#[test]
fn a_cursor_of_another_list_or_place_is_refused_by_name() {
    let env = many(80);
    env.skill("other/.agents/skills", "there", "There.");
    let mut client = Client::new(&env, &[]);
    let own = page(&mut client, &json!({}), DEFAULT)["next_cursor"].clone();
    let resources = client.result("resources/list", json!({}))["nextCursor"].clone();
    assert!(own.is_string() && resources.is_string());
    let huge = "A".repeat(1 << 20);
    let elsewhere = json!({ "cwd": env.text("other"), "cursor": own });
    for arguments in [
        json!({ "cursor": resources }),
        json!({ "cursor": "" }),
        json!({ "cursor": "L2V0Yw" }),
        json!({ "cursor": huge }),
        elsewhere,
    ] {
        let (code, text) = client.refusal("skills_list", arguments);
        assert!(code == "invalid_cursor" && text.contains("begin again"), "{code}: {text}");
    }
    for method in ["resources/list", "skills/list", "prompts/list", "tools/list"] {
        let id = client.request(method, json!({ "cursor": own }));
        let error = client.answer(id)["error"].clone();
        assert_eq!(error["data"]["skillpick/code"], "invalid_cursor", "{method}: {error}");
    }
}

#[test]
fn prompts_have_pages_too() {
    let env = TestEnv::new();
    (0..520).for_each(|number| drop(env.skill("repo/.agents/skills", &name(number), "One.")));
    let mut client = Client::new(&env, &[]);
    let (mut all, mut sizes, mut cursor) = (Vec::new(), Vec::new(), Json::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = client.result("prompts/list", params);
        let prompts = names(&page["prompts"]);
        sizes.push(prompts.len());
        all.extend(prompts.into_iter().map(str::to_owned));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert!(sizes.len() == 2 && sizes[0] > 400, "{sizes:?}");
    assert_eq!(all, (0..520).map(name).collect::<Vec<_>>());
}
