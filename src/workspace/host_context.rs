//! One host with its settings as they were read from one place, and the policy that they make.

use crate::catalog::{HostId, Permission, Root, directory_of};
use crate::config::Inputs;
use crate::files::beneath::SkillDir;
use crate::files::whole;
use crate::hosts::{Context, Host, Installed, Reading, WantedRules};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Budget, HostReport, Layer, Origin, Pattern, Policy, Runs, Tool};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A host, seen from one place.
#[derive(Clone, Debug)]
pub struct HostContext {
    /// The row that fits its version.
    pub host: &'static Host,
    /// How it is installed; `None` if it is not, or is no program.
    pub installed: Option<Installed>,
    pub reading: Arc<Reading>,
    pub policy: Arc<Policy>,
    /// Whether its folders are scanned even if all skills are switched off.
    pub(super) looks_anyway: bool,
}

impl HostContext {
    pub(super) fn new(
        host: &'static Host,
        installed: Option<Installed>,
        context: &Arc<Context>,
        inputs: &Inputs,
    ) -> Self {
        let reading = Arc::new(host.read(context, inputs));
        let mut policy = host.policy(&reading);
        let ours = &reading.config.policy.skills_enabled;
        // An option or variable that switches all skills off for this run applies to every host.
        if !ours.value && matches!(ours.origin, Origin::Session(_)) {
            policy.skills_enabled = ours.clone();
        }
        let own = &reading.config.policy;
        policy.own =
            (host.id != HostId::AGENTS && own.keeps()).then(|| Arc::new(with_digests(own.clone())));
        let policy = with_digests(policy);
        Self { host, installed, reading, policy: Arc::new(policy), looks_anyway: false }
    }

    /// The same with the settings as they are now, or as drafts would have them.
    #[must_use]
    pub(super) fn again(&self, inputs: &Inputs) -> Self {
        let again = Self::new(self.host, self.installed.clone(), &self.reading.context, inputs);
        Self { looks_anyway: self.looks_anyway, ..again }
    }

    /// The folders that it scans; none if all skills are switched off, unless somebody wants one of
    /// them switched on. `instead` replaces them, and is scanned even then.
    pub fn roots(&self, instead: &[PathBuf]) -> Vec<Root> {
        let looks = self.looks_anyway || !instead.is_empty();
        let off = !self.policy.skills_enabled.value && !looks;
        if off { Vec::new() } else { self.host.roots(&self.reading, instead) }
    }

    /// By which rule it lists its skills to a model with this context window in tokens, or with
    /// that of the model in its settings.
    pub fn budget(&self, window: Option<usize>) -> Budget {
        match (self.host.budget)(&self.reading, window) {
            Budget::Unknown => {
                let limits = self.policy.limits.or(self.host.limits);
                let is_limited = limits.entries.or(limits.bytes).is_some();
                if is_limited { Budget::Catalog } else { Budget::Unknown }
            }
            known => known,
        }
    }

    /// The file of a layer to which the host's planner would write a new rule. It may be broken.
    pub(super) fn rule_file(&self, layer: Layer) -> Option<PathBuf> {
        let pattern = Pattern::Exact("a-new-rule".to_owned());
        let (tool, effect, runs) = (Tool::SkillLoad, Permission::Deny, Runs::ANY);
        let rule = NewRule { tool, pattern, effect, runs, bound: None };
        match self.host.control.rules?(&self.reading, &WantedRules::One(&rule), layer) {
            Ok(candidates) => {
                candidates.iter().find_map(|edits| Some(edits.last()?.location.path.clone()))
            }
            Err(Refusal::Stopped { file, .. } | Refusal::Unreadable { file, .. }) => Some(file),
            Err(_) => None,
        }
    }

    /// How the host judges skills, but for which of them it finds.
    pub(super) fn report(&self) -> HostReport {
        HostReport {
            host: self.host.id,
            policy: Arc::clone(&self.policy),
            speech: self.host.speech(),
            inside: self.host.detect.is_around(&self.reading.context),
            by_rule: self.host.control.by_rule,
            found: Arc::default(),
            shadowed: HashMap::new(),
            contested: Vec::new(),
            own: HashMap::new(),
            remark: self.remark(),
        }
    }

    /// That its version is newer than the newest one that was tested; empty if it is not.
    pub fn remark(&self) -> String {
        match self.host.unproved(self.installed.as_ref()) {
            Some((version, proved)) => {
                format!("{version} is newer than {proved}, for which this was proved")
            }
            None => String::new(),
        }
    }
}

/// The policy with the digests of the files to which its rules are bound.
fn with_digests(mut policy: Policy) -> Policy {
    let bound: BTreeSet<PathBuf> = policy.bound_to_files().map(Path::to_owned).collect();
    let digest = |path: PathBuf| files_digest(&path).map(|sum| (path, sum));
    policy.files = bound.into_iter().filter_map(digest).collect();
    policy
}

/// The digest of all files of the skill with this `SKILL.md`, to which a rule about loading it is
/// bound; `None` if they cannot be read, so that the rule does not hold.
pub(super) fn files_digest(skill: &Path) -> Option<String> {
    let directory = SkillDir::open(directory_of(skill)).ok()?;
    whole::digest(&directory, &|_| true, None).ok().map(|digest| digest.to_string())
}
