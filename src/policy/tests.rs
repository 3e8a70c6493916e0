//! What the small parts say, each in every case: bindings, changes, rule forms, counts, words.

use super::change::{self, NewRule};
use super::fixture::{broken, origin, rule, skill, skill_in, switch};
use super::*;
use crate::catalog::{Check, Permission, Place, Scope, Severity, Skill, checks};
use Permission::{Allow, Ask, Deny};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn exact(name: &str) -> Pattern {
    Pattern::Exact(name.to_owned())
}

fn sum(letter: &str) -> String {
    letter.repeat(64)
}

/// A rule of the person's about scripts of `pdf`.
fn script_rule(effect: Permission) -> Rule {
    Rule { tool: Tool::SkillScript, ..rule(Layer::User, 1, effect, exact("pdf")) }
}

fn bound_to(skill: &Skill, digest: &str) -> Option<Bound> {
    Some(Bound { path: skill.path.clone(), digest: Some(sum(digest)) })
}

#[test]
fn a_shortfall_is_said_of_a_rule_that_would_allow_this_run_and_of_no_other() {
    let skill = Skill { scope: Scope::Repo, ..skill("pdf") };
    let digest = sum("a");
    let arguments = ["--dry".to_owned()];
    let run = Run { script: Some("a.sh"), names: &[], arguments: &[], digest: Some(&digest) };
    let by_name = Some(Shortfall::Unbound(origin(Layer::User, 1, "allow")));
    let changed = Some(Shortfall::Changed(origin(Layer::User, 1, "allow")));
    let of = |effect, digest| Rule { bound: bound_to(&skill, digest), ..script_rule(effect) };
    let other_runs = Runs { script: None, arguments: Some(arguments.to_vec()) };
    for (rule, of_run, wanted) in [
        (script_rule(Allow), Some(&run), by_name.clone()),
        (script_rule(Allow), None, by_name),
        (script_rule(Deny), Some(&run), None),
        (of(Allow, "b"), Some(&run), changed),
        (of(Allow, "b"), None, None),
        (of(Allow, "a"), Some(&run), None),
        (of(Ask, "b"), Some(&run), None),
        (Rule { layer: Layer::Project, ..script_rule(Allow) }, Some(&run), None),
        (Rule { layer: Layer::Managed, ..script_rule(Allow) }, Some(&run), None),
        (Rule { pattern: exact("zip"), ..script_rule(Allow) }, Some(&run), None),
        (Rule { runs: other_runs, ..script_rule(Allow) }, Some(&run), None),
    ] {
        let policy =
            Policy { rules: vec![rule.clone()], ..Policy::without_settings(Evaluation::AGENTS) };
        assert_eq!(policy.shortfall(Tool::SkillScript, &skill, of_run), wanted, "{rule:?}");
    }
}

#[test]
fn a_rule_for_one_skill_asks_for_what_took_its_place() {
    let allowed = skill("pdf");
    let digest = "a".repeat(64);
    let bound = Some(Bound { path: allowed.path.clone(), digest: Some(digest.clone()) });
    let allow = Rule { bound, ..rule(Layer::User, 1, Allow, exact("pdf")) };
    let by = allow.origin.clone();
    let mut policy = Policy { rules: vec![allow], ..Policy::without_settings(Evaluation::AGENTS) };
    policy.files.insert(allowed.path.clone(), digest);
    let moved = Skill { path: "/elsewhere/pdf/SKILL.md".into(), ..skill("pdf") };
    let renamed = Skill { name: "pdf-2".to_owned(), ..allowed.clone() };
    let seen = |policy: &Policy, skill: &Skill| {
        let asked = policy.permission(Tool::SkillLoad, skill, None).value;
        (asked, policy.shortfall(Tool::SkillLoad, skill, None))
    };
    assert_eq!(seen(&policy, &allowed), (Allow, None));
    assert_eq!(seen(&policy, &moved), (Ask, Some(Shortfall::Elsewhere(by.clone()))));
    assert_eq!(seen(&policy, &renamed), (Ask, Some(Shortfall::Changed(by))));
    assert_eq!(seen(&policy, &skill("zip")), (Allow, None));
    policy.defaults.load.value = Deny;
    assert_eq!(seen(&policy, &moved).0, Deny, "a stricter default is not loosened");
}

#[test]
fn what_keeps_a_stored_skill_ignores_case_and_what_allows_it_does_not() {
    let file = Subject::named(" FOO-bar ");
    let stored = Subject { stored: true, ..file.clone() };
    for pattern in [exact("foo-Bar"), Pattern::Prefix("Foo-".to_owned())] {
        for effect in [Allow, Ask, Deny] {
            assert_eq!(stored.is_named_by(&pattern, effect), effect != Allow, "{pattern:?}");
            assert!(!file.is_named_by(&pattern, effect), "{pattern:?}");
        }
    }
    assert!(stored.is_named_by(&exact("FOO-bar"), Allow));
    assert!(!stored.is_named_by(&exact("foo"), Deny));
}

