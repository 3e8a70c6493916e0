use super::*;
use crate::policy::fixture::{broken, rule, skill, switch};
use crate::policy::{Evaluation, Layer, Pattern, Target};
use Permission::{Allow, Ask, Deny};

fn skills(names: &[&str]) -> Vec<Arc<Skill>> {
    names.iter().map(|name| Arc::new(skill(name))).collect()
}

#[test]
fn cod_14_the_outcome_says_what_each_rule_does_before_it_is_saved() {
    let skills = skills(&["internal-deploy", "internal-wipe", "pdf-forms", "pdf"]);
    let before = Policy::without_settings(Evaluation::AGENTS);
    let mut after = before.clone();
    after.rules = vec![
        rule(Layer::User, 1, Deny, Pattern::Prefix("internal-".into())),
        rule(Layer::User, 4, Allow, Pattern::Exact("pdf-forms".into())),
        rule(Layer::User, 7, Deny, Pattern::Exact("gone".into())),
        rule(Layer::Project, 2, Ask, Pattern::Exact("pdf-forms".into())),
        rule(Layer::Project, 5, Allow, Pattern::Any),
    ];
    let outcome = outcome(&before, &after, &skills);
    assert_eq!(outcome.counts, Counts { allow: 1, ask: 1, deny: 2 });
    assert_eq!(outcome.changed, 3);
    let rules: Vec<_> =
        outcome.rules.iter().map(|hits| (hits.matches, hits.decides, hits.idle)).collect();
    assert_eq!(
        rules,
        [
            (2, 2, None),
            (1, 0, Some(Idle::Overruled { by: 3, says: Ask })),
            (0, 0, Some(Idle::NoMatch)),
            (1, 1, None),
            (4, 0, Some(Idle::Ignored)),
        ]
    );
    let row = &outcome.effects[2];
    assert_eq!((row.before.model.value, row.after.model.value, row.rule), (Allow, Ask, Some(3)));
    assert!(!outcome.effects[3].changed());
}

#[test]
fn what_is_off_is_decided_by_no_rule_and_what_cannot_be_offered_is_hit_by_none() {
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    policy.rules = vec![rule(Layer::User, 1, Ask, Pattern::Any)];
    policy.switches = vec![switch(Layer::User, 9, Target::Name("pdf".into()), false)];
    let skills = [Arc::new(skill("pdf")), Arc::new(broken("bad"))];
    let outcome = outcome(&policy, &policy, &skills);
    assert!(outcome.effects.iter().all(|effect| effect.rule.is_none() && !effect.changed()));
    assert_eq!(outcome.rules[0], RuleHits { matches: 1, decides: 1, idle: None });
    assert_eq!(outcome.counts.deny, 1, "the one that is off; the other has nothing to be denied");
}

#[test]
fn a_rule_that_says_less_than_the_default_decides_nothing() {
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    policy.defaults.load.value = Deny;
    policy.rules = vec![rule(Layer::Project, 1, Ask, Pattern::Any)];
    let outcome = outcome(&policy, &policy, &skills(&["pdf"]));
    assert_eq!(outcome.rules[0].idle, Some(Idle::Default));
}
