use super::*;
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::hosts::test_support::{
    alarms, judged, permit, roots, seen, set_rules, state, switch, test,
};
use crate::workspace::fixture::TestWorkspace;
use Enablement::{Off, On, UserOnly};

mod changes;
mod roots;

const USER: &str = "home/.config/opencode/opencode.json";
const PROJECT: &str = "repo/opencode.json";

fn skilled() -> TestWorkspace {
    test(&OPENCODE, &["repo/.agents/skills/pdf", "repo/.agents/skills/docx"])
}

fn with(files: &[(&str, &str)]) -> TestWorkspace {
    let mut test = skilled();
    files.iter().for_each(|(file, text)| test.write(file, text));
    test
}

fn ruled(rules: &str) -> String {
    format!("{{\n  \"permission\": {{ \"skill\": {{ {rules} }} }}\n}}\n")
}

/// What the model may do with `pdf` and `docx`.
fn effects(test: &TestWorkspace) -> (String, String) {
    (judged(test, "pdf").0, judged(test, "docx").0)
}

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

const YES: &str = "full allow yes";
const NO: &str = "no deny yes";

#[test]
fn the_last_rule_that_matches_decides_and_has_its_line() {
    let test = with(&[(
        PROJECT,
        "{ // mine\n  \"permission\": { \"skill\": {\n  \"pdf\": \"deny\",\n  \"*\": \"allow\", \"d*\": \"ask\" } } }",
    )]);
    assert_eq!(effects(&test), pair(YES, "full ask yes"));
    assert_eq!(judged(&test, "docx").1, format!("{PROJECT}:4 permission.skill \"d*\": \"ask\""));
    for (text, expected) in [
        ("{\"permission\": {\"skill\": \"deny\"}}", pair(NO, NO)),
        ("{\"permission\": \"deny\"}", pair(NO, NO)),
        ("{\"permission\": {\"sk?ll\": {\"pdf\": \"deny\"}}}", pair(NO, YES)),
        ("{\"permission\": {\"skill\": {\"pdf\": \"allow\"}, \"*\": \"deny\"}}", pair(NO, NO)),
        ("{\"permission\": {\"*\": \"deny\", \"skill\": {\"pdf\": \"allow\"}}}", pair(YES, NO)),
        ("{\"permission\": {\"bash\": {\"pdf\": \"deny\"}}}", pair(YES, YES)),
        ("{\"tools\": {\"skill\": false}}", pair(NO, NO)),
        (
            "{\"tools\": {\"skill\": false}, \"permission\": {\"skill\": {\"pdf\": \"ask\"}}}",
            pair("full ask yes", YES),
        ),
        (
            "{\"permission\": {\"skill\": \"deny\"}, \"agent\": {\"build\": {\"permission\": {\"skill\": {\"pdf\": \"allow\"}}}}}",
            pair(YES, NO),
        ),
    ] {
        assert_eq!(effects(&with(&[(PROJECT, text)])), expected, "{text}");
    }
}

