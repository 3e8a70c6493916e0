//! A skill of the project beside the file that has its name, or beside a version that it had.

use super::ProjectStore;
use crate::catalog::{Skill, normalized, short_version};
use crate::store::{Bundle, BundleFile, StoreError, Version};
use crate::text::diff::unified;
use crate::text::reason;
use crate::workspace::{Comparison, View};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What a skill of the project is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Against<'a> {
    /// The first file of its name that is seen here.
    File(&'a View),
    /// A version that it had, by its first digits.
    Version(&'a str),
}

/// The differences, and what was compared: a path, or the first digits of a version.
#[derive(Clone, Debug)]
pub struct StoredComparison {
    /// What it was compared with.
    pub one: String,
    /// The skill as it is now.
    pub other: String,
    pub found: Comparison,
}

/// Why nothing is compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no file here has this name")]
    NoFile,
    /// The path, and why it cannot be read; other people's text.
    #[error("{1}")]
    Unread(PathBuf, String),
}

struct Side {
    name: String,
    text: Vec<u8>,
    /// The bytes of each file, and whether it is executable.
    files: BTreeMap<PathBuf, (Vec<u8>, bool)>,
}

impl ProjectStore {
    /// Compares a skill as it is now.
    ///
    /// # Errors
    /// [`CompareError`].
    pub fn compare(
        &self,
        name: &str,
        against: Against<'_>,
    ) -> Result<StoredComparison, CompareError> {
        let other = of_version(self.read(|store, project| {
            let now = store.skill(project, name)?.version;
            store.version(&now)
        })?);
        let one = match against {
            Against::File(view) => of_file(view, name)?,
            Against::Version(beginning) => of_version(self.read(|store, project| {
                let digest = store.find_version(project, name, beginning)?;
                store.version(&digest)
            })?),
        };
        let found = compared(&one, &other);
        Ok(StoredComparison { one: one.name, other: other.name, found })
    }
}

fn of_version(version: Version) -> Side {
    let name = short_version(&version.digest).to_owned();
    Side { name, text: version.content.into_bytes(), files: by_path(version.files) }
}

fn of_file(view: &View, name: &str) -> Result<Side, CompareError> {
    let skill = file_of(view, name).ok_or(CompareError::NoFile)?;
    let unread = |why: String| CompareError::Unread(skill.path.clone(), why);
    let text = std::fs::read(&skill.path).map_err(|error| unread(reason(&error)))?;
    let bundle = Bundle::of_folder(skill.dir(), skill.file());
    let (bundle, _) = bundle.map_err(|error| unread(error.to_string()))?;
    let name = skill.path.display().to_string();
    Ok(Side { name, text, files: by_path(bundle.files().to_vec()) })
}

fn by_path(files: Vec<BundleFile>) -> BTreeMap<PathBuf, (Vec<u8>, bool)> {
    files.into_iter().map(|file| (file.path.into(), (file.bytes, file.executable))).collect()
}

/// The first skill of a folder here whose name is the same for a project.
pub fn file_of<'a>(view: &'a View, name: &str) -> Option<&'a Arc<Skill>> {
    let wanted = normalized(name);
    let mut skills = view.rows.skills();
    skills.find(|skill| skill.stored.is_none() && normalized(&skill.name) == wanted)
}

fn compared(one: &Side, other: &Side) -> Comparison {
    let only = |here: &Side, there: &Side| -> Vec<PathBuf> {
        let missing = here.files.keys().filter(|path| !there.files.contains_key(*path));
        missing.cloned().collect()
    };
    let in_both =
        || one.files.iter().filter_map(|(path, old)| Some((path, old, other.files.get(path)?)));
    let differing = in_both().filter(|(_, (old, _), (new, _))| old != new);
    let modes = in_both().filter(|(_, (_, old), (_, new))| old != new);
    Comparison {
        lines: unified("SKILL.md", Some(&one.text), &other.text),
        only_one: only(one, other),
        only_other: only(other, one),
        differing: differing.map(|(path, ..)| path.clone()).collect(),
        modes: modes.map(|(path, _, (_, executable))| (path.clone(), *executable)).collect(),
        cut: false,
    }
}

/// How the files of a version differ from those of another one: added, changed, removed.
pub fn file_changes(before: Option<&Version>, after: Option<&Version>) -> Comparison {
    let side = |version: Option<&Version>| match version {
        Some(version) => Side { text: Vec::new(), ..of_version(version.clone()) },
        None => Side { name: String::new(), text: Vec::new(), files: BTreeMap::new() },
    };
    compared(&side(before), &side(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_only_became_executable_has_the_same_bytes() {
        let side = |executable| {
            let file = |path: &str, bytes: &[u8], executable| BundleFile {
                path: path.to_owned(),
                bytes: bytes.to_vec(),
                executable,
            };
            let files =
                vec![file("a.sh", b"1", executable), file("b", &[executable.into()], false)];
            Side { name: String::new(), text: Vec::new(), files: by_path(files) }
        };
        let found = compared(&side(false), &side(true));
        assert_eq!(found.differing, [PathBuf::from("b")]);
        assert_eq!(found.modes, [(PathBuf::from("a.sh"), true)]);
        assert!(!found.is_same());
    }
}
