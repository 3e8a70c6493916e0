//! Several skills of one name: what tells them apart, and how one is kept for all, or gets a name
//! of its own.

use super::mend::{LeftAlone, MendPlan, MendedSkill, Move, Reach, read, writable};
use super::share::relative;
use super::{Comparison, View, Workspace, compare};
use crate::catalog::fix::{self, Source};
use crate::catalog::validate::refused_name;
use crate::catalog::{Check, Skill};
use crate::files::access::real;
use crate::files::beneath::{EntryKind, SkillDir, TreeLimits};
use crate::files::git::InGit;
use crate::files::moves;
use crate::policy::Entry;
use crate::state::shares;
use crate::text::DiffKind;
use crate::text::diff::FileChange;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the state in which replaced folders are kept. Nothing removes them.
pub(super) const REPLACED: &str = "replaced";

/// What tells a skill apart from others of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyFacts {
    /// Of the `SKILL.md`, milliseconds since 1970; 0 if unknown.
    pub changed_ms: u64,
    pub in_git: InGit,
    /// Of all its files.
    pub bytes: u64,
    pub files: usize,
    pub difference: Difference,
}

/// How a skill differs from the first of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It is the first one.
    First,
    /// All files are equal.
    Same,
    /// What was compared is equal, but a limit was reached.
    SameSoFar,
    /// The texts differ from this line on, which here is so; other people's text.
    Text { line: u32, here: String },
    /// The texts are equal, and so many other files differ, the first at this path; other people's
    /// text.
    Files { first: PathBuf, count: usize },
    /// It cannot be read.
    Unread(String),
}

impl Workspace {
    /// What tells these skills apart, each compared with the first. Files are read now.
    pub fn copy_facts(&self, skills: &[Arc<Skill>]) -> Vec<CopyFacts> {
        let facts = |(number, skill): (usize, &Arc<Skill>)| {
            let (bytes, files) = size_of(skill);
            let difference = match number {
                0 => Difference::First,
                _ => difference(&skills[0], skill),
            };
            let in_git = self.in_git(&skill.path);
            CopyFacts { changed_ms: skill.mtime_ms(), in_git, bytes, files, difference }
        };
        skills.iter().enumerate().map(facts).collect()
    }

    /// Works out how the skill at `path` takes the place of all others of its name: each of their
    /// folders is moved aside, and a link to the kept one is made there. Nothing is written.
    pub fn plan_keep(&self, view: &View, path: &Path) -> MendPlan {
        let Some(row) = view.rows.at(path) else { return MendPlan::default() };
        let kept = row.skill();
        let label = Some(format!("one {} kept for all", kept.name));
        let mut plan = MendPlan { label, ..MendPlan::default() };
        if !row.entry.offered() {
            let why = "an agent refuses it, so it cannot stand in for others".into();
            plan.left.push(LeftAlone { path: kept.path.clone(), why });
            return plan;
        }
        let copies = view.rows.index_of(path).map(|index| view.rows.copies_of(index));
        let copies =
            copies.unwrap_or_default().iter().filter_map(|it| view.rows.entry(*it as usize));
        for Entry { skill, .. } in copies.filter(|entry| entry.skill.path != kept.path) {
            match self.replaced(kept, skill) {
                Ok(moved) => plan.skills.push(moved),
                Err(why) => {
                    plan.left.push(LeftAlone { path: skill.path.clone(), why: why.into() });
                }
            }
        }
        plan
    }

    fn replaced(&self, kept: &Skill, other: &Arc<Skill>) -> Result<MendedSkill, String> {
        if let Some(why) = self.not_replaced(kept, other) {
            return Err(why.to_owned());
        }
        let place = other.dir();
        let beside = place.parent().unwrap_or(place);
        // In a repository a link must lead to the same place in every clone.
        let target = match self.is_in_repository(place) && self.is_in_repository(kept.dir()) {
            true => relative(beside, kept.dir()),
            false => kept.dir().to_owned(),
        };
        let aside = self.aside(other).ok_or("there is no folder in which it could be kept")?;
        if !is_same_disk(place, &aside) {
            return Err(
                "it is on another disk than the folder in which it would be kept".to_owned()
            );
        }
        let limit = self.config.values.file_limit();
        let text = |skill: &Skill| read(&skill.path, limit).map_err(|error| error.to_string());
        let (before, after) = (text(other)?, text(kept)?);
        let is_same = before == after;
        let instead = FileChange { path: other.path.clone(), before: Some(before), after };
        Ok(MendedSkill {
            instead: (!is_same).then_some(instead),
            moved: Some(Move::Replaced { place: place.to_owned(), kept: aside, target }),
            ..MendedSkill::of(other)
        })
    }

