//! `check`.

use crate::env::TestEnv;
use serde_json::json;

#[test]
fn a_finding_reads_like_rustcs_and_the_totals_come_last() {
    let env = TestEnv::furnished();
    env.fixture("invalid/Capital_Name", "repo/.agents/skills/Capital_Name");
    env.fixture("invalid/no-description", "repo/.agents/skills/no-description");
    let ran = env.run(&["check"]).ended(1);
    ran.is_inert();
    let expected = "\
warning[name-case]: the name 'Capital_Name' has capital letters; 'capital-name' would do
 --> .agents/skills/Capital_Name/SKILL.md:2:7
  |
2 | name: Capital_Name
  |       ^^^^^^^^^^^^
  = help: write the name in lower case
";
    assert!(ran.out().starts_with(expected), "{}", ran.out());
    assert!(ran.out().contains("error[desc-missing]: there is no description\n"), "{}", ran.out());
    assert!(ran.out().ends_with("\n1 error, 3 warnings in 2 of 4 skills\n"), "{}", ran.out());
}

#[test]
fn warnings_fail_only_in_strict() {
    let env = TestEnv::new();
    env.fixture("invalid/Capital_Name", "repo/skills/Capital_Name");
    env.run(&["check", "skills"]).ended(0);
    env.run(&["check", "skills", "--strict"]).ended(1);
    let judged = env.json("check", &["check", "skills", "--strict", "--json"]);
    assert_eq!((&judged["strict"], &judged["skills"][0]["valid"]), (&json!(true), &json!(false)));
    let lenient = env.json("check", &["check", "skills", "--json"]);
    assert_eq!((&lenient["strict"], &lenient["skills"][0]["valid"]), (&json!(false), &json!(true)));
    assert_eq!(
        lenient["summary"],
        json!({ "skills": 1, "invalid": 0, "errors": 0, "warnings": 3 })
    );
    env.fixture("good", "repo/good");
    let ran = env.run(&["check", "good", "--strict"]).ended(0);
    assert_eq!(ran.out(), "2 skills, nothing found\n");
}

#[test]
fn a_folder_is_searched_at_any_depth_and_may_be_a_skill_itself() {
    let env = TestEnv::new();
    for place in ["x/.hidden/deep/er/still/more/a/b/c", "x/one", "x"] {
        env.fixture("invalid/no-description", &format!("repo/{place}/no-description"));
    }
    let count = |arguments: &[&str]| {
        let judged = env.json("check", &[&["check", "--json"], arguments].concat());
        judged["skills"].as_array().unwrap().len()
    };
    assert_eq!(count(&["x"]), 3);
    assert_eq!(count(&["x/no-description"]), 1);
    assert_eq!(count(&["x/no-description/SKILL.md"]), 1);
    assert_eq!(count(&["x/no-description/SKILL.md", "x/one"]), 2);
    assert_eq!(count(&["-C", "x", "no-description/SKILL.md"]), 1);
    let row = &env.json("check", &["check", "x/one", "--json"])["skills"][0];
    assert_eq!(row["path"], env.text("repo/x/one/no-description/SKILL.md"));
    assert_eq!(
        (&row["name"], &row["file"], &row["valid"]),
        (&json!("no-description"), &json!("SKILL.md"), &json!(false))
    );
    assert_eq!(row["diagnostics"][0]["severity"], "error");
}

#[test]
fn check_reports_a_folder_without_skills() {
    let env = TestEnv::new();
    env.write("repo/empty/README.md", "nothing");
    let ran = env.run(&["check", "empty"]).ended(1);
    assert!(ran.err.contains("no SKILL.md was found in empty"), "{ran:?}");
    let ran = env.run(&["check", "./nowhere"]).ended(2);
    assert!(
        ran.err.contains("./nowhere: there is no such folder"),
        "a root must be there: {ran:?}"
    );
    let ran = env.run(&["check", "nowhere"]).ended(1);
    let why = "unknown skill 'nowhere'; there is no such folder either";
    assert!(ran.err.contains(why), "{ran:?}");
    assert_eq!(env.run(&["check"]).ended(0).out(), "0 skills, nothing found\n");
}

#[test]
fn check_judges_named_skills_that_are_off() {
    let env = TestEnv::new();
    env.fixture("invalid", "repo/x");
    env.run(&["check", "x", "--no-skills"]).ended(1);
}

#[cfg(unix)]
#[test]
fn a_skill_md_that_is_no_file_is_a_finding() {
    let env = TestEnv::new();
    std::fs::create_dir_all(env.at("repo/x/dir/SKILL.md")).unwrap();
    env.write("repo/x/empty/SKILL.md", "");
    std::fs::create_dir_all(env.at("repo/x/link")).unwrap();
    std::os::unix::fs::symlink("nowhere", env.at("repo/x/link/SKILL.md")).unwrap();
    for strict in [&["check", "x", "--json"][..], &["check", "x", "--json", "--strict"]] {
        let judged = env.json("check", strict);
        let rows = judged["skills"].as_array().unwrap();
        let codes: Vec<_> =
            rows.iter().map(|row| row["diagnostics"][0]["code"].as_str().unwrap()).collect();
        assert_eq!(codes.len(), 3, "{codes:?}");
        assert!(codes.contains(&"file-kind") && codes.contains(&"link-dangling"), "{codes:?}");
    }
    env.run(&["check", "x"]).ended(1).is_inert();
}

#[test]
fn in_strict_every_finding_is_called_an_error() {
    let env = TestEnv::new();
    env.fixture("invalid", "repo/skills");
    let strict = env.run(&["check", "--strict", "skills"]).ended(1);
    assert!(!strict.out().contains("warning"), "{}", strict.out());
    assert!(strict.out().contains("error[name-case]"), "{}", strict.out());
    assert!(env.run(&["check", "skills"]).ended(1).out().contains("warning[name-case]"));
}

/// What we give people to learn from, held to the strictest rules; the page's own sample too.
#[test]
fn kod_10_the_examples_and_the_page_about_writing_skills_hold_to_the_standard() {
    let env = TestEnv::new();
    env.fixture("../assets/examples", "repo/.agents/skills");
    let page = include_str!("../../../docs/authoring.md");
    let sample = page.split("```markdown\n").nth(1).unwrap().split("```").next().unwrap();
    let name = sample.split("name: ").nth(1).unwrap().lines().next().unwrap();
    env.write(format!("repo/.agents/skills/{name}/SKILL.md"), sample);
    env.write(format!("repo/.agents/skills/{name}/references/template.md"), "Form");
    assert_eq!(env.run(&["check", "--strict"]).ended(0).out(), "3 skills, nothing found\n");
    let risk = env.json("risk", &["check", "--risk", "--json"]);
    assert_eq!(risk["summary"]["alarm"], 0, "{risk}");
    let shown = env.run(&["show", "csv-report"]).ended(0);
    assert!(shown.out().contains(" · 717 B\n"), "the page says that it does: {}", shown.out());
    let found = env.json("search", &["search", "what is in a table", "--json"]);
    assert_eq!(found["skills"][0]["name"], "csv-report", "{found}");
}
