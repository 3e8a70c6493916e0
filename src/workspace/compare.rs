//! Compares two skills: their texts and their files.

use crate::catalog::Skill;
use crate::files::beneath::{Content, EntryKind, Refusal, SkillDir, Tree, TreeLimits};
use crate::files::digest::Digest;
use crate::text::diff::{self, Line};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many bytes of a `SKILL.md` are compared.
const MOST: u64 = 256 << 10;

/// The differences of two skills. All paths are relative to the skill; other people's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The unified diff of the two `SKILL.md`; empty if they are equal.
    pub lines: Vec<Line>,
    pub only_one: Vec<PathBuf>,
    pub only_other: Vec<PathBuf>,
    /// Files that both have with different contents. Of two folders, also those that only one of
    /// them may execute.
    pub differing: Vec<PathBuf>,
    /// Files that both have and only one may execute, and whether that is the second. Looked for
    /// where skills of a project are compared.
    pub modes: Vec<(PathBuf, bool)>,
    /// Whether a limit was reached, so that there may be more.
    pub cut: bool,
}

impl Comparison {
    pub fn is_same(&self) -> bool {
        self.lines.is_empty()
            && self.only_one.is_empty()
            && self.only_other.is_empty()
            && self.differing.is_empty()
            && self.modes.is_empty()
    }
}

/// Compares two skills: their texts line by line, their other files by digest.
///
/// # Errors
/// The `SKILL.md` that cannot be read, or whose directory cannot, and why.
pub fn compare(one: &Skill, other: &Skill) -> Result<Comparison, (PathBuf, Refusal)> {
    let ((one_dir, old), (other_dir, new)) = (opened(one)?, opened(other)?);
    let mut lines = diff::unified("", Some(&old.bytes), &new.bytes);
    let heads = [("---", &one.path), ("+++", &other.path)];
    for (line, (mark, path)) in lines.iter_mut().zip(heads) {
        line.text = format!("{mark} {}", path.display());
    }
    let (one_tree, other_tree) =
        (one_dir.tree(TreeLimits::default()), other_dir.tree(TreeLimits::default()));
    let cut = old.cut || new.cut || one_tree.cut || other_tree.cut;
    let mut comparison = Comparison { lines, cut, ..Comparison::default() };
    let (one_files, other_files) = (files(&one_tree, one.file()), files(&other_tree, other.file()));
    for (path, kind) in &one_files {
        match other_files.get(path) {
            None => comparison.only_one.push((*path).to_owned()),
            Some(other) if is_same(path, [kind, other], [&one_dir, &other_dir]) => {}
            Some(_) => comparison.differing.push((*path).to_owned()),
        }
    }
    let missing = other_files.keys().filter(|path| !one_files.contains_key(*path));
    comparison.only_other = missing.map(|path| (*path).to_owned()).collect();
    Ok(comparison)
}

fn opened(skill: &Skill) -> Result<(SkillDir, Content), (PathBuf, Refusal)> {
    let read = SkillDir::open(skill.dir()).and_then(|dir| {
        let content = dir.read(skill.file(), MOST)?;
        Ok((dir, content))
    });
    read.map_err(|refusal| (skill.path.clone(), refusal))
}

/// Everything but directories and the skill's own text.
fn files<'a>(tree: &'a Tree, own: &Path) -> BTreeMap<&'a Path, &'a EntryKind> {
    let entries =
        tree.entries.iter().filter(|entry| entry.kind != EntryKind::Directory && entry.path != own);
    entries.map(|entry| (entry.path.as_path(), &entry.kind)).collect()
}

/// Whether two entries are the same. A file that cannot be read is the same as no other.
fn is_same(path: &Path, kinds: [&EntryKind; 2], dirs: [&SkillDir; 2]) -> bool {
    let digest = |dir: &SkillDir| Digest::of_reader(dir.open_file(path).ok()?.0).ok();
    match kinds {
        [EntryKind::Link { target: one, .. }, EntryKind::Link { target: other, .. }] => {
            one == other
        }
        [EntryKind::File { .. }, _] if kinds[0] == kinds[1] => {
            digest(dirs[0]).is_some_and(|one| digest(dirs[1]) == Some(one))
        }
        [one, other] => one == other,
    }
}
