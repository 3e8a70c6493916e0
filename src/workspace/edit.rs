//! Changes of settings: an aim becomes a plan, a plan is judged again before it is written, and can be taken back.

mod error;

pub use error::ChangeError;

use super::{View, Workspace};
use crate::catalog::{Permission, Skill};
pub use crate::config::NewRule;
use crate::config::{self, Change, Config, Refusal};
use crate::policy::{self, Layer, Target, Tool, Verdict};
pub use crate::settings::diff::{Line as DiffLine, LineKind as DiffKind};
use crate::settings::{self, Edit, Format, Value, diff, store};
use crate::state::undo::{self, FileChange, Journal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub use crate::state::undo::UndoError;

/// How often a change is tried where others keep writing the same file.
const TRIES: usize = 4;

/// What shall be true.
#[derive(Clone, Debug)]
pub enum Aim {
    /// These entries of the view (by index) are on or off.
    Switch {
        /// Which.
        entries: Vec<usize>,
        /// On or off.
        on: bool,
    },
    /// This is what the model may do with skills of a pattern.
    Permit(NewRule),
    /// Each file holds exactly these rules.
    SetRules {
        /// The person's.
        user: Vec<NewRule>,
        /// The project's.
        project: Vec<NewRule>,
    },
}

/// What a change would write, judged as if it were written.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it does, in a few words; holds other people's text.
    pub label: String,
    /// The files; none where everything is so already.
    pub files: Vec<PlannedFile>,
    /// Whose verdict changes: the skill, before, after.
    pub effects: Vec<(Arc<Skill>, Verdict, Verdict)>,
    /// Whether the diff is to be shown before it is written (S5): it touches a repository's file, several files, or is a
    /// rule set.
    pub ask: bool,
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// Whose it is.
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
}

impl Workspace {
    /// Works out what to write so that the aim becomes true; `place` is the file to change, none means the person's.
    ///
    /// # Errors
    /// [`ChangeError`]; the plan was applied to the parsed file and judged again, so what it promises holds.
    pub fn plan(&self, view: &View, aim: &Aim, place: Option<Layer>) -> Result<Plan, ChangeError> {
        let layer = place.unwrap_or(Layer::User);
        let mut after = (*self.config).clone();
        let mut files = Vec::new();
        for (layer, wanted) in self.changes(view, aim, layer, &mut after)? {
            files.extend(self.file(layer, &wanted)?);
        }
        let drafts = files.iter().map(|file| (file.change.path.clone(), file.change.new.clone())).collect();
        let judged = config::load(&config::Inputs { drafts, ..self.inputs.clone() });
        self.hold(view, aim, &judged, &files)?;
        for file in &mut files {
            file.line = line_of(aim, view, &judged, file);
        }
        let skills: Vec<_> = view.entries.iter().map(|entry| Arc::clone(&entry.skill)).collect();
        let outcome = policy::outcome(&self.config.policy, &judged.policy, &skills);
        let changed = outcome.effects.into_iter().filter(policy::Effect::changed);
        let ask = files.len() > 1
            || matches!(aim, Aim::SetRules { .. })
            || files.iter().any(|file| file.layer == Layer::Project);
        Ok(Plan {
            label: label(view, aim),
            ask: ask && !files.is_empty(),
            effects: changed.map(|effect| (effect.skill, effect.before, effect.after)).collect(),
            files,
        })
    }

    /// The changes of each file, one after the other; `after` is the settings as they would be.
    fn changes(
        &self,
        view: &View,
        aim: &Aim,
        layer: Layer,
        after: &mut Config,
    ) -> Result<Vec<(Layer, Vec<Change>)>, ChangeError> {
        let mut all = Vec::new();
        let mut add = |layer: Layer, aim: &config::Aim| -> Result<(), ChangeError> {
            let changes = config::plan(after, layer, aim).map_err(ChangeError::Refused)?;
            *after = config::changed(after, layer, &changes);
            all.push((layer, changes));
            Ok(())
        };
        match aim {
            Aim::Switch { entries, on } => {
                for entry in entries.iter().filter_map(|index| view.entries.get(*index)) {
                    add(layer, &config::Aim::Switch { skill: &entry.skill, alone: entry.same_name == 1, on: *on })?;
                }
            }
            Aim::Permit(rule) => add(layer, &config::Aim::Permit(rule.clone()))?,
            Aim::SetRules { user, project } => {
                add(Layer::User, &config::Aim::SetRules(user.clone()))?;
                if self.config.project.is_some() {
                    add(Layer::Project, &config::Aim::SetRules(project.clone()))?;
                }
            }
        }
        // One file is edited once, by all its changes in order.
        let of = |wanted: Layer| -> Vec<Change> {
            all.iter().filter(|(layer, _)| *layer == wanted).flat_map(|(_, changes)| changes.clone()).collect()
        };
        let both = [Layer::User, Layer::Project].map(|layer| (layer, of(layer)));
        Ok(both.into_iter().filter(|(_, changes)| !changes.is_empty()).collect())
    }

