//! What is said of a change: its words, and the line to look at.

use super::*;

#[test]
fn the_words_for_a_change_say_what_comes_of_it_in_the_one_agent_that_is_meant() {
    let label = |host, request: &dyn Fn(&View) -> ChangeRequest| {
        let test = test().through(host, &[], "repo");
        let view = test.view();
        test.workspace.plan(&view, &request(&view), None).unwrap().label
    };
    let off = |view: &View| switch(view, &[0], false);
    let deny = |_: &View| ChangeRequest::Permit(rule(Permission::Deny, "pdf"));
    assert_eq!(label(&crate::hosts::AGENTS, &off), "pdf off");
    assert_eq!(label(&crate::hosts::CODEX, &off), "pdf off in Codex");
    assert_eq!(label(&crate::hosts::OPENCODE, &off), "pdf user-only in opencode");
    assert_eq!(label(&crate::hosts::OPENCODE, &deny), "deny pdf in opencode");
}

#[test]
fn saved_rules_name_the_line_of_the_first_new_one() {
    let mut test = test();
    let line = |test: &TestWorkspace, rules: &[NewRule]| {
        let request = ChangeRequest::SetRules(vec![(Layer::User, rules.to_vec())]);
        test.workspace.plan(&test.view(), &request, None).unwrap().files[0].mark()
    };
    let (one, two) = (rule(Permission::Deny, "pdf"), rule(Permission::Ask, "zip"));
    assert_eq!(line(&test, std::slice::from_ref(&one)), Some(3), "below the version");
    let denied = "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n";
    let old = "[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"z\"\n";
    test.write(CONFIG, &format!("version = 1\n\n{old}\n{denied}"));
    // A line before it goes.
    assert_eq!(line(&test, &[one.clone(), two]), Some(7));
    assert_eq!(line(&test, &[one]), None, "lines only go");
}
