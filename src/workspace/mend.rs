//! Mends skills: what the fixes of [`crate::catalog::fix`] would do to the files of a view, and the
//! writing of it, with one entry in the journal for all of it.

mod held;
mod mender;
mod taken;
mod text;

use super::clock::now_ms;
use super::edit::ChangeError;
use super::{View, Workspace};
use crate::catalog::fix::{self, How};
use crate::catalog::validate::FILE_NAME;
use crate::catalog::{Check, Diagnostic, Locations, Skill, checks};
use crate::files::access::{may_write, real};
pub use crate::files::moves::Move;
use crate::files::moves::{self, Stage};
use crate::files::write::{WriteError, final_target, open_regular};
use crate::policy::Entry;
use crate::scan::is_top;
use crate::settings::store;
use crate::state::undo::{self, Journal};
use crate::text::diff::FileChange;
use held::Held;
pub use mender::Mender;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use taken::Taken;
use text::{Asked, Wanted};

/// Whose files may be written.
#[derive(Clone, Debug)]
pub enum Reach {
    /// The person's own and the current repository's.
    Own,
    /// What lies in these folders, or is one of these files; canonical paths.
    Named(Vec<PathBuf>),
}

/// What would be written.
#[derive(Clone, Debug, Default)]
pub struct MendPlan {
    /// What it does, in a few words, if that is not to mend. Other people's text.
    pub label: Option<String>,
    pub skills: Vec<MendedSkill>,
    /// Skills with findings that have a fix, which are left as they are; some may be among `skills`
    /// for others.
    pub left: Vec<LeftAlone>,
}

impl MendPlan {
    /// Whether some are left because their files could not be written.
    pub fn failed(&self) -> bool {
        self.left.iter().any(|left| matches!(left.why, Stays::Unwritten(_)))
    }
}

/// A skill whose files change.
#[derive(Clone, Debug, Default)]
pub struct MendedSkill {
    /// Its name before; other people's text.
    pub name: String,
    /// Its file before; other people's text.
    pub path: PathBuf,
    /// The findings that go, with their number.
    pub gone: BTreeMap<&'static str, usize>,
    /// The file's new bytes, under its old name.
    pub change: Option<FileChange>,
    /// What is renamed or unlinked, after the file is written.
    pub moved: Option<Move>,
    /// What the text at its place becomes because a link leads to another file; only shown.
    pub instead: Option<FileChange>,
}

impl MendedSkill {
    /// With nothing that changes yet.
    pub(super) fn of(skill: &Skill) -> Self {
        Self { name: skill.name.clone(), path: skill.path.clone(), ..Self::default() }
    }

    /// How the text at its place changes.
    pub fn shown(&self) -> Option<&FileChange> {
        self.change.as_ref().or(self.instead.as_ref())
    }

    /// The file or link that changes; other people's text.
    pub fn place(&self) -> &Path {
        match (&self.change, &self.moved) {
            (Some(change), _) => &change.path,
            (None, Some(moved)) => moved.place(),
            (None, None) => &self.path,
        }
    }
}

/// A skill that is not mended, or not wholly, though it could be.
#[derive(Clone, Debug)]
pub struct LeftAlone {
    /// Its file; other people's text.
    pub path: PathBuf,
    pub why: Stays,
}

/// Why something stays as it is, in words; they may hold other people's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stays {
    /// To change it is not for us, or needs a decision.
    Kept(String),
    /// The system does not let us write it.
    Unwritten(String),
}

impl Deref for Stays {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Kept(words) | Self::Unwritten(words) => words,
        }
    }
}

impl<T: Into<String>> From<T> for Stays {
    fn from(words: T) -> Self {
        Self::Kept(words.into())
    }
}

impl Workspace {
    /// Works out what would mend these skills of the view. Files are read now; nothing is written.
    pub fn plan_mend(
        &self,
        view: &View,
        entries: &[&Entry],
        reach: &Reach,
        wanted: &dyn Fn(&Skill, &Check) -> bool,
    ) -> MendPlan {
        let mut plan = MendPlan::default();
        let mender = self.mender(view, reach);
        let mut seen = HashSet::new();
        for skill in entries.iter().map(|entry| &entry.skill) {
            let wanted = |check: &Check| wanted(skill, check);
            let has_fix = |check: &Check| wanted(check) && fix::of(check).is_some();
            if !skill.diagnostics.iter().any(|found| has_fix(found.check)) {
                continue;
            }
            if !seen.insert(&skill.path) {
                continue;
            }
            let left = match mender.one(skill, &wanted) {
                Ok((mended, left)) => {
                    plan.skills.extend(mended);
                    left.map(Stays::from)
                }
                Err(why) => Some(why),
            };
            plan.left.extend(left.map(|why| LeftAlone { path: skill.path.clone(), why }));
        }
        plan
    }