#[test]
fn what_keeps_a_skill_covers_its_name_with_composed_and_decomposed_letters() {
    const FORMS: [&str; 2] = ["caf\u{e9}", "cafe\u{301}"];
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    for (written, named) in [(0, 1), (1, 0), (0, 0)].map(|(a, b)| (FORMS[a], FORMS[b])) {
        for pattern in [exact(written), Pattern::Prefix(written.to_owned())] {
            for effect in [Allow, Ask, Deny] {
                let covers = policy.named(named).is_named_by(&pattern, effect);
                assert_eq!(covers, effect != Allow || written == named, "{pattern:?} {effect:?}");
            }
        }
        let stored = named.to_uppercase();
        let stored = Subject { stored: true, ..policy.named(&stored) };
        assert!(stored.is_named_by(&exact(written), Deny));
        policy.switches = vec![switch(Layer::User, 1, Target::Name(written.to_owned()), false)];
        assert!(!policy.verdict(&skill(named)).enabled(), "{written} {named}");
    }
    // How another agent's program compares names is its own affair.
    let theirs = Policy::without_settings(Evaluation::HOST);
    assert!(!theirs.named(FORMS[0]).is_named_by(&exact(FORMS[1]), Deny));
    assert!(!Evaluation::HOST.is_switched_by(FORMS[0], &skill(FORMS[1])));
}

#[test]
fn a_rule_for_one_skill_has_others_of_its_name_asked_for_in_each_form() {
    let (one, twin) = (skill_in("a", "caf\u{e9}"), skill_in("b", "cafe\u{301}"));
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    let digest = Some("0".repeat(64));
    policy.files.insert(one.path.clone(), "0".repeat(64));
    let mut allow = rule(Layer::User, 1, Allow, exact(&one.name));
    allow.bound = Some(Bound { path: one.path.clone(), digest });
    policy.rules = vec![allow];
    assert_eq!(policy.verdict(&one).model.value, Allow);
    assert_eq!(policy.verdict(&twin).model.value, Ask, "the rule may have replaced a denial");
}

#[test]
fn a_shortfall_names_the_rule() {
    let by = origin(Layer::User, 1, "allow");
    let shown = |shortfall: Shortfall| shortfall.shown().to_string();
    let unbound = shown(Shortfall::Unbound(by.clone()));
    assert_eq!(
        unbound,
        format!(
            "{} is not bound to this skill's path and files, so it does not reach what a \
             repository brings",
            by.shown()
        )
    );
    let changed = shown(Shortfall::Changed(by.clone()));
    assert_eq!(
        changed,
        format!("its files have changed since they were allowed by {}", by.shown())
    );
}

#[test]
fn a_rule_is_the_same_if_all_its_parts_are() {
    let skill = skill("pdf");
    let rule = Rule { bound: bound_to(&skill, "a"), ..script_rule(Allow) };
    let new = NewRule::of(&rule);
    assert!(new.is(&rule));
    let runs = Runs { script: None, arguments: Some(Vec::new()) };
    for other in [
        Rule { tool: Tool::SkillLoad, ..rule.clone() },
        Rule { effect: Ask, ..rule.clone() },
        Rule { pattern: exact("zip"), ..rule.clone() },
        Rule { runs, ..rule.clone() },
        Rule { bound: bound_to(&skill, "b"), ..rule.clone() },
        Rule { bound: None, ..rule.clone() },
    ] {
        assert!(!new.is(&other), "{other:?}");
    }
    let ask = Rule { effect: Ask, ..rule };
    assert_eq!((ask.bound_to(), NewRule::of(&ask).bound), (None, None));
}

#[test]
fn a_bound_rule_is_weighed_as_one_of_what_a_repository_brings() {
    let skill = skill("pdf");
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    policy.defaults.load.value = Ask;
    policy.rules = vec![rule(Layer::User, 1, Allow, exact("pdf"))];
    let bound = bound_to(&skill, "a");
    let new = NewRule::of(&Rule { bound, ..policy.rules[0].clone() });
    assert_eq!(new.weighed(&policy).value, Ask, "the rule by name does not reach it");
    policy.rules.push(Rule { bound: new.bound.clone(), ..policy.rules[0].clone() });
    assert_eq!(new.weighed(&policy).value, Allow);
}

