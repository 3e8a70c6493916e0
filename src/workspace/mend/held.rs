//! The settings that go by a skill's name or place. To rename a skill must not lift them: they are
//! decisions of a person, who would not be told.

use crate::catalog::Skill;
use crate::policy::{Origin, Ruling, Tool};
use crate::workspace::{HostContext, Workspace};
use std::cell::OnceCell;

/// The settings of every agent here, and our own; read when they are needed first.
pub(super) struct Held<'a> {
    workspace: &'a Workspace,
    contexts: OnceCell<Vec<HostContext>>,
}

impl<'a> Held<'a> {
    pub(super) fn of(workspace: &'a Workspace) -> Self {
        Self { workspace, contexts: OnceCell::new() }
    }

    /// Why a skill must not become the other one: a switch or a permission would say something else
    /// of it. Names the rule.
    pub(super) fn lost(&self, before: &Skill, after: &Skill) -> Option<String> {
        self.contexts().iter().find_map(|context| lost(context, before, after))
    }

    fn contexts(&self) -> &[HostContext] {
        self.contexts.get_or_init(|| {
            let mut contexts = self.workspace.everyone();
            // The host of the view need not be installed.
            for own in self.workspace.host_contexts.iter() {
                if contexts.iter().all(|known| known.host.id != own.host.id) {
                    contexts.push(own.clone());
                }
            }
            contexts
        })
    }
}

fn lost(context: &HostContext, before: &Skill, after: &Skill) -> Option<String> {
    let HostContext { host, policy, .. } = context;
    let is_moved = before.path != after.path;
    let switched = || ended(policy.state(before), policy.state(after), is_moved);
    let permitted = |tool| {
        let said = |skill| policy.permission_of(tool, &policy.subject(skill), None);
        ended(said(before), said(after), is_moved)
    };
    let by = switched().or_else(|| Tool::ALL.into_iter().find_map(permitted))?;
    let what = if is_moved { "its place" } else { "its name" };
    Some(format!("{what} stays, since a rule goes by it: {} ({})", by.shown(), host.name))
}

/// Who decided, if what is said of a skill changes. A rule that is bound to a place may end with it
/// where it loosens.
fn ended<T: Ord>(before: Ruling<T>, after: Ruling<T>, is_moved: bool) -> Option<Origin> {
    let is_other = match is_moved {
        true => after.value < before.value,
        false => after.value != before.value,
    };
    let by = if before.origin.place().is_some() { before.origin } else { after.origin };
    is_other.then_some(by)
}
