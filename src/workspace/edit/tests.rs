use super::*;
use crate::catalog::{HostId, Permission};
use crate::policy::change::Refusal;
use crate::policy::{Entry, Pattern, Runs, Tool};
use crate::workspace::fixture::{TestWorkspace, switch};
use std::sync::Arc;

mod agents;
mod offered;
mod others;
mod place;
mod rules;
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

/// What a question shows of the outcome.
fn told(plan: &Plan) -> String {
    let lines = plan.told().flat_map(|outcome| outcome.lines());
    lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
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

#[test]
fn the_words_for_a_change_name_the_folder_of_a_skill_that_has_copies() {
    let places = ["repo/.agents/skills/pdf", "home/.agents/skills/pdf"];
    let test = TestWorkspace::with(&[(places[0], "pdf"), (places[1], "pdf")]);
    let view = test.view();
    for (entry, entry_row) in view.rows.iter().enumerate() {
        let plan = test.workspace.plan(&view, &switch(&view, &[entry], false), None);
        let Ok(plan) = plan else { continue };
        let at_home = entry_row.skill().path.starts_with(test.env.top.join("home"));
        let folder = if at_home { "~/.agents" } else { "./.agents" };
        assert!(plan.label.starts_with(&format!("pdf ({folder}) off")), "{}", plan.label);
    }
}