    /// The file with its changes made; none where its bytes stay.
    fn file(&self, layer: Layer, changes: &[Change]) -> Result<Option<PlannedFile>, ChangeError> {
        let path = self.config.file(layer).map(|file| file.path.to_path_buf());
        let path = path.ok_or(ChangeError::Refused(Refusal::NoPlace(layer)))?;
        let document = store::read(&path).map_err(|error| ChangeError::Read { path: path.clone(), error })?;
        // A repository's file that is a link out of it is somebody else's file: whoever made the repository does not
        // decide what we write elsewhere.
        let outside = |root: &PathBuf| !document.target.starts_with(root);
        if layer == Layer::Project && self.context.repo_root.as_ref().is_some_and(outside) {
            return Err(ChangeError::Outside { path });
        }
        let mut edits = Vec::new();
        if document.bytes.is_none() {
            edits.push(Edit::Set {
                table: Vec::new(),
                key: "version".to_owned(),
                value: Value::Integer(config::VERSION),
            });
        }
        for change in changes {
            edits.push(edit(change).ok_or(ChangeError::Path)?);
        }
        let old = document.bytes.clone().unwrap_or_default();
        let new = settings::apply(Format::Toml, &old, &edits)
            .map_err(|error| ChangeError::Edit { path: path.clone(), error })?;
        let same = new == old;
        let change = store::Change { path, old: document.bytes, new };
        Ok((!same).then_some(PlannedFile { layer, change, line: 1 }))
    }

    /// Whether the settings with these files say what was asked.
    fn hold(&self, view: &View, aim: &Aim, judged: &Config, files: &[PlannedFile]) -> Result<(), ChangeError> {
        let sound = !judged.user.broken() || self.config.user.broken();
        let reached = match aim {
            Aim::Switch { entries, on } => entries
                .iter()
                .filter_map(|index| view.entries.get(*index))
                .all(|entry| judged.policy.enablement(&entry.skill).value == *on),
            Aim::Permit(_) | Aim::SetRules { .. } => true,
        };
        match files.first() {
            Some(file) if !(sound && reached) => Err(ChangeError::Missed { path: file.change.path.clone() }),
            _ => Ok(()),
        }
    }

    /// Writes a plan: the way back first, then all files or none.
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as it was.
    pub fn apply(&self, plan: &Plan) -> Result<(), ChangeError> {
        if plan.files.is_empty() {
            return Ok(());
        }
        let journal = Journal::new(&self.state_dir.clone().ok_or(ChangeError::NoState)?);
        let files = plan.files.iter().map(|file| FileChange {
            path: file.change.path.clone(),
            before: file.change.old.clone(),
            after: file.change.new.clone(),
        });
        let entry =
            journal.push(&undo::Change { label: plan.label.clone(), at_ms: now_ms(), files: files.collect() })?;
        let changes = plan.files.iter().map(|file| file.change.clone()).collect();
        if let Err(error) = store::commit(changes) {
            // What was not written is not to be taken back; a journal that cannot be written says so at the next undo.
            let _ = journal.discard(&entry);
            return Err(ChangeError::Write { path: error.path.clone(), error });
        }
        Ok(())
    }

    /// Plans and writes at once. Where another program writes the file between our reading and our writing, the change
    /// is worked out anew from what stands there then, a few times (S4).
    ///
    /// # Errors
    /// [`ChangeError`]; then every file is as the others left it.
    pub fn make(&self, view: &View, aim: &Aim, place: Option<Layer>) -> Result<Plan, ChangeError> {
        let mut now = self.clone();
        for _ in 1..TRIES {
            let plan = now.plan(view, aim, place)?;
            match now.apply(&plan) {
                Err(ChangeError::Write { error, .. }) if error.overtaken() => now = now.reread(),
                made => return made.map(|()| plan),
            }
        }
        let plan = now.plan(view, aim, place)?;
        now.apply(&plan).map(|()| plan)
    }

