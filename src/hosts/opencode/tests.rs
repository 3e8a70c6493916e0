use super::*;
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::hosts::test_support::{
    alarms, judged, permit, roots, seen, set_rules, state, switch, test,
};
use crate::workspace::fixture::TestWorkspace;
use Enablement::{Off, On, UserOnly};

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
fn the_roots_are_shared_its_own_and_those_of_the_settings() {
    let mut test = TestWorkspace::with(&[]).through(&OPENCODE, &[], "repo/a");
    test.write(
        "repo/opencode.json",
        "{\"skills\": {\"paths\": [\"~/more\", \"tools\", \"/srv/skills\"]}}",
    );
    let expected = [
        "home/.claude/skills user",
        "home/.agents/skills user",
        "repo/a/.claude/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.claude/skills repo",
        "repo/.agents/skills repo",
        "home/.config/opencode/skill user",
        "home/.config/opencode/skills user",
        "repo/a/.opencode/skill repo",
        "repo/a/.opencode/skills repo",
        "repo/.opencode/skill repo",
        "repo/.opencode/skills repo",
        "home/.opencode/skill user",
        "home/.opencode/skills user",
        "home/more user",
        "repo/a/tools repo",
        "/srv/skills user",
    ];
    assert_eq!(roots(&test), expected);
}

#[test]
fn the_environment_opens_and_closes_roots() {
    for (variable, value, there, gone) in [
        (
            "OPENCODE_DISABLE_EXTERNAL_SKILLS",
            "1",
            "repo/.opencode/skills repo",
            "home/.agents/skills user",
        ),
        (
            "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS",
            "true",
            "home/.agents/skills user",
            "home/.claude/skills user",
        ),
        (
            "OPENCODE_DISABLE_PROJECT_CONFIG",
            "1",
            "repo/.agents/skills repo",
            "repo/.opencode/skills repo",
        ),
        ("OPENCODE_CONFIG_DIR", "own", "repo/own/skills user", "own/skills user"),
        (
            "XDG_CONFIG_HOME",
            "xdg",
            "repo/xdg/opencode/skills user",
            "home/.config/opencode/skills user",
        ),
    ] {
        let test = TestWorkspace::with(&[]).through(&OPENCODE, &[(variable, value)], "repo");
        let roots = roots(&test);
        assert!(
            roots.contains(&there.to_owned()) && !roots.contains(&gone.to_owned()),
            "{variable}: {roots:?}"
        );
    }
}

#[test]
fn outside_a_repository_it_goes_up_to_the_top() {
    let test = TestWorkspace::with(&[]).through(&OPENCODE, &[], "plain/a");
    let roots = roots(&test);
    assert!(roots.contains(&"plain/.agents/skills repo".to_owned()), "{roots:?}");
    assert!(roots.contains(&"/.agents/skills repo".to_owned()), "{roots:?}");
}

#[test]
fn hidden_folders_count_where_agents_share_them() {
    let mut test = skilled();
    for place in [
        "repo/.agents/skills/.h/one",
        "repo/.opencode/skills/.h/two",
        "repo/.opencode/skills/a/b/three",
    ] {
        let name = place.rsplit('/').next().unwrap();
        test.write(
            &format!("{place}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: One.\n---\n"),
        );
    }
    test.write("repo/.agents/skills/told/SKILL.md", "---\nname: told\n---\nNo description.\n");
    test.write("repo/.agents/skills/nameless/SKILL.md", "---\ndescription: No name.\n---\n");
    let names: Vec<String> =
        seen(&test).iter().map(|seen| seen.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["docx", "nameless", "one", "pdf", "three", "told"]);
    assert_eq!(
        judged(&test, "told").0,
        "no allow yes",
        "the model is not told, a person may call it"
    );
    assert_eq!(judged(&test, "nameless").0, "no deny no");
}

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

#[test]
fn a_denial_goes_last_and_leaves_again() {
    let mut test = skilled();
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1));
    let head = "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n";
    let after = format!(
        "{head}  \"permission\": {{\n    \"skill\": {{\n      \"pdf\": \"deny\"\n    }}\n  }}\n}}\n"
    );
    assert_eq!(test.read(PROJECT), after);
    assert_eq!(judged(&test, "pdf").0, NO, "a person may call it still");
    assert_eq!(switch(&mut test, "pdf", UserOnly, Layer::Project), Ok(0));
    assert_eq!(switch(&mut test, "pdf", On, Layer::Project), Ok(1));
    assert!(!test.read(PROJECT).contains("pdf"));
}

