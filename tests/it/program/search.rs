//! `search`.

use crate::env::TestEnv;
use serde_json::json;

#[test]
fn cod_4_3_a_row_has_its_score_one_of_four_reasons_and_where_it_was_found() {
    let env = TestEnv::furnished();
    env.skill("repo/.agents/skills", "forms", "Nothing to do with the other");
    for (query, expected) in [
        ("forms", vec![("forms", "exact_name"), ("pdf-forms", "name")]),
        ("pdf", vec![("pdf-forms", "prefix")]),
        ("commits", vec![("release-notes", "description")]),
        ("quokka", vec![("pdf-forms", "body")]),
        ("relaese", vec![("release-notes", "typo")]),
    ] {
        let found = env.json("search", &["search", query, "--json"]);
        let rows = found["skills"].as_array().unwrap();
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (row["name"].as_str().unwrap(), row["found_in"].as_str().unwrap()))
            .collect();
        assert_eq!(seen, expected, "{query}");
        for (row, (_, found_in)) in rows.iter().zip(&seen) {
            let exact = ["exact_name", "exact_path", "prefix"];
            let reason = if exact.contains(found_in) { found_in } else { "token_overlap" };
            assert_eq!(row["reason"], reason, "{row}");
        }
        assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row["score"].as_u64().unwrap())));
        assert_eq!((&found["count"], &found["query"]), (&json!(rows.len()), &json!(query)));
    }
    env.skill("home/.agents/skills", "mine", "d");
    for (path, name) in [
        (&*env.text("repo/.agents/skills/forms"), "forms"),
        (".agents/skills/forms", "forms"),
        ("./.agents/skills/forms/", "forms"),
        (".agents/skills/forms/SKILL.md", "forms"),
        ("../home/.agents/skills/mine", "mine"),
        ("~/.agents/skills/mine/SKILL.md", "mine"),
    ] {
        let found = env.json("search", &["search", path, "--json"]);
        let row = &found["skills"][0];
        assert_eq!((&row["name"], &row["reason"]), (&json!(name), &json!("exact_path")), "{path}");
    }
    let found = env.json("search", &["search", "$forms", "--json"]);
    assert_eq!(found["skills"][0]["found_in"], "exact_name", "{found}");
}

#[test]
fn cod_5_5_the_order_is_path_name_prefix_words_and_ties_by_scope_then_path() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "release", "One");
    env.skill("repo/.agents/skills/b", "release", "Two");
    env.skill("repo/.agents/skills/a", "release", "Three");
    env.skill("repo/.agents/skills", "release-notes", "Four");
    env.skill("repo/.agents/skills", "changelog", "For a release");
    let found = env.json("search", &["search", "release", "--json"]);
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
    let env = TestEnv::new();
    for number in 0..60 {
        env.skill("repo/.agents/skills", &format!("skill-{number:02}"), "One of many");
    }
    let count = |arguments: &[&str]| {
        let found = env.json("search", &[&["search", "skill", "--json"], arguments].concat());
        assert_eq!(found["truncated"], !found["cuts"].as_array().unwrap().is_empty());
        let cut = &found["cuts"][0];
        let told = json!([cut["limit"], cut["value"], cut["dropped"]]);
        (found["count"].as_u64().unwrap(), told)
    };
    assert_eq!(count(&[]), (8, json!(["results", 8, 52])));
    assert_eq!(count(&["--limit", "3"]).0, 3);
    assert_eq!(count(&["--limit", "100"]), (50, json!(["results", 50, 10])));
    let ran = env.run(&["search", "skill"]).ended(0);
    assert_eq!(
        (ran.out().lines().count(), ran.err.as_str()),
        (8, "skillpick: 8 of 60 are shown; more with --limit N\n")
    );
    env.settings("[skills.search]\ndefault_limit = 2\nmax_limit = 4\n");
    assert_eq!((count(&[]).0, count(&["--limit", "9"]).0), (2, 4));
    env.run(&["search", "skill", "--limit", "0"]).ended(2);
}

