use crate::catalog::Enablement::{Off, On};
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::hosts::AGENTS;
use crate::hosts::test_support::{Project, User, judged, permit, set_rules, switch, test};
use crate::policy::{Bound, Layer, Pattern, Runs, Tool};
use crate::workspace::edit::{ChangeRequest, NewRule};
use crate::workspace::fixture::TestWorkspace;
use std::path::PathBuf;

const USER: &str = "home/.config/skillpick/config.toml";
const PROJECT: &str = "repo/.skillpick.toml";
const PDF: &str = "skills/pdf";

/// A person's skill `pdf` with this text in their settings, and a second skill of that name unless
/// it is `alone`.
fn settings(text: &str, alone: bool) -> TestWorkspace {
    let namesake = (!alone).then_some("repo/.agents/skills/nested/pdf");
    let skills: Vec<&str> = ["home/.agents/skills/pdf"].into_iter().chain(namesake).collect();
    let mut test = test(&AGENTS, &skills);
    test.write(USER, &format!("version = 1\n{}", at(&test, text)));
    test
}

/// A text in which `PDF` stands for the path of the skill.
fn at(test: &TestWorkspace, text: &str) -> String {
    text.replace("PDF", &test.text("home/.agents/skills/pdf/SKILL.md"))
}

/// The person's settings below the version, with `PDF` for the path.
fn written(test: &TestWorkspace) -> String {
    let text = test.read(USER).replace(&test.text("home/.agents/skills/pdf/SKILL.md"), "PDF");
    text.strip_prefix("version = 1\n").unwrap_or_else(|| panic!("{text}")).trim().to_owned()
}

fn off(target: &str) -> String {
    format!("[[skills.config]]\n{target}\nenabled = false\n")
}

fn on(target: &str) -> String {
    format!("[[skills.config]]\n{target}\nenabled = true\n")
}

const NAME: &str = "name = \"pdf\"";
const PATH: &str = "path = \"PDF\"";

#[test]
fn cod_14_a_switch_is_turned_by_the_smallest_change() {
    let listed = |names: &str| format!("skills.allowed = [{names}]\n");
    for (before, alone, to, after) in [
        (String::new(), true, On, String::new()),
        (String::new(), true, Off, off(PATH)),
        (off(PATH), true, Off, off(PATH)),
        (off(PATH), true, On, String::new()),
        (off(PATH) + "\n" + &off(PATH), true, On, String::new()),
        (off(NAME), true, On, String::new()),
        (off(NAME), false, On, off(NAME) + "\n" + &on(PATH)),
        (off(NAME) + "\n" + &off(PATH), true, On, String::new()),
        (off(NAME) + "\n" + &off(PATH), false, On, off(NAME) + "\n" + &on(PATH)),
        (off(NAME) + "\n" + &on(PATH), true, Off, off(NAME)),
        (on(PATH), true, Off, off(PATH)),
        (on(NAME), true, Off, on(NAME) + "\n" + &off(PATH)),
        (listed("\"docx\""), true, On, listed("\"docx\", \"pdf\"")),
    ] {
        let mut test = settings(&before, alone);
        switch(&mut test, PDF, to, User).unwrap();
        assert_eq!(written(&test), after.trim(), "{before} {alone} {to:?}");
    }
}

#[test]
fn a_switch_with_a_comment_is_turned_where_it_stands() {
    for text in [
        "# until Anna has looked\n[[skills.config]]\n# 4711\nname = \"pdf\" # all\nenabled = false\n",
        "# until Anna has looked\n[[skills.config]]\npath = \"PDF\"\nenabled = false\n",
        "[[skills.config]]\npath = \"PDF\"\nenabled = false # ask Anna\n",
        "skills.config = [\n  { name = \"pdf\", enabled = false }, # ask Anna\n]\n",
    ] {
        let mut test = settings(text, true);
        switch(&mut test, PDF, On, User).unwrap();
        assert_eq!(written(&test), text.trim().replace("false", "true"));
        switch(&mut test, PDF, Off, User).unwrap();
        assert_eq!(written(&test), text.trim());
        test.workspace.undo().unwrap();
        assert_eq!(written(&test), text.trim().replace("false", "true"));
    }
    let two = off(PATH) + "\n" + &off(PATH);
    let mut test = settings(&two.replacen("false", "false # a", 1), true);
    switch(&mut test, PDF, On, User).unwrap();
    assert_eq!(written(&test), on(PATH).trim().to_owned() + " # a", "the bare one goes");
}

