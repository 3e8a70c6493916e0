//! Changes through several agents: what each makes of them.

use super::*;

#[cfg(unix)]
#[test]
fn a_switch_in_every_host_goes_by_the_name_that_the_host_knows() {
    let test = TestWorkspace::with(&[
        ("home/.agents/skills/foo", "foo"),
        ("home/.claude/skills/other", "other"),
    ]);
    std::fs::create_dir_all(test.env.top.join("home/.codex")).unwrap();
    std::os::unix::fs::symlink(
        "../../.agents/skills/foo",
        test.env.top.join("home/.claude/skills/bar"),
    )
    .unwrap();
    let mut test = test.through(&crate::hosts::EVERY, &[], "repo");
    let view = test.view();
    let foo = view.rows.entries().position(|entry| entry.skill.name == "foo").unwrap();
    test.workspace
        .apply(&test.workspace.plan(&view, &switch(&view, &[foo], false), None).unwrap())
        .unwrap();
    let text = test.read("repo/.claude/settings.local.json");
    assert!(text.contains("\"bar\": \"off\""), "Claude Code goes by the folder: {text}");
    test.workspace = test.workspace.reread();
    let view = test.view();
    let entry = &view.rows[foo].entry;
    assert_eq!((entry.state, entry.mixed), (crate::catalog::Enablement::Off, false));
    let view = test.workspace.through(&crate::hosts::CODEX).view();
    let host_statuses = test.workspace.through(&crate::hosts::CODEX).reports(&view);
    let claude = host_statuses.iter().find(|report| report.host.word() == "claude").unwrap();
    let status = claude.status(0, &view.rows[0].entry.skill);
    assert!(status.verdict().is_some_and(|verdict| !verdict.user.value), "{status:?}");
}

#[test]
fn what_a_switch_comes_to_is_said_by_agent_and_by_copy() {
    let test = TestWorkspace::with(&[
        ("home/.agents/skills/pdf", "pdf"),
        ("repo/.claude/skills/pdf", "pdf"),
    ]);
    for folder in ["home/.claude", "home/.codex", "home/.config/opencode"] {
        std::fs::create_dir_all(test.env.top.join(folder)).unwrap();
    }
    let test = test.through(&crate::hosts::EVERY, &[], "repo");
    let view = test.view();
    let below = |path: &Path| path.starts_with(test.env.top.join("home/.agents"));
    let own = view.rows.entries().position(|entry| below(&entry.skill.path)).unwrap();
    let plan = test.workspace.plan(&view, &switch(&view, &[own], false), None).unwrap();
    let outcome = told(&plan).replace(&test.text(""), "");
    let wanted = "agents, codex: off\n\
                  claude: unchanged: it takes another copy\n  \
                  repo/.claude/skills/pdf\n\
                  opencode: user-only by opencode.json:5, and other copies with it\n  \
                  repo/.claude/skills/pdf";
    assert_eq!((outcome.as_str(), plan.ask), (wanted, true));
    let alone = test.workspace.through(&crate::hosts::CODEX);
    let view = alone.view();
    let plan = alone.plan(&view, &switch(&view, &[0], false), None).unwrap();
    assert_eq!((told(&plan).as_str(), plan.ask), ("", false), "the label says it all");
}

#[test]
fn another_copy_takes_the_place_of_one_that_is_off_in_pi() {
    let [first, second] = ["home/.pi/agent/skills/pdf", "home/.agents/skills/pdf"];
    let mut test = TestWorkspace::with(&[(first, "pdf"), (second, "pdf")]);
    test = test.through(&crate::hosts::PI, &[], "repo");
    let plan = |test: &TestWorkspace, place: &str, on: bool| {
        let view = test.view();
        let is_it = |entry: &Entry| entry.skill.path.starts_with(test.env.top.join(place));
        let entry = view.rows.entries().position(is_it).unwrap();
        test.workspace.plan(&view, &switch(&view, &[entry], on), None).unwrap()
    };
    let says = |test: &TestWorkspace, place: &str, on: bool| {
        told(&plan(test, place, on)).replace(&test.text(""), "")
    };
    let stays =
        |word: &str, place: &str| format!("pi: {word}, but another copy stays as it is\n  {place}");
    assert_eq!(says(&test, second, false), stays("off", first), "it is shadowed");
    let room = format!("pi: off, and another copy takes its place\n  {second}");
    assert_eq!(says(&test, first, false), room);
    for place in [first, second] {
        let plan = plan(&test, place, false);
        test.workspace.apply(&plan).unwrap();
        test.workspace = test.workspace.reread();
    }
    assert_eq!(says(&test, first, true), stays("on", second));
}

#[test]
fn an_agent_that_has_a_copy_in_its_own_folder_is_named_where_it_keeps_another_state() {
    let [plain, own] = ["home/.agents/skills/pdf", "home/.claude/skills/pdf"];
    let mut test = TestWorkspace::with(&[(plain, "pdf"), (own, "pdf")]);
    for folder in ["home/.codex", "home/.claude"] {
        std::fs::create_dir_all(test.env.top.join(folder)).unwrap();
    }
    test = test.through(&crate::hosts::EVERY, &[], "repo");
    let plan = |test: &TestWorkspace, place: &str, on: bool| {
        let view = test.view();
        let is_it = |entry: &Entry| entry.skill.path.starts_with(test.env.top.join(place));
        let entry = view.rows.entries().position(is_it).unwrap();
        test.workspace.plan(&view, &switch(&view, &[entry], on), None).unwrap()
    };
    let says = |plan: &Plan, test: &TestWorkspace| told(plan).replace(&test.text(""), "");
    let unchanged = format!("claude: unchanged: it takes another copy\n  {own}");
    let off = plan(&test, plain, false);
    assert_eq!(says(&off, &test), format!("agents, codex: off\n{unchanged}"));
    assert!(off.ask);
    test.workspace.apply(&off).unwrap();
    test.workspace = test.workspace.reread();
    assert_eq!(says(&plan(&test, plain, true), &test), "", "it is on there already");
    let off = plan(&test, own, false);
    assert_eq!(says(&off, &test), "", "it is off everywhere else");
    test.workspace.apply(&off).unwrap();
    test.workspace = test.workspace.reread();
    let on = plan(&test, plain, true);
    assert_eq!(says(&on, &test), format!("agents, codex: on\n{unchanged}"));
}