#[test]
fn a_host_that_has_no_means_for_a_change_lacks_it() {
    let file = || PathBuf::from("/f");
    for (refusal, lack) in [
        (change::Refusal::NoPlace(Layer::User), true),
        (change::Refusal::Ignored { layer: Layer::User, why: "why" }, true),
        (change::Refusal::Lacks("rules"), true),
        (change::Refusal::Committed { layer: Layer::Project, file: file() }, true),
        (change::Refusal::NotIgnored { file: file() }, true),
        (
            change::Refusal::Stopped {
                layer: Layer::User,
                line: 1,
                file: file(),
                why: String::new(),
            },
            false,
        ),
        (change::Refusal::NoEdit, false),
        (change::Refusal::Unread, false),
        (change::Refusal::Path, false),
    ] {
        assert_eq!(refusal.is_lack(), lack, "{refusal:?}");
    }
}

#[test]
fn every_tool_is_denied_by_settings_that_cannot_be_read() {
    let alarm = Alarm { file: Arc::from(Path::new("/f")), line: 3, message: String::new() };
    let denials = alarm.denials(Layer::User);
    assert_eq!(denials.each_ref().map(|rule| rule.tool), Tool::ALL);
    assert!(denials.iter().all(|rule| rule.effect == Deny && rule.is_alarm() && rule.is_fixed()));
}

#[test]
fn a_rule_is_fixed_if_an_administrator_or_an_expression_or_an_alarm_makes_it() {
    let expression = |text| Pattern::Arguments(Expression::read(text).unwrap());
    let own = rule(Layer::User, 1, Deny, exact("pdf"));
    assert!(!own.is_fixed());
    assert!(Rule { layer: Layer::Managed, ..own.clone() }.is_fixed());
    assert!(Rule { pattern: expression("pdf"), ..own }.is_fixed());
    assert_eq!(expression("pdf"), expression("pdf"));
    assert_ne!(expression("pdf"), expression("zip"));
    assert_eq!(expression("p.f").text().as_deref(), Some("p.f"));
}

#[test]
fn a_rule_says_which_skill_and_which_runs_it_covers() {
    let skill = skill("pdf");
    let only = |rule: Rule| rule.only().map(|words| words.to_string());
    assert_eq!(only(script_rule(Allow)), None);
    let bound = Rule { bound: bound_to(&skill, "a"), ..script_rule(Allow) };
    assert_eq!(only(bound.clone()).as_deref(), Some("only at /skills/pdf, its files as they were"));
    let runs = Runs { script: None, arguments: Some(Vec::new()) };
    assert_eq!(only(Rule { runs, bound: None, ..bound.clone() }).as_deref(), Some("only []"));
    assert_eq!(only(Rule { effect: Ask, ..bound }), None);
}

#[test]
fn of_two_equal_rules_the_persons_own_decides() {
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    let skill = skill("pdf");
    policy.rules =
        [Layer::Project, Layer::User].map(|layer| rule(layer, 1, Ask, Pattern::Any)).to_vec();
    let decider = policy.decider(Tool::SkillLoad, &policy.subject(&skill), None);
    assert_eq!(decider, Some(1));
}

#[test]
fn a_name_with_strange_signs_is_one_with_hyphens() {
    let order = Evaluation { identity: Identity::Hyphened(&[' ', '/']), ..Evaluation::HOST };
    for (name, wanted) in [(" a b/c ", "a-b-c"), ("plain", "plain")] {
        assert_eq!(order.name_of(&skill(name)), wanted);
    }
}

#[test]
fn a_rule_that_decides_nothing_says_why() {
    let brought = Arc::new(Skill { scope: Scope::Repo, ..skill("pdf") });
    let own = Arc::new(skill("pdf"));
    let by_name = |layer| rule(layer, 1, Allow, exact("pdf"));
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    policy.defaults.load.value = Ask;
    let hits = |policy: &Policy, skills: &[Arc<Skill>]| outcome(policy, policy, skills).rules;
    for (layer, skills, decides, idle) in [
        (Layer::User, vec![Arc::clone(&brought)], 0, Some(Idle::Unbound)),
        (Layer::Project, vec![Arc::clone(&brought)], 0, Some(Idle::Ignored)),
        (Layer::User, vec![brought, own], 1, None),
    ] {
        policy.rules = vec![by_name(layer)];
        let wanted = RuleHits { matches: skills.len(), decides, idle };
        assert_eq!(hits(&policy, &skills), [wanted], "{layer:?}");
    }
}

