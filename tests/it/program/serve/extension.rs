//! The Skills extension (SEP-2640) as its text has it, so that a strict host takes every skill.

use super::Client;
use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const SKILLS: &str = "repo/.agents/skills";

/// All items of a list, page by page; each page has at most 64 KiB.
#[track_caller]
fn all(client: &mut Client, method: &str, items: &str) -> Vec<Json> {
    all_of(client, method, items, &json!({}))
}

fn all_of(client: &mut Client, method: &str, items: &str, of: &Json) -> Vec<Json> {
    let (mut all, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut params = of.clone();
        if let Some(cursor) = cursor.take() {
            params["cursor"] = json!(cursor);
        }
        let page = client.result(method, params);
        assert!(page.to_string().len() <= 64 << 10, "{method}: {}", page.to_string().len());
        all.extend(page[items].as_array().unwrap().iter().cloned());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return all,
        }
    }
}

fn entries(client: &mut Client) -> BTreeMap<String, Json> {
    let skills = all(client, "skills/list", "skills").into_iter();
    skills.map(|skill| (skill["uri"].as_str().unwrap().to_owned(), skill)).collect()
}

/// Everything that a strict host checks of an entry: what it says of each file is what is read, and
/// its frontmatter is the file's.
#[track_caller]
fn assert_verified(client: &mut Client, entry: &Json) {
    let uri = entry["uri"].as_str().unwrap();
    let got = client.result("skills/get", json!({ "uri": uri }))["skill"].clone();
    assert_eq!(&got, entry);
    let main = client.result("resources/read", json!({ "uri": uri }));
    let text = main["contents"][0]["text"].as_str().unwrap();
    let yaml = text.split("\n---").next().unwrap().strip_prefix("---\n").unwrap();
    let theirs: Json = serde_yaml::from_str(yaml).unwrap();
    assert_eq!(entry["frontmatter"], theirs, "{uri}");
    let name = uri.strip_suffix("/SKILL.md").unwrap().rsplit('/').next().unwrap();
    assert_eq!(entry["frontmatter"]["name"], name);
    for file in entry["resources"].as_array().into_iter().flatten() {
        let read = client.result("resources/read", json!({ "uri": file["uri"] }));
        let content = &read["contents"][0];
        let bytes = match content["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => {
                use base64::Engine as _;
                let blob = content["blob"].as_str().unwrap();
                base64::engine::general_purpose::STANDARD.decode(blob).unwrap()
            }
        };
        let digest = format!("sha256:{}", skillpick::files::digest::sha256_hex(&bytes));
        assert_eq!(
            (&file["digest"], &file["size"]),
            (&json!(digest), &json!(bytes.len())),
            "{file}"
        );
    }
}

#[test]
fn the_frontmatter_is_the_files_own_with_every_key_and_type() {
    let env = TestEnv::new();
    let rows = [
        ("plain", "description: d"),
        ("tools", "description: d\nallowed-tools: Read, Bash(git:*)"),
        ("list", "description: d\nallowed-tools:\n  - Read\n  - Bash"),
        ("types", "description: d\nversion: 1.10\nn: 7\nok: true\nnothing:\ntags: [a, 1, [b]]"),
        (
            "nest",
            "description: d\nmetadata:\n  version: \"1.0\"\n  a: {b: [c, 2.5]}\nhooks:\n  - on: x",
        ),
        ("text", "description: >-\n  folded\n  text\nlicense: 'MIT'\nlong: |\n  a\n  b"),
        ("unicode", "description: \u{fc}ber \u{1f600}\ncolour: \u{4e2d}"),
        ("order", "zeta: 1\ndescription: d\nalpha: 2"),
    ];
    for (name, rest) in rows {
        env.raw_skill(&format!("{SKILLS}/{name}"), &format!("name: {name}\n{rest}"), "BODY\n");
    }
    env.write(format!("{SKILLS}/types/data.bin"), b"\0\xff\x00");
    let mut client = Client::new(&env, &[]);
    let entries = entries(&mut client);
    assert_eq!(entries.len(), rows.len(), "{entries:?}");
    for entry in entries.values() {
        assert_verified(&mut client, entry);
    }
}

