use super::*;
use crate::catalog::{HostId, Permission};
use crate::policy::change::Refusal;
use crate::policy::{Entry, Pattern, Runs, Tool};
use crate::workspace::fixture::{TestWorkspace, switch};
use std::sync::Arc;

mod offered;
mod others;
mod place;
mod unseen;
mod words;

const CONFIG: &str = "home/.config/skillpick/config.toml";
const PROJECT: &str = "repo/.skillpick.toml";

fn test() -> TestWorkspace {
    TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf"), ("home/.agents/skills/zip", "zip")])
}

fn rule(effect: Permission, pattern: &str) -> NewRule {
    NewRule {
        effect,
        tool: Tool::SkillLoad,
        pattern: Pattern::read(pattern).unwrap(),
        runs: Runs::ANY,
        bound: None,
    }
}

#[test]
fn a_plan_says_what_it_changes_and_writes_nothing() {
    let test = test();
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap();
    assert_eq!((plan.label.as_str(), plan.files.len(), plan.ask), ("pdf off", 1, false));
    let PlannedEffect { skill, before, after, .. } = &plan.effects[0];
    assert_eq!((skill.name.as_str(), before.enabled(), after.enabled()), ("pdf", true, false));
    assert_eq!(place(&plan).map(|(_, line)| line), Some(3));
    assert!(!test.env.top.join(CONFIG).exists());
    assert!(
        test.workspace.plan(&view, &switch(&view, &[0], true), None).unwrap().files.is_empty(),
        "it is on already"
    );
}

#[test]
fn where_a_switch_only_goes_no_line_is_named() {
    let mut test = test();
    let asked =
        "version = 1\n[permissions]\nask = [{ tool = \"skill_load\", skill_name = \"pdf\" }]\n\n";
    test.write(CONFIG, &format!("{asked}[[skills.config]]\nname = \"pdf\"\nenabled = false\n"));
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], true), None).unwrap();
    assert_eq!(
        (plan.files[0].mark(), plan.files[0].line),
        (None, 3),
        "{:?}",
        plan.files[0].change.diff()
    );
    test.write(CONFIG, asked);
    let plan = test.workspace.plan(&test.view(), &switch(&test.view(), &[0], false), None).unwrap();
    assert_eq!(plan.files[0].mark(), Some(5), "the switch, not the rule that asks");
}

#[cfg(unix)]
#[test]
fn a_state_directory_that_takes_nothing_is_named() {
    let test = test();
    let state = test.env.top.join("home/no-state");
    std::fs::write(&state, "not a directory").unwrap();
    let workspace = Workspace { state_dir: Some(state.clone()), ..test.workspace.clone() };
    let plan = workspace.plan(&test.view(), &switch(&test.view(), &[0], false), None).unwrap();
    let error = workspace.apply(&plan).unwrap_err();
    assert!(error.to_string().contains(&format!("written: {}", state.display())), "{error}");
    assert!(!test.env.top.join(CONFIG).exists());
}

#[test]
fn cod_14_apply_and_undo_there_and_back() {
    let mut test = test();
    let before = "# mine\nversion = 1 # one\n\n[skills]\nallowed = [] # all\n";
    test.write(CONFIG, before);
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0, 1], false), None).unwrap();
    test.workspace.apply(&plan).unwrap();
    let off = test.workspace.reread().rejudge(&view);
    assert!(off.rows.entries().all(|entry| !entry.verdict.enabled()));
    assert!(test.read(CONFIG).starts_with(before.trim_end()));
    let undone = test.workspace.undo().unwrap();
    assert_eq!(
        (undone.change.label.as_str(), test.read(CONFIG).as_str()),
        ("pdf, zip off", before)
    );
    assert!(matches!(test.workspace.undo(), Err(UndoError::Nothing)));
}

#[test]
fn what_another_program_wrote_meanwhile_is_not_lost() {
    let mut test = test();
    let view = test.view();
    let plan = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap();
    test.write(CONFIG, "version = 1\ntheme = \"dark\"\n");
    let error = test.workspace.apply(&plan).unwrap_err();
    assert!(matches!(error, ChangeError::Write { .. }));
    let said = error.to_string();
    assert!(
        said.ends_with("by another program meanwhile; no file was written: try again"),
        "{said}"
    );
    assert_eq!(test.read(CONFIG), "version = 1\ntheme = \"dark\"\n");
    assert!(
        matches!(test.workspace.undo(), Err(UndoError::Nothing)),
        "what was not written is not taken back"
    );
}

