//! `search`.

use crate::support::House;
use serde_json::json;

#[test]
fn cod_4_3_a_row_has_score_and_reason() {
    let house = House::furnished();
    house.skill("repo/.agents/skills", "forms", "Nothing to do with the other");
    for (query, expected) in [
        ("forms", vec![("forms", "exact_name"), ("pdf-forms", "name")]),
        ("pdf", vec![("pdf-forms", "prefix")]),
        ("commits", vec![("release-notes", "description")]),
        ("quokka", vec![("pdf-forms", "body")]),
        ("relaese", vec![("release-notes", "typo")]),
    ] {
        let found = house.json("search", &["search", query, "--json"]);
        let rows = found["skills"].as_array().unwrap();
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (row["name"].as_str().unwrap(), row["reason"].as_str().unwrap()))
            .collect();
        assert_eq!(seen, expected, "{query}");
        assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row["score"].as_u64().unwrap())));
        assert_eq!((&found["count"], &found["query"]), (&json!(rows.len()), &json!(query)));
    }
    let path = house.text("repo/.agents/skills/forms");
    assert_eq!(
        house.json("search", &["search", &path, "--json"])["skills"][0]["reason"],
        "exact_path"
    );
}

#[test]
fn cod_5_5_the_order_is_path_name_prefix_words_and_ties_by_scope_then_path() {
    let house = House::new();
    house.skill("home/.agents/skills", "release", "One");
    house.skill("repo/.agents/skills/b", "release", "Two");
    house.skill("repo/.agents/skills/a", "release", "Three");
    house.skill("repo/.agents/skills", "release-notes", "Four");
    house.skill("repo/.agents/skills", "changelog", "For a release");
    let found = house.json("search", &["search", "release", "--json"]);
    let seen: Vec<_> = found["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["description"].as_str().unwrap())
        .collect();
    assert_eq!(seen, ["Three", "Two", "One", "Four", "For a release"]);
}

#[test]
fn cod_9_3_eight_unless_asked_and_fifty_at_most() {
    let house = House::new();
    for number in 0..60 {
        house.skill("repo/.agents/skills", &format!("skill-{number:02}"), "One of many");
    }
    let count = |arguments: &[&str]| {
        let found = house.json("search", &[&["search", "skill", "--json"], arguments].concat());
        (found["count"].as_u64().unwrap(), found["truncated"].clone())
    };
    assert_eq!(count(&[]), (8, json!({ "limit": "results", "value": 8, "dropped": 52 })));
    assert_eq!(count(&["--limit", "3"]).0, 3);
    assert_eq!(
        count(&["--limit", "100"]),
        (50, json!({ "limit": "results", "value": 50, "dropped": 10 }))
    );
    let ran = house.run(&["search", "skill"]).ended(0);
    assert_eq!(
        (ran.out().lines().count(), ran.err.as_str()),
        (8, "skillpick: 8 of 60 are shown; more with --limit N\n")
    );
    house.settings("[skills.search]\ndefault_limit = 2\nmax_limit = 4\n");
    assert_eq!((count(&[]).0, count(&["--limit", "9"]).0), (2, 4));
    house.run(&["search", "skill", "--limit", "0"]).ended(2);
}

#[test]
fn nothing_found_is_exit_1_and_a_near_name_is_suggested() {
    let house = House::furnished();
    let ran = house.run(&["search", "kubernetes"]).ended(1);
    assert_eq!(ran.err, "skillpick: no skill matches `kubernetes`\n");
    assert_eq!(house.run(&["search", "kubernetes", "--json"]).ended(1).err, "");
    assert!(
        house.run(&["search", "is:on"]).ended(0).out().contains("pdf-forms"),
        "filters alone list"
    );
    house.run(&["search", ""]).ended(2);
    house.run(&["search", "pdf", "--scope", "user"]).ended(1);
}