#[test]
fn of_several_skills_only_what_is_more_than_the_label_is_said_and_each_is_named() {
    let test = TestWorkspace::with(&[
        ("home/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/zip", "zip"),
        ("repo/.claude/skills/zip", "zip"),
    ]);
    for folder in ["home/.codex", "home/.claude", "home/.config/amp", "home/.config/opencode"] {
        std::fs::create_dir_all(test.env.top.join(folder)).unwrap();
    }
    let test = test.through(&crate::hosts::EVERY, &[], "repo");
    let view = test.view();
    let own =
        |entry: &usize| view.rows[*entry].entry.skill.path.starts_with(test.env.top.join("home"));
    let entries: Vec<usize> = (0..view.rows.len()).filter(own).collect();
    let plan = test.workspace.plan(&view, &switch(&view, &entries, false), None).unwrap();
    let wanted = "claude: zip: unchanged: it takes another copy\n  \
                  repo/.claude/skills/zip\n\
                  opencode: pdf: user-only by opencode.json:5\n\
                  opencode: zip: user-only by opencode.json:6, and other copies with it\n  \
                  repo/.claude/skills/zip\n\
                  amp: unchanged: it does not have a switch for one skill";
    assert_eq!(told(&plan).replace(&test.text(""), ""), wanted);
    let hosts = plan.outcome.iter().find(|outcome| outcome.expected).map(|outcome| &outcome.hosts);
    assert_eq!(
        hosts.unwrap().iter().map(|host| host.word()).collect::<Vec<_>>(),
        ["agents", "codex"]
    );
    assert_eq!(plan.left_out.iter().map(|host| host.word()).collect::<Vec<_>>(), ["amp"]);
}

#[test]
fn a_rule_that_some_hosts_cannot_have_is_made_for_the_others_and_they_say_why() {
    let test = TestWorkspace::with(&[
        ("home/.agents/skills/pdf", "pdf"),
        ("repo/.agents/skills/pdf", "pdf"),
        ("repo/.claude/skills/pdf", "pdf"),
    ]);
    for folder in ["home/.codex", "home/.claude", "home/.codelia"] {
        std::fs::create_dir_all(test.env.top.join(folder)).unwrap();
    }
    let test = test.through(&crate::hosts::EVERY, &[], "repo");
    let request = ChangeRequest::Permit(rule(Permission::Ask, "pdf"));
    let plan = test.workspace.plan(&test.view(), &request, None).unwrap();
    let wanted = "agents: ask, every copy of that name\n  repo/.agents/skills/pdf\n  \
                  home/.agents/skills/pdf\n\
                  codex: unchanged: it does not have permission rules for one skill\n\
                  claude: unchanged: it does not have a question about one skill: it asks about \
                  every skill (`*`) or none\n\
                  codelia: unchanged: it does not have rules with this effect";
    assert_eq!(told(&plan).replace(&test.text(""), ""), wanted);
    assert_eq!(plan.files.len(), 1);
}

#[test]
fn a_skill_that_is_on_and_denied_is_said_to_be_both() {
    let mut test = TestWorkspace::with(&[("home/.claude/skills/pdf", "pdf")]);
    test.write("home/.claude/settings.json", r#"{ "permissions": { "deny": ["Skill(pdf)"] } }"#);
    let test = test.through(&crate::hosts::CLAUDE, &[], "repo");
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], true), None).unwrap();
    assert_eq!(plan.files.len(), 0);
    assert_eq!(told(&plan), "claude: on, but the model may not load it by settings.json:1");
    assert!(!plan.outcome[0].expected);
    let off = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap();
    assert_eq!(told(&off), "");
}

#[test]
fn what_one_hosts_administrator_has_decided_does_not_stop_the_others() {
    let mut test = TestWorkspace::with(&[("home/.agents/skills/pdf", "pdf")]);
    std::fs::create_dir_all(test.env.top.join("home/.gemini")).unwrap();
    test.write("admin.json", r#"{ "skills": { "disabled": ["pdf"] } }"#);
    test.write(CONFIG, "version = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
    let admin = test.text("admin.json");
    let variables = [("GEMINI_CLI_SYSTEM_SETTINGS_PATH", admin.as_str())];
    let test = test.through(&crate::hosts::EVERY, &variables, "repo");
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], true), None).unwrap();
    assert_eq!((plan.files.len(), plan.files[0].host), (1, HostId::AGENTS));
    let told = told(&plan);
    assert!(told.contains("gemini: unchanged: it stays off because of"), "{told}");
    assert!(told.contains("admin.json:1"), "{told}");
    // Alone, it is refused.
    let test = test.through(&crate::hosts::GEMINI, &variables, "repo");
    let view = test.view();
    let refused = test.workspace.plan(&view, &switch(&view, &[0], true), None);
    assert!(refused.unwrap_err().to_string().contains("admin.json:1"));
}
