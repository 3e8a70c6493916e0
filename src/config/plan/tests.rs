use super::*;
use crate::config::inputs::Inputs;
use crate::config::load;
use crate::policy::Runs;
use crate::policy::fixture::{broken, skill, skill_in};
use Permission::{Allow, Ask, Deny};
use std::fs;

/// Settings with this text in the person's and in the project's file.
fn config(user: &str, project: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let (own, repository) = (folder.path().join("skillpick"), folder.path().join("repo"));
    fs::create_dir(&own).unwrap();
    fs::create_dir(&repository).unwrap();
    for (path, text) in
        [(own.join("config.toml"), user), (repository.join(".skillpick.toml"), project)]
    {
        if !text.is_empty() {
            fs::write(path, format!("version = 1\n{text}")).unwrap();
        }
    }
    let inputs = Inputs {
        config_dir: Some(folder.path().to_owned()),
        repo_root: Some(repository),
        ..Inputs::default()
    };
    load(&inputs)
}

fn off(target: &str) -> String {
    format!("[[skills.config]]\n{target}\nenabled = false\n")
}

fn on(target: &str) -> String {
    format!("[[skills.config]]\n{target}\nenabled = true\n")
}

const NAME: &str = "name = \"pdf\"";
const PATH: &str = "path = \"/skills/pdf/SKILL.md\"";

fn switch(config: &Config, layer: Layer, alone: bool, on: bool) -> Result<Vec<Change>, Refusal> {
    plan(config, layer, &Aim::Switch { skill: &skill("pdf"), alone, on })
}

fn push(enabled: bool) -> Change {
    Change::PushSwitch { target: Target::Path("/skills/pdf/SKILL.md".into()), enabled }
}

#[test]
fn cod_14_a_switch_is_turned_by_the_smallest_change() {
    let remove = |index| Change::RemoveSwitch { index };
    for (user, alone, to, expected) in [
        (String::new(), true, true, vec![]),
        (String::new(), true, false, vec![push(false)]),
        (off(PATH), true, false, vec![]),
        (off(PATH), true, true, vec![remove(0)]),
        (off(PATH) + &off(PATH), true, true, vec![remove(1), remove(0)]),
        (off(NAME), true, true, vec![remove(0)]),
        (off(NAME), false, true, vec![push(true)]),
        (off(NAME) + &off(PATH), true, true, vec![remove(1), remove(0)]),
        (off(NAME) + &off(PATH), false, true, vec![remove(1), push(true)]),
        (off(NAME) + &on(PATH), true, false, vec![remove(1)]),
        (on(PATH), true, false, vec![Change::SetSwitch { index: 0, enabled: false }]),
        (on(NAME), true, false, vec![push(false)]),
        (
            "skills.allowed = [\"docx\"]\n".into(),
            true,
            true,
            vec![Change::SetAllowed { names: vec!["docx".into(), "pdf".into()] }],
        ),
    ] {
        let before = config(&user, "");
        let changes = switch(&before, Layer::User, alone, to).unwrap();
        assert_eq!(changes, expected, "{user} {alone} {to}");
        let after = changed(&before, Layer::User, &changes);
        assert_eq!(after.policy.verdict(&skill("pdf")).enabled(), to);
    }
}

#[test]
fn cod_14_a_denied_skill_is_turned_off_and_on_again() {
    let denied = config(&written(Deny, "pdf"), "");
    let off = switch(&denied, Layer::User, true, false).unwrap();
    assert_eq!(off, [push(false)]);
    let turned = changed(&denied, Layer::User, &off);
    assert!(!turned.policy.verdict(&skill("pdf")).user.value);
    assert_eq!(
        switch(&turned, Layer::User, true, true),
        Ok(vec![Change::RemoveSwitch { index: 0 }])
    );
}

#[test]
fn a_namesake_keeps_its_state() {
    let before = config(&off(NAME), "");
    let changes = switch(&before, Layer::User, false, true).unwrap();
    let after = changed(&before, Layer::User, &changes);
    assert!(!after.policy.verdict(&skill_in("other/pdf", "pdf")).enabled());
}

