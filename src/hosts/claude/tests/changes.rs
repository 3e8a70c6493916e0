//! What a switch and a rule write.

use super::*;

#[test]
fn a_switch_writes_the_local_file_and_takes_its_key_away_again() {
    let mut test = skilled();
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Local), Ok(1));
    let off = "{\n  \"skillOverrides\": {\n    \"pdf\": \"off\"\n  }\n}\n";
    assert_eq!(test.read(LOCAL), off);
    assert_eq!(switch(&mut test, "pdf", Off, Layer::Local), Ok(0));
    assert_eq!(switch(&mut test, "pdf", NameOnly, Layer::Local), Ok(1));
    assert_eq!(test.read(LOCAL), off.replace("off", "name-only"));
    assert_eq!(switch(&mut test, "pdf", UserOnly, Layer::Local), Ok(1));
    assert_eq!(switch(&mut test, "pdf", On, Layer::Local), Ok(1));
    assert_eq!(test.read(LOCAL).split_whitespace().collect::<String>(), "{\"skillOverrides\":{}}");
}

#[test]
fn over_a_lower_file_on_is_written_and_an_odd_layout_stays() {
    let user = "{\"model\":\"opus\",\n\t\"skillOverrides\":{\"pdf\":\"off\",\"x\":\"off\"} }";
    let mut test = with(&[(USER, user), (PROJECT, "{ \"hooks\": {} }")]);
    assert_eq!(switch(&mut test, "pdf", On, Layer::Project), Ok(1));
    assert_eq!(
        test.read(PROJECT).split_whitespace().collect::<String>(),
        "{\"hooks\":{},\"skillOverrides\":{\"pdf\":\"on\"}}"
    );
    assert_eq!(test.read(USER), user);
    let refusal = switch(&mut test, "pdf", Off, Layer::User).unwrap_err();
    assert_eq!(
        refusal,
        format!("it stays as it is because of skillOverrides \"pdf\": \"on\" ({PROJECT}:1)")
            .replace(":1", &place(&test))
    );
    test.write(PROJECT, "{}");
    assert_eq!(switch(&mut test, "pdf", On, Layer::User), Ok(1));
    assert_eq!(test.read(USER), user.replace("\"pdf\":\"off\",", ""));
}

/// The line that decides about `pdf`, as `:7`.
fn place(test: &TestWorkspace) -> String {
    let by = judged(test, "pdf").1;
    let line = by.split(':').nth(1).unwrap().split(' ').next().unwrap();
    format!(":{line}")
}

#[test]
fn below_the_repositorys_root_the_working_directorys_project_file_counts() {
    let test = TestWorkspace::with(&[("repo/.claude/skills/pdf", "pdf")]);
    let mut test = test.through(&CLAUDE, &[], "repo/a");
    switch(&mut test, "pdf", Off, Layer::Project).unwrap();
    assert!(test.read("repo/a/.claude/settings.json").contains("\"pdf\": \"off\""));
    test.write("repo/a/.claude/settings.json", "{}");
    test.write("repo/a/.claude/settings.local.json", &overrides("\"pdf\": \"off\""));
    switch(&mut test, "pdf", On, Layer::Local).unwrap();
    assert!(!test.read("repo/a/.claude/settings.local.json").contains("pdf"));
    assert!(!test.env.top.join(LOCAL).exists());
}

#[test]
fn nobody_writes_an_administrators_file() {
    let refusal = switch(&mut skilled(), "pdf", Off, Layer::Managed).unwrap_err();
    assert_eq!(refusal, "Claude Code has no managed settings file here");
}

#[test]
fn a_rule_is_pushed_and_what_stands_against_it_goes() {
    let denied = |name: &str| {
        format!(
            "{{\"permissions\": {{\"deny\": [\"Bash(rm *)\", \"Skill({name})\", \"Skill({name} *)\"]}}}}\n"
        )
    };
    let mut test = with(&[(LOCAL, &denied("notes"))]);
    assert_eq!(permit(&mut test, Allow, "notes", Layer::Local), Ok(1));
    assert_eq!(test.read(LOCAL), "{\"permissions\": {\"deny\": [\"Bash(rm *)\"]}}\n");
    // Another skill's name begins so, and stays denied.
    let mut held = with(&[(LOCAL, &denied("pdf"))]);
    let refusal = permit(&mut held, Allow, "pdf", Layer::Local).unwrap_err();
    assert!(refusal.contains("\"Skill(pdf *)\""), "{refusal}");
    assert_eq!(held.read(LOCAL), denied("pdf"));
    assert_eq!(permit(&mut test, Deny, "pdf", Layer::Local), Ok(1));
    assert_eq!(
        test.read(LOCAL),
        "{\"permissions\": {\"deny\": [\"Bash(rm *)\", \"Skill(pdf)\"]}}\n"
    );
    assert_eq!(permit(&mut test, Deny, "pdf-*", Layer::Local), Ok(1));
    assert!(test.read(LOCAL).contains("\"Skill(pdf-:*)\""), "{}", test.read(LOCAL));
    assert_eq!(judged(&test, "pdf-forms").0, "full deny yes");
    assert_eq!(permit(&mut test, Ask, "*", Layer::Local), Ok(1));
    assert_eq!(judged(&test, "notes").0, "full ask yes");
}

#[test]
fn what_its_rules_cannot_say_is_refused() {
    let refusal = permit(&mut skilled(), Ask, "pdf", Layer::User).unwrap_err();
    assert_eq!(
        refusal,
        "Claude Code does not have a question about one skill: it asks about every skill (`*`) or none"
    );
    let mut test = with(&[(USER, "{\"permissions\": {\"deny\": [\"Skill(pdf)\"]}}")]);
    let refusal = permit(&mut test, Allow, "pdf", Layer::Local).unwrap_err();
    assert_eq!(
        refusal,
        format!("it stays as it is because of permissions.deny \"Skill(pdf)\" ({USER}:1)")
    );
}

#[test]
fn a_files_rules_are_set_and_other_tools_stay() {
    let before = "{\"permissions\": {\"deny\": [\"Bash(rm *)\", \"Skill(pdf *)\", \"Skill(skill:x*)\"], \"allow\": [\"Skill(a)\"]}}";
    let mut test = with(&[(USER, before)]);
    let rules = [(Deny, "pdf*"), (Deny, "notes")];
    assert_eq!(set_rules(&mut test, &rules, Layer::User), Ok(1));
    let after = "{\"permissions\": {\"deny\": [\"Bash(rm *)\", \"Skill(pdf *)\", \"Skill(notes)\"], \"allow\": []}}";
    assert_eq!(test.read(USER), after);
    assert_eq!(set_rules(&mut test, &rules, Layer::User), Ok(0));
}

#[test]
fn a_session_without_some_skills_is_one_line() {
    let test = skilled();
    let line = launch_line(&test.workspace.host_contexts[0].reading, &["noisy", "b"]).unwrap();
    assert_eq!(line, r#"claude --settings '{"skillOverrides":{"noisy":"off","b":"off"}}'"#);
}
