//! `project`: what a store holds, and what was changed in it.

use super::Out;
use crate::catalog::short_version;
use crate::inert;
use crate::store::{Action, Address, Change, Precedence, Project, StoredSkill, Version};
use crate::text::{SafeText, counted, human_size, time};
use crate::workspace::StoredComparison;
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// The projects of a store.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectsDocument {
    /// The store's address, without secrets.
    store: String,
    /// By name.
    projects: Vec<ProjectRow>,
}

/// A project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectRow {
    /// Its name.
    name: String,
    /// What counts if a file and a stored skill have one name, unless settings say otherwise.
    precedence: Precedence,
    /// How many skills it has.
    skills: u32,
    /// How often it was changed.
    revision: i64,
    /// When it was made: Unix time in milliseconds.
    created_ms: i64,
    /// Who made it.
    created_by: String,
    /// Whether its skills are used here.
    used: bool,
}

impl ProjectsDocument {
    pub fn of(address: &Address, projects: &[Project], used: Option<&str>) -> Self {
        let row = |project: &Project| ProjectRow {
            name: project.name.clone(),
            precedence: project.precedence,
            skills: project.skills,
            revision: project.revision,
            created_ms: project.created_ms,
            created_by: project.created_by.clone(),
            used: used == Some(project.name.as_str()),
        };
        Self { store: address.shown(), projects: projects.iter().map(row).collect() }
    }

    /// Prints a line for each project.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        for project in &self.projects {
            let used = if project.used { "*" } else { " " };
            out.line(inert!(
                "{} {}  {}, {} files, revision {}",
                used,
                project.name,
                counted(project.skills as usize, "skill"),
                project.precedence.word(),
                project.revision
            ))?;
        }
        Ok(())
    }
}

/// The skills of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectSkillsDocument {
    /// The store's address, without secrets.
    store: String,
    /// The project.
    project: String,
    /// How often it was changed.
    revision: i64,
    /// By name.
    skills: Vec<StoredSkillRow>,
}

/// A skill of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StoredSkillRow {
    /// Its name.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// The SHA-256 of its text and files.
    version: String,
    /// How often it was changed.
    number: i64,
    /// Who changed it last.
    author: String,
    /// When: Unix time in milliseconds.
    updated_ms: i64,
    /// Size of its SKILL.md, bytes.
    bytes: i64,
    /// Whether it has files beside its SKILL.md.
    bundled: bool,
}

impl StoredSkillRow {
    fn of(skill: &StoredSkill) -> Self {
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            version: skill.version.clone(),
            number: skill.number,
            author: skill.author.clone(),
            updated_ms: skill.updated_ms,
            bytes: skill.bytes,
            bundled: skill.bundled,
        }
    }

    fn line(&self) -> SafeText {
        inert!(
            "{}  {}  #{} by {}, {}",
            self.name,
            short_version(&self.version),
            self.number,
            self.author,
            utc(self.updated_ms)
        )
    }
}

impl ProjectSkillsDocument {
    pub fn of(address: &Address, project: &Project, skills: &[StoredSkill]) -> Self {
        Self {
            store: address.shown(),
            project: project.name.clone(),
            revision: project.revision,
            skills: skills.iter().map(StoredSkillRow::of).collect(),
        }
    }

    /// Prints a line for each skill.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        self.skills.iter().try_for_each(|skill| out.line(skill.line()))
    }
}

/// A skill of a project with its text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectSkillDocument {
    /// The project.
    project: String,
    /// The version that is shown, which may be an earlier one.
    skill_version: String,
    /// Its name in this version.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// The whole SKILL.md.
    content: String,
    /// Its further files.
    files: Vec<StoredFileRow>,
    /// The skill as it is now; null if it was deleted.
    now: Option<StoredSkillRow>,
}

/// A file of a stored skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StoredFileRow {
    /// Relative to the skill.
    path: String,
    /// Its size.
    bytes: usize,
    /// Whether it is executable.
    executable: bool,
}

