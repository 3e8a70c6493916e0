use super::*;
use crate::catalog::Scope;
use crate::policy::fixture::{broken, origin, rule, skill, skill_in, switch};
use crate::policy::{Bound, Layer, Order, Pattern, Runs, ScriptPath, Shortfall};
use Permission::{Allow, Ask, Deny};

mod matrices;

fn agents() -> Policy {
    Policy::without_settings(Evaluation::AGENTS)
}

fn exact(name: &str) -> Pattern {
    Pattern::Exact(name.to_owned())
}

#[test]
fn rules_judge_the_entry_and_not_how_it_was_named() {
    let mut policy = agents();
    policy.rules = vec![rule(Layer::User, 3, Deny, exact("deploy"))];
    let harmless_folder = skill_in("harmless", " deploy\u{a0}");
    assert_eq!(
        policy.verdict(&harmless_folder).model.value,
        Deny,
        "the name is the frontmatter's, trimmed"
    );
    for other in ["Deploy", "d\u{435}ploy", "deploy-2", "de ploy"] {
        assert_eq!(policy.verdict(&skill(other)).model.value, Allow, "{other} is another name");
    }
}

#[test]
fn a_switch_by_path_leaves_the_namesake_alone() {
    let (one, two) = (skill_in("a/pdf", "pdf"), skill_in("b/pdf", "pdf"));
    let mut policy = agents();
    policy.switches = vec![switch(Layer::User, 1, Target::Path(one.path.clone()), false)];
    assert!(!policy.verdict(&one).enabled());
    assert!(policy.verdict(&two).enabled());
}

#[test]
fn cod_3_2_off_and_denied_are_two_things() {
    let skill = skill("pdf");
    let mut denied = agents();
    denied.rules = vec![rule(Layer::User, 3, Deny, exact("pdf"))];
    let verdict = denied.verdict(&skill);
    assert_eq!(
        (verdict.listed.value, verdict.model.value, verdict.user.value),
        (Listed::No, Deny, true)
    );
    assert_eq!(verdict.listed.origin, origin(Layer::User, 3, "deny"));
    assert_eq!(verdict.user.origin, Origin::Default);

    let mut off = agents();
    off.switches = vec![switch(Layer::User, 5, Target::Name("pdf".into()), false)];
    assert_eq!(off.verdict(&skill), Verdict::off(origin(Layer::User, 5, "skills.config")));
}

#[test]
fn cod_8_1_a_rule_may_name_one_skill() {
    let mut policy = agents();
    policy.rules = vec![rule(Layer::User, 1, Ask, exact("pdf"))];
    assert_eq!(
        policy.verdict(&skill("pdf")).model,
        Ruling::new(Ask, origin(Layer::User, 1, "ask"))
    );
    assert_eq!(policy.verdict(&skill("pdf")).listed.value, Listed::Full);
    assert_eq!(policy.verdict(&skill("docx")).model, Ruling::new(Allow, Origin::Default));
}

#[test]
fn cod_8_1b_deny_over_ask_over_allow_and_a_rule_without_a_name_is_the_whole_tool() {
    let mut policy = agents();
    policy.rules =
        vec![rule(Layer::User, 1, Allow, exact("pdf")), rule(Layer::User, 2, Ask, Pattern::Any)];
    assert_eq!(policy.verdict(&skill("pdf")).model.value, Ask);
    policy.rules.insert(0, rule(Layer::User, 3, Deny, Pattern::Prefix("pd".into())));
    assert_eq!(policy.verdict(&skill("pdf")).model.origin, origin(Layer::User, 3, "deny"));
    assert_eq!(policy.verdict(&skill("docx")).model.value, Ask);
}

#[test]
fn cod_8_1_scripts_are_asked_for_and_never_freer_than_loading() {
    let mut policy = agents();
    let script =
        |effect| Rule { tool: Tool::SkillScript, ..rule(Layer::User, 1, effect, exact("pdf")) };
    assert_eq!(policy.run(&skill("pdf"), None), Ruling::new(Ask, Origin::Default));
    policy.rules = vec![script(Allow)];
    assert_eq!(policy.run(&skill("pdf"), None).value, Allow);
    policy.rules.push(rule(Layer::User, 2, Deny, Pattern::Any));
    assert_eq!(policy.run(&skill("pdf"), None).value, Deny);
}

#[test]
fn kod_8_the_switch_of_all_turns_every_axis_off() {
    let mut policy = agents();
    policy.skills_enabled = Ruling::new(false, Origin::Session("--no-skills".into()));
    assert_eq!(policy.verdict(&skill("pdf")), Verdict::off(Origin::Session("--no-skills".into())));
}

#[test]
fn a_skill_that_cannot_be_offered_is_off_by_itself() {
    assert_eq!(agents().verdict(&broken("pdf")), Verdict::off(Origin::Skill("cannot be offered")));
}