#[test]
fn what_a_strict_host_must_refuse_is_no_skill_of_the_extension() {
    let env = TestEnv::new();
    env.skill(SKILLS, "sound", "d");
    env.raw_skill(&format!("{SKILLS}/colon"), "name: colon\ndescription: a: b", "");
    env.raw_skill(&format!("{SKILLS}/number"), "name: number\ndescription: 5", "");
    env.raw_skill(
        &format!("{SKILLS}/escape"),
        "name: escape\ndescription: d\nx: \"a\\e[31mb\"",
        "",
    );
    env.raw_skill(&format!("{SKILLS}/key"), "name: key\ndescription: d\n\"a\\u202eb\": 1", "");
    let hidden = format!("{SKILLS}/hidden");
    env.raw_skill(&hidden, "name: hidden\ndescription: a\u{200b}b\u{200b}c", "");
    env.raw_skill(&format!("{SKILLS}/na me"), "name: na me\ndescription: d", "");
    let mut client = Client::new(&env, &[]);
    let uris: Vec<String> = entries(&mut client).into_keys().collect();
    assert_eq!(uris, ["skill://sound/SKILL.md"]);
    for name in ["colon", "escape", "hidden", "none"] {
        let id = client.request("skills/get", json!({ "uri": format!("skill://{name}/SKILL.md") }));
        assert_eq!(client.answer(id)["error"]["code"], -32602, "{name}");
    }
    // Once a person has approved exactly these bytes, they are given as they are.
    env.run(&["approve", "hidden", "--yes"]).ended(0);
    let mut client = Client::new(&env, &[]);
    let entries = entries(&mut client);
    let entry = &entries["skill://hidden/SKILL.md"];
    assert_eq!(entry["frontmatter"]["description"], "a\u{200b}b\u{200b}c");
    assert_verified(&mut client, entry);
}

