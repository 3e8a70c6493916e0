//! Row 36 of the reliability bar: names that are the same, or look the same, are flagged, and are told apart by paths.

use super::{Client, names};
use crate::support::House;
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

fn house(one: &str, other: &str) -> (House, [String; 2]) {
    let house = House::new();
    let write = |folder: &str, name: &str| {
        let text = format!("---\nname: {}\ndescription: Words.\n---\nBODY_OF {folder}\n", json!(name));
        house.write(&format!("{folder}/SKILL.md"), text).to_str().unwrap().to_owned()
    };
    let places = [write("repo/.agents/skills/one", one), write("home/.agents/skills/other", other)];
    (house, places)
}

fn flagged(rows: &Json, places: &[String; 2]) -> bool {
    let alike =
        |path: &str| rows.as_array().unwrap().iter().find(|row| row["path"] == path).map(|row| row["alike"].clone());
    alike(&places[0]) == Some(json!([places[1]])) && alike(&places[1]) == Some(json!([places[0]]))
}

#[test]
fn bar_36_names_that_look_alike_are_flagged_and_need_a_path() {
    for (one, other) in TWINS {
        let (house, places) = house(one, other);
        let mut client = Client::new(&house, &[]);
        let list = client.call("skills_list", json!({})).0;
        assert!(flagged(&list["skills"], &places), "{one:?} {other:?}: {list}");
        let found = client.call("skill_search", json!({ "query": "words" })).0;
        assert!(flagged(&found["candidates"], &places), "{one:?} {other:?}: {found}");
        for name in [*one, other, &format!("${one}")] {
            for (tool, arguments) in
                [("skill_load", json!({ "name": name })), ("skill_read", json!({ "skill": name, "path": "SKILL.md" }))]
            {
                let (code, text) = client.refusal(tool, arguments);
                // A name that nobody can type is nobody's.
                assert!(code == "ambiguous" || (code == "unknown" && name != *one), "{tool} {name:?}: {code} {text}");
                assert!(
                    code != "ambiguous" || places.iter().all(|path| text.contains(path)),
                    "{tool} {name:?}: {text}"
                );
                assert!(!text.contains("BODY_OF"), "{text}");
            }
        }
        for path in &places {
            let (data, text) = client.call("skill_load", json!({ "path": path }));
            assert!(data["path"] == *path && text.contains("BODY_OF"), "{one:?} {other:?}: {text}");
        }
        let prompts = client.result("prompts/list", json!({}))["prompts"].clone();
        let names = names(&prompts);
        assert!(names.len() == 2 && names.iter().all(|name| name.contains('@')), "{names:?}");
    }
}

#[test]
fn bar_36_names_that_differ_need_no_path() {
    let (house, _) = house("pdf", "pdf-tables");
    let mut client = Client::new(&house, &[]);
    let list = client.call("skills_list", json!({})).0;
    assert!(list["skills"].as_array().unwrap().iter().all(|row| row.get("alike").is_none()), "{list}");
    assert!(client.call("skill_load", json!({ "name": "pdf" })).1.contains("BODY_OF"));
}