#[test]
fn a_project_grants_itself_nothing_but_may_enable_what_was_left_open() {
    let skill = skill("pdf");
    let mut policy = agents();
    policy.rules =
        vec![rule(Layer::User, 1, Ask, Pattern::Any), rule(Layer::Project, 7, Allow, exact("pdf"))];
    assert_eq!(policy.verdict(&skill).model.origin, origin(Layer::User, 1, "ask"));
    assert!(policy.ignored(&policy.rules[1]));

    policy.switches = vec![
        switch(Layer::Project, 2, Target::Name("pdf".into()), false),
        switch(Layer::Project, 5, Target::Path(skill.path.clone()), true),
    ];
    assert_eq!(
        policy.verdict(&skill).user,
        Ruling::new(true, origin(Layer::Project, 5, "skills.config"))
    );
    policy.switches.insert(0, switch(Layer::User, 1, Target::Name("pdf".into()), false));
    assert!(!policy.verdict(&skill).enabled(), "the person's own off stands");
}

#[test]
fn a_project_default_or_ask_never_loosens_a_denying_default() {
    let mut policy = agents();
    policy.defaults.load = Ruling::new(Deny, origin(Layer::User, 1, "permissions.default"));
    policy.rules = vec![rule(Layer::Project, 7, Ask, exact("pdf"))];
    assert_eq!(policy.verdict(&skill("pdf")).model.value, Deny);
}

#[test]
fn an_alarm_denies_in_every_order() {
    let alarm =
        Origin::Alarm { file: Arc::from(Path::new("x")), line: 4, text: "permissions.deny".into() };
    for order in [Order::Strictest, Order::FirstMatch, Order::LastMatch] {
        let mut policy = Policy::without_settings(Evaluation {
            rules: order,
            layers: Layers::Pooled,
            ..Evaluation::AGENTS
        });
        let unread = Rule { origin: alarm.clone(), ..rule(Layer::User, 4, Deny, exact("pdf")) };
        let allow = || rule(Layer::User, 1, Allow, Pattern::Any);
        policy.rules = vec![allow(), unread, allow()];
        assert_eq!(
            policy.verdict(&skill("pdf")).model,
            Ruling::new(Deny, alarm.clone()),
            "{order:?}"
        );
        assert_eq!(policy.verdict(&skill("docx")).model.value, Allow, "{order:?}");
    }
}

#[test]
fn other_hosts_orders_fit_the_same_data() {
    let mut policy = Policy::without_settings(Evaluation {
        rules: Order::LastMatch,
        switches: Order::LastMatch,
        path_beats_name: false,
        layers: Layers::Pooled,
        ..Evaluation::HOST
    });
    policy.rules = vec![
        rule(Layer::User, 1, Allow, exact("pdf")),
        rule(Layer::Project, 2, Deny, Pattern::Any),
    ];
    assert_eq!(
        policy.verdict(&skill("pdf")).model.value,
        Deny,
        "opencode: a trailing star denies all"
    );
    policy.rules.reverse();
    assert_eq!(policy.verdict(&skill("pdf")).model.value, Allow);
    let path = Target::Path(skill("pdf").path);
    policy.switches = vec![
        switch(Layer::User, 1, path, true),
        switch(Layer::User, 4, Target::Name("pdf".into()), false),
    ];
    assert!(
        !policy.verdict(&skill("pdf")).enabled(),
        "Codex: the last rule wins, name or path alike"
    );
}

#[test]
fn a_pattern_that_could_mean_something_else_is_not_read() {
    use crate::policy::PatternError::{Empty, Glob, Path};
    assert_eq!(Pattern::read(" internal-* "), Ok(Pattern::Prefix("internal-".into())));
    assert_eq!(Pattern::read("*"), Ok(Pattern::Any));
    assert_eq!(Pattern::read("PDF_Old"), Ok(exact("PDF_Old")));
    for (text, error) in [
        ("", Empty),
        (" \t", Empty),
        ("*-x", Glob),
        ("a*b", Glob),
        ("a**", Glob),
        ("a?", Glob),
        ("!a", Glob),
        ("a/b", Path),
    ] {
        assert_eq!(Pattern::read(text), Err(error), "{text:?}");
    }
    assert_eq!(Rule::effect_in_part(Allow), None);
    assert_eq!((Rule::effect_in_part(Ask), Rule::effect_in_part(Deny)), (Some(Deny), Some(Deny)));
}

#[test]
fn our_runtime_asks_for_a_skill_of_a_repository_that_a_host_allows_by_name() {
    let own = skill("pdf");
    let twin = Skill { scope: Scope::Repo, ..skill("pdf") };
    let mut policy = Policy::without_settings(Evaluation::HOST);
    policy.defaults.load.value = Ask;
    policy.rules = vec![rule(Layer::User, 1, Allow, exact("pdf"))];
    let verdicts = [&own, &twin].map(|skill| policy.verdict(skill));
    assert_eq!(verdicts.each_ref().map(|verdict| verdict.model.value), [Allow, Allow]);
    assert_eq!(policy.handed(&own, &verdicts[0]).value, Allow);
    assert_eq!(policy.handed(&twin, &verdicts[1]).value, Ask);
    policy.defaults.load.value = Allow;
    assert_eq!(policy.handed(&twin, &verdicts[1]).value, Allow, "the default allows");
    assert_eq!(
        policy.shortfall(Tool::SkillLoad, &twin, None),
        Some(Shortfall::Unbound(origin(Layer::User, 1, "allow")))
    );
    assert_eq!(policy.shortfall(Tool::SkillLoad, &own, None), None);
}
