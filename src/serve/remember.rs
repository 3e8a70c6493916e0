//! What a person allows for good when asked through the client: for a skill a rule in the person's own settings, planned
//! and written as by `permit` (COD-8.1c); for a run its approval, as at the terminal (X2).
//!
//! Nothing here decides: it is called after a person has said *always*, and never because of anything that a model sends.

use super::consent::Given;
use super::shelf::Seen;
use crate::catalog::Permission;
use crate::policy::{Entry, Layer, Pattern, Runs, Tool};
use crate::runtime::{Desk, Launch};
use crate::text::SafeText;
use crate::workspace::edit::{self, Aim, ChangeError, NewRule};

/// Writes the rules that were asked for during a call that has succeeded; what came of it, for the person.
pub(super) fn loads(seen: &Seen, given: &Given) -> Vec<String> {
    let entries = seen.shown().into_iter().map(|index| &seen.view.entries[index]);
    entries.filter(|entry| given.load_always(entry)).map(|entry| rule(seen, entry)).collect()
}

fn rule(seen: &Seen, entry: &Entry) -> String {
    let name = SafeText::line(&entry.skill.name);
    if entry.same_name > 1 {
        return format!("not remembered: a rule goes by name, and {} skills are named '{name}'", entry.same_name);
    }
    let pattern = Pattern::Exact(seen.view.policy.order.name_of(&entry.skill).into_owned());
    let rule = NewRule { effect: Permission::Allow, tool: Tool::SkillLoad, pattern, runs: Runs::ANY };
    match seen.workspace.make(&seen.view, &Aim::Permit(rule), Some(Layer::User)) {
        Ok(plan) => match edit::place(&plan) {
            Some((file, line)) => {
                format!(
                    "remembered: loading '{name}' is allowed ({}:{line}); `skillpick undo` takes it back",
                    SafeText::path(file)
                )
            }
            None => format!("loading '{name}' is allowed already"),
        },
        Err(error) => format!("not remembered: {}", reason(&error)),
    }
}

fn reason(error: &ChangeError) -> String {
    let reason = SafeText::line(&error.to_string());
    error.path().map_or_else(|| reason.to_string(), |path| format!("{}: {reason}", SafeText::path(path)))
}

/// Remembers the yes to exactly this run, where it was given for good.
pub(super) fn run(desk: &Desk<'_>, launch: &Launch, given: &Given) -> Option<String> {
    given.run_always(launch).then(|| match desk.remember_consent(launch) {
        Ok(()) => "remembered: exactly this run is allowed".to_owned(),
        Err(error) => format!("not remembered: {}", SafeText::line(&error.to_string())),
    })
}