#[test]
fn skills_that_no_editable_rule_decides_are_counted_by_their_reason() {
    let skills = ["a", "b", "c", "pdf"].map(|name| Arc::new(skill(name)));
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    policy.rules =
        vec![rule(Layer::User, 1, Deny, exact("a")), rule(Layer::Managed, 2, Deny, exact("b"))];
    policy.switches = vec![switch(Layer::User, 9, Target::Name("c".into()), false)];
    let others = outcome(&policy, &policy, &skills).others;
    let found: Vec<_> = others.iter().map(|other| (other.why.to_string(), other.count)).collect();
    let managed = origin(Layer::Managed, 2, "deny").shown().to_string();
    assert_eq!(found, [(managed, 1), ("switched off".to_owned(), 1)]);
}

#[test]
fn a_glob_asks_no_more_than_the_host_can_have() {
    let one = RuleForms { wildcards: &['*', '?'], ..RuleForms::each(&[PatternKind::Glob]) };
    assert_eq!(one.read("a?b"), Ok(Pattern::Glob("a?b".into())));
    assert!(one.read("a/*").is_err(), "a sign of a path");
    assert_eq!(RuleForms { names: Names::Any, ..one }.read("a/*"), Ok(Pattern::Glob("a/*".into())));
    assert_eq!(one.read(" "), Err(PatternError::Empty));
    assert_eq!(RuleForms { names: Names::Any, ..one }.read(""), Err(PatternError::Empty));
    // A host without rules is answered by the standard's reader.
    assert!(RuleForms { names: Names::Any, ..RuleForms::NONE }.read("a/b").is_err());
    let all_or_none = RuleForms { ask: &[PatternKind::Any], deny: &[], ..RuleForms::STANDARD };
    for (effect, words) in [
        (Allow, None),
        (Ask, Some("a question about one skill: it asks about every skill (`*`) or none")),
        (Deny, Some("rules with this effect")),
    ] {
        assert_eq!(all_or_none.lack(effect, &exact("pdf")), words);
    }
    let other = RuleForms { allow: &[PatternKind::Any], ..RuleForms::STANDARD };
    let words = Some("rules with this effect for such a pattern");
    assert_eq!(other.lack(Allow, &exact("pdf")), words);
}

static NOTE: Check = Check { code: "note", severity: Severity::Warning, help: "" };

#[test]
fn an_entry_says_what_is_wrong_with_it() {
    let policy = Policy::without_settings(Evaluation::AGENTS);
    let fine = Entry::alone(Arc::new(skill("pdf")), &policy);
    assert_eq!((fine.fault(), fine.about()), (None, "what pdf is for"));
    let bad = Entry::alone(Arc::new(broken("bad")), &policy);
    assert_eq!((bad.about(), bad.usable(), bad.is_listed()), ("no description", false, false));
    let away = Entry { looks: Looks::Browsed, ..fine.clone() };
    assert_eq!(
        (away.status(), away.is_listed(), away.is_on()),
        (StatusKind::NotThere, false, false)
    );
    assert!(fine.is_listed() && fine.usable());
    let mut of_warning = broken("odd");
    let note = crate::catalog::Diagnostic::new(&NOTE, Place::START, "a note");
    of_warning.diagnostics.push(note);
    let mut odd = Entry { refused: Some(&NOTE), ..Entry::alone(Arc::new(of_warning), &policy) };
    assert_eq!(odd.about(), "a note", "the finding for which it is refused, not the first error");
    odd.refused = None;
    assert_eq!(odd.fault().map(|fault| &*fault.message), Some("no description"));
    assert_eq!(odd.about(), "what odd is for");
    let diagnostics = &odd.skill.diagnostics;
    let severities = |refused| [0, 1].map(|at: usize| severity(refused, &diagnostics[at]));
    let (error, warning) = (Severity::Error, Severity::Warning);
    assert_eq!(severities(None), [warning, warning]);
    assert_eq!(severities(Some(&NOTE)), [error, error]);
    assert_eq!(severities(Some(&checks::NAME_CASE)), [error, warning]);
}

#[test]
fn a_tally_counts_each_skill_once_and_each_finding() {
    let mut tally = Tally::default();
    tally.add(false, [].into_iter());
    tally.add(true, [Severity::Error, Severity::Warning, Severity::Error].into_iter());
    tally.add(false, [Severity::Warning].into_iter());
    tally.add(true, [].into_iter());
    let wanted = Tally { skills: 4, refused: 2, affected: 2, errors: 2, warnings: 2 };
    assert_eq!(tally, wanted);
}

#[test]
fn each_status_and_order_has_its_words() {
    let words =
        [StatusKind::NotThere, StatusKind::Refused, StatusKind::Shadowed, StatusKind::Mixed]
            .map(StatusKind::word);
    assert_eq!(words, ["not there", "cannot be offered", "shadowed", "on in part"]);
    let orders = [Order::Strictest, Order::FirstMatch, Order::LastMatch].map(Order::words);
    assert_eq!(orders, ["deny > ask > allow", "first match wins", "last match wins"]);
}
