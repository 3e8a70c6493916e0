//! The files of one skill, listed for a person: sizes, links and where they lead, and a mark where
//! it was cut.

use super::{Kind, Refusal, SkillDir};
use std::collections::VecDeque;
use std::path::PathBuf;

/// Folders of other programs, of no use in a listing of a skill; not entered, not listed.
const SKIPPED: &[&str] = &[".git", "node_modules"];

/// How much of a skill is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Directories below the skill's own that are entered.
    pub depth: usize,
    pub entries: usize,
    /// Names that are neither entered nor listed, wherever they are met.
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
    /// A directory of the skill (listed where it really is, not below the link).
    Directory,
    /// Something that cannot be read, beneath the skill.
    Other(Kind),
    /// Out of the skill's directory, or by an absolute path: never followed.
    Leaves,
    /// Nowhere.
    Dangling,
    /// In a circle.
    Loop,
    /// It could not be told.
    Unknown,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File {
        /// Size in bytes.
        size: u64,
        /// Whether anyone may execute it.
        executable: bool,
    },
    Directory,
    Link {
        /// Its text, raw.
        target: PathBuf,
        end: LinkEnd,
    },
    /// A fifo, socket, device or the like.
    Other(Kind),
}

/// One file, directory or link of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Path relative to the skill's directory; other people's text.
    pub path: PathBuf,
    pub kind: EntryKind,
}

/// The files of a skill, by path; hidden ones included, `.git` and `node_modules` left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The entries, sorted by path, a directory before what it holds.
    pub entries: Vec<FileEntry>,
    /// Whether a limit bit, so that there is more than is listed (house rule 6).
    pub cut: bool,
    /// Directories that could not be read, and why.
    pub unread: Vec<(PathBuf, Refusal)>,
}

impl SkillDir {
    /// Lists the skill's files, nearest first: when the count runs out, it is the deep folders that
    /// are cut.
    pub fn tree(&self, limits: TreeLimits) -> Tree {
        let mut tree = Tree::default();
        let mut waiting = VecDeque::from([(PathBuf::new(), 0)]);
        while let Some((directory, depth)) = waiting.pop_front() {
            if let Err(refusal) = self.list(&directory, limits, &mut tree) {
                tree.unread.push((directory.clone(), refusal));
            }
            // Those just added are the last ones; they lie directly in `directory`.
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
