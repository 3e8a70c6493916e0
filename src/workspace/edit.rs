//! Changes of settings: a request becomes a plan, a plan is judged again before it is written, and
//! can be taken back.

mod draft;
mod error;

pub use error::ChangeError;

use super::{HostContext, View, Workspace};
use crate::catalog::{Cut, Enablement, HostId, RootReport, RootState, Skill};
pub use crate::config::NewRule;
use crate::config::Refusal;
use crate::policy::{self, Layer, Policy, Tool, Verdict};
use crate::settings::diff;
pub use crate::settings::diff::Line as DiffLine;
use crate::settings::store;
use crate::state::undo::{self, FileChange, Journal};
pub use crate::text::DiffKind;
use draft::{Draft, HostView};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub use crate::state::undo::{Left, UndoError, Undone};

/// How often a change is tried if other programs keep writing the same file.
const TRIES: usize = 4;

/// What a person wants to be true of the settings.
#[derive(Clone, Debug)]
pub enum ChangeRequest {
    /// Set these entries of the view to an enablement.
    Switch {
        entries: Vec<usize>,
        /// The wanted enablement. [`Enablement::Off`] means the lowest that the host has.
        to: Enablement,
    },
    /// Set what the model may do with skills that match a pattern.
    Permit(NewRule),
    /// Give each file exactly these rules.
    SetRules(Vec<(Layer, Vec<NewRule>)>),
}

/// What a change would write, judged as if it were written.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it does, in a few words; has other people's text.
    pub label: String,
    pub rule: Option<NewRule>,
    /// Empty if nothing has to be changed.
    pub files: Vec<PlannedFile>,
    pub effects: Vec<PlannedEffect>,
    /// The hosts that have nothing to change, so that the skills stay as they are for them.
    pub left_out: Vec<HostId>,
    /// Whether the diff is shown before anything is written: the change touches a repository's
    /// file, several files, or is a rule set.
    pub ask: bool,
}

#[derive(Clone, Debug)]
pub struct PlannedEffect {
    pub host: HostId,
    pub skill: Arc<Skill>,
    pub before: Verdict,
    /// As it would be.
    pub after: Verdict,
    /// Enablement before and after, in the host's own states.
    pub states: (Enablement, Enablement),
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// Which host reads it.
    pub host: HostId,
    pub layer: Layer,
    /// The bytes before and after.
    pub change: store::Change,
    /// The line that the change is about, from 1.
    pub line: u32,
}

impl PlannedFile {
    /// The unified diff.
    pub fn diff(&self) -> Vec<DiffLine> {
        let name = self.change.path.to_string_lossy();
        diff::unified(&name, self.change.old.as_deref(), &self.change.new)
    }

    /// The line to look at, from 1; `None` if lines were only removed.
    pub fn mark(&self) -> Option<u32> {
        self.diff().iter().any(|line| line.kind == DiffKind::Added).then_some(self.line)
    }
}

impl Workspace {
    /// Plans what to write so that the request becomes true for the host of the view, or for every
    /// host that sees the skills. `place` says which layer's files to change; `None` means the one
    /// that each host's own program writes.
    ///
    /// # Errors [`ChangeError`]. The plan was applied to the parsed files and judged again, so its
    /// effects are certain.
    pub fn plan(
        &self,
        view: &View,
        request: &ChangeRequest,
        place: Option<Layer>,
    ) -> Result<Plan, ChangeError> {
        let mut draft = Draft::new(&self.inputs, &self.context);
        let mut left_out = Vec::new();
        for (index, host_context) in self.host_contexts.iter().enumerate() {
            let taken = |entry: usize| self.taken(view, index, entry);
            let names = self.names(view, (index, host_context), request);
            let host = HostView { host_context, taken: &taken, names: names.as_ref() };
            if !draft.reach(&host, view, request, place)? {
                left_out.push(host_context.host.id);
            }
        }
        if left_out.len() == self.host_contexts.len()
            && let Some(host_context) = self.host_contexts.first()
        {
            return Err(ChangeError::nothing_to_set(host_context.host, request));
        }
        let effects = self.effects(view, &draft);
        if let ChangeRequest::Switch { entries, .. } = request {
            self.no_bystander(view, entries, &effects)?;
        }
        let files = draft.files(view, request);
        let ask = files.len() > 1
            || matches!(request, ChangeRequest::SetRules { .. })
            || files.iter().any(|file| file.layer != Layer::User);
        let rule = match request {
            ChangeRequest::Permit(rule) => Some(rule.clone()),
            ChangeRequest::Switch { .. } | ChangeRequest::SetRules(_) => None,
        };
        Ok(Plan {
            label: label(view, request),
            rule,
            ask: ask && !files.is_empty(),
            effects,
            files,
            left_out,
        })
    }