#[test]
fn a_refusal_names_the_file_and_line_that_stand_in_the_way() {
    let before = config("", &format!("\n{}", off(NAME)));
    let Err(Refusal::Blocked { by, off: true }) = switch(&before, Layer::User, true, true) else {
        panic!()
    };
    assert_eq!(by.place(), Some((&*before.project.as_ref().unwrap().path, 3)));
    assert_eq!(by.text(), "skills.config name \"pdf\"");
    assert_eq!(
        switch(&before, Layer::Project, true, true),
        Ok(vec![Change::RemoveSwitch { index: 0 }])
    );

    let before = config(&off(PATH), "");
    let Err(Refusal::Blocked { by, off: true }) = switch(&before, Layer::Project, true, true)
    else {
        panic!()
    };
    assert_eq!(by.place(), Some((&*before.user.path, 2)), "a project cannot undo the person's off");

    let denied =
        config("permissions.deny = [{ tool = \"skill_load\", skill_name = \"p*\" }]\n", "");
    let Err(Refusal::Blocked { by, off: false }) = switch(&denied, Layer::User, true, true) else {
        panic!()
    };
    assert_eq!(by.text(), "permissions.deny \"p*\"");

    let all = config("skills.enabled = false\n", "");
    assert!(matches!(
        switch(&all, Layer::User, true, true),
        Err(Refusal::Blocked { off: true, .. })
    ));
    let bad = plan(
        &config("", ""),
        Layer::User,
        &Aim::Switch { skill: &broken("x"), alone: true, on: true },
    );
    assert_eq!(bad, Err(Refusal::Blocked { by: Origin::Skill("cannot be offered"), off: true }));
}

#[test]
fn a_broken_file_and_a_missing_place_are_refused() {
    let bad = config("x = 1\n", "");
    assert_eq!(
        switch(&bad, Layer::User, true, false),
        Err(Refusal::Broken {
            layer: Layer::User,
            line: 2,
            file: bad.file(Layer::User).unwrap().path.to_path_buf()
        })
    );
    let nowhere = load(&Inputs::default());
    for layer in [Layer::User, Layer::Project] {
        assert_eq!(switch(&nowhere, layer, true, false), Err(Refusal::NoPlace(layer)));
    }
}

fn rule(effect: Permission, name: &str) -> NewRule {
    NewRule {
        effect,
        tool: Tool::SkillLoad,
        pattern: Pattern::read(name).unwrap(),
        runs: Runs::ANY,
        bound: None,
    }
}

fn written(effect: Permission, name: &str) -> String {
    format!("[[permissions.{}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n", effect.word())
}

#[test]
fn cod_8_1c_a_permission_is_remembered_by_name() {
    let pushed = |effect, name| Change::PushRule(rule(effect, name));
    let remove = |effect, index| Change::RemoveRule { effect, index };
    for (user, aim, expected) in [
        (String::new(), rule(Deny, "pdf"), vec![pushed(Deny, "pdf")]),
        (String::new(), rule(Allow, "pdf"), vec![]),
        (written(Ask, "docx") + &written(Ask, "pdf"), rule(Allow, "pdf"), vec![remove(Ask, 1)]),
        (written(Ask, "pdf"), rule(Deny, "pdf"), vec![remove(Ask, 0), pushed(Deny, "pdf")]),
        (written(Deny, "pdf*"), rule(Deny, "pdf"), vec![]),
        (written(Deny, "pdf-x"), rule(Ask, "pdf-*"), vec![pushed(Ask, "pdf-*")]),
        ("permissions.default = \"ask\"\n".into(), rule(Allow, "pdf"), vec![pushed(Allow, "pdf")]),
    ] {
        let before = config(&user, "");
        let changes = plan(&before, Layer::User, &Aim::Permit(aim.clone())).unwrap();
        assert_eq!(changes, expected, "{user} {aim:?}");
    }
    let before = config(&written(Ask, "*"), "");
    for layer in [Layer::User, Layer::Project] {
        let refused = plan(&before, layer, &Aim::Permit(rule(Allow, "pdf")));
        let Err(Refusal::Blocked { by, off: false }) = refused else { panic!("{refused:?}") };
        assert_eq!(by.text(), "permissions.ask skill_load");
    }
}