#[test]
fn a_nested_skill_has_the_address_of_its_files_in_the_outer_one() {
    let env = TestEnv::new();
    env.skill(SKILLS, "outer", "d");
    env.skill(&format!("{SKILLS}/outer/more"), "inner", "d");
    env.write(format!("{SKILLS}/outer/more/inner/notes.md"), "N");
    env.write(format!("{SKILLS}/outer/more/other.md"), "O");
    env.raw_skill(&format!("{SKILLS}/outer/renamed"), "name: another\ndescription: d", "");
    let mut client = Client::new(&env, &["--root", &env.text(SKILLS)]);
    let entries = entries(&mut client);
    let (outer, inner) = ("skill://outer/SKILL.md", "skill://outer/more/inner/SKILL.md");
    assert_eq!(entries.keys().collect::<Vec<_>>(), ["skill://another/SKILL.md", outer, inner]);
    let files = |uri: &str| -> BTreeSet<String> {
        let files = entries[uri]["resources"].as_array().unwrap().iter();
        files.map(|file| file["uri"].as_str().unwrap().to_owned()).collect()
    };
    let notes = "skill://outer/more/inner/notes.md".to_owned();
    assert_eq!(files(inner), BTreeSet::from([inner.to_owned(), notes.clone()]));
    assert!(files(outer).is_superset(&files(inner)), "its files are also the outer one's");
    assert!(files(outer).contains("skill://outer/renamed/SKILL.md"));
    for entry in entries.values() {
        assert_verified(&mut client, entry);
    }
    let inside = client.result("resources/directory/read", json!({ "uri": "skill://outer/more" }));
    let uris: Vec<&str> = inside["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris, ["skill://outer/more/inner", "skill://outer/more/other.md"]);
    let inside =
        client.result("resources/directory/read", json!({ "uri": "skill://outer/more/inner" }));
    assert_eq!(inside["resources"].as_array().unwrap().len(), 2, "{inside}");
}

#[test]
fn a_manifest_is_complete_or_there_is_none() {
    let env = TestEnv::new();
    env.skill(SKILLS, "outer", "d");
    env.skill(&format!("{SKILLS}/outer"), "asked", "d");
    env.settings("[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"asked\"\n");
    env.skill(SKILLS, "large", "d");
    for number in 0..512 {
        env.write(format!("{SKILLS}/large/d/f{number}.txt"), "x");
    }
    env.skill(SKILLS, "full", "d");
    for number in 0..511 {
        env.write(format!("{SKILLS}/full/f{number}.txt"), "x");
    }
    let mut client = Client::new(&env, &["--root", &env.text(SKILLS)]);
    // An entry is never split, so that the page with the full one may be larger.
    let (mut found, mut cursor) = (BTreeMap::new(), Json::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = client.result("skills/list", params);
        for skill in page["skills"].as_array().unwrap() {
            let name = skill["frontmatter"]["name"].as_str().unwrap().to_owned();
            let files = skill["resources"].as_array().map(Vec::len);
            found.insert(name, files.ok_or(skill["resources"].clone()));
        }
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let dynamic = Err(json!("dynamic"));
    let expected =
        [("asked", dynamic.clone()), ("full", Ok(512)), ("large", dynamic), ("outer", Ok(1))];
    assert_eq!(found, expected.map(|(name, files)| (name.to_owned(), files)).into());
}

#[test]
fn at_most_512_resources_of_a_skill_are_listed_and_the_rest_is_reached_by_its_directories() {
    let env = TestEnv::new();
    env.skill(SKILLS, "large", "d");
    for number in 0..700 {
        env.write(format!("{SKILLS}/large/d/f{number}"), "x");
    }
    let mut client = Client::new(&env, &[]);
    let listed = all(&mut client, "resources/list", "resources");
    assert!((100..=512).contains(&listed.len()), "{}", listed.len());
    let of = json!({ "uri": "skill://large/d" });
    let inside = all_of(&mut client, "resources/directory/read", "resources", &of);
    assert_eq!(inside.len(), 700);
    for row in inside.iter().step_by(99) {
        client.result("resources/read", json!({ "uri": row["uri"] }));
    }
}

#[test]
fn a_directory_is_read_whole_however_many_files_lie_beside_it() {
    let env = TestEnv::new();
    env.skill(SKILLS, "big", "d");
    for number in 0..2_500 {
        env.write(format!("{SKILLS}/big/aaa/f{number}"), "x");
    }
    env.write(format!("{SKILLS}/big/zzz/x.md"), "x");
    std::os::unix::fs::symlink("zzz", env.at(format!("{SKILLS}/big/link"))).unwrap();
    let mut client = Client::new(&env, &[]);
    let mut read = |place: &str| {
        let of = json!({ "uri": format!("skill://big/{place}") });
        all_of(&mut client, "resources/directory/read", "resources", &of)
    };
    assert_eq!((read("aaa").len(), read("zzz").len(), read("").len()), (2_500, 1, 3));
    let first = client.result("resources/directory/read", json!({ "uri": "skill://big/aaa" }));
    let cursor = &first["nextCursor"];
    for (place, cursor) in [("no", &Json::Null), ("link", &Json::Null), ("zzz", cursor)] {
        let params = json!({ "uri": format!("skill://big/{place}"), "cursor": cursor });
        let id = client.request("resources/directory/read", params);
        assert!(client.answer(id)["error"]["code"].is_i64(), "{place}");
    }
}

#[test]
fn every_file_that_is_listed_has_its_media_type() {
    let env = TestEnv::new();
    env.skill(SKILLS, "kinds", "d");
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let files: [(&str, &[u8], &str); 7] = [
        ("a.md", b"x", "text/markdown"),
        ("b.json", b"{}", "application/json"),
        ("c.png", png, "image/png"),
        ("d", b"text", "text/plain"),
        ("e", png, "image/png"),
        ("f.unknown", b"\0\xff\x01", "application/octet-stream"),
        ("g.py", b"print()", "text/x-python"),
    ];
    for (name, bytes, _) in files {
        env.write(format!("{SKILLS}/kinds/{name}"), bytes);
    }
    let mut client = Client::new(&env, &[]);
    let listed = all(&mut client, "resources/list", "resources");
    let read = client.result("resources/directory/read", json!({ "uri": "skill://kinds" }));
    for (name, _, kind) in files {
        let uri = format!("skill://kinds/{name}");
        let content = client.result("resources/read", json!({ "uri": uri }));
        assert_eq!(content["contents"][0]["mimeType"], kind, "{name}");
        for list in [&listed, read["resources"].as_array().unwrap()] {
            let row = list.iter().find(|row| row["uri"] == uri.as_str()).unwrap();
            assert_eq!(row["mimeType"], kind, "{row}");
        }
    }
}

#[test]
fn pages_of_every_list_are_bounded_and_together_the_whole_list() {
    let env = TestEnv::new();
    for number in 0..150 {
        let description = format!("{} {}", number, "words ".repeat(150));
        env.skill(SKILLS, &format!("s{number}"), description.trim());
        env.write(format!("{SKILLS}/s{number}/a.md"), "x");
    }
    let mut client = Client::new(&env, &[]);
    for (method, items, count) in [
        ("prompts/list", "prompts", 150),
        ("resources/list", "resources", 300),
        ("skills/list", "skills", 150),
    ] {
        let rows = all(&mut client, method, items);
        let distinct: BTreeSet<String> = rows.iter().map(Json::to_string).collect();
        assert_eq!((rows.len(), distinct.len()), (count, count), "{method}");
    }
}

#[test]
fn what_a_model_reads_of_the_tools_is_short() {
    let env = TestEnv::new();
    env.skill(SKILLS, "one", "d");
    let mut client = Client::over(env.command(&["serve"])).begun(json!({}));
    let tools = client.result("tools/list", json!({}));
    let model: usize = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            assert!(tool.get("outputSchema").is_none(), "{tool}");
            let parts = [&tool["name"], &tool["description"], &tool["inputSchema"]];
            parts.map(|part| part.to_string().len()).iter().sum::<usize>()
        })
        .sum();
    assert!(model <= 4500, "{model} bytes");
}

#[test]
fn the_skills_of_the_repository_are_taken_by_a_strict_host() {
    let env = TestEnv::new();
    env.fixture("../.skills", "repo/.agents/skills");
    let mut client = Client::new(&env, &[]);
    let entries = entries(&mut client);
    let folders = fs::read_dir(env.at(SKILLS)).unwrap().count();
    assert_eq!(entries.len(), folders);
    for entry in entries.values() {
        assert_verified(&mut client, entry);
    }
}