    /// An entry as the host with this index has it. In a view through all hosts, `None` if that
    /// host does not take it.
    fn taken<'v>(&self, view: &'v View, host: usize, entry: usize) -> Option<&'v Arc<Skill>> {
        let skill = &view.rows.entry(entry)?.skill;
        if !self.is_every() {
            return Some(skill);
        }
        let (report, place) = (view.reports.get(host)?, u32::try_from(entry).ok()?);
        report.status(place, skill).verdict().map(|_| report.as_met(place, skill))
    }

    /// Every name that a host takes here, which a new allowlist must have. If the view does not
    /// show all of them, since it browses other folders or is incomplete, the host's own folders
    /// are scanned as well. `None` if a folder could not be read completely.
    fn names(
        &self,
        view: &View,
        (index, host_context): (usize, &HostContext),
        request: &ChangeRequest,
    ) -> Option<BTreeSet<String>> {
        if !matches!(request, ChangeRequest::Switch { .. }) {
            return Some(BTreeSet::new());
        }
        let own = host_context.roots(&[]);
        let is_whole = |roots: &[RootReport], cuts: &[Cut]| {
            let failed = roots.iter().filter(|report| matches!(report.state, RootState::Failed(_)));
            let mut unread =
                failed.map(|report| &report.root.path).chain(cuts.iter().map(|cut| &cut.path));
            !unread.any(|path| own.iter().any(|root| path.starts_with(&root.path)))
        };
        if !is_whole(&view.roots, &view.cuts) {
            return None;
        }
        let order = host_context.policy.order;
        let shown =
            (0..view.rows.len()).filter_map(|entry| self.taken(view, index, entry)).map(Arc::clone);
        let mut skills: Vec<Arc<Skill>> = shown.collect();
        if !view.complete || !self.instead.is_empty() {
            let catalog = self.catalog_of(host_context, &skills);
            if !is_whole(&catalog.roots, &catalog.cuts) {
                return None;
            }
            skills.extend(catalog.skills);
        }
        let taken = skills.iter().filter(|skill| order.profile.refusal(skill).is_none());
        Some(taken.map(|skill| order.name_of(skill).into_owned()).collect())
    }

    /// The verdicts that the drafts change, for each host.
    fn effects(&self, view: &View, draft: &Draft) -> Vec<PlannedEffect> {
        let mut effects = Vec::new();
        for (index, host_context) in self.host_contexts.iter().enumerate() {
            let taken = (0..view.rows.len()).filter_map(|entry| self.taken(view, index, entry));
            let skills: Vec<_> = taken.map(Arc::clone).collect();
            let then = host_context.again(draft.inputs());
            let outcome = policy::outcome(&host_context.policy, &then.policy, &skills);
            let state = |policy: &Policy, skill: &Skill, verdict: &Verdict| {
                policy::effective_state(policy, host_context.host.control.by_rule, skill, verdict)
            };
            let changed = outcome.effects.into_iter().filter(policy::Effect::changed);
            effects.extend(changed.map(|policy::Effect { skill, before, after, .. }| {
                PlannedEffect {
                    host: host_context.host.id,
                    states: (
                        state(&host_context.policy, &skill, &before),
                        state(&then.policy, &skill, &after),
                    ),
                    skill,
                    before,
                    after,
                }
            }));
        }
        effects
    }

    /// An error if a switch would change a skill that was not chosen and has another name than the
    /// chosen ones: a host may read a name as a glob (opencode).
    fn no_bystander(
        &self,
        view: &View,
        entries: &[usize],
        effects: &[PlannedEffect],
    ) -> Result<(), ChangeError> {
        for (index, host_context) in self.host_contexts.iter().enumerate() {
            let order = host_context.policy.order;
            let name = |skill: &Skill| order.folded(&order.name_of(skill));
            let chosen: HashSet<String> = entries
                .iter()
                .filter_map(|entry| self.taken(view, index, *entry))
                .map(|skill| name(skill))
                .collect();
            let theirs = |effect: &&PlannedEffect| {
                effect.host == host_context.host.id && !chosen.contains(&name(&effect.skill))
            };
            if let Some(effect) = effects.iter().find(theirs) {
                let refusal = Refusal::Others { name: name(&effect.skill) };
                return Err(ChangeError::refused(host_context.host, refusal));
            }
        }
        Ok(())
    }

    /// Writes a plan: first the journal entry, then all files or none.
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as it was.
    pub fn apply(&self, plan: &Plan) -> Result<(), ChangeError> {
        if plan.files.is_empty() {
            return Ok(());
        }
        let state = self.state_dir.as_deref().ok_or(ChangeError::NoState)?;
        let journal = Journal::new(state);
        let files = plan.files.iter().map(|file| FileChange {
            path: file.change.path.clone(),
            before: file.change.old.clone(),
            after: file.change.new.clone(),
        });
        let change = undo::Change {
            label: plan.label.clone(),
            at_ms: now_ms(),
            files: files.collect(),
            share: None,
        };
        let entry = journal.push(&change)?;
        let changes = plan.files.iter().map(|file| file.change.clone()).collect();
        if let Err(error) = store::commit(changes) {
            journal.discard(&entry);
            return Err(ChangeError::Write { path: error.path.clone(), error });
        }
        Ok(())
    }

    /// Plans and writes at once. If another program writes the file in between, the change is
    /// planned again from its new content, a few times.
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as the others left it.
    pub fn make(
        &self,
        view: &View,
        request: &ChangeRequest,
        place: Option<Layer>,
    ) -> Result<Plan, ChangeError> {
        let mut now = self.clone();
        for _ in 1..TRIES {
            let plan = now.plan(view, request, place)?;
            match now.apply(&plan) {
                Err(ChangeError::Write { error, .. }) if error.overtaken() => now = now.reread(),
                made => return made.map(|()| plan),
            }
        }
        let plan = now.plan(view, request, place)?;
        now.apply(&plan).map(|()| plan)
    }

    /// Takes back the last change or share, wherever it was made.
    ///
    /// # Errors
    /// [`UndoError`]; without a state directory there is nothing to take back.
    pub fn undo(&self) -> Result<Undone, UndoError> {
        let directory = self.state_dir.as_ref().ok_or(UndoError::Nothing)?;
        Journal::new(directory).undo(|share| self.undo_share(share))
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The most skills that the words for a change name.
const NAMED: usize = 3;

/// The first names and how many more there are: `pdf, docx, xlsx +2`.
fn names(view: &View, entries: &[usize]) -> String {
    let named = entries.iter().take(NAMED).filter_map(|entry| view.rows.entry(*entry));
    let names: Vec<&str> = named.map(|entry| entry.skill.name.as_str()).collect();
    match entries.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} +{more}", names.join(", ")),
    }
}

fn label(view: &View, request: &ChangeRequest) -> String {
    match request {
        ChangeRequest::Switch { entries, to } => format!("{} {}", names(view, entries), to.word()),
        ChangeRequest::Permit(rule) => {
            let name = rule.pattern.text().unwrap_or_else(|| "every skill".to_owned());
            let what = match rule.tool {
                Tool::SkillLoad => String::new(),
                Tool::SkillScript if rule.runs.is_any() => " (scripts)".to_owned(),
                Tool::SkillScript => format!(" ({})", rule.runs.text()),
            };
            format!("{} {name}{what}", rule.effect.word())
        }
        ChangeRequest::SetRules(_) => "permission rules".to_owned(),
    }
}

/// The file and line of a change, for a notice.
pub fn place(plan: &Plan) -> Option<(&Path, u32)> {
    plan.files.first().map(|file| (file.change.path.as_path(), file.line))
}

#[cfg(test)]
mod tests;