impl ProjectSkillDocument {
    pub fn of(project: &str, version: &Version, now: Option<&StoredSkill>) -> Self {
        let file = |file: &crate::store::BundleFile| StoredFileRow {
            path: file.path.clone(),
            bytes: file.bytes.len(),
            executable: file.executable,
        };
        Self {
            project: project.to_owned(),
            skill_version: version.digest.clone(),
            name: version.name.clone(),
            description: version.description.clone(),
            content: version.content.clone(),
            files: version.files.iter().map(file).collect(),
            now: now.map(StoredSkillRow::of),
        }
    }

    /// Prints where it comes from, its files, and its text with marks for what would hide.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        match &self.now {
            Some(now) => out.line(now.line())?,
            None => out.line(inert!("{}  deleted", self.name))?,
        }
        if self.now.as_ref().is_none_or(|now| now.version != self.skill_version) {
            out.line(inert!("version {}", short_version(&self.skill_version)))?;
        }
        for file in &self.files {
            let size = human_size(file.bytes as u64);
            out.line(inert!("file: {} ({})", file.path, size))?;
        }
        out.line("")?;
        self.content.lines().try_for_each(|line| out.line(SafeText::clean(line)))
    }
}

/// What was changed in a project, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectHistoryDocument {
    /// The project.
    project: String,
    /// Newest first.
    changes: Vec<ProjectChangeRow>,
    /// Whether there are older ones.
    truncated: bool,
}

/// Who changed what, and when.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectChangeRow {
    /// Its number in the project.
    seq: i64,
    /// Unix time in milliseconds.
    at_ms: i64,
    /// Who did it.
    author: String,
    /// What was done.
    action: Action,
    /// The skill; empty if the project itself was changed.
    name: String,
    /// How often the skill had been changed.
    number: i64,
    /// The version since; null if the skill is gone.
    version: Option<String>,
    /// The version before; null if there was none.
    previous: Option<String>,
    /// The change that was undone.
    undoes: Option<i64>,
}

impl ProjectHistoryDocument {
    /// `most` is how many were asked for; one more than that says that there are others.
    pub fn of(project: &str, changes: &[Change], most: usize) -> Self {
        let row = |change: &Change| ProjectChangeRow {
            seq: change.seq,
            at_ms: change.at_ms,
            author: change.author.clone(),
            action: change.action,
            name: change.name_norm.clone(),
            number: change.number,
            version: change.version.clone(),
            previous: change.previous.clone(),
            undoes: change.undoes,
        };
        Self {
            project: project.to_owned(),
            changes: changes.iter().take(most).map(row).collect(),
            truncated: changes.len() > most,
        }
    }

    /// Prints a line for each change.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        let short = |version: &Option<String>| {
            version.as_deref().map_or("-".to_owned(), |version| short_version(version).to_owned())
        };
        for change in &self.changes {
            let undoes = change.undoes.map_or_else(String::new, |seq| format!(" of {seq}"));
            // As `show --version` and `restore` take it; the first column counts all changes.
            let number = change.version.as_ref().filter(|_| !change.name.is_empty());
            let number = number.map_or_else(String::new, |_| format!(" #{}", change.number));
            out.line(inert!(
                "{}  {}  {}{} {}{}  {} -> {}  {}",
                change.seq,
                utc(change.at_ms),
                change.action.word(),
                undoes,
                change.name,
                number,
                short(&change.previous),
                short(&change.version),
                change.author
            ))?;
        }
        if self.truncated { out.line("cut: older changes; see --limit") } else { Ok(()) }
    }
}

