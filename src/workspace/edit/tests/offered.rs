//! What the rules screen offers is what saving accepts, and nothing else.

use super::others::two_of_each;
use super::*;
use crate::hosts::{self, Host};
use crate::policy;

/// One text of each kind of pattern.
const TEXTS: [&str; 5] = ["*", "pdf", "pd*", "p*f", "p?f"];

const EFFECTS: [Permission; 3] = [Permission::Allow, Permission::Ask, Permission::Deny];

/// The rule as the screen would have it, if the screen offers it.
fn offered(host: &Host, effect: Permission, text: &str) -> Option<NewRule> {
    let forms = host.evaluation.forms;
    let pattern = forms.read(text).ok()?;
    let has = forms.effects_of(&pattern).contains(&effect);
    has.then(|| NewRule { pattern, ..rule(effect, "x") })
}

/// The rule, whether the screen offers it or not.
fn any(effect: Permission, text: &str) -> NewRule {
    let read = Pattern::read(text).unwrap_or_else(|_| Pattern::Glob(text.to_owned()));
    NewRule { pattern: read, ..rule(effect, "x") }
}

#[test]
fn each_host_is_offered_the_rules_that_it_can_have() {
    let mut table = Vec::new();
    for host in hosts::every().filter(|host| host.control.rules.is_some()) {
        for effect in EFFECTS {
            let texts = TEXTS.into_iter().filter(|text| offered(host, effect, text).is_some());
            let texts = texts.collect::<Vec<_>>().join(" ");
            table.push(format!("{} {}: {texts}", host.id.word(), effect.word()));
        }
    }
    let expected = [
        "agents allow: * pdf pd*",
        "agents ask: * pdf pd*",
        "agents deny: * pdf pd*",
        // It asks about its whole tool; a glob stands only in a deny rule.
        "claude allow: * pdf pd*",
        "claude ask: *",
        "claude deny: * pdf pd* p*f",
        "opencode allow: * pdf pd* p*f p?f",
        "opencode ask: * pdf pd* p*f p?f",
        "opencode deny: * pdf pd* p*f p?f",
        // An expression over the arguments.
        "gemini allow: * pdf pd* p*f p?f",
        "gemini ask: * pdf pd* p*f p?f",
        "gemini deny: * pdf pd* p*f p?f",
        // Only `*` is special.
        "amp allow: * pdf pd* p*f",
        "amp ask: * pdf pd* p*f",
        "amp deny: * pdf pd* p*f",
        // opencode's.
        "kilo allow: * pdf pd* p*f p?f",
        "kilo ask: * pdf pd* p*f p?f",
        "kilo deny: * pdf pd* p*f p?f",
        // It has no question, and its rules name one skill or none.
        "codelia allow: * pdf",
        "codelia ask: ",
        "codelia deny: * pdf",
    ];
    assert_eq!(table, expected);
}