#[test]
fn nothing_found_is_exit_1_and_a_near_name_is_suggested() {
    let env = TestEnv::furnished();
    let ran = env.run(&["search", "kubernetes"]).ended(1);
    assert!(ran.err.starts_with("skillpick: no skill matches `kubernetes`\n"), "{ran:?}");
    assert_eq!(env.run(&["search", "kubernetes", "--json"]).ended(1).err, "");
    assert!(
        env.run(&["search", "is:on"]).ended(0).out().contains("pdf-forms"),
        "filters alone list"
    );
    env.run(&["search", ""]).ended(2);
    env.run(&["search", "pdf", "--scope", "user"]).ended(1);
}

#[test]
fn nothing_in_the_view_of_one_agent_names_it_and_the_way_to_all() {
    let env = TestEnv::new();
    env.skill("home/.claude/skills", "quokka", "Of one agent");
    let ran = env.run(&["search", "quokka", "--host", "agents"]).ended(1);
    let advice = "searched the view of agents; --host all looks through every agent";
    assert!(ran.err.contains(advice), "{ran:?}");
    let ran = env.run(&["search", "quokka", "--host", "all"]).ended(0);
    assert!(ran.out().contains("quokka"), "{ran:?}");
    let ran = env.run(&["search", "wombat", "--host", "all"]).ended(1);
    assert!(!ran.err.contains("--host all"), "{ran:?}");
    // A filter that can find nothing there is no finding that there is nothing.
    for query in ["host:claude quokka", "!host:claude quokka"] {
        for words in [&["search", query][..], &["-f", query]] {
            let ran = env.run(&[words, &["--host", "agents"]].concat()).ended(2);
            let told = "host:claude finds nothing in the view of agents";
            assert!(ran.err.contains(told) && ran.err.contains("--host all"), "{ran:?}");
        }
    }
    assert!(env.run(&["-f", "host:claude quokka", "--host", "all"]).ended(0).out().contains("quo"));
}

#[test]
fn a_path_is_found_as_it_is_shown() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "mine", "At home");
    env.skill("repo/.agents/skills", "theirs", "In the repository");
    for (query, name) in [
        ("path:~/.agents", "mine"),
        ("path:./.agents", "theirs"),
        ("~/.agents/skills/mine", "mine"),
        ("./.agents/skills/theirs/SKILL.md", "theirs"),
    ] {
        let found = env.json("search", &["search", query, "--json"]);
        let rows = found["skills"].as_array().unwrap();
        assert_eq!((rows.len(), rows[0]["name"].as_str()), (1, Some(name)), "{query}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_skill_is_found_by_the_folder_of_the_link() {
    let env = TestEnv::new();
    env.skill("home/mine", "pdf", "d");
    std::fs::create_dir_all(env.at("home/.claude/skills")).unwrap();
    std::os::unix::fs::symlink("../../mine/pdf", env.at("home/.claude/skills/pdf")).unwrap();
    for query in [
        "path:~/.claude/skills",
        "path:~/.claude/skills/pdf/SKILL.md",
        "path:~/mine",
        "~/.claude/skills/pdf",
        "~/.claude/skills/pdf/SKILL.md",
    ] {
        let found =
            env.json("search", &["search", query, "--json", "--host", "claude", "--limit", "5"]);
        assert_eq!(found["skills"].as_array().map(Vec::len), Some(1), "{query}");
    }
    env.run(&["search", "path:~/.codex", "--host", "claude"]).ended(1);
}

#[test]
fn is_off_finds_what_is_off_in_an_agent_and_nothing_that_is_refused_or_for_the_person() {
    let env = TestEnv::new();
    for agent in [".codex", ".claude"] {
        env.write(format!("home/{agent}/used"), "");
    }
    env.skill("home/.agents/skills", "pdf", "Off in Codex alone.");
    env.skill("home/.agents/skills", "docx", "On.");
    env.raw_skill("home/.agents/skills/broken", "name: broken", "");
    let own = "name: own\ndescription: For the person.\ndisable-model-invocation: true";
    env.raw_skill("home/.claude/skills/own", own, "");
    env.run(&["disable", "pdf", "--host", "codex"]).ended(0);
    let found = |host: &str, query: &str| -> Vec<String> {
        let found = env.json("search", &["search", query, "--host", host, "--json"]);
        let rows = found["skills"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    for host in ["all", "codex"] {
        assert_eq!(found(host, "is:off"), ["pdf"], "{host}");
    }
    for host in ["agents", "claude"] {
        assert_eq!(found(host, "is:off"), [""; 0], "{host}");
    }
    assert!(found("codex", "!is:off").contains(&"broken".to_owned()));
}
