//! Text that hides something: refused until a person approved it, and reported everywhere.

use super::with_body;
use crate::env::TestEnv;
use serde_json::json;

#[test]
fn hidden_text_is_refused_shown_with_marks_approved_and_then_exact() {
    let env = TestEnv::new();
    with_body(&env, "sly", "Do it.\u{e0041}\u{202e}now\n");
    let ran = env.run(&["load", "sly"]).ended(1);
    ran.is_inert();
    assert!(
        ran.out().is_empty() && ran.err.contains("1 bidi control, 1 tag character;"),
        "{ran:?}"
    );
    let ran = env.run(&["approve", "sly"]).ended(1);
    ran.is_inert();
    assert!(
        ran.err.contains("5: Do it.<U+E0041><U+202E>now") && ran.err.contains("not approved"),
        "{ran:?}"
    );
    env.run(&["load", "sly"]).ended(1);
    env.run(&["approve", "sly", "--yes"]).ended(0);
    let ran = env.run(&["load", "sly"]).ended(0);
    assert!(ran.out().contains("Do it.\u{e0041}\u{202e}now\n"), "{ran:?}");
    assert!(ran.err.contains("2 hidden or control characters"), "{ran:?}");
    with_body(&env, "sly", "Do it.\u{e0041}\u{202e}now!\n");
    env.run(&["load", "sly"]).ended(1);
}

#[test]
fn to_allow_what_hides_something_is_not_enough_and_that_is_said() {
    let env = TestEnv::new();
    with_body(&env, "sly", "Do it.\u{202e}now\n");
    let permit = || env.run(&["permit", "allow", "sly"]).ended(0);
    for ran in [permit(), permit()] {
        ran.is_inert();
        assert!(ran.err.contains("warning: sly SKILL.md: the text hides 1 bidi"), "{ran:?}");
        assert!(ran.err.contains("skillpick approve sly SKILL.md"), "{ran:?}");
    }
    env.run(&["load", "sly"]).ended(1);
    env.run(&["approve", "sly", "--yes"]).ended(0);
    let ran = permit();
    assert!(!ran.err.contains("hides"), "{ran:?}");
    env.run(&["load", "sly"]).ended(0);
}

#[test]
fn what_was_approved_is_listed_and_taken_back() {
    let env = TestEnv::new();
    for name in ["sly", "coy"] {
        let path = format!("repo/.agents/skills/{name}");
        env.raw_skill(&path, &format!("name: {name}\ndescription: d"), "Do it.\u{202e}now\n");
    }
    let list = || env.json("approve", &["approve", "--list", "--json"])["approvals"].clone();
    assert_eq!(list(), json!([]));
    assert!(env.run(&["approve", "--list"]).ended(0).out().is_empty());
    for name in ["coy", "sly"] {
        env.run(&["approve", name, "--yes"]).ended(0);
        env.run(&["load", name]).ended(0);
    }
    let rows = list();
    assert_eq!((&rows[0]["subject"], rows.as_array().unwrap().len()), (&json!("text"), 2));
    assert!(rows[0]["path"].as_str().unwrap().ends_with("/sly/SKILL.md"), "the newest first");
    let digest = rows[0]["digest"].as_str().unwrap();
    let ran = env.run(&["approve", "--list"]).ended(0);
    assert!(ran.out().starts_with(&digest[..12]) && ran.out().lines().count() == 2, "{ran:?}");
    for wrong in [&digest[..3], "zzzz", ""] {
        let ran = env.run(&["approve", "--revoke", wrong]).ended(1);
        assert!(ran.err.contains("skillpick approve --list"), "{ran:?}");
    }
    let ran = env.run(&["approve", "--revoke", &digest[..8]]).ended(0);
    assert!(ran.err.contains("no longer approved: text") && ran.err.contains("/sly/"), "{ran:?}");
    env.run(&["load", "sly"]).ended(1);
    env.run(&["load", "coy"]).ended(0);
    assert_eq!(list().as_array().unwrap().len(), 1);
    env.run(&["approve", "sly", "--list"]).ended(2);
    env.run(&["approve", "--json"]).ended(2);
    // An approval has no document, so that none is waited for.
    for words in [&["approve", "sly", "--json"][..], &["approve", "--revoke", "abcd", "--json"]] {
        let refused = env.fails(words);
        assert!(refused.to_string().contains("--json goes with --list only"), "{refused}");
    }
}

