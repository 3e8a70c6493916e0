use super::*;
use crate::catalog::Permission;
use crate::config::Refusal;
use crate::policy::{Pattern, Runs};
use crate::workspace::fixture::House;

const CONFIG: &str = "home/.config/skillpick/config.toml";
const PROJECT: &str = "repo/.skillpick.toml";

fn house() -> House {
    House::with(&[("repo/.agents/skills/pdf", "pdf"), ("home/.agents/skills/zip", "zip")])
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

fn switch(entries: &[usize], on: bool) -> ChangeRequest {
    ChangeRequest::Switch { entries: entries.to_vec(), to: on.into() }
}

#[test]
fn a_plan_says_what_it_changes_and_writes_nothing() {
    let house = house();
    let view = house.view();
    let plan = house.workspace.plan(&view, &switch(&[0], false), None).unwrap();
    assert_eq!((plan.label.as_str(), plan.files.len(), plan.ask), ("pdf off", 1, false));
    let PlannedEffect { skill, before, after, .. } = &plan.effects[0];
    assert_eq!((skill.name.as_str(), before.enabled(), after.enabled()), ("pdf", true, false));
    assert_eq!(place(&plan).map(|(_, line)| line), Some(3));
    assert!(!house.top.join(CONFIG).exists());
    assert!(
        house.workspace.plan(&view, &switch(&[0], true), None).unwrap().files.is_empty(),
        "it is on already"
    );
}

#[test]
fn where_a_switch_only_goes_no_line_is_named() {
    let mut house = house();
    let asked =
        "version = 1\n[permissions]\nask = [{ tool = \"skill_load\", skill_name = \"pdf\" }]\n\n";
    house.write(CONFIG, &format!("{asked}[[skills.config]]\nname = \"pdf\"\nenabled = false\n"));
    let view = house.view();
    let plan = house.workspace.plan(&view, &switch(&[0], true), None).unwrap();
    assert_eq!((plan.files[0].mark(), plan.files[0].line), (None, 3), "{:?}", plan.files[0].diff());
    house.write(CONFIG, asked);
    let plan = house.workspace.plan(&house.view(), &switch(&[0], false), None).unwrap();
    assert_eq!(plan.files[0].mark(), Some(5), "the switch, not the rule that asks");
}

#[cfg(unix)]
#[test]
fn a_state_directory_that_takes_nothing_is_named() {
    let house = house();
    let state = house.top.join("home/no-state");
    std::fs::write(&state, "not a directory").unwrap();
    let workspace = Workspace { state_dir: Some(state.clone()), ..house.workspace.clone() };
    let plan = workspace.plan(&house.view(), &switch(&[0], false), None).unwrap();
    let error = workspace.apply(&plan).unwrap_err();
    assert!(error.to_string().contains(&format!("written: {}", state.display())), "{error}");
    assert!(!house.top.join(CONFIG).exists());
}

#[test]
fn cod_14_apply_and_undo_there_and_back() {
    let mut house = house();
    let before = "# mine\nversion = 1 # one\n\n[skills]\nallowed = [] # all\n";
    house.write(CONFIG, before);
    let view = house.view();
    let plan = house.workspace.plan(&view, &switch(&[0, 1], false), None).unwrap();
    house.workspace.apply(&plan).unwrap();
    let off = house.workspace.reread().rejudge(&view);
    assert!(off.rows.entries().all(|entry| !entry.verdict.enabled()));
    assert!(house.read(CONFIG).starts_with(before.trim_end()));
    let undone = house.workspace.undo().unwrap();
    assert_eq!(
        (undone.change.label.as_str(), house.read(CONFIG).as_str()),
        ("pdf, zip off", before)
    );
    assert!(matches!(house.workspace.undo(), Err(UndoError::Nothing)));
}

#[test]
fn what_another_program_wrote_meanwhile_is_not_lost() {
    let mut house = house();
    let view = house.view();
    let plan = house.workspace.plan(&view, &switch(&[0], false), None).unwrap();
    house.write(CONFIG, "version = 1\ntheme = \"dark\"\n");
    assert!(matches!(house.workspace.apply(&plan), Err(ChangeError::Write { .. })));
    assert_eq!(house.read(CONFIG), "version = 1\ntheme = \"dark\"\n");
    assert!(
        matches!(house.workspace.undo(), Err(UndoError::Nothing)),
        "what was not written is not taken back"
    );
}

#[test]
fn who_stands_in_the_way_is_named() {
    let mut house = house();
    house.write(CONFIG, "version = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
    let view = house.view();
    let error = house.workspace.plan(&view, &switch(&[0], true), Some(Layer::Project)).unwrap_err();
    assert!(error.to_string().contains("config.toml:2"), "{error}");
    let loosen = ChangeRequest::Permit(rule(Permission::Allow, "zip"));
    house.write(CONFIG, "version = 1\n[permissions]\ndefault = \"deny\"\n");
    assert!(matches!(
        house.workspace.plan(&view, &loosen, Some(Layer::Project)),
        Err(ChangeError::Refused { refusal: Refusal::Blocked { .. }, .. })
    ));
    let plan = house.workspace.plan(&view, &loosen, None).unwrap();
    assert_eq!((plan.label.as_str(), plan.files[0].layer), ("allow zip", Layer::User));
    assert!(!house.top.join(PROJECT).exists());
}

#[test]
fn a_repositorys_file_and_rule_sets_are_asked_about() {
    let house = house();
    let view = house.view();
    let plan = house.workspace.plan(&view, &switch(&[0], false), Some(Layer::Project)).unwrap();
    assert!(plan.ask && plan.files[0].change.path.ends_with(PROJECT));
    let rules = ChangeRequest::SetRules(vec![
        (Layer::User, vec![rule(Permission::Ask, "p*")]),
        (Layer::Project, vec![rule(Permission::Deny, "zip")]),
    ]);
    let plan = house.workspace.plan(&view, &rules, None).unwrap();
    assert_eq!((plan.ask, plan.files.len(), plan.effects.len()), (true, 2, 2));
    house.workspace.apply(&plan).unwrap();
    house.workspace.undo().unwrap();
    assert!(
        !house.top.join(CONFIG).exists() && !house.top.join(PROJECT).exists(),
        "all or nothing, both ways"
    );
}

#[test]
fn a_broken_file_is_not_edited_and_its_line_is_named() {
    let mut house = house();
    house.write(CONFIG, "version = 1\n\nnonsense\n");
    let view = house.view();
    let error = house.workspace.plan(&view, &switch(&[0], false), None).unwrap_err();
    assert!(error.to_string().contains("line 3"), "{error}");
    assert_eq!(house.read(CONFIG), "version = 1\n\nnonsense\n");
}

#[test]
fn without_a_state_directory_nothing_is_written() {
    let house = house();
    let workspace = Workspace { state_dir: None, ..house.workspace.clone() };
    let plan = workspace.plan(&house.view(), &switch(&[0], false), None).unwrap();
    assert!(matches!(workspace.apply(&plan), Err(ChangeError::NoState)));
    assert!(!house.top.join(CONFIG).exists());
}

#[test]
fn picks_are_remembered_and_weigh_in() {
    let house = house();
    let view = house.view();
    assert!(view.rows.iter().all(|row| row.frecency == 0));
    house.workspace.remember(&view, &[1]);
    let weights: Vec<u32> = house.view().rows.iter().map(|row| row.frecency).collect();
    assert!(weights[0] == 0 && weights[1] > 900_000, "{weights:?}");
}

#[test]
fn changes_at_the_same_moment_are_all_made() {
    let mut house = house();
    house.write(CONFIG, "version = 1\n");
    let view = house.view();
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (workspace, view) = (house.workspace.clone(), &view);
            let request = ChangeRequest::Permit(rule(Permission::Deny, &format!("name-{number}")));
            scope.spawn(move || workspace.make(view, &request, None).unwrap());
        }
    });
    assert_eq!(house.read(CONFIG).matches("name-").count(), 3);
}