    /// What mends skills of this view.
    pub fn mender<'a>(&'a self, view: &'a View, reach: &'a Reach) -> Mender<'a> {
        Mender { workspace: self, reach, taken: Taken::new(self, view), held: Held::of(self) }
    }

    /// The repository, or the working directory, as a canonical path.
    pub fn own_folder(&self) -> PathBuf {
        real(self.place())
    }

    /// Why a skill's files are not ours to write.
    pub(super) fn barred(
        &self,
        skill: &Skill,
        place: &Path,
        reach: &Reach,
    ) -> Option<&'static str> {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match reach {
            Reach::Named(named) if named.iter().any(|named| lies_in(place, named)) => None,
            Reach::Named(named) if named.iter().any(|named| place.starts_with(named)) => {
                Some(fix::OF_ANOTHER_REPOSITORY)
            }
            Reach::Named(_) => Some("a link leads there, out of the named folder"),
            Reach::Own => {
                let kept = fix::kept_by_others(skill, || lies_in(place, &self.own_folder()));
                if kept.is_some() {
                    return kept;
                }
                let is_within = place.starts_with(real(&skill.root));
                (!is_within).then_some("a link leads there, out of the folder of skills")
            }
        }
    }

    /// Writes a plan: first the journal entry, then all files, then all moves. What cannot be
    /// written is moved to [`MendPlan::left`], and the others are tried again.
    ///
    /// # Errors
    /// [`ChangeError`] if nothing can be journaled; then every file is as it was.
    pub fn mend(&self, plan: &mut MendPlan) -> Result<(), ChangeError> {
        let state = self.state_dir.as_deref().ok_or(ChangeError::NoState)?;
        let journal = Journal::new(state);
        while !plan.skills.is_empty() {
            let change = undo::Change {
                label: plan.label.clone().unwrap_or_else(|| label(&plan.skills)),
                at_ms: now_ms(),
                files: plan.skills.iter().filter_map(|one| one.change.clone()).collect(),
                moves: plan.skills.iter().filter_map(|one| one.moved.clone()).collect(),
                share: None,
            };
            let (path, why) = match journal.make(&change, || write(&change))? {
                Ok((entry, ())) => {
                    self.made.note(&entry);
                    return Ok(());
                }
                Err(failed) => failed,
            };
            let is_it = |one: &MendedSkill| {
                let moved = one.moved.as_ref().map(Move::place);
                one.place() == path || moved == Some(&path)
            };
            let before = plan.skills.len();
            plan.skills.retain(|one| !is_it(one));
            plan.left.push(LeftAlone { path, why: Stays::Unwritten(why) });
            if plan.skills.len() == before {
                plan.skills.clear();
            }
        }
        Ok(())
    }
}

/// Whether a file lies in a folder, or is it, and in no further repository within the folder, such
/// as a submodule or a clone.
fn lies_in(place: &Path, folder: &Path) -> bool {
    let is_within = |above: &&Path| *above != folder && above.starts_with(folder);
    place.starts_with(folder) && !place.ancestors().skip(1).take_while(is_within).any(is_top)
}

/// Writes all files and makes all moves, or leaves everything as it was.
fn write(change: &undo::Change) -> Result<(), (PathBuf, String)> {
    store::commit(change.files.clone())
        .map_err(|error| (error.path.clone(), error.error.to_string()))?;
    moves::make_all(&change.moves).map_err(|(path, error)| {
        let back = |file: &FileChange| FileChange {
            path: file.path.clone(),
            before: Some(file.after.clone()),
            after: file.before.clone().unwrap_or_default(),
        };
        // What another program has written meanwhile stays.
        let _ = store::commit(change.files.iter().map(back).collect());
        (path, error.to_string())
    })
}

/// What a run does, in a few words.
fn label(skills: &[MendedSkill]) -> String {
    match skills {
        [one] => format!("{} mended", one.name),
        several => format!("{} skills mended", several.len()),
    }
}

