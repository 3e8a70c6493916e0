//! Rules that are saved, while others write them too.

use super::rules::{drafts, on, rules};
use crate::model::catalog::{self, TestCatalog};
use crate::model::script::{self, draft, effects, go_to, notice, script, top};
use crate::model::script::{answered, update};
use skillpick::catalog::Permission;
use skillpick::policy::Layer;
use skillpick::text::SafeText;
use skillpick::tui::app::{ChangeAnswer, ChangeJob, ChangeRequest, Effect, Msg};

#[test]
fn leaving_with_unsaved_rules_takes_two_presses_in_a_row() {
    let mut state = on("internal-deploy");
    script(&mut state, " <esc>");
    assert!((top(&state), notice(&state).contains("unsaved")) == ("rules", true));
    script(&mut state, "<down><esc>");
    assert_eq!(top(&state), "rules", "another key lies between the two");
    script(&mut state, "<esc>");
    assert_eq!(top(&state), "picker");
    script(&mut state, "<ctrl-r>");
    assert_eq!(drafts(&state)[0], "deny internal-* user", "dropped is dropped");
    script(&mut state, "<esc>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn saved_rules_are_clean_in_any_order_of_answers() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>a<ctrl-u>*<enter>");
    assert!(rules(&state).is_unsaved());
    catalog.policy.rules.insert(0, catalog::rule(Layer::User, 2, Permission::Deny, "*"));
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("saved"))));
    assert!(!rules(&state).is_unsaved());
    assert_eq!(
        draft(&rules(&state).drafts[rules(&state).list.cursor]),
        "deny  user",
        "the cursor stays on the new rule"
    );
}

#[test]
fn rules_that_change_outside_keep_the_edit() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>a<ctrl-u>mine<enter>");
    catalog.policy.rules.push(catalog::rule(Layer::User, 9, Permission::Ask, "theirs"));
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert!(drafts(&state).contains(&"deny mine user".to_owned()) && rules(&state).is_unsaved());
}

#[test]
fn rules_that_another_program_writes_meanwhile_are_saved_too() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>g <down>dG");
    assert_eq!(drafts(&state), ["ask internal-* user", "allow pdf-forms user"]);
    catalog.policy.rules.push(catalog::rule(Layer::User, 9, Permission::Ask, "theirs"));
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(
        drafts(&state),
        ["ask internal-* user", "allow pdf-forms user", "ask theirs user"],
        "what was changed and removed here stays so"
    );
    assert_eq!(rules(&state).list.cursor, 1, "the cursor stays on its rule");
    assert_eq!(
        effects(&mut state, "<ctrl-s>"),
        ["plan ask internal-* user; allow pdf-forms user; ask theirs user"]
    );
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>g d");
    catalog.policy.rules.pop();
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert!(!drafts(&state).contains(&"ask theirs user".to_owned()), "what they removed goes");
    script(&mut state, "uu");
    assert!(!rules(&state).is_unsaved(), "undo goes back to the rules as they are");
}

#[test]
fn a_rule_for_one_skill_is_clean_when_it_was_saved() {
    use skillpick::policy::{Bound, Rule};
    let mut catalog = TestCatalog::shop();
    let path = catalog.skills.iter().find(|skill| skill.name == "pdf").unwrap().path.clone();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-r>a<enter>  ");
    assert!(rules(&state).drafts.last().unwrap().bound_to().is_some(), "{:?}", drafts(&state));
    let bound = Some(Bound { path, digest: Some("a".repeat(64)) });
    let rule = catalog::rule(Layer::User, 9, Permission::Allow, "pdf");
    catalog.policy.rules.push(Rule { bound, ..rule });
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert!(!rules(&state).is_unsaved(), "{:?}", drafts(&state));
}

#[test]
fn a_layer_whose_rules_stay_is_not_written() {
    let mut state = on("pdf");
    let effects = script(&mut state, "a<enter><ctrl-s>");
    let layers: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Change(_, ChangeJob::Plan(ChangeRequest::SetRules(files))) => {
                Some(files.iter().map(|(layer, _)| *layer).collect::<Vec<_>>())
            }
            _ => None,
        })
        .collect();
    assert_eq!(layers, [vec![Layer::User]], "the project's own stay as they are");
}