#[test]
fn a_bound_rule_is_written_once_and_gives_way_to_what_is_said_by_name() {
    let bound = |digest: Option<&str>| Bound {
        path: PathBuf::from("/skills/pdf/SKILL.md"),
        digest: digest.map(|sum| sum.repeat(64)),
    };
    let load = NewRule { bound: Some(bound(None)), ..rule(Allow, "pdf") };
    let script = |sum| NewRule {
        tool: Tool::SkillScript,
        bound: Some(bound(Some(sum))),
        ..rule(Allow, "pdf")
    };
    let asks = config("permissions.default = \"ask\"\n", "");
    let made = |before: &Config, rule: &NewRule| {
        let changes = plan(before, Layer::User, &Aim::Permit(rule.clone())).unwrap();
        (changed(before, Layer::User, &changes), changes)
    };
    let (one, changes) = made(&asks, &load);
    assert_eq!(changes, [Change::PushRule(load.clone())]);
    assert_eq!(made(&one, &load).1, [], "it is there");
    // A rule by name is no rule for what a repository brings.
    let (named, _) = made(&asks, &rule(Allow, "pdf"));
    assert_eq!(made(&named, &load).1, [Change::PushRule(load.clone())]);
    // Files that have changed are another rule, which takes the old one's place.
    let (one_script, _) = made(&one, &script("a"));
    let (_, changes) = made(&one_script, &script("b"));
    let gone = Change::RemoveRule { effect: Allow, index: 1 };
    assert_eq!(changes, [gone, Change::PushRule(script("b"))]);
    // Whoever wants to be asked is, about this one as well.
    let (asked, changes) = made(&one, &rule(Ask, "pdf"));
    assert_eq!(changes, [Change::RemoveRule { effect: Allow, index: 0 }]);
    assert_eq!(load.weighed(&asked.policy).value, Ask);
    let (denied, _) = made(&one, &rule(Deny, "pdf"));
    assert_eq!(load.weighed(&denied.policy).value, Deny);
}

#[test]
fn rules_are_set_by_difference() {
    let before = config(&(written(Deny, "a") + &written(Deny, "b") + &written(Ask, "c")), "");
    let wanted = vec![rule(Deny, "b"), rule(Allow, "a")];
    let changes = plan(&before, Layer::User, &Aim::SetRules(wanted)).unwrap();
    assert_eq!(changes.len(), 3);
    let after = changed(&before, Layer::User, &changes);
    let left: Vec<_> =
        after.user.rules.iter().map(|rule| (rule.effect, rule.pattern.clone().unwrap())).collect();
    assert_eq!(left, [(Deny, Pattern::Exact("b".into())), (Allow, Pattern::Exact("a".into()))]);
    assert_eq!(
        plan(&after, Layer::User, &Aim::RemoveRule { effect: Deny, index: 1 }),
        Err(Refusal::NoSuchRule)
    );
    let gone = plan(&after, Layer::User, &Aim::RemoveRule { effect: Deny, index: 0 }).unwrap();
    assert_eq!(changed(&after, Layer::User, &gone).user.rules.len(), 1);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(150))]
    /// Whatever stands in the two files, a plan reaches its aim and then needs nothing more, or is
    /// refused.
    #[test]
    fn a_plan_reaches_its_aim_or_is_refused(
        entries in proptest::collection::vec((0_usize..2, 0_usize..2, proptest::bool::ANY), 0..5),
        to in proptest::bool::ANY, alone in proptest::bool::ANY, in_project in proptest::bool::ANY,
    ) {
        let mut text = [String::new(), String::new()];
        for (file, target, enabled) in entries {
            let target = [NAME, PATH][target];
            text[file] += &if enabled { on(target) } else { off(target) };
        }
        let before = config(&text[0], &text[1]);
        let layer = if in_project { Layer::Project } else { Layer::User };
        if let Ok(changes) = switch(&before, layer, alone, to) {
            let after = changed(&before, layer, &changes);
            proptest::prop_assert_eq!(after.policy.verdict(&skill("pdf")).enabled(), to);
            proptest::prop_assert_eq!(switch(&after, layer, alone, to), Ok(Vec::new()));
        } else {
            proptest::prop_assert!(to, "switching off is always possible");
        }
    }
}
