//! Changes of rules, of one and of a whole layer.

use super::*;

#[test]
fn a_new_rule_goes_to_a_file_of_the_persons_own() {
    let files = |host: &'static crate::hosts::Host| {
        let test = TestWorkspace::with(&[]).through(host, &[], "repo");
        let below =
            |path: &Path| path.strip_prefix(&test.env.top).unwrap().to_str().unwrap().to_owned();
        let files = test.view().rule_files();
        files
            .iter()
            .map(|(layer, file)| format!("{} {}", layer.word(), below(file)))
            .collect::<Vec<_>>()
    };
    assert_eq!(files(&crate::hosts::GEMINI), ["user home/.gemini/policies/skills.toml"]);
    let opencode = ["user home/.config/opencode/opencode.json", "project repo/opencode.json"];
    assert_eq!(files(&crate::hosts::OPENCODE), opencode);
    assert_eq!(files(&crate::hosts::COPILOT), Vec::<String>::new());
    assert_eq!(
        files(&crate::hosts::AGENTS),
        ["user home/.config/skillpick/config.toml", "project repo/.skillpick.toml"]
    );
    assert_eq!(files(&crate::hosts::EVERY), Vec::<String>::new());
}

#[test]
fn a_rule_about_one_skill_goes_to_the_hosts_that_take_it() {
    let test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("repo/.claude/skills/mine", "mine"),
    ]);
    std::fs::create_dir_all(test.env.top.join("home/.claude")).unwrap();
    let test = test.through(&crate::hosts::EVERY, &[], "repo");
    let plan = |pattern: &str| {
        let request = ChangeRequest::Permit(rule(Permission::Deny, pattern));
        let plan = test.workspace.plan(&test.view(), &request, None).unwrap();
        plan.files.iter().map(|file| file.host.word()).collect::<Vec<_>>()
    };
    // When it takes effect is said by the hosts of the files, not by the view.
    let later = |pattern: &str| {
        let request = ChangeRequest::Permit(rule(Permission::Deny, pattern));
        test.workspace.plan(&test.view(), &request, None).unwrap().later
    };
    assert_eq!(later("mine"), None);
    assert_eq!(plan("pdf"), ["agents"]);
    assert_eq!(plan("mine"), ["claude"]);
    assert_eq!(
        plan("no-such"),
        ["agents", "claude"],
        "a rule that waits for a skill waits everywhere"
    );
}

#[test]
fn rules_about_runs_are_kept_byte_for_byte_when_others_are_edited() {
    let mut test = test();
    let fill = "# keep\n[[permissions.allow]]\ntool   = \"skill_script\" # this\nskill_name = \"pdf\"\n\
                script = './scripts//fill.py'\nargs = [ \"--dry-run\",\n  \"x\" ]\n";
    let before = format!(
        "version = 1\n\n{fill}\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"zip\"\n"
    );
    test.write(CONFIG, &before);
    let view = test.view();
    // As the rules screen passes them: the existing rules, with one removed and one added.
    let all = view.policy.rules.iter().map(NewRule::of);
    let mut rules: Vec<NewRule> = all.filter(|rule| rule.effect != Permission::Ask).collect();
    rules.push(rule(Permission::Deny, "zip"));
    let request = ChangeRequest::SetRules(vec![(Layer::User, rules.clone())]);
    test.workspace.apply(&test.workspace.plan(&view, &request, None).unwrap()).unwrap();
    let after = test.read(CONFIG);
    assert!(
        after.contains(fill)
            && !after.contains("permissions.ask")
            && after.contains("permissions.deny"),
        "{after}"
    );
    // A rule about all scripts and one about some are different rules and do not replace each
    // other.
    test.workspace = test.workspace.reread();
    let view = test.view();
    let whole = NewRule { tool: Tool::SkillScript, ..rule(Permission::Allow, "pdf") };
    test.workspace
        .apply(&test.workspace.plan(&view, &ChangeRequest::Permit(whole), None).unwrap())
        .unwrap();
    let after = test.read(CONFIG);
    assert!(after.contains(fill) && after.matches("skill_script").count() == 2, "{after}");
    // A new rule is read back as the same rule.
    let request = ChangeRequest::SetRules(vec![(Layer::Project, rules)]);
    let refused = test.workspace.plan(&view, &request, None);
    assert!(refused.is_ok(), "{refused:?}");
}

