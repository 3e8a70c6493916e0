//! Writes down what a person always allows when asked through the client: for a skill a rule in the
//! person's own settings, as `permit` does, and for a run an approval, as at the terminal.
//!
//! It decides nothing: it is called after a person has chosen *always*, and never because of
//! anything that a model sends.

use super::catalog_cache::Snapshot;
use super::consent::Given;
use crate::policy::{Entry, Layer};
use crate::runtime::{CallContext, Launch, allowing};
use crate::text::SafeText;
use crate::workspace::edit::{self, ChangeRequest};

/// Writes the rules that the person chose during a successful call. Returns the results as notes
/// for the person.
pub(super) fn loads(snapshot: &Snapshot, given: &Given) -> Vec<String> {
    let entries = snapshot.shown().into_iter().map(|index| &snapshot.view.rows[index].entry);
    entries.filter(|entry| given.load_always(entry)).map(|entry| rule(snapshot, entry)).collect()
}

fn rule(snapshot: &Snapshot, entry: &Entry) -> String {
    let name = SafeText::line(&entry.skill.name);
    if let Some(why) = allowing::beyond_names(&snapshot.view, &entry.skill) {
        return format!("not remembered: {why}");
    }
    if entry.same_name > 1 && !snapshot.view.policy.order.bound {
        return format!(
            "not remembered: a rule goes by name, and {} skills are named '{name}'",
            entry.same_name
        );
    }
    let request = ChangeRequest::Permit(allowing::rule(&snapshot.view.policy, &entry.skill));
    // A rule that asks by name is not removed, since it is about more than this skill.
    let planned = snapshot.workspace.plan(&snapshot.view, &request, Some(Layer::User));
    if let Ok(plan) = &planned
        && plan.effects.iter().any(|effect| effect.skill.path != entry.skill.path)
    {
        return "not remembered: the rule that asks is about other skills as well".to_owned();
    }
    match snapshot.workspace.make(&snapshot.view, &request, Some(Layer::User)) {
        Ok(plan) => match edit::place(&plan) {
            Some((file, line)) => {
                format!(
                    "remembered: loading '{name}' is allowed ({}:{line}); `skillpick undo` reverts it",
                    SafeText::path(file)
                )
            }
            None => format!("loading '{name}' is allowed already"),
        },
        Err(error) => format!("not remembered: {}", error.shown()),
    }
}

/// Remembers the consent to exactly this run if the person always allows it.
pub(super) fn run(caller: &CallContext<'_>, launch: &Launch, given: &Given) -> Option<String> {
    given.run_always(launch).then(|| match caller.remember_consent(launch) {
        Ok(()) => "remembered: exactly this run is allowed".to_owned(),
        Err(error) => format!("not remembered: {}", SafeText::line(&error.to_string())),
    })
}