#[test]
fn a_change_meanwhile_is_kept_and_ours_is_made() {
    let mut house = house();
    house.write(CONFIG, "version = 1\n");
    let stale = house.workspace.reread();
    let view = house.view();
    house.write(CONFIG, "version = 1 # theirs\n");
    let plan = stale.make(&view, &switch(&[0], false), None).unwrap();
    assert_eq!(plan.files.len(), 1);
    let text = house.read(CONFIG);
    assert!(
        text.starts_with("version = 1 # theirs\n") && text.contains("enabled = false"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn every_host_is_told_the_name_by_which_it_knows_the_skill() {
    let house =
        House::with(&[("home/.agents/skills/foo", "foo"), ("home/.claude/skills/other", "other")]);
    std::fs::create_dir_all(house.top.join("home/.codex")).unwrap();
    std::os::unix::fs::symlink(
        "../../.agents/skills/foo",
        house.top.join("home/.claude/skills/bar"),
    )
    .unwrap();
    let mut house = house.through(&crate::hosts::EVERY, &[], "repo");
    let view = house.view();
    let foo = view.rows.entries().position(|entry| entry.skill.name == "foo").unwrap();
    house
        .workspace
        .apply(&house.workspace.plan(&view, &switch(&[foo], false), None).unwrap())
        .unwrap();
    let text = house.read("repo/.claude/settings.local.json");
    assert!(text.contains("\"bar\": \"off\""), "Claude Code goes by the folder: {text}");
    house.workspace = house.workspace.reread();
    let view = house.view();
    let entry = &view.rows[foo].entry;
    assert_eq!((entry.state, entry.mixed), (crate::catalog::Enablement::Off, false));
    let view = house.workspace.through(&crate::hosts::CODEX).view();
    let host_statuses = house.workspace.through(&crate::hosts::CODEX).reports(&view);
    let claude = host_statuses.iter().find(|report| report.host.word() == "claude").unwrap();
    let status = claude.status(0, &view.rows[0].entry.skill);
    assert!(status.verdict().is_some_and(|verdict| !verdict.user.value), "{status:?}");
}

#[test]
fn a_new_rule_goes_to_the_file_that_the_host_would_write() {
    let files = |host: &'static crate::hosts::Host| {
        let house = House::with(&[]).through(host, &[], "repo");
        let below =
            |path: &Path| path.strip_prefix(&house.top).unwrap().to_str().unwrap().to_owned();
        let files = house.view().rule_files();
        files
            .iter()
            .map(|(layer, file)| format!("{} {}", layer.word(), below(file)))
            .collect::<Vec<_>>()
    };
    assert_eq!(files(&crate::hosts::GEMINI), ["user home/.gemini/policies/skills.toml"]);
    let opencode = ["project repo/opencode.json", "user home/.config/opencode/opencode.json"];
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
    let house =
        House::with(&[("repo/.agents/skills/pdf", "pdf"), ("repo/.claude/skills/mine", "mine")]);
    std::fs::create_dir_all(house.top.join("home/.claude")).unwrap();
    let house = house.through(&crate::hosts::EVERY, &[], "repo");
    let plan = |pattern: &str| {
        let request = ChangeRequest::Permit(rule(Permission::Deny, pattern));
        let plan = house.workspace.plan(&house.view(), &request, None).unwrap();
        plan.files.iter().map(|file| file.host.word()).collect::<Vec<_>>()
    };
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
    let mut house = house();
    let fill = "# keep\n[[permissions.allow]]\ntool   = \"skill_script\" # this\nskill_name = \"pdf\"\n\
                script = './scripts//fill.py'\nargs = [ \"--dry-run\",\n  \"x\" ]\n";
    let before = format!(
        "version = 1\n\n{fill}\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"zip\"\n"
    );
    house.write(CONFIG, &before);
    let view = house.view();
    // As the rules screen hands them over: those that stand there, one gone, one more.
    let all = view.policy.rules.iter().map(|rule| NewRule {
        effect: rule.effect,
        tool: rule.tool,
        pattern: rule.pattern.clone(),
        runs: rule.runs.clone(),
        bound: rule.bound.clone(),
    });
    let mut rules: Vec<NewRule> = all.filter(|rule| rule.effect != Permission::Ask).collect();
    rules.push(rule(Permission::Deny, "zip"));
    let request = ChangeRequest::SetRules(vec![(Layer::User, rules.clone())]);
    house.workspace.apply(&house.workspace.plan(&view, &request, None).unwrap()).unwrap();
    let after = house.read(CONFIG);
    assert!(
        after.contains(fill)
            && !after.contains("permissions.ask")
            && after.contains("permissions.deny"),
        "{after}"
    );
    // One rule about all scripts is another than one about some, and they do not take each other's
    // place.
    house.workspace = house.workspace.reread();
    let view = house.view();
    let whole = NewRule { tool: Tool::SkillScript, ..rule(Permission::Allow, "pdf") };
    house
        .workspace
        .apply(&house.workspace.plan(&view, &ChangeRequest::Permit(whole), None).unwrap())
        .unwrap();
    let after = house.read(CONFIG);
    assert!(after.contains(fill) && after.matches("skill_script").count() == 2, "{after}");
    // What is pushed is read back as the same rule.
    let request = ChangeRequest::SetRules(vec![(Layer::Project, rules)]);
    let refused = house.workspace.plan(&view, &request, None);
    assert!(refused.is_ok(), "{refused:?}");
}