#[test]
fn what_is_offered_is_saved_with_the_outcome_that_was_said_and_nothing_else_is() {
    for host in hosts::every().filter(|host| host.control.rules.is_some()) {
        let mut test = two_of_each(host);
        let view = test.view();
        for (layer, _) in view.rule_files() {
            for (effect, text) in
                EFFECTS.iter().flat_map(|effect| TEXTS.map(|text| (*effect, text)))
            {
                let what = format!("{} {} {text} {}", host.id.word(), effect.word(), layer.word());
                let Some(rule) = offered(host, effect, text) else {
                    let rules = vec![(layer, vec![any(effect, text)])];
                    let plan = test.workspace.plan(&view, &ChangeRequest::SetRules(rules), None);
                    assert!(plan.is_err(), "{what} is not offered and would be saved");
                    continue;
                };
                // As the screen weighs it.
                let mut then = (*view.policy).clone();
                let origin = policy::Origin::Default;
                let pattern = rule.pattern.clone();
                then.rules.push(policy::Rule::loading(pattern, effect, origin, layer));
                let skills: Vec<_> = view.rows.skills().cloned().collect();
                let said = policy::outcome(&view.policy, &then, &skills).effects;
                let request = ChangeRequest::SetRules(vec![(layer, vec![rule.clone()])]);
                let plan = test.workspace.plan(&view, &request, None);
                let plan = plan.unwrap_or_else(|why| panic!("{what}: {why}"));
                test.workspace.apply(&plan).unwrap();
                test.workspace = test.workspace.reread();
                let now = test.view();
                assert!(now.policy.rules.iter().any(|saved| rule.is(saved)), "{what}");
                for effect in said {
                    let row = &now.rows.at(&effect.skill.path).unwrap().entry;
                    if row.taken() {
                        let is = row.verdict.model.value;
                        assert_eq!(is, effect.after.model.value, "{what}: {}", row.skill.name);
                    }
                }
                // Its effect can be changed to each other one that is offered, and it can go.
                for other in host.evaluation.forms.effects_of(&rule.pattern) {
                    let rules = vec![NewRule { effect: other, ..rule.clone() }];
                    let request = ChangeRequest::SetRules(vec![(layer, rules)]);
                    let plan = test.workspace.plan(&now, &request, None);
                    assert!(plan.is_ok(), "{what} to {}: {plan:?}", other.word());
                }
                let request = ChangeRequest::SetRules(vec![(layer, Vec::new())]);
                let plan = test.workspace.plan(&now, &request, None).unwrap();
                test.workspace.apply(&plan).unwrap();
                test.workspace = test.workspace.reread();
                let gone = test.view();
                assert!(!gone.policy.rules.iter().any(|saved| rule.is(saved)), "{what}");
            }
        }
    }
}

#[test]
fn a_name_that_a_hosts_rules_cannot_have_is_refused_while_it_is_typed() {
    let read = |host: &Host, text: &str| host.evaluation.forms.read(text).is_ok();
    for (host, text, takes) in [
        (&hosts::CODELIA, "pdf-forms", true),
        (&hosts::CODELIA, "PDF", false),
        (&hosts::CODELIA, "pdf--x", false),
        (&hosts::AMP, "p?f", false),
        (&hosts::AMP, "/x/", false),
        (&hosts::OPENCODE, "a/[b]", true),
        (&hosts::GEMINI, "a.b+c", true),
        (&hosts::CLAUDE, "p?f", false),
        (&hosts::AGENTS, "p*f", false),
    ] {
        assert_eq!(read(host, text), takes, "{} {text}", host.id.word());
    }
    // A sign of an expression is a letter of a name.
    let mut test = TestWorkspace::with(&[
        ("home/.agents/skills/x", "a.b+c"),
        ("home/.agents/skills/y", "axbbc"),
    ]);
    test = test.through(&hosts::GEMINI, &[], "repo");
    let rules =
        vec![NewRule { pattern: Pattern::Exact("a.b+c".into()), ..rule(Permission::Deny, "x") }];
    let request = ChangeRequest::SetRules(vec![(Layer::User, rules)]);
    test.workspace.apply(&test.workspace.plan(&test.view(), &request, None).unwrap()).unwrap();
    test.workspace = test.workspace.reread();
    let view = test.view();
    let denied = view.rows.entries().filter(|entry| entry.verdict.model.value == Permission::Deny);
    assert_eq!(denied.map(|entry| entry.skill.name.as_str()).collect::<Vec<_>>(), ["a.b+c"]);
}

#[test]
fn rules_of_gemini_that_the_screen_does_not_show_stay_when_others_are_saved() {
    let own = "[[rule]]\ntoolName = \"activate_skill\"\nargsPattern = \"\\\"name\\\":\\\"z.p\\\"\"\n\
               decision = \"ask_user\"\npriority = 300\n\n[[rule]]\ntoolName = \"activate_skill\"\n\
               decision = \"deny\"\npriority = 100\nmodes = [\"yolo\"]\n";
    let mut test = two_of_each(&hosts::GEMINI);
    let file = "home/.gemini/policies/skills.toml";
    test.write(file, own);
    let request = ChangeRequest::SetRules(vec![(Layer::User, vec![rule(Permission::Deny, "pdf")])]);
    test.workspace.apply(&test.workspace.plan(&test.view(), &request, None).unwrap()).unwrap();
    assert!(test.read(file).starts_with(own), "{}", test.read(file));
}
