//! Rules in its policies, written by us.

use super::*;

/// A rule of the person's file, with comments.
fn own(pattern: &str, decision: &str, priority: i32) -> String {
    format!(
        "[[rule]] # mine\ntoolName = 'activate_skill'\nargsPattern = '{pattern}' # so\n\
         decision = \"{decision}\" # for now\npriority = {priority} # low\n"
    )
}

#[test]
fn rules_go_to_a_file_of_their_own() {
    let mut test = trusted();
    let table = |pattern: &str, decision: &str, priority: i32| {
        format!(
            "[[rule]]\ntoolName = \"activate_skill\"\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    let pdf = "argsPattern = \"\\\"name\\\":\\\"pdf\\\"\"\n";
    let rows = [
        (String::new(), (Deny, "pdf"), table(pdf, "deny", 200)),
        (String::new(), (Deny, "*"), table("", "deny", 200)),
        (String::new(), (Deny, "p*"), table("argsPattern = \"\\\"name\\\":\\\"p\"\n", "deny", 200)),
        (table(pdf, "deny", 50) + "# mine\n", (Allow, "pdf"), table(pdf, "allow", 50) + "# mine\n"),
        (
            table("", "allow", 300),
            (Deny, "pdf"),
            table("", "allow", 300) + "\n" + &table(pdf, "deny", 999),
        ),
        (String::new(), (Ask, "pdf"), String::new()),
    ];
    for (before, wanted, after) in rows {
        if after.is_empty() {
            permit(&mut test, wanted.0, wanted.1, None).unwrap();
            assert!(!test.env.top.join(POLICY).exists(), "it asks already");
            continue;
        }
        Golden { file: POLICY, place: None, before: &before, after: &after }
            .check(&mut test, |test, place| permit(test, wanted.0, wanted.1, place));
    }
    let sentence =
        "Gemini CLI ignores its project settings file: its policies are the person's alone";
    assert_eq!(permit(&mut test, Deny, "pdf", Some(Project)), Err(sentence.to_owned()));
    let refused = permit(&mut test, Deny, "p\"f", Some(User)).unwrap_err();
    assert_eq!(refused, "Gemini CLI does not have rules for such names");
}

#[test]
fn a_set_of_rules_keeps_its_order_and_other_tools() {
    let mut test = trusted();
    let other = "[[rule]]\ntoolName = \"run_shell_command\" # mine\ndecision = \"ask_user\"\npriority = 1\n";
    test.write(POLICY, other);
    // Another file already has the last rule.
    let all = "[[rule]]\ntoolName = [\"activate_skill\"]\ndecision = \"ask_user\"\npriority = 0\n";
    test.write("home/.gemini/policies/auto-saved.toml", all);
    let rules = [(Deny, "pdf"), (Allow, "*"), (Ask, "*")];
    set_rules(&mut test, &rules, User).unwrap();
    let written = test.read(POLICY);
    assert!(
        written.starts_with(other) && written.matches("activate_skill").count() == 2,
        "{written}"
    );
    let states = seen(&test);
    assert!(
        states[0].starts_with("pdf on full deny") && states[1].starts_with("zip on full allow"),
        "{states:?}"
    );
    set_rules(&mut test, &rules, User).unwrap();
    assert_eq!(test.read(POLICY), written, "it is so already");
    let refused = set_rules(&mut test, &[], User).unwrap_err();
    assert!(
        refused.contains("home/.gemini/policies/auto-saved.toml:1"),
        "another file's rule stays: {refused}"
    );
    set_rules(&mut test, &[(Ask, "*")], User).unwrap();
    assert_eq!(test.read(POLICY), other);
}

#[test]
fn a_rule_keeps_its_priority_and_its_comments_while_others_change() {
    let mut test = trusted();
    let hidden = own("alph", "deny", 100);
    let [alpha, beta] = [("alpha", "allow"), ("beta", "ask_user")]
        .map(|(name, decision)| own(&format!("\"name\":\"{name}\""), decision, 5));
    let before = [&*hidden, &alpha, &beta].join("\n");
    let mut after = |rules: &[(Permission, &str)]| {
        test.write(POLICY, &before);
        set_rules(&mut test, rules, User).unwrap();
        test.read(POLICY)
    };
    let changed = before.replace("\"ask_user\"", "\"deny\"");
    assert_eq!(after(&[(Allow, "alpha"), (Deny, "beta")]), changed);
    let found = after(&[(Allow, "alpha"), (Ask, "delta")]);
    let other = "\"\\\"name\\\":\\\"delta\\\"\"";
    assert_eq!(found, before.replace("'\"name\":\"beta\"'", other), "another pattern");
    let found = after(&[(Allow, "alpha"), (Ask, "beta"), (Deny, "gamma"), (Deny, "delta")]);
    assert!(found.starts_with(&before), "{found}");
    let priorities = found.lines().filter_map(|line| line.strip_prefix("priority = "));
    let expected = ["100 # low", "5 # low", "5 # low", "4", "3"];
    assert_eq!(priorities.collect::<Vec<_>>(), expected, "new ones come last");
    let found = after(&[(Ask, "beta")]);
    assert!(found.contains(&hidden) && found.contains(&beta) && !found.contains("alpha"));
    // What is about all skills has no pattern.
    let found = after(&[(Deny, "*"), (Ask, "beta")]);
    let all = "[[rule]]\ntoolName = \"activate_skill\"\ndecision = \"deny\"\npriority = 5\n";
    assert!(found.contains(all) && found.find(all) < found.find(&beta), "{found}");
}

#[test]
fn a_new_rule_finds_room_below_the_others_or_is_refused() {
    let mut test = trusted();
    let lowest = own("\"name\":\"alpha\"", "deny", 0);
    test.write(POLICY, &lowest);
    set_rules(&mut test, &[(Deny, "alpha"), (Ask, "*")], User).unwrap();
    assert!(test.read(POLICY).starts_with(&lowest), "of two with one priority the first counts");
    test.write(POLICY, &own("alph", "deny", 0));
    let refused = set_rules(&mut test, &[(Allow, "pdf")], User).unwrap_err();
    assert_eq!(refused, "no change of this settings file says that");
    // Several rules may stand on one line.
    let rule = |name: &str, decision: &str| {
        format!(
            "{{ toolName = \"activate_skill\", argsPattern = '\"name\":\"{name}\"', decision = \"{decision}\", priority = 7 }}"
        )
    };
    test.write(POLICY, &format!("rule = [{}, {}]\n", rule("a", "deny"), rule("b", "deny")));
    set_rules(&mut test, &[(Deny, "a"), (Allow, "b")], User).unwrap();
    let expected = format!("rule = [{}, {}]\n", rule("a", "deny"), rule("b", "allow"));
    assert_eq!(test.read(POLICY), expected);
}