#[test]
fn a_skill_that_is_deleted_meanwhile_is_not_switched() {
    let test = test();
    let view = test.view();
    let request = switch(&view, &[0], false);
    std::fs::remove_dir_all(view.rows[0].skill().dir()).unwrap();
    assert!(matches!(test.workspace.make(&view, &request, None), Err(ChangeError::Gone)));
}

#[test]
fn who_stands_in_the_way_is_named() {
    let mut test = test();
    test.write(CONFIG, "version = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
    let view = test.view();
    let error =
        test.workspace.plan(&view, &switch(&view, &[0], true), Some(Layer::Project)).unwrap_err();
    assert!(error.to_string().contains("config.toml:2"), "{error}");
    let loosen = ChangeRequest::Permit(rule(Permission::Allow, "zip"));
    test.write(CONFIG, "version = 1\n[permissions]\ndefault = \"deny\"\n");
    assert!(matches!(
        test.workspace.plan(&view, &loosen, Some(Layer::Project)),
        Err(ChangeError::Refused { refusal: Refusal::Blocked { .. }, .. })
    ));
    let plan = test.workspace.plan(&view, &loosen, None).unwrap();
    assert_eq!((plan.label.as_str(), plan.files[0].layer), ("allow zip", Layer::User));
    assert!(!test.env.top.join(PROJECT).exists());
}

#[test]
fn a_repositorys_file_and_rule_sets_are_asked_about() {
    let test = test();
    let view = test.view();
    let plan =
        test.workspace.plan(&view, &switch(&view, &[0], false), Some(Layer::Project)).unwrap();
    assert!(plan.ask && plan.files[0].change.path.ends_with(PROJECT));
    let rules = ChangeRequest::SetRules(vec![
        (Layer::User, vec![rule(Permission::Ask, "p*")]),
        (Layer::Project, vec![rule(Permission::Deny, "zip")]),
    ]);
    let plan = test.workspace.plan(&view, &rules, None).unwrap();
    assert_eq!((plan.ask, plan.files.len(), plan.effects.len()), (true, 2, 2));
    test.workspace.apply(&plan).unwrap();
    test.workspace.undo().unwrap();
    assert!(
        !test.env.top.join(CONFIG).exists() && !test.env.top.join(PROJECT).exists(),
        "all or nothing, both ways"
    );
}

#[test]
fn a_broken_file_is_not_edited_and_its_line_is_named() {
    let mut test = test();
    test.write(CONFIG, "version = 1\n\nnonsense\n");
    let view = test.view();
    let error = test.workspace.plan(&view, &switch(&view, &[0], false), None).unwrap_err();
    assert!(error.to_string().contains("line 3"), "{error}");
    assert_eq!(test.read(CONFIG), "version = 1\n\nnonsense\n");
}

#[test]
fn without_a_state_directory_nothing_is_written() {
    let test = test();
    let workspace = Workspace { state_dir: None, ..test.workspace.clone() };
    let plan = workspace.plan(&test.view(), &switch(&test.view(), &[0], false), None).unwrap();
    assert!(matches!(workspace.apply(&plan), Err(ChangeError::NoState)));
    assert!(!test.env.top.join(CONFIG).exists());
}

#[test]
fn picks_are_remembered_and_weigh_in() {
    let test = test();
    let view = test.view();
    assert!(view.rows.iter().all(|row| row.frecency == 0));
    test.workspace.remember(&view, &[1]);
    let weights: Vec<u32> = test.view().rows.iter().map(|row| row.frecency).collect();
    assert!(weights[0] == 0 && weights[1] > 900_000, "{weights:?}");
}

#[test]
fn changes_at_the_same_moment_are_all_made() {
    let mut test = test();
    test.write(CONFIG, "version = 1\n");
    let view = test.view();
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (workspace, view) = (test.workspace.clone(), &view);
            let request = ChangeRequest::Permit(rule(Permission::Deny, &format!("name-{number}")));
            scope.spawn(move || workspace.make(view, &request, None).unwrap());
        }
    });
    assert_eq!(test.read(CONFIG).matches("name-").count(), 3);
}

#[test]
fn a_change_meanwhile_is_kept_and_ours_is_made() {
    let mut test = test();
    test.write(CONFIG, "version = 1\n");
    let stale = test.workspace.reread();
    let view = test.view();
    test.write(CONFIG, "version = 1 # theirs\n");
    let plan = stale.make(&view, &switch(&view, &[0], false), None).unwrap();
    assert_eq!(plan.files.len(), 1);
    let text = test.read(CONFIG);
    assert!(
        text.starts_with("version = 1 # theirs\n") && text.contains("enabled = false"),
        "{text}"
    );
}

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

/// What a question shows of the outcome.
fn told(plan: &Plan) -> String {
    let lines = plan.told().flat_map(|outcome| outcome.lines());
    lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
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