    /// The first free place for a folder that is replaced.
    fn aside(&self, skill: &Skill) -> Option<PathBuf> {
        let folder = self.state_dir.as_ref()?.join(REPLACED);
        let id = skill.id();
        let numbered = |number: u32| folder.join(format!("{}-{number}", id.as_str()));
        (1..).map(numbered).find(|place| place.symlink_metadata().is_err())
    }

    /// Why no link can stand in for a skill.
    fn not_replaced(&self, kept: &Skill, other: &Skill) -> Option<&'static str> {
        if kept.stored.is_some() || other.stored.is_some() {
            return Some("it is in a store and has no folder");
        }
        if kept.is_single_file() || other.is_single_file() {
            return Some("it is a single file and has no folder");
        }
        if let Some(why) = self.barred(other, &other.path, &Reach::Own) {
            return Some(why);
        }
        let (place, to) = (other.dir(), kept.dir());
        if place.starts_with(to) || to.starts_with(place) {
            return Some("one folder lies in the other");
        }
        if place == real(&other.root) {
            return Some("it is the whole folder of skills");
        }
        let [own, kept_in] = [other, kept].map(|skill| self.in_git(&skill.path));
        match (self.is_in_repository(place), self.is_in_repository(to)) {
            (true, false) if own != InGit::Ignored => {
                return Some("it belongs to the repository, and the link would lead out of it");
            }
            (true, true) if own == InGit::Tracked && kept_in != InGit::Tracked => {
                return Some(
                    "git tracks it but not the kept one, so other clones would have a dead link",
                );
            }
            (false, true) => {
                return Some(
                    "it is yours, and the kept one belongs to a repository: keep one of yours, or share that one",
                );
            }
            _ => {}
        }
        // Each agent that finds it must still find it, and take the kept one in its place.
        let looks = |root: &Path| {
            other.locations().any(|location| location.starts_with(root))
                || place.starts_with(real(root))
        };
        let everyone = self.everyone();
        self.host_contexts.iter().chain(everyone.iter()).find_map(|host| {
            let roots = host.roots(&[]);
            let mut roots = roots.iter().filter(|root| looks(&root.path)).peekable();
            roots.peek()?;
            if roots.any(|root| !root.follows(to)) {
                return Some("an agent that looks there does not follow such a link");
            }
            let refuses = |skill: &Skill| host.policy.refusal(skill).is_some();
            (refuses(kept) && !refuses(other))
                .then_some("an agent that uses it refuses the kept one")
        })
    }

    /// Whether links lead to a skill's folder: those that any agent finds, and those that we made.
    fn is_linked_to(&self, skill: &Skill) -> bool {
        let shared = || {
            let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
            let mut links = records.iter().map(|share| &share.place).filter(|at| at.is_symlink());
            links.any(|link| real(link) == skill.dir())
        };
        let found = || {
            let every = self.through_every().view();
            every.rows.at(&skill.path).is_some_and(|row| !row.skill().has_one_location())
        };
        !skill.has_one_location() || shared() || (!self.is_every() && found())
    }

    /// Works out how the skill at `path` gets another name: that of its frontmatter and of its
    /// folder. Nothing is written.
    ///
    /// # Errors
    /// Why it cannot have this name.
    pub fn plan_rename(&self, view: &View, path: &Path, name: &str) -> Result<MendPlan, String> {
        let row = view.rows.at(path).ok_or("the skill is gone")?;
        let skill = row.skill();
        if let Some(why) = refused_name(name) {
            return Err(why);
        }
        if view.rows.named(name).next().is_some() {
            return Err(format!("another skill is called {name} already"));
        }
        if skill.stored.is_some() {
            return Err("it is in a store and has no folder".to_owned());
        }
        if skill.is_single_file() {
            return Err("it is a single file and has no folder".to_owned());
        }
        if let Some(why) = self.barred(skill, &skill.path, &Reach::Own) {
            return Err(why.to_owned());
        }
        if self.is_linked_to(skill) {
            return Err("links lead to its folder, and would lead nowhere".to_owned());
        }
        let from = skill.dir().to_owned();
        if from == real(&skill.root) {
            return Err("its folder is the whole folder of skills".to_owned());
        }
        let to = from.with_file_name(name);
        if moves::is_taken(&to, &from) {
            return Err(format!("there is a {} already", to.display()));
        }
        let limit = self.config.values.file_limit();
        let bytes = read(&skill.path, limit).map_err(|error| error.to_string())?;
        let file = skill.file().to_string_lossy();
        let source = Source { bytes: &bytes, directory: name, file: &file };
        let mended = fix::mend(source, &|check: &Check| check.code.starts_with("name-"));
        let mended = mended.ok_or("its frontmatter cannot be changed: mend it first")?;
        writable(&skill.path).map_err(|why| why.to_string())?;
        let path = skill.path.clone();
        let change = FileChange { path, before: Some(bytes), after: mended.bytes };
        let renamed = MendedSkill {
            change: Some(change),
            moved: Some(Move::Renamed { from, to }),
            ..MendedSkill::of(skill)
        };
        let label = Some(format!("{} renamed to {name}", skill.name));
        Ok(MendPlan { label, skills: vec![renamed], ..MendPlan::default() })
    }
}

