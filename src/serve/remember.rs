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
use crate::workspace::edit::{self, ChangeRequest, Plan};

/// Writes the rules that the person chose during a successful call. Returns the results as notes
/// for the person.
pub(super) fn loads(snapshot: &Snapshot, given: &Given) -> Vec<String> {
    if !given.has_always() {
        return Vec::new();
    }
    let entries = snapshot.shown().into_iter().map(|index| &snapshot.view.rows[index].entry);
    let always = |entry| Some((entry, given.load_always(entry)?));
    entries.filter_map(always).map(|(entry, digest)| rule(snapshot, entry, digest)).collect()
}

/// Writes a rule that is bound to the files with this digest, as they were when the person agreed.
fn rule(snapshot: &Snapshot, entry: &Entry, digest: String) -> String {
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
    if digest.is_empty() && snapshot.view.policy.order.bound {
        return "not remembered: the skill's files cannot all be read, so no rule can be bound to them".to_owned();
    }
    let rule = allowing::rule(&snapshot.view.policy, &entry.skill, Some(digest));
    let request = ChangeRequest::Permit(rule);
    // A rule that asks by name is not removed, since it is about more than this skill.
    let planned = snapshot.workspace.plan(&snapshot.view, &request, Some(Layer::User));
    let is_other = |plan: &Plan| {
        plan.effects.iter().any(|effect| effect.skill.path != entry.skill.path)
            || entry.same_name > 1 && !plan.replaced.is_empty()
    };
    if planned.as_ref().is_ok_and(is_other) {
        return "not remembered: the rule that asks is about other skills as well".to_owned();
    }
    match snapshot.workspace.make(&snapshot.view, &request, Some(Layer::User)) {
        Ok(plan) => match edit::place(&plan) {
            Some((file, line)) => {
                let notes: String = plan.notes().map(|note| format!("; {note}")).collect();
                format!(
                    "remembered: loading '{name}' is allowed while its files stay the same ({}:{line}){notes}; `{}` reverts it",
                    SafeText::path(file),
                    snapshot.workspace.undo_command()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::fixture::TestServer;

    #[test]
    fn the_note_says_which_rule_is_replaced_and_what_becomes_of_others_of_the_name() {
        let ask = "[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"a\"\n";
        let server = TestServer::with(&["a"], ask);
        let snapshot = server.snapshot();
        let entry = &snapshot.view.rows[server.index(0)].entry;
        let digest = server.connection.caller(&snapshot).files_digest(&entry.skill).unwrap();
        let note = rule(&snapshot, entry, digest.to_string());
        assert!(note.contains("; it replaces permissions.ask \"a\", "), "{note}");
        assert!(note.contains("; other skills named 'a' are asked for; "), "{note}");
    }
}