#[test]
fn an_earlier_key_is_moved_to_the_end() {
    let before = "{\n  // mine\n  \"permission\": { \"skill\": { \"pdf\": \"deny\", /* all */ \"*\": \"allow\" }, \"bash\": \"ask\" },\n}\n";
    let mut test = with(&[(PROJECT, before)]);
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1));
    let after = test.read(PROJECT);
    assert!(
        after.contains("// mine") && after.contains("/* all */") && after.ends_with("},\n}\n"),
        "{after}"
    );
    assert!(after.find("\"*\": \"allow\"") < after.find("\"pdf\": \"deny\""), "{after}");
    assert_eq!(effects(&test), pair(NO, YES));
}

#[test]
fn a_word_for_all_is_kept_when_a_table_takes_its_place() {
    for (text, docx) in [
        ("{\"permission\": {\"skill\": \"ask\"}}", "full ask yes"),
        ("{\"permission\": \"ask\"}", "full ask yes"),
        ("{\"tools\": {\"skill\": true}}", YES),
        ("{\"permission\": {\"*\": \"ask\"}}", "full ask yes"),
    ] {
        let mut test = with(&[(PROJECT, text)]);
        assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1), "{text}");
        assert_eq!(effects(&test), pair(NO, docx), "{text} {}", test.read(PROJECT));
    }
    // Also in a lower file, and if the tool is off.
    for (user, project) in [
        ("{\"permission\": {\"skill\": \"deny\"}}", "{}"),
        ("{}", "{\"tools\": {\"skill\": false}}"),
    ] {
        let mut test = with(&[(USER, user), (PROJECT, project)]);
        assert_eq!(switch(&mut test, "pdf", On, Layer::Project), Ok(1), "{user}");
        assert_eq!(effects(&test), pair(YES, NO), "{user} {}", test.read(PROJECT));
    }
}

#[test]
fn a_word_before_a_pattern_that_covers_it_stays() {
    let text = "{\"permission\": {\"skill\": \"allow\", \"*\": \"deny\"}}";
    let mut test = with(&[(PROJECT, text)]);
    let refusal = switch(&mut test, "pdf", On, Layer::Project).unwrap_err();
    let because = OPENCODE.control.because;
    assert_eq!(
        refusal,
        format!("it stays off because of permission.*: \"deny\" ({PROJECT}:1); {because}")
    );
    assert_eq!(test.read(PROJECT), text);
}

#[test]
fn a_key_that_a_lower_file_has_put_first_cannot_be_moved() {
    let mut test = with(&[(USER, &ruled("\"pdf\": \"allow\", \"*\": \"deny\""))]);
    let refusal = switch(&mut test, "pdf", On, Layer::Project).unwrap_err();
    let because = OPENCODE.control.because;
    assert_eq!(
        refusal,
        format!("it stays off because of permission.skill \"*\": \"deny\" ({USER}:2); {because}")
    );
    assert!(!test.env.top.join(PROJECT).exists());
    assert_eq!(switch(&mut test, "pdf", On, Layer::User), Ok(1));
    assert_eq!(effects(&test), pair(YES, NO));
}

#[test]
fn the_file_is_written_that_speaks_of_skills() {
    let folder = "repo/.opencode/opencode.jsonc";
    let mut test = with(&[(PROJECT, "{\"model\": \"x\"}"), (folder, &ruled("\"docx\": \"ask\""))]);
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1));
    assert!(test.read(folder).contains("\"pdf\": \"deny\""));
    assert_eq!(test.read(PROJECT), "{\"model\": \"x\"}");
    // A file that also names the skill loses that entry.
    test.write(PROJECT, &ruled("\"pdf\": \"allow\", \"*\": \"allow\""));
    assert_eq!(effects(&test), pair(YES, "full ask yes"));
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1));
    assert!(!test.read(PROJECT).contains("pdf"));
    assert_eq!(effects(&test), pair(NO, "full ask yes"));
}

#[test]
fn a_rule_is_a_name_or_a_glob_and_goes_last() {
    let mut test = with(&[(PROJECT, &ruled("\"*\": \"allow\""))]);
    assert_eq!(permit(&mut test, Deny, "p*", Layer::Project), Ok(1));
    assert_eq!(permit(&mut test, Ask, "d?cx", Layer::Project), Ok(1));
    assert_eq!(test.read(PROJECT), ruled("\"*\": \"allow\", \"p*\": \"deny\", \"d?cx\": \"ask\""));
    assert_eq!(effects(&test), pair(NO, "full ask yes"));
    assert_eq!(permit(&mut test, Allow, "pdf", Layer::Project), Ok(1));
    assert_eq!(permit(&mut test, Ask, "*", Layer::Project), Ok(1));
    assert_eq!(effects(&test), pair("full ask yes", "full ask yes"));
}