/// A change of a store, or of which project is used.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ProjectChangeDocument {
    /// `create`, `put`, `delete`, `restore`, `undo`, `use` or `remove`.
    pub action: &'static str,
    /// The store's address, without secrets.
    pub store: String,
    /// The project; empty for `use --none`.
    pub project: String,
    /// The skill; null for a change of the project.
    pub name: Option<String>,
    /// Whether it was done; false with `--dry-run`.
    pub done: bool,
    /// Whether anything differs from what was there.
    pub changed: bool,
    /// The version since; null if the skill is gone, or for a change of the project.
    pub skill_version: Option<String>,
    /// The version before.
    pub previous_version: Option<String>,
    /// How often the skill was changed.
    pub number: Option<i64>,
    /// Of the folder or archive that `put` was given, what is not stored: `.git`, `node_modules`,
    /// `.DS_Store`.
    pub left_out: Vec<String>,
    /// The settings file that was written by `use`.
    pub file: Option<String>,
    /// What says that another project is used here all the same: a file with its line, or a
    /// variable; null if `use` takes effect.
    pub overridden_by: Option<String>,
    /// The command that takes it back; null if nothing was changed.
    pub undo: Option<String>,
}

impl ProjectChangeDocument {
    /// Says what was done, or would be, and how to undo it.
    pub fn report(&self, out: &mut Out) {
        let done = match (self.done, self.changed) {
            (_, false) => "so already",
            (true, true) => "done",
            (false, true) => "would be done",
        };
        let version = self
            .skill_version
            .as_deref()
            .map_or_else(String::new, |version| format!(" ({})", short_version(version)));
        out.say(match self.project.as_str() {
            "" => inert!("{} no project: {}", self.action, done),
            project => {
                let name = self.name.as_deref().unwrap_or(project);
                let (action, store) = (self.action, &self.store);
                inert!("{} {}{}: {}, in {} of {}", action, name, version, done, project, store)
            }
        });
        for path in &self.left_out {
            out.add(inert!("left out: {}", path));
        }
        if let Some(file) = &self.file {
            out.add(inert!("in {}", file));
        }
        if let Some(undo) = self.undo.as_ref().filter(|_| self.done) {
            out.add(inert!("to undo it: {}", undo));
        }
    }
}

/// The differences of two versions, or of a version and a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectDiffDocument {
    /// The first: a version, or a path.
    pub one: String,
    /// The second.
    pub other: String,
    /// Whether the two are equal, files included.
    pub same: bool,
    /// The unified diff of the two SKILL.md.
    pub diff: String,
    /// Files that only the first has.
    pub only_one: Vec<String>,
    /// Files that only the second has.
    pub only_other: Vec<String>,
    /// Files that both have, with different contents.
    pub differing: Vec<String>,
    /// Files that both have, and only the first as executable.
    pub executable_one: Vec<String>,
    /// Files that both have, and only the second as executable.
    pub executable_other: Vec<String>,
}

impl ProjectDiffDocument {
    pub fn of(StoredComparison { one, other, found }: &StoredComparison) -> Self {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let paths = |paths: &[PathBuf]| -> Vec<String> { paths.iter().map(text).collect() };
        let executable = |in_other: bool| -> Vec<String> {
            let modes = found.modes.iter().filter(|(_, is_other)| *is_other == in_other);
            modes.map(|(path, _)| text(path)).collect()
        };
        Self {
            one: one.clone(),
            other: other.clone(),
            same: found.is_same(),
            diff: found.lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect(),
            only_one: paths(&found.only_one),
            only_other: paths(&found.only_other),
            differing: paths(&found.differing),
            executable_one: executable(false),
            executable_other: executable(true),
        }
    }

    /// Prints the diff, then the files that differ.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        self.diff.lines().try_for_each(|line| out.line(SafeText::clean(line)))?;
        for (word, files) in [
            (inert!("only in {}", self.one), &self.only_one),
            (inert!("only in {}", self.other), &self.only_other),
            (SafeText::fixed("differs"), &self.differing),
            (inert!("executable only in {}", self.one), &self.executable_one),
            (inert!("executable only in {}", self.other), &self.executable_other),
        ] {
            files.iter().try_for_each(|file| out.line(inert!("{}: {}", word, file)))?;
        }
        if self.same {
            out.line(inert!("the same: {} and {}", self.one, self.other))?;
        }
        Ok(())
    }
}

fn utc(at_ms: i64) -> String {
    time::utc(u64::try_from(at_ms).unwrap_or_default())
}