#[test]
fn a_new_rule_of_the_rules_screen_is_bound_to_the_files_as_they_are_when_it_is_saved() {
    let mut test = test();
    test.write(CONFIG, "version = 1\n[permissions]\ndefault = \"ask\"\n");
    let view = test.view();
    let skill = Arc::clone(&view.rows.entries().find(|e| e.skill.name == "pdf").unwrap().skill);
    let bound = Some(crate::policy::Bound { path: skill.path.clone(), digest: None });
    let rules = vec![NewRule { bound, ..rule(Permission::Allow, "pdf") }];
    let request = ChangeRequest::SetRules(vec![(Layer::User, rules)]);
    let plan = test.workspace.plan(&view, &request, None).unwrap();
    assert_eq!(plan.effects[0].after.model.value, Permission::Allow);
    test.workspace.apply(&plan).unwrap();
    let written = test.read(CONFIG);
    assert!(written.contains("digest = \"sha256:"), "{written}");
    // As they are saved again, the rules stay: also one that an earlier version wrote.
    let earlier = written.lines().filter(|line| !line.starts_with("digest")).collect::<Vec<_>>();
    for text in [written.clone(), earlier.join("\n") + "\n"] {
        test.write(CONFIG, &text);
        test.workspace = test.workspace.reread();
        let view = test.view();
        let mut rules: Vec<NewRule> = view.policy.rules.iter().map(NewRule::of).collect();
        rules.push(rule(Permission::Deny, "zip"));
        let request = ChangeRequest::SetRules(vec![(Layer::User, rules)]);
        let plan = test.workspace.plan(&view, &request, None).unwrap();
        assert!(String::from_utf8_lossy(&plan.files[0].change.after).starts_with(&text));
    }
}

#[test]
fn saved_rules_leave_what_another_program_wrote_since_they_were_shown() {
    for (host, file, theirs, mine) in [
        (
            &crate::hosts::AGENTS,
            CONFIG,
            "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
            "permissions.ask",
        ),
        (
            &crate::hosts::OPENCODE,
            "home/.config/opencode/opencode.json",
            "{\n  \"permission\": { \"skill\": { \"pdf\": \"deny\" } }\n}\n",
            "\"zip\": \"ask\"",
        ),
    ] {
        let mut test = test().through(host, &[], "repo");
        let shown = test.view();
        test.write(file, theirs);
        let kept = theirs.split(" } }").next().unwrap();
        let request =
            ChangeRequest::SetRules(vec![(Layer::User, vec![rule(Permission::Ask, "zip")])]);
        let plan = test.workspace.plan(&shown, &request, None).unwrap();
        let after = String::from_utf8(plan.files[0].change.after.clone()).unwrap();
        assert!(after.starts_with(kept) && after.contains(mine), "{after}");
        // What is removed here goes, though there is more by now.
        test.write(file, &after);
        test.workspace = test.workspace.reread();
        let shown = test.view();
        let more = after.replacen("zip", "more", 1);
        test.write(file, &more);
        let request = ChangeRequest::SetRules(vec![(Layer::User, Vec::new())]);
        let plan = test.workspace.plan(&shown, &request, None).unwrap();
        let after = String::from_utf8(plan.files[0].change.after.clone()).unwrap();
        assert!(after.contains("more") && !after.contains("pdf"), "{after}");
    }
}

#[test]
fn of_one_name_a_skill_that_is_not_taken_stands_against_no_rule() {
    for (host, taken, other, field) in [
        (&crate::hosts::AMP, "repo/.agents/skills/pdf", "repo/.agents/skills/x", "isolatedContext"),
        (
            &crate::hosts::CLAUDE,
            "home/.claude/skills/pdf",
            "repo/.claude/skills/pdf",
            "disable-model-invocation",
        ),
    ] {
        let mut test = TestWorkspace::with(&[(taken, "pdf")]);
        let head = |name: &str| format!("name: {name}\ndescription: d\n{field}: true");
        test.env.raw_skill(other, &head("pdf"), "");
        test.env.raw_skill(&other.replace("pdf", "x").replace("/x", "/alone"), &head("alone"), "");
        test = test.through(host, &[], "repo");
        for effect in [Permission::Deny, Permission::Allow] {
            let request = ChangeRequest::Permit(rule(effect, "pdf"));
            let plan = test.workspace.plan(&test.view(), &request, None).unwrap();
            assert_eq!(plan.effects.len(), 1, "{}", host.name);
            test.workspace.apply(&plan).unwrap();
            test.workspace = test.workspace.reread();
        }
        let alone = ChangeRequest::Permit(rule(Permission::Allow, "alone"));
        let error = test.workspace.plan(&test.view(), &alone, None).unwrap_err();
        assert!(error.to_string().contains("it stays as it is because of"), "{error}");
    }
}