/// The path of an entry in its real folder; the entry may be a link.
fn canonical_entry(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The move that mends a skill, and its check.
fn moved(skill: &Skill, wanted: Wanted<'_>) -> Option<(Move, &'static Check)> {
    let moved = skill.diagnostics.iter().filter(|found| wanted(found.check)).find_map(|found| {
        let moved = match fix::of(found.check)?.how {
            How::Text(_) => None,
            How::Rename => {
                let to = skill.dir().join(FILE_NAME);
                Some(Move::Renamed { from: skill.path.clone(), to })
            }
            How::Unlink => link_of(skill).map(|(place, target)| Move::Unlinked { place, target }),
            How::Lift => lifted(skill),
            How::Relink => link_of(skill).and_then(|(place, from)| relinked(place, from)),
        };
        Some((moved?, found.check))
    })?;
    (moved.0.stage() == Stage::Before).then_some(moved)
}

/// Why a skill that lies too deep stays there.
fn not_lifted(skill: &Skill, asked: &Asked<'_>) -> Option<String> {
    if !skill.is_too_deep() || !(asked.wanted)(&checks::TOO_DEEP) {
        return None;
    }
    let root = real(&skill.root);
    let above = skill.dir().ancestors().skip(1).take_while(|folder| *folder != root);
    if above.into_iter().any(is_plugin) {
        return Some("its folder is that of a plugin".to_owned());
    }
    let place = root.join(skill.dir().file_name()?);
    if place.symlink_metadata().is_ok() {
        return Some(format!("there is a {} already", place.display()));
    }
    asked.taken.has(skill.name.trim(), skill).then(|| "another skill has its name".to_owned())
}

/// What says that a folder is a plugin or an extension of some agent.
const OF_PLUGINS: [&str; 6] = [
    ".claude-plugin",
    ".codex-plugin",
    ".plugin",
    "plugin.json",
    "gemini-extension.json",
    "qwen-extension.json",
];

fn is_plugin(folder: &Path) -> bool {
    OF_PLUGINS.iter().any(|name| folder.join(name).exists())
}

/// The skill as it is after its file or folder has another name.
fn placed(skill: &Skill, moved: &Move) -> Option<Skill> {
    let Move::Renamed { from, to } = moved else { return None };
    Some(match *from == skill.path {
        true => Skill { path: to.clone(), ..skill.clone() },
        false => {
            Skill { path: to.join(skill.file()), locations: Locations::default(), ..skill.clone() }
        }
    })
}

/// A skill's folder, moved up into the folder of skills.
fn lifted(skill: &Skill) -> Option<Move> {
    let from = skill.dir().to_owned();
    let to = real(&skill.root).join(from.file_name()?);
    to.symlink_metadata().is_err().then_some(Move::Renamed { from, to })
}

/// The link at which a skill should be, and its text.
fn link_of(skill: &Skill) -> Option<(PathBuf, PathBuf)> {
    let places = [&*skill.path, skill.location(), skill.dir()];
    let link = |place: &Path| Some((canonical_entry(place), fs::read_link(place).ok()?));
    places.into_iter().find_map(link)
}

/// Where a finding is: the skill's file, or the link that is at fault.
pub fn place_of<'a>(skill: &'a Skill, finding: &Diagnostic) -> Cow<'a, Path> {
    let is_of_link = [&checks::LINK_DANGLING, &checks::LINK_FILE].contains(&finding.check);
    let link = if is_of_link { link_of(skill) } else { None };
    link.map_or(Cow::Borrowed(skill.path.as_path()), |(link, _)| Cow::Owned(link))
}

/// A link to a `SKILL.md`, led to the folder of that file.
fn relinked(place: PathBuf, from: PathBuf) -> Option<Move> {
    let to = from.parent().filter(|to| !to.as_os_str().is_empty())?.to_owned();
    let folder = fs::canonicalize(place.parent()?.join(&to)).ok()?;
    let same = fs::canonicalize(&place).is_ok_and(|file| file == folder.join(FILE_NAME));
    same.then_some(Move::Relinked { place, from, to })
}

pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why a file cannot or must not be written.
pub(super) fn writable(path: &Path) -> Result<(), Stays> {
    let target = final_target(path).map_err(|_| "its file is gone")?;
    let Some(meta) = target.metadata.filter(|_| target.path == path) else {
        return Err("its file is a link".into());
    };
    if meta.permissions().readonly() {
        return Err("the file is read-only".into());
    }
    // Who may not write it could still replace it, and would take its owner away.
    if !may_write(path) {
        return Err("the file may not be written".into());
    }
    // A file is written beside its place, and then takes it.
    if !path.parent().is_some_and(may_write) {
        return Err(unwritable());
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&meta) > 1 {
        return Err("its file has further names (hard links), which would change as well".into());
    }
    Ok(())
}

/// Why a skill is left if the system lets us write nothing in its folder.
fn unwritable() -> Stays {
    Stays::Unwritten("its folder may not be written".to_owned())
}

#[cfg(test)]
mod tests;