#[test]
fn a_layers_rules_are_set_in_their_order_in_one_file() {
    let folder = "repo/.opencode/opencode.json";
    let mut test = with(&[
        (PROJECT, &ruled("\"a\": \"ask\", \"pdf\": \"deny\", \"gone\": \"ask\"")),
        (folder, "{\"permission\": {\"skill\": \"ask\", \"bash\": \"deny\"}}"),
    ]);
    let rules = [(Deny, "*"), (Allow, "pdf"), (Ask, "a")];
    set_rules(&mut test, &rules, Layer::Project).unwrap();
    let seen: Vec<String> = test.workspace.host_contexts[0]
        .policy
        .rules
        .iter()
        .map(|rule| {
            format!(
                "{} {}",
                rule.effect.word(),
                rule.pattern.text().unwrap_or_else(|| "*".to_owned())
            )
        })
        .collect();
    assert_eq!(seen, ["deny *", "allow pdf", "ask a"]);
    assert!(test.read(folder).contains("\"bash\": \"deny\""));
    assert_eq!(set_rules(&mut test, &rules, Layer::Project), Ok(0));
    set_rules(&mut test, &[], Layer::Project).unwrap();
    assert!(test.workspace.host_contexts[0].policy.rules.is_empty());
}

#[test]
fn a_changed_rule_is_changed_where_it_stands() {
    let last = "{\n  \"permission\": { \"skill\": {\n    \"beta\": \"deny\", // b\n  } }\n}\n";
    let texts = [ruled("\"alpha\": \"ask\""), ruled("\"pdf\": \"allow\""), last.to_owned()];
    let names = ["config.json", "opencode.json", "opencode.jsonc"];
    let files = names.map(|name| format!("home/.config/opencode/{name}"));
    let mut test = skilled();
    let mut after = |rules: &[(Permission, &str)]| {
        files.iter().zip(&texts).for_each(|(file, text)| test.write(file, text));
        set_rules(&mut test, rules, Layer::User).unwrap();
        files.each_ref().map(|file| test.read(file))
    };
    let [one, two, three] = &texts;
    let changed = [one.clone(), two.clone(), three.replace("deny", "ask")];
    assert_eq!(after(&[(Ask, "alpha"), (Allow, "pdf"), (Ask, "beta")]), changed);
    let gone = [one.clone(), two.replace(" \"pdf\": \"allow\" ", ""), three.clone()];
    assert_eq!(after(&[(Ask, "alpha"), (Deny, "beta")]), gone);
    let more = three.replace("// b\n", "// b\n    \"docx\": \"ask\",\n");
    let added = [one.clone(), two.clone(), more];
    assert_eq!(after(&[(Ask, "alpha"), (Allow, "pdf"), (Deny, "beta"), (Ask, "docx")]), added);
    let other = [one.replace("alpha", "a*"), two.clone(), three.replace("beta", "b?")];
    assert_eq!(after(&[(Ask, "a*"), (Allow, "pdf"), (Deny, "b?")]), other);
    // A word for all skills.
    let word =
        "{\n  \"permission\": {\n    \"skill\": \"ask\", // all\n    \"bash\": \"deny\"\n  }\n}\n";
    let mut test = with(&[(USER, word)]);
    set_rules(&mut test, &[(Deny, "*")], Layer::User).unwrap();
    assert_eq!(test.read(USER), word.replace("\"ask\"", "\"deny\""));
    // The agent's own rules are not ours, though they have the same key on the same line.
    let own = "{\"permission\": {\"skill\": {\"pdf\": \"ask\"}}, \"agent\": {\"build\": {\"permission\": {\"skill\": {\"pdf\": \"ask\"}}}}}";
    test.write(USER, own);
    set_rules(&mut test, &[(Deny, "pdf"), (Ask, "pdf")], Layer::User).unwrap();
    assert_eq!(test.read(USER), own.replacen("\"ask\"", "\"deny\"", 1));
}

