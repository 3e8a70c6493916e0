//! Lists the files of one skill for a person: sizes, link targets, and a mark if the list was cut.

use super::{Kind, Refusal, SkillDir};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Folders of other programs, of no use in a list of a skill's files.
const SKIPPED: &[&str] = &[".git", "node_modules"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// How deep below the skill's own directory.
    pub depth: usize,
    pub entries: usize,
    /// Names that are neither entered nor listed, at any depth.
    pub skipped: &'static [&'static str],
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { depth: 16, entries: 2_000, skipped: SKIPPED }
    }
}

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// A file of the skill; its size in bytes.
    File(u64),
    /// A directory of the skill. Its files are listed at its real place, not below the link.
    Directory,
    /// Something in the skill that cannot be read.
    Other(Kind),
    /// Out of the skill's directory, or absolute: never followed.
    Leaves,
    /// Nowhere.
    Dangling,
    /// In a circle.
    Loop,
    /// It cannot be determined.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File {
        /// Size in bytes.
        size: u64,
        /// Whether any execute bit is set.
        executable: bool,
    },
    Directory,
    Link {
        /// As the link has it; other people's text.
        target: PathBuf,
        end: LinkEnd,
    },
    /// A fifo, socket, device or the like.
    Other(Kind),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Path relative to the skill's directory; other people's text.
    pub path: PathBuf,
    pub kind: EntryKind,
}

/// The files of a skill, hidden ones included; `.git` and `node_modules` are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Sorted by path, a directory before its contents.
    pub entries: Vec<FileEntry>,
    /// Whether a limit was reached, so that there is more than is listed.
    pub cut: bool,
    /// What the limits skip, in no order; other people's text.
    pub skipped: Vec<PathBuf>,
    /// Directories that could not be read, and why.
    pub unread: Vec<(PathBuf, Refusal)>,
}

impl SkillDir {
    /// Lists what lies directly in one directory of the skill; the empty path is the skill's own.
    /// Each name on the way is as the file system lists it, and none is a link or skipped.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn directory(&self, directory: &Path, limits: TreeLimits) -> Result<Tree, Refusal> {
        if directory.iter().any(|name| limits.skipped.iter().any(|skipped| name == *skipped)) {
            return Err(Refusal::NotFound);
        }
        let mut tree = Tree::default();
        self.list_plain(directory, limits, &mut tree)?;
        tree.entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    /// Lists the skill's files, level by level, so that a limit cuts the deepest folders.
    pub fn tree(&self, limits: TreeLimits) -> Tree {
        let mut tree = Tree::default();
        let mut waiting = VecDeque::from([(PathBuf::new(), 0)]);
        while let Some((directory, depth)) = waiting.pop_front() {
            if let Err(refusal) = self.list(&directory, limits, &mut tree) {
                tree.unread.push((directory.clone(), refusal));
            }
            // The entries just added come last; they lie directly in `directory`.
            let inner = tree
                .entries
                .iter()
                .rev()
                .take_while(|entry| entry.path.parent() == Some(&directory));
            let inner: Vec<PathBuf> = inner
                .filter(|entry| entry.kind == EntryKind::Directory)
                .map(|entry| entry.path.clone())
                .collect();
            if depth < limits.depth {
                waiting.extend(inner.into_iter().rev().map(|path| (path, depth + 1)));
            } else if !inner.is_empty() {
                tree.cut = true;
            }
        }
        tree.entries.sort_by(|a, b| a.path.cmp(&b.path));
        tree
    }
}
