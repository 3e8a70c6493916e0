//! Switches and rules, as they are written into its settings.

use super::*;

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

/// The program writes the schema into a file without one, after which nothing could be undone.
#[test]
fn a_file_that_says_nothing_begins_with_the_schema_too() {
    for blank in ["", "\n", " \n\t", "{}", "{\n\n}\n"] {
        let mut test = with(&[(PROJECT, blank)]);
        assert_eq!(switch(&mut test, "pdf", Off, Layer::Project), Ok(1), "{blank:?}");
        assert!(test.read(PROJECT).contains("\"$schema\": "), "{}", test.read(PROJECT));
    }
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
fn what_decides_now_is_named_and_not_what_would_without_it() {
    let mut test = with(&[
        (USER, &ruled("\"*\": \"ask\", \"pdf\": \"deny\"")),
        (PROJECT, &ruled("\"pdf\": \"allow\"")),
    ]);
    let refusal = switch(&mut test, "pdf", Off, Layer::User).unwrap_err();
    let because = OPENCODE.control.because;
    let by = format!("permission.skill \"pdf\": \"allow\" ({PROJECT}:2)");
    assert_eq!(refusal, format!("it stays as it is because of {by}; {because}"));
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