    /// Takes back the last change that was written from anywhere; returns what it was.
    ///
    /// # Errors
    /// [`UndoError`], or none of ours where there is no state directory.
    pub fn undo(&self) -> Result<undo::Change, UndoError> {
        let directory = self.state_dir.as_ref().ok_or(UndoError::Nothing)?;
        Journal::new(directory).undo()
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A change in the words of the settings room; none for a path that is not UTF-8.
fn edit(change: &Change) -> Option<Edit> {
    let switches = || vec!["skills".to_owned(), "config".to_owned()];
    let rules = |effect: Permission| vec!["permissions".to_owned(), effect.word().to_owned()];
    let text = |key: &str, text: &str| (key.to_owned(), Value::Text(text.to_owned()));
    Some(match change {
        Change::PushSwitch { target, enabled } => {
            let target = match target {
                Target::Path(path) => text("path", path.to_str()?),
                Target::Name(name) => text("name", name),
            };
            Edit::PushTable { array: switches(), entries: vec![target, ("enabled".to_owned(), Value::Flag(*enabled))] }
        }
        Change::SetSwitch { index, enabled } => {
            let entries = vec![("enabled".to_owned(), Value::Flag(*enabled))];
            Edit::SetElement { array: switches(), index: *index, entries }
        }
        Change::RemoveSwitch { index } => Edit::RemoveElement { array: switches(), index: *index },
        Change::PushRule { effect, tool, pattern } => {
            let mut entries = vec![text("tool", tool.word())];
            entries.extend(pattern.text().map(|name| text("skill_name", &name)));
            Edit::PushTable { array: rules(*effect), entries }
        }
        Change::RemoveRule { effect, index } => Edit::RemoveElement { array: rules(*effect), index: *index },
        Change::SetAllowed { names } => Edit::Set {
            table: vec!["skills".to_owned()],
            key: "allowed".to_owned(),
            value: Value::List(names.iter().cloned().map(Value::Text).collect()),
        },
    })
}

fn label(view: &View, aim: &Aim) -> String {
    match aim {
        Aim::Switch { entries, on } => {
            let state = if *on { "on" } else { "off" };
            match entries.as_slice() {
                [one] => format!("{} {state}", view.entries.get(*one).map_or("", |entry| entry.skill.name.as_str())),
                several => format!("{} skills {state}", several.len()),
            }
        }
        Aim::Permit(rule) => {
            let name = rule.pattern.text().unwrap_or_else(|| "every skill".to_owned());
            let what = if rule.tool == Tool::SkillScript { " (scripts)" } else { "" };
            format!("{} {name}{what}", rule.effect.word())
        }
        Aim::SetRules { .. } => "permission rules".to_owned(),
    }
}

/// The line of the file that decides now, or where the old file and the new one part.
fn line_of(aim: &Aim, view: &View, judged: &Config, file: &PlannedFile) -> u32 {
    let here = |origin: &policy::Origin| match origin.place() {
        Some((path, line)) if path == file.change.path => Some(line),
        _ => None,
    };
    let decided = match aim {
        Aim::Switch { entries, .. } => {
            let entry = entries.first().and_then(|index| view.entries.get(*index));
            entry.and_then(|entry| here(&judged.policy.verdict(&entry.skill).listed.origin))
        }
        Aim::Permit(new) => {
            let same = |rule: &&policy::Rule| {
                (rule.tool, rule.effect) == (new.tool, new.effect) && rule.pattern == new.pattern
            };
            judged.policy.rules.iter().filter(same).find_map(|rule| here(&rule.origin))
        }
        Aim::SetRules { .. } => None,
    };
    let lines = file.change.new.trim_ascii_end().split(|byte| *byte == b'\n').count();
    let differs = || first_difference(file.change.old.as_deref().unwrap_or_default(), &file.change.new);
    // Where the end of a file went, what is left ends before the difference.
    decided.unwrap_or_else(|| differs().min(u32::try_from(lines).unwrap_or(u32::MAX)))
}

/// The first line that differs, from 1.
fn first_difference(old: &[u8], new: &[u8]) -> u32 {
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let same = lines(old).iter().zip(&lines(new)).take_while(|(one, other)| one == other).count();
    u32::try_from(same + 1).unwrap_or(u32::MAX)
}

/// Where the last change left its mark, for a notice: the file and the line.
pub fn place(plan: &Plan) -> Option<(&Path, u32)> {
    plan.files.first().map(|file| (file.change.path.as_path(), file.line))
}

#[cfg(test)]
mod tests;