/// Checked with 1.18.33.
#[test]
fn agents_and_modes_add_rules_and_the_last_of_equal_keys_counts() {
    for (text, expected) in [
        (
            r#"{"permission": {"skill": {"pdf": "ask"}}, "agent": {"build": {"tools": {"skill": true}}}}"#,
            pair(YES, YES),
        ),
        (
            r#"{"agent": {"build": {"tools": {"skill": true}, "permission": {"skill": {"pdf": "deny"}}}}}"#,
            pair(NO, YES),
        ),
        (r#"{"mode": {"build": {"tools": {"*": false}}}}"#, pair(NO, NO)),
        (
            r#"{"mode": {"build": {"permission": {"skill": {"pdf": "ask"}}}}, "agent": {"build": {"permission": {"skill": {"pdf": "deny"}}}}}"#,
            pair("full ask yes", YES),
        ),
        (r#"{"agent": {"plan": {"permission": {"skill": "deny"}}}}"#, pair(YES, YES)),
        (
            r#"{"permission": {"skill": "deny", "bash": "ask", "skill": {"pdf": "ask"}}}"#,
            pair("full ask yes", YES),
        ),
    ] {
        assert_eq!(effects(&with(&[(PROJECT, text)])), expected, "{text}");
    }
    let mut test = with(&[(PROJECT, r#"{"tools": {}, "tools": {"bash": true}}"#)]);
    assert!(switch(&mut test, "pdf", Off, Layer::Project).is_err(), "it is not edited");
}

/// Checked with 1.18.33.
#[test]
fn what_an_agent_says_is_named_by_its_own_key() {
    let rule = r#"{"skill": {"pdf": "deny"}}"#;
    let table = [
        (PROJECT, format!(r#"{{"permission": {rule}}}"#), "permission.skill \"pdf\": \"deny\""),
        (PROJECT, r#"{"tools": {"skill": false}}"#.to_owned(), "tools.skill: false"),
        (
            PROJECT,
            format!(
                r#"{{"permission": {{"skill": {{"pdf": "allow"}}}}, "agent": {{"build": {{"permission": {rule}}}}}}}"#
            ),
            "agent.build.permission.skill \"pdf\": \"deny\"",
        ),
        (
            PROJECT,
            r#"{"mode": {"build": {"tools": {"*": false}}}}"#.to_owned(),
            "mode.build.tools.*: false",
        ),
        (
            "repo/.opencode/agents/build.md",
            "---\ntools:\n  skill: false\n---\nx\n".to_owned(),
            "tools.skill: false",
        ),
    ];
    for (file, text, said) in table {
        let test = with(&[(file, &text)]);
        let by = judged(&test, "pdf").1;
        assert!(by.starts_with(&format!("{file}:")) && by.ends_with(said), "{by}");
    }
}

#[test]
fn files_of_the_agent_build_are_read_where_they_lie() {
    let head = |rules: &str| format!("---\npermission:\n  skill:\n    {rules}\n---\nPrompt\n");
    let own = "home/.config/opencode/agent/build.md";
    let of_project = "repo/.opencode/mode/build.md";
    let mut test = with(&[(own, &head("pdf: ask"))]);
    assert_eq!(effects(&test), pair("full ask yes", YES));
    assert_eq!(judged(&test, "pdf").1, format!("{own}:4 permission.skill \"pdf\": \"ask\""));
    test.write("repo/.opencode/opencode.json", r#"{"agent": {"build": {"tools": {"*": false}}}}"#);
    assert_eq!(effects(&test), pair(NO, NO));
    test.write(of_project, &head("pdf: allow"));
    assert_eq!(effects(&test), pair(NO, NO), "a key keeps its place");
    for (file, text, expected) in [
        (of_project, head("pdf: nope"), pair(YES, YES)),
        (of_project, head("docx: [").replace("---\nPrompt", "Prompt"), pair(YES, YES)),
        ("repo/.opencode/agents/build.md", head("pdf: nope"), pair(NO, NO)),
        ("repo/.opencode/agents/build.md", head("pdf: deny\nname: mine"), pair(YES, YES)),
        ("repo/.opencode/agents/plan.md", head("pdf: deny"), pair(YES, YES)),
    ] {
        assert_eq!(effects(&with(&[(file, &text)])), expected, "{file} {text}");
    }
    let mut test = with(&[(of_project, &head("pdf: ask"))]);
    let refusal = switch(&mut test, "pdf", Off, Layer::Project).unwrap_err();
    assert!(refusal.contains("mode/build.md:4"), "{refusal}");
}

#[test]
fn a_tilde_is_the_home_directory() {
    let mut test = with(&[(PROJECT, &ruled("\"~\": \"deny\", \"$HOME\": \"deny\""))]);
    test.write("repo/.agents/skills/tilde/SKILL.md", "---\nname: \"~\"\ndescription: d\n---\n");
    assert_eq!(judged(&test, "skills/tilde").0, YES);
    assert!(switch(&mut test, "tilde", Off, Layer::Project).is_err(), "no rule can name it");
}

#[test]
fn keys_that_are_numbers_come_first() {
    let mut test =
        with(&[(PROJECT, &ruled("\"*\": \"allow\", \"7\": \"deny\", \"07\": \"deny\""))]);
    for name in ["7", "07"] {
        test.write(
            &format!("repo/.agents/skills/{name}/SKILL.md"),
            &format!("---\nname: \"{name}\"\ndescription: One.\n---\n"),
        );
    }
    assert_eq!(
        (judged(&test, "skills/7").0.as_str(), judged(&test, "skills/07").0.as_str()),
        (YES, NO)
    );
}

/// Checked with 1.18.33: a key keeps its place, and `.opencode` counts from the working directory
/// up.
#[test]
fn files_are_merged_key_by_key() {
    let test = with(&[(USER, &ruled("\"pdf\": \"allow\"")), (PROJECT, &ruled("\"*\": \"deny\""))]);
    assert_eq!(effects(&test), pair(NO, NO));
    let test = with(&[(USER, &ruled("\"*\": \"deny\"")), (PROJECT, &ruled("\"pdf\": \"allow\""))]);
    assert_eq!(effects(&test), pair(YES, NO));
    let test = with(&[
        (USER, "{\"permission\": {\"skill\": \"deny\"}}"),
        (PROJECT, &ruled("\"pdf\": \"ask\"")),
    ]);
    assert_eq!(effects(&test), pair("full ask yes", YES), "a table takes a word's place");
    let mut test = skilled().through(&OPENCODE, &[], "repo/a");
    test.write("repo/a/.opencode/opencode.json", &ruled("\"pdf\": \"deny\", \"docx\": \"deny\""));
    test.write("repo/.opencode/opencode.jsonc", &ruled("\"pdf\": \"allow\","));
    assert_eq!(effects(&test), pair(YES, NO));
    test.write("home/.opencode/opencode.json", &ruled("\"docx\": \"ask\""));
    assert_eq!(effects(&test), pair(YES, "full ask yes"));
}

#[test]
fn the_environment_speaks_after_the_files() {
    let settings = "{\"permission\": {\"skill\": {\"pdf\": \"deny\"}}}";
    let test = skilled().through(&OPENCODE, &[("OPENCODE_CONFIG_CONTENT", settings)], "repo");
    assert_eq!(effects(&test), pair(NO, YES));
    let by = judged(&test, "pdf").1;
    assert_eq!(by, "OPENCODE_CONFIG_CONTENT (permission.skill \"pdf\": \"deny\")");
    let environment = [
        ("OPENCODE_PERMISSION", "{\"skill\": {\"pdf\": \"ask\"}}"),
        ("OPENCODE_CONFIG", "more.json"),
    ];
    let mut test = skilled().through(&OPENCODE, &environment, "repo");
    test.write("repo/more.json", &ruled("\"*\": \"deny\""));
    assert_eq!(effects(&test), pair("full ask yes", NO));
}

#[test]
fn a_file_that_opencode_cannot_read_denies_and_is_not_edited() {
    for (text, line) in [
        (ruled("\"pdf\": \"nope\""), 2),
        ("{ \"permission\"".to_owned(), 1),
        ("{\n\"tools\": {\n\"skill\": null } }".to_owned(), 3),
        ("{\"permission\": { \"webfetch\": {} } }".to_owned(), 1),
        ("{\"agent\": { \"mine\":\n[] } }".to_owned(), 2),
        ("{\"skills\": { \"paths\": \"more\" } }".to_owned(), 1),
        ("{\"skills\": [\"more\", 5] }".to_owned(), 1),
    ] {
        let mut test = with(&[(PROJECT, &text)]);
        assert_eq!(effects(&test), pair(NO, NO), "{text}");
        assert!(alarms(&test)[0].starts_with(&format!("{PROJECT}:{line} ")), "{:?}", alarms(&test));
        let refusal = permit(&mut test, Allow, "pdf", Layer::Project).unwrap_err();
        assert!(refusal.contains(&format!("until line {line} is mended: ")), "{refusal}");
        assert_eq!(test.read(PROJECT), text);
    }
}

#[test]
fn where_opencode_stops_it_shows_nothing() {
    let allowed = ruled("\"*\": \"allow\"");
    for (variable, value) in [
        ("OPENCODE_CONFIG_CONTENT", "{broken"),
        ("OPENCODE_CONFIG_CONTENT", "{\"permission\": 5}"),
        ("OPENCODE_DISABLE_EXTERNAL_SKILLS", "TRUE"),
        ("OPENCODE_DISABLE_CLAUDE_CODE", "2"),
    ] {
        let mut test = skilled().through(&OPENCODE, &[(variable, value)], "repo");
        test.write("repo/.opencode/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\n");
        test.write(PROJECT, &allowed);
        assert_eq!(judged(&test, ".opencode/skills/pdf").0, NO, "{variable} {value}");
        assert!(alarms(&test)[0].starts_with(variable), "{:?}", alarms(&test));
    }
    for (text, stops) in [("", false), (" \n", true), ("// nothing\n", true), ("\u{feff}{}", false)]
    {
        let test = with(&[(PROJECT, text), (USER, &allowed)]);
        assert_eq!(effects(&test), if stops { pair(NO, NO) } else { pair(YES, YES) }, "{text:?}");
    }
    for value in ["{", "\"deny\"", "{\"skill\": 5}", "{\"skill\": \"deny\",}"] {
        let test = skilled().through(&OPENCODE, &[("OPENCODE_PERMISSION", value)], "repo");
        assert_eq!(effects(&test), pair(YES, YES), "{value}");
    }
}
