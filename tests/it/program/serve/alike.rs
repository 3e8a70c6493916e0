//! Equal and look-alike names are flagged, and need a path.

use super::{Client, names};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// A name, and one that a reader takes for it.
const TWINS: &[(&str, &str)] = &[
    ("pdf", "pdf"),
    ("pdf", "рdf"),
    ("pdf", "pԁf"),
    ("pdf", "PDF"),
    ("pdf", "Pdf"),
    ("pdf", "pdf "),
    ("pdf", " pdf"),
    ("pdf", "p\u{200b}df"),
    ("pdf", "pdf\u{200d}"),
    ("pdf", "pd\u{ad}f"),
    ("pdf", "ｐｄｆ"),
    ("pdf", "pdf\u{301}"),
    ("pdf", "𝐩𝐝𝐟"),
    ("add-check", "add_check"),
    ("add-check", "add‐check"),
    ("add-check", "аdd-сhесk"),
    ("release", "re1ease"),
    ("tools", "t0ols"),
    ("modern", "modem"),
    ("opus", "οpus"),
];

fn env(one: &str, other: &str) -> (TestEnv, [String; 2]) {
    let env = TestEnv::new();
    let write = |folder: &str, name: &str| {
        let text =
            format!("---\nname: {}\ndescription: Words.\n---\nBODY_OF {folder}\n", json!(name));
        env.write(format!("{folder}/SKILL.md"), text).to_str().unwrap().to_owned()
    };
    let places = [write("repo/.agents/skills/one", one), write("home/.agents/skills/other", other)];
    (env, places)
}

fn flagged(rows: &Json, places: &[String; 2]) -> bool {
    let alike = |path: &str| {
        rows.as_array()
            .unwrap()
            .iter()
            .find(|row| row["path"] == path)
            .map(|row| row["alike"].clone())
    };
    alike(&places[0]) == Some(json!([places[1]])) && alike(&places[1]) == Some(json!([places[0]]))
}

#[test]
fn names_that_look_alike_are_flagged_and_need_a_path() {
    crate::env::bar::tried(TWINS.len());
    for (one, other) in TWINS {
        let (env, places) = env(one, other);
        let mut client = Client::new(&env, &[]);
        let list = client.call("skills_list", json!({})).0;
        assert!(flagged(&list["skills"], &places), "{one:?} {other:?}: {list}");
        let found = client.call("skill_search", json!({ "query": "words" })).0;
        assert!(flagged(&found["candidates"], &places), "{one:?} {other:?}: {found}");
        for name in [*one, other, &format!("${one}")] {
            for (tool, arguments) in [
                ("skill_load", json!({ "name": name })),
                ("skill_read", json!({ "skill": name, "path": "SKILL.md" })),
            ] {
                let (code, text) = client.refusal(tool, arguments);
                // A spelling that no skill has is unknown, and is not taken for its look-alike.
                assert!(
                    code == "ambiguous" || (code == "unknown" && name != *one),
                    "{tool} {name:?}: {code} {text}"
                );
                assert!(
                    code != "ambiguous" || places.iter().all(|path| text.contains(path)),
                    "{tool} {name:?}: {text}"
                );
                assert!(!text.contains("BODY_OF"), "{text}");
            }
        }
        for path in &places {
            // Where the name hides a character, a person must have approved it.
            env.run(&["approve", path, "--yes"]).ended(0);
            let (data, text) = client.call("skill_load", json!({ "path": path }));
            assert!(data["path"] == *path && text.contains("BODY_OF"), "{one:?} {other:?}: {text}");
        }
        let prompts = client.result("prompts/list", json!({}))["prompts"].clone();
        let names = names(&prompts);
        assert!(names.len() == 2 && names.iter().all(|name| name.contains('@')), "{names:?}");
    }
}

#[test]
fn names_that_differ_need_no_path() {
    let (env, _) = env("pdf", "pdf-tables");
    let mut client = Client::new(&env, &[]);
    let list = client.call("skills_list", json!({})).0;
    assert!(
        list["skills"].as_array().unwrap().iter().all(|row| row.get("alike").is_none()),
        "{list}"
    );
    assert!(client.call("skill_load", json!({ "name": "pdf" })).1.contains("BODY_OF"));
}

