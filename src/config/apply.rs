//! One change to a settings file as plain data, and the settings as they would be after some.

use super::file::{SettingsFile, WrittenRule, WrittenSwitch};
use super::load::Config;
use super::origin::Written;
use super::plan::NewRule;
use crate::catalog::Permission;
use crate::policy::{Layer, Target};

/// One change to one settings file. Several are applied one after the other: each index counts in
/// the file as the changes before it have left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new `[[skills.config]]` at the end.
    PushSwitch {
        /// Its `path` or `name`.
        target: Target,
        /// Its `enabled`.
        enabled: bool,
    },
    /// Another `enabled` in a `[[skills.config]]`.
    SetSwitch {
        /// Which entry, from 0.
        index: usize,
        enabled: bool,
    },
    /// A `[[skills.config]]` goes.
    RemoveSwitch {
        /// Which entry, from 0.
        index: usize,
    },
    /// A new rule at the end of its list.
    PushRule(NewRule),
    RemoveRule {
        effect: Permission,
        /// Which entry of that list, from 0.
        index: usize,
    },
    /// Another `skills.allowed`.
    SetAllowed { names: Vec<String> },
}

/// The settings as they would be with these changes in this layer's file; nothing is written. New
/// entries have line 0.
///
/// A layer without a file is left as it is; [`super::plan`] refuses it before.
pub fn changed(config: &Config, layer: Layer, changes: &[Change]) -> Config {
    let mut config = config.clone();
    let file = match layer {
        Layer::User => Some(&mut config.user),
        Layer::Project => config.project.as_mut(),
        Layer::Local | Layer::Managed => None,
    };
    if let Some(file) = file {
        for change in changes {
            apply(file, change);
        }
    }
    config.judged()
}

fn apply(file: &mut SettingsFile, change: &Change) {
    match change {
        Change::PushSwitch { target, enabled } => {
            let (targets, enabled) = (vec![target.clone()], Some(*enabled));
            file.switches.push(WrittenSwitch { targets, enabled, sound: true, line: 0 });
        }
        Change::SetSwitch { index, enabled } => {
            if let Some(switch) = file.switches.get_mut(*index) {
                switch.enabled = Some(*enabled);
            }
        }
        Change::RemoveSwitch { index } => {
            if *index < file.switches.len() {
                file.switches.remove(*index);
            }
        }
        Change::PushRule(rule) => {
            let NewRule { effect, tool, pattern, runs, bound } = rule.clone();
            let (tool, pattern) = (Some(tool), Some(pattern));
            file.rules.push(WrittenRule { effect, tool, pattern, runs, bound, line: 0 });
        }
        Change::RemoveRule { effect, index } => {
            let mut position = 0..file.rules.len();
            if let Some(found) =
                position.by_ref().filter(|at| file.rules[*at].effect == *effect).nth(*index)
            {
                file.rules.remove(found);
            }
        }
        Change::SetAllowed { names } => {
            file.allowed = Some(Written { value: names.clone(), line: 0 })
        }
    }
}