/// Whether something can be moved there without being copied.
#[cfg(unix)]
fn is_same_disk(place: &Path, to: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device =
        |path: &Path| path.ancestors().find_map(|above| Some(above.metadata().ok()?.dev()));
    device(place) == device(to)
}

/// Elsewhere the move itself tells.
#[cfg(not(unix))]
fn is_same_disk(_: &Path, _: &Path) -> bool {
    true
}

/// The bytes and the number of all files of a skill; 0 of what cannot be read.
fn size_of(skill: &Skill) -> (u64, usize) {
    let Ok(dir) = SkillDir::open(skill.dir()) else { return (0, 0) };
    let tree = dir.tree(TreeLimits::default());
    let sizes = tree.entries.iter().filter_map(|entry| match entry.kind {
        EntryKind::File { size, .. } => Some(size),
        _ => None,
    });
    sizes.fold((0, 0), |(sum, count), bytes| (sum + bytes, count + 1))
}

fn difference(first: &Skill, other: &Skill) -> Difference {
    match compare(first, other) {
        Err((path, refusal)) => Difference::Unread(format!("{}: {refusal}", path.display())),
        Ok(comparison) => match first_line(&comparison) {
            Some((line, here)) => Difference::Text { line, here },
            None => {
                let Comparison { only_one, only_other, differing, .. } = &comparison;
                let mut files = differing.iter().chain(only_other).chain(only_one);
                let count = files.clone().count();
                match files.next() {
                    Some(first) => Difference::Files { first: first.clone(), count },
                    None if comparison.cut => Difference::SameSoFar,
                    None => Difference::Same,
                }
            }
        },
    }
}

/// The first line in which the other text differs, and what it has there.
fn first_line(comparison: &Comparison) -> Option<(u32, String)> {
    let mut lines = comparison.lines.iter().skip_while(|line| !line.text.starts_with("@@"));
    let start = lines.next()?.text.split('+').nth(1)?;
    let start: u32 = start.split([',', ' ']).next()?.parse().ok()?;
    let same = lines.clone().take_while(|line| line.kind == DiffKind::Context).count();
    let mut changed = lines.skip(same).take_while(|line| line.kind != DiffKind::Header);
    let here = changed.find(|line| line.kind == DiffKind::Added);
    let here = here.map(|line| line.text.trim_start_matches('+').to_owned());
    Some((start + u32::try_from(same).ok()?, here.unwrap_or_default()))
}

#[cfg(all(test, unix))]
mod tests;