#[test]
fn a_word_becomes_a_table_where_it_stands() {
    let mut test = with(&[]);
    for (before, after) in [
        (
            "{\n  \"permission\": \"ask\", // agreed with Ann\n  \"share\": \"manual\"\n}",
            "{\n  \"permission\": {\n    \"*\": \"ask\",\n    \"skill\": {\n      \"pdf\": \"deny\"\n    }\n  }, // agreed with Ann\n  \"share\": \"manual\"\n}",
        ),
        (
            "{\n  \"permission\": {\n    \"skill\": \"ask\", // agreed with Ann\n    \"bash\": \"ask\"\n  }\n}",
            "{\n  \"permission\": {\n    \"skill\": {\n      \"*\": \"ask\",\n      \"pdf\": \"deny\"\n    }, // agreed with Ann\n    \"bash\": \"ask\"\n  }\n}",
        ),
    ] {
        test.write(USER, before);
        switch(&mut test, "pdf", Off, Layer::User).unwrap();
        assert_eq!(test.read(USER), after);
        test.workspace.undo().unwrap();
        assert_eq!(test.read(USER), before);
    }
}

#[test]
fn project_files_that_do_not_count_are_not_written() {
    let mut test =
        skilled().through(&OPENCODE, &[("OPENCODE_DISABLE_PROJECT_CONFIG", "1")], "repo");
    test.write(PROJECT, &ruled("\"pdf\": \"deny\""));
    assert_eq!(state(&test, "pdf"), On);
    let refusal = switch(&mut test, "pdf", Off, Layer::Project).unwrap_err();
    assert_eq!(
        refusal,
        "opencode ignores its project settings file: OPENCODE_DISABLE_PROJECT_CONFIG is set"
    );
}

#[test]
fn a_session_without_some_skills_is_one_line() {
    let test = skilled();
    let line = launch_line(&test.workspace.host_contexts[0].reading, &["noisy"]).unwrap();
    assert_eq!(
        line,
        r#"OPENCODE_CONFIG_CONTENT='{"permission":{"skill":{"noisy":"deny"}}}' opencode"#
    );
}

#[test]
fn there_is_no_line_of_a_session_that_would_not_switch_off() {
    let mut test = skilled();
    let line = |test: &TestWorkspace| {
        launch_line(&test.workspace.host_contexts[0].reading, &["noisy"]).is_some()
    };
    for (permission, is_off) in [
        (r#""permission": {"skill": {"noisy": "allow"}}"#, true),
        (r#""permission": {"skill": {"*": "ask"}}"#, true),
        (r#""permission": {"skill": {"noisy": "allow", "*": "ask"}}"#, false),
        (r#""agent": {"build": {"permission": {"skill": {"noisy": "allow"}}}}"#, false),
    ] {
        test.write(USER, &format!("{{ {permission} }}"));
        assert_eq!(line(&test), is_off, "{permission}");
    }
    test.write(USER, "{}");
    let test = test.through(&OPENCODE, &[("OPENCODE_CONFIG_CONTENT", "{}")], "repo");
    assert!(!line(&test), "the variable is in use");
}

#[test]
fn a_name_that_opencode_would_take_for_a_pattern_switches_nothing() {
    let mut test = TestWorkspace::with(&[
        ("repo/.agents/skills/all", "p*"),
        ("repo/.agents/skills/pdf", "pdf"),
    ]);
    test = test.through(&OPENCODE, &[], "repo");
    let error = switch(&mut test, "all", Off, Layer::User).unwrap_err();
    assert_eq!(error, "it would switch `pdf` too, which in opencode goes with that name");
    test.write(USER, &ruled("\"*\": \"deny\""));
    assert!(switch(&mut test, "all", On, Layer::User).is_err(), "nor on");
    assert_eq!(launch_line(&test.workspace.host_contexts[0].reading, &["p*"]), None);
}

#[test]
fn what_it_has_fetched_counts_while_settings_name_an_address() {
    let cached = "home/.cache/opencode/skills/remote";
    let mut test = test(&OPENCODE, &[cached]);
    assert!(seen(&test).is_empty());
    let settings = "home/.config/opencode/opencode.json";
    let urls = "[\"https://example.com/skills\"]";
    for text in [format!("{{\"skills\": {{\"urls\": {urls}}}}}"), format!("{{\"skills\": {urls}}}")]
    {
        test.write(settings, &text);
        test.write(&format!("{cached}/.opencode-version"), "1.2\n");
        let source = test.view().rows[0].entry.skill.source().unwrap();
        assert_eq!(source.as_str(), "download https://example.com/skills 1.2");
    }
}
