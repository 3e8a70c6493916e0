//! One host as it looks from here: its row, its settings as they were read, and what they say.

use crate::catalog::{Permission, Root};
use crate::config::{Inputs, NewRule, Refusal};
use crate::hosts::{Context, Host, Installed, Reading, WantedRules};
use crate::policy::{Layer, Origin, Pattern, Policy, Runs, Tool};
use std::path::PathBuf;
use std::sync::Arc;

/// A host, seen from one place.
#[derive(Clone, Debug)]
pub struct HostContext {
    /// The row that fits its version.
    pub host: &'static Host,
    /// How it is installed; nothing where it is not, or is no program.
    pub installed: Option<Installed>,
    /// Its settings as they were read.
    pub reading: Arc<Reading>,
    pub policy: Arc<Policy>,
}

impl HostContext {
    /// Looks from a place.
    pub(super) fn new(
        host: &'static Host,
        installed: Option<Installed>,
        (context, inputs): (&Arc<Context>, &Inputs),
    ) -> Self {
        let reading = Arc::new(host.read(context, inputs));
        let mut policy = host.policy(&reading);
        let ours = &reading.config.policy.skills_enabled;
        // What is said for this run alone holds whoever is looked through (KOD-8b).
        if !ours.value && matches!(ours.origin, Origin::Session(_)) {
            policy.skills_enabled = ours.clone();
        }
        Self { host, installed, reading, policy: Arc::new(policy) }
    }

    /// The same with the settings as they are now, or as drafts would have them.
    #[must_use]
    pub(super) fn again(&self, inputs: &Inputs) -> Self {
        Self::new(self.host, self.installed.clone(), (&self.reading.context, inputs))
    }

    /// Where it looks; nowhere where its skills are switched off as a whole, which means no scan at
    /// all (D4, KOD-8b). Folders that are named outright are looked at even so.
    pub fn roots(&self, instead: &[PathBuf]) -> Vec<Root> {
        let off = !self.policy.skills_enabled.value && instead.is_empty();
        if off { Vec::new() } else { self.host.roots(&self.reading, instead) }
    }

    /// The file of a layer to which a new rule would go, as the host's own planner has it; a broken
    /// one is named, too.
    pub(super) fn rule_file(&self, layer: Layer) -> Option<PathBuf> {
        let pattern = Pattern::Exact("a-new-rule".to_owned());
        let (tool, effect, runs) = (Tool::SkillLoad, Permission::Deny, Runs::ANY);
        let rule = NewRule { tool, pattern, effect, runs, bound: None };
        match self.host.control.rules?(&self.reading, &WantedRules::One(&rule), layer) {
            Ok(candidates) => {
                candidates.iter().find_map(|edits| Some(edits.last()?.location.path.clone()))
            }
            Err(Refusal::Broken { file, .. } | Refusal::Unreadable { file, .. }) => Some(file),
            Err(_) => None,
        }
    }

    /// What a person should know of it besides: its version is newer than what was proved. Empty
    /// where nothing is.
    pub fn remark(&self) -> String {
        match self.host.unproved(self.installed.as_ref()) {
            Some((version, proved)) => {
                format!("{version} is newer than {proved}, for which this was proved")
            }
            None => String::new(),
        }
    }
}