/// One joiner between Latin letters, an escape sequence, an overprinted line: each alone.
#[test]
fn spread_and_overprinted_text_is_a_finding_until_it_is_approved() {
    let env = TestEnv::new();
    for (body, line) in [
        ("a\nplain\u{200d}text\n", 6),
        ("x\u{e0141}y\n", 5),
        ("\u{1b}[8mhidden\u{1b}[0m\n", 5),
        ("rm -rf /\rls\n", 5),
        ("bad\u{8}\u{8}\u{8}good\n", 5),
    ] {
        with_body(&env, "sly", body);
        env.run(&["load", "sly"]).ended(1);
        for command in
            [&["check", "--json"][..], &["list", "--json"], &["check", "--strict", "--json"]]
        {
            let row = &env.json(command[0], command)["skills"][0]["diagnostics"][0];
            assert_eq!(
                (&row["code"], &row["line"]),
                (&json!("hidden-text"), &json!(line)),
                "{row}"
            );
            assert_eq!(row["severity"], "warning");
            assert!(row["help"].as_str().unwrap().contains("skillpick approve"), "{row}");
        }
        let shown = env.run(&["show", "sly"]).ended(0);
        shown.is_inert();
        assert!(shown.out().contains("hidden-text"), "{shown:?}");
        env.run(&["check", "--strict"]).ended(1);
        env.run(&["approve", "sly", "--yes"]).ended(0);
        env.run(&["load", "sly"]).ended(0);
        let strict = env.run(&["check", "--strict"]).ended(0);
        assert!(!strict.out().contains("hidden-text"), "{strict:?}");
    }
}

/// `list` reads heads. What lies behind one is said by `check` and `show`, and a load is refused.
#[test]
fn text_hidden_behind_the_head_is_reported_by_check_and_show_and_never_loaded() {
    let env = TestEnv::new();
    let body = "a line that hides nothing\n".repeat(500) + "and \u{202e}one\n";
    with_body(&env, "sly", &body);
    let skill = |command: &[&str]| env.json(command[0], command)["skills"][0].clone();
    let listed = skill(&["list", "--json"]);
    assert_eq!((&listed["whole"], &listed["diagnostics"]), (&json!(false), &json!([])));
    for command in [&["check", "--json"][..], &["check", "--strict", "--json"]] {
        let found = &skill(command)["diagnostics"][0];
        assert_eq!((&found["code"], &found["line"]), (&json!("hidden-text"), &json!(505)));
    }
    let shown = env.json("show", &["show", "sly", "--json"])["skill"].clone();
    assert_eq!(shown["whole"], true);
    assert_eq!(shown["diagnostics"][0]["code"], "hidden-text");
    env.run(&["load", "sly"]).ended(1);
    env.run(&["approve", "sly", "--yes"]).ended(0);
    let shown = env.json("show", &["show", "sly", "--json"])["skill"].clone();
    assert_eq!((&shown["whole"], &shown["diagnostics"]), (&json!(true), &json!([])));
    with_body(&env, "sly", "Short.\n");
    assert_eq!(skill(&["list", "--json"])["whole"], true);
}

/// YAML's escapes: the file hides nothing from whoever looks at it, but agents decode them.
#[test]
fn what_escapes_of_the_frontmatter_stand_for_is_a_finding_until_it_is_approved() {
    let env = TestEnv::new();
    let text = |more: &str| {
        let description = r#""nice\U000E0041\U000E0042\U000E0043 \u202e tool""#;
        format!("---\nname: sly\ndescription: {description}\n---\nText.{more}\n")
    };
    let file = "repo/.agents/skills/sly/SKILL.md";
    env.write(file, text(""));
    let folder = env.text("repo/.agents/skills/sly");
    for command in [
        &["check", "--json"][..],
        &["list", "--json"],
        &["check", "--strict", "--json"],
        &["check", "--strict", "--json", &folder],
    ] {
        let row = &env.json(command[0], command)["skills"][0]["diagnostics"][0];
        assert_eq!((&row["code"], &row["line"]), (&json!("hidden-text"), &json!(3)), "{row}");
        let message = row["message"].as_str().unwrap();
        assert!(message.contains("1 bidi control, 3 tag characters;"), "{message}");
    }
    env.run(&["check", "--strict"]).ended(1);
    let risk = env.run(&["check", "--risk", "sly"]).ended(0);
    assert!(risk.out().contains("hidden-text"), "{risk:?}");
    env.run(&["load", "sly"]).ended(1);
    let ran = env.run(&["approve", "sly"]).ended(1);
    ran.is_inert();
    assert!(ran.err.contains("description: nice<U+E0041><U+E0042><U+E0043> <U+202E>"), "{ran:?}");
    env.run(&["approve", "sly", "--yes"]).ended(0);
    env.run(&["load", "sly"]).ended(0);
    env.run(&["check", "--strict"]).ended(0);
    // An approval is for these bytes.
    env.write(file, text(" More."));
    env.run(&["load", "sly"]).ended(1);
}

#[test]
fn approve_shows_all_hidden_text() {
    let env = TestEnv::new();
    let many = "plain words\n".repeat(60) + &"x\u{202e}secret\n".repeat(100);
    for (body, shown) in [
        (format!("{}\u{202e}secret\n", "z".repeat(5_000)), "z<U+202E>secret"),
        (format!("x\n{}later\n", "\n".repeat(3_000)), "3006: later"),
        (format!("ok{}rm -rf\n", " ".repeat(250)), "5: ok<250 blanks>rm -rf"),
        (many, "164: x<U+202E>secret"),
    ] {
        with_body(&env, "far", &body);
        let ran = env.run(&["approve", "far"]).ended(1);
        ran.is_inert();
        assert!(ran.err.contains(shown), "{shown}: {ran:?}");
        // Another skill may have this name.
        assert!(ran.err.contains(".agents/skills/far/SKILL.md"), "{ran:?}");
    }
}