#[test]
fn a_rule_that_goes_leaves_its_comments() {
    let text = "# Anna\n[[permissions.ask]] # first\ntool = \"skill_load\"\n# 4711\nskill_name = \"pdf\" # one\n";
    let mut test = settings(text, true);
    let before = test.read(USER);
    permit(&mut test, Allow, "pdf", User).unwrap();
    assert_eq!(written(&test), "# Anna\n# first\n# 4711\n# one");
    test.workspace.undo().unwrap();
    assert_eq!(test.read(USER), before);
}

#[test]
fn cod_14_a_denied_skill_is_turned_off_and_on_again() {
    let denied = rule(Deny, "pdf");
    let mut test = settings(&denied, true);
    switch(&mut test, PDF, Off, User).unwrap();
    assert_eq!(written(&test), format!("{denied}\n{}", off(PATH)).trim());
    switch(&mut test, PDF, On, User).unwrap();
    assert_eq!(written(&test), denied.trim());
}

#[test]
fn a_namesake_keeps_its_state() {
    let mut test = settings(&off(NAME), false);
    switch(&mut test, PDF, On, User).unwrap();
    assert_eq!(judged(&test, "nested/pdf").0, "no deny no");
}

#[test]
fn a_refusal_names_the_file_and_line_that_stand_in_the_way() {
    let refused = |test: &mut TestWorkspace, layer| switch(test, PDF, On, layer).unwrap_err();
    let mut test = settings("", true);
    test.write(PROJECT, &format!("version = 1\n\n{}", off(NAME)));
    let why = refused(&mut test, User);
    assert!(why.contains(&format!("{PROJECT}:3")) && why.contains("name \"pdf\""), "{why}");
    switch(&mut test, PDF, On, Project).unwrap();

    let mut test = settings(&off(PATH), true);
    let why = refused(&mut test, Project);
    assert!(why.contains(&format!("{USER}:2")), "a project cannot undo the person's off: {why}");

    let deny = "permissions.deny = [{ tool = \"skill_load\", skill_name = \"p*\" }]\n";
    let why = refused(&mut settings(deny, true), User);
    assert!(why.contains("permissions.deny \"p*\""), "{why}");
}

#[test]
fn a_broken_file_and_a_missing_place_are_refused() {
    let mut test = settings("x = 1\n", true);
    let why = switch(&mut test, PDF, Off, User).unwrap_err();
    assert!(why.contains("until line 2 is mended: ") && why.contains(USER), "{why}");
    let mut nowhere = settings("", true).through(&AGENTS, &[], "home");
    let why = switch(&mut nowhere, PDF, Off, Project).unwrap_err();
    assert!(why.contains("no repository"), "{why}");
}

#[test]
fn a_committed_switch_names_a_skill_of_the_repository_by_its_place_there() {
    let mut test = test(&AGENTS, &["repo/.agents/skills/zip", "home/.agents/skills/pdf"]);
    let version = "version = 1\n";
    let place = off("path = \".agents/skills/zip/SKILL.md\"");
    let whole = off(&format!("path = \"{}\"", test.text("repo/.agents/skills/zip/SKILL.md")));
    switch(&mut test, "skills/zip", Off, Project).unwrap();
    assert_eq!(test.read(PROJECT), format!("{version}\n{place}"));
    for text in [place, whole] {
        test.write(PROJECT, &format!("{version}\n{text}"));
        assert_eq!(switch(&mut test, "skills/zip", Off, Project), Ok(0), "{text}");
        switch(&mut test, "skills/zip", On, Project).unwrap();
        assert_eq!(test.read(PROJECT).trim(), version.trim(), "{text}");
        test.workspace.undo().unwrap();
        assert_eq!(test.read(PROJECT), format!("{version}\n{text}"));
    }
    test.write(PROJECT, version);
    switch(&mut test, PDF, Off, Project).unwrap();
    assert_eq!(at(&test, &off(PATH)).trim(), test.read(PROJECT)[version.len()..].trim());
    // There is no such place that the person's own file could begin from.
    switch(&mut test, "skills/zip", Off, User).unwrap();
    assert!(test.read(USER).contains(&test.text("repo/.agents/skills/zip/SKILL.md")));
}