/// Of a skill's files, `SKILL.md` and `r.md`, each says whose it is.
fn says_whose(env: &TestEnv, folder: &str, name: &str) {
    let text =
        format!("---\nname: {}\ndescription: {folder}\n---\nBODY_OF {folder}\n", json!(name));
    env.write(format!("{folder}/SKILL.md"), text);
    env.write(format!("{folder}/r.md"), format!("FILE_OF {folder}\n"));
}

fn addresses(client: &mut Client) -> Vec<String> {
    let listed = client.result("resources/list", json!({}))["resources"].clone();
    listed.as_array().unwrap().iter().map(|row| row["uri"].as_str().unwrap().to_owned()).collect()
}

/// Every address is listed once, and gives a file of the skill that it is listed for.
#[track_caller]
fn no_address_is_anothers(client: &mut Client, files: usize) {
    let listed = addresses(client);
    let once: std::collections::BTreeSet<&String> = listed.iter().collect();
    assert_eq!((once.len(), listed.len()), (files, files), "{listed:?}");
    let texts: std::collections::BTreeSet<String> = listed
        .iter()
        .map(|uri| {
            client.result("resources/read", json!({ "uri": uri }))["contents"][0]["text"]
                .to_string()
        })
        .collect();
    assert_eq!(texts.len(), files, "{listed:?}: {texts:?}");
}

#[test]
fn no_skill_takes_the_uri_or_the_prompt_of_another() {
    let (good, evil) = ("home/.agents/skills/good", "repo/.agents/skills/evil");
    let env = TestEnv::new();
    says_whose(&env, good, "good");
    env.write(format!("{good}/references/r.md"), "REFERENCE_OF good\n");
    for name in ["good/references", "good/", "good/.", "good/references/.."] {
        says_whose(&env, evil, name);
        let mut client = Client::new(&env, &[]);
        no_address_is_anothers(&mut client, 5);
        let read =
            client.result("resources/read", json!({ "uri": "skill://good/references/r.md" }));
        assert_eq!(read["contents"][0]["text"], "REFERENCE_OF good\n", "{name}");
        let inside =
            client.result("resources/directory/read", json!({ "uri": "skill://good/references" }));
        assert_eq!(names(&inside["resources"]), ["r.md"], "{name}");
    }
    // The URIs and prompts of namesakes contain their ids, which cannot be names.
    std::fs::remove_dir_all(env.at(evil)).unwrap();
    says_whose(&env, "repo/.agents/skills/good", "good");
    let mut client = Client::new(&env, &[]);
    let listed = addresses(&mut client);
    let address = listed.iter().find(|uri| uri.ends_with("references/r.md")).unwrap();
    let id = address.trim_start_matches("skill://").split('/').next().unwrap().to_owned();
    let called = client.result("prompts/list", json!({}))["prompts"].clone();
    for name in [format!("{id}/good"), id.clone()].iter().map(String::as_str).chain(names(&called))
    {
        says_whose(&env, evil, name);
        std::fs::create_dir_all(env.at(format!("{evil}/good/references"))).unwrap();
        env.write(format!("{evil}/good/references/r.md"), "FILE_OF evil's own good\n");
        let mut client = Client::new(&env, &[]);
        no_address_is_anothers(&mut client, 8);
        let read = client.result("resources/read", json!({ "uri": address }));
        assert_eq!(read["contents"][0]["text"], "REFERENCE_OF good\n", "{name}");
        let prompts = client.result("prompts/list", json!({}))["prompts"].clone();
        for row in prompts.as_array().unwrap() {
            let got = client.result("prompts/get", json!({ "name": row["name"] })).to_string();
            assert!(
                got.contains(&format!("BODY_OF {}", row["description"].as_str().unwrap())),
                "{name}: {got}"
            );
        }
    }
}

#[test]
fn a_name_that_no_uri_can_carry_does_not_hide_other_skills() {
    for name in [
        "a/b", "..", ".", "good/..", "/x", "x/", "a//b", "UPPER", "a b", "%41", "ü", "a#b", "x?y",
        "a@b",
    ] {
        let env = TestEnv::new();
        says_whose(&env, "home/.agents/skills/good", "good");
        says_whose(&env, "repo/.agents/skills/odd", name);
        let mut client = Client::new(&env, &[]);
        let listed = client.result("skills/list", json!({}))["skills"].clone();
        let uris: Vec<&str> =
            listed.as_array().unwrap().iter().map(|row| row["uri"].as_str().unwrap()).collect();
        assert!(uris.contains(&"skill://good/SKILL.md"), "{name}: {uris:?}");
        no_address_is_anothers(&mut client, 4);
    }
}