fn rule(effect: Permission, name: &str) -> String {
    let effect = effect.word();
    format!("[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
}

#[test]
fn cod_8_1c_a_permission_is_remembered_by_name() {
    for (before, new, after) in [
        (String::new(), (Deny, "pdf"), rule(Deny, "pdf")),
        (String::new(), (Allow, "pdf"), String::new()),
        (rule(Ask, "docx") + "\n" + &rule(Ask, "pdf"), (Allow, "pdf"), rule(Ask, "docx")),
        (rule(Ask, "pdf"), (Deny, "pdf"), rule(Deny, "pdf")),
        (rule(Deny, "pdf*"), (Deny, "pdf"), rule(Deny, "pdf*")),
        (rule(Deny, "pdf-x"), (Ask, "pdf-*"), rule(Deny, "pdf-x") + "\n" + &rule(Ask, "pdf-*")),
    ] {
        let mut test = settings(&before, true);
        permit(&mut test, new.0, new.1, User).unwrap();
        assert_eq!(written(&test), after.trim(), "{before} {new:?}");
    }
    let mut test = settings(&rule(Ask, "*"), true);
    for layer in [User, Project] {
        let why = permit(&mut test, Allow, "pdf", layer).unwrap_err();
        assert!(why.contains("permissions.ask"), "{why}");
    }
}

/// Makes a rule about the skill `pdf` that may be bound to it.
fn bind(
    test: &mut TestWorkspace,
    effect: Permission,
    tool: Tool,
    bound: Option<Option<&str>>,
) -> String {
    let bound = bound.map(|digest| Bound {
        path: PathBuf::from(test.text("home/.agents/skills/pdf/SKILL.md")),
        digest: digest.map(|sum| sum.repeat(64)),
    });
    let pattern = Pattern::read("pdf").unwrap();
    let rule = NewRule { effect, tool, pattern, runs: Runs::ANY, bound };
    let plan =
        test.workspace.plan(&test.view(), &ChangeRequest::Permit(rule), Some(Layer::User)).unwrap();
    test.workspace.apply(&plan).unwrap();
    test.workspace = test.workspace.reread();
    written(test)
}

#[test]
fn a_bound_rule_is_written_once_and_gives_way_to_what_is_said_by_name() {
    let default = "permissions.default = \"ask\"\n";
    let mut test = settings(default, true);
    let load = (Allow, Tool::SkillLoad, Some(None));
    let mut make = |(effect, tool, bound): (Permission, Tool, Option<Option<&str>>)| {
        bind(&mut test, effect, tool, bound)
    };
    let one = make(load);
    assert!(one.contains("skill_name = \"pdf\", path = \"PDF\""), "{one}");
    assert_eq!(make(load), one, "it is there");
    // A rule for changed files replaces the old one.
    let first = make((Allow, Tool::SkillScript, Some(Some("a"))));
    let loading = one.trim_end_matches(" }]");
    assert!(first.starts_with(loading) && first.contains(&"a".repeat(64)), "{first}");
    let second = make((Allow, Tool::SkillScript, Some(Some("b"))));
    assert_eq!(second, first.replace(&"a".repeat(64), &"b".repeat(64)));
    // A person who wants to be asked is asked about this skill as well.
    let asked = make((Ask, Tool::SkillLoad, None));
    assert!(!asked.contains("skill_load") && asked.contains("skill_script"), "{asked}");
}

#[test]
fn rules_are_set_by_difference() {
    let before = [rule(Deny, "a"), rule(Deny, "b"), rule(Ask, "c")].join("\n");
    let mut test = settings(&before, true);
    set_rules(&mut test, &[(Deny, "b"), (Allow, "a")], User).unwrap();
    assert_eq!(written(&test), [rule(Deny, "b"), rule(Allow, "a")].join("\n").trim());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(150))]
    /// Whatever the two files contain, a plan makes the requested change and then needs nothing
    /// more, or it is refused.
    #[test]
    fn a_plan_makes_the_change_or_is_refused(
        entries in proptest::collection::vec((0_usize..2, 0_usize..2, proptest::bool::ANY), 0..5),
        to in proptest::bool::ANY, alone in proptest::bool::ANY, in_project in proptest::bool::ANY,
    ) {
        let mut text = [String::new(), String::new()];
        for (file, target, enabled) in entries {
            let target = [NAME, PATH][target];
            text[file] += &if enabled { on(target) } else { off(target) };
        }
        let mut test = settings(&text[0], alone);
        let project = format!("version = 1\n{}", at(&test, &text[1]));
        test.write(PROJECT, &project);
        let layer = if in_project { Project } else { User };
        let to = if to { On } else { Off };
        // `switch` checks that the skill is in this state afterwards.
        if switch(&mut test, PDF, to, layer).is_ok() {
            proptest::prop_assert_eq!(switch(&mut test, PDF, to, layer), Ok(0));
        } else {
            proptest::prop_assert!(to == On, "switching off is always possible");
        }
    }
}
